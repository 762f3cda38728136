//! What inline markup of several languages has in common.

use crate::character_reference::{self as reference, Reference};

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
