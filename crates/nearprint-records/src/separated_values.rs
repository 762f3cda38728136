//! Documents that are rows of separated values (CSV, TSV), by RFC 4180.

use csv_core::ReadRecordResult;

use crate::appearance::{Beginning, looked_for, named};
use crate::expansion::{Cost, Damage, Expansion};
use crate::lines::Lines;
use crate::row::{self, Field};
use crate::{
    Container, Document, ErrorRecord, MissingField, OrderKey, Place, Position, ReasonCode, Source,
    TableFields,
};

/// A file of rows, the first of which names the columns.
///
/// A row may reach over lines where a value in quotes does. One with more or fewer values than there are columns is one
/// error record, and so is a value that is not UTF-8. A quote that is never closed is an error record at the row it is
/// in, and nothing after it can be told.
pub(crate) struct SeparatedValues {
    place: Place,
    lines: Lines<Expansion>,
    parser: csv_core::Reader,
    fields: TableFields,
    columns: Option<Columns>,
    longest: u64,
    ended: bool,
}

/// Where the columns are that are looked for.
struct Columns {
    count: usize,
    id: Option<usize>,
    content: usize,
    order: Option<usize>,
}

/// One row: its values one after the other, and where each ends.
#[derive(Default)]
struct Row {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Row {
    fn value(&self, index: usize) -> &[u8] {
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[begin..self.ends[index]]
    }

    fn position(&self, name: &str) -> Option<usize> {
        (0..self.ends.len()).find(|&index| self.value(index) == name.as_bytes())
    }
}

fn parser(delimiter: u8) -> csv_core::Reader {
    csv_core::ReaderBuilder::new().delimiter(delimiter).build()
}

/// Adds a line to a row; whether the row is whole with it.
fn parse(
    parser: &mut csv_core::Reader,
    mut line: &[u8],
    row: &mut Row,
    used: &mut (usize, usize),
) -> bool {
    loop {
        let (bytes, ends) = used;
        let (result, read, written, ended) =
            parser.read_record(line, &mut row.bytes[*bytes..], &mut row.ends[*ends..]);
        line = &line[read..];
        *bytes += written;
        *ends += ended;
        match result {
            ReadRecordResult::OutputFull => {
                let length = row.bytes.len();
                row.bytes.resize((2 * length).max(256), 0);
            }
            ReadRecordResult::OutputEndsFull => {
                let length = row.ends.len();
                row.ends.resize((2 * length).max(16), 0);
            }
            ReadRecordResult::Record => return true,
            ReadRecordResult::InputEmpty | ReadRecordResult::End => return false,
        }
    }
}

/// The separator of a file that begins with `head`, where its first line names the column of the text and another.
pub(crate) fn begins(head: &[u8], fields: &TableFields) -> Option<u8> {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let line = &head[..=memchr::memchr(b'\n', head)?];
    let delimiter = if line.contains(&b'\t') { b'\t' } else { b',' };
    let (mut row, mut used) = (Row::default(), (0, 0));
    let whole = parse(&mut parser(delimiter), line, &mut row, &mut used);
    row.ends.truncate(used.1);
    (whole && used.1 > 1 && row.position(fields.content()).is_some()).then_some(delimiter)
}

/// Letters of a cell that may name a column, at most.
const LONGEST_NAME: usize = 64;
/// Rows that must have as many values as the first.
const ROWS_OF_TABLE: usize = 20;

/// What a file looks like that has no column of the text: separated values by the ending of its name, or by its rows,
/// where the first has names only and at least two more have as many values.
pub(crate) fn looks_like(beginning: &Beginning) -> Option<Container> {
    let rows = |delimiter| Rows { lines: beginning.lines(), parser: parser(delimiter) };
    let of = |delimiter, container, ending: &str| {
        let mut rows = rows(delimiter);
        let header = rows.next().filter(|header| header.ends.len() > 1)?;
        let is_called_so = beginning.ending == ending;
        let is_named = (0..header.ends.len()).all(|index| is_name(header.value(index)));
        let is_even = |row: &Row| row.ends.len() == header.ends.len();
        let mut rows = rows.take(ROWS_OF_TABLE).peekable();
        let is_table = is_called_so
            || (is_named && rows.peek().is_some() && {
                let (mut count, mut even) = (0, true);
                rows.for_each(|row| (count, even) = (count + 1, even && is_even(&row)));
                even && count >= 2
            });
        is_table.then_some(container)
    };
    of(b'\t', Container::Tsv, "tsv").or_else(|| of(b',', Container::Csv, "csv"))
}

/// Whether a value may name a column: a short word.
fn is_name(value: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.:/#$@".contains(byte);
    value.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
        && value.len() <= LONGEST_NAME
        && value.iter().all(is_letter)
}

/// A field that none of the columns is.
pub(crate) fn missing(
    beginning: &Beginning,
    container: Container,
    fields: &TableFields,
) -> Option<MissingField> {
    let delimiter = if container == Container::Tsv { b'\t' } else { b',' };
    let header = Rows { lines: beginning.lines(), parser: parser(delimiter) }.next()?;
    let wanted = looked_for(fields);
    let (purpose, field) = wanted.into_iter().find(|(_, name)| header.position(name).is_none())?;
    let there = named((0..header.ends.len()).map(|index| header.value(index)));
    Some(MissingField { container, field: field.to_owned(), purpose, rows: None, there })
}

/// The rows of lines at hand; the last one may be missing where it is cut.
struct Rows<L> {
    lines: L,
    parser: csv_core::Reader,
}

impl<'l, L: Iterator<Item = &'l [u8]>> Iterator for Rows<L> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let (mut row, mut used) = (Row::default(), (0, 0));
        self.parser.reset();
        loop {
            let line = [self.lines.next()?, b"\n"].concat();
            if parse(&mut self.parser, &line, &mut row, &mut used) {
                row.bytes.truncate(used.0);
                row.ends.truncate(used.1);
                return Some(row);
            }
        }
    }
}

