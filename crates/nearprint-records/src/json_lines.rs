//! Documents that are lines of JSON (JSONL, NDJSON).

pub(crate) mod array;
mod look;
mod pick;
mod surrogates;
mod text_cut;

use std::ops::Range;
use std::sync::Arc;

use look::missing_in;
pub(crate) use look::{are_objects, are_rows, missing};
use pick::pick;
pub use text_cut::JsonTextCut;

use crate::expansion::{Cost, Damage, Expansion};
use crate::fields::Pointer;
use crate::lines::Lines;
use crate::row::{self, Field};
use crate::row_charset::RowCharset;
use crate::work::{PER_BYTE, Work};
use crate::{
    BATCH_BYTES, BATCH_DOCUMENTS, Batch, Document, ErrorRecord, Place, Position, ReasonCode,
    Source, TableFields,
};

/// A file of objects, one a line.
///
/// Empty lines are skipped. A line that is not an object, or lacks its text, is one error record, and the next line is
/// read. Damage of the file's compression ends it.
pub(crate) struct JsonLines {
    place: Place,
    lines: Lines<Expansion>,
    wanted: Arc<ObjectFields>,
    longest: u64,
    ended: bool,
}

/// Fields that are looked for in each object.
pub(crate) struct ObjectFields {
    id: Pointer,
    content: Pointer,
    order: Option<Pointer>,
    name: String,
    is_html: bool,
    /// Bytes that may be looked at for each byte of a line.
    work_per_byte: u64,
}

impl ObjectFields {
    pub(crate) fn new(fields: &TableFields) -> Result<Self, crate::BadPointer> {
        Ok(Self {
            id: Pointer::new(fields.id())?,
            content: Pointer::new(fields.content())?,
            order: fields.order.as_deref().map(Pointer::new).transpose()?,
            name: fields.content().to_owned(),
            is_html: fields.is_html(),
            work_per_byte: PER_BYTE,
        })
    }

    /// The same for lines of which as many bytes are looked at for each byte, at most.
    pub(crate) fn with_work(self, work_per_byte: u64) -> Self {
        Self { work_per_byte, ..self }
    }

    /// Id, content and what puts it in order of an object.
    fn pick(&self, line: &[u8], work: &mut Work) -> ([Field; 3], Result<(), serde_json::Error>) {
        let pointers = [Some(&self.id), Some(&self.content), self.order.as_ref()];
        let pointers: Vec<_> = pointers.into_iter().flatten().collect();
        work.count(line.len() as u64);
        let (found, result) = pick(line, &pointers);
        let fields = |found: Vec<Field>| {
            let mut found = found.into_iter();
            std::array::from_fn(|_| found.next().unwrap_or_default())
        };
        // The parser refuses lone surrogates, which a string may hold.
        if result.as_ref().is_err_and(serde_json::Error::is_syntax)
            && let Some(marked) = surrogates::marked(line, work)
        {
            work.count(marked.line.len() as u64);
            let (found, result) = pick(&marked.line, &pointers);
            let [id, content, order]: [Field; 3] = fields(found);
            return ([marked.id(id), marked.text(content), marked.text(order)], result);
        }
        (fields(found), result)
    }
}

impl ObjectFields {
    /// Whether bytes are an object that has the content, or any object where its field `is_named`; of one that is not
    /// whole, as far as it goes.
    pub(crate) fn has_content(&self, bytes: &[u8], is_named: bool, is_whole: bool) -> bool {
        let ([_, content, _], result) = self.pick(bytes, &mut Work::default());
        let has = is_named || content != Field::Missing;
        has && match result {
            Ok(()) => true,
            Err(error) => error.is_eof() && !is_whole,
        }
    }
}

/// Whether the first line of what begins with `head` is an object, and some line of it has the field of the text or
/// that is named.
pub(crate) fn begins(head: &[u8], fields: &TableFields) -> bool {
    let Ok(wanted) = ObjectFields::new(fields) else { return false };
    let is_named = fields.text.is_some() || fields.html.is_some();
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    if !head.trim_ascii_start().starts_with(b"{") {
        return false;
    }
    let end = memchr::memchr(b'\n', head);
    let (first, rest) = head.split_at(end.unwrap_or(head.len()));
    // The head may end within the first line, and the last line may be cut.
    wanted.has_content(first, is_named, end.is_some())
        || (wanted.has_content(first, true, true)
            && rest.split(|&byte| byte == b'\n').any(|line| wanted.has_content(line, false, true)))
}

impl JsonLines {
    pub(crate) fn new(
        place: Place,
        mut stream: Expansion,
        wanted: ObjectFields,
        longest: u64,
    ) -> Self {
        let place = Place { wrapper: stream.wrapper().map(Into::into), ..place };
        let limit = usize::try_from(longest).unwrap_or(usize::MAX);
        // JSON is UTF-8, whatever the charset of other texts; some programs write UTF-16. An error here comes again
        // with the first line.
        let charset = RowCharset::of(stream.peek(4).unwrap_or_default(), None);
        let lines = Lines::of_at_most(stream, limit).in_charset(charset);
        Self { place, lines, wanted: Arc::new(wanted), longest, ended: false }
    }

