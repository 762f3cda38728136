//! How the vocabularies say that text is above or below the line: by elements, or by properties and styles of text.

use std::collections::HashMap;

use super::attributes::{attribute, prefixed_attribute};
use super::vocabulary::{Element, Role};
use super::{Document, MISMATCH_REACH, local};
use crate::superscript::Position;

/// The element whose text is in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// The one that says so.
    Element,
    /// The innermost open one of this name, from here on.
    Outer(&'static str),
}

/// What an element says of the position of text.
fn position(element: &Element<'_>) -> Option<(Position, Scope)> {
    let attributes = element.attributes;
    let run = |position| (position, Scope::Outer("r"));
    let own = |position| (position, Scope::Element);
    match element.local {
        "sup" | "superscript" => Some(own(Position::Above)),
        "sub" | "subscript" => Some(own(Position::Below)),
        // TEI.
        "hi" => {
            let value = attribute(attributes, "rend").or(attribute(attributes, "rendition"));
            value.and_then(named).map(own)
        }
        // Properties of a run in documents and in presentations.
        "vertAlign" => prefixed_attribute(attributes, "val").and_then(named).map(run),
        "rPr" => attribute(attributes, "baseline").and_then(shifted).map(run),
        _ => None,
    }
}

fn named(value: &str) -> Option<Position> {
    match value.trim().trim_start_matches('#') {
        "sup" | "super" | "superscript" => Some(Position::Above),
        "sub" | "subscript" => Some(Position::Below),
        _ => None,
    }
}

/// The position of text that is shifted by a number.
fn shifted(value: &str) -> Option<Position> {
    let value = value.trim();
    let digits = value.trim_start_matches('-').trim_end_matches('%');
    if digits.is_empty() || digits.bytes().all(|digit| digit == b'0') {
        return None;
    }
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let position = if value.starts_with('-') { Position::Below } else { Position::Above };
    is_number.then_some(position)
}

/// Whether an element is a link, or the mark of a note.
fn is_link(local: &str) -> bool {
    matches!(
        local,
        "a" | "xref"
            | "ref"
            | "link"
            | "ulink"
            | "olink"
            | "ext-link"
            | "footnoteref"
            | "hyperlink"
            | "bookmark-ref"
            | "reference-ref"
    )
}

/// The styles of OpenDocument that put text above or below the line.
#[derive(Debug, Default)]
pub(super) struct Styles<'a> {
    /// The name of the style that is described.
    name: Option<&'a str>,
    positions: HashMap<&'a str, Position>,
}

impl<'a> Styles<'a> {
    /// The position of the text in an element, which may be a part of a style instead.
    fn read(&mut self, element: &Element<'a>) -> Option<Position> {
        match element.local {
            "style" => self.name = prefixed_attribute(element.attributes, "name"),
            "text-properties" => {
                let value = prefixed_attribute(element.attributes, "text-position");
                let first = value.and_then(|value| value.split_ascii_whitespace().next());
                if let Some(position) = first.and_then(|value| named(value).or(shifted(value)))
                    && let Some(name) = self.name
                {
                    self.positions.insert(name, position);
                }
            }
            "span" if !self.positions.is_empty() => {
                let name = prefixed_attribute(element.attributes, "style-name")?;
                return self.positions.get(name).copied();
            }
            _ => {}
        }
        None
    }
}

impl<'a> Document<'a> {
    /// Notes where text above or below the line begins. Returns whether that is the text of this element.
    pub(super) fn begin_superscript(&mut self, element: &Element<'a>, role: Role) -> bool {
        let Self { superscript, flow, .. } = self;
        if is_link(element.local) && !element.empty {
            superscript.begin_link(flow);
            return false;
        }
        let styled = self.styles.read(element).map(|position| (position, Scope::Element));
        let Some((position, scope)) = styled.or_else(|| position(element)) else {
            if superscript.is_open() && role != Role::Inline {
                superscript.leave();
            }
            return false;
        };
        match scope {
            Scope::Element if element.empty => return false,
            Scope::Element => {}
            Scope::Outer(name) => {
                let mut open = self.open.iter_mut().rev().take(MISMATCH_REACH);
                let Some(run) = open.find(|open| local(open.name) == name) else { return false };
                if std::mem::replace(&mut run.is_superscript, true) {
                    return false;
                }
            }
        }
        superscript.begin(position, flow);
        scope == Scope::Element
    }

    /// Changes the text above or below the line that ends with an element.
    pub(super) fn end_superscript(&mut self, local: &str, is_superscript: bool) {
        let Self { superscript, flow, .. } = self;
        if is_superscript {
            superscript.end(flow);
        } else if is_link(local) {
            superscript.end_link();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_named_or_numbers() {
        for (value, expected) in [
            ("super", Some(Position::Above)),
            ("sub", Some(Position::Below)),
            ("33%", Some(Position::Above)),
            ("-33%", Some(Position::Below)),
            ("30000", Some(Position::Above)),
            ("0%", None),
            ("", None),
            ("-", None),
            ("baseline", None),
        ] {
            assert_eq!(named(value).or(shifted(value)), expected, "{value}");
        }
    }
}
