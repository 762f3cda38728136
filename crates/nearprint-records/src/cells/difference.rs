//! What became of documents, as rows of a table.

use nearprint_fingerprint::Scheme;

use super::{Cell, CellKind, Column, TableRow};
use crate::{DifferenceRow, DocumentId};

impl TableRow for DifferenceRow {
    fn columns(_scheme: Scheme) -> Vec<Column> {
        vec![
            Column::new("difference", CellKind::Text),
            Column::new("id", CellKind::Text),
            Column::nullable("old_id", CellKind::Text),
            Column::nullable("similarity", CellKind::Measure),
            Column::nullable("contradicts", CellKind::Text),
        ]
    }

    fn cells(&self, put: &mut dyn FnMut(&[Cell<'_>])) {
        put(&[
            Cell::Text(&self.kind.to_string()),
            Cell::Text(self.id.as_str()),
            Cell::text(self.old_id.as_ref().map(DocumentId::as_str)),
            self.similarity.map_or(Cell::Null, Cell::Measure),
            Cell::text(self.contradicts.as_deref()),
        ]);
    }
}
