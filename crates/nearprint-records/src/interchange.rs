//! Collections of fingerprints as files: section 15 of the standard (`spec/INTERCHANGE.md`), read and written as
//! streams.
//!
//! A file has a header, a row for each document, and a trailer with their number and digest, so a reader knows whether
//! the file is whole. It has two forms, lines and JSON lines, with the same trailer. What can be compared, and how
//! well, is [`InterchangeRelation`].

mod form;
mod header;
mod id_text;
mod relation;
mod writer;

use std::fmt;
use std::io::{self, BufRead, Read};

use nearprint_fingerprint::{Fingerprint, Scheme};
use sha2::{Digest, Sha256};

pub use self::form::InterchangeForm;
use self::form::{LineContent, LineParser};
pub use self::header::InterchangeHeader;
pub use self::relation::InterchangeRelation;
pub use self::writer::InterchangeWriter;
use crate::lines::LONGEST_LINE;

/// What begins the first line of a file, in both forms.
const FORMAT: &str = "nearprint-interchange";

/// The version of the format.
const VERSION: u64 = 1;

/// The fingerprint of a document of a collection. [15.5]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterchangeRow {
    /// The fingerprint.
    pub fingerprint: Fingerprint,
    /// Whether the standard calls it short ([7.5]).
    pub short: bool,
    /// The bytes of the document's id; `None` in a file without ids.
    pub id: Option<Box<[u8]>>,
}

impl InterchangeRow {
    /// The row in the form of lines, with its end: what the trailer's digest is of.
    fn line(&self) -> String {
        let short = u8::from(self.short);
        match &self.id {
            Some(id) => format!("{}\t{short}\t{}\n", self.fingerprint, id_text::encode(id)),
            None => format!("{}\t{short}\n", self.fingerprint),
        }
    }
}

/// Why a file is refused. Each variant is a reason of [15.9], in the order in which they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum InterchangeReason {
    /// A line has more than 1,048,576 bytes.
    LineLength,
    /// A line is not UTF-8, has a control character, or is not a JSON object.
    Encoding,
    /// The first line is not that of the format.
    NotInterchange,
    /// The file is of a later version.
    Version,
    /// A line of the header is malformed, or a name occurs twice.
    Header,
    /// A name that begins with `Critical-` is not known.
    Critical,
    /// The scheme is missing or not known, or does not fit the declaration.
    Scheme,
    /// A row is malformed.
    Row,
    /// A row has a fingerprint of another scheme.
    Foreign,
    /// The trailer is malformed, or something follows it.
    Trailer,
    /// The trailer states another number of rows.
    Count,
    /// The trailer states another digest.
    Digest,
    /// The file ends before its trailer.
    Truncated,
}

impl InterchangeReason {
    /// The reason's name in the standard, e.g. `truncated`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LineLength => "line-length",
            Self::Encoding => "encoding",
            Self::NotInterchange => "not-interchange",
            Self::Version => "version",
            Self::Header => "header",
            Self::Critical => "critical",
            Self::Scheme => "scheme",
            Self::Row => "row",
            Self::Foreign => "foreign",
            Self::Trailer => "trailer",
            Self::Count => "count",
            Self::Digest => "digest",
            Self::Truncated => "truncated",
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::LineLength => "the line has more than 1,048,576 bytes",
            Self::Encoding => {
                "the line is not UTF-8 text without control characters, or not a JSON object"
            }
            Self::NotInterchange => {
                "a file of fingerprints begins with \"nearprint-interchange/1\""
            }
            Self::Version => {
                "the file is of a later version of the format; this build reads version 1"
            }
            Self::Header => "the header's line is not \"Name: value\", or its name occurs twice",
            Self::Critical => "the header demands what this build does not know",
            Self::Scheme => {
                "the header names no scheme that this build knows, or another declaration than its own"
            }
            Self::Row => "the row is not a fingerprint, 0 or 1, and an id",
            Self::Foreign => "the fingerprint is of another scheme than the file",
            Self::Trailer => "the trailer is malformed, or is not the end of the file",
            Self::Count => "the trailer states another number of rows: the file is damaged",
            Self::Digest => "the trailer states another digest of the rows: the file is damaged",
            Self::Truncated => "the file ends before its trailer: it is not whole",
        }
    }
}

/// A file that cannot be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum InterchangeError {
    /// The medium failed.
    Io(io::Error),
    /// The file is refused as a whole.
    Refused {
        /// Why.
        reason: InterchangeReason,
        /// The line, counted from 1; of a writer the row.
        line: u64,
    },
}

impl fmt::Display for InterchangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Refused { reason, line } => {
                write!(f, "line {line}: {} ({})", reason.sentence(), reason.as_str())
            }
        }
    }
}

impl std::error::Error for InterchangeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Refused { .. } => None,
        }
    }
}

impl From<io::Error> for InterchangeError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// What a step of reading gives, or why the line is refused.
type Step<T> = Result<T, InterchangeReason>;

/// `Ok` if something holds.
fn check(holds: bool, reason: InterchangeReason) -> Step<()> {
    if holds { Ok(()) } else { Err(reason) }
}

