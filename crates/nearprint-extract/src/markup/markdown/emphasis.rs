//! Marks of emphasis, by the rules of CommonMark 0.31 (6.2): what stands before and behind a run of `*` or `_` decides
//! whether it opens or closes, and each closes the nearest that is open. All other stars and underscores are text.

use std::borrow::Cow;

use super::MAX_TICKS;
use crate::markup::ends::Ends;
use crate::work::Work;

/// Openers that a closer looks back to, of those of its kind (<=).
const FARTHEST: usize = 16;

/// A run of marks that may open an emphasis.
struct Opener {
    at: usize,
    /// Marks that are left, and how many there were.
    left: usize,
    length: usize,
    closes: bool,
}

/// Stands for a mark of emphasis, so that what is on both sides of it does not become one. No text has this character.
pub(super) const MARK: char = '\u{fdd0}';

/// The text of a paragraph with [`MARK`] for its marks of emphasis.
pub(super) fn with_marks<'a>(text: &'a str, work: &Work) -> Cow<'a, str> {
    if !text.contains(['*', '_']) {
        return text.into();
    }
    let mut marks = Marks::default();
    let ends = Ends::new(text, work);
    let (mut at, mut brackets) = (0, 0_usize);
    while let Some(found) = text[at..].find(['*', '_', '\\', '`', '<', '[', ']', ':', '\n']) {
        at += found;
        let rest = &text[at..];
        at += match rest.as_bytes()[0] {
            b'*' | b'_' => marks.read(text, at),
            b'\n' if begins_block(&rest[1..]) => {
                marks.open = Default::default();
                brackets = 0;
                1
            }
            b'[' => {
                brackets += 1;
                1
            }
            b']' if brackets > 0 => {
                brackets -= 1;
                1 + ends.bracketed(&rest[1..], '(', ')').map_or(0, |target| target.len() + 2)
            }
            _ => unmarked(rest, &text[..at], &ends),
        };
    }
    marks.taken.sort_unstable();
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (start, length) in marks.taken {
        out.push_str(&text[from..start]);
        out.push(MARK);
        from = start + length;
    }
    out.push_str(&text[from..]);
    out.into()
}

/// The length of what begins `rest` and has no marks in it: an escaped character, code, a tag, an address.
fn unmarked<'a>(rest: &'a str, before: &str, ends: &Ends<'a>) -> usize {
    let after = &rest[1..];
    let within = match rest.as_bytes()[0] {
        b'\\' => after.chars().next().map(char::len_utf8),
        b'`' => {
            let (ticks, code) = code(rest, ends);
            Some(code.map_or(ticks, |code| code.len() + 2 * ticks) - 1)
        }
        b'<' if after.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c)) => {
            ends.up_to(after, ">").map(|tag| tag.len() + 1)
        }
        b':' if after.starts_with("//")
            && (before.ends_with("http") || before.ends_with("https")) =>
        {
            let end = after.find(|c: char| c.is_whitespace() || "<>)]".contains(c));
            Some(end.unwrap_or(after.len()))
        }
        _ => None,
    };
    1 + within.unwrap_or(0)
}

/// How many backticks `rest` begins with, and the code between them and as many others.
pub(super) fn code<'a>(rest: &'a str, ends: &Ends<'a>) -> (usize, Option<&'a str>) {
    let ticks = rest.bytes().take_while(|b| *b == b'`').count();
    let code = (ticks <= MAX_TICKS).then(|| ends.up_to_backticks(&rest[ticks..], ticks)).flatten();
    (ticks, code)
}

/// Whether a line begins a block of its own: an item, a row of a table, a quotation.
fn begins_block(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t']);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = if digits > 0 { &line[digits..] } else { line };
    match rest.as_bytes() {
        [b'.' | b')', b' ', ..] => digits > 0,
        [b'-' | b'*' | b'+', b' ', ..] | [b'|' | b'>', ..] => digits == 0,
        _ => false,
    }
}

#[derive(Default)]
struct Marks {
    /// Stars and underscores that are open.
    open: [Vec<Opener>; 2],
    /// Where marks are, and how many of them.
    taken: Vec<(usize, usize)>,
}

impl Marks {
    /// Reads the run of marks at a place; gives its length.
    fn read(&mut self, text: &str, at: usize) -> usize {
        let mark = text.as_bytes()[at];
        let length = text[at..].bytes().take_while(|b| *b == mark).count();
        let (opens, closes) = flanks(&text[..at], &text[at + length..], mark == b'_');
        let kind = usize::from(mark == b'_');
        let (mut left, mut from) = (length, at);
        while closes && left > 0 {
            // A run that may do both closes one of another length only, so that `*a**b*` is one emphasis.
            let fits = |opener: &&Opener| {
                !(opener.closes || opens)
                    || !(opener.length + length).is_multiple_of(3)
                    || opener.length.is_multiple_of(3) && length.is_multiple_of(3)
            };
            let open = &mut self.open[kind];
            let mut last = open.iter().enumerate().rev().take(FARTHEST);
            let Some((number, _)) = last.find(|(_, opener)| fits(opener)) else { break };
            open.truncate(number + 1);
            let Some(opener) = open.last_mut() else { break };
            let taken = if opener.left >= 2 && left >= 2 { 2 } else { 1 };
            opener.left -= taken;
            let start = opener.at;
            self.taken.push((start + opener.left, taken));
            self.taken.push((from, taken));
            if opener.left == 0 {
                open.pop();
            }
            left -= taken;
            from += taken;
            // What began since is not closed any more.
            let others = &mut self.open[1 - kind];
            others.truncate(others.partition_point(|other| other.at < start));
        }
        if opens && left > 0 {
            self.open[kind].push(Opener { at: from, left, length, closes });
        }
        length
    }
}

/// Whether a run of marks between these may open and close an emphasis.
fn flanks(before: &str, after: &str, is_underscore: bool) -> (bool, bool) {
    let (before, after) = (before.chars().next_back(), after.chars().next());
    let is_space = |c: Option<char>| c.is_none_or(char::is_whitespace);
    let is_punctuation =
        |c: Option<char>| c.is_some_and(|c| !c.is_alphanumeric() && !c.is_whitespace());
    let left =
        !is_space(after) && (!is_punctuation(after) || is_space(before) || is_punctuation(before));
    let right =
        !is_space(before) && (!is_punctuation(before) || is_space(after) || is_punctuation(after));
    if is_underscore {
        (left && (!right || is_punctuation(before)), right && (!left || is_punctuation(after)))
    } else {
        (left, right)
    }
}
