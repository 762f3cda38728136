//! What inline markup of several languages has in common.

use std::borrow::Cow;

use crate::html::reference::{self, Reference};

/// The longest text between brackets, in bytes: what is longer is no link, and is searched no further, so
/// that a text of open brackets takes linear time.
pub(super) const LONGEST: usize = 2048;

/// The text up to the bracket that closes the one before it, which inner ones may nest in.
pub(super) fn bracketed(text: &str, open: char, close: char) -> Option<&str> {
    let mut depth = 0u32;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if at > LONGEST {
            return None;
        }
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == close {
            if depth == 0 {
                return Some(&text[..at]);
            }
            depth -= 1;
        } else if c == open {
            depth += 1;
        }
    }
    None
}

/// The text up to `end`, if that is near.
pub(super) fn up_to<'a>(text: &'a str, end: &str) -> Option<&'a str> {
    let near = &text[..text.floor_char_boundary(LONGEST)];
    near.find(end).map(|at| &text[..at])
}

/// The text with emphasis marks (`*`, `**`) away: those that touch a letter.
pub(super) fn without_stars(text: &str) -> Cow<'_, str> {
    if !text.contains('*') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('*') {
        out.push_str(&rest[..at]);
        let stars = rest[at..].bytes().take_while(|b| *b == b'*').count();
        let after = rest[at + stars..].chars().next();
        let spaced = |c: Option<char>| c.is_none_or(char::is_whitespace);
        if spaced(out.chars().next_back()) && spaced(after) {
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
