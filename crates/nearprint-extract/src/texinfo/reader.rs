//! The source as makeinfo meets it: macros and values put their text in front of what is still to come.

use std::rc::Rc;

use crate::error::{ExtractError, Reason};
use crate::sniff::texinfo::{begins_with_name, is_named};
use crate::work::Work;

/// Bytes that may be inserted for each byte of the source, beside what macros may produce: what is inserted is read
/// once more.
const INSERTIONS: u64 = 16;

/// Macros under way inside each other (<=).
const MAX_FRAMES: usize = 1000;

#[derive(Debug)]
struct Frame {
    text: Rc<str>,
    at: usize,
}

/// A source, and what was inserted before the rest of it.
#[derive(Debug)]
pub(super) struct Reader {
    frames: Vec<Frame>,
    /// Bytes that may still be inserted.
    left: u64,
    exhausted: bool,
    /// Environments of which the source has no further end.
    endless: Vec<String>,
    work: Rc<Work>,
}

/// What comes next in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Characters that mean nothing else.
    Text(Rc<str>, std::ops::Range<usize>),
    /// A command, whose at sign was read.
    Command,
    /// An opening brace.
    Open,
    /// A closing one.
    Close,
    Comma,
    LineEnd,
}

impl Reader {
    /// Reads `source`, in which macros may produce `budget` bytes.
    pub(super) fn new(source: &str, budget: u64, work: &Rc<Work>) -> Self {
        Self {
            frames: vec![Frame { text: source.into(), at: 0 }],
            left: budget.saturating_add(INSERTIONS * source.len() as u64),
            exhausted: false,
            endless: Vec::new(),
            work: Rc::clone(work),
        }
    }

    /// Refuses a document whose macros produce more than they may.
    pub(super) fn check(&self) -> Result<(), ExtractError> {
        if self.exhausted {
            return Err(ExtractError::new(
                Reason::ExpansionLimit,
                "the document's macros and values expand to more than max_entity_bytes",
            ));
        }
        self.work.check()
    }

    /// Puts text before what is still to come.
    pub(super) fn insert(&mut self, text: Rc<str>) {
        let left = self.left.checked_sub(text.len() as u64 + 1);
        self.rest();
        if left.is_none() || self.frames.len() >= MAX_FRAMES {
            self.exhausted = true;
            return;
        }
        self.left = left.unwrap_or(0);
        self.work.count(text.len());
        self.frames.push(Frame { text, at: 0 });
    }

    /// Whether so many bytes may be inserted still; if not, [`Self::check`] refuses the document.
    pub(super) fn may_insert(&mut self, length: usize) -> bool {
        self.exhausted |= length as u64 >= self.left;
        !self.exhausted
    }

    /// The innermost text that is not read to its end, and the rest of it.
    fn rest(&mut self) -> Option<&mut Frame> {
        while self.frames.len() > 1 && self.frames.last().is_some_and(|f| f.at >= f.text.len()) {
            self.frames.pop();
        }
        self.frames.last_mut().filter(|frame| frame.at < frame.text.len())
    }

    pub(super) fn peek(&mut self) -> Option<char> {
        let frame = self.rest()?;
        frame.text[frame.at..].chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let frame = self.rest()?;
        let c = frame.text[frame.at..].chars().next()?;
        frame.at += c.len_utf8();
        Some(c)
    }

    /// The next piece; none at the end.
    pub(super) fn piece(&mut self) -> Option<Piece> {
        let frame = self.rest()?;
        let bytes = &frame.text.as_bytes()[frame.at..];
        let is_special = |byte: &u8| matches!(byte, b'@' | b'{' | b'}' | b',' | b'\n');
        let length = bytes.iter().position(is_special).unwrap_or(bytes.len());
        if length > 0 {
            let range = frame.at..frame.at + length;
            frame.at = range.end;
            return Some(Piece::Text(Rc::clone(&frame.text), range));
        }
        let piece = match bytes[0] {
            b'@' => Piece::Command,
            b'{' => Piece::Open,
            b'}' => Piece::Close,
            b',' => Piece::Comma,
            _ => Piece::LineEnd,
        };
        frame.at += 1;
        Some(piece)
    }

    /// The name after an at sign: letters, or one other character.
    pub(super) fn name(&mut self) -> String {
        let Some(frame) = self.rest() else { return String::new() };
        let rest = &frame.text[frame.at..];
        let mut length = rest.find(|c| !is_named(c)).unwrap_or(rest.len());
        if rest.starts_with(['-', '_']) || length == 0 {
            length = rest.chars().next().map_or(0, char::len_utf8);
        }
        let name = rest[..length].to_owned();
        frame.at += length;
        name
    }

    pub(super) fn skip_blanks(&mut self) {
        if let Some(frame) = self.rest() {
            let rest = &frame.text[frame.at..];
            frame.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
        }
    }

