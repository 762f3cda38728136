//! SPEC section 5: URLs and identifiers leave the text.
//!
//! No regular expressions: each of the four patterns has a byte at which a match can be recognised (the *trigger*:
//! `:` `@` `.`), and everything before it is bounded. So triggers are examined from left to right, and for each the
//! leftmost match that contains it is found by looking back. A match found at `www.` is the leftmost only
//! if no URL or address that begins before it has its own trigger after it; [`Cutter::rival`] looks.
//!
//! Streaming: [`Cutter::advance`] says up to where the cuts are certain. All patterns are ASCII, so offsets are
//! bytes here.

mod trigger;

use std::ops::Range;

use self::trigger::NextTrigger;
use crate::classed_text::ClassedText;
use crate::kernel::Level;

/// Code points of a URL's scheme, at most [5.2].
const LONGEST_SCHEME: usize = 32;
/// Code points before the `@`, at most [5.4].
const LONGEST_LOCAL: usize = 64;
/// Code points of a label after the `@`, at most [5.4].
const LONGEST_LABEL: usize = 63;
/// The digits after `10.` [5.5].
const REGISTRANT: Range<usize> = 4..10;
/// An undecided DOI longer than this is shortened, which bounds the memory.
const LONGEST_UNDECIDED: usize = 4096;

#[derive(Default)]
pub(crate) struct Cutter {
    /// Where the search continues: no match begins before it.
    position: usize,
    /// The first byte that has not been examined as a trigger.
    scanned: usize,
    /// The byte before `position`, once the text holds it no longer; `None` at the start of the text.
    before: Option<u8>,
    /// The match before `position` that may continue there.
    open: Open,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum Open {
    #[default]
    Nothing,
    /// `[!-~]*`
    Tail,
    /// The last label of an address, of so many code points by now.
    Label(usize),
}

/// Outcome of a look at some text.
enum LookOutcome<T> {
    Match(T),
    Nothing,
    /// It depends on text that is not there yet.
    Undecided,
}

/// The part of a match that decides it, and what it continues with.
struct Cut {
    start: usize,
    /// The end of what has been matched; `open` continues from here.
    end: usize,
    open: Open,
}

/// Where the look-ahead of an address ended.
enum Domain {
    Valid { first_label_end: usize },
    Invalid,
    Undecided,
}

impl Cutter {
    /// Finds and cuts the matches that are certain, calling `each` with the parts of every match in order and
    /// whether they begin it. Returns the offset up to which the text will not change any more; `ends` says
    /// that nothing follows the text, and then that is all of it.
    pub(crate) fn advance(
        &mut self,
        level: Level,
        text: &mut ClassedText,
        ends: bool,
        mut each: impl FnMut(Range<usize>, bool),
    ) -> usize {
        loop {
            if self.open != Open::Nothing {
                let start = self.position;
                self.extend(text.text(), ends);
                text.cut(start..self.position);
                each(start..self.position, false);
                if self.open != Open::Nothing {
                    return self.position;
                }
            }
            let Some(trigger) = level.run(NextTrigger { text, from: self.scanned }) else {
                self.scanned = text.len();
                let certain = if ends { text.len() } else { self.prefix_start(text.text()) };
                self.move_to(text.text(), certain);
                return certain;
            };
            self.scanned = trigger;
            match self.look(text.text(), trigger, ends) {
                LookOutcome::Match(cut) => {
                    text.cut(cut.start..cut.end);
                    each(cut.start..cut.end, true);
                    self.move_to(text.text(), cut.end);
                    self.scanned = cut.end;
                    self.open = cut.open;
                }
                LookOutcome::Nothing => self.scanned += 1,
                LookOutcome::Undecided => {
                    // Every match that may come begins in the run of bytes that can precede a trigger.
                    let bound = self.position.max(trigger.saturating_sub(LONGEST_LOCAL));
                    let certain = run_start(text.text(), bound, trigger, is_local);
                    self.move_to(text.text(), certain);
                    shorten_undecided(text, trigger);
                    return certain;
                }
            }
        }
    }

    /// The first `bytes` bytes of the text, which must be certain, were removed.
    pub(crate) fn removed(&mut self, bytes: usize) {
        debug_assert!(bytes <= self.position);
        self.position -= bytes;
        self.scanned -= bytes;
    }

    fn move_to(&mut self, text: &[u8], position: usize) {
        debug_assert!(position >= self.position);
        if position > self.position {
            self.before = text.get(position - 1).copied();
            self.position = position;
        }
    }

    /// The byte before `at`, also where that was removed.
    fn byte_before(&self, text: &[u8], at: usize) -> Option<u8> {
        if at == self.position { self.before } else { text.get(at.checked_sub(1)?).copied() }
    }

