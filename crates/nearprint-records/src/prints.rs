//! Files of fingerprints: fingerprints with the ids of their documents, one a line.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::str::FromStr;

use nearprint_fingerprint::{Fingerprint, Scheme};
use serde::{Deserialize, Serialize};

use crate::beginning::Beginning;
use crate::lines::{LONGEST_LINE, Lines};
use crate::rows::FINGERPRINT_SCHEMA;
use crate::{
    BadRecords, DocumentId, ErrorRecord, ExtractorVersion, InterchangeForm, Place, ReasonCode, Row,
    SHORT_MARK, write_print_line,
};

/// A fingerprint and the document it is of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PrintRecord {
    /// The document.
    pub id: DocumentId,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// The weak bits of the fingerprint, where its line has them: those least certain, the least certain first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weak_bits: Option<[u8; 16]>,
    /// Whether the standard calls the fingerprint short (SPEC [7.5]); `None` where its file does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub short: Option<bool>,
    /// What took the text, where its line says it.
    #[serde(flatten)]
    pub extractor: Option<ExtractorVersion>,
}

impl PrintRecord {
    /// A fingerprint, its document, whether the fingerprint is short, and what took the text.
    #[must_use]
    pub fn new(
        id: DocumentId,
        fingerprint: Fingerprint,
        short: Option<bool>,
        extractor: Option<ExtractorVersion>,
    ) -> Self {
        Self { id, fingerprint, weak_bits: None, short, extractor }
    }
}

impl Row for PrintRecord {
    const SCHEMA: &'static str = FINGERPRINT_SCHEMA;

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        write_print_line(out, &self.fingerprint, &self.id, self.short)
    }
}

/// What stands in the lines of a file of fingerprints. It is always said, never guessed, whether a file holds
/// fingerprints at all and, for numbers without a scheme, which kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PrintFormat {
    /// nearprint's own lines: `FINGERPRINT TAB ID [TAB short]`, or JSON of the schema `nearprint/fingerprint/1`,
    /// distinguished by the brace that a fingerprint never begins with.
    Nearprint,
    /// `DECIMAL TAB ID`: the value as an unsigned number, of the scheme given.
    Decimal(Scheme),
    /// `HEX TAB ID`: the value as hexadecimal digits, of the scheme given.
    Hex(Scheme),
    /// `BASE64 TAB ID`: the bytes in base64 with padding, of the scheme given.
    Base64(Scheme),
}

impl PrintFormat {
    /// Names of the formats, for messages and help.
    pub const NAMES: [&str; 4] = ["nearprint", "decimal", "hex", "base64"];

    /// The format of this name; `scheme` is what its numbers are of.
    ///
    /// # Errors
    /// If there is no such format.
    pub fn named(name: &str, scheme: Scheme) -> Result<Self, UnknownPrintFormat> {
        match name {
            "nearprint" => Ok(Self::Nearprint),
            "decimal" => Ok(Self::Decimal(scheme)),
            "hex" => Ok(Self::Hex(scheme)),
            "base64" => Ok(Self::Base64(scheme)),
            _ => Err(UnknownPrintFormat { name: name.to_owned() }),
        }
    }
}

/// A name that is no [`PrintFormat`]'s.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownPrintFormat {
    name: String,
}

impl fmt::Display for UnknownPrintFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown fingerprint format \"{}\"; use one of {}",
            self.name.escape_debug(),
            PrintFormat::NAMES.join(", ")
        )
    }
}

impl std::error::Error for UnknownPrintFormat {}

/// Reads a file of fingerprints line by line, in bounded memory.
///
/// Lines end with LF or CR LF and have at most 1 MiB; empty lines are skipped. Where a line has no id it is called
/// by its place, `FILE:LINE`. A line that cannot be read is an error record with its place; so is a JSON line whose
/// fingerprint is null, with the reason it states. Reading continues after both.
pub struct PrintReader<R> {
    name: Box<str>,
    lines: Lines<R>,
    format: PrintFormat,
    ended: bool,
    bad: BadRecords,
}

impl<R: BufRead> PrintReader<R> {
    /// A reader of a file that is called `name` in places.
    pub fn new(name: impl Into<Box<str>>, reader: R, format: PrintFormat) -> Self {
        let (lines, bad) = (Lines::new(reader), BadRecords::default());
        Self { name: name.into(), lines, format, ended: false, bad }
    }