    /// The rest of the line, without a comment; the line's end is still to come.
    pub(super) fn line(&mut self) -> String {
        let Some(frame) = self.rest() else { return String::new() };
        let rest = &frame.text[frame.at..];
        let line = &rest[..memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len())];
        frame.at += line.len();
        let comment = line.match_indices("@c").map(|(at, _)| at).find(|at| {
            let name = &line[at + 1..];
            begins_with_name(name, "c") || begins_with_name(name, "comment")
        });
        line[..comment.unwrap_or(line.len())].trim().to_owned()
    }

    /// The rest of the line, without a comment, and passes over its end.
    pub(super) fn whole_line(&mut self) -> String {
        let line = self.line();
        self.skip_line();
        line
    }

    /// Passes over the rest of the line with its end.
    pub(super) fn skip_line(&mut self) {
        if let Some(frame) = self.rest() {
            let rest = &frame.text.as_bytes()[frame.at..];
            frame.at += memchr::memchr(b'\n', rest).map_or(rest.len(), |length| length + 1);
        }
    }

    /// The next word of the line.
    pub(super) fn word(&mut self) -> String {
        self.skip_blanks();
        let Some(frame) = self.rest() else { return String::new() };
        let rest = &frame.text[frame.at..];
        let word = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
        frame.at += word.len();
        word.to_owned()
    }

    /// Passes over all that is still to come.
    pub(super) fn skip_all(&mut self) {
        self.frames.truncate(1);
        if let Some(frame) = self.frames.last_mut() {
            frame.at = frame.text.len();
        }
    }

    /// Up to `end`, which is skipped; without it, the rest of the innermost text.
    pub(super) fn until(&mut self, end: &str) -> String {
        let Some(frame) = self.rest() else { return String::new() };
        let rest = &frame.text[frame.at..];
        let (text, length) = match rest.find(end) {
            Some(at) => (&rest[..at], at + end.len()),
            None => (rest, rest.len()),
        };
        let text = text.to_owned();
        frame.at += length;
        text
    }

    /// A group in braces, if one comes next, without them; at the end of the text, what there is.
    pub(super) fn group(&mut self) -> Option<String> {
        self.skip_blanks();
        let frame = self.rest()?;
        let inside = frame.text[frame.at..].strip_prefix('{')?;
        let (mut depth, mut escaped) = (0usize, false);
        let mut end = inside.len();
        for (at, byte) in inside.bytes().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                // Of macros and of commands: both take the meaning of a brace.
                b'\\' | b'@' => escaped = true,
                b'{' => depth += 1,
                b'}' if depth == 0 => {
                    end = at;
                    break;
                }
                b'}' => depth -= 1,
                _ => {}
            }
        }
        let group = inside[..end].to_owned();
        frame.at += (end + 2).min(inside.len() + 1);
        self.work.count(group.len());
        Some(group)
    }

    /// The lines up to the `@end` of the environment `name`, whose beginning was read; others of its name may be in it
    /// if it `nests`. None, and nothing is passed over, where the source has no such end.
    pub(super) fn environment(&mut self, name: &str, nests: bool) -> Option<String> {
        if self.frames.len() == 1 && self.endless.iter().any(|endless| endless == name) {
            return None;
        }
        let is_source = self.frames.len() == 1;
        let work = Rc::clone(&self.work);
        let frame = self.rest()?;
        let line = &frame.text.as_bytes()[frame.at..];
        let begin = frame.at + memchr::memchr(b'\n', line).map_or(line.len(), |length| length + 1);
        let rest = &frame.text[begin..];
        let mut depth = 0usize;
        for at in memchr::memchr_iter(b'@', rest.as_bytes()) {
            let before = rest[..at].bytes().next_back();
            if !before.is_none_or(|byte| byte.is_ascii_whitespace()) {
                continue;
            }
            let command = &rest[at + 1..];
            let ended = command.strip_prefix("end").and_then(|rest| {
                let named = rest.trim_start_matches([' ', '\t']);
                (named.len() < rest.len()).then_some(named)
            });
            if ended.is_some_and(|ended| begins_with_name(ended, name)) {
                if depth == 0 {
                    let text = rest[..at].to_owned();
                    work.count(text.len());
                    frame.at = begin + at;
                    self.skip_line();
                    return Some(text);
                }
                depth -= 1;
            } else if nests && begins_with_name(command, name) {
                depth += 1;
            }
        }
        work.count(rest.len());
        if is_source {
            self.endless.push(name.to_owned());
        } else {
            frame.at = frame.text.len();
        }
        None
    }

    /// Whether the source has an environment without an end.
    pub(super) fn is_endless(&self) -> bool {
        !self.endless.is_empty()
    }
}