impl SeparatedValues {
    pub(crate) fn new(
        place: Place,
        stream: Expansion,
        delimiter: u8,
        fields: TableFields,
        longest: u64,
    ) -> Self {
        let place = Place { wrapper: stream.wrapper().map(Into::into), ..place };
        let limit = usize::try_from(longest).unwrap_or(usize::MAX);
        let lines = Lines::of_at_most(stream, limit);
        let parser = parser(delimiter);
        Self { place, lines, parser, fields, columns: None, longest, ended: false }
    }

    /// The next row with its place; the place alone where it cannot be had.
    fn row(&mut self) -> Option<(Place, Result<Row, Damage>)> {
        let (before, offset) = self.lines.position();
        let mut place =
            Place { line: Some(before + 1), offset: Some(offset), ..self.place.clone() };
        let (mut row, mut used, mut raw) = (Row::default(), (0, 0), Vec::new());
        let mut length = 0;
        self.parser.reset();
        loop {
            let line = match self.lines.next_charged() {
                Some(Ok(line)) => line,
                Some(Err(damage)) => {
                    self.ended = true;
                    return Some((place, Err(damage)));
                }
                None if length == 0 => return None,
                None => {
                    self.ended = true;
                    let text = "a quoted value that begins in this row does not end";
                    return Some((place, Err(line_damage(text))));
                }
            };
            length += line.length;
            place.length = Some(length);
            let bytes = line.bytes.filter(|_| length <= self.longest.saturating_add(2));
            let Some(bytes) = bytes else {
                let text = format!("the row has more than {} bytes (max_bytes)", self.longest);
                let damage = Damage { reason: ReasonCode::TOO_LARGE, detail: text };
                return Some((place, Err(damage)));
            };
            let bytes = match line.number {
                1 => bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes),
                _ => bytes,
            };
            raw.clear();
            raw.extend_from_slice(bytes);
            // As it was: a line end within quotes belongs to the value.
            raw.extend_from_slice(if line.length > bytes.len() as u64 + 1 {
                b"\r\n"
            } else {
                b"\n"
            });
            if parse(&mut self.parser, &raw, &mut row, &mut used) {
                row.bytes.truncate(used.0);
                row.ends.truncate(used.1);
                return Some((place, Ok(row)));
            }
            if used == (0, 0) && bytes.is_empty() {
                // An empty line between rows.
                let (before, offset) = self.lines.position();
                (place.line, place.offset, length) = (Some(before + 1), Some(offset), 0);
            }
        }
    }

    fn columns(&self, row: &Row) -> Result<Columns, Damage> {
        let content = row.position(self.fields.content());
        let id = row.position(self.fields.id());
        let order = self.fields.order.as_deref();
        let order = order.map(|name| row.position(name).ok_or(name)).transpose();
        let missing = match (content, id, order) {
            (None, ..) => self.fields.content(),
            (_, None, _) if self.fields.id.is_some() => self.fields.id(),
            (.., Err(name)) => name,
            (Some(content), id, Ok(order)) => {
                return Ok(Columns { count: row.ends.len(), id, content, order });
            }
        };
        let names: Vec<String> =
            (0..row.ends.len()).take(20).map(|index| crate::escape(row.value(index))).collect();
        let text = format!(
            "there is no column \"{}\" (see the fields id, text, html, order); there are: {}",
            missing.escape_debug(),
            names.join(", ")
        );
        Err(Damage { reason: ReasonCode::BAD_FILE, detail: text })
    }

    fn document(
        &self,
        place: Place,
        row: &Row,
        columns: &Columns,
    ) -> Result<Document, ErrorRecord> {
        let refused = |place, detail: String| {
            Err(ErrorRecord {
                id: None,
                place,
                reason: ReasonCode::BAD_LINE,
                detail: detail.into(),
            })
        };
        if row.ends.len() != columns.count {
            let text = format!(
                "the row has {} values, but there are {} columns",
                row.ends.len(),
                columns.count
            );
            return refused(place, text);
        }
        let field =
            |index| std::str::from_utf8(row.value(index)).map(|text| Field::Text(text.to_owned()));
        let id = columns.id.map_or(Ok(Field::Missing), field);
        let (Ok(id), Ok(content)) = (id, field(columns.content)) else {
            return refused(place, "the row is not UTF-8".to_owned());
        };
        let order = columns.order.and_then(|index| std::str::from_utf8(row.value(index)).ok());
        let fields = &self.fields;
        let document = row::document(place, id, content, fields.content(), fields.is_html());
        document.map(|document| Document { order: order.and_then(OrderKey::of_text), ..document })
    }
}

