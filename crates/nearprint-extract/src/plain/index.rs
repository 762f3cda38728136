//! Indices as makeinfo writes them: each entry ends in the number of a line, which no other medium has.

use crate::line_search::lines_with;

/// Entries from which a text has an index.
const ENTRIES: usize = 5;

/// The text without the numbers of lines in its indices; none if it has no index.
pub(super) fn strip(text: &str) -> Option<String> {
    let lines = lines_with(text, "(line ");
    let entries: Vec<_> =
        lines.filter_map(|(at, line)| Some((at, line, without_number(line)?))).collect();
    if entries.len() < ENTRIES {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (at, line, entry) in entries {
        out.push_str(&text[from..at]);
        out.push_str(entry);
        from = at + line.len();
    }
    out.push_str(&text[from..]);
    Some(out)
}

/// What stands before `(line 12)` at the end of an entry or of its second line.
fn without_number(line: &str) -> Option<&str> {
    let (entry, number) = line.strip_suffix(')')?.rsplit_once("(line ")?;
    let number = number.trim_start();
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let is_entry = entry.starts_with("* ") || entry.trim_start().is_empty();
    (is_number && is_entry && entry.ends_with(' ')).then(|| entry.trim_end())
}
