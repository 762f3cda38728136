//! Underscores that emphasise, and those that belong to names.

use std::borrow::Cow;

use crate::markup::ends::{Ends, LONGEST};
use crate::work::Work;

/// The text with the underscores away that emphasise a phrase, or two of them a part of a word. Those of names stay, as
/// does all between backticks.
pub(super) fn without_underscores<'a>(text: &'a str, work: &Work) -> Cow<'a, str> {
    let ends = Ends::new(text, work);
    let mut phrases = None;
    let mut out = String::new();
    let (mut from, mut at) = (0, 0);
    while let Some(found) = memchr::memchr2(b'_', b'`', &text.as_bytes()[at..]) {
        at += found;
        let (before, rest) = (&text[..at], &text[at..]);
        if let Some(after) = rest.strip_prefix('`') {
            at += ends.up_to(after, "`").map_or(1, |code| code.len() + 2);
            continue;
        }
        let marks = rest.bytes().take_while(|b| *b == b'_').count();
        let phrases = phrases.get_or_insert_with(|| {
            work.count(text.len());
            PhraseEnds::of(text)
        });
        match emphasised(before, &rest[marks..], marks, phrases) {
            Some(phrase) => {
                out.push_str(&text[from..at]);
                out.push_str(phrase);
                at += phrase.len() + 2 * marks;
                from = at;
            }
            None => at += marks,
        }
    }
    if from == 0 {
        return text.into();
    }
    out.push_str(&text[from..]);
    out.into()
}

/// The phrase that begins after so many underscores and ends before as many.
fn emphasised<'a>(
    before: &str,
    after: &'a str,
    marks: usize,
    ends: &PhraseEnds,
) -> Option<&'a str> {
    // Addresses and code have underscores after these.
    let may_follow = |c: char| !c.is_alphanumeric() && !";:}/\\".contains(c);
    if marks > 2
        || marks == 1 && !before.chars().next_back().is_none_or(may_follow)
        || after.starts_with(char::is_whitespace)
    {
        return None;
    }
    let start = before.len() + marks;
    let ends = &ends.of[marks - 1][usize::from(ends.is_odd(start))];
    // One that begins here is none of its own.
    let end = ends.get(ends.partition_point(|end| *end <= start))? - start;
    (end < LONGEST).then(|| &after[..end])
}

/// Where underscores may end an emphasised phrase. One that begins outside code ends outside of what has begun since.
struct PhraseEnds {
    /// Places of one underscore and of two, each of those before which there is an even number of backticks, and odd.
    of: [[Vec<usize>; 2]; 2],
    /// Places of backticks.
    ticks: Vec<usize>,
}

impl PhraseEnds {
    fn of(text: &str) -> Self {
        let mut ends = Self { of: Default::default(), ticks: Vec::new() };
        let mut at = 0;
        while let Some(found) = memchr::memchr2(b'_', b'`', &text.as_bytes()[at..]) {
            at += found;
            if text.as_bytes()[at] == b'`' {
                ends.ticks.push(at);
                at += 1;
                continue;
            }
            let marks = text[at..].bytes().take_while(|b| *b == b'_').count();
            let rest = &text[at + marks..];
            let is_end = marks <= 2
                && !text[..at].ends_with(char::is_whitespace)
                && (marks == 2 || !rest.starts_with(char::is_alphanumeric));
            if is_end {
                ends.of[marks - 1][ends.ticks.len() % 2].push(at);
            }
            at += marks;
        }
        ends
    }

    /// Whether there is an odd number of backticks before this place.
    fn is_odd(&self, at: usize) -> bool {
        self.ticks.partition_point(|tick| *tick < at) % 2 == 1
    }
}
