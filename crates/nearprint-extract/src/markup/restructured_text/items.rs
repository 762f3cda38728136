//! Items of lists: where their text begins, and their numbers and letters, which renderings write as style, not as
//! text.

use crate::markup::blocks::indent;

/// Characters of the longest number (<=).
const LONGEST: usize = 9;

/// The item that begins with `line`, without its enumerator: `1.`, `a)`, `(iv)` or `#.`. Docutils asks for a next line
/// that is empty, stands deeper, or is an item as well; otherwise this is a paragraph.
pub(super) fn item<'a>(line: &'a str, next: Option<&str>) -> Option<&'a str> {
    let rest = enumerated(line)?;
    let next = next.unwrap_or_default();
    let depth = indent(line);
    let is_item = next.trim().is_empty()
        || indent(next) > depth
        || indent(next) == depth && enumerated(next).is_some();
    is_item.then_some(rest)
}

/// The columns before the text of an item, behind the indentation; 0 if the line begins none.
pub(super) fn mark(line: &str) -> usize {
    let rest = line.strip_prefix(['*', '-', '+', '•']).filter(|rest| rest.starts_with(' '));
    rest.or_else(|| enumerated(line))
        .map_or(0, |rest| line.chars().count() - rest.trim_start().chars().count())
}

fn enumerated(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let (open, line) = match line.strip_prefix('(') {
        Some(line) => (true, line),
        None => (false, line),
    };
    let (label, rest) = line.split_at(line.find(['.', ')'])?);
    let closed = rest.starts_with(')') || rest.starts_with('.') && !open;
    let rest = &rest[1..];
    (closed && is_label(label) && rest.starts_with([' ', '\t'])).then_some(rest)
}

fn is_label(label: &str) -> bool {
    let all = |of: &str| !label.is_empty() && label.chars().all(|c| of.contains(c));
    let letter = label.len() == 1 && label.as_bytes()[0].is_ascii_alphabetic();
    label == "#"
        || label.len() <= LONGEST && (all("0123456789") || all("ivxlcdm") || all("IVXLCDM"))
        || letter
}
