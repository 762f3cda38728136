//! Texts that stand for `|name|`: those that the document defines, and those of the files of characters that come with
//! Docutils, whose names are those of HTML.

use std::cell::Cell;
use std::collections::HashMap;

use super::directives::directive;
use crate::character_reference::{self as reference, Reference};
use crate::line_search::lines_with;

/// Bytes of the longest name of a character (<=).
const LONGEST_NAME: usize = 32;

pub(super) struct Substitutions<'a> {
    texts: HashMap<&'a str, String>,
    /// Bytes that they may still expand to; none once there were more.
    left: Cell<Option<u64>>,
}

impl<'a> Substitutions<'a> {
    /// Reads `.. |name| replace:: text` and `.. |name| unicode:: U+00A9`; all together may expand to so many bytes.
    pub(super) fn of(text: &'a str, limit: u64) -> Self {
        let mut texts = HashMap::new();
        let mut standard = false;
        for (_, line) in lines_with(text, ".. ") {
            let Some(rest) = line.trim_start().strip_prefix(".. ") else { continue };
            standard |= rest.starts_with("include:: <iso");
            if let Some((name, rest)) = rest.strip_prefix('|').and_then(|rest| rest.split_once('|'))
            {
                match directive(rest.trim_start()) {
                    Some(("replace", text)) => texts.insert(name, text.to_owned()),
                    Some(("unicode", codes)) => texts.insert(name, characters(codes)),
                    _ => None,
                };
            }
        }
        if standard {
            for (_, line) in lines_with(text, "|") {
                for name in line.split('|').skip(1).filter(|name| name.len() <= LONGEST_NAME) {
                    if let Some(c) = character(name) {
                        texts.entry(name).or_insert(c);
                    }
                }
            }
        }
        Self { texts, left: Cell::new(Some(limit)) }
    }

    /// What the name stands for; empty if too much was expanded already.
    pub(super) fn expand(&self, name: &str) -> Option<&str> {
        let text = self.texts.get(name)?;
        self.left.set(self.left.get().and_then(|left| left.checked_sub(text.len() as u64)));
        Some(if self.left.get().is_some() { text } else { "" })
    }

    /// Whether they expanded to no more than they may.
    pub(super) fn are_within_limit(&self) -> bool {
        self.left.get().is_some()
    }
}

/// Code points and text, with blanks between them that do not count, up to a comment.
fn characters(codes: &str) -> String {
    let codes = codes.split_once(".. ").map_or(codes, |(codes, _)| codes);
    let character = |code: &str| {
        let digits =
            ["0x", "U+", "\\x", "x", "u"].iter().find_map(|mark| code.strip_prefix(mark))?;
        char::from_u32(u32::from_str_radix(digits, 16).ok()?)
    };
    let of_code = |code: &str| character(code).map_or_else(|| code.to_owned(), String::from);
    codes.split_whitespace().map(of_code).collect()
}

/// The character that has this name.
fn character(name: &str) -> Option<String> {
    let plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric());
    let reference = format!("&{name};");
    let (found, length) = plain.then(|| reference::read(&reference)).flatten()?;
    (length == reference.len()).then(|| match found {
        Reference::Text(text) => text.to_owned(),
        Reference::Char(c) => c.to_string(),
    })
}
