//! Which braces and brackets have an end. Those without are text, and this is known only at the end of a page.

use super::elements::{self, Ends};

/// Where templates, parameters and links begin, in the order of their places.
#[derive(Debug)]
pub(super) struct Braces(Vec<(usize, Kind)>);

/// What begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `{{`.
    Template,
    /// `{{{`.
    Parameter,
    /// `[[`.
    Link,
}

impl Kind {
    pub(super) fn length(self) -> usize {
        if self == Self::Parameter { 3 } else { 2 }
    }
}

/// Signs that may still have an end.
struct SignRun {
    is_link: bool,
    at: usize,
    count: usize,
}

impl Braces {
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut ends = Ends::default();
        let mut open: Vec<SignRun> = Vec::new();
        let mut matched = Vec::new();
        let mut at = 0;
        while let Some(next) = bytes[at..].iter().position(|b| b"{}[]<".contains(b)) {
            at += next;
            let byte = bytes[at];
            if byte == b'<' {
                at += elements::raw(text, at, &mut ends).unwrap_or(1);
                continue;
            }
            let count = bytes[at..].iter().take_while(|b| **b == byte).count();
            match byte {
                b'{' | b'[' if count >= 2 => {
                    open.push(SignRun { is_link: byte == b'[', at, count });
                }
                b'}' if count >= 2 => close_braces(&mut open, count, &mut matched),
                b']' if count >= 2 => close_links(&mut open, count, &mut matched),
                _ => {}
            }
            at += count;
        }
        matched.sort_unstable_by_key(|(at, _)| *at);
        Self(matched)
    }

    /// What begins at this place.
    pub(super) fn at(&self, place: usize) -> Option<Kind> {
        let found = self.0.binary_search_by_key(&place, |(at, _)| *at).ok()?;
        Some(self.0[found].1)
    }
}

/// Ends templates and parameters, the innermost first. Links that were begun in them have no end.
fn close_braces(open: &mut Vec<SignRun>, mut count: usize, matched: &mut Vec<(usize, Kind)>) {
    let Some(innermost) = open.iter().rposition(|run| !run.is_link) else { return };
    open.truncate(innermost + 1);
    while count >= 2
        && let Some(last) = open.last_mut().filter(|last| !last.is_link)
    {
        let length = count.min(last.count).min(3);
        last.count -= length;
        count -= length;
        let kind = if length == 3 { Kind::Parameter } else { Kind::Template };
        matched.push((last.at + last.count, kind));
        if last.count < 2 {
            open.pop();
        }
    }
}

/// Ends links, the innermost first.
fn close_links(open: &mut Vec<SignRun>, mut count: usize, matched: &mut Vec<(usize, Kind)>) {
    while count >= 2
        && let Some(last) = open.last_mut().filter(|last| last.is_link)
    {
        last.count -= 2;
        count -= 2;
        matched.push((last.at + last.count, Kind::Link));
        if last.count < 2 {
            open.pop();
        }
    }
}
