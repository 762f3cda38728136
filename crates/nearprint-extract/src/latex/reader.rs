//! The source as a reader of TeX meets it: macros put their text in front of what is still to come.

mod arguments;
mod branches;
mod lookahead;
mod values;

use std::rc::Rc;

pub(super) use self::branches::{BranchEnd, is_condition};
pub(super) use self::values::Number;
use crate::error::{ExtractError, Reason};
use crate::work::Work;

/// Bytes that may be inserted for each byte of the source, beside what macros may produce: headings, labels
/// and notes are read once more, and are nested only now and then.
pub(super) const INSERTIONS: u64 = 16;

#[derive(Debug)]
struct Frame {
    text: String,
    at: usize,
}

impl Frame {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn is_read(&self) -> bool {
        self.at == self.text.len()
    }
}

/// A source, and what was inserted before the rest of it.
#[derive(Debug)]
pub(super) struct Reader {
    frames: Vec<Frame>,
    /// Bytes that may still be inserted.
    left: u64,
    exhausted: bool,
    /// Conditions whose branch is being read.
    pub(super) open_conditions: usize,
    work: Rc<Work>,
}

/// Characters that are more than text.
fn is_special(c: char) -> bool {
    matches!(c, '\\' | '{' | '}' | '$' | '&' | '~' | '%' | '^' | '_' | '"')
}

impl Reader {
    /// Reads `source`, in which macros may produce `budget` bytes.
    pub(super) fn new(source: &str, budget: u64, work: &Rc<Work>) -> Self {
        work.count(source.len());
        Self {
            frames: vec![Frame { text: source.to_owned(), at: 0 }],
            left: budget.saturating_add(INSERTIONS * source.len() as u64),
            exhausted: false,
            open_conditions: 0,
            work: Rc::clone(work),
        }
    }

    /// Refuses a document whose macros produce more than they may.
    pub(super) fn check(&self) -> Result<(), ExtractError> {
        if self.exhausted {
            return Err(ExtractError::new(
                Reason::ExpansionLimit,
                "the document's macros and groups expand to more than max_entity_bytes",
            ));
        }
        self.work.check()
    }

    /// Whether so many bytes may be inserted still; if not, [`Self::check`] refuses the document.
    pub(super) fn may_insert(&mut self, length: usize) -> bool {
        self.exhausted |= length as u64 >= self.left;
        !self.exhausted
    }

    /// The text before the next special character, perhaps empty; none at the end.
    pub(super) fn text_run(&mut self, short_verb: &[char]) -> Option<String> {
        self.peek()?;
        let frame = self.frames.last_mut()?;
        let rest = &frame.text[frame.at..];
        let special = |c| is_special(c) || short_verb.contains(&c);
        let length = rest.find(special).unwrap_or(rest.len());
        let run = rest[..length].to_owned();
        frame.at += length;
        Some(run)
    }

    pub(super) fn peek(&mut self) -> Option<char> {
        loop {
            match self.frames.last()?.rest().chars().next() {
                Some(c) => return Some(c),
                None if self.frames.len() == 1 => return None,
                None => {
                    self.frames.pop();
                }
            }
        }
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.frames.last_mut()?.at += c.len_utf8();
        Some(c)
    }

    /// Puts text before what is still to come.
    pub(super) fn insert(&mut self, text: &str) {
        if !self.spend(text.len()) {
            return;
        }
        // What calls itself at its end leaves no frames behind.
        while self.frames.len() > 1 && self.frames.last().is_some_and(Frame::is_read) {
            self.frames.pop();
        }
        self.frames.push(Frame { text: text.to_owned(), at: 0 });
    }

    /// Whether so many bytes can be made of the document; if not, [`Self::check`] refuses it.
    pub(super) fn spend(&mut self, length: usize) -> bool {
        match self.left.checked_sub(length as u64 + 1) {
            Some(left) => {
                self.left = left;
                self.work.count(length);
            }
            None => self.exhausted = true,
        }
        !self.exhausted
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    /// A comment, the end of its line and the blanks that begin the next.
    pub(super) fn skip_comment(&mut self) {
        while let Some(c) = self.next() {
            if c == '\n' {
                self.skip_line_blanks();
                return;
            }
        }
    }

    /// The name after a backslash: letters, or one other character.
    pub(super) fn command_name(&mut self) -> String {
        // A name ends where the text of a macro ends, whatever letters come after that.
        let mut name = self.frames.last_mut().map_or(String::new(), |frame| {
            let rest = frame.rest();
            let length =
                rest.find(|c: char| !(c.is_ascii_alphabetic() || c == '@')).unwrap_or(rest.len());
            let name = &rest[..length];
            // The mark after this one may be the sign that is a letter in the names of packages.
            let name = if name.starts_with("verb@") { "verb" } else { name }.to_owned();
            frame.at += name.len();
            name
        });
        if name.is_empty() {
            name.extend(self.next());
        } else {
            self.skip_name_end();
        }
        name
    }

    /// Blanks after a name only end it, and so does the end of its line; an empty line still ends the paragraph. Those
    /// after a macro whose text ends with a name are its own.
    pub(super) fn skip_name_end(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let rest = frame.rest();
        let mut next = rest.trim_start_matches([' ', '\t']);
        if let Some(line) = next.strip_prefix('\n') {
            let line = line.trim_start_matches([' ', '\t']);
            if !line.is_empty() && !line.starts_with(['\n', '\r']) {
                next = line;
            }
        }
        frame.at += rest.len() - next.len();
    }

    fn skip_line_blanks(&mut self) {
        while self.peek().is_some_and(|c| c == ' ' || c == '\t') {
            self.next();
        }
    }

    /// A star after a command.
    pub(super) fn star(&mut self) {
        if self.peek() == Some('*') {
            self.next();
        }
    }

    /// Whether the command just read stands for its own name, as those of products do that are defined in another
    /// file: `\GAP{}`, `\GAP\ ` or, in a group of its own, `{\GAP}`.
    pub(super) fn is_name(&self, name: &str) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        let plausible = name.len() > 1
            && name.bytes().all(|b| b.is_ascii_alphabetic())
            && !name.starts_with("text")
            && !name.ends_with("box");
        let rest = frame.rest();
        let alone = || {
            let before = frame.text[..frame.at].strip_suffix(name);
            let before = before.and_then(|text| text.strip_suffix("{\\"));
            // A group after a command is its argument.
            let is_argument = |c: char| c.is_ascii_alphabetic() || "]}*".contains(c);
            rest.starts_with('}') && before.is_some_and(|text| !text.ends_with(is_argument))
        };
        plausible && (rest.starts_with("{}") || rest.starts_with("\\ ") || alone())
    }

    /// Up to the next opening brace.
    pub(super) fn until_group(&mut self) -> String {
        let mut text = String::new();
        while let Some(c) = self.peek().filter(|c| *c != '{') {
            self.next();
            match c {
                '%' => self.skip_comment(),
                c => text.push(c),
            }
        }
        text
    }

    /// Up to `end`, which is skipped; without it, the rest of the innermost text.
    pub(super) fn until(&mut self, end: &str) -> String {
        self.peek();
        let Some(frame) = self.frames.last_mut() else { return String::new() };
        let rest = &frame.text[frame.at..];
        let (text, length) = match rest.find(end) {
            Some(at) => (rest[..at].to_owned(), at + end.len()),
            None => (rest.to_owned(), rest.len()),
        };
        frame.at += length;
        text
    }
}