/// Reads a file: its header, then its rows, of which the last is followed by `None` only if the file is whole.
///
/// Memory is bounded by the longest line.
///
/// ```
/// use nearprint_records::{InterchangeForm, InterchangeReader};
///
/// let file = "nearprint-interchange/1\nScheme: sd1\n\nsd1:tohkysuixv3oy\t1\ta.txt\nend\t1\t\
///             8d8d6a8b3d9bdd6d6e0fce3c1d2c1b6c17c0c8ab4f4fbe0a4c1d0a4b0e8bb0a5\n";
/// let mut reader = InterchangeReader::open(file.as_bytes(), InterchangeForm::Lines)?;
/// assert_eq!(reader.scheme().id(), "sd1");
/// let row = reader.next().unwrap()?;
/// assert!(row.short);
/// // The digest is wrong: the file was damaged.
/// assert!(reader.next().unwrap().is_err());
/// # Ok::<(), nearprint_records::InterchangeError>(())
/// ```
#[derive(Debug)]
pub struct InterchangeReader<R> {
    input: R,
    buffer: Vec<u8>,
    line: u64,
    parser: LineParser,
    header: InterchangeHeader,
    scheme: Scheme,
    count: u64,
    short_count: u64,
    digest: Sha256,
    is_done: bool,
}

impl<R: BufRead> InterchangeReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If the input fails, or its header is refused.
    pub fn open(input: R, form: InterchangeForm) -> Result<Self, InterchangeError> {
        let mut reader = Self {
            input,
            buffer: Vec::new(),
            line: 0,
            parser: LineParser::new(form),
            header: InterchangeHeader::default(),
            scheme: Scheme::SD1,
            count: 0,
            short_count: 0,
            digest: Sha256::new(),
            is_done: false,
        };
        loop {
            if let Some((header, scheme)) = reader.step(|reader, text| {
                let line = reader.line;
                let Some(header) = reader.parser.header(text, line)? else { return Ok(None) };
                let scheme = header.scheme_of_rows()?;
                Ok(Some((header, scheme)))
            })? {
                reader.header = header;
                reader.scheme = scheme;
                return Ok(reader);
            }
        }
    }

    /// The next row; `None` after a trailer that fits, which is the end of the file.
    ///
    /// # Errors
    /// If the input fails, or the file is refused.
    pub fn next_row(&mut self) -> Result<Option<InterchangeRow>, InterchangeError> {
        if self.is_done {
            return Ok(None);
        }
        let row = self.step(Self::row_or_trailer)?;
        if row.is_none() {
            self.is_done = true;
            self.end()?;
        }
        Ok(row)
    }

    /// The names and values of the header.
    pub fn header(&self) -> &InterchangeHeader {
        &self.header
    }

    /// The scheme of all rows.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Rows read so far.
    pub fn rows(&self) -> u64 {
        self.count
    }

    /// Short ones among the rows read so far.
    pub fn short_rows(&self) -> u64 {
        self.short_count
    }

    fn row_or_trailer(&mut self, text: &str) -> Step<Option<InterchangeRow>> {
        let row = match self.parser.content(text, &self.header)? {
            LineContent::Trailer { count, sha256 } => {
                check(count == self.count, InterchangeReason::Count)?;
                check(sha256 == hexadecimal(&self.digest), InterchangeReason::Digest)?;
                return Ok(None);
            }
            LineContent::Row(row) => row,
        };
        check(row.fingerprint.scheme() == self.scheme, InterchangeReason::Foreign)?;
        self.count += 1;
        self.short_count += u64::from(row.short);
        self.digest.update(row.line());
        Ok(Some(row))
    }

    /// Takes the next line.
    fn step<T>(
        &mut self,
        take: impl FnOnce(&mut Self, &str) -> Step<T>,
    ) -> Result<T, InterchangeError> {
        let is_whole = self.read_line()?;
        let buffer = std::mem::take(&mut self.buffer);
        let taken = if is_whole {
            text_of(&buffer).and_then(|text| take(self, text))
        } else {
            Err(InterchangeReason::Truncated)
        };
        self.buffer = buffer;
        self.refused(taken)
    }

    /// Nothing may follow the trailer.
    fn end(&mut self) -> Result<(), InterchangeError> {
        let is_whole = self.read_line()?;
        let found = if is_whole {
            text_of(&self.buffer).and(Err(InterchangeReason::Trailer))
        } else {
            check(self.buffer.is_empty(), InterchangeReason::Trailer)
        };
        self.refused(found)
    }

    fn refused<T>(&self, taken: Step<T>) -> Result<T, InterchangeError> {
        taken.map_err(|reason| InterchangeError::Refused { reason, line: self.line })
    }

    /// Reads a line into the buffer, without its end; whether it has one.
    fn read_line(&mut self) -> Result<bool, InterchangeError> {
        self.line += 1;
        self.buffer.clear();
        let longest = LONGEST_LINE as u64;
        self.input.by_ref().take(longest + 2).read_until(b'\n', &mut self.buffer)?;
        let is_whole = self.buffer.pop_if(|last| *last == b'\n').is_some();
        self.refused(check(self.buffer.len() <= LONGEST_LINE, InterchangeReason::LineLength))?;
        Ok(is_whole)
    }
}

impl<R: BufRead> Iterator for InterchangeReader<R> {
    type Item = Result<InterchangeRow, InterchangeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.next_row();
        // Nothing is read after what was refused.
        self.is_done |= row.is_err();
        row.transpose()
    }
}

/// A line as text without control characters. [15.1]
fn text_of(line: &[u8]) -> Step<&str> {
    let text = std::str::from_utf8(line).map_err(|_| InterchangeReason::Encoding)?;
    check(!text.contains(|c: char| c.is_control() && c != '\t'), InterchangeReason::Encoding)?;
    Ok(text)
}

/// A digest in lower-case hexadecimal.
fn hexadecimal(digest: &Sha256) -> String {
    data_encoding::HEXLOWER.encode(&digest.clone().finalize())
}