    /// Continues with the match that ends at `position`.
    fn extend(&mut self, text: &[u8], ends: bool) {
        let mut at = self.position;
        let open = match self.open {
            Open::Nothing => Open::Nothing,
            Open::Tail => {
                at += text[at..].iter().take_while(|&&byte| is_visible(byte)).count();
                if at == text.len() { Open::Tail } else { Open::Nothing }
            }
            Open::Label(length) => {
                let mut length = length;
                loop {
                    let more = text[at..]
                        .iter()
                        .take(LONGEST_LABEL - length)
                        .take_while(|&&o| is_label(o));
                    let more = more.count();
                    at += more;
                    length += more;
                    match text.get(at..) {
                        Some([b'.', next, ..]) if is_label(*next) => {
                            at += 1;
                            length = 0;
                        }
                        Some([] | [b'.']) if !ends => break Open::Label(length),
                        _ => break Open::Nothing,
                    }
                }
            }
        };
        self.open = open;
        self.move_to(text, at);
        self.scanned = at;
    }

    /// Where the longest suffix of the text begins that may become the start of a match: all patterns consist of
    /// local-part bytes up to their trigger.
    fn prefix_start(&self, text: &[u8]) -> usize {
        let bound = self.position.max(text.len().saturating_sub(LONGEST_LOCAL));
        run_start(text, bound, text.len(), is_local)
    }

    /// Looks for the leftmost match that `trigger` decides.
    fn look(&self, text: &[u8], trigger: usize, ends: bool) -> LookOutcome<Cut> {
        match text[trigger] {
            b'@' => self.address(text, trigger, ends),
            b':' => match self.url(text, trigger, ends) {
                LookOutcome::Nothing => [&b"urn"[..], b"doi", b"arxiv"]
                    .iter()
                    .find_map(|name| self.named(text, trigger, name))
                    .map_or(LookOutcome::Nothing, |start| {
                        LookOutcome::Match(tail(start, trigger + 1))
                    }),
                found => found,
            },
            // The byte of the third trigger.
            _ => {
                if let Some(start) = self.named(text, trigger, b"www") {
                    match self.rival(text, trigger, ends) {
                        // Where both begin together the URL comes first, then the name, then the address.
                        LookOutcome::Match(rival)
                            if rival.start < start
                                || (rival.start == start && rival.open == Open::Tail) =>
                        {
                            LookOutcome::Match(rival)
                        }
                        LookOutcome::Undecided => LookOutcome::Undecided,
                        _ => LookOutcome::Match(tail(start, trigger + 1)),
                    }
                } else {
                    self.doi(text, trigger, ends)
                }
            }
        }
    }

    /// [5.2], by the `:` of its `://`.
    fn url(&self, text: &[u8], colon: usize, ends: bool) -> LookOutcome<Cut> {
        let Some(start) = self.scheme_start(text, colon) else { return LookOutcome::Nothing };
        match &text[colon + 1..] {
            [b'/', b'/', ..] => LookOutcome::Match(tail(start, colon + 3)),
            [] | [b'/'] if !ends => LookOutcome::Undecided,
            _ => LookOutcome::Nothing,
        }
    }

    fn scheme_start(&self, text: &[u8], colon: usize) -> Option<usize> {
        let bound = self.position.max(colon.saturating_sub(LONGEST_SCHEME));
        let run = run_start(text, bound, colon, is_scheme);
        (run..colon).find(|&at| text[at].is_ascii_lowercase())
    }

    /// [5.3] without its tail: where the name that ends at `end` begins.
    fn named(&self, text: &[u8], end: usize, name: &[u8]) -> Option<usize> {
        let start = end.checked_sub(name.len()).filter(|&start| start >= self.position)?;
        let preceded = self.byte_before(text, start).is_some_and(is_alphanumeric);
        (&text[start..end] == name && !preceded).then_some(start)
    }

    /// [5.4], by its `@`.
    fn address(&self, text: &[u8], at_sign: usize, ends: bool) -> LookOutcome<Cut> {
        let bound = self.position.max(at_sign.saturating_sub(LONGEST_LOCAL));
        let start = run_start(text, bound, at_sign, is_local);
        if start == at_sign {
            return LookOutcome::Nothing;
        }
        match domain(text, at_sign + 1, ends) {
            Domain::Valid { first_label_end } => {
                // The dot and the first byte after it are certain, the rest is found by extending.
                LookOutcome::Match(Cut { start, end: first_label_end + 2, open: Open::Label(1) })
            }
            Domain::Invalid => LookOutcome::Nothing,
            Domain::Undecided => LookOutcome::Undecided,
        }
    }

