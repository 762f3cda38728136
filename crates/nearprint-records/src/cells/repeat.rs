//! Repeats as rows of tables.

use nearprint_fingerprint::Scheme;

use super::{Cell, CellKind, Column, TableRow};
use crate::RepeatRow;

impl TableRow for RepeatRow {
    const HAS_SCHEME: bool = false;

    fn columns(_scheme: Scheme) -> Vec<Column> {
        let count = |name| Column::new(name, CellKind::Count);
        vec![
            Column::new("id", CellKind::Text),
            count("start"),
            count("end"),
            count("start_byte"),
            count("end_byte"),
            count("tokens"),
            Column::new("first", CellKind::Text),
            count("first_start"),
            count("first_end"),
            count("first_start_byte"),
            count("first_end_byte"),
            Column::new("text", CellKind::Text),
        ]
    }

    fn cells(&self, put: &mut dyn FnMut(&[Cell<'_>])) {
        put(&[
            Cell::Text(self.id.as_str()),
            Cell::Number(self.start),
            Cell::Number(self.end),
            Cell::Number(self.start_byte),
            Cell::Number(self.end_byte),
            Cell::Number(self.tokens),
            Cell::Text(self.first.as_str()),
            Cell::Number(self.first_start),
            Cell::Number(self.first_end),
            Cell::Number(self.first_start_byte),
            Cell::Number(self.first_end_byte),
            Cell::Text(&self.text),
        ]);
    }
}
