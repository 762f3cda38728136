//! Documents that are rows of separated values (CSV, TSV), by RFC 4180.

mod look;
mod row;

pub(crate) use look::{looks_like, missing, separator, sniff};
use row::{ColumnNames, Row, parser};

use crate::expansion::{Cost, Damage, Expansion};
use crate::lines::Lines;
use crate::row::{self as fields_row, Field};
use crate::row_charset::RowCharset;
use crate::{
    Document, ErrorRecord, OrderKey, Place, Position, ReadSettings, ReasonCode, Source, TableFields,
};

/// A file of rows, the first of which names the columns, unless it is said not to.
///
/// A row may reach over lines where a value in quotes does. One with more or fewer values than there are columns is one
/// error record, and so is a value that is not in the table's charset. A quote that is never closed is an error record
/// at the row it is in, and nothing after it can be told.
pub(crate) struct SeparatedValues {
    place: Place,
    lines: Lines<Expansion>,
    parser: csv_core::Reader,
    fields: TableFields,
    no_header: bool,
    columns: Option<Columns>,
    /// The first row, where it is a document and was read for its columns.
    first: Option<(Place, Row)>,
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

impl SeparatedValues {
    pub(crate) fn new(
        place: Place,
        mut stream: Expansion,
        delimiter: u8,
        settings: &ReadSettings,
    ) -> Self {
        let place = Place { wrapper: stream.wrapper().map(Into::into), ..place };
        let ReadSettings { fields, form, max_bytes: longest, .. } = settings;
        let limit = usize::try_from(*longest).unwrap_or(usize::MAX);
        // An error here comes again with the first line.
        let charset = RowCharset::of(stream.peek(4).unwrap_or_default(), form.charset.as_deref());
        Self {
            place,
            lines: Lines::of_at_most(stream, limit).in_charset(charset),
            parser: parser(delimiter),
            fields: fields.clone(),
            no_header: form.no_header,
            columns: None,
            first: None,
            longest: *longest,
            ended: false,
        }
    }

    /// The next row with its place; the place alone where it cannot be had.
    fn row(&mut self) -> Option<(Place, Result<Row, Damage>)> {
        let (before, offset) = self.lines.position();
        let mut place =
            Place { line: Some(before + 1), offset: Some(offset), ..self.place.clone() };
        let (mut row, mut raw) = (Row::default(), Vec::new());
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
            let bytes = line.bytes.filter(|_| length <= self.longest.saturating_add(4));
            let Some(bytes) = bytes else {
                let text = format!("the row has more than {} bytes (max_bytes)", self.longest);
                let damage = Damage { reason: ReasonCode::TOO_LARGE, detail: text };
                return Some((place, Err(damage)));
            };
            let bytes = match line.number {
                1 => bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes),
                _ => bytes,
            };
            let is_blank = bytes.is_empty();
            if line.number == 1 && look::stated(bytes).is_some() {
                let (before, offset) = self.lines.position();
                (place.line, place.offset, length) = (Some(before + 1), Some(offset), 0);
                continue;
            }
            raw.clear();
            raw.extend_from_slice(bytes);
            // As it was: a line end within quotes belongs to the value.
            raw.extend_from_slice(if line.has_cr { b"\r\n" } else { b"\n" });
            if row.read(&mut self.parser, &raw) {
                let text = "a CR ends the row before its line ends; rows end with LF or CR LF";
                let cut = row.is_cut;
                return Some((place, if cut { Err(line_damage(text)) } else { Ok(row) }));
            }
            if row.is_empty() && is_blank {
                // An empty line between rows.
                let (before, offset) = self.lines.position();
                (place.line, place.offset, length) = (Some(before + 1), Some(offset), 0);
            }
        }
    }

    fn columns(&self, row: &Row) -> Result<Columns, Damage> {
        let names = ColumnNames { first: row, no_header: self.no_header };
        let content = names.position(self.fields.content());
        let id = names.position(self.fields.id());
        let order = self.fields.order.as_deref();
        let order = order.map(|name| names.position(name).ok_or(name)).transpose();
        let missing = match (content, id, order) {
            (None, ..) => self.fields.content(),
            (_, None, _) if self.fields.id.is_some() => self.fields.id(),
            (.., Err(name)) => name,
            (Some(content), id, Ok(order)) => {
                return Ok(Columns { count: row.count(), id, content, order });
            }
        };
        let text = format!(
            "there is no column \"{}\" (see the fields id, text, html, order); there are: {}",
            missing.escape_debug(),
            names.shown().join(", ")
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
        if row.count() != columns.count {
            let text = format!(
                "the row has {} values, but there are {} columns",
                row.count(),
                columns.count
            );
            return refused(place, text);
        }
        let field =
            |index| std::str::from_utf8(row.value(index)).map(|text| Field::Text(text.to_owned()));
        let id = columns.id.map_or(Ok(Field::Missing), field);
        let (Ok(id), Ok(content)) = (id, field(columns.content)) else {
            let charset = self.lines.charset();
            let text = format!("the row is not {} ({})", charset.name(), charset.remedy());
            return refused(place, text);
        };
        let order = columns.order.and_then(|index| std::str::from_utf8(row.value(index)).ok());
        let fields = &self.fields;
        let document = fields_row::document(place, id, content, fields.content(), fields.is_html());
        document.map(|document| Document { order: order.and_then(OrderKey::of_text), ..document })
    }
}

fn line_damage(detail: &str) -> Damage {
    Damage { reason: ReasonCode::BAD_LINE, detail: detail.to_owned() }
}

