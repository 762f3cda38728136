//! The open elements of a page: only what is needed to know where blocks, hidden parts and articles end.
//!
//! Every operation is constant time, pops amortised: pages that open a million elements, or close a million
//! that are not open, cost what their length costs. Elements of one name, and those of one kind, are linked,
//! so that the innermost one is found without a walk. Names are compared whole: known ones by their number,
//! all others by their letters. Of those, only names of elements that are open are kept, as slices of the
//! page, so the limit on depth bounds them too.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use super::element::{Element, Kind};

const NONE: u32 = u32::MAX;

/// What an end tag looks for: an element and, of one that is not known, its name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name<'a> {
    pub(super) element: Element,
    custom: Custom<'a>,
}

impl<'a> Name<'a> {
    pub(super) fn new(name: &'a str) -> Self {
        Self { element: Element::named(name), custom: Custom(name) }
    }
}

/// The name of an element that is not known; the case of ASCII letters is not a difference.
#[derive(Debug, Clone, Copy)]
struct Custom<'a>(&'a str);

impl PartialEq for Custom<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(other.0)
    }
}

impl Eq for Custom<'_> {}

impl Hash for Custom<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // In pieces, because a hasher is slow to take one byte at a time.
        for piece in self.0.as_bytes().chunks(16) {
            let mut lower = [0; 16];
            for (to, from) in lower.iter_mut().zip(piece) {
                *to = from.to_ascii_lowercase();
            }
            state.write(&lower[..piece.len()]);
        }
        state.write_u8(0xFF);
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
struct Open<'a> {
    name: Name<'a>,
    content: Content,
    /// Whether it has ended, while elements inside it are still open.
    ended: bool,
    /// The next outer element of the same name.
    outer_of_name: u32,
    /// The next outer element of the same kind.
    outer_of_kind: u32,
    /// What the stack had for these when the element began.
    outside: Innermost,
}

/// The innermost elements with some property.
#[derive(Debug, Clone, Copy)]
struct Innermost {
    /// One that end tags of other elements do not reach through.
    wall: u32,
    special: u32,
    /// The drawing or formula that is open, if what is inside it now is part of it and not HTML again.
    foreign: u32,
}

/// The open elements, outermost first.
#[derive(Debug)]
pub(super) struct Stack<'a> {
    open: Vec<Open<'a>>,
    of_kind: [u32; Kind::COUNT],
    of_name: [u32; Element::COUNT],
    of_custom_name: HashMap<Custom<'a>, u32>,
    innermost: Innermost,
    dropped: u32,
}

impl<'a> Stack<'a> {
    pub(super) fn new() -> Self {
        Self {
            open: Vec::new(),
            of_kind: [NONE; Kind::COUNT],
            of_name: [NONE; Element::COUNT],
            of_custom_name: HashMap::new(),
            innermost: Innermost { wall: NONE, special: NONE, foreign: NONE },
            dropped: 0,
        }
    }

    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether the text here is left out.
    pub(super) fn is_dropping(&self) -> bool {
        self.dropped > 0
    }

    pub(super) fn has(&self, kind: Kind) -> bool {
        self.of_kind[kind as usize] != NONE
    }

    /// The drawing or formula that the place here is part of.
    pub(super) fn foreign(&self) -> Option<usize> {
        place(self.innermost.foreign)
    }

    pub(super) fn push(&mut self, name: Name<'a>, content: Content) {
        let at = self.open.len() as u32;
        let element = name.element;
        let outer_of_name = self.of_name(name);
        let outer_of_kind = std::mem::replace(&mut self.of_kind[element.kind as usize], at);
        self.set_name(name, at);
        self.open.push(Open {
            name,
            content,
            ended: false,
            outer_of_name,
            outer_of_kind,
            outside: self.innermost,
        });
        if element.is_wall() {
            self.innermost.wall = at;
        }
        if element.is_special() {
            self.innermost.special = at;
        }
        if element.begins_foreign() && self.innermost.foreign == NONE {
            self.innermost.foreign = at;
        } else if element.kind == Kind::Foreign {
            self.innermost.foreign = NONE;
        }
        self.dropped += u32::from(content == Content::Dropped);
    }

