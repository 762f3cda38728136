//! A document made of the fields of a row, by the same rules whatever the row was written in.

use crate::{Content, Document, DocumentId, ErrorRecord, OrderKey, Place, ReasonCode};

/// What a row has where a field is looked for.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Field {
    /// Nothing of this name.
    #[default]
    Missing,
    /// The name, and after it what was not read.
    Begun,
    /// A null.
    Null,
    /// Text, or a whole number as its digits.
    Text(String),
    /// A number that is not a whole one of 64 bits.
    Real(f64),
    /// Something else, by what it is called.
    Other(&'static str),
}

impl Field {
    /// What it is called in messages.
    fn kind(&self) -> &'static str {
        match self {
            Self::Real(_) => "a number that is not a 64-bit integer",
            Self::Other(kind) => kind,
            _ => "text",
        }
    }

    /// What puts a document in order where this is the field for it.
    pub(crate) fn order(&self) -> Option<OrderKey> {
        match self {
            Self::Text(text) => OrderKey::of_text(text),
            Self::Real(number) => OrderKey::of_real(*number),
            _ => None,
        }
    }
}

/// How the message about a row begins that has no field with the text.
const NO_FIELD: &str = "there is no field ";

impl ErrorRecord {
    /// Whether it is about a row that has no field of the name that the text was asked for by.
    #[must_use]
    pub fn lacks_text(&self) -> bool {
        self.reason == ReasonCode::BAD_LINE && self.detail.starts_with(NO_FIELD)
    }
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
        Field::Text(ref id) if !id.is_empty() => {
            DocumentId::new(id.clone()).map_err(|bad| bad.to_string())
        }
        Field::Real(_) | Field::Other(_) => {
            Err(format!("the id is {}, neither text nor an integer", id.kind()))
        }
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
                "{NO_FIELD}\"{}\"; name the field with the text (text, html)",
                name.escape_debug()
            );
            return refused(place, Some(id), ReasonCode::BAD_LINE, text);
        }
        Field::Real(_) | Field::Other(_) => {
            let kind = content.kind();
            let text = format!("the field \"{}\" is {kind}, not text", name.escape_debug());
            return refused(place, Some(id), ReasonCode::BAD_LINE, text);
        }
    };
    if !is_html {
        return Ok(Document::new(id, place, Content::Text(text)));
    }
    let mut document = Document::new(id, place, Content::Page(text));
    // What the page says of its charset was said before it became a field of text.
    document.charset = Some("utf-8".to_owned());
    document.media_type = Some("text/html".to_owned());
    Ok(document)
}
