//! What a file looks like by its beginning: documents, rows without the fields asked for, or fingerprints.
//!
//! Examined is the first stretch of a file: 64 KiB with its compression undone, more where its first line is longer. A
//! field that is in none of the rows there is treated as missing, and the work is refused before anything is decided.
//! Rows further on that lack it are error records of their own.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use crate::expansion::Compression;
use crate::prints::{is_print_line, looks_like_prints, stated_scheme};
use crate::row_charset::RowCharset;
use crate::{
    Container, ErrorRecord, InputFile, PrintFile, PrintFileError, PrintFormat, ReadSettings,
    ReasonCode, StatedScheme, TableFields, json_lines, separated_values,
};

/// What a file looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Appearance {
    /// One document.
    Document,
    /// Many documents, in which the fields asked for are found where the beginning can tell.
    Container(Container),
    /// Rows, none of which has a field that is asked for.
    MissingField(MissingField),
    /// Fingerprints.
    Prints,
}

/// What the first line of a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstLine {
    /// A fingerprint, with or without an id.
    Print,
    /// A JSON object with the field of the text.
    Row,
    /// Something else, or the file is not read by lines.
    Other,
}

/// A field that no row has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingField {
    /// What the rows are in.
    pub container: Container,
    /// Its name.
    pub field: String,
    /// What it was asked for.
    pub purpose: FieldPurpose,
    /// How many rows were examined; `None` if the names of columns are stated once.
    pub rows: Option<u64>,
    /// The fields there are, in order, [`NAMED`](Self::NAMED) at most, escaped as ids are.
    pub there: Vec<String>,
}

/// What a field is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldPurpose {
    /// The text, or the HTML.
    Content,
    /// The id.
    Id,
    /// What puts documents in order.
    Order,
}

impl MissingField {
    /// Fields that are named, at most.
    pub const NAMED: usize = 20;
}

impl fmt::Display for MissingField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (container, field) = (self.container, self.field.escape_debug());
        match self.rows {
            Some(1) => write!(f, "the first row of these {container} has no field \"{field}\"")?,
            Some(rows) => {
                write!(
                    f,
                    "none of the first {rows} rows of these {container} has a field \"{field}\""
                )?;
            }
            None => write!(f, "this {container} has no column \"{field}\"")?,
        }
        match self.there.len() {
            0 => f.write_str("; there are none"),
            _ => write!(f, "; there are: {}", self.there.join(", ")),
        }
    }
}

/// The fields that are looked for, in the order in which they are refused; the id only where it was named.
pub(crate) fn looked_for(fields: &TableFields) -> Vec<(FieldPurpose, &str)> {
    let mut all = vec![(FieldPurpose::Content, fields.content())];
    all.extend(fields.id.as_deref().map(|name| (FieldPurpose::Id, name)));
    all.extend(fields.order.as_deref().map(|name| (FieldPurpose::Order, name)));
    all
}

/// The beginning of a file, its compression undone.
pub(crate) struct Beginning {
    pub(crate) bytes: Vec<u8>,
    /// The bytes in UTF-8, where they are in another charset as the rows of a table.
    text: Option<Vec<u8>>,
    /// Whether it is the whole file.
    pub(crate) is_whole: bool,
    /// The ending of the file's name, less that of a compression, in small letters.
    pub(crate) ending: String,
}

impl Beginning {
    fn new(bytes: Vec<u8>, is_whole: bool, ending: String, charset: Option<&str>) -> Self {
        let text = match RowCharset::of(&bytes, charset).decoded(&bytes) {
            Cow::Borrowed(_) => None,
            Cow::Owned(text) => Some(text),
        };
        Self { bytes, text, is_whole, ending }
    }

    /// The beginning of a file whose name is not known.
    pub(crate) fn of_head(head: &[u8], settings: &ReadSettings) -> Self {
        Self::new(head.to_vec(), false, String::new(), settings.form.charset.as_deref())
    }

    /// It in UTF-8.
    pub(crate) fn text(&self) -> &[u8] {
        self.text.as_deref().unwrap_or(&self.bytes)
    }

    /// Its lines in UTF-8, less a last one that may be cut.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let bytes = self.text();
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let end = match memchr::memrchr(b'\n', bytes) {
            Some(end) if !self.is_whole => end,
            None if !self.is_whole => 0,
            _ => bytes.len(),
        };
        bytes[..end].split(|&byte| byte == b'\n').take(if end == 0 { 0 } else { usize::MAX })
    }
}

