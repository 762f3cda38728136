//! The charset of the lines of a table: where lines end in it, and what they are in UTF-8.
//!
//! Lines are found in the bytes as they are stored, and decoded one by one, so that places are those of the file. The
//! byte of a line feed is part of no other character in any charset of the Encoding Standard but UTF-16.

use std::borrow::Cow;

use encoding_rs::{DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// What stands for bytes that mean nothing in the charset: no UTF-8 has this byte, so that whoever reads the line
/// refuses what has it.
const MALFORMED: u8 = 0xFF;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowCharset(&'static Encoding);

impl RowCharset {
    pub(crate) const UTF_8: Self = Self(UTF_8);

    /// The charset of what begins with `head`: by its byte order mark, else by the label given, else UTF-8, or UTF-16
    /// where each letter of the first ones has a zero beside it.
    pub(crate) fn of(head: &[u8], label: Option<&str>) -> Self {
        if let Some((encoding, _)) = Encoding::for_bom(head) {
            return Self(encoding);
        }
        if let Some(encoding) = label.and_then(|label| Encoding::for_label(label.as_bytes())) {
            return Self(encoding);
        }
        Self(match head {
            [1..=u8::MAX, 0, 1..=u8::MAX, 0, ..] => UTF_16LE,
            [0, 1..=u8::MAX, 0, 1..=u8::MAX, ..] => UTF_16BE,
            _ => UTF_8,
        })
    }

    pub(crate) fn is_utf8(self) -> bool {
        self.0 == UTF_8
    }

    /// Its name in the Encoding Standard.
    pub(crate) fn name(self) -> &'static str {
        self.0.name()
    }

    /// What names another charset for rows that are not in this one.
    pub(crate) fn remedy(self) -> &'static str {
        "charset"
    }

    /// Bytes of a character of ASCII.
    pub(crate) fn unit(self) -> usize {
        if self.0 == UTF_16LE || self.0 == UTF_16BE { 2 } else { 1 }
    }

    /// Whether the bytes of one unit are this character of ASCII.
    pub(crate) fn is_unit(self, unit: &[u8], byte: u8) -> bool {
        match *unit {
            [low, 0] if self.0 == UTF_16LE => low == byte,
            [0, low] if self.0 == UTF_16BE => low == byte,
            [only] => only == byte,
            _ => false,
        }
    }

    /// Bytes up to the end of a line, with it, where it is in `bytes`: these begin at `offset` of the file, after the
    /// byte `before` of the same line.
    pub(crate) fn line_end(self, bytes: &[u8], offset: u64, before: Option<u8>) -> Option<usize> {
        let mut feeds = memchr::memchr_iter(b'\n', bytes);
        let is_odd = |at: usize| (offset + at as u64) % 2 == 1;
        if self.0 == UTF_16LE {
            if is_odd(0) && before == Some(b'\n') && bytes.first() == Some(&0) {
                return Some(1);
            }
            feeds.find(|&at| !is_odd(at) && bytes.get(at + 1) == Some(&0)).map(|at| at + 2)
        } else if self.0 == UTF_16BE {
            let byte_before = |at: usize| at.checked_sub(1).map_or(before, |at| Some(bytes[at]));
            feeds.find(|&at| is_odd(at) && byte_before(at) == Some(0)).map(|at| at + 1)
        } else {
            feeds.next().map(|at| at + 1)
        }
    }

    /// Writes to `out` what a line is in UTF-8; false where that has more than `most` bytes.
    pub(crate) fn decode(self, mut line: &[u8], out: &mut Vec<u8>, most: usize) -> bool {
        out.clear();
        let mut decoder = self.0.new_decoder_without_bom_handling();
        let mut part = [0; 4096];
        while out.len() <= most {
            let (result, read, written) =
                decoder.decode_to_utf8_without_replacement(line, &mut part, true);
            out.extend_from_slice(&part[..written]);
            line = &line[read..];
            match result {
                DecoderResult::InputEmpty => break,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(..) => out.push(MALFORMED),
            }
        }
        out.len() <= most
    }

    /// What the beginning of a file is in UTF-8.
    pub(crate) fn decoded(self, head: &[u8]) -> Cow<'_, [u8]> {
        if self.is_utf8() {
            return Cow::Borrowed(head);
        }
        let mut out = Vec::new();
        self.decode(head, &mut out, usize::MAX);
        Cow::Owned(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charsets_are_detected_from_marks_labels_and_zeros() {
        for (head, label, name) in [
            (&b"id,text"[..], None, "UTF-8"),
            (b"id,text", Some("latin1"), "windows-1252"),
            (b"\xFF\xFEi\0", None, "UTF-16LE"),
            (b"\xFE\xFF\0i", Some("latin1"), "UTF-16BE"),
            (b"i\0d\0", None, "UTF-16LE"),
            (b"\0i\0d", None, "UTF-16BE"),
            (b"\xEF\xBB\xBFid", Some("latin1"), "UTF-8"),
            (b"", Some("no such"), "UTF-8"),
        ] {
            assert_eq!(RowCharset::of(head, label).name(), name, "{head:?}");
        }
    }

    #[test]
    fn bytes_that_mean_nothing_are_marked_and_nothing_is_lost() {
        let mut out = Vec::new();
        assert!(RowCharset(UTF_16LE).decode(b"a\0\x00\xD8b\0", &mut out, 3));
        assert_eq!(out, b"a\xFFb");
        assert!(!RowCharset(UTF_16LE).decode(b"a\0b\0", &mut out, 1));
    }
}
