//! Chinese and Japanese lines broken to fill a column: the break is no space, and no end of a word.
//!
//! Only a line about as long as the document's lines get was broken to fill it. A short one ends a heading, a
//! verse or a paragraph.

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
    let mut out = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n').peekable();
    let mut continued = false;
    while let Some(line) = lines.next() {
        let shown = if continued { line.trim_start_matches([' ', '\t', '\u{3000}']) } else { line };
        let body = shown.trim_end();
        continued = lines.peek().is_some_and(|next| {
            flow::joins_lines(body, next.trim_start_matches([' ', '\t']))
                && columns(line) + SLACK >= width
        });
        out.push_str(if continued { body } else { shown });
    }
    Some(out)
}

/// The width that one in twenty of the lines ending in such letters reaches; none without such lines.
fn usual_width(text: &str) -> Option<usize> {
    let mut widths: Vec<usize> = text
        .lines()
        .map(str::trim_end)
        .filter(|line| line.chars().next_back().is_some_and(flow::is_unspaced))
        .map(columns)
        .collect();
    widths.sort_unstable();
    widths.get(widths.len() * 19 / 20).copied()
}

/// The columns a line takes on a terminal.
fn columns(line: &str) -> usize {
    line.trim_end().chars().map(|c| if flow::is_wide(c) { 2 } else { 1 }).sum()
}