impl SeparatedValues {
    /// Reads the first row, by which the columns are known, where that was not done; an error record where they are not
    /// those wanted.
    fn begin(&mut self) -> Result<(), ErrorRecord> {
        if self.columns.is_some() {
            return Ok(());
        }
        let Some((place, row)) = self.row() else { return Ok(()) };
        let known = row.and_then(|row| Ok((self.columns(&row)?, row)));
        match known {
            Ok((columns, row)) => {
                self.columns = Some(columns);
                self.first = self.no_header.then_some((place, row));
                Ok(())
            }
            Err(Damage { reason, detail }) => {
                self.ended = true;
                Err(ErrorRecord { id: None, place, reason, detail: detail.into() })
            }
        }
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
        let first = self.first.take().map(|(place, row)| (place, Ok(row)));
        let (place, row) = first.or_else(|| self.row())?;
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
            self.first = None;
            self.lines.go_on(line, offset);
        }
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beginning::Beginning;
    use crate::expansion::Raw;
    use crate::{Container, Content, TableForm};

    fn read(text: &[u8], delimiter: u8, fields: &TableFields) -> Vec<Result<String, String>> {
        let stream = Expansion::new(Raw::new(Box::new(std::io::Cursor::new(text.to_vec()))), 300);
        let place = Place { file: "f".into(), ..Place::default() };
        let settings =
            ReadSettings { fields: fields.clone(), max_bytes: 60, ..ReadSettings::default() };
        let mut rows = SeparatedValues::new(place, stream, delimiter, &settings);
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
        let found = read(b"id,text\na,one\rb,two\nc,three\n", b',', &TableFields::default());
        let cut = found[0].as_ref().unwrap_err();
        assert!(cut.starts_with("bad-line f:2: a CR ends the row"), "{found:?}");
        assert_eq!(found[1..], [Ok("c|three|c,three\n".to_owned())]);
    }

    #[test]
    fn a_column_that_is_not_there_is_told_with_those_that_are() {
        let found = read(b"id,body\n1,fog\n", b',', &TableFields::default());
        assert_eq!(found.len(), 1);
        let told = found[0].as_ref().unwrap_err();
        assert!(told.starts_with("bad-file f:1: ") && told.ends_with("id, body"), "{told}");
    }

    #[test]
    fn a_line_that_states_the_separator_is_not_a_row() {
        let found = read(b"sep=;\r\nid;text\r\na;fog\r\n", b';', &TableFields::default());
        assert_eq!(found, [Ok("a|fog|a;fog\r\n".to_owned())]);
    }

    #[test]
    fn one_column_is_a_table_where_the_file_is_called_so() {
        let settings = ReadSettings::default();
        let called = |head: &str| {
            let beginning = Beginning::new(head.into(), true, "csv".to_owned(), None);
            sniff(&beginning, &settings)
        };
        assert_eq!(called("text\nFog, rain\n"), Some(Container::Csv));
        assert_eq!(called("Fog\ntext\n"), None);
    }

    fn beginning(bytes: &[u8]) -> Beginning {
        Beginning::of_head(bytes, &ReadSettings::default())
    }

    #[test]
    fn tables_are_told_by_their_first_line() {
        let settings = ReadSettings::default();
        for (head, expected) in [
            ("id,text\n", Some((Container::Csv, b','))),
            ("\"text\",\"id\"\r\n1,2", Some((Container::Csv, b','))),
            ("id\ttext\n", Some((Container::Tsv, b'\t'))),
            ("id;text;n\n1;Fog, rain;2", Some((Container::Csv, b';'))),
            ("id;\"a,b\";text\n", Some((Container::Csv, b';'))),
            ("id|text\n", Some((Container::Csv, b'|'))),
            ("sep=;\r\nid;text\r\n", Some((Container::Csv, b';'))),
            ("id,text\r1,Fog\r\n", None),
            ("text\nid", None),
            ("Text,id\n", None),
            ("id,text", None),
            ("id,\"text\n", None),
            ("", None),
        ] {
            let found = sniff(&beginning(head.as_bytes()), &settings);
            let separated = found.map(|container| {
                (container, separator(&beginning(head.as_bytes()), container, &settings))
            });
            assert_eq!(separated, expected, "{head}");
        }
    }

    #[test]
    fn tables_without_names_are_told_by_their_rows() {
        let form = TableForm { no_header: true, ..TableForm::default() };
        let fields = TableFields { text: Some("2".to_owned()), ..TableFields::default() };
        let settings = ReadSettings { form, fields, ..ReadSettings::default() };
        for (head, expected) in [
            ("1;Fog, rain, snow\n2;Rain\n", Some((Container::Csv, b';'))),
            ("1\tFog\n2\tRain\n", Some((Container::Tsv, b'\t'))),
            ("1,Fog\n2,Rain, snow\n", None),
            ("Fog\nRain\n", None),
        ] {
            let found = sniff(&beginning(head.as_bytes()), &settings);
            let separated = found.map(|container| {
                (container, separator(&beginning(head.as_bytes()), container, &settings))
            });
            assert_eq!(separated, expected, "{head}");
        }
        let stream =
            Expansion::new(Raw::new(Box::new(std::io::Cursor::new(b"1;Fog\n2;Rain\n"))), 300);
        let mut rows = SeparatedValues::new(Place::default(), stream, b';', &settings);
        let texts = std::iter::from_fn(|| rows.next_document()).map(|found| found.unwrap().content);
        let texts: Vec<_> = texts.map(|content| format!("{content:?}")).collect();
        assert_eq!(texts, ["Text(\"Fog\")", "Text(\"Rain\")"]);
    }
}
