//! What deduplication decided as rows of a table.

use nearprint_fingerprint::Scheme;

use super::fingerprint::{place_cells, place_columns};
use super::{Cell, CellKind, Column, TableRow};
use crate::{DecisionRow, DocumentId, ReasonCode};

impl TableRow for DecisionRow {
    fn columns(_scheme: Scheme) -> Vec<Column> {
        vec![
            Column::new("id", CellKind::Text),
            Column::new("decision", CellKind::Text),
            Column::new("reason", CellKind::Text),
            Column::nullable("cluster", CellKind::Count),
            Column::nullable("representative", CellKind::Text),
            Column::nullable("similarity", CellKind::Measure),
            Column::nullable("nearest", CellKind::Text),
            Column::nullable("differs", CellKind::Text),
            Column::nullable("contradicts", CellKind::Text),
            Column::new("policy", CellKind::Text),
            Column::nullable("sha256", CellKind::Text),
            Column::nullable("representative_sha256", CellKind::Text),
            Column::nullable("failure", CellKind::Text),
            Column::new("place", CellKind::Group(place_columns())),
        ]
    }

    fn cells(&self, put: &mut dyn FnMut(&[Cell<'_>])) {
        let sha256 = self.sha256.map(|digest| digest.to_string());
        let representative_sha256 = self.representative_sha256.map(|digest| digest.to_string());
        put(&[
            Cell::Text(self.id.as_str()),
            Cell::Text(self.decision.name()),
            Cell::Text(self.reason.name()),
            Cell::number(self.cluster),
            Cell::text(self.representative.as_ref().map(DocumentId::as_str)),
            self.similarity.map_or(Cell::Null, Cell::Measure),
            Cell::text(self.nearest.as_ref().map(DocumentId::as_str)),
            Cell::text(self.differs.as_deref()),
            Cell::text(self.contradicts.as_deref()),
            Cell::Text(self.policy),
            Cell::text(sha256.as_deref()),
            Cell::text(representative_sha256.as_deref()),
            Cell::text(self.failure.as_ref().map(ReasonCode::as_str)),
            Cell::Group(&place_cells(&self.place)),
        ]);
    }
}
