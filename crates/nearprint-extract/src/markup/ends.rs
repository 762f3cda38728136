//! Where inline markup ends. From each mark that may begin something, its end is asked for, and it may not be there:
//! each text is searched once for each kind of end, however many marks ask, so a text of nothing but marks takes linear
//! time.

use std::cell::{OnceCell, RefCell};
use std::collections::VecDeque;

use crate::work::Work;

/// The longest text between marks, in bytes: what is longer is not a link.
pub(super) const LONGEST: usize = 2048;

/// The ends in one text, found when they are first asked for. Questions go from the start of the text to its end.
pub(super) struct Ends<'a> {
    text: &'a str,
    work: &'a Work,
    /// Of each mark: from where it was searched for last, and where it is.
    marks: RefCell<Vec<Mark<'a>>>,
    brackets: RefCell<Vec<Brackets>>,
    /// Where runs of backticks begin, by their length less one.
    backticks: OnceCell<Vec<Vec<usize>>>,
}

struct Mark<'a> {
    mark: &'a [u8],
    any: bool,
    from: usize,
    found: Option<usize>,
}

impl<'a> Ends<'a> {
    pub(super) fn new(text: &'a str, work: &'a Work) -> Self {
        work.count(text.len());
        let (marks, brackets) = (RefCell::default(), RefCell::default());
        Self { text, work, marks, brackets, backticks: OnceCell::new() }
    }

    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    pub(super) fn work(&self) -> &'a Work {
        self.work
    }

    /// Where a rest of the text begins.
    pub(super) fn place(&self, rest: &str) -> usize {
        self.text.len() - rest.len()
    }

    /// The beginning of `rest`, a rest of the text, up to `mark`, if that is near.
    pub(super) fn up_to(&self, rest: &'a str, mark: &'a str) -> Option<&'a str> {
        let near = rest.floor_char_boundary(LONGEST);
        let length = self.next(self.place(rest), mark.as_bytes(), false)?;
        (length + mark.len() <= near).then(|| &rest[..length])
    }

    /// The beginning of `rest`, a rest of the text, up to one of these characters of ASCII, if that is near.
    pub(super) fn up_to_any(&self, rest: &'a str, characters: &'a str) -> Option<&'a str> {
        let length = self.next(self.place(rest), characters.as_bytes(), true)?;
        (length < LONGEST).then(|| &rest[..length])
    }

    /// The beginning of `rest`, a rest of the text, up to a run of just so many backticks, if that is near.
    pub(super) fn up_to_backticks(&self, rest: &'a str, length: usize) -> Option<&'a str> {
        let runs = self.backticks.get_or_init(|| {
            self.work.count(self.text.len());
            let mut runs: Vec<Vec<usize>> = Vec::new();
            let mut from = 0;
            while let Some(found) = memchr::memchr(b'`', &self.text.as_bytes()[from..]) {
                let at = from + found;
                let length = self.text[at..].bytes().take_while(|b| *b == b'`').count();
                runs.resize(runs.len().max(length.min(LONGEST)), Vec::new());
                if let Some(places) = runs.get_mut(length - 1) {
                    places.push(at);
                }
                from = at + length;
            }
            runs
        });
        let at = self.place(rest);
        let places = runs.get(length.checked_sub(1)?)?;
        let end = places.get(places.partition_point(|place| *place < at))? - at;
        (end < LONGEST).then(|| &rest[..end])
    }

    /// How far from `at` the mark is.
    fn next(&self, at: usize, mark: &'a [u8], any: bool) -> Option<usize> {
        let mut marks = self.marks.borrow_mut();
        let known = marks.iter_mut().find(|known| known.mark == mark && known.any == any);
        let place = match known {
            Some(known) if known.from <= at && known.found.is_none_or(|found| found >= at) => {
                known.found
            }
            Some(known) => {
                known.from = at;
                known.found = self.search(at, mark, any);
                known.found
            }
            None => {
                let found = self.search(at, mark, any);
                marks.push(Mark { mark, any, from: at, found });
                found
            }
        };
        place.map(|place| place - at)
    }

    fn search(&self, at: usize, mark: &[u8], any: bool) -> Option<usize> {
        if self.work.is_exhausted() {
            return None;
        }
        let bytes = &self.text.as_bytes()[at..];
        let found = match mark {
            [a, b, c] if any => memchr::memchr3(*a, *b, *c, bytes),
            _ => memchr::memmem::find(bytes, mark),
        };
        self.work.count(found.map_or(bytes.len(), |length| length + mark.len()));
        found.map(|length| at + length)
    }

    /// The text after the bracket that `rest`, a rest of the text, begins with, up to the one that closes it; inner
    /// ones may nest in it. None if that is far.
    pub(super) fn bracketed(&self, rest: &'a str, open: char, close: char) -> Option<&'a str> {
        let inside = rest.strip_prefix(open)?;
        let mut brackets = self.brackets.borrow_mut();
        let known = brackets.iter().position(|known| known.open == open);
        let number = known.unwrap_or_else(|| {
            brackets.push(Brackets::new(open, close));
            brackets.len() - 1
        });
        let at = self.place(rest);
        let length = brackets[number].closed(self.text, at, self.work)? - at - 1;
        (length <= LONGEST).then(|| &inside[..length])
    }
}

/// The open brackets of one kind that may still be asked for, each with the one that closes it. Where they are is found
/// as far ahead as one may be near, so the memory is that of a few thousand bytes, whatever the text.
///
/// A backslash takes the meaning of the next character; a bracket after one opens nothing for others, and has an end of
/// its own.
struct Brackets {
    open: char,
    close: char,
    /// The place up to which the text is known, and whether a backslash is before it.
    known: usize,
    escaped: bool,
    /// The number of the first bracket that is kept.
    first: usize,
    kept: VecDeque<Bracket>,
    /// The innermost levels, of each the number of its last bracket; below them are some without any that is kept.
    levels: VecDeque<usize>,
    levels_below: usize,
    /// The last bracket that is in no level.
    outside: Option<usize>,
}

struct Bracket {
    at: usize,
    closed: Option<usize>,
    /// The number of the one before it in its level.
    before: Option<usize>,
}

impl Brackets {
    fn new(open: char, close: char) -> Self {
        Self {
            open,
            close,
            known: 0,
            escaped: false,
            first: 0,
            kept: VecDeque::new(),
            levels: VecDeque::new(),
            levels_below: 0,
            outside: None,
        }
    }

    /// Where the bracket at this place is closed, if that is near.
    fn closed(&mut self, text: &str, at: usize, work: &Work) -> Option<usize> {
        let end = text.ceil_char_boundary(at.saturating_add(LONGEST + 2));
        if self.known < end {
            work.count(end - self.known);
            let from = self.known;
            self.known = end;
            for (place, c) in text[from..end].char_indices() {
                self.read(from + place, c);
                if self.kept.len() > 4 * LONGEST {
                    self.forget(at);
                }
            }
        }
        self.forget(at);
        let number = self.kept.binary_search_by_key(&at, |bracket| bracket.at).ok()?;
        self.kept[number].closed
    }

    /// Forgets what is far before the place that is asked for. What follows a bracket that begins no link is asked for
    /// once more from the next one.
    fn forget(&mut self, at: usize) {
        while self.kept.front().is_some_and(|bracket| bracket.at + 2 * LONGEST < at) {
            self.kept.pop_front();
            self.first += 1;
        }
        while self.levels.front().is_some_and(|last| *last < self.first) {
            self.levels.pop_front();
            self.levels_below += 1;
        }
    }

    fn read(&mut self, at: usize, c: char) {
        if c == self.open {
            let number = self.first + self.kept.len();
            let before = if self.escaped {
                match self.levels.back_mut() {
                    Some(last) => Some(std::mem::replace(last, number)),
                    None if self.levels_below > 0 => {
                        self.levels_below -= 1;
                        self.levels.push_back(number);
                        None
                    }
                    None => self.outside.replace(number),
                }
            } else {
                self.levels.push_back(number);
                None
            };
            self.kept.push_back(Bracket { at, closed: None, before });
        } else if c == self.close && !self.escaped {
            let mut next = match self.levels.pop_back() {
                Some(last) => Some(last),
                None if self.levels_below > 0 => {
                    self.levels_below -= 1;
                    None
                }
                None => self.outside.take(),
            };
            while let Some(number) = next.and_then(|number| number.checked_sub(self.first)) {
                let Some(bracket) = self.kept.get_mut(number) else { break };
                bracket.closed = Some(at);
                next = bracket.before;
            }
        }
        self.escaped = c == '\\' && !self.escaped;
    }
}

/// The text up to the bracket that closes the one before it, which inner ones may nest in.
pub(super) fn bracketed(text: &str, open: char, close: char) -> Option<&str> {
    let mut depth = 0u32;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if at > LONGEST {
            return None;
        }
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == close {
            if depth == 0 {
                return Some(&text[..at]);
            }
            depth -= 1;
        } else if c == open {
            depth += 1;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::limits::Limits;

    /// As it was done without a memory: each end is looked for from its own beginning.
    fn plainly<'a>(text: &'a str, end: &str) -> Option<&'a str> {
        let near = &text[..text.floor_char_boundary(LONGEST)];
        near.find(end).map(|at| &text[..at])
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn ends_are_those_that_plain_searches_find(text in "[a\\[\\]()\\\\`é]{0,60}", twice in 0usize..60) {
            let work = Work::new(&Limits::default());
            let ends = Ends::new(&text, &work);
            for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                let rest = &text[at..];
                for mark in ["`", "``", "]", "]]"] {
                    prop_assert_eq!(ends.up_to(rest, mark), plainly(rest, mark));
                }
                if at % 3 == twice % 3 {
                    let wanted = rest.find(['`', ']', 'a']).map(|end| &rest[..end]);
                    prop_assert_eq!(ends.up_to_any(rest, "`]a"), wanted);
                }
                for (open, close) in [('[', ']'), ('(', ')')] {
                    let wanted = rest.strip_prefix(open).and_then(|t| bracketed(t, open, close));
                    prop_assert_eq!(ends.bracketed(rest, open, close), wanted);
                }
            }
        }
    }

    /// Brackets before those that are asked for are forgotten, and their levels with them.
    #[test]
    fn brackets_of_long_texts_are_those_that_plain_searches_find() {
        let work = Work::new(&Limits::default());
        for piece in
            ["[a", "[a]", "[[a]", "]a[", "\\\\[]a", "[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]]"]
        {
            let text = format!("{}{}", "[".repeat(50), piece.repeat(8 * LONGEST / piece.len()));
            let ends = Ends::new(&text, &work);
            for at in (0..text.len()).step_by(3) {
                let rest = &text[at..];
                let wanted = rest.strip_prefix('[').and_then(|text| bracketed(text, '[', ']'));
                assert_eq!(ends.bracketed(rest, '[', ']'), wanted, "{piece} {at}");
            }
        }
    }

    #[test]
    fn what_is_far_is_no_end() {
        let work = Work::new(&Limits::default());
        for (length, near) in [(LONGEST - 1, true), (LONGEST + 1, false)] {
            let text = format!("[{}]", "a".repeat(length));
            let ends = Ends::new(&text, &work);
            assert_eq!(ends.up_to(&text[1..], "]").is_some(), near);
            assert_eq!(ends.bracketed(&text, '[', ']').is_some(), near);
        }
    }

    #[test]
    fn texts_of_open_marks_are_searched_once() {
        let text = "[`(".repeat(10_000);
        let work = Work::new(&Limits::default());
        let ends = Ends::new(&text, &work);
        for at in 0..text.len() {
            let rest = &text[at..];
            assert_eq!(ends.up_to(rest, "``"), None);
            assert_eq!(ends.up_to_any(rest, "xyz"), None);
            assert_eq!(ends.bracketed(rest, '[', ']'), None);
        }
        assert!(work.spent() <= 4 * text.len() as u64 + 3, "{}", work.spent());
    }
}