    /// The next line that is not empty.
    fn next_line(&mut self) -> Option<Result<PrintRecord, ErrorRecord>> {
        while !self.ended {
            let (number, offset) = self.lines.position();
            let at = |line, offset| Place {
                file: self.name.clone(),
                line: Some(line),
                offset: Some(offset),
                ..Place::default()
            };
            let refused = |place, reason, detail| {
                Some(Err(ErrorRecord { id: None, place, reason, detail: String::into(detail) }))
            };
            let line = match self.lines.next()? {
                Ok(line) => line,
                Err(error) => {
                    self.ended = true;
                    return refused(
                        at(number + 1, offset),
                        ReasonCode::UNREADABLE,
                        error.to_string(),
                    );
                }
            };
            let place = at(line.number, line.offset);
            let Some(bytes) = line.bytes else {
                let detail = format!(
                    "the line has more than {LONGEST_LINE} bytes; this is not a fingerprint file"
                );
                return refused(place, ReasonCode::BAD_LINE, detail);
            };
            let Ok(text) = std::str::from_utf8(bytes) else {
                let detail = "the line is not UTF-8; write such bytes of names as \\xHH".to_owned();
                return refused(place, ReasonCode::BAD_LINE, detail);
            };
            if text.is_empty() {
                continue;
            }
            let called = || format!("{}:{}", self.name, line.number);
            return Some(parse(text, self.format, called).map_err(|refusal| ErrorRecord {
                id: refusal.id,
                place,
                reason: refusal.reason,
                detail: refusal.detail.into(),
            }));
        }
        None
    }
}

impl<R: BufRead> Iterator for PrintReader<R> {
    type Item = Result<PrintRecord, ErrorRecord>;

    /// Beyond [`BadRecords::USUAL_LIMIT`] bad lines are one error record, after the last line.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.next_line() {
                Some(Err(error)) if self.bad.leaves_out(&error, BadRecords::USUAL_LIMIT) => {}
                None => return self.bad.rest(BadRecords::USUAL_LIMIT).map(Err),
                found => return found,
            }
        }
    }
}

/// Lines that must be fingerprints for a file to look like one of fingerprints.
const LINES_OF_PRINTS: usize = 16;

/// Whether a file looks like one of fingerprints where documents are expected: its first lines are all fingerprints, or
/// it is a binary one or one for interchange.
pub(crate) fn looks_like_prints(beginning: &Beginning) -> bool {
    if crate::print_file::begins(&beginning.bytes)
        || InterchangeForm::of_beginning(&beginning.bytes).is_some()
    {
        return true;
    }
    let lines = beginning.lines().filter(|line| !line.trim_ascii().is_empty());
    let mut lines = lines.take(LINES_OF_PRINTS).peekable();
    lines.peek().is_some() && lines.all(|line| is_print_line(line, PrintFormat::Nearprint, false))
}

/// Whether a line is a fingerprint; or says why there is none, as JSON lines do. `generously`, one of an unknown scheme
/// is one, too.
pub(crate) fn is_print_line(line: &[u8], format: PrintFormat, generously: bool) -> bool {
    let Ok(text) = std::str::from_utf8(line) else { return false };
    let text = text.strip_suffix('\r').unwrap_or(text);
    if format == PrintFormat::Nearprint && text.starts_with('{') && !names_print(text) {
        return false;
    }
    match parse(text, format, || "-".to_owned()) {
        Ok(_) => true,
        Err(refusal) if refusal.reason != ReasonCode::BAD_LINE => true,
        Err(_) => generously && format == PrintFormat::Nearprint && has_form_of_print(text),
    }
}

/// Whether a line has the form `SCHEME:DIGITS`, or is an object with the field of a fingerprint.
fn has_form_of_print(text: &str) -> bool {
    if text.starts_with('{') {
        return names_print(text);
    }
    let print = text.split('\t').next().unwrap_or(text);
    print.split_once(':').is_some_and(|(scheme, digits)| {
        let is_id = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        !scheme.is_empty()
            && scheme.bytes().all(is_id)
            && digits.len() >= 4
            && digits.bytes().all(|b| b.is_ascii_lowercase() || (b'2'..=b'7').contains(&b))
    })
}

/// Whether an object may have the field of a fingerprint. Names written with escapes are not written by ours.
fn names_print(text: &str) -> bool {
    text.contains("\"fingerprint\"")
}

/// The scheme that fingerprints state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatedScheme {
    /// One that is known.
    Known(Scheme),
    /// The id of one that is not: of a custom scheme that nobody has declared, or of a later version.
    Unknown(Box<str>),
}

