//! The record of a document as a row of a table.

use nearprint_fingerprint::Scheme;

use super::{Cell, CellKind, Column, TableRow};
use crate::{Capture, DocumentId, FingerprintRecord, Outcome, Place};

/// The columns of a [`Place`].
pub(super) fn place_columns() -> Vec<Column> {
    vec![
        Column::new("file", CellKind::Text),
        Column::nullable("offset", CellKind::Count),
        Column::nullable("length", CellKind::Count),
        Column::nullable("line", CellKind::Count),
        Column::nullable("row", CellKind::Count),
        Column::nullable("record", CellKind::Text),
        Column::nullable("wrapper", CellKind::Text),
        Column::nullable("member", CellKind::Text),
    ]
}

pub(super) fn place_cells(place: &Place) -> [Cell<'_>; 8] {
    let Place { file, member, offset, length, line, row, record, wrapper } = place;
    [
        Cell::Text(file),
        Cell::number(*offset),
        Cell::number(*length),
        Cell::number(*line),
        Cell::number(*row),
        Cell::text(record.as_ref().map(DocumentId::as_str)),
        Cell::text(wrapper.as_deref()),
        Cell::text(member.as_deref()),
    ]
}

/// The columns of a [`Capture`].
fn capture_columns() -> Vec<Column> {
    vec![
        Column::new("url", CellKind::Text),
        Column::nullable("date", CellKind::Text),
        Column::nullable("status", CellKind::Small),
        Column::nullable("mime", CellKind::Text),
        Column::nullable("digest", CellKind::Text),
        Column::nullable("truncated", CellKind::Text),
    ]
}

fn capture_cells(capture: &Capture) -> [Cell<'_>; 6] {
    let Capture { url, date, status, mime, digest, truncated, revisited: _ } = capture;
    [
        Cell::Text(url),
        Cell::text(date.as_deref()),
        Cell::number(*status),
        Cell::text(mime.as_deref()),
        Cell::text(digest.as_deref()),
        Cell::text(truncated.as_deref()),
    ]
}

/// What a fingerprint is as a value: a number where it has 32 or 64 bits, bytes otherwise.
pub(super) fn print_kind(scheme: Scheme) -> CellKind {
    match scheme.bytes() {
        4 => CellKind::Small,
        8 => CellKind::Count,
        bytes => CellKind::Bytes(bytes),
    }
}

/// A test of the record compares the columns with the fields of its line.
impl TableRow for FingerprintRecord {
    fn columns(scheme: Scheme) -> Vec<Column> {
        use CellKind::{Count, Flag, Group, Small, Text};
        let note = vec![Column::new("code", Text), Column::new("detail", Text)];
        vec![
            Column::new("id", Text),
            Column::nullable("fingerprint", Text),
            Column::nullable("print", print_kind(scheme)),
            Column::new("scheme", Text),
            Column::nullable("tokens", Count),
            Column::nullable("short", Flag),
            Column::nullable("reason", Text),
            Column::nullable("detail", Text),
            Column::nullable("media_type", Text),
            Column::list("wrappers", Text),
            Column::nullable("charset", Text),
            Column::nullable("charset_source", Text),
            Column::nullable("extractor", Text),
            Column::nullable("extractor_version", Small),
            Column::nullable("pages", Small),
            Column::nullable("characters", Count),
            Column::nullable("main_content", Text),
            Column::list("warnings", Group(note)),
            Column::nullable("capture", Group(capture_columns())),
            Column::nullable("content_sha256", Text),
            Column::nullable("text_sha256", Text),
            Column::new("place", Group(place_columns())),
        ]
    }

    fn cells(&self, put: &mut dyn FnMut(&[Cell<'_>])) {
        let (string, bytes, number);
        let (fingerprint, print, tokens, short, reason, detail) = match &self.outcome {
            Outcome::Print { fingerprint, tokens, short } => {
                string = fingerprint.to_string();
                number = fingerprint.as_u128().and_then(|number| match self.scheme.bytes() {
                    4 | 8 => u64::try_from(number).ok(),
                    _ => None,
                });
                bytes = if number.is_none() { fingerprint.to_bytes() } else { Vec::new() };
                let print = number.map_or(Cell::Bytes(&bytes), Cell::Number);
                let (tokens, short) = (Cell::Number(*tokens), Cell::Flag(*short));
                (Cell::Text(&string), print, tokens, short, Cell::Null, Cell::Null)
            }
            Outcome::Nothing { reason, detail } => {
                let (reason, detail) = (Cell::Text(reason.as_str()), Cell::Text(detail));
                (Cell::Null, Cell::Null, Cell::Null, Cell::Null, reason, detail)
            }
        };
        let note = self.extraction.as_ref();
        let wrappers: Vec<_> =
            note.iter().flat_map(|note| &note.wrappers).map(|name| Cell::Text(name)).collect();
        let warnings = note.map_or(&[][..], |note| &note.warnings);
        let warnings: Vec<_> = warnings
            .iter()
            .map(|warning| [Cell::Text(&warning.code), Cell::Text(&warning.detail)])
            .collect();
        let warnings: Vec<_> = warnings.iter().map(|warning| Cell::Group(warning)).collect();
        let capture = self.capture.as_deref().map(capture_cells);
        let digests = self.digests.as_deref().copied().unwrap_or_default();
        let [content, in_text] =
            [digests.content, digests.text].map(|digest| digest.map(|digest| digest.to_string()));
        put(&[
            Cell::Text(self.id.as_str()),
            fingerprint,
            print,
            Cell::Text(self.scheme.id()),
            tokens,
            short,
            reason,
            detail,
            Cell::text(note.map(|note| note.media_type.as_str())),
            Cell::List(&wrappers),
            Cell::text(note.and_then(|note| note.charset.as_deref())),
            Cell::text(note.and_then(|note| note.charset_source.as_deref())),
            Cell::text(note.map(|note| note.extractor.as_str())),
            Cell::number(note.map(|note| note.extractor_version)),
            Cell::number(note.and_then(|note| note.pages)),
            Cell::number(note.map(|note| note.characters)),
            Cell::text(note.and_then(|note| note.main_content.as_deref())),
            Cell::List(&warnings),
            capture.as_ref().map_or(Cell::Null, |cells| Cell::Group(cells)),
            Cell::text(content.as_deref()),
            Cell::text(in_text.as_deref()),
            Cell::Group(&place_cells(&self.place)),
        ]);
    }
}
