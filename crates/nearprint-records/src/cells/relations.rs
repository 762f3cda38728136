//! What a search finds as rows of tables.

use nearprint_fingerprint::Scheme;

use super::{Cell, CellKind, Column, TableRow};
use crate::{ClusterRow, MatchOfMany, MatchRow, PairRow};

impl TableRow for PairRow {
    fn columns(_scheme: Scheme) -> Vec<Column> {
        vec![
            Column::new("a", CellKind::Text),
            Column::new("b", CellKind::Text),
            Column::new("distance", CellKind::Small),
            Column::nullable("similarity", CellKind::Measure),
            Column::new("estimate", CellKind::Measure),
            Column::nullable("measure", CellKind::Text),
            Column::nullable("evidence", CellKind::Flag),
            Column::nullable("duplicate", CellKind::Flag),
            Column::nullable("distinct", CellKind::Text),
        ]
    }

    fn cells(&self, put: &mut dyn FnMut(&[Cell<'_>])) {
        put(&[
            Cell::Text(self.a.as_str()),
            Cell::Text(self.b.as_str()),
            Cell::Number(self.distance.into()),
            self.similarity.map_or(Cell::Null, Cell::Measure),
            Cell::Measure(self.estimate),
            Cell::text(self.measure),
            Cell::flag(self.verdict.evidence),
            Cell::flag(self.verdict.duplicate),
            Cell::text(self.verdict.distinct.as_deref()),
        ]);
    }
}

impl TableRow for MatchRow {
    fn columns(_scheme: Scheme) -> Vec<Column> {
        vec![
            Column::new("query", CellKind::Text),
            Column::new("id", CellKind::Text),
            Column::new("distance", CellKind::Small),
            Column::nullable("similarity", CellKind::Measure),
            Column::new("estimate", CellKind::Measure),
            Column::nullable("measure", CellKind::Text),
            Column::nullable("evidence", CellKind::Flag),
            Column::nullable("duplicate", CellKind::Flag),
            Column::nullable("distinct", CellKind::Text),
        ]
    }

    fn cells(&self, put: &mut dyn FnMut(&[Cell<'_>])) {
        put(&[
            Cell::Text(self.query.as_str()),
            Cell::Text(self.id.as_str()),
            Cell::Number(self.distance.into()),
            self.similarity.map_or(Cell::Null, Cell::Measure),
            Cell::Measure(self.estimate),
            Cell::text(self.measure),
            Cell::flag(self.verdict.evidence),
            Cell::flag(self.verdict.duplicate),
            Cell::text(self.verdict.distinct.as_deref()),
        ]);
    }
}

impl TableRow for MatchOfMany {
    fn columns(scheme: Scheme) -> Vec<Column> {
        MatchRow::columns(scheme)
    }

    fn cells(&self, put: &mut dyn FnMut(&[Cell<'_>])) {
        self.0.cells(put);
    }
}

/// A row for each member, as tables are joined by one id.
impl TableRow for ClusterRow {
    fn columns(_scheme: Scheme) -> Vec<Column> {
        vec![
            Column::new("cluster", CellKind::Count),
            Column::new("size", CellKind::Count),
            Column::new("representative", CellKind::Text),
            Column::new("id", CellKind::Text),
            Column::new("distance", CellKind::Small),
            Column::nullable("similarity", CellKind::Measure),
            Column::nullable("duplicate", CellKind::Flag),
            Column::nullable("distinct", CellKind::Text),
            Column::nullable("chain", CellKind::Small),
        ]
    }

    fn cells(&self, put: &mut dyn FnMut(&[Cell<'_>])) {
        for (at, (member, distance)) in self.members.iter().zip(&self.distances).enumerate() {
            let (duplicate, distinct) = self.duplicate(at);
            put(&[
                Cell::Number(self.cluster),
                Cell::Number(self.size),
                Cell::Text(self.representative.as_str()),
                Cell::Text(member.as_str()),
                Cell::Number((*distance).into()),
                self.similarity(at).map_or(Cell::Null, Cell::Measure),
                Cell::flag(duplicate),
                Cell::text(distinct),
                Cell::number(self.chain),
            ]);
        }
    }
}
