//! Documents of an index as rows of a table.

use nearprint_fingerprint::Scheme;

use super::fingerprint::print_kind;
use super::{Cell, CellKind, Column, TableRow};
use crate::IndexedRow;

impl TableRow for IndexedRow {
    fn columns(scheme: Scheme) -> Vec<Column> {
        vec![
            Column::new("id", CellKind::Text),
            Column::new("fingerprint", CellKind::Text),
            Column::new("print", print_kind(scheme)),
            Column::new("time", CellKind::Count),
            Column::nullable("extractor", CellKind::Text),
            Column::nullable("metadata", CellKind::Text),
        ]
    }

    fn cells(&self, put: &mut dyn FnMut(&[Cell<'_>])) {
        let (string, bytes) = (self.fingerprint.to_string(), self.fingerprint.to_bytes());
        let print = match (bytes.len(), self.fingerprint.as_u128()) {
            (4 | 8, Some(number)) => Cell::Number(number as u64),
            _ => Cell::Bytes(&bytes),
        };
        put(&[
            Cell::Text(self.id.as_str()),
            Cell::Text(&string),
            print,
            Cell::Number(self.time),
            Cell::text(self.extractor.as_deref()),
            Cell::text(self.metadata.as_deref()),
        ]);
    }
}
