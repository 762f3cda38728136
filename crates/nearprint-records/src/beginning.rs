//! The beginning of a file, which shows what the file is, and what is missed in it.

use std::borrow::Cow;
use std::fmt;

use crate::row_charset::RowCharset;
use crate::{Container, ReadSettings, TableFields};

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
    pub(crate) fn new(
        bytes: Vec<u8>,
        is_whole: bool,
        ending: String,
        charset: Option<&str>,
    ) -> Self {
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
