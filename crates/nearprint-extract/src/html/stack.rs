//! The open elements of a page: only what is needed to know where blocks, hidden parts and articles end.
//!
//! Every operation is constant time, pops amortised: pages that open a million elements, or close a million
//! that are not open, cost what their length costs. Elements of one kind are linked, so that the innermost
//! one is found without a walk.

use super::element::Kind;

/// Distinguishes unknown and inline names: two names in one slot count as one, which can only misplace the
/// end of a hidden part of a page that uses both inside each other.
const SLOTS: usize = 61;
const NONE: u32 = u32::MAX;

/// Which elements count as the same when an end tag looks for its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name(u8);

impl Name {
    pub(super) fn new(kind: Kind, name: &str) -> Self {
        if matches!(kind, Kind::Unknown | Kind::Inline | Kind::Block | Kind::Dropped) {
            let hash = name
                .bytes()
                .fold(7u32, |h, b| h.wrapping_mul(31).wrapping_add(u32::from(b | 0x20)));
            return Self((Kind::COUNT + hash as usize % SLOTS) as u8);
        }
        Self(kind as u8)
    }

    pub(super) fn of_kind(kind: Kind) -> Self {
        Self(kind as u8)
    }
}

/// What an element does to the text inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Kept,
    /// Not part of the text.
    Dropped,
    /// A form, or the head or foot of a page, that began when the text had `start` bytes; `outer` is
    /// whether the one around it had shown content by then.
    Form {
        start: usize,
        outer: bool,
    },
}

#[derive(Debug)]
struct Open {
    name: Name,
    /// The next outer element of the same name.
    outer: u32,
    /// The innermost cell, caption or table outside this element.
    wall: u32,
    content: Content,
}

/// The open elements, outermost first.
#[derive(Debug)]
pub(super) struct Stack {
    open: Vec<Open>,
    innermost: [u32; Kind::COUNT + SLOTS],
    /// The innermost element that end tags of other elements do not reach through.
    wall: u32,
    dropped: u32,
}

impl Stack {
    pub(super) fn new() -> Self {
        Self { open: Vec::new(), innermost: [NONE; Kind::COUNT + SLOTS], wall: NONE, dropped: 0 }
    }

    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether the text here is left out.
    pub(super) fn is_dropping(&self) -> bool {
        self.dropped > 0
    }

    pub(super) fn has(&self, kind: Kind) -> bool {
        self.innermost[kind as usize] != NONE
    }

    pub(super) fn push(&mut self, name: Name, content: Content) {
        let at = self.open.len() as u32;
        let slot = usize::from(name.0);
        self.open.push(Open { name, outer: self.innermost[slot], wall: self.wall, content });
        self.innermost[slot] = at;
        if [Kind::Table, Kind::Cell, Kind::Caption].iter().any(|k| *k as u8 == name.0) {
            self.wall = at;
        }
        self.dropped += u32::from(content == Content::Dropped);
    }

    /// The place of the innermost `name` that an end tag here reaches: not through the wall of a table.
    pub(super) fn reach(&self, name: Name) -> Option<usize> {
        let at = self.innermost[usize::from(name.0)];
        (at != NONE && (self.wall == NONE || at >= self.wall)).then_some(at as usize)
    }

    /// The place of the innermost `name`, if it is inside the innermost of `within` (or there is none).
    pub(super) fn inside(&self, name: Kind, within: &[Kind]) -> Option<usize> {
        let at = self.innermost[name as usize];
        let open = at != NONE
            && within.iter().all(|w| {
                let outer = self.innermost[*w as usize];
                outer == NONE || outer < at
            });
        open.then_some(at as usize)
    }

    /// Closes the element at `at` and all inside it; gives the `start` and `outer` of each form that closes
    /// so, the outermost last.
    pub(super) fn close(&mut self, at: usize, mut form: impl FnMut(usize, bool)) {
        while self.open.len() > at {
            let Some(open) = self.open.pop() else { return };
            self.innermost[usize::from(open.name.0)] = open.outer;
            self.wall = open.wall;
            match open.content {
                Content::Kept => {}
                Content::Dropped => self.dropped -= 1,
                Content::Form { start, outer } => form(start, outer),
            }
        }
    }
}
