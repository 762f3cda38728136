//! UTF-16 and UTF-32 that carry no mark, detected from where their zeros are and by how they read.

use std::cmp::Ordering;

use super::Charset;
use super::encoding::{UTF_16BE, UTF_16LE};
use super::utf32::Utf32;

/// Bytes that are examined.
const WINDOW: usize = 4096;

/// Of so many characters of a text one or more is a blank, a line end, punctuation or a letter of ASCII.
const BLANK_SHARE: usize = 32;

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
    // Half of the letters below U+0100 on one side, none on the other: no program or image looks so.
    if odd * 2 > half && even == 0 {
        return Some(Charset::Whatwg(UTF_16LE));
    }
    if even * 2 > half && odd == 0 {
        return Some(Charset::Whatwg(UTF_16BE));
    }
    // Of other scripts only blanks have a zero, and few letters. What could be a text byte by byte is none of these.
    let controls = head.iter().filter(|b| matches!(b, 1..=8 | 0x0E..=0x1F)).count();
    if !foreign && controls * BLANK_SHARE <= head.len() {
        return None;
    }
    let units = head.as_chunks().0.iter();
    let little = blanks_of_text(units.clone().map(|two| u16::from_le_bytes(*two)));
    let big = blanks_of_text(units.map(|two| u16::from_be_bytes(*two)));
    match little.cmp(&big) {
        Ordering::Greater => Some(Charset::Whatwg(UTF_16LE)),
        Ordering::Less => Some(Charset::Whatwg(UTF_16BE)),
        Ordering::Equal => None,
    }
}

/// How many blanks and signs of punctuation a text in units of UTF-16 has; 0 if it is none: it has a surrogate
/// alone, control characters, too few letters or too few blanks.
fn blanks_of_text(units: impl Iterator<Item = u16>) -> usize {
    let (mut letters, mut blanks, mut count, mut broken) = (0usize, 0usize, 0usize, 0usize);
    for c in char::decode_utf16(units) {
        count += 1;
        match c {
            Ok('\t' | '\n' | '\r' | ' '..='~' | '\u{A0}'..='\u{FF}') => blanks += 1,
            // Punctuation of Chinese and Japanese, and what is set in its width.
            Ok('\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FFEF}') => blanks += 1,
            // Marks are alphabetic where they are vowels; others of Indic scripts are not.
            Ok(c) if c.is_alphanumeric() || ('\u{300}'..'\u{1100}').contains(&c) => letters += 1,
            Ok(c) if c.is_control() => return 0,
            // The window may end within a pair.
            Err(_) => broken += 1,
            Ok(_) => {}
        }
    }
    // One may be an accident in a text of another charset.
    let enough = blanks >= 2 && blanks * BLANK_SHARE >= count;
    if broken <= 1 && enough && (letters + blanks) * 5 >= count * 4 { blanks } else { 0 }
}