/// The scheme that a line states, where it is a fingerprint in nearprint's own format.
pub(crate) fn stated_scheme(line: &[u8]) -> Option<StatedScheme> {
    let text = std::str::from_utf8(line).ok()?;
    let text = text.strip_suffix('\r').unwrap_or(text);
    if !has_form_of_print(text) {
        return None;
    }
    let in_object = || serde_json::from_str::<StatedPrint>(text).ok()?.fingerprint;
    let print = match text.split('\t').next() {
        Some(print) if !text.starts_with('{') => print.to_owned(),
        _ => in_object()?,
    };
    let id = print.split_once(':')?.0;
    Some(match Scheme::from_str(id) {
        Ok(scheme) => StatedScheme::Known(scheme),
        Err(_) => StatedScheme::Unknown(id.into()),
    })
}

/// What says the scheme of a JSON line.
#[derive(Deserialize)]
struct StatedPrint {
    fingerprint: Option<String>,
}

struct Refusal {
    id: Option<DocumentId>,
    reason: ReasonCode,
    detail: String,
}

impl Refusal {
    fn line(detail: impl fmt::Display) -> Self {
        Self { id: None, reason: ReasonCode::BAD_LINE, detail: detail.to_string() }
    }
}

fn parse(
    text: &str,
    format: PrintFormat,
    called: impl Fn() -> String,
) -> Result<PrintRecord, Refusal> {
    if format == PrintFormat::Nearprint && text.starts_with('{') {
        return parse_json(text);
    }
    let (print, id, short) = match text.split_once('\t') {
        Some((print, rest)) => {
            // An id has no tabs.
            let marked = rest.split_once('\t').filter(|&(_, mark)| mark == SHORT_MARK);
            (print, DocumentId::new(marked.map_or(rest, |(id, _)| id)), Some(marked.is_some()))
        }
        None => (text, DocumentId::new(called()), None),
    };
    let fingerprint = match format {
        PrintFormat::Nearprint => Fingerprint::from_str(print).map_err(Refusal::line),
        PrintFormat::Decimal(scheme) => {
            Fingerprint::from_decimal(scheme, print).map_err(Refusal::line)
        }
        PrintFormat::Hex(scheme) => Fingerprint::from_hex(scheme, print).map_err(Refusal::line),
        PrintFormat::Base64(scheme) => {
            Fingerprint::from_base64(scheme, print).map_err(Refusal::line)
        }
    }?;
    let id = id.map_err(Refusal::line)?;
    // Numbers of other programs say nothing where they have no mark.
    let short = short.filter(|&short| short || format == PrintFormat::Nearprint);
    Ok(PrintRecord::new(id, fingerprint, short, None))
}

/// What is read of a JSON line; it may hold more.
#[derive(Deserialize)]
struct JsonLine {
    schema: Option<String>,
    id: Option<DocumentId>,
    fingerprint: Option<Fingerprint>,
    weak_bits: Option<[u8; 16]>,
    short: Option<bool>,
    extractor: Option<Box<str>>,
    extractor_version: Option<u32>,
    reason: Option<ReasonCode>,
    detail: Option<String>,
}

