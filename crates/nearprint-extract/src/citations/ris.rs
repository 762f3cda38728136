//! RIS: lines of a tag of two characters, two blanks, a hyphen and a blank; `TY` begins a reference and `ER` ends it.

use super::{Field, Record};
use crate::flow::Flow;

/// Whether a text is RIS: it begins with the type of a reference.
pub(crate) fn is_ris(head: &str) -> bool {
    let mut lines =
        head.trim_start_matches('\u{FEFF}').lines().filter(|line| !line.trim().is_empty());
    let is_begin =
        |line: &str| tag(line).is_some_and(|(tag, value)| tag == "TY" && !value.is_empty());
    let begins = lines.next().is_some_and(is_begin);
    begins && lines.next().is_some_and(|line| tag(line).is_some())
}

/// The tag of a line and its value.
fn tag(line: &str) -> Option<(&str, &str)> {
    let (tag, rest) = line.split_at_checked(2)?;
    let is_tag = tag.as_bytes()[0].is_ascii_uppercase()
        && (tag.as_bytes()[1].is_ascii_uppercase() || tag.as_bytes()[1].is_ascii_digit());
    let value = rest.strip_prefix("  -")?;
    (is_tag && (value.is_empty() || value.starts_with([' ', '\t', '\r'])))
        .then(|| (tag, value.trim()))
}

/// The field that a tag is of, where it is text.
fn field(tag: &str) -> Option<Field> {
    Some(match tag {
        "TI" | "T1" | "CT" | "BT" | "ST" => Field::Title,
        "AU" | "A1" | "A2" | "A3" | "A4" | "ED" => Field::Author,
        "T2" | "T3" | "JO" | "JF" | "JA" | "J1" | "J2" => Field::Container,
        "PY" | "Y1" | "DA" => Field::Year,
        "AB" | "N2" => Field::Abstract,
        "KW" => Field::Keyword,
        "N1" | "RN" => Field::Note,
        _ => return None,
    })
}

/// The text, and whether the last reference has no end.
pub(super) fn read(text: &str) -> (String, bool) {
    let mut flow = Flow::new();
    let mut record = Record::default();
    let mut is_open = false;
    for line in text.trim_start_matches('\u{FEFF}').lines() {
        match tag(line) {
            Some(("TY", _)) => {
                record.set(&mut flow);
                is_open = true;
            }
            Some(("ER", _)) => {
                record.set(&mut flow);
                is_open = false;
            }
            Some((tag, value)) => match field(tag) {
                // Titles and names of journals are often given twice, and in short.
                Some(field @ (Field::Title | Field::Container | Field::Year)) => {
                    let is_known = record.fields.iter().any(|(known, _)| *known == field);
                    record.is_continued = !is_known;
                    if !is_known {
                        let value = if field == Field::Year { year(value) } else { value };
                        record.push(field, value.to_owned());
                    }
                }
                Some(field) => {
                    record.is_continued = true;
                    record.push(field, value.to_owned());
                }
                None => record.is_continued = false,
            },
            None => record.go_on(line),
        }
    }
    record.set(&mut flow);
    (flow.finish(), is_open)
}

/// The year of a date such as `2020/05/01/`.
fn year(date: &str) -> &str {
    date.split('/').next().unwrap_or("")
}
