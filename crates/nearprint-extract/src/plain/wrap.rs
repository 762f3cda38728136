//! Lines broken to fill a column, in scripts whose lines break inside words: Chinese, Japanese, Korean.
//! The break is neither a space nor the end of a word.
//!
//! Only a line about as long as the document's lines get was broken to fill it. A short one ends a heading, a
//! verse or a paragraph. Between Chinese and Japanese letters nothing else can be meant. Korean has spaces,
//! and a line may be broken at one: which it was, the document itself says, by the words it has elsewhere.

use std::collections::HashMap;

use crate::flow;

/// Columns by which a line may miss the usual width: no line may begin with closing punctuation, so
/// a break comes up to three wide letters early.
const SLACK: usize = 8;

/// The text with such lines joined; none if there are none.
pub(super) fn join(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let width = usual_width(text)?;
    let korean = Korean::read(text, width);
    let mut out = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n').peekable();
    let mut continued = false;
    while let Some(line) = lines.next() {
        let shown = if continued { line.trim_start_matches(INDENT) } else { line };
        let body = shown.trim_end();
        continued = lines.peek().is_some_and(|next| {
            let next = next.trim_start_matches(INDENT);
            // The width last: most lines do not end in such letters, and have not to be measured.
            (flow::joins_lines(body, next) || korean.joins(body, next)) && is_full(line, width)
        });
        out.push_str(if continued { body } else { shown });
    }
    Some(out)
}

const INDENT: [char; 3] = [' ', '\t', '\u{3000}'];

fn is_full(line: &str, width: usize) -> bool {
    columns(line) + SLACK >= width
}

/// What a Korean document says of the words at its line breaks.
#[derive(Debug, Default)]
struct Korean {
    /// The words around breaks, joined and by themselves, and how often they stand inside lines.
    seen: HashMap<String, u32>,
    /// Whether breaks of which nothing is known are inside words.
    by_default: bool,
}

impl Korean {
    fn read(text: &str, width: usize) -> Self {
        let mut korean = Self::default();
        let mut breaks = Vec::new();
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            if let Some(next) = lines.peek()
                && let Some(found) = broken(line.trim_end(), next.trim_start_matches(INDENT))
                && is_full(line, width)
            {
                breaks.push(found);
            }
        }
        if breaks.is_empty() {
            return korean;
        }
        for (left, right) in &breaks {
            korean.seen.insert(format!("{left}{right}"), 0);
            korean.seen.insert((*left).to_owned(), 0);
            korean.seen.insert((*right).to_owned(), 0);
        }
        for line in text.lines() {
            // The first and the last word of a line may be halves of others.
            let mut words: Vec<&str> =
                line.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
            words.pop();
            for word in words.into_iter().skip(1) {
                if let Some(count) = korean.seen.get_mut(word) {
                    *count += 1;
                }
            }
        }
        let votes: i64 = breaks
            .iter()
            .map(|(left, right)| match korean.verdict(left, right) {
                Some(true) => 1,
                Some(false) => -1,
                None => 0,
            })
            .sum();
        korean.by_default = votes > 0;
        korean
    }

    fn count(&self, word: &str) -> u32 {
        self.seen.get(word).copied().unwrap_or(0)
    }

    /// Whether two halves are one word: it stands elsewhere, or both of them do not.
    fn verdict(&self, left: &str, right: &str) -> Option<bool> {
        let whole = self.count(&format!("{left}{right}"));
        let apart = self.count(left).min(self.count(right));
        (whole != apart).then_some(whole > apart)
    }

    fn joins(&self, before: &str, after: &str) -> bool {
        broken(before, after)
            .is_some_and(|(left, right)| self.verdict(left, right).unwrap_or(self.by_default))
    }
}

/// The two halves of a word, perhaps, that ends one line and begins the next in Korean letters.
fn broken<'a>(before: &'a str, after: &'a str) -> Option<(&'a str, &'a str)> {
    let hangul = |c: Option<char>| c.is_some_and(|c| ('\u{AC00}'..='\u{D7A3}').contains(&c));
    if !hangul(before.chars().next_back()) || !hangul(after.chars().next()) {
        return None;
    }
    let left = before.rsplit(|c: char| !c.is_alphanumeric()).next()?;
    let right = after.split(|c: char| !c.is_alphanumeric()).next()?;
    Some((left, right))
}

/// The width that one in twenty of the lines ending in such letters reaches; none without such lines.
fn usual_width(text: &str) -> Option<usize> {
    let mut widths = Vec::new();
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
        let line = &text[start..end];
        start = end + 1;
        // Most lines of most texts end in a character of ASCII, which is none of these.
        if line.as_bytes().last().is_some_and(u8::is_ascii_graphic) {
            continue;
        }
        let line = line.trim_end();
        if line.chars().next_back().is_some_and(flow::is_wide) {
            widths.push(columns(line));
        }
    }
    widths.sort_unstable();
    widths.get(widths.len() * 19 / 20).copied()
}

/// The columns a line takes on a terminal.
fn columns(line: &str) -> usize {
    line.trim_end().chars().map(|c| if flow::is_wide(c) { 2 } else { 1 }).sum()
}
