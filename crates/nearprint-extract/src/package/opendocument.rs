//! OpenDocument texts and presentations: the content, without tracked changes, comments and speaker notes.

use super::{kind, missing};
use crate::charset;
use crate::error::{ExtractError, Reason};
use crate::flow::Flow;
use crate::job::Job;
use crate::work::Work;
use crate::xml::{self, Element, MeteredScanner, Piece, Role, Vocabulary, local};

pub(super) const CONTENT: &str = "content.xml";
pub(super) const MANIFEST: &str = "META-INF/manifest.xml";

/// Extracts OpenDocument of any kind.
pub(crate) fn opendocument(bytes: &[u8], job: &mut Job<'_>) -> Result<String, ExtractError> {
    let mut archive = kind::open(bytes, job.limits)?;
    if let Some(manifest) = archive.read(MANIFEST)?
        && memchr::memmem::find(&manifest, b"encryption-data").is_some()
    {
        return Err(ExtractError::new(
            Reason::Encrypted,
            "the office document has a password, which is not supported; save it without one",
        ));
    }
    let content = archive.read(CONTENT)?.ok_or_else(|| missing(CONTENT))?;
    let content = charset::decode(&content, None);
    job.media_type = media_type(&content.text, &job.work);
    let flow = xml::read(&content.text, &VOCABULARY, Flow::new(), job)?;
    Ok(flow.finish())
}

/// The media type of a content, by what its body holds.
fn media_type(content: &str, work: &Work) -> Option<&'static str> {
    let mut elements = MeteredScanner::new(content, work).filter_map(|piece| match piece {
        Piece::Start { name, .. } => Some(local(name)),
        _ => None,
    });
    elements.find(|name| *name == "body")?;
    Some(match elements.next()? {
        "presentation" => "application/vnd.oasis.opendocument.presentation",
        "spreadsheet" => "application/vnd.oasis.opendocument.spreadsheet",
        "drawing" => "application/vnd.oasis.opendocument.graphics",
        _ => "application/vnd.oasis.opendocument.text",
    })
}

static VOCABULARY: Vocabulary = Vocabulary { role, text_in: None, dropped_inside: &[], moved: &[] };

pub(super) fn role(element: &Element<'_>) -> Role {
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
