//! Ids of documents, and the rule that escapes characters which cannot be in a line.
//!
//! Every format of this crate has one row per line, with columns separated by tabs. File names may contain both, and
//! bytes that are not UTF-8. So an id is text without these, and paths are converted to ids by one reversible rule,
//! which is the same in every format.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

/// The longest id, in bytes of UTF-8 (inclusive): 4 KiB, the longest path Linux opens.
pub const LONGEST_ID: usize = 4096;

/// The id of a document: opaque text of 1 to 4,096 bytes without control characters.
///
/// Ids that come with their documents (in a fingerprint file, in a record of an archive) are used unchanged. An id made
/// from a path is the path's bytes, escaped:
///
/// - a backslash is written `\\`, a tab `\t`, a line feed `\n`, a carriage return `\r`;
/// - every byte of any other control character (U+0000 to U+001F, U+007F to U+009F), of the line separators U+2028
///   and U+2029, and every byte that is not part of valid UTF-8, is written `\x` and two lower-case hexadecimal
///   digits;
/// - everything else is unchanged.
///
/// The rule is reversible: [`to_path`](Self::to_path) restores the same bytes. Ids need not be unique.
///
/// ```
/// use nearprint_records::DocumentId;
/// use std::path::Path;
///
/// let id = DocumentId::from_path(Path::new("notes/two\twords.txt"))?;
/// assert_eq!(id.as_str(), r"notes/two\twords.txt");
/// assert_eq!(id.to_path().as_deref(), Some(Path::new("notes/two\twords.txt")));
/// # Ok::<(), nearprint_records::BadId>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentId(Box<str>);

impl DocumentId {
    /// Makes an id from text, unchanged.
    ///
    /// # Errors
    /// If it is empty, longer than [`LONGEST_ID`], or holds a control character or line separator.
    pub fn new(id: impl Into<Box<str>>) -> Result<Self, BadId> {
        let id = id.into();
        if id.is_empty() {
            return Err(BadId::Empty);
        }
        if id.len() > LONGEST_ID {
            return Err(BadId::TooLong { bytes: id.len() });
        }
        match id.chars().find(|&c| breaks_lines(c)) {
            Some(character) => Err(BadId::Control { character }),
            None => Ok(Self(id)),
        }
    }

    /// Makes an id from a path, by the rule above.
    ///
    /// # Errors
    /// If the path is empty or its id longer than [`LONGEST_ID`].
    pub fn from_path(path: &Path) -> Result<Self, BadId> {
        Self::new(escape(path_bytes(path).as_ref()))
    }

    /// The beginning of `escaped`, as much as fits, for something without its own id.
    pub(crate) fn cut(escaped: &str) -> Self {
        let end = escaped.floor_char_boundary(LONGEST_ID);
        Self(if end == 0 { "?".into() } else { escaped[..end].into() })
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The bytes of the path this id was made from; of an id that no path gives, its own.
    #[must_use]
    pub fn to_bytes(&self) -> Box<[u8]> {
        unescape(&self.0).unwrap_or_else(|| self.0.as_bytes().to_vec()).into_boxed_slice()
    }

    /// The path this id was made from; `None` if no path gives this id.
    #[must_use]
    pub fn to_path(&self) -> Option<PathBuf> {
        unescape(&self.0).and_then(bytes_path)
    }
}

impl fmt::Display for DocumentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl From<DocumentId> for String {
    fn from(id: DocumentId) -> Self {
        id.0.into()
    }
}

impl TryFrom<String> for DocumentId {
    type Error = BadId;

    fn try_from(id: String) -> Result<Self, BadId> {
        Self::new(id)
    }
}

/// Why something cannot be an id.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadId {
    /// There is nothing.
    Empty,
    /// It is too long.
    TooLong {
        /// Its length in bytes, escapes included.
        bytes: usize,
    },
    /// It holds a character that ends lines or columns.
    Control {
        /// The first such character.
        character: char,
    },
}

impl fmt::Display for BadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the id is empty; every document needs an id"),
            Self::TooLong { bytes } => {
                write!(f, "the id has {bytes} bytes, but the limit is {LONGEST_ID}")
            }
            Self::Control { character } => write!(
                f,
                "the id contains the control character U+{:04X}; write it as `{}`",
                u32::from(*character),
                escape(character.encode_utf8(&mut [0; 4]).as_bytes())
            ),
        }
    }
}

impl std::error::Error for BadId {}

