//! What is in braces: text, text apart from the rest, or arguments of which some are text.
//!
//! What is not to be text is taken away where its brace is closed, so nothing is read twice.

use super::Manual;
use super::command::Arguments;
use super::reader::Reader;

/// Commands with arguments inside each other (<=): the text of the innermost is copied for each of them.
const MAX_SPLITS: u32 = 4;

/// A brace that is open.
#[derive(Debug)]
pub(super) enum OpenBrace {
    /// Its content is text.
    Group,
    /// Its content is not.
    Hidden,
    /// Its content is a note; where its text begins.
    Note(usize),
    /// Its content is arguments; where the text of each begins.
    Arguments(Arguments, Vec<usize>),
}

impl Manual<'_> {
    /// Opens the brace of a command, if it has one.
    pub(super) fn open(&mut self, brace: OpenBrace, reader: &mut Reader) {
        if reader.peek() != Some('{') {
            return;
        }
        reader.next();
        let brace = match brace {
            // What is copied again and again is read as text.
            OpenBrace::Arguments(..) | OpenBrace::Note(_)
                if self.hidden > 0 || self.splits >= MAX_SPLITS =>
            {
                OpenBrace::Group
            }
            brace => brace,
        };
        self.hidden += u32::from(matches!(brace, OpenBrace::Hidden));
        self.splits += u32::from(matches!(brace, OpenBrace::Arguments(..) | OpenBrace::Note(_)));
        self.open.push(brace);
    }

    /// A comma, which may be between arguments.
    pub(super) fn comma(&mut self) {
        match self.open.last_mut() {
            Some(OpenBrace::Arguments(kind, starts)) if starts.len() < kind.most() => {
                starts.push(self.flow.len());
            }
            _ => self.text(","),
        }
    }

    pub(super) fn close(&mut self) {
        match self.open.pop() {
            None | Some(OpenBrace::Group) => {}
            Some(OpenBrace::Hidden) => self.hidden -= 1,
            Some(OpenBrace::Note(start)) => {
                self.splits -= 1;
                self.notes.push(self.flow.lift(start));
            }
            Some(OpenBrace::Arguments(kind, starts)) => {
                self.splits -= 1;
                let mut given: Vec<String> =
                    starts.iter().rev().map(|start| self.flow.lift(*start)).collect();
                given.reverse();
                self.arguments(kind, &given);
            }
        }
    }

    /// Sets what is shown of arguments.
    fn arguments(&mut self, kind: Arguments, given: &[String]) {
        let get = |n: usize| given.get(n).map_or("", |text| text.trim());
        let first_of = |order: &[usize]| {
            order.iter().map(|n| get(*n)).find(|text| !text.is_empty()).unwrap_or("")
        };
        match kind {
            Arguments::Reference => {
                self.shown(first_of(&[2, 1, 0]));
                self.within(first_of(&[4, 3]));
            }
            Arguments::Info => {
                self.shown(first_of(&[1, 0]));
                self.within(get(2));
            }
            Arguments::Last(_) => self.shown(first_of(&[2, 1, 0])),
            Arguments::Abbreviation => {
                self.shown(get(0));
                if !get(1).is_empty() {
                    self.shown(&format!(" ({})", get(1)));
                }
            }
            Arguments::Format => {
                if get(0) == "html" {
                    self.shown(get(1));
                }
            }
            Arguments::FormatElse => self.shown(get(if get(0) == "html" { 1 } else { 2 })),
            Arguments::Value(set) => {
                if self.values.contains_key(get(0)) == set {
                    self.shown(get(1));
                }
            }
            Arguments::Character => {
                let code = u32::from_str_radix(get(0), 16).ok();
                if let Some(c) = code.and_then(char::from_u32).filter(|c| !c.is_control()) {
                    self.shown(c.encode_utf8(&mut [0; 4]));
                }
            }
        }
    }

    fn shown(&mut self, text: &str) {
        self.is_line_empty &= text.is_empty();
        self.flow.text(text);
    }

    /// The manual that a reference leads to.
    fn within(&mut self, manual: &str) {
        if !manual.is_empty() {
            self.shown(" in ");
            self.shown(manual);
        }
    }
}
