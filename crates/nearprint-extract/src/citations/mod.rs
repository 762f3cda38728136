//! Lists of references: BibTeX and RIS. Each reference is a paragraph of the same fields in the same order, so that a
//! list has the same text in both: title, authors, where and when it appeared, abstract, keywords, notes. Keys,
//! numbers, addresses and the like are not text.

mod bibtex;
mod ris;

use crate::error::{ExtractError, Reason};
use crate::extraction::WarningCode;
use crate::flow::Flow;
use crate::job::Job;

/// A field of a reference, in the order in which fields are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Field {
    Title,
    Author,
    Container,
    Year,
    Abstract,
    Keyword,
    Note,
}

/// The fields of one reference as they come.
#[derive(Debug, Default)]
struct Record {
    fields: Vec<(Field, String)>,
    /// Whether a line without a tag belongs to the last of them.
    is_continued: bool,
}

impl Record {
    fn push(&mut self, field: Field, text: String) {
        if text.trim().is_empty() {
            self.is_continued = false;
        } else {
            self.fields.push((field, text.trim().to_owned()));
        }
    }

    /// A line that goes on with the last field.
    fn go_on(&mut self, line: &str) {
        if let Some((_, text)) = self.fields.last_mut().filter(|_| self.is_continued) {
            text.push(' ');
            text.push_str(line);
        }
    }

    /// Sets the reference, and begins another.
    fn set(&mut self, flow: &mut Flow) {
        let mut fields = std::mem::take(&mut self.fields);
        fields.sort_by_key(|(field, _)| *field);
        let mut last = None;
        for (field, text) in fields {
            // Several authors and keywords are one line.
            match last {
                Some(last) if last == field && matches!(field, Field::Author | Field::Keyword) => {
                    flow.text("; ");
                }
                _ => flow.line(),
            }
            flow.text(&text);
            last = Some(field);
        }
        flow.line();
    }
}

pub(crate) use self::bibtex::is_bibtex;
pub(crate) use self::ris::is_ris;

fn exploded() -> ExtractError {
    ExtractError::new(
        Reason::ExpansionLimit,
        "the names of the list expand to more than max_entity_bytes",
    )
}

/// Extracts BibTeX.
pub(crate) fn bibtex(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    job.work.admit(text.len());
    job.work.charge(2 * text.len())?;
    let (text, is_damaged) = bibtex::read(text, job)?;
    if is_damaged {
        job.warn(WarningCode::Recovered, "a reference of the list has no end");
    }
    Ok(text)
}

/// Extracts RIS.
pub(crate) fn ris(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    job.work.admit(text.len());
    job.work.charge(2 * text.len())?;
    let (text, is_cut) = ris::read(text);
    if is_cut {
        job.warn_of_missing_end("the document ends within a reference, as one that was cut");
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