    fn of_name(&self, name: Name<'_>) -> u32 {
        if name.element == Element::UNKNOWN {
            return self.of_custom_name.get(&name.custom).copied().unwrap_or(NONE);
        }
        self.of_name[name.element.number()]
    }

    fn set_name(&mut self, name: Name<'a>, at: u32) {
        if name.element != Element::UNKNOWN {
            self.of_name[name.element.number()] = at;
        } else if at == NONE {
            self.of_custom_name.remove(&name.custom);
        } else {
            self.of_custom_name.insert(name.custom, at);
        }
    }

    /// The place of the innermost element of this name, wherever it is.
    pub(super) fn find(&self, name: Name<'_>) -> Option<usize> {
        place(self.of_name(name))
    }

    /// The place of the innermost element of this name that an end tag here reaches: not through a wall.
    pub(super) fn reach(&self, name: Name<'_>) -> Option<usize> {
        self.before_wall(self.of_name(name))
    }

    /// Like [`Self::reach`], of a kind.
    pub(super) fn reach_kind(&self, kind: Kind) -> Option<usize> {
        self.before_wall(self.of_kind[kind as usize])
    }

    fn before_wall(&self, at: u32) -> Option<usize> {
        let wall = self.innermost.wall;
        place(at).filter(|_| wall == NONE || at >= wall)
    }

    /// The place of the innermost element of this kind, if it is inside the innermost of each of `within` that
    /// is open.
    pub(super) fn inside(&self, kind: Kind, within: &[Kind]) -> Option<usize> {
        self.within(self.of_kind[kind as usize], within)
    }

    /// Like [`Self::inside`], of a name.
    pub(super) fn named_inside(&self, name: Name<'_>, within: &[Kind]) -> Option<usize> {
        self.within(self.of_name(name), within)
    }

    fn within(&self, at: u32, within: &[Kind]) -> Option<usize> {
        place(at).filter(|_| {
            within.iter().all(|kind| {
                let outer = self.of_kind[*kind as usize];
                outer == NONE || outer < at
            })
        })
    }

    /// The place of the innermost element of all, if it is of this kind.
    pub(super) fn top(&self, kind: Kind) -> Option<usize> {
        self.open.last().filter(|open| open.name.element.kind == kind).map(|_| self.open.len() - 1)
    }

    /// Whether a special element is open inside the one at `at`.
    pub(super) fn has_special_inside(&self, at: usize) -> bool {
        self.innermost.special != NONE && self.innermost.special as usize > at
    }

    /// Ends the element at `at`, the innermost of its name, and leaves those open that are inside it.
    pub(super) fn end_alone(&mut self, at: usize) {
        let Some(open) = self.open.get_mut(at).filter(|open| !open.ended) else { return };
        open.ended = true;
        let (name, outer) = (open.name, open.outer_of_name);
        if open.content == Content::Dropped {
            open.content = Content::Kept;
            self.dropped -= 1;
        }
        self.set_name(name, outer);
    }

    /// Closes the element at `at` and all inside it; gives the `start` and `outer` of each form that closes
    /// so, the outermost last.
    pub(super) fn close(&mut self, at: usize, mut form: impl FnMut(usize, bool)) {
        while self.open.len() > at {
            let Some(open) = self.open.pop() else { return };
            if !open.ended {
                self.set_name(open.name, open.outer_of_name);
            }
            self.of_kind[open.name.element.kind as usize] = open.outer_of_kind;
            self.innermost = open.outside;
            match open.content {
                Content::Kept => {}
                Content::Dropped => self.dropped -= 1,
                Content::Form { start, outer } => form(start, outer),
            }
        }
    }
}

fn place(at: u32) -> Option<usize> {
    (at != NONE).then_some(at as usize)
}
