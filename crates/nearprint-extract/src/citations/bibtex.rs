//! BibTeX: entries with fields, whose values are in TeX.

use std::collections::HashMap;

use super::{Field, Record};
use crate::error::ExtractError;
use crate::flow::Flow;
use crate::job::Job;
use crate::latex;

/// Bytes of the name of a type or a field (<=).
const LONGEST_NAME: usize = 64;

/// Whether a text is BibTeX: an entry with a key and a field comes before any other text.
pub(crate) fn is_bibtex(head: &str) -> bool {
    let mut lines = head.lines().map(str::trim_start);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('%'));
    let Some(first) = first.filter(|line| line.starts_with('@')) else { return false };
    let mut reader = Reader { text: head, at: head.len() - head.trim_start().len() };
    if let Some(at) = head.find(first) {
        reader.at = at;
    }
    let Some(kind) = reader.entry() else { return false };
    if ["string", "preamble", "comment"].iter().any(|known| kind.eq_ignore_ascii_case(known)) {
        // What is said of the list comes before its entries.
        return head.lines().any(|line| {
            line.starts_with('@') && KINDS.iter().any(|kind| begins_entry(&line[1..], kind))
        });
    }
    reader.key();
    reader.skip_blanks();
    !reader.name().is_empty() && {
        reader.skip_blanks();
        reader.peek() == Some(b'=')
    }
}

/// Types of entries that every list has some of.
const KINDS: [&str; 9] = [
    "article",
    "book",
    "inproceedings",
    "incollection",
    "misc",
    "phdthesis",
    "techreport",
    "online",
    "manual",
];

fn begins_entry(text: &str, kind: &str) -> bool {
    text.get(..kind.len()).is_some_and(|name| name.eq_ignore_ascii_case(kind))
        && text[kind.len()..].trim_start().starts_with(['{', '('])
}

/// The field that a name is of, where it is text.
fn field(name: &str) -> Option<Field> {
    Some(match &*name.to_ascii_lowercase() {
        "title" | "subtitle" => Field::Title,
        "author" | "editor" => Field::Author,
        "booktitle" | "journal" | "journaltitle" => Field::Container,
        "year" | "date" => Field::Year,
        "abstract" => Field::Abstract,
        "keywords" | "keyword" => Field::Keyword,
        "note" | "annote" | "annotation" => Field::Note,
        _ => return None,
    })
}

/// A list, and the place up to which it is read.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn name(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let is_named = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-:.+".contains(byte);
        let length = rest.bytes().take(LONGEST_NAME).take_while(is_named).count();
        self.at += length;
        &rest[..length]
    }

    /// The type of the entry that begins here, up to its brace.
    fn entry(&mut self) -> Option<&'a str> {
        self.at += usize::from(self.peek() == Some(b'@'));
        let kind = self.name();
        self.skip_blanks();
        let is_open = matches!(self.peek(), Some(b'{' | b'('));
        self.at += usize::from(is_open);
        (is_open && !kind.is_empty()).then_some(kind)
    }

    /// Passes over the key of an entry and the comma after it.
    fn key(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let end = rest.iter().position(|byte| b",=}\n".contains(byte)).unwrap_or(rest.len());
        self.at += end + usize::from(rest.get(end) == Some(&b','));
    }

    /// Whether a line begins here that begins an entry: one before it has no end.
    fn is_at_entry(&self) -> bool {
        let rest = &self.text[self.at..];
        rest.strip_prefix("\n@").is_some_and(|rest| {
            let name = rest.bytes().take(LONGEST_NAME).take_while(u8::is_ascii_alphabetic).count();
            name > 2 && rest[name..].starts_with('{')
        })
    }

    /// A value in braces or quotes, a number, or a name that stands for a value; none at the end of the entry.
    fn part(&mut self) -> Option<Value<'a>> {
        self.skip_blanks();
        match self.peek()? {
            b'{' => {
                self.at += 1;
                Some(Value::Text(self.balanced(b'}')))
            }
            b'"' => {
                self.at += 1;
                Some(Value::Text(self.balanced(b'"')))
            }
            _ => Some(self.name()).filter(|name| !name.is_empty()).map(Value::Name),
        }
    }

    /// Up to the sign that ends a value and is in no braces. Where an entry begins before that, up to there.
    fn balanced(&mut self, end: u8) -> &'a str {
        let from = self.at;
        let mut depth = 0usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'\\' => self.at += 1,
                b'\n' if self.is_at_entry() => return &self.text[from..self.at],
                _ if byte == end && depth == 0 => {
                    self.at += 1;
                    return &self.text[from..self.at - 1];
                }
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.text.len();
        &self.text[from..]
    }

    /// Passes over the rest of an entry whose fields are not text.
    fn skip_entry(&mut self) {
        self.balanced(b'}');
    }
}

/// A part of a value.
enum Value<'a> {
    Text(&'a str),
    Name(&'a str),
}

/// The text of a list, and whether an entry of it has no end.
pub(super) fn read(text: &str, job: &mut Job<'_>) -> Result<(String, bool), ExtractError> {
    let mut flow = Flow::new();
    let mut strings: HashMap<String, String> = HashMap::new();
    let mut reader = Reader { text, at: 0 };
    let mut record = Record::default();
    let mut is_damaged = false;
    // What the names stand for may be used often.
    let mut left = job.limits.max_entity_bytes;
    while let Some(found) = memchr::memchr(b'@', &text.as_bytes()[reader.at..]) {
        reader.at += found + 1;
        let Some(kind) = reader.entry() else { continue };
        let is_strings = kind.eq_ignore_ascii_case("string");
        if kind.eq_ignore_ascii_case("comment") || kind.eq_ignore_ascii_case("preamble") {
            reader.skip_entry();
            continue;
        }
        if !is_strings {
            reader.key();
        }
        loop {
            reader.skip_blanks();
            let name = reader.name();
            reader.skip_blanks();
            if name.is_empty() || reader.peek() != Some(b'=') {
                break;
            }
            reader.at += 1;
            let mut value = String::new();
            while let Some(part) = reader.part() {
                match part {
                    Value::Text(text) => value.push_str(text),
                    Value::Name(name) => {
                        let known = strings.get(&name.to_ascii_lowercase());
                        let known = known.map_or(name, String::as_str);
                        left = left.checked_sub(known.len() as u64).ok_or_else(super::exploded)?;
                        value.push_str(known);
                    }
                }
                reader.skip_blanks();
                if reader.peek() != Some(b'#') {
                    break;
                }
                reader.at += 1;
            }
            job.work.charge(value.len())?;
            if is_strings {
                strings.insert(name.to_ascii_lowercase(), value);
            } else if let Some(field) = field(name) {
                for text in parts(field, &value) {
                    record.push(field, latex::fragment(&text, job)?);
                }
            }
            reader.skip_blanks();
            if reader.peek() != Some(b',') {
                break;
            }
            reader.at += 1;
        }
        is_damaged |= !matches!(reader.peek(), Some(b'}' | b')'));
        record.set(&mut flow);
        job.limits.check_text(flow.len())?;
    }
    Ok((flow.finish(), is_damaged))
}

/// The values of a field: authors are separated by the word `and`.
fn parts(field: Field, value: &str) -> Vec<String> {
    let words = || value.split_whitespace().collect::<Vec<_>>();
    if field == Field::Author {
        words().split(|word| *word == "and").map(|name| name.join(" ")).collect()
    } else {
        vec![words().join(" ")]
    }
}
