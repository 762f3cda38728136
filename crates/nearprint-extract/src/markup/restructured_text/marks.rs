//! Where inline markup of reStructuredText begins and ends, by the "Inline markup recognition rules" of its
//! specification: what stands before and behind decides, so `2*3*4`, `dma_sync_*` and `XDP_{RX|TX}` are text.

use std::cell::Cell;

use crate::work::Work;

/// Characters of the longest name of a role.
const LONGEST_ROLE: usize = 100;

/// Punctuation behind which markup begins, and before which it ends.
const OPENERS: &str = "'\"([{<";
const CLOSERS: &str = "'\")]}>";
const DELIMITERS: &str = "-/:";
/// A backslash makes the next character be none that continues a word.
const CLOSING_DELIMITERS: &str = ".,;!?\\";

/// The specification names categories of Unicode; beyond ASCII whatever is not in words is among them here.
fn is_punctuation(c: char) -> bool {
    !c.is_ascii() && !c.is_alphanumeric()
}

/// Whether markup begins between these characters: none is the beginning or the end of the text.
pub(super) fn begins(before: Option<char>, after: Option<char>) -> bool {
    let Some(after) = after.filter(|c| !c.is_whitespace()) else { return false };
    before.is_none_or(|c| {
        // A mark in quotes or brackets stands for itself.
        let quoted = OPENERS.find(c).is_some_and(|at| CLOSERS[at..].starts_with(after));
        let opens = c.is_whitespace() || OPENERS.contains(c) || DELIMITERS.contains(c);
        (opens || is_punctuation(c)) && !quoted
    })
}

/// Whether markup may end before this.
pub(super) fn ends(rest: &str) -> bool {
    rest.chars().next().is_none_or(|c| {
        let closes = [CLOSERS, DELIMITERS, CLOSING_DELIMITERS].iter().any(|set| set.contains(c));
        c.is_whitespace() || closes || is_punctuation(c)
    })
}

/// The length of the simple name at the start of `rest`.
pub(super) fn simple_name(rest: &str) -> usize {
    let last = last_of_name(rest.char_indices().take(LONGEST_ROLE));
    last.map_or(0, |(at, c)| at + c.len_utf8())
}

/// Where the simple name begins that ends at the end of `text`; none if no name does.
pub(super) fn simple_name_before(text: &str) -> Option<usize> {
    last_of_name(text.char_indices().rev()).map(|(at, _)| at)
}

/// The last character of a simple name: words with single marks between them, read in either direction.
fn last_of_name(chars: impl Iterator<Item = (usize, char)>) -> Option<(usize, char)> {
    let (mut last, mut word) = (None, false);
    for (at, c) in chars {
        if c.is_alphanumeric() {
            last = Some((at, c));
            word = true;
        } else if word && "-._+:".contains(c) {
            word = false;
        } else {
            break;
        }
    }
    last
}

/// One or two underscores that make what is before them a reference, if markup may end behind them.
pub(super) fn reference_marks(rest: &str) -> usize {
    let marks = rest.bytes().take(2).take_while(|b| *b == b'_').count();
    if ends(&rest[marks..]) { marks } else { 0 }
}

/// What ends a stretch of markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Close {
    Emphasis,
    Strong,
    Literal,
    /// Interpreted text or a reference: a role or underscores may follow.
    Phrase,
    Substitution,
}

impl Close {
    const COUNT: usize = 5;

    pub(super) fn mark(self) -> &'static str {
        match self {
            Self::Emphasis => "*",
            Self::Strong => "**",
            Self::Literal => "``",
            Self::Phrase => "`",
            Self::Substitution => "|",
        }
    }

    /// The length of what follows the mark and belongs to it; none if markup does not end there.
    pub(super) fn tail(self, rest: &str) -> Option<usize> {
        if matches!(self, Self::Phrase | Self::Substitution) {
            let marks = reference_marks(rest);
            if marks > 0 {
                return Some(marks);
            }
        }
        if self == Self::Phrase
            && let Some(name) = rest.strip_prefix(':')
        {
            let length = simple_name(name);
            if length > 0 && name[length..].starts_with(':') && ends(&name[length + 1..]) {
                return Some(length + 2);
            }
        }
        ends(rest).then_some(0)
    }
}

/// From where an end was searched for, and where it is.
#[derive(Debug, Clone, Copy)]
struct Search {
    from: usize,
    found: Option<usize>,
}

/// The ends in one text. Each kind is searched for once, however many beginnings ask, so a text of nothing but
/// marks takes linear time.
pub(super) struct Closings<'a> {
    text: &'a str,
    work: &'a Work,
    /// The last search of each kind.
    known: [Cell<Option<Search>>; Close::COUNT],
}

impl<'a> Closings<'a> {
    pub(super) fn new(text: &'a str, work: &'a Work) -> Self {
        work.count(text.len());
        Self { text, work, known: Default::default() }
    }

    /// The content that begins at `from` and ends before such a mark.
    pub(super) fn content(&self, close: Close, from: usize) -> Option<&'a str> {
        // There is a character between the marks, at least.
        let least = from + self.text[from..].chars().next()?.len_utf8();
        let known = &self.known[close as usize];
        let found = match known.get() {
            Some(last) if last.from <= least && last.found.is_none_or(|at| at >= least) => {
                last.found
            }
            _ => {
                let found = self.search(close, least);
                known.set(Some(Search { from: least, found }));
                found
            }
        };
        found.map(|at| &self.text[from..at])
    }

    fn search(&self, close: Close, from: usize) -> Option<usize> {
        let (mark, mut at) = (close.mark(), from);
        while !self.work.is_exhausted() {
            let step = self.text[at..].find(mark);
            self.work.count(step.unwrap_or(self.text.len() - at) + 1);
            at += step?;
            if self.is_end(close, at) {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    fn is_end(&self, close: Close, at: usize) -> bool {
        let before = &self.text[..at];
        let word = before.trim_end_matches(char::is_whitespace);
        // An escaped blank is nothing, and what is behind it may end a phrase.
        let spaced = before.len() - word.len();
        let joined = spaced == 0 || close == Close::Phrase && spaced == 1 && is_escaping(word);
        let escaped = close != Close::Literal && is_escaping(before);
        joined && !escaped && close.tail(&self.text[at + close.mark().len()..]).is_some()
    }
}

/// Whether what follows the text is escaped.
fn is_escaping(text: &str) -> bool {
    text.bytes().rev().take_while(|b| *b == b'\\').count() % 2 == 1
}
