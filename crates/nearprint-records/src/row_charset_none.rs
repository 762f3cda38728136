//! The charset of the lines of a table in a build without the feature `charsets`: UTF-8.

use std::borrow::Cow;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowCharset;

impl RowCharset {
    pub(crate) const UTF_8: Self = Self;

    /// UTF-8, whatever the file begins with: a row that is in another charset is refused.
    pub(crate) fn of(_: &[u8], _: Option<&str>) -> Self {
        Self
    }

    pub(crate) fn is_utf8(self) -> bool {
        true
    }

    /// Its name in the Encoding Standard.
    pub(crate) fn name(self) -> &'static str {
        "UTF-8"
    }

    /// What reads rows that are not in this one.
    pub(crate) fn remedy(self) -> &'static str {
        "other charsets are read by builds with the feature \"charsets\""
    }

    /// Bytes of a character of ASCII.
    pub(crate) fn unit(self) -> usize {
        1
    }

    /// Whether the bytes of one unit are this character of ASCII.
    pub(crate) fn is_unit(self, unit: &[u8], byte: u8) -> bool {
        *unit == [byte]
    }

    /// Bytes up to the end of a line, with it, where it is in `bytes`.
    pub(crate) fn line_end(self, bytes: &[u8], _: u64, _: Option<u8>) -> Option<usize> {
        memchr::memchr(b'\n', bytes).map(|at| at + 1)
    }

    /// Writes to `out` what a line is in UTF-8; false where that has more than `most` bytes.
    pub(crate) fn decode(self, line: &[u8], out: &mut Vec<u8>, most: usize) -> bool {
        out.clear();
        out.extend_from_slice(&line[..line.len().min(most)]);
        line.len() <= most
    }

    /// What the beginning of a file is in UTF-8.
    pub(crate) fn decoded(self, head: &[u8]) -> Cow<'_, [u8]> {
        Cow::Borrowed(head)
    }
}
