//! A document made of the fields of a row, by the same rules whatever the row was written in.

use crate::{Content, Document, DocumentId, ErrorRecord, Place, ReasonCode};

/// What a row has where a field is looked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Field {
    /// Nothing of this name.
    #[default]
    Missing,
    /// The name, and behind it what was not read.
    Begun,
    /// A null.
    Null,
    /// Text, or a whole number as its digits.
    Text(String),
    /// Something else, by what it is called.
    Other(&'static str),
}

/// The document of a row: `id` and `content` are what it has, `name` is what the content's field is called.
///
/// A row without an id is called by its place.
pub(crate) fn document(
    place: Place,
    id: Field,
    content: Field,
    name: &str,
    is_html: bool,
) -> Result<Document, ErrorRecord> {
    let refused = |place, id, reason, detail: String| {
        Err(ErrorRecord { id, place, reason, detail: detail.into() })
    };
    let id = match id {
        Field::Text(id) if !id.is_empty() => DocumentId::new(id).map_err(|bad| bad.to_string()),
        Field::Other(kind) => Err(format!("the id is {kind}, neither text nor a whole number")),
        _ => DocumentId::new(place.to_string()).map_err(|bad| bad.to_string()),
    };
    let id = match id {
        Ok(id) => id,
        Err(detail) => return refused(place, None, ReasonCode::BAD_ID, detail),
    };
    let text = match content {
        Field::Text(text) => text,
        Field::Null => String::new(),
        Field::Missing | Field::Begun => {
            let text = format!(
                "there is no field \"{}\"; name the one with the text (--text, --html)",
                name.escape_debug()
            );
            return refused(place, Some(id), ReasonCode::BAD_LINE, text);
        }
        Field::Other(kind) => {
            let text = format!("the field \"{}\" is {kind}, not text", name.escape_debug());
            return refused(place, Some(id), ReasonCode::BAD_LINE, text);
        }
    };
    if !is_html {
        return Ok(Document::new(id, place, Content::Text(text)));
    }
    let mut document = Document::new(id, place, Content::Octets(text.into_bytes()));
    // What the page says of its charset was said before it became a field of text.
    document.charset = Some("utf-8".to_owned());
    document.media_type = Some("text/html".to_owned());
    Ok(document)
}