fn line_damage(detail: &str) -> Damage {
    Damage { reason: ReasonCode::BAD_LINE, detail: detail.to_owned() }
}

impl SeparatedValues {
    /// Reads the first row, which names the columns, where that was not done; an error record where they are not those
    /// wanted.
    fn begin(&mut self) -> Result<(), ErrorRecord> {
        if self.columns.is_some() {
            return Ok(());
        }
        let Some((place, row)) = self.row() else { return Ok(()) };
        match row.and_then(|row| self.columns(&row)) {
            Ok(columns) => self.columns = Some(columns),
            Err(Damage { reason, detail }) => {
                self.ended = true;
                return Err(ErrorRecord { id: None, place, reason, detail: detail.into() });
            }
        }
        Ok(())
    }
}

impl Source for SeparatedValues {
    fn next_document(&mut self) -> Option<Result<Document, ErrorRecord>> {
        if self.ended {
            return None;
        }
        if let Err(error) = self.begin() {
            return Some(Err(error));
        }
        let (place, row) = self.row()?;
        Some(match row {
            Ok(row) => self.document(place, &row, self.columns.as_ref()?),
            Err(Damage { reason, detail }) => {
                Err(ErrorRecord { id: None, place, reason, detail: detail.into() })
            }
        })
    }

    fn position(&self) -> Option<Position> {
        let (line, offset) = self.lines.position();
        // Before the first row is read nobody knows the columns.
        let stands = self.place.wrapper.is_none() && self.columns.is_some() && !self.ended;
        let Cost { work, .. } = self.lines.cost();
        stands.then(|| Position { offset, line, work, ..Position::default() })
    }

