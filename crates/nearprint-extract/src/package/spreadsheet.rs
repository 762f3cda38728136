//! Office Open XML spreadsheets (XLSX): the cells of the sheets that are shown, row by row, as in a table with tabs.
//!
//! Strings are what a reader sees, and most cells of documents are strings. A number is given as it is stored, because
//! how it is shown is said by formats that no other extractor needs either: a date is a number of days. Without numbers
//! two tables of the same labels would be one text. Formulas, comments, charts and hidden sheets are out.

use super::archive::Archive;
use super::relationships::{self, Relationship};
use super::{kind, missing, ooxml};
use crate::character_reference::{self as reference, Reference};
use crate::charset;
use crate::error::ExtractError;
use crate::extraction::WarningCode;
use crate::flow::Flow;
use crate::job::Job;
use crate::letters;
use crate::work::Work;
use crate::xml::{MeteredScanner, Piece, attribute, local, prefixed_attribute};

/// The usual names of parts, for packages that do not say which theirs are.
const STRINGS: &str = "xl/sharedStrings.xml";

/// Extracts XLSX.
pub(crate) fn xlsx(bytes: &[u8], job: &mut Job<'_>) -> Result<String, ExtractError> {
    let mut archive = kind::open(bytes, job.limits)?;
    let (name, workbook) = ooxml::main(&mut archive, ooxml::WORKBOOK, &job.work)?;
    let workbook = charset::decode(&workbook, None);
    let (sheets, strings) = match relationships::of(&name, &mut archive, &job.work)? {
        Some(list) => {
            let strings = list.iter().find(|r| r.kind == "sharedStrings");
            (sheets(&workbook.text, &list, &job.work), strings.map(|r| r.target.clone()))
        }
        None => (usual_sheets(&archive), Some(STRINGS.to_owned())),
    };
    let strings = match strings {
        Some(part) => archive.read(&part)?,
        None => None,
    };
    let mut reader = Cells {
        flow: Flow::new(),
        strings: read_strings(&strings.unwrap_or_default(), job),
        is_damaged: false,
        misses_strings: false,
    };
    for part in sheets {
        let sheet = archive.read(&part)?.ok_or_else(|| missing(&part))?;
        reader.read(&charset::decode(&sheet, None).text, job)?;
    }
    if reader.is_damaged || reader.strings.is_damaged {
        job.warn(WarningCode::Recovered, "the spreadsheet is not well-formed XML");
    }
    if reader.misses_strings {
        job.warn(WarningCode::PartUnreadable, "cells refer to strings that are not in the file");
    }
    Ok(reader.flow.finish())
}

fn read_strings(part: &[u8], job: &mut Job<'_>) -> Strings {
    let part = charset::decode(part, None);
    job.letters = letters::in_text_elements(part.text.as_bytes());
    Strings::read(&part.text, &job.work)
}

/// The parts of the sheets that are shown, in the order in which the workbook lists them, each once.
fn sheets(workbook: &str, relationships: &[Relationship], work: &Work) -> Vec<String> {
    let mut listed = std::collections::HashMap::new();
    for r in relationships.iter().filter(|r| r.kind == "worksheet") {
        listed.entry(r.id.as_str()).or_insert(r.target.as_str());
    }
    let mut seen = std::collections::HashSet::new();
    MeteredScanner::new(workbook, work)
        .filter_map(|piece| match piece {
            Piece::Start { name, attributes, .. } if local(name) == "sheet" => {
                let is_hidden = matches!(attribute(attributes, "state"), Some(s) if s != "visible");
                let id = prefixed_attribute(attributes, "id").filter(|_| !is_hidden)?;
                listed.get(id).copied()
            }
            _ => None,
        })
        .filter(|part| seen.insert(*part))
        .map(str::to_owned)
        .collect()
}

fn usual_sheets(archive: &Archive<'_>) -> Vec<String> {
    let names = (1..).map(|number: u32| format!("xl/worksheets/sheet{number}.xml"));
    names.take_while(|name| archive.has(name)).collect()
}

/// The strings that cells refer to by their number.
#[derive(Debug, Default)]
struct Strings {
    text: String,
    /// Where each of them ends: a million strings of a few bytes are to take no more memory than their part.
    ends: Vec<u32>,
    is_damaged: bool,
}

