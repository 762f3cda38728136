//! Linuxdoc, the SGML of the HOWTOs: most of its elements have no end tag, and short ones are written `<tt/text/`.

use super::scanner::attribute;
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
        "rowsep" | "chapt" | "part" | "author" | "inst" | "date" | "tag" | "itemize" | "enum"
        | "descrip" | "quote" => Role::Block,
        local => vocabulary::role(local),
    }
}
