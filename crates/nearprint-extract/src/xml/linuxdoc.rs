//! Linuxdoc, the SGML of the HOWTOs: most of its elements have no end tag, and short ones are written `<tt/text/`.

use super::attributes::attribute;
use super::vocabulary::{self, Element, Role, Vocabulary};

/// The vocabulary of documents whose type is `linuxdoc`.
pub(super) static LINUXDOC: Vocabulary = Vocabulary {
    role,
    text_in: None,
    dropped_inside: &[],
    moved: &[],
    unclosed: &[
        "p", "item", "tag", "sect", "sect1", "sect2", "sect3", "sect4", "chapt", "part", "title",
        "subtitle", "author", "and", "inst", "date", "label", "toc", "lof", "lot", "newline",
        "url", "htmlurl", "ref", "pageref", "colsep", "rowsep", "hline", "img", "eps", "ph",
    ],
};

/// Elements whose content has references and no tags.
pub(super) const RAW: [&str; 2] = ["verb", "code"];

/// Entities that HTML does not have, or has for other characters, as a document type declaration.
pub(super) const ENTITIES: &str = "<!ENTITY etago '&lt;/'><!ENTITY ero '&amp;'><!ENTITY nil ''><!ENTITY hat '^'>\
     <!ENTITY circ '^'><!ENTITY tilde '~'><!ENTITY dquot '&quot;'>";

/// Names with an end tag, in lower case.
const CLOSED: [&str; 40] = [
    "article", "report", "book", "letter", "notes", "manpage", "slides", "titlepag", "name",
    "thanks", "abstract", "itemize", "enum", "descrip", "quote", "verb", "code", "tscreen",
    "table", "tabular", "caption", "figure", "footnote", "em", "it", "bf", "sf", "sl", "rm", "tt",
    "cparam", "idx", "cdx", "nidx", "ncdx", "comment", "appendix", "heading", "def", "prop",
];

/// A name in lower case: SGML ignores the case of names.
pub(super) fn small_name(name: &str) -> &str {
    let mut names = LINUXDOC.unclosed.iter().chain(&CLOSED);
    names.find(|known| known.eq_ignore_ascii_case(name)).copied().unwrap_or(name)
}

/// Whether a document type declaration, without its first word, is that of Linuxdoc or of one of its translations.
pub(super) fn is_declared(doctype: &str) -> bool {
    let start = doctype.trim_ascii_start().as_bytes().get(..8);
    start.is_some_and(|start| start.eq_ignore_ascii_case(b"linuxdoc"))
}

fn role(element: &Element<'_>) -> Role {
    match element.local {
        "bf" | "sf" | "sl" | "rm" | "cparam" | "idx" | "cdx" | "label" => Role::Inline,
        "nidx" | "ncdx" | "comment" => Role::Dropped,
        "url" | "htmlurl" | "ref" => match attribute(element.attributes, "name") {
            Some(name) if !name.is_empty() => Role::Inserted(&["name"]),
            _ => Role::Inserted(&["url"]),
        },
        "verb" | "code" | "tscreen" => Role::Preformatted,
        "newline" => Role::Break,
        "colsep" => Role::Cell,
        "sect" | "rowsep" | "chapt" | "part" | "author" | "inst" | "date" | "tag" | "itemize"
        | "enum" | "descrip" | "quote" => Role::Block,
        local => vocabulary::role(local),
    }
}
