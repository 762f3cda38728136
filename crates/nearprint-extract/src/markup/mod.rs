//! Texts in light markup: Markdown, reStructuredText, AsciiDoc, MediaWiki, and Texinfo's Info. What the markup says and
//! the reader of the rendered document never sees is dropped: targets of links, directives, attributes, comments.
//!
//! The first four do not say what they are, so they are detected from forms that other texts do not have; what is
//! dropped are those same forms. A text treated as the wrong kind loses next to nothing.

mod asciidoc;
mod blocks;
mod ends;
mod front_matter;
mod info;
mod inline;
mod markdown;
mod mediawiki;
mod restructured_text;
mod source_code;

pub(crate) use self::mediawiki::{is_page as is_wiki_page, mediawiki};

use crate::error::{ExtractError, Reason};
use crate::job::Job;
use crate::media::Media;
use crate::plain;

/// Extracts Markdown.
pub(crate) fn markdown(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    if let Some(file) = markdown::first_include(text) {
        job.warn_of_include(file);
    }
    let stripped = markdown::strip(text, &job.work);
    plain::lines(&stripped, job)
}

/// Extracts reStructuredText.
pub(crate) fn restructured(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    if let Some(file) = restructured_text::first_include(text) {
        job.warn_of_include(file);
    }
    let limit = job.limits.max_entity_bytes;
    let stripped = restructured_text::strip(text, limit, &job.work)
        .ok_or_else(|| expansion_limit("substitutions", limit))?;
    plain::lines(&stripped, job)
}

/// Extracts AsciiDoc.
pub(crate) fn asciidoc(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    if let Some(file) = text.lines().find_map(asciidoc::include) {
        job.warn_of_include(file);
    }
    let limit = job.limits.max_entity_bytes;
    let stripped = asciidoc::strip(text, limit, &job.work)
        .ok_or_else(|| expansion_limit("attributes", limit))?;
    plain::lines(&stripped, job)
}

fn expansion_limit(what: &str, limit: u64) -> ExtractError {
    ExtractError::new(
        Reason::ExpansionLimit,
        format!("the document's {what} expand to more than max_entity_bytes = {limit}"),
    )
}

/// Extracts Info.
pub(crate) fn info(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    job.work.charge(text.len())?;
    let stripped = info::strip(text, &job.work);
    plain::lines(&stripped, job)
}

/// Signs of its markup from which a text is of a kind.
const ENOUGH: u32 = 4;

/// The kind of light markup that a text is in, if any.
pub(crate) fn sniff(head: &str) -> Option<Media> {
    if info::is_info(head) {
        return Some(Media::Info);
    }
    let signs = [
        (Media::Wiki, mediawiki::signs(head)),
        (Media::Restructured, restructured_text::signs(head)),
        (Media::Asciidoc, asciidoc::signs(head)),
        (Media::Markdown, markdown::signs(head)),
    ];
    // On a tie the first wins: its signs are the more peculiar ones.
    let best = signs.into_iter().rev().max_by_key(|(_, signs)| *signs)?;
    (best.1 >= ENOUGH && !source_code::is_source(head)).then_some(best.0)
}

#[cfg(test)]
mod tests;
