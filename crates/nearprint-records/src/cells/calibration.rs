//! What schemes and distances find, as rows of a table.

use nearprint_fingerprint::Scheme;

use super::{Cell, CellKind, Column, TableRow};
use crate::CalibrationRow;

impl TableRow for CalibrationRow {
    fn columns(_scheme: Scheme) -> Vec<Column> {
        use CellKind::{Count, Flag, Group, Measure, Small, Text};
        let kind = vec![
            Column::new("kind", Text),
            Column::new("pairs", Count),
            Column::new("recall", Measure),
        ];
        vec![
            Column::new("scheme", Text),
            Column::new("distance", Small),
            Column::nullable("measure", Text),
            Column::new("recall", Measure),
            Column::new("recall_at_least", Measure),
            Column::new("recall_at_most", Measure),
            Column::list("kinds", Group(kind)),
            Column::new("chance_per_million", Measure),
            Column::new("chance_per_million_at_most", Measure),
            Column::new("chance_in_set", Measure),
            Column::new("bytes", Count),
            Column::new("microseconds", Measure),
            Column::new("recommended", Flag),
        ]
    }

    fn cells(&self, put: &mut dyn FnMut(&[Cell<'_>])) {
        let kind = |kind: &crate::KindRow| {
            [Cell::Text(kind.kind), Cell::Number(kind.pairs), Cell::Measure(kind.recall)]
        };
        let kinds: Vec<_> = self.kinds.iter().map(kind).collect();
        let kinds: Vec<Cell<'_>> = kinds.iter().map(|cells| Cell::Group(cells)).collect();
        put(&[
            Cell::Text(self.scheme.id()),
            Cell::Number(self.distance.into()),
            Cell::text(self.measure),
            Cell::Measure(self.recall),
            Cell::Measure(self.recall_at_least),
            Cell::Measure(self.recall_at_most),
            Cell::List(&kinds),
            Cell::Measure(self.chance_per_million),
            Cell::Measure(self.chance_per_million_at_most),
            Cell::Measure(self.chance_in_set),
            Cell::Number(self.bytes),
            Cell::Measure(self.microseconds),
            Cell::Flag(self.recommended),
        ]);
    }
}