fn parse_json(text: &str) -> Result<PrintRecord, Refusal> {
    let line: JsonLine = serde_json::from_str(text).map_err(Refusal::line)?;
    if let Some(schema) = line.schema.filter(|schema| schema != FINGERPRINT_SCHEMA) {
        return Err(Refusal::line(format_args!(
            "the schema of the line is \"{}\", not {FINGERPRINT_SCHEMA}",
            schema.escape_debug()
        )));
    }
    let id = line.id.ok_or_else(|| Refusal::line("the object has no id"))?;
    let (name, version) = (line.extractor, line.extractor_version);
    let extractor = name.zip(version).map(|(name, version)| ExtractorVersion { name, version });
    match line.fingerprint {
        Some(fingerprint) => {
            let JsonLine { weak_bits, short, .. } = line;
            Ok(PrintRecord { id, fingerprint, weak_bits, short, extractor })
        }
        None if line.reason.is_none() && !names_print(text) => {
            Err(Refusal::line("the object has no field \"fingerprint\""))
        }
        None => Err(Refusal {
            id: Some(id),
            reason: line.reason.unwrap_or(ReasonCode::NO_TOKENS),
            detail: line.detail.unwrap_or_else(|| "it has no fingerprint".to_owned()),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], format: PrintFormat) -> Vec<Result<(String, String), String>> {
        PrintReader::new("f", text, format)
            .map(|item| match item {
                Ok(record) => Ok((record.id.to_string(), record.fingerprint.to_string())),
                Err(error) => Err(format!("{error} [{}]", error.reason)),
            })
            .collect()
    }

    fn print(id: &str) -> Result<(String, String), String> {
        Ok((id.to_owned(), "sd1:aerukz4jvpg66".to_owned()))
    }

    #[test]
    fn all_forms_are_read() {
        let text = b"sd1:aerukz4jvpg66\ta b\\t\r\n\n{\"schema\":\"nearprint/fingerprint/1\",\"id\":\"j\",\"fingerprint\":\"SD1:aerukz4jvpg66\",\"x\":1}\nsd1:aerukz4jvpg66";
        assert_eq!(read(text, PrintFormat::Nearprint), [print("a b\\t"), print("j"), print("f:4")]);
        let hex = b"0123456789abcdef\th\n";
        assert_eq!(read(hex, PrintFormat::Hex(Scheme::SD1)), [print("h")]);
        let decimal = b"81985529216486895\td\n81985529216486895\n";
        assert_eq!(read(decimal, PrintFormat::Decimal(Scheme::SD1)), [print("d"), print("f:2")]);
    }

    #[test]
    fn the_mark_of_short_fingerprints_is_read() {
        let text = "sd1:aerukz4jvpg66\ta\tshort\nsd1:aerukz4jvpg66\tshort\nsd1:aerukz4jvpg66\n\
            {\"id\":\"j\",\"fingerprint\":\"sd1:aerukz4jvpg66\",\"short\":true}\n\
            {\"id\":\"j\",\"fingerprint\":\"sd1:aerukz4jvpg66\"}";
        let marks = |format, text: &str| -> Vec<(String, Option<bool>)> {
            let records = PrintReader::new("f", text.as_bytes(), format).map(Result::unwrap);
            records.map(|record| (record.id.to_string(), record.short)).collect()
        };
        let read = marks(PrintFormat::Nearprint, text);
        let wanted = [("a", Some(true)), ("short", Some(false)), ("f:3", None), ("j", Some(true))];
        assert_eq!(read[..4], wanted.map(|(id, short)| (id.to_owned(), short)));
        assert_eq!(read[4].1, None);
        let decimal = marks(PrintFormat::Decimal(Scheme::SD1), "5\ta\n6\tb\tshort\n");
        assert_eq!(decimal, [("a".to_owned(), None), ("b".to_owned(), Some(true))]);
    }

    #[test]
    fn bad_lines_are_told_with_place_and_reason_and_reading_goes_on() {
        for (line, part) in [
            (&b"sd1:aerukz4jvpg6\ta"[..], "13"),
            (b"81985529216486895\ta", "sd1:"),
            (b"sd1:aerukz4jvpg66\t", "empty"),
            (b"sd1:aerukz4jvpg66\ta\tb", "U+0009"),
            (b"sd1:aerukz4jvpg66\t\xff", "\\xHH"),
            (b"{\"id\":\"a\"", "EOF"),
            (b"{\"fingerprint\":\"sd1:aerukz4jvpg66\"}", "no id"),
            (b"{\"schema\":\"nearprint/pair/1\",\"a\":\"x\"}", "nearprint/pair/1"),
        ] {
            let mut text = line.to_vec();
            text.extend(b"\nsd1:aerukz4jvpg66\tnext");
            let found = read(&text, PrintFormat::Nearprint);
            let error = found[0].as_ref().unwrap_err();
            assert!(error.starts_with("f:1: ") && error.ends_with("[bad-line]"), "{error}");
            assert!(error.contains(part), "{error}");
            assert_eq!(found[1..], [print("next")]);
        }
    }

    #[test]
    fn lines_without_a_print_keep_their_reason() {
        let text = b"{\"id\":\"scan.pdf\",\"fingerprint\":null,\"reason\":\"no-text\",\"detail\":\"3 pages\"}";
        let found: Vec<_> = PrintReader::new("f", &text[..], PrintFormat::Nearprint).collect();
        let error = found[0].as_ref().unwrap_err();
        assert_eq!(error.id.as_ref().map(DocumentId::as_str), Some("scan.pdf"));
        assert_eq!((error.reason.as_str(), &*error.detail), ("no-text", "3 pages"));
    }

    #[test]
    fn formats_have_names() {
        for name in PrintFormat::NAMES {
            assert!(PrintFormat::named(name, Scheme::SD1).is_ok());
        }
        let error = PrintFormat::named("octal", Scheme::SD1).unwrap_err().to_string();
        assert!(error.contains("octal") && error.contains("decimal"), "{error}");
    }
}
