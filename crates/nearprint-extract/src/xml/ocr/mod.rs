//! Pages as recognisers of print and of handwriting write them: ALTO and PAGE XML. Their text is in attributes, or in
//! several forms beside each other, so they are read apart from other vocabularies.
//!
//! The text is that of the lines, in the order that the page states. Words that a line breaks are joined by the marks
//! that the format has for it; where it has none, as lines of plain text are.

mod alto;
mod page;

use super::local;
use super::scanner::{Piece, Scanner};
use crate::character_reference::resolved;
use crate::error::ExtractError;
use crate::extraction::WarningCode;
use crate::flow;
use crate::job::Job;
use crate::plain;

/// The elements of one format: what each does where it begins and ends, and the text in it.
trait Reader {
    /// A start tag; empty elements have an end at once.
    fn start(&mut self, name: &str, attributes: &str);
    fn text(&mut self, text: &str);
    fn end(&mut self, name: &str);
    /// The lines of the text.
    fn finish(self: Box<Self>) -> String;
    /// Bytes held.
    fn len(&self) -> usize;
}

/// The text of a page, if the root element is that of one.
pub(super) fn read(text: &str, job: &mut Job<'_>) -> Result<Option<String>, ExtractError> {
    let mut scanner = Scanner::new(text);
    let root = scanner.by_ref().find_map(|piece| match piece {
        Piece::Start { name, .. } => Some(local(name)),
        _ => None,
    });
    job.work.charge(scanner.looked())?;
    let mut reader: Box<dyn Reader> = match root {
        Some("alto") => Box::<alto::Alto>::default(),
        Some("PcGts") => Box::<page::Page>::default(),
        _ => return Ok(None),
    };
    job.work.admit(text.len());
    let mut scanner = Scanner::new(text);
    let (mut looked, mut open) = (0, 0usize);
    while let Some(piece) = scanner.next() {
        job.work.charge(scanner.looked() - looked)?;
        looked = scanner.looked();
        match piece {
            Piece::Text(text) => reader.text(&resolved(text)),
            Piece::Verbatim(text) => reader.text(text),
            Piece::Start { name, attributes, empty } => {
                let count = || super::attributes::attribute_count(attributes);
                job.limits.check_attributes(attributes, count)?;
                // They are looked through for each that is asked for.
                job.work.charge(4 * attributes.len())?;
                open += usize::from(!empty);
                job.limits.check_depth(open)?;
                reader.start(local(name), attributes);
                if empty {
                    reader.end(local(name));
                }
                job.limits.check_text(reader.len())?;
            }
            Piece::End { name } => {
                open = open.saturating_sub(1);
                reader.end(local(name));
            }
            Piece::Doctype(_) => {}
        }
    }
    job.work.charge(scanner.looked() - looked)?;
    if open > 0 {
        job.warn_of_missing_end("the document ends within an element, as one that was cut");
    }
    if scanner.is_damaged() {
        job.warn(WarningCode::Recovered, "the document is not well-formed XML");
    }
    let lines = reader.finish();
    job.work.admit(lines.len());
    plain::lines(&lines, job).map(Some)
}

/// Signs at the end of a line that say that its last word goes on.
const BREAKS: [char; 3] = ['\u{AC}', '\u{AD}', '\u{2E17}'];

/// Puts a line after the lines before it. One that ends within a word is joined with the next, and so are lines of a
/// script without blanks.
fn push_line(lines: &mut String, line: &str) {
    let line = line.trim();
    if line.is_empty() {
        return;
    }
    if lines.ends_with(BREAKS) {
        lines.pop();
    } else if !lines.is_empty() && !flow::joins_lines(lines, line) {
        lines.push('\n');
    }
    lines.push_str(line);
}

#[cfg(test)]
mod tests;