    /// [5.5], by the dot of its `10.`.
    fn doi(&self, text: &[u8], dot: usize, ends: bool) -> LookOutcome<Cut> {
        let Some(start) = dot.checked_sub(2).filter(|&start| start >= self.position) else {
            return LookOutcome::Nothing;
        };
        let preceded =
            self.byte_before(text, start).is_some_and(|byte| is_alphanumeric(byte) || byte == b'.');
        if &text[start..dot] != b"10" || preceded {
            return LookOutcome::Nothing;
        }
        let digits = |from: usize| text[from..].iter().take_while(|o| o.is_ascii_digit()).count();
        let registrant = digits(dot + 1);
        let mut at = dot + 1 + registrant;
        if at == text.len() && !ends && registrant < REGISTRANT.end {
            return LookOutcome::Undecided;
        }
        if !REGISTRANT.contains(&registrant) {
            return LookOutcome::Nothing;
        }
        let slash = loop {
            match text.get(at) {
                Some(b'/') => break at,
                Some(b'.') => {
                    let more = digits(at + 1);
                    at += 1 + more;
                    if more == 0 && (ends || at < text.len()) {
                        return LookOutcome::Nothing;
                    }
                }
                None if !ends => return LookOutcome::Undecided,
                _ => return LookOutcome::Nothing,
            }
        };
        // No rival: its text up to its trigger would have to hold the slash.
        LookOutcome::Match(tail(start, slash + 1))
    }

    /// The URL or address that contains the `.` of `www.` before its own trigger.
    fn rival(&self, text: &[u8], dot: usize, ends: bool) -> LookOutcome<Cut> {
        let behind = text[dot..].iter().take(LONGEST_LOCAL).take_while(|&&o| is_local(o)).count();
        let end = dot + behind;
        match text.get(end) {
            Some(b'@') => self.address(text, end, ends),
            Some(b':') => self.url(text, end, ends),
            None if !ends => LookOutcome::Undecided,
            _ => LookOutcome::Nothing,
        }
    }
}

/// A match that continues with `[!-~]*` from `end`.
fn tail(start: usize, end: usize) -> Cut {
    Cut { start, end, open: Open::Tail }
}

/// The first label after an `@`, with the dot and the byte that must follow it.
fn domain(text: &[u8], from: usize, ends: bool) -> Domain {
    let length = text[from..].iter().take(LONGEST_LABEL + 1).take_while(|&&o| is_label(o)).count();
    if length == 0 && (from < text.len() || ends) || length > LONGEST_LABEL {
        return Domain::Invalid;
    }
    let first_label_end = from + length;
    match &text[first_label_end..] {
        [b'.', next, ..] if is_label(*next) => Domain::Valid { first_label_end },
        [] | [b'.'] if !ends => Domain::Undecided,
        _ => Domain::Invalid,
    }
}

/// Where the run of such bytes that ends before `end` begins, not before `bound`.
fn run_start(text: &[u8], bound: usize, end: usize, is: fn(u8) -> bool) -> usize {
    end - text[bound..end].iter().rev().take_while(|&&byte| is(byte)).count()
}

/// Shortens `10.` with its digits and dots where nothing else has come for long.
///
/// Whether it becomes a match, and which words it leaves if not, is the same without the middle: what stays is a
/// beginning that fits the pattern and the last bytes, which hold all of an address's local part and of a word
/// that is not too long. (Numbers give no tokens.)
fn shorten_undecided(text: &mut ClassedText, dot: usize) {
    const LAST: usize = 512;
    let bytes = text.text();
    if bytes.len() - dot < LONGEST_UNDECIDED || bytes[dot] != b'.' {
        return;
    }
    // `.` and the registrant, `.` and a digit.
    let Some(second) = bytes[dot + 1..].iter().position(|&byte| byte == b'.') else { return };
    let from = dot + 1 + second + 2;
    let mut to = bytes.len() - LAST;
    if !bytes[to].is_ascii_digit() {
        to += 1;
    }
    if from < to {
        text.leave_out(from..to);
    }
}

/// `[!-~]`
fn is_visible(byte: u8) -> bool {
    byte.is_ascii_graphic()
}

/// `[a-z0-9]`
fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

/// `[a-z0-9+.-]`
fn is_scheme(byte: u8) -> bool {
    is_alphanumeric(byte) || matches!(byte, b'+' | b'.' | b'-')
}

/// `[a-z0-9._%+-]`
fn is_local(byte: u8) -> bool {
    is_scheme(byte) || matches!(byte, b'_' | b'%')
}

/// `[a-z0-9-]`
fn is_label(byte: u8) -> bool {
    is_alphanumeric(byte) || byte == b'-'
}
