//! Indices as makeinfo writes them: each entry ends in the number of a line, which no other medium has.

/// Entries from which a text has an index.
const ENTRIES: usize = 5;

/// The text without the numbers of lines in its indices; none if it has no index.
pub(super) fn strip(text: &str) -> Option<String> {
    let numbered = |line: &&str| without_number(line).is_some();
    // Most texts are ruled out by one search.
    if !text.contains("(line ") || text.lines().filter(numbered).nth(ENTRIES - 1).is_none() {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match without_number(line.trim_end_matches(['\r', '\n'])) {
            Some(entry) => {
                out.push_str(entry);
                out.push('\n');
            }
            None => out.push_str(line),
        }
    }
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
