//! Items of tests in training data, as rows of tables.

use nearprint_fingerprint::Scheme;

use super::{Cell, CellKind, Column, TableRow};
use crate::{ContaminationRow, DocumentId, TextPiece};

impl TableRow for ContaminationRow {
    const HAS_SCHEME: bool = false;

    fn columns(_scheme: Scheme) -> Vec<Column> {
        let optional = |name| Column::nullable(name, CellKind::Count);
        let piece = ["start", "end"].map(|name| Column::new(name, CellKind::Count)).to_vec();
        vec![
            Column::new("verdict", CellKind::Text),
            Column::new("item", CellKind::Text),
            Column::new("part", CellKind::Text),
            Column::new("item_tokens", CellKind::Count),
            Column::nullable("document", CellKind::Text),
            optional("start"),
            optional("end"),
            optional("start_byte"),
            optional("end_byte"),
            optional("tokens"),
            Column::nullable("share", CellKind::Measure),
            Column::nullable("answer", CellKind::Flag),
            optional("cuts"),
            Column::list("pieces", CellKind::Group(piece)),
        ]
    }

    fn cells(&self, put: &mut dyn FnMut(&[Cell<'_>])) {
        let piece = |piece: &TextPiece| [Cell::Number(piece.start), Cell::Number(piece.end)];
        let pieces: Vec<[Cell<'_>; 2]> = self.pieces.iter().map(piece).collect();
        let pieces: Vec<Cell<'_>> = pieces.iter().map(|piece| Cell::Group(piece)).collect();
        put(&[
            Cell::Text(self.verdict.name()),
            Cell::Text(self.item.as_str()),
            Cell::Text(self.part.name()),
            Cell::Number(self.item_tokens),
            Cell::text(self.document.as_ref().map(DocumentId::as_str)),
            Cell::number(self.start),
            Cell::number(self.end),
            Cell::number(self.start_byte),
            Cell::number(self.end_byte),
            Cell::number(self.tokens),
            self.share.map_or(Cell::Null, Cell::Measure),
            Cell::flag(self.answer),
            Cell::number(self.cuts),
            Cell::List(&pieces),
        ]);
    }
}
