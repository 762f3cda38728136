//! What the elements of Office Open XML and of OpenDocument are to the text, in packages and in flat documents.

use crate::xml::{Element, Role, attribute, prefixed_attribute};

/// An element of Office Open XML.
pub(super) fn ooxml(element: &Element<'_>) -> Role {
    let attributes = element.attributes;
    let off = |value| matches!(value, Some("0" | "false" | "off"));
    match element.local {
        "p" | "tr" | "sp" | "footnote" | "endnote" | "txbxContent" | "br" | "cr" => Role::Block,
        "tc" => Role::Cell,
        "tab" | "ptab" => Role::Break,
        "noBreakHyphen" => Role::Text("\u{2011}"),
        // Deleted and moved text, older forms of newer drawings, ruby, comments.
        "del" | "moveFrom" | "Fallback" | "rt" | "comment" => Role::Dropped,
        "vanish" if !off(prefixed_attribute(attributes, "val")) => Role::Hides("r"),
        // Page furniture of slides.
        "ph" if matches!(attribute(attributes, "type"), Some("sldNum" | "ftr" | "dt" | "hdr")) => {
            Role::Hides("sp")
        }
        "sld" if off(attribute(attributes, "show")) => Role::Dropped,
        _ => Role::Inline,
    }
}

/// An element of OpenDocument.
pub(super) fn opendocument(element: &Element<'_>) -> Role {
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
