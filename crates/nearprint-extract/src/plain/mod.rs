//! Plain text: what printers and terminals left in it is resolved, lines broken inside words are joined.
//!
//! Everything else stays as it is; a text that needs nothing is copied once.

mod hyphen;
mod index;
mod terminal;
mod word_counts;
mod wrap;

use std::borrow::Cow;

use crate::error::ExtractError;
use crate::job::Job;

/// Extracts plain text.
pub(crate) fn plain(text: &str, _job: &mut Job<'_>) -> Result<String, ExtractError> {
    Ok(lines(text))
}

/// The tidied lines of a text, ending in a newline unless empty.
pub(crate) fn lines(text: &str) -> String {
    let text = terminal::resolve(text);
    let text = chain(text, index::strip);
    let text = chain(text, hyphen::join);
    let mut text = match chain(text, wrap::join) {
        Cow::Owned(text) => text,
        // With room for the newline, so that the text is copied once.
        Cow::Borrowed(text) => {
            let mut copy = String::with_capacity(text.len() + 1);
            copy.push_str(text);
            copy
        }
    };
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Applies a step that leaves most texts alone.
fn chain<'a>(text: Cow<'a, str>, step: fn(&str) -> Option<String>) -> Cow<'a, str> {
    match step(&text) {
        Some(changed) => Cow::Owned(changed),
        None => text,
    }
}

#[cfg(test)]
mod tests;