impl Strings {
    fn read(part: &str, work: &Work) -> Self {
        let mut strings = Self::default();
        let mut inside = Inside::default();
        let mut scanner = MeteredScanner::new(part, work);
        for piece in &mut scanner {
            match piece {
                Piece::Start { name, empty, .. } => match local(name) {
                    "si" if empty => strings.end(),
                    name => inside.start(name, empty),
                },
                Piece::End { name } => match local(name) {
                    "si" => strings.end(),
                    name => inside.end(name),
                },
                Piece::Text(text) if inside.is_text() => append(text, &mut strings.text),
                Piece::Verbatim(text) if inside.is_text() => strings.text.push_str(text),
                _ => {}
            }
        }
        strings.is_damaged = scanner.is_damaged();
        strings
    }

    fn get(&self, number: usize) -> Option<&str> {
        let end = *self.ends.get(number)?;
        let begin = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.text.get(begin as usize..end as usize)
    }

    /// Ends a string. What lies beyond 4 GiB, which no part expands to by default, is left out.
    fn end(&mut self) {
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
    }
}

/// Where in a string the scanner is: text is in `t`, and not in the reading of a Japanese one.
#[derive(Debug, Default)]
struct Inside {
    text: bool,
    reading: bool,
}

impl Inside {
    fn start(&mut self, name: &str, empty: bool) {
        match name {
            "t" => self.text = !empty,
            "rPh" => self.reading = !empty,
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "t" => self.text = false,
            "rPh" => self.reading = false,
            _ => {}
        }
    }

    fn is_text(&self) -> bool {
        self.text && !self.reading
    }
}

/// What the value of a cell is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The number of a string.
    Shared,
    Truth,
    /// A number, a string of a formula, an error, a date: as it is written.
    Plain,
}

struct Cells {
    flow: Flow,
    strings: Strings,
    is_damaged: bool,
    misses_strings: bool,
}

impl Cells {
    fn read(&mut self, sheet: &str, job: &Job<'_>) -> Result<(), ExtractError> {
        self.flow.line();
        let mut inside = Inside::default();
        let mut kind = Kind::Plain;
        let (mut in_cell, mut in_value) = (false, false);
        let mut value = String::new();
        let mut scanner = MeteredScanner::new(sheet, &job.work);
        for piece in &mut scanner {
            match piece {
                Piece::Start { name, attributes, empty } => match local(name) {
                    "row" => self.flow.line(),
                    "c" => {
                        self.flow.cell();
                        in_cell = !empty;
                        kind = match attribute(attributes, "t") {
                            Some("s") => Kind::Shared,
                            Some("b") => Kind::Truth,
                            _ => Kind::Plain,
                        };
                    }
                    "v" => in_value = in_cell && !empty,
                    name => inside.start(name, empty),
                },
                Piece::End { name } => match local(name) {
                    "c" => in_cell = false,
                    "v" => {
                        in_value = false;
                        self.value(&value, kind);
                        value.clear();
                        job.limits.check_text(self.flow.len())?;
                    }
                    name => inside.end(name),
                },
                Piece::Text(text) if in_value => append(text, &mut value),
                Piece::Text(text) if in_cell && inside.is_text() => {
                    append(text, &mut value);
                    self.flow.text(&value);
                    value.clear();
                }
                Piece::Verbatim(text) if in_value => value.push_str(text),
                Piece::Verbatim(text) if in_cell && inside.is_text() => self.flow.text(text),
                _ => {}
            }
        }
        self.is_damaged |= scanner.is_damaged();
        job.work.check()?;
        job.limits.check_text(self.flow.len())
    }

    fn value(&mut self, value: &str, kind: Kind) {
        match kind {
            Kind::Plain => self.flow.text(value),
            Kind::Truth => self.flow.text(if value.trim() == "1" { "TRUE" } else { "FALSE" }),
            Kind::Shared => match value.trim().parse().ok().and_then(|n| self.strings.get(n)) {
                Some(text) => self.flow.text(text),
                None => self.misses_strings = true,
            },
        }
    }
}

/// Appends text with its references resolved.
fn append(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'&', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match reference::read(rest) {
            Some((Reference::Text(text), length)) => {
                out.push_str(text);
                rest = &rest[length..];
            }
            Some((Reference::Char(c), length)) => {
                out.push(c);
                rest = &rest[length..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
}
