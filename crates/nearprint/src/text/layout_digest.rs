//! The digest of a text with its layout, which decides whether two texts are identical.
//!
//! Extractors write a run of white space in flowing text as one blank, each block and each row of a table on a line of
//! its own, and preformatted text with its lines and their indentation. So the white space of an extracted text is
//! what its document means by it, whatever the medium, and counts here. How a text is encoded does not.

use std::borrow::Cow;

use sha2::{Digest, Sha256};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The byte-order mark.
const MARK: char = '\u{FEFF}';

/// SHA-256 of a text in NFC without a byte-order mark, its lines ending in `\n` and without blanks at their ends, empty
/// lines at its end left out, and every blank that is not a tab as U+0020. O(n), in memory for the longest line that is
/// not in this form.
///
/// `bytes` is SHA-256 of the text as it is, where that is known: most texts are in this form, and a digest costs more
/// than to see that.
pub(crate) fn layout_digest(text: &str, bytes: Option<[u8; 32]>) -> [u8; 32] {
    if let Some(bytes) = bytes.filter(|_| is_in_one_form(text)) {
        return bytes;
    }
    let mut digest = Sha256::new();
    let mut line_ends = 0;
    for lines in text.strip_prefix(MARK).unwrap_or(text).split('\n') {
        // A line ends in `\n`, `\r\n` or `\r`.
        for line in lines.strip_suffix('\r').unwrap_or(lines).split('\r') {
            let line = line.trim_end();
            if !line.is_empty() {
                (0..std::mem::take(&mut line_ends)).for_each(|_| digest.update(b"\n"));
                digest.update(in_one_form(line).as_bytes());
            }
            line_ends += 1;
        }
    }
    digest.finalize().into()
}

/// Whether a text is what is digested.
fn is_in_one_form(text: &str) -> bool {
    let is_line = |line: &str| {
        !line.ends_with(char::is_whitespace) && !line.contains('\r') && is_plain_line(line)
    };
    !text.starts_with(MARK) && !text.ends_with('\n') && text.split('\n').all(is_line)
}

/// A line in NFC whose blanks are U+0020 and tabs.
fn in_one_form(line: &str) -> Cow<'_, str> {
    if is_plain_line(line) {
        return Cow::Borrowed(line);
    }
    line.nfc().map(|c| if is_plain(c) { c } else { ' ' }).collect()
}

fn is_plain_line(line: &str) -> bool {
    let is_nfc = || is_nfc_quick(line.chars()) == IsNormalized::Yes;
    line.is_ascii() || line.chars().all(is_plain) && is_nfc()
}

fn is_plain(c: char) -> bool {
    c < '\u{80}' || !c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_sha_256_of_the_text_in_one_form() {
        let of = |text: &str| -> [u8; 32] { Sha256::digest(text).into() };
        for (text, wanted) in [
            ("", ""),
            ("\n \n", ""),
            ("fog\n", "fog"),
            ("\u{FEFF}\r\n fog\u{A0}\tbell \r\r\n\n\tlamp\u{2028}", "\n fog \tbell\n\n\n\tlamp"),
            ("U\u{308}ber\u{1680}alle", "Über alle"),
            ("e\u{301}\u{327}", "ȩ\u{301}"),
            ("\u{212B} x² \u{FB01}", "Å x² \u{FB01}"),
        ] {
            assert_eq!(layout_digest(text, None), of(wanted), "{text:?}");
            assert_eq!(layout_digest(text, Some(of(text))), of(wanted), "{text:?}");
            assert!(!is_in_one_form(text) || text == wanted, "{text:?}");
        }
        assert!(is_in_one_form("") && is_in_one_form("\n fog \tbell\n\n\tÄpfel"));
    }
}