    /// The next line that is not empty, with its place.
    fn line(&mut self) -> Option<Result<(Place, &[u8]), ErrorRecord>> {
        loop {
            let (before, offset) = self.lines.position();
            if self.ended {
                return None;
            }
            let mut place =
                Place { line: Some(before + 1), offset: Some(offset), ..self.place.clone() };
            let line = match self.lines.next_charged()? {
                Ok(line) => line,
                Err(Damage { reason, detail }) => {
                    self.ended = true;
                    let detail = detail.into();
                    return Some(Err(ErrorRecord { id: None, place, reason, detail }));
                }
            };
            place.length = Some(line.length);
            let Some(bytes) = line.bytes else {
                let text = format!("the line has more than {} bytes (max_bytes)", self.longest);
                let reason = ReasonCode::TOO_LARGE;
                return Some(Err(ErrorRecord { id: None, place, reason, detail: text.into() }));
            };
            // A mark of order may begin the file.
            let bytes = match before {
                0 => bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes),
                _ => bytes,
            };
            let marked = bytes.len();
            if !bytes.iter().all(u8::is_ascii_whitespace) {
                let bytes = self.lines.last();
                return Some(Ok((place, &bytes[bytes.len() - marked..])));
            }
        }
    }
}

/// The document that an object is: of a line, or of what else `what` says.
fn object(
    wanted: &ObjectFields,
    place: Place,
    bytes: &[u8],
    what: &str,
) -> Result<Document, ErrorRecord> {
    let mut work = Work::new(wanted.work_per_byte);
    let ([id, content, order], result) = wanted.pick(bytes, &mut work);
    if let Err(Damage { reason, detail }) = work.check(bytes.len() as u64) {
        return Err(ErrorRecord { id: None, place, reason, detail: detail.into() });
    }
    match result {
        Ok(()) => {
            let document = row::document(place, id, content, &wanted.name, wanted.is_html)?;
            Ok(Document { order: order.order(), ..document })
        }
        Err(error) => Err(ErrorRecord {
            id: None,
            place,
            reason: ReasonCode::BAD_LINE,
            detail: format!("the {what} is not a JSON object: {error}").into(),
        }),
    }
}

impl Source for JsonLines {
    fn next_document(&mut self) -> Option<Result<Document, ErrorRecord>> {
        let wanted = Arc::clone(&self.wanted);
        let (place, bytes) = match self.line()? {
            Ok(line) => line,
            Err(error) => return Some(Err(error)),
        };
        Some(object(&wanted, place, bytes, "line"))
    }

    /// Lines as they are, to be parsed by the thread that processes the document.
    fn next_batch(&mut self) -> Option<Batch> {
        let mut lines: Vec<Result<(Place, Range<usize>), ErrorRecord>> = Vec::new();
        let mut bytes: Vec<u8> = Vec::new();
        while lines.len() < BATCH_DOCUMENTS && (bytes.len() as u64) < BATCH_BYTES {
            let Some(line) = self.line() else { break };
            lines.push(line.map(|(place, line)| {
                let start = bytes.len();
                bytes.extend_from_slice(line);
                (place, start..bytes.len())
            }));
        }
        if lines.is_empty() {
            return None;
        }
        let (wanted, weight) = (Arc::clone(&self.wanted), bytes.len() as u64);
        let parse = move |line: Result<(Place, Range<usize>), ErrorRecord>| {
            line.and_then(|(place, line)| object(&wanted, place, &bytes[line], "line"))
        };
        Some(Batch::later(lines.len(), weight, move || lines.into_iter().map(parse).collect()))
    }

    fn position(&self) -> Option<Position> {
        let (line, offset) = self.lines.position();
        let is_plain = self.place.wrapper.is_none() && !self.ended;
        let Cost { work, .. } = self.lines.cost();
        is_plain.then(|| Position { offset, line, work, ..Position::default() })
    }

