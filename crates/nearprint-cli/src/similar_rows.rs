//! Similar documents on a terminal: the lines of the text format, and after the figures whether one is a duplicate of
//! the other. The lines for programs stay as short as they are; other formats have columns for it.

use std::io::{self, Write};

use nearprint::fingerprint::Scheme;
use nearprint::records::{
    Cell, Column, MatchOfMany, MatchRow, PairRow, Row, TableRow, TextVerdict,
};
use serde::Serialize;

/// A row about two documents whose texts may have been compared.
pub(crate) trait SimilarRow: TableRow {
    fn verdict(&self) -> &TextVerdict;
}

impl SimilarRow for PairRow {
    fn verdict(&self) -> &TextVerdict {
        &self.verdict
    }
}

impl SimilarRow for MatchRow {
    fn verdict(&self) -> &TextVerdict {
        &self.verdict
    }
}

impl SimilarRow for MatchOfMany {
    fn verdict(&self) -> &TextVerdict {
        &self.0.verdict
    }
}

/// A row for people: its first line ends with `yes` for a duplicate, or with why it is none.
#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct RowForPeople<'r, R: Serialize>(pub(crate) &'r R);

impl<R: SimilarRow> Row for RowForPeople<'_, R> {
    const SCHEMA: &'static str = R::SCHEMA;

    const COLUMNS: &'static [&'static str] = R::COLUMNS;

    fn write_cells(&self, line: &mut dyn FnMut(&[&str]) -> io::Result<()>) -> io::Result<()> {
        self.0.write_cells(line)
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let TextVerdict { duplicate, distinct, .. } = self.0.verdict();
        let word = match (duplicate, distinct) {
            (Some(true), _) => "yes",
            (Some(false), Some(why)) => why,
            _ => return self.0.write_text(out),
        };
        let mut lines = Vec::new();
        self.0.write_text(&mut lines)?;
        let end = lines.iter().position(|byte| *byte == b'\n').unwrap_or(lines.len());
        let (first, rest) = lines.split_at(end);
        out.write_all(first)?;
        write!(out, "\t{word}")?;
        out.write_all(rest)
    }
}

impl<R: SimilarRow> TableRow for RowForPeople<'_, R> {
    const HAS_SCHEME: bool = R::HAS_SCHEME;

    fn columns(scheme: Scheme) -> Vec<Column> {
        R::columns(scheme)
    }

    fn cells(&self, put: &mut dyn FnMut(&[Cell<'_>])) {
        self.0.cells(put);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint::records::DocumentId;

    #[test]
    fn the_first_line_says_whether_it_is_a_duplicate() {
        let id = |text: &str| DocumentId::new(text).unwrap();
        let mut row = PairRow::new(id("a"), id("b"), 3, 0.9);
        row.similarity = Some(0.95);
        for (duplicate, distinct, wanted) in [
            (None, None, "a\tb\t3\t0.9500\n"),
            (Some(true), None, "a\tb\t3\t0.9500\tyes\n"),
            (Some(false), Some("contradicts 1 number"), "a\tb\t3\t0.9500\tcontradicts 1 number\n"),
        ] {
            row.verdict.duplicate = duplicate;
            row.verdict.distinct = distinct.map(str::to_owned);
            let mut text = Vec::new();
            RowForPeople(&row).write_text(&mut text).unwrap();
            assert_eq!(String::from_utf8(text).unwrap(), wanted);
        }
    }
}
