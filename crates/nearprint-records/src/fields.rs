//! Which fields of a row are the document: its id, its text.

use std::fmt;

/// The names of the fields that make a document of a row, in lines of JSON and in tables.
///
/// A field is named. In JSON a name that begins with `/` is a pointer by RFC 6901, such as `/meta/url`; in tables it is
/// the name of a column whatever it begins with.
///
/// ```
/// use nearprint_records::TableFields;
///
/// let fields = TableFields::default();
/// assert_eq!((fields.id(), fields.content(), fields.is_html()), ("id", "text", false));
/// let fields = TableFields { html: Some("body".to_owned()), ..fields };
/// assert_eq!((fields.content(), fields.is_html()), ("body", true));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableFields {
    /// What the document is called; `id` where not given. A row that has no such field is called by its place.
    pub id: Option<String>,
    /// Its text, taken as it is; `text` where neither this nor `html` is given.
    pub text: Option<String>,
    /// Its text as HTML, which is extracted; not examined where `text` is given.
    pub html: Option<String>,
    /// A field whose value puts documents in order, where one is asked for: a number or text.
    pub order: Option<String>,
}

impl TableFields {
    /// The field of the id.
    #[must_use]
    pub fn id(&self) -> &str {
        self.id.as_deref().unwrap_or("id")
    }

    /// The field of the text or of the HTML.
    #[must_use]
    pub fn content(&self) -> &str {
        self.text.as_deref().or(self.html.as_deref()).unwrap_or("text")
    }

    /// Whether that field holds HTML.
    #[must_use]
    pub fn is_html(&self) -> bool {
        self.text.is_none() && self.html.is_some()
    }
}

/// A pointer into JSON, by RFC 6901, or the name of a field of the outermost object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pointer(pub(crate) Vec<String>);

impl Pointer {
    /// Reads a field's name; `None` if it begins with `/` and is not a pointer.
    pub(crate) fn new(name: &str) -> Result<Self, BadPointer> {
        let Some(rest) = name.strip_prefix('/') else { return Ok(Self(vec![name.to_owned()])) };
        let unescape = |token: &str| {
            let mut out = String::with_capacity(token.len());
            let mut parts = token.split('~');
            out.push_str(parts.next().unwrap_or(""));
            for part in parts {
                let mut rest = part.chars();
                match rest.next() {
                    Some('0') => out.push('~'),
                    Some('1') => out.push('/'),
                    _ => return Err(BadPointer(name.to_owned())),
                }
                out.push_str(rest.as_str());
            }
            Ok(out)
        };
        rest.split('/').map(unescape).collect::<Result<_, _>>().map(Self)
    }
}

/// The name of a field that begins with `/` and is not a pointer by RFC 6901.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadPointer(String);

impl fmt::Display for BadPointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "\"{}\" is not a JSON pointer: ~ must be followed by 0 (for ~) or 1 (for /)",
            self.0.escape_debug()
        )
    }
}

impl std::error::Error for BadPointer {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_pointers_are_told_apart() {
        for (name, tokens) in [
            ("text", vec!["text"]),
            ("a/b~0", vec!["a/b~0"]),
            ("", vec![""]),
            ("/", vec![""]),
            ("/meta/url", vec!["meta", "url"]),
            ("/a~1b/m~0n/0", vec!["a/b", "m~n", "0"]),
            ("/~01", vec!["~1"]),
        ] {
            assert_eq!(Pointer::new(name).unwrap().0, tokens, "{name}");
        }
        for bad in ["/~", "/a~2", "/~/x"] {
            assert!(Pointer::new(bad).unwrap_err().to_string().contains(bad), "{bad}");
        }
    }
}