    fn go_on(&mut self, position: &Position) -> bool {
        let &Position { offset, line, .. } = position;
        let gone = self.place.wrapper.is_none()
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

    fn read(text: &[u8], fields: &TableFields, longest: u64) -> Vec<Result<String, String>> {
        let stream = Expansion::new(Raw::new(Box::new(std::io::Cursor::new(text.to_vec()))), 300);
        let place = Place { file: "f".into(), ..Place::default() };
        let mut lines = JsonLines::new(place, stream, ObjectFields::new(fields).unwrap(), longest);
        std::iter::from_fn(|| lines.next_document())
            .map(|found| match found {
                Ok(document) => {
                    let (offset, length) =
                        (document.place.offset.unwrap(), document.place.length.unwrap());
                    let content = match document.content {
                        Content::Text(text) => text,
                        other => format!("{other:?}"),
                    };
                    Ok(format!("{} {offset}+{length} {content}", document.id))
                }
                Err(error) => Err(format!("{} {error}", error.reason)),
            })
            .collect()
    }

    #[test]
    fn objects_are_documents_and_bad_lines_are_told() {
        let text = "\u{FEFF}{\"text\":\"one\",\"id\":\"a\"}\n\n{\"id\":7,\"text\":\"two\"}\r\n{\"text\":null}\n[1]\n{\"id\":\"x\"}\n{\"id\":\"a\\tb\",\"text\":\"\"}\n{\"text\":\"cut";
        let found = read(text.as_bytes(), &TableFields::default(), 1000);
        let ok = |text: &str| Ok(text.to_owned());
        assert_eq!(found[0], ok("a 0+27 one"));
        assert_eq!(found[1], ok("7 28+23 two"));
        assert_eq!(found[2], ok("f:4 51+14 "));
        let errors: Vec<&str> =
            found[3..].iter().map(|found| found.as_ref().unwrap_err().as_str()).collect();
        assert!(errors[0].starts_with("bad-line f:5: the line is not a JSON object"), "{errors:?}");
        assert!(errors[1].starts_with("bad-line f:6: there is no field \"text\""), "{errors:?}");
        assert!(errors[2].starts_with("bad-id f:7: "), "{errors:?}");
        assert!(errors[3].starts_with("bad-line f:8: "), "{errors:?}");
        assert_eq!(found.len(), 7);
    }

    #[test]
    fn lone_surrogates_lose_no_row() {
        let lines = r#"{"id":"a","text":"\ud800x"}
{"id":"b\udc00","text":"y","\ud800":1,"other":["\udfff"]}
{"id":"b\udc01","text":"\ud83d\ude00 \ude00"}
{"html":"<p>z\ud800","\udabc":{"\udabc":"\udabc"},"text":"t"}
"#;
        let fields = TableFields::default();
        assert!(begins(lines.as_bytes(), &fields));
        let found = read(lines.as_bytes(), &fields, 1000);
        let places = [(0, 28), (28, 58), (86, 46), (132, 62)];
        let wanted =
            [("a", " x"), (r"b\xed\xb0\x80", "y"), (r"b\xed\xb0\x81", "\u{1F600}  "), ("f:4", "t")];
        for ((row, (id, text)), (offset, length)) in found.into_iter().zip(wanted).zip(places) {
            assert_eq!(row, Ok(format!("{id} {offset}+{length} {text}")));
        }
        // What is wrong beside is wrong all the same.
        let wrong = read(br#"{"id":"\ud800","text":"\q"}"#, &fields, 1000);
        assert!(wrong[0].as_ref().unwrap_err().starts_with("bad-line f:1: "), "{wrong:?}");
    }

    #[test]
    fn long_lines_are_passed_over() {
        let found = read(
            b"{\"text\":\"12345678901234567890\"}\n{\"text\":\"fog\"}\n",
            &TableFields::default(),
            20,
        );
        assert!(found[0].as_ref().unwrap_err().starts_with("too-large f:1: "), "{found:?}");
        assert_eq!(found[1], Ok("f:2 32+15 fog".to_owned()));
    }

    #[test]
    fn html_is_a_document_of_its_own_kind() {
        let fields = TableFields { html: Some("/page/html".to_owned()), ..TableFields::default() };
        let found = read(b"{\"page\":{\"html\":\"<p>x\"}}", &fields, 1000);
        assert!(found[0].as_ref().unwrap().contains("Page(\"<p>x\")"), "{found:?}");
    }

    #[test]
    fn damage_of_the_compression_ends_the_file() {
        use std::io::Write;
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        for number in 0..2000 {
            writeln!(gzip, "{{\"text\":\"fog {number} {}\"}}", number * 7919 % 1000).unwrap();
        }
        let mut bytes = gzip.finish().unwrap();
        let whole = read(&bytes, &TableFields::default(), 1000);
        assert_eq!(whole.iter().filter(|found| found.is_ok()).count(), 2000);
        bytes.truncate(bytes.len() - 6);
        let cut = read(&bytes, &TableFields::default(), 1000);
        assert_eq!(cut[..2000], whole[..]);
        assert!(cut[2000].as_ref().unwrap_err().starts_with("damaged f:2001: "), "{:?}", cut[2000]);
    }

    #[test]
    fn lines_are_told_by_their_first_object() {
        let fields = TableFields::default();
        for (head, expected) in [
            ("{\"text\":\"a\"}\n", true),
            ("{\"id\":1,\"text\":\"a", true),
            ("{\"id\":1,\"text", false),
            ("{\"id\":1}\n{\"text\":\"a\"}", true),
            ("{\"id\":1}\n{\"id\":\"a\"}", false),
            ("{\"id\":1}\n{\"text\":\"a", false),
            ("{\n\"text\":\"a\"}", false),
            ("{\"text\":\"a\"} and more\n", false),
            ("[\"text\"]", false),
            ("text", false),
            ("", false),
        ] {
            assert_eq!(begins(head.as_bytes(), &fields), expected, "{head}");
            let named = TableFields { text: Some("other".to_owned()), ..TableFields::default() };
            let is_object = head.starts_with("{\"") && !head.contains("and more");
            assert_eq!(begins(head.as_bytes(), &named), is_object, "{head}");
        }
    }
}