/// Bytes as one line of text, by the rule of [`DocumentId`], without its bounds on length.
#[must_use]
pub fn escape(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\\' => out.push_str("\\\\"),
                '\t' => out.push_str("\\t"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                c if breaks_lines(c) => push_hex(&mut out, c.encode_utf8(&mut [0; 4]).as_bytes()),
                c => out.push(c),
            }
        }
        push_hex(&mut out, chunk.invalid());
    }
    out
}

/// The bytes that [`escape`] wrote as `text`; `None` if it never writes that.
#[must_use]
pub fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        if first != b'\\' {
            bytes.push(first);
            continue;
        }
        let (&kind, tail) = rest.split_first()?;
        rest = tail;
        bytes.push(match kind {
            b'\\' => b'\\',
            b't' => b'\t',
            b'n' => b'\n',
            b'r' => b'\r',
            b'x' => {
                let (digits, tail) = rest.split_at_checked(2)?;
                rest = tail;
                u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?
            }
            _ => return None,
        });
    }
    // One way of writing each name: what escape would have written otherwise is not an id.
    (escape(&bytes) == text).then_some(bytes)
}

/// Whether a character may end a line or a column for somebody who reads the output.
pub(crate) fn breaks_lines(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

fn push_hex(out: &mut String, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for &byte in bytes {
        out.push_str("\\x");
        out.push(char::from(DIGITS[usize::from(byte >> 4)]));
        out.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
}

/// The bytes of a path: its own on Unix, elsewhere its text with what is no Unicode replaced.
pub(crate) fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Cow::Borrowed(path.as_os_str().as_bytes())
    }
    #[cfg(not(unix))]
    match path.to_string_lossy() {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// The path of these bytes, where the system has such a path.
pub(crate) fn bytes_path(bytes: Vec<u8>) -> Option<PathBuf> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        Some(std::ffi::OsString::from_vec(bytes).into())
    }
    #[cfg(not(unix))]
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_written_by_the_rule() {
        for (bytes, text) in [
            (&b"plain.txt"[..], "plain.txt"),
            ("köln/数.txt".as_bytes(), "köln/数.txt"),
            (b"a b", "a b"),
            (b"a\tb\nc\rd", r"a\tb\nc\rd"),
            (br"back\slash", r"back\\slash"),
            (br"back\x41", r"back\\x41"),
            (b"\x00\x1b\x7f", r"\x00\x1b\x7f"),
            ("\u{85}\u{2028}".as_bytes(), r"\xc2\x85\xe2\x80\xa8"),
            (b"latin\xe9.txt", r"latin\xe9.txt"),
            (b"cut\xe6\x95", r"cut\xe6\x95"),
        ] {
            assert_eq!(escape(bytes), text);
            assert_eq!(unescape(text).as_deref(), Some(bytes));
        }
    }

    #[test]
    fn what_no_name_gives_is_not_read() {
        for text in
            [r"\", r"\q", r"\x", r"\x4", r"\xE9", r"\x41", r"\x09", "\t", r"\x+1", r"\xc3\xa9"]
        {
            assert_eq!(unescape(text), None, "{text:?}");
        }
    }

    #[test]
    fn ids_have_bounds() {
        assert_eq!(DocumentId::new(""), Err(BadId::Empty));
        assert!(DocumentId::new("x".repeat(LONGEST_ID)).is_ok());
        let error = DocumentId::new("x".repeat(LONGEST_ID + 1)).unwrap_err();
        assert!(
            error.to_string().contains("4097") && error.to_string().contains("4096"),
            "{error}"
        );
        let error = DocumentId::new("a\tb").unwrap_err();
        assert!(
            error.to_string().contains("U+0009") && error.to_string().contains(r"`\t`"),
            "{error}"
        );
        assert!(BadId::Empty.to_string().contains("needs an id"));
    }

    proptest! {
        #[test]
        fn escaping_is_reversible_and_leaves_one_line(bytes: Vec<u8>) {
            let text = escape(&bytes);
            prop_assert!(!text.chars().any(breaks_lines));
            prop_assert_eq!(unescape(&text), Some(bytes));
        }

        #[test]
        fn what_is_read_is_what_is_written(text in r"([\\xtnr0-9a-f]|\PC){0,12}") {
            if let Some(bytes) = unescape(&text) {
                prop_assert_eq!(escape(&bytes), text);
            }
        }
    }
}
