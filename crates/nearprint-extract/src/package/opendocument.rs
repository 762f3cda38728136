//! OpenDocument texts and presentations: the content, without tracked changes, comments and speaker notes.

use super::{kind, missing, roles};
use crate::charset;
use crate::error::{ExtractError, Reason};
use crate::flow::Flow;
use crate::job::Job;
use crate::letters;
use crate::work::Work;
use crate::xml::{self, MeteredScanner, Piece, Vocabulary, local};

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
    job.letters = letters::outside_tags(content.text.as_bytes());
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

static VOCABULARY: Vocabulary = Vocabulary {
    role: roles::opendocument,
    text_in: None,
    dropped_inside: &[],
    moved: &[],
    unclosed: &[],
};
