//! OpenDocument texts and presentations: the content, without tracked changes, comments and speaker notes.

use super::archive::Archive;
use super::missing;
use crate::charset;
use crate::error::{ExtractError, Reason};
use crate::flow::Flow;
use crate::job::Job;
use crate::xml::{self, Element, Role, Vocabulary};

const CONTENT: &str = "content.xml";
const MANIFEST: &str = "META-INF/manifest.xml";

/// Extracts OpenDocument of any kind.
pub(crate) fn opendocument(bytes: &[u8], job: &mut Job<'_>) -> Result<String, ExtractError> {
    let mut archive = Archive::open(bytes, job.limits)?;
    if let Some(manifest) = archive.read(MANIFEST)?
        && memchr::memmem::find(&manifest, b"encryption-data").is_some()
    {
        return Err(ExtractError::new(Reason::Encrypted, "the document is encrypted"));
    }
    let content = archive.read(CONTENT)?.ok_or_else(|| missing(CONTENT))?;
    let content = charset::decode(&content, None);
    let flow = xml::read(&content.text, &VOCABULARY, Flow::new(), job)?;
    Ok(flow.finish())
}

static VOCABULARY: Vocabulary = Vocabulary { role, text_in: None, dropped_inside: &[], moved: &[] };

fn role(element: &Element<'_>) -> Role {
    match element.local {
        "p" | "h" | "table-row" | "list-item" | "note-body" | "page" | "text-box" | "section"
        | "line-break" => Role::Block,
        "table-cell" | "covered-table-cell" => Role::Cell,
        "s" | "tab" => Role::Break,
        // Comments, what was deleted, styles, forms, alternative texts, the spoken text beside a slide.
        "tracked-changes"
        | "annotation"
        | "annotation-end"
        | "font-face-decls"
        | "automatic-styles"
        | "styles"
        | "forms"
        | "settings"
        | "meta"
        | "scripts"
        | "title"
        | "desc"
        | "ruby-text"
        | "notes"
        | "hidden-text"
        | "note-citation"
        | "index-source"
        | "event-listeners"
        | "table-of-content-source" => Role::Dropped,
        _ => Role::Inline,
    }
}
