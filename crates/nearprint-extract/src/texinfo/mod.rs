//! Texinfo to text, as its rendering in HTML has it: chapters, definitions, tables, examples and notes; no nodes,
//! menus, indices, settings, title page.
//!
//! Macros, values and conditions are followed, within a bound. Parts in other files are not read. A command that is not
//! known leaves its arguments.

mod arguments;
mod command;
mod execution;
mod macros;
mod reader;

use std::collections::HashMap;
use std::rc::Rc;

use self::arguments::OpenBrace;
use self::command::Environment;
use self::macros::Macro;
use self::reader::{Piece, Reader};
use crate::error::ExtractError;
use crate::extraction::WarningCode;
use crate::flow::Flow;
use crate::job::Job;
use crate::limits::Limits;
use crate::sniff::texinfo::beginning;

/// Extracts Texinfo.
pub(crate) fn texinfo(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    job.work.admit(text.len());
    job.work.charge(2 * text.len())?;
    let mut manual = Manual {
        flow: Flow::new(),
        macros: HashMap::new(),
        aliases: HashMap::new(),
        values: HashMap::new(),
        open: Vec::new(),
        hidden: 0,
        splits: 0,
        environments: Vec::new(),
        preformatted: 0,
        is_line_empty: true,
        is_heading: false,
        notes: Vec::new(),
        copying: None,
        title: None,
        is_titled: false,
        included: None,
        is_ended: false,
        limits: job.limits,
    };
    let start = beginning(text).unwrap_or(0);
    let mut reader = Reader::new(&text[start..], job.limits.max_entity_bytes, &job.work);
    if start == 0 && text.starts_with("\\input") {
        reader.skip_line();
    }
    manual.set(&mut reader)?;
    let is_cut = reader.is_endless();
    manual.set_down_notes();
    let text = manual.with_title(&mut reader)?;
    if let Some(file) = manual.included {
        job.warn_of_include(&file);
    }
    if is_cut {
        job.warn(WarningCode::Recovered, "an environment of the document has no end");
    }
    Ok(text)
}

/// A document being set.
struct Manual<'a> {
    flow: Flow,
    macros: HashMap<String, Rc<Macro>>,
    /// Other names of commands.
    aliases: HashMap<String, String>,
    /// What `@set` sets.
    values: HashMap<String, Rc<str>>,
    /// Braces that are open.
    open: Vec<OpenBrace>,
    /// Those of them whose content is not text.
    hidden: u32,
    /// Those of them whose arguments are told apart.
    splits: u32,
    environments: Vec<Environment>,
    /// Environments in which line breaks count.
    preformatted: u32,
    /// Whether nothing was on the line so far.
    is_line_empty: bool,
    /// Whether the line stands by itself.
    is_heading: bool,
    notes: Vec<String>,
    /// What `@insertcopying` stands for.
    copying: Option<Rc<str>>,
    /// What `@settitle` says.
    title: Option<String>,
    /// Whether the title is in the text.
    is_titled: bool,
    /// The first file that the document asks for.
    included: Option<String>,
    /// Whether `@bye` was read.
    is_ended: bool,
    limits: &'a Limits,
}

impl Manual<'_> {
    /// Sets what the reader has.
    fn set(&mut self, reader: &mut Reader) -> Result<(), ExtractError> {
        while !self.is_ended
            && let Some(piece) = reader.piece()
        {
            match piece {
                Piece::Text(text, range) => self.text(&text[range]),
                Piece::LineEnd => self.line_end(),
                Piece::Command => self.command(reader),
                Piece::Open => self.open.push(OpenBrace::Group),
                Piece::Close => self.close(),
                Piece::Comma => self.comma(),
            }
            self.limits.check_depth(self.open.len() + self.environments.len())?;
            self.limits.check_text(self.flow.len())?;
            reader.check()?;
        }
        Ok(())
    }

    /// Text without commands and line ends.
    fn text(&mut self, text: &str) {
        if self.hidden > 0 {
            return;
        }
        self.is_line_empty &= text.trim_ascii().is_empty();
        if self.preformatted > 0 {
            self.flow.preformatted(text);
        } else {
            self.flow.text(text);
        }
    }

    fn line_end(&mut self) {
        if self.is_heading || self.is_line_empty || self.preformatted > 0 {
            self.flow.line();
        } else {
            self.flow.text("\n");
        }
        (self.is_heading, self.is_line_empty) = (false, true);
    }

    /// Notes stand at the end, and not inside their sentence.
    fn set_down_notes(&mut self) {
        for note in std::mem::take(&mut self.notes) {
            self.flow.line();
            self.flow.preformatted(&note);
        }
    }

    /// The text, after the title of the document where no heading says it.
    fn with_title(&mut self, reader: &mut Reader) -> Result<String, ExtractError> {
        let end = self.flow.len();
        if let Some(title) = self.title.take().filter(|_| !self.is_titled) {
            (self.hidden, self.splits, self.preformatted, self.is_ended) = (0, 0, 0, false);
            self.open.clear();
            self.flow.line();
            reader.skip_all();
            reader.insert(title.into());
            self.set(reader)?;
        }
        let title = self.flow.lift(end);
        let text = std::mem::replace(&mut self.flow, Flow::new()).finish();
        let title = title.trim();
        Ok(if title.is_empty() { text } else { format!("{title}\n{text}") })
    }
}

#[cfg(test)]
mod tests;