    fn go_on(&mut self, position: &Position) -> bool {
        let &Position { offset, line, .. } = position;
        let gone = self.place.wrapper.is_none()
            && self.begin().is_ok()
            && self.lines.reader().go_on((offset, offset), Cost { reread: 0, work: position.work });
        if gone {
            self.lines.go_on(line, offset);
        }
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Content;
    use crate::expansion::Raw;

    fn read(text: &[u8], delimiter: u8, fields: &TableFields) -> Vec<Result<String, String>> {
        let stream = Expansion::new(Raw::new(Box::new(std::io::Cursor::new(text.to_vec()))), 300);
        let place = Place { file: "f".into(), ..Place::default() };
        let mut rows = SeparatedValues::new(place, stream, delimiter, fields.clone(), 60);
        std::iter::from_fn(|| rows.next_document())
            .map(|found| match found {
                Ok(document) => {
                    let begin = document.place.offset.unwrap() as usize;
                    let end = begin + document.place.length.unwrap() as usize;
                    let Content::Text(content) = document.content else { panic!("no text") };
                    let raw = String::from_utf8_lossy(&text[begin..end]);
                    Ok(format!("{}|{content}|{raw}", document.id))
                }
                Err(error) => Err(format!("{} {error}", error.reason)),
            })
            .collect()
    }

    #[test]
    fn rows_are_documents_with_their_very_bytes() {
        let text = b"\xEF\xBB\xBFid,x,text\r\na,1,fog\r\n\r\nb,\"2,\",\"two\r\nlines \"\"q\"\"\"\r\n,3,5\" pipe\nlast,4,end";
        let found = read(text, b',', &TableFields::default());
        let expected = [
            "a|fog|a,1,fog\r\n",
            "b|two\r\nlines \"q\"|b,\"2,\",\"two\r\nlines \"\"q\"\"\"\r\n",
            "f:6|5\" pipe|,3,5\" pipe\n",
            "last|end|last,4,end",
        ];
        assert_eq!(found, expected.map(|text| Ok(text.to_owned())));
    }

    #[test]
    fn tabs_separate_too() {
        let fields = TableFields {
            id: Some("url".into()),
            text: Some("body".into()),
            ..TableFields::default()
        };
        let found = read(b"body\turl\nfog, and more\tu\n", b'\t', &fields);
        assert_eq!(found, [Ok("u|fog, and more|fog, and more\tu\n".to_owned())]);
    }

    #[test]
    fn bad_rows_are_told_and_reading_goes_on() {
        let long = "x".repeat(70);
        let text =
            [b"id,text\na\nb,\xFF\nc,", long.as_bytes(), b"\nd,ok\ne,\"open\nf,g\n"].concat();
        let found = read(&text, b',', &TableFields::default());
        let told = |index: usize| found[index].as_ref().unwrap_err().as_str();
        assert!(told(0).starts_with("bad-line f:2: the row has 1 values"), "{found:?}");
        assert!(told(1).starts_with("bad-line f:3: the row is not UTF-8"), "{found:?}");
        assert!(told(2).starts_with("too-large f:4: "), "{found:?}");
        assert_eq!(found[3], Ok("d|ok|d,ok\n".to_owned()));
        assert!(told(4).starts_with("bad-line f:6: a quoted value"), "{found:?}");
        assert_eq!(found.len(), 5);
    }

    #[test]
    fn a_column_that_is_not_there_is_told_with_those_that_are() {
        let found = read(b"id,body\n1,fog\n", b',', &TableFields::default());
        assert_eq!(found.len(), 1);
        let told = found[0].as_ref().unwrap_err();
        assert!(told.starts_with("bad-file f:1: ") && told.ends_with("id, body"), "{told}");
    }

    #[test]
    fn tables_are_told_by_their_first_line() {
        let fields = TableFields::default();
        for (head, expected) in [
            ("id,text\n", Some(b',')),
            ("\"text\",\"id\"\r\n1,2", Some(b',')),
            ("id\ttext\n", Some(b'\t')),
            ("text\nid", None),
            ("Text,id\n", None),
            ("id,text", None),
            ("id,\"text\n", None),
            ("", None),
        ] {
            assert_eq!(begins(head.as_bytes(), &fields), expected, "{head}");
        }
    }
}
