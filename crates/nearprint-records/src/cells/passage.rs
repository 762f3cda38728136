//! Passages that documents share, and their places, as rows of tables.

use nearprint_fingerprint::Scheme;

use super::{Cell, CellKind, Column, TableRow};
use crate::{Containment, DocumentId, PassagePlaceRow, SharedPassageRow};

impl TableRow for SharedPassageRow {
    const HAS_SCHEME: bool = false;

    fn columns(_scheme: Scheme) -> Vec<Column> {
        let count = |name| Column::new(name, CellKind::Count);
        let optional = |name| Column::nullable(name, CellKind::Count);
        vec![
            count("documents"),
            count("places"),
            optional("passage"),
            count("tokens"),
            count("changed"),
            Column::new("a", CellKind::Text),
            count("a_start"),
            count("a_end"),
            count("a_start_byte"),
            count("a_end_byte"),
            Column::nullable("b", CellKind::Text),
            optional("b_start"),
            optional("b_end"),
            optional("b_start_byte"),
            optional("b_end_byte"),
            Column::nullable("contained", CellKind::Text),
            Column::new("text", CellKind::Text),
        ]
    }

    fn cells(&self, put: &mut dyn FnMut(&[Cell<'_>])) {
        put(&[
            Cell::Number(self.documents),
            Cell::Number(self.places),
            Cell::number(self.passage),
            Cell::Number(self.tokens),
            Cell::Number(self.changed),
            Cell::Text(self.a.as_str()),
            Cell::Number(self.a_start),
            Cell::Number(self.a_end),
            Cell::Number(self.a_start_byte),
            Cell::Number(self.a_end_byte),
            Cell::text(self.b.as_ref().map(DocumentId::as_str)),
            Cell::number(self.b_start),
            Cell::number(self.b_end),
            Cell::number(self.b_start_byte),
            Cell::number(self.b_end_byte),
            Cell::text(self.contained.map(Containment::name)),
            Cell::Text(&self.text),
        ]);
    }
}

impl TableRow for PassagePlaceRow {
    const HAS_SCHEME: bool = false;

    fn columns(_scheme: Scheme) -> Vec<Column> {
        let count = |name| Column::new(name, CellKind::Count);
        vec![
            count("passage"),
            Column::new("id", CellKind::Text),
            count("start"),
            count("end"),
            count("start_byte"),
            count("end_byte"),
        ]
    }

    fn cells(&self, put: &mut dyn FnMut(&[Cell<'_>])) {
        put(&[
            Cell::Number(self.passage),
            Cell::Text(self.id.as_str()),
            Cell::Number(self.start),
            Cell::Number(self.end),
            Cell::Number(self.start_byte),
            Cell::Number(self.end_byte),
        ]);
    }
}
