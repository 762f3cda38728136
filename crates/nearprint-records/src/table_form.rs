//! How tables of text (CSV, TSV) are written, where they do not say it themselves.

use std::fmt;
use std::str::FromStr;

/// The form of tables of text: what separates values, whether the first row names the columns, and the charset.
///
/// ```
/// use nearprint_records::TableForm;
///
/// let form = TableForm { delimiter: Some(";".parse()?), no_header: true, ..TableForm::default() };
/// assert_eq!(form.delimiter.unwrap().to_string(), ";");
/// # Ok::<(), nearprint_records::BadDelimiter>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableForm {
    /// What separates values; where not given, that one of tab, comma, semicolon and vertical bar that the first row
    /// shows.
    pub delimiter: Option<Delimiter>,
    /// Whether the first row is a document too. Columns are then named by their numbers, counted from 1.
    pub no_header: bool,
    /// The charset, by a label of the Encoding Standard; UTF-8 where not given. A byte order mark decides against it.
    pub charset: Option<String>,
}

/// A byte that separates values: a character of ASCII, neither a quote nor a line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delimiter(u8);

impl Delimiter {
    pub(crate) fn byte(self) -> u8 {
        self.0
    }
}

/// `tab` or the character.
impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            b'\t' => f.pad("tab"),
            byte => write!(f, "{}", char::from(byte).escape_default()),
        }
    }
}

/// `tab`, `\t`, or the character.
impl FromStr for Delimiter {
    type Err = BadDelimiter;

    fn from_str(text: &str) -> Result<Self, BadDelimiter> {
        match text.as_bytes() {
            b"tab" | b"\\t" => Ok(Self(b'\t')),
            [byte] if byte.is_ascii() && !b"\"\r\n\0".contains(byte) => Ok(Self(*byte)),
            _ => Err(BadDelimiter(())),
        }
    }
}

/// A delimiter that is not one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadDelimiter(());

impl fmt::Display for BadDelimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a delimiter is one ASCII character other than a quote or a line end, or \"tab\"",
        )
    }
}

impl std::error::Error for BadDelimiter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_are_read_as_they_are_written() {
        for (text, byte) in [(",", b','), (";", b';'), ("\\t", b'\t'), ("tab", b'\t'), ("\u{1}", 1)]
        {
            let delimiter: Delimiter = text.parse().unwrap();
            assert_eq!(delimiter.byte(), byte);
        }
        for bad in ["", "ab", "\"", "\n", "é"] {
            assert!(bad.parse::<Delimiter>().is_err(), "{bad}");
        }
    }
}
