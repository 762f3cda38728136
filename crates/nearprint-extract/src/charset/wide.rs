//! UTF-16 and UTF-32 that carry no mark, told by where their zeros are and by how they read.

use encoding_rs::{UTF_16BE, UTF_16LE};

use super::Charset;
use super::utf32::Utf32;

/// Bytes that are looked at.
const WINDOW: usize = 4096;

/// Of so many characters of a text one or more is a blank, a line end, punctuation or a letter of ASCII.
const BLANK_SHARE: usize = 50;

/// The charset of a text in units of two or four bytes. `foreign` says that the bytes are no UTF-8.
pub(super) fn detect(bytes: &[u8], foreign: bool) -> Option<Charset> {
    let head = &bytes[..bytes.len().min(WINDOW) & !3];
    if head.len() < 8 || memchr::memchr(0, head).is_none() {
        return None;
    }
    for order in [Utf32::Little, Utf32::Big] {
        if order.plausible(head) {
            return Some(Charset::Utf32(order));
        }
    }
    let zeros = |offset: usize| head.iter().skip(offset).step_by(2).filter(|b| **b == 0).count();
    let (even, odd, half) = (zeros(0), zeros(1), head.len() / 2);
    let (encoding, count, unit): (_, _, fn([u8; 2]) -> u16) = match (even, odd) {
        (0, odd) => (UTF_16LE, odd, u16::from_le_bytes),
        (even, 0) => (UTF_16BE, even, u16::from_be_bytes),
        _ => return None,
    };
    // Half of the letters below U+0100 on one side, none on the other: no program or image looks so.
    if count * 2 > half {
        return Some(Charset::Whatwg(encoding));
    }
    // Of other scripts only blanks have a zero. What could be a text byte by byte is none of these.
    let controls = head.iter().filter(|b| matches!(b, 1..=8 | 0x0E..=0x1F)).count();
    let units = head.as_chunks().0.iter().map(|two| unit(*two));
    ((foreign || controls * BLANK_SHARE > head.len()) && reads_as_text(units))
        .then_some(Charset::Whatwg(encoding))
}

/// Whether units of UTF-16 are a text: no surrogate alone, no control characters, mostly letters, and blanks and
/// punctuation where a text has them.
fn reads_as_text(units: impl Iterator<Item = u16>) -> bool {
    let (mut letters, mut blanks, mut count, mut broken) = (0usize, 0usize, 0usize, 0usize);
    for c in char::decode_utf16(units) {
        count += 1;
        match c {
            Ok('\t' | '\n' | '\r' | ' '..='~' | '\u{A0}'..='\u{FF}') => blanks += 1,
            // Punctuation of Chinese and Japanese, and what is set in its width.
            Ok('\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FFEF}') => blanks += 1,
            // Marks are alphabetic where they are vowels; others of Indic scripts are not.
            Ok(c) if c.is_alphanumeric() || ('\u{300}'..'\u{1100}').contains(&c) => letters += 1,
            Ok(c) if c.is_control() => return false,
            // The window may end within a pair.
            Err(_) => broken += 1,
            Ok(_) => {}
        }
    }
    broken <= 1 && blanks * BLANK_SHARE >= count && (letters + blanks) * 5 >= count * 4
}
