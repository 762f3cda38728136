//! Superscripts and subscripts of HTML. One that is in a link or holds one, or whose attributes name a note, is the
//! mark of a note and stays as it is.

use super::element::{Element, Kind, Role};
use super::tokenizer::Tag;
use crate::flow::Flow;
use crate::superscript::{Position, Superscript};

/// Parts of the names of classes of note marks.
const NOTE_MARKS: [&str; 4] = ["note", "ref", "cit", "fn"];

/// Notes where a superscript begins, or that an open one holds something else than text.
pub(super) fn begin(superscript: &mut Superscript, tag: Tag<'_>, element: Element, flow: &Flow) {
    if element.kind == Kind::Math {
        superscript.begin_math();
    } else if is_anchor(tag) {
        superscript.begin_link(flow);
    } else if element.role != Role::Inline {
        superscript.leave();
    } else {
        if let Some(position) = position(tag) {
            superscript.begin(position, flow);
        }
        if superscript.is_open() && is_note_mark(tag) {
            superscript.leave();
        }
    }
}

/// Changes the superscript that ends with a tag.
pub(super) fn end(superscript: &mut Superscript, tag: Tag<'_>, element: Element, flow: &mut Flow) {
    if is_anchor(tag) {
        superscript.end_link();
    } else if element.role != Role::Inline {
        superscript.leave();
    } else if position(tag).is_some() {
        superscript.end(flow);
    }
}

fn position(tag: Tag<'_>) -> Option<Position> {
    if tag.name.len() != 3 {
        return None;
    }
    let is = |name: &str| tag.name.eq_ignore_ascii_case(name);
    if is("sup") { Some(Position::Above) } else { is("sub").then_some(Position::Below) }
}

fn is_anchor(tag: Tag<'_>) -> bool {
    tag.name.eq_ignore_ascii_case("a")
}

fn is_note_mark(tag: Tag<'_>) -> bool {
    tag.has_attributes()
        && tag.attributes().any(|(name, value)| {
            name.eq_ignore_ascii_case("id")
                || name.eq_ignore_ascii_case("class")
                    && NOTE_MARKS.iter().any(|class| value.contains(class))
        })
}
