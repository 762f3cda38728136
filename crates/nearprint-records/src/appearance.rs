//! What a file looks like by its beginning: documents, rows without the fields asked for, or fingerprints.
//!
//! Examined is the first stretch of a file: 64 KiB with its compression undone, more where its first line is longer. A
//! field that is in none of the rows there is treated as missing, and the work is refused before anything is decided.
//! Rows further on that lack it are error records of their own.

use std::path::Path;

use crate::beginning::Beginning;
use crate::expansion::Compression;
use crate::input_file::mbox;
use crate::prints::{is_print_line, looks_like_prints, stated_scheme};
use crate::wacz;
use crate::{
    Container, ErrorRecord, FieldPurpose, InputFile, InterchangeForm, InterchangeReader,
    MissingField, PrintFile, PrintFileError, PrintFormat, ReadSettings, ReasonCode, StatedScheme,
    TableFields, UnreadRows, archive, json_lines, separated_values,
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
    /// Rows in a form that is not read.
    UnreadRows(UnreadRows),
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

impl Container {
    /// What a file is that begins with these bytes, any compression undone; `None` if it is one document.
    ///
    /// Archives, Parquet, Arrow and mailboxes have marks of their own. JSON and separated values are detected from the
    /// fields that are looked for: the first object, or the first line, must have the one with the text. Of the first
    /// line of separated values one more column is asked for, so that a text whose first word is `text` stays one.
    ///
    /// ```
    /// use nearprint_records::{Container, ReadSettings};
    ///
    /// let settings = ReadSettings::default();
    /// assert_eq!(Container::sniff(b"WARC/1.0\r\n", &settings), Some(Container::Warc));
    /// assert_eq!(Container::sniff(b"id;text\n1;Fog\n", &settings), Some(Container::Csv));
    /// assert_eq!(Container::sniff(b"text\nFog came in.\n", &settings), None);
    /// ```
    #[must_use]
    pub fn sniff(head: &[u8], settings: &ReadSettings) -> Option<Self> {
        Self::of(&Beginning::of_head(head, settings), settings)
    }

    /// What a file is by its beginning.
    pub(crate) fn of(beginning: &Beginning, settings: &ReadSettings) -> Option<Self> {
        let head = &beginning.bytes[..];
        if let Some(archive) = archive::sniff(head) {
            Some(archive)
        } else if wacz::begins(beginning) {
            Some(Self::Wacz)
        } else if head.starts_with(b"PAR1") || head.starts_with(b"PARE") {
            // The second is Parquet whose footer is encrypted, which its reader refuses by that name.
            Some(Self::Parquet)
        } else if head.starts_with(b"ARROW1\0\0") || begins_arrow_stream(head) {
            Some(Self::Arrow)
        } else if json_lines::begins(beginning.text(), &settings.fields) {
            Some(Self::JsonLines)
        } else if json_lines::array::begins(beginning, settings) {
            Some(Self::JsonArray)
        } else if mbox::begins(beginning) {
            Some(Self::Mbox)
        } else {
            separated_values::sniff(beginning, settings)
        }
    }
}

/// Whether a stream of Arrow begins: the mark of a message, then the length of a small schema in little-endian.
fn begins_arrow_stream(head: &[u8]) -> bool {
    matches!(head, [0xFF, 0xFF, 0xFF, 0xFF, low, _, _, 0, ..] if *low % 8 == 0)
}

impl Appearance {
    /// What is not a container and yet not one document: rows that lack a field, or are in a form that is not read.
    fn of_refused(beginning: &Beginning, settings: &ReadSettings) -> Option<Self> {
        let missing = if json_lines::are_rows(beginning) {
            json_lines::missing(beginning, &settings.fields)
        } else if json_lines::array::are_rows(beginning) {
            json_lines::array::missing(beginning, settings)
        } else if let Some(rows) = UnreadRows::of(beginning, settings) {
            return Some(Self::UnreadRows(rows));
        } else {
            separated_values::looks_like(beginning, settings)
                .and_then(|found| separated_values::missing(beginning, found, settings))
        };
        missing.map(Self::MissingField)
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
            None => {
                let refused = Appearance::of_refused(&beginning, settings);
                return Ok(refused.unwrap_or(Appearance::Document));
            }
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

    /// Why a file that is not a container is not one document, either: it is rows by all it looks like, which have no
    /// field with the text, or are in a form that is not read. Text that only looks like a table by its lines may be
    /// anything: that is one document unless its name says table.
    pub fn refused_rows(&mut self, settings: &ReadSettings) -> Option<String> {
        let beginning = self.beginning(settings).ok()?;
        let is_json = matches!(beginning.text().trim_ascii_start(), [b'{' | b'[', ..]);
        let is_rows = is_json || matches!(&*beginning.ending, "csv" | "tsv");
        match Appearance::of_refused(&beginning, settings)? {
            Appearance::MissingField(missing)
                if is_rows && missing.purpose == FieldPurpose::Content =>
            {
                Some(missing.to_string())
            }
            Appearance::UnreadRows(rows) => Some(rows.to_string()),
            _ => None,
        }
    }

    /// Whether what is expected to be a file of fingerprints in this format looks like none: it has lines, and none of
    /// the first is a fingerprint.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn has_no_prints(&mut self, format: PrintFormat) -> Result<bool, ErrorRecord> {
        let beginning = self.stored_beginning(None)?;
        if crate::print_file::begins(&beginning.bytes)
            || InterchangeForm::of_beginning(&beginning.bytes).is_some()
        {
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
        if let Some(form) = InterchangeForm::of_beginning(&beginning.bytes) {
            let opened = InterchangeReader::open(&beginning.bytes[..], form);
            return Ok(opened.ok().map(|file| StatedScheme::Known(file.scheme())));
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
