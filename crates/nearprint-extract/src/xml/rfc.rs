//! xml2rfc, both versions: what its renderings write out of attributes is text, too.

use super::attributes::attribute;
use super::vocabulary::{self, Element, Role, Vocabulary};

/// The vocabulary of documents whose root is `rfc`.
pub(super) static RFC: Vocabulary = Vocabulary {
    role,
    text_in: None,
    dropped_inside: &[("reference", "abstract")],
    // References are written as authors, title, series, date.
    moved: &[
        ("title", "reference", 1),
        ("refcontent", "reference", 2),
        ("seriesInfo", "reference", 3),
        ("date", "reference", 4),
        ("annotation", "reference", 5),
    ],
    unclosed: &[],
};

fn role(element: &Element<'_>) -> Role {
    let has = |name: &str| has(element.attributes, name);
    match element.local {
        // The contents are navigation; postal addresses belong to the authors.
        "toc" | "address" | "link" | "organization" | "keyword" => Role::Dropped,
        // A cell of `texttable`, which TEI has for characters.
        "c" => Role::Cell,
        "reference" => Role::Attributes(&["anchor"]),
        "author" if attribute(element.attributes, "role") == Some("editor") => {
            Role::Attributes(&["surname", "initials", "=Ed."])
        }
        "author" => Role::Attributes(&["surname", "initials"]),
        "date" => Role::Attributes(&["month", "year"]),
        "contact" if element.empty => Role::Inserted(&["fullname"]),
        "seriesInfo" => Role::Attributes(&["name", "value"]),
        // The second version keeps its headings in attributes.
        "section" | "note" | "texttable" | "references" | "figure" if has("title") => {
            Role::Attributes(&["title"])
        }
        "xref" | "relref" => match reference(element.attributes) {
            // Most have no text, and are one tag. Others have two, and perhaps a text.
            Role::Inserted(names) if !element.empty => Role::Default(names),
            role => role,
        },
        _ => vocabulary::role(element.local),
    }
}

/// A reference without words of its own is rendered as its target, or as "Section" and a number, or as
/// both. The second version of the vocabulary had the number in an extension (`x:sec`, `x:fmt`).
fn reference(attributes: &str) -> Role {
    let has = |name: &str| has(attributes, name);
    let format = attribute(attributes, "sectionFormat").or(attribute(attributes, "x:fmt"));
    if has("x:sec") {
        return match format.unwrap_or("of") {
            "sec" => Role::Inserted(&["=Section", "x:sec"]),
            "number" => Role::Inserted(&["x:sec"]),
            "," | "()" => Role::Inserted(&["target", "=Section", "x:sec"]),
            _ => Role::Inserted(&["=Section", "x:sec", "=of", "target"]),
        };
    }
    let lettered = attribute(attributes, "section")
        .is_some_and(|section| section.starts_with(|c: char| c.is_ascii_alphabetic()));
    let after = matches!(format, Some("comma" | "parens"));
    match (has("section"), has("derivedContent")) {
        (true, _) if format == Some("bare") => Role::Inserted(&["section"]),
        (true, true) if after => Role::Inserted(&["derivedContent", "=Section", "section"]),
        (true, false) if after => Role::Inserted(&["target", "=Section", "section"]),
        (true, true) if lettered => {
            Role::Inserted(&["=Appendix", "section", "=of", "derivedContent"])
        }
        (true, true) => Role::Inserted(&["=Section", "section", "=of", "derivedContent"]),
        (true, false) => Role::Inserted(&["=Section", "section", "=of", "target"]),
        (false, true) => Role::Inserted(&["derivedContent"]),
        // The number of the section alone, which is counted only when the document is rendered.
        (false, false) if matches!(attribute(attributes, "format"), Some("counter" | "none")) => {
            Role::Inline
        }
        // Bibliographies have labels in capitals, sections anchors in small letters.
        (false, false) => match attribute(attributes, "target") {
            Some(target) if target.starts_with(char::is_uppercase) => Role::Inserted(&["target"]),
            _ => Role::Inserted(&["=Section"]),
        },
    }
}

fn has(attributes: &str, name: &str) -> bool {
    attribute(attributes, name).is_some_and(|value| !value.is_empty())
}
