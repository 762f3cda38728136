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
use crate::work::Work;

/// Extracts plain text.
pub(crate) fn plain(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    lines(text, job)
}

/// The tidied lines of a text, ending in a newline unless empty.
pub(crate) fn lines(text: &str, job: &Job<'_>) -> Result<String, ExtractError> {
    let work = &*job.work;
    work.charge(text.len())?;
    let text = terminal::resolve(text);
    let text = chain(text, index::strip, work);
    let text = chain(text, |text| hyphen::join(text, work), work);
    let text = chain(text, wrap::join, work);
    work.check()?;
    let mut text = match text {
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
    Ok(text)
}

/// Applies a step that leaves most texts alone.
fn chain<'a>(
    text: Cow<'a, str>,
    step: impl FnOnce(&str) -> Option<String>,
    work: &Work,
) -> Cow<'a, str> {
    work.count(text.len());
    match step(&text) {
        Some(changed) => Cow::Owned(changed),
        None => text,
    }
}

#[cfg(test)]
mod tests;
