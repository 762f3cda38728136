//! What inline markup of several languages has in common.

use std::borrow::Cow;
use std::ops::Range;

use crate::character_reference::{self as reference, Reference};

/// A part of a text with emphasis marks (`*`, `**`) away: those that touch something.
pub(super) fn without_stars(text: &str, part: Range<usize>) -> Cow<'_, str> {
    let before = text[..part.start].chars().next_back();
    let after = text[part.end..].chars().next();
    let text = &text[part];
    if !text.contains('*') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('*') {
        out.push_str(&rest[..at]);
        let stars = rest[at..].bytes().take_while(|b| *b == b'*').count();
        let next = rest[at + stars..].chars().next().or(after);
        let spaced = |c: Option<char>| c.is_none_or(char::is_whitespace);
        if spaced(out.chars().next_back().or(before)) && spaced(next) {
            out.push_str(&rest[at..at + stars]);
        }
        rest = &rest[at + stars..];
    }
    out.push_str(rest);
    out.into()
}

/// Appends the character reference at the start of `text`, if there is one, and gives its length.
pub(super) fn push_reference(text: &str, out: &mut String) -> usize {
    match reference::read(text) {
        // References end with a semicolon in these languages.
        Some((found, length)) if text.as_bytes()[length - 1] == b';' => {
            match found {
                Reference::Text(text) => out.push_str(text),
                Reference::Char(c) => out.push(c),
            }
            length
        }
        _ => {
            out.push('&');
            1
        }
    }
}
