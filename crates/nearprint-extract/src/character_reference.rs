//! Character references, as the HTML standard reads them in text.
//!
//! XML uses this table too: documents in JATS or DocBook name `&nbsp;` and `&eacute;` through external
//! entity sets that are never loaded.

mod entities;

use std::borrow::Cow;

use self::entities::{BARE, NAMED};

/// The longest name that holds without a semicolon (`Yacute`, `thorn` ...).
const LONGEST_BARE: usize = 6;

/// What a reference at the start of a text stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reference {
    /// A named reference: its text.
    Text(&'static str),
    /// A numeric reference: its character.
    Char(char),
}

/// Reads the reference at the start of `text`, which begins with `&`. Gives what it stands for and its
/// length in bytes; none if the ampersand is only an ampersand.
pub(crate) fn read(text: &str) -> Option<(Reference, usize)> {
    let rest = &text.as_bytes()[1..];
    if rest.first() == Some(&b'#') {
        return numeric(&rest[1..]).map(|(c, length)| (Reference::Char(c), length + 2));
    }
    let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let name = &text[1..=length];
    if rest.get(length) == Some(&b';')
        && let Some(value) = named(name)
    {
        return Some((Reference::Text(value), length + 2));
    }
    (2..=length.min(LONGEST_BARE)).rev().find_map(|n| {
        let at = BARE.binary_search_by_key(&&name[..n], |row| row.0).ok()?;
        Some((Reference::Text(BARE[at].1), n + 1))
    })
}

/// The text of a reference by its name, without ampersand and semicolon.
pub(crate) fn named(name: &str) -> Option<&'static str> {
    // These few are nine tenths of all references in documents.
    match name {
        "nbsp" => return Some("\u{A0}"),
        "amp" => return Some("&"),
        "lt" => return Some("<"),
        "gt" => return Some(">"),
        "quot" => return Some("\""),
        _ => {}
    }
    NAMED.binary_search_by_key(&name, |row| row.0).ok().map(|at| NAMED[at].1)
}

/// The digits after `&#`: the character and how many bytes they took, a semicolon included.
pub(crate) fn numeric(rest: &[u8]) -> Option<(char, usize)> {
    let (radix, skip) = if matches!(rest.first(), Some(b'x' | b'X')) { (16, 1) } else { (10, 0) };
    let mut value = 0u32;
    let mut length = skip;
    while let Some(digit) = rest.get(length).and_then(|b| char::from(*b).to_digit(radix)) {
        // Saturating, so that a million digits are one wrong number and no overflow.
        value = value.saturating_mul(radix).saturating_add(digit);
        length += 1;
    }
    if length == skip {
        return None;
    }
    length += usize::from(rest.get(length) == Some(&b';'));
    let c = match value {
        0x80..=0x9F => WINDOWS_1252[value as usize - 0x80],
        0 => char::REPLACEMENT_CHARACTER,
        _ => char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER),
    };
    Some((c, length))
}

/// What the numbers 0x80 to 0x9F mean: old pages wrote windows-1252 so.
const WINDOWS_1252: [char; 32] = [
    '\u{20AC}', '\u{81}', '\u{201A}', '\u{192}', '\u{201E}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2C6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8D}', '\u{17D}', '\u{8F}',
    '\u{90}', '\u{2018}', '\u{2019}', '\u{201C}', '\u{201D}', '\u{2022}', '\u{2013}', '\u{2014}',
    '\u{2DC}', '\u{2122}', '\u{161}', '\u{203A}', '\u{153}', '\u{9D}', '\u{17E}', '\u{178}',
];

/// A text with the characters that its references stand for.
pub(crate) fn resolved(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match read(rest) {
            Some((Reference::Text(text), length)) => {
                out.push_str(text);
                length
            }
            Some((Reference::Char(c), length)) => {
                out.push(c);
                length
            }
            None => {
                out.push('&');
                1
            }
        };
        rest = &rest[length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_read_as_the_standard_says() {
        for (text, expected) in [
            ("&amp;x", Some((Reference::Text("&"), 5))),
            ("&ampx", Some((Reference::Text("&"), 4))),
            ("&notin;", Some((Reference::Text("\u{2209}"), 7))),
            ("&notit;", Some((Reference::Text("\u{AC}"), 4))),
            ("&eacute", Some((Reference::Text("é"), 7))),
            ("&fjlig;", Some((Reference::Text("fj"), 7))),
            ("&hellip", None),
            ("&nosuch;", None),
            ("& ", None),
            ("&", None),
            ("&#65;", Some((Reference::Char('A'), 5))),
            ("&#x41z", Some((Reference::Char('A'), 5))),
            ("&#x;", None),
            ("&#146;", Some((Reference::Char('\u{2019}'), 6))),
            ("&#xD800;", Some((Reference::Char('\u{FFFD}'), 8))),
            ("&#99999999999999;", Some((Reference::Char('\u{FFFD}'), 17))),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn tables_are_sorted() {
        assert!(NAMED.is_sorted_by_key(|row| row.0));
        assert!(BARE.is_sorted_by_key(|row| row.0));
        assert_eq!(BARE.iter().map(|row| row.0.len()).max(), Some(LONGEST_BARE));
    }
}
