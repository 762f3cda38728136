//! HTML and XHTML to text: the text of `body` without what is not the document.
//!
//! Out: `nav`, and `header`, `footer` and `aside` outside `article` and `main`; forms and controls; menus and
//! dialogs; what is hidden; the same by ARIA role; `script`, `style`, `template`, `noscript`, `svg`; the
//! title, which is metadata; alternative texts; ruby annotations. In: all else, captions, tables, quotations,
//! notes and reference lists among it. Parts that follow a page until a script moves them are at their places
//! ([`segments`]). If almost nothing is left, what scripts show or do without is read ([`fallback`]).

mod element;
mod fallback;
mod head;
mod hocr;
mod main_content;
mod page;
mod segments;
mod stack;
mod structured_data;
mod superscripts;
pub(crate) mod tokenizer;
mod visibility;

pub use self::head::{PageHead, page_head};

use sha2::{Digest, Sha256};

use self::element::{Element, Kind, Role};
use self::main_content::Outline;
use self::page::{Page, Unread};
use self::tokenizer::Tokenizer;
use crate::error::ExtractError;
use crate::extraction::{MainContent, WarningCode};
use crate::job::Job;

/// Words under which a page has few words of its own, or may have lost its text by an error of its markup.
const SCANTY_WORDS: usize = 30;

/// The same in bytes, for scripts without spaces.
const SCANTY_BYTES: usize = 400;

/// How many times its own text a page with few words must have in all, with its furniture, to be told of.
const SCANTY_SHARE: usize = 8;

/// Whether furniture (navigation, banners, forms) is part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Furniture {
    Dropped,
    Kept,
}

/// What scripts do to a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scripts {
    /// They would run, and what they show is not read.
    Ignored,
    /// They have run: what was hidden until then is shown.
    Done,
    /// There are none: `noscript` is markup.
    Absent,
}

/// Whether tags are read as XML: `<script/>` has no content there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Syntax {
    Html,
    Xhtml,
}

/// Extracts HTML.
pub(crate) fn html(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    whole(text, Syntax::Html, job)
}

/// Extracts XHTML that is served as XML.
pub(crate) fn xhtml(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    whole(text, Syntax::Xhtml, job)
}

fn whole(text: &str, syntax: Syntax, job: &mut Job<'_>) -> Result<String, ExtractError> {
    job.has_lines = hocr::is_hocr(text);
    let found = document(text, syntax, job)?;
    if job.has_lines { hocr::joined(&found, job) } else { Ok(found) }
}

/// Extracts HTML that is a part of another document.
pub(crate) fn part(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    Ok(extract(text, Syntax::Html, PageParts::PartText, job)?.text)
}

/// Extracts XHTML that is a part of another document.
pub(crate) fn xhtml_part(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    Ok(extract(text, Syntax::Xhtml, PageParts::PartText, job)?.text)
}

fn document(text: &str, syntax: Syntax, job: &mut Job<'_>) -> Result<String, ExtractError> {
    let moved = segments::moved(text, job)?;
    if moved.is_some() {
        job.warn(
            WarningCode::HiddenKept,
            "parts that follow the page until a script moves them to their places were read there",
        );
    }
    let text = moved.as_deref().unwrap_or(text);
    if !job.hints.main_content {
        return Ok(extract(text, syntax, PageParts::Text, job)?.text);
    }
    let PageText { text, outline, unread } = extract(text, syntax, PageParts::TextAndOutline, job)?;
    let (text, found) = match outline {
        Some(outline) => outline.choose(text, &unread.structured),
        None => (text, MainContent::WholePage),
    };
    job.main_content = Some(found);
    Ok(text)
}

/// Parts of a page that the caller asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PageParts {
    /// The text of a part of another document, which has no scripts.
    PartText,
    Text,
    TextAndOutline,
}

/// Text of a page and where its elements lie in it, if that is asked for and the text is not all furniture.
struct PageText<'a> {
    text: String,
    outline: Option<Outline<'a>>,
    unread: Unread<'a>,
}

fn extract<'a>(
    text: &'a str,
    syntax: Syntax,
    wanted: PageParts,
    job: &mut Job<'_>,
) -> Result<PageText<'a>, ExtractError> {
    job.work.admit(text.len());
    let text = after_content_type(text);
    let mut tokens = Tokenizer::new(text);
    let mut found = Page::new(syntax, Furniture::Dropped, wanted).read(&mut tokens, job)?;
    if tokens.is_unclosed() && is_scanty(&found.text) {
        let read = Page::new(syntax, Furniture::Dropped, wanted);
        let more = read.read(&mut Tokenizer::forgiving(text), job)?;
        if !is_scanty(&more.text) {
            job.warn(
                WarningCode::Recovered,
                "a comment that is never closed was ended at its first `>`",
            );
            found = more;
        }
    }
    if !is_scanty(&found.text) {
        return Ok(found);
    }
    if wanted != PageParts::PartText
        && let Some(more) = fallback::read(text, syntax, wanted, &found, job)?
    {
        return Ok(more);
    }
    let all = Page::new(syntax, Furniture::Kept, PageParts::Text);
    let all = all.read(&mut Tokenizer::new(text), job)?;
    if found.text.len().saturating_mul(SCANTY_SHARE) >= all.text.len() || all.text.trim().is_empty()
    {
        return Ok(found);
    }
    let detail = "the page has almost no text outside its navigation";
    if job.hints.furniture {
        // A page that is all furniture, or marks itself as such by mistake, is better to read than no page.
        job.warn(WarningCode::FurnitureKept, detail);
        return Ok(all);
    }
    // Menus are not evidence: pages of one site have them in common, whatever they say.
    job.warn(WarningCode::FewOwnWords, detail);
    let before = job.page_sha256.take().unwrap_or_default();
    job.page_sha256 =
        Some(Sha256::new_with_prefix(before).chain_update(&all.text).finalize().into());
    Ok(found)
}

/// Whether a text has so few words that something may have gone wrong.
fn is_scanty(text: &str) -> bool {
    words(text).take(SCANTY_WORDS).count() < SCANTY_WORDS && text.len() < SCANTY_BYTES
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Whether HTML has an element of this name.
pub(crate) fn is_element(name: &str) -> bool {
    !matches!(Element::named(name).kind, Kind::Unknown | Kind::Foreign)
}

/// Whether an element separates words.
pub(crate) fn is_block_element(name: &str) -> bool {
    !matches!(Element::named(name).role, Role::Inline | Role::Void)
}

/// What follows a header that begins with the type of its content, if there is one.
fn after_content_type(text: &str) -> &str {
    const HEADER: &str = "content-type:";
    if !text.get(..HEADER.len()).is_some_and(|head| head.eq_ignore_ascii_case(HEADER)) {
        return text;
    }
    let end = text.find("\n\n").or_else(|| text.find("\r\n\r\n"));
    end.filter(|at| *at < 1024).map_or(text, |at| &text[at..])
}

#[cfg(test)]
mod combinations;
#[cfg(test)]
mod conformance;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tree;
#[cfg(test)]
mod tree_conformance;
