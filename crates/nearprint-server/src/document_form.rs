//! What a field of a request gives: a text, a page, the bytes of a document, or a fingerprint.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nearprint::fingerprint::Fingerprint;
use nearprint::records::{Content, Document, DocumentId, Place};

use crate::document_reader::{byte_document, text_document};
use crate::problem::Problem;

/// One of the ways to give a document.
#[derive(Debug)]
pub(crate) enum DocumentForm {
    /// A text, of which nothing is extracted.
    Text(String),
    /// An HTML page whose charset is known.
    Html(String),
    /// Bytes of any medium, and what is said about them.
    Bytes(Vec<u8>, Option<String>, Option<String>),
    /// A fingerprint.
    Print(Fingerprint),
}

/// The fields of an object that give a document, of which only one may be there.
#[derive(Debug, Default)]
pub(crate) struct DocumentFields {
    pub(crate) text: Option<String>,
    pub(crate) html: Option<String>,
    /// Base64.
    pub(crate) document: Option<String>,
    pub(crate) media_type: Option<String>,
    pub(crate) charset: Option<String>,
    pub(crate) fingerprint: Option<String>,
}

impl DocumentFields {
    /// The one that is there; `None` if there is none. `at` is the pointer of the object.
    pub(crate) fn one(self, at: &str) -> Result<Option<DocumentForm>, Problem> {
        let Self { text, html, document, media_type, charset, fingerprint } = self;
        let invalid = |field: &str, said: String| Problem::invalid(&format!("{at}/{field}"), said);
        let given = [text.is_some(), html.is_some(), document.is_some(), fingerprint.is_some()];
        if given.into_iter().filter(|is_given| *is_given).count() > 1 {
            let said = "only one of text, html, document and fingerprint is allowed";
            return Err(Problem::invalid(at, said));
        }
        if document.is_none() && (media_type.is_some() || charset.is_some()) {
            return Err(Problem::invalid(at, "media_type and charset are only for document"));
        }
        if let Some(media_type) = media_type.as_deref()
            && !nearprint::extract::is_media_type(media_type)
        {
            return Err(invalid("media_type", "this media type is not read".to_owned()));
        }
        if let Some(fingerprint) = fingerprint {
            let parsed = fingerprint.parse::<Fingerprint>();
            let parsed = parsed.map_err(|error| invalid("fingerprint", error.to_string()))?;
            return Ok(Some(DocumentForm::Print(parsed)));
        }
        if let Some(document) = document {
            let bytes = STANDARD.decode(document.trim_ascii());
            let bytes =
                bytes.map_err(|error| invalid("document", format!("no base64: {error}")))?;
            return Ok(Some(DocumentForm::Bytes(bytes, media_type, charset)));
        }
        Ok(text.map(DocumentForm::Text).or_else(|| html.map(DocumentForm::Html)))
    }
}

impl DocumentForm {
    /// The document to be read; the fingerprint if it is one.
    pub(crate) fn document(self, id: DocumentId) -> Result<Document, Fingerprint> {
        Ok(match self {
            Self::Text(text) => text_document(id, text),
            Self::Html(page) => {
                let place = Place { file: id.as_str().into(), ..Place::default() };
                let mut document = Document::new(id, place, Content::Page(page));
                // What the page says of its charset was said before it became a field of text.
                document.charset = Some("utf-8".to_owned());
                document.media_type = Some("text/html".to_owned());
                document
            }
            Self::Bytes(bytes, media_type, charset) => {
                byte_document(id, bytes, media_type, charset)
            }
            Self::Print(fingerprint) => return Err(fingerprint),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_given_in_one_way() {
        let text = || Some("fog".to_owned());
        let fields = |fields: DocumentFields| fields.one("/a").map_err(|problem| problem.detail);
        assert!(fields(DocumentFields::default()).unwrap().is_none());
        let given = fields(DocumentFields { text: text(), ..DocumentFields::default() }).unwrap();
        assert!(matches!(given, Some(DocumentForm::Text(_))));
        let bytes =
            DocumentFields { document: Some("Zm9n".to_owned()), ..DocumentFields::default() };
        assert!(
            matches!(fields(bytes).unwrap(), Some(DocumentForm::Bytes(bytes, None, None)) if bytes == b"fog")
        );
        for (wrong, said) in [
            (
                DocumentFields { text: text(), html: text(), ..DocumentFields::default() },
                "only one",
            ),
            (
                DocumentFields { text: text(), charset: text(), ..DocumentFields::default() },
                "only for",
            ),
            (
                DocumentFields { document: Some("?".to_owned()), ..DocumentFields::default() },
                "/a/document",
            ),
            (DocumentFields { fingerprint: text(), ..DocumentFields::default() }, "/a/fingerprint"),
        ] {
            let error = fields(wrong).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}
