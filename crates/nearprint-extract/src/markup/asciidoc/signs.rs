//! Signs by which a text is known as AsciiDoc.

use super::lines::{attribute, is_anchor, is_block_macro, is_comment, is_style, title};
use crate::line_search::lines_with;
use crate::markup::ENOUGH;

/// How many things a text has that only AsciiDoc has.
pub(in super::super) fn signs(head: &str) -> u32 {
    let mut signs = if has_header(head) { ENOUGH } else { 0 };
    for (_, line) in lines_with(head, "[") {
        let line = line.trim_end();
        signs += 3 * u32::from(is_block_macro(line) || is_anchor(line) || is_style(line));
        signs += 2 * inline_macros(line);
    }
    if signs == 0 {
        return 0;
    }
    let mut others = 0;
    for line in head.lines() {
        let line = line.trim_end();
        others += u32::from(title(line).is_some_and(|(level, _)| level <= 6));
        others += u32::from(attribute(line).is_some());
    }
    signs + others.min(signs + 3)
}

/// Whether a text begins with a document's title, and attributes beside it or a section below it say that it is one.
fn has_header(head: &str) -> bool {
    let mut lines = head.lines().map(str::trim_end).peekable();
    let mut attributes = false;
    while let Some(line) =
        lines.next_if(|l| l.is_empty() || is_comment(l) || attribute(l).is_some())
    {
        attributes |= attribute(line).is_some();
    }
    // Wikis set such signs on both sides of a title.
    let is_title = |line: &str, of: usize| {
        title(line).is_some_and(|(level, text)| level == of && !text.ends_with('='))
    };
    lines.next().is_some_and(|line| is_title(line, 1))
        && (attributes
            || lines.by_ref().take_while(|l| !l.is_empty()).any(|l| attribute(l).is_some())
            || lines.any(|line| is_title(line, 2)))
}

/// How many macros with a target stand on a line.
fn inline_macros(line: &str) -> u32 {
    const NAMES: [&str; 5] = ["link:", "xref:", "linkgit:", "footnote:", "kbd:"];
    // A target ends at a blank or a bracket, and only one with arguments counts.
    let targets = line.split_inclusive([' ', ']', '[']).filter_map(|part| part.strip_suffix('['));
    let named = targets.filter(|target| target.contains(':'));
    named
        .map(|target| NAMES.map(|name| target.matches(name).count() as u32).iter().sum::<u32>())
        .sum()
}