impl InputFile {
    /// What the file looks like, where documents are expected, or where it is said to be a `container`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn appearance(
        &mut self,
        settings: &ReadSettings,
        container: Option<Container>,
    ) -> Result<Appearance, ErrorRecord> {
        let beginning = self.beginning(settings)?;
        let fields = &settings.fields;
        let sniffed = container.or_else(|| Container::of(&beginning, settings));
        let missing = match sniffed {
            Some(Container::JsonLines) => json_lines::missing(&beginning, fields),
            Some(Container::JsonArray) => json_lines::array::missing(&beginning, settings),
            Some(found @ (Container::Csv | Container::Tsv)) => {
                separated_values::missing(&beginning, found, settings)
            }
            Some(_) => None,
            None if looks_like_prints(&beginning) => return Ok(Appearance::Prints),
            None if json_lines::are_rows(&beginning) => json_lines::missing(&beginning, fields),
            None if json_lines::array::are_rows(&beginning) => {
                json_lines::array::missing(&beginning, settings)
            }
            None => separated_values::looks_like(&beginning, settings)
                .and_then(|found| separated_values::missing(&beginning, found, settings)),
        };
        let may_be_prints = container.is_none() && sniffed == Some(Container::JsonLines);
        Ok(match missing {
            Some(_) if may_be_prints && looks_like_prints(&beginning) => Appearance::Prints,
            Some(missing) => Appearance::MissingField(missing),
            None => sniffed.map_or(Appearance::Document, Appearance::Container),
        })
    }

    /// What the file is by its content; `None` if it is one document.
    ///
    /// # Errors
    /// If it cannot be read, or nothing can be seen of what it expands to because a limit is in the way.
    pub fn container(&mut self, settings: &ReadSettings) -> Result<Option<Container>, ErrorRecord> {
        Ok(Container::of(&self.beginning(settings)?, settings))
    }

    /// The field with the text that none of the first rows has, where the file is JSON lines by all it looks like.
    pub fn rows_without_text(&mut self, settings: &ReadSettings) -> Option<MissingField> {
        // Most files are not, and their first byte says so.
        let head = self.peek(1).ok()?;
        if !matches!(head.first(), Some(b'{' | b'\xEF' | b' ' | b'\n' | b'\r' | b'\t'))
            && self.compression().ok()?.is_none()
        {
            return None;
        }
        let beginning = self.beginning(settings).ok()?;
        if !json_lines::are_rows(&beginning) {
            return None;
        }
        let found = json_lines::missing(&beginning, &settings.fields)?;
        (found.purpose == FieldPurpose::Content).then_some(found)
    }

    /// Whether what is expected to be a file of fingerprints in this format looks like none: it has lines, and none of
    /// the first is a fingerprint.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn has_no_prints(&mut self, format: PrintFormat) -> Result<bool, ErrorRecord> {
        let beginning = self.stored_beginning(None)?;
        if crate::print_file::begins(&beginning.bytes) {
            return Ok(false);
        }
        let mut lines = beginning.lines().filter(|line| !line.trim_ascii().is_empty()).peekable();
        if lines.peek().is_none() {
            // Nothing, or one line that is longer than what is examined.
            return Ok(false);
        }
        Ok(!lines.any(|line| is_print_line(line, format, true)))
    }

    /// The scheme that the first fingerprint of a file in nearprint's own format states; `None` where none of the first
    /// lines does.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn stated_scheme(&mut self) -> Result<Option<StatedScheme>, ErrorRecord> {
        let beginning = self.stored_beginning(None)?;
        if crate::print_file::begins(&beginning.bytes) {
            // Anything else that is wrong with it is an error of reading.
            return Ok(match PrintFile::open(&beginning.bytes[..], None) {
                Ok(file) => Some(StatedScheme::Known(file.scheme())),
                Err(PrintFileError::Scheme { found }) => Some(StatedScheme::Unknown(found)),
                Err(_) => None,
            });
        }
        Ok(beginning.lines().find_map(stated_scheme))
    }

    /// What the first line is, of which no more is waited for than its end: so that what comes line by line is answered
    /// line by line.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn first_line(
        &mut self,
        fields: &TableFields,
        prints: Option<PrintFormat>,
    ) -> Result<FirstLine, ErrorRecord> {
        let mut wanted = 1;
        let line = loop {
            let head = self.peek(wanted)?;
            // Empty lines before it are not lines.
            let blank = head.len() - head.trim_ascii_start().len();
            let end = memchr::memchr(b'\n', &head[blank..]);
            if end.is_some() || head.len() < wanted || wanted > super::input_file::LARGE_HEAD {
                break head[blank..blank + end.unwrap_or(head.len() - blank)].to_owned();
            }
            wanted = head.len() + 1;
        };
        Ok(match prints {
            Some(format) if is_print_line(&line, format, true) => FirstLine::Print,
            _ if json_lines::begins(&line, fields) => FirstLine::Row,
            _ => FirstLine::Other,
        })
    }

    pub(crate) fn beginning(&mut self, settings: &ReadSettings) -> Result<Beginning, ErrorRecord> {
        let charset = settings.form.charset.as_deref();
        let Some(compression) = self.compression()? else { return self.stored_beginning(charset) };
        let bytes = self.first_expanded(compression)?;
        Ok(Beginning::new(bytes, false, ending(&self.place().file), charset))
    }

    fn stored_beginning(&mut self, charset: Option<&str>) -> Result<Beginning, ErrorRecord> {
        use super::input_file::{HEAD, LARGE_HEAD};
        let ending = ending(&self.place().file);
        let mut wanted = HEAD;
        let head = self.peek(HEAD)?;
        if head.trim_ascii_start().starts_with(b"{") && memchr::memchr(b'\n', head).is_none() {
            // The first row is long.
            wanted = LARGE_HEAD;
        }
        let head = self.peek(wanted)?;
        let is_whole = head.len() < wanted;
        // More may have been read than was asked for, which depends on how it comes.
        let bytes = head[..head.len().min(wanted)].to_owned();
        Ok(Beginning::new(bytes, is_whole, ending, charset))
    }

    fn peek(&mut self, count: usize) -> Result<&[u8], ErrorRecord> {
        let place = self.place().clone();
        self.peeked(count).map_err(|error| ErrorRecord {
            id: None,
            place,
            reason: ReasonCode::UNREADABLE,
            detail: error.to_string().into(),
        })
    }

    fn compression(&mut self) -> Result<Option<Compression>, ErrorRecord> {
        self.peek(super::input_file::HEAD).map(Compression::sniff)
    }
}

/// The ending of a name, less that of a compression.
fn ending(file: &str) -> String {
    let mut path = Path::new(file);
    let of = |path: &Path| path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if ["gz", "bz2", "xz", "zst"].contains(&&*of(path)) {
        path = Path::new(path.file_stem().unwrap_or_default());
    }
    of(path)
}
