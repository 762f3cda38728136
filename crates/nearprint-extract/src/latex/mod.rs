//! LaTeX source to text: prose, captions, tables, notes and bibliography; no preamble, macros, labels.
//!
//! This is no TeX. Commands are known by name, by what their arguments are; those of an unknown command are
//! treated as text. Macros that the document defines are expanded, within a bound. Letters of formulas are
//! text, as they are in the document's PDF.

mod command;
mod computed_names;
mod conditions;
mod environments;
mod execution;
mod macros;
mod parameters;
mod reader;
mod symbol;

use std::collections::HashMap;
use std::rc::Rc;

use self::environments::{Definition, LongTable};
use self::macros::Macro;
use self::reader::{INSERTIONS, Reader};
use crate::error::{ExtractError, Reason};
use crate::flow::Flow;
use crate::job::Job;
use crate::limits::Limits;
use crate::work::Work;

/// Characters that may mark verbatim text at one time; each is compared with every letter.
const SHORT_VERBS: usize = 16;

/// Bytes before the beginning of a document that are looked at.
const LONGEST_LINE: usize = 400;

const BEGIN: &str = "\\begin{document}";
const END: &str = "\\end{document}";

/// Extracts LaTeX.
pub(crate) fn latex(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    job.work.admit(text.len());
    job.work.charge(2 * text.len())?;
    let (preamble, body) = parts(text);
    let budget = job.limits.max_entity_bytes;
    let mut document = Document {
        shorthands: has_german_shorthands(preamble),
        acutes: has_acute_shorthands(preamble),
        has_overlays: has_overlays(preamble, body),
        ..Document::new(text.len(), budget, job)
    };
    // The classes for the documentation of packages mark commands so.
    if ["{ltxdoc}", "{ltxguide}", "{l3doc}", "{ctxdoc}"]
        .iter()
        .any(|class| preamble.contains(class))
    {
        document.short_verb.push('|');
    }
    document.set(preamble)?;
    // What a preamble leaves on the page by mistake is not text.
    document.flow = Flow::new();
    document.long_table = None;
    // What a preamble asks for defines macros, as most of what plain TeX asks for does.
    document.included = None;
    document.set(body)?;
    document.set_notes()?;
    if let Some(file) = document.included.filter(|_| !preamble.is_empty()) {
        job.warn_of_include(&file);
    }
    Ok(document.flow.finish())
}

/// Extracts a text in LaTeX that is a part of another document. What it defines is its own, and expands to little.
pub(crate) fn fragment(text: &str, job: &Job<'_>) -> Result<String, ExtractError> {
    job.work.charge(text.len())?;
    let mut document = Document::new(text.len(), 0, job);
    document.set(text)?;
    document.set_notes()?;
    Ok(document.flow.finish())
}

/// What comes before the text of a document, and the text.
fn parts(text: &str) -> (&str, &str) {
    // Plain TeX ends with another command, and may tell of LaTeX.
    let ends = |line: &str| line.trim_end().ends_with("\\bye") && !line.starts_with('%');
    let is_plain = |after: &str| after.lines().any(ends);
    let end = text.rfind(END);
    if is_plain(end.map_or(text, |at| &text[at..])) {
        return ("", text);
    }
    let Some(begin) = beginning(text) else { return ("", text) };
    let body = &text[begin + BEGIN.len()..];
    // Examples show the end of a document, too; the last one is its own.
    (&text[..begin], body.rfind(END).map_or(body, |at| &body[..at]))
}

/// Where the text of a document begins: where a line does. A text that names the command has words before it.
fn beginning(text: &str) -> Option<usize> {
    text.match_indices(BEGIN).map(|(at, _)| at).find(|at| {
        let near = text.ceil_char_boundary(at.saturating_sub(LONGEST_LINE));
        let before = text[near..*at].rsplit('\n').next().unwrap_or("").trim();
        let is_named = before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '}');
        before.is_empty() || before.ends_with('}') || (before.starts_with('\\') && is_named)
    })
}

/// Whether `'a` is a letter with an accent, as in Spanish.
fn has_acute_shorthands(preamble: &str) -> bool {
    preamble.lines().filter(|line| !line.trim_start().starts_with('%')).any(|line| {
        line.contains("activeacute")
            || (line.contains("\\documentstyle") && line.contains("spanish"))
    })
}

/// Whether a text is one of slides, of which commands say on which they are.
fn has_overlays(preamble: &str, body: &str) -> bool {
    preamble.contains("{beamer}")
        || preamble.contains("{beamerarticle}")
        || body.contains("\\begin{frame}")
        || body.contains("\\frametitle")
}

/// Whether `"a` is an umlaut.
fn has_german_shorthands(preamble: &str) -> bool {
    preamble.lines().filter(|line| !line.trim_start().starts_with('%')).any(|line| {
        (line.contains("\\usepackage")
            || line.contains("\\document")
            || line.contains("\\RequirePackage"))
            && line.contains("german")
    })
}

/// A document being set.
struct Document<'a> {
    flow: Flow,
    macros: HashMap<String, Macro>,
    /// What `\title`, `\author` and `\date` hold, for `\maketitle`.
    title: HashMap<&'static str, String>,
    shorthands: bool,
    /// Whether `'a` is a letter with an accent.
    acutes: bool,
    /// Footnotes in the order of their marks.
    notes: Vec<String>,
    /// Environments that the document defines.
    environments: HashMap<String, Definition>,
    /// What ends those that are open, where it depends on how they began.
    open_environments: Vec<(String, String)>,
    /// The table over several pages that is open.
    long_table: Option<LongTable>,
    /// Conditions that the document declares, and whether they hold.
    conditions: HashMap<String, bool>,
    /// Whether commands have overlays.
    has_overlays: bool,
    /// Characters that mark verbatim text (`\MakeShortVerb`).
    short_verb: Vec<char>,
    /// Whether a formula is being set.
    in_formula: bool,
    /// The first file that the document asks for.
    included: Option<String>,
    /// Bytes that notes may still have. One inside another is read once for each that it is in.
    notes_left: Option<u64>,
    /// Bytes that macros may produce in one text.
    budget: u64,
    limits: &'a Limits,
    work: Rc<Work>,
}

impl<'a> Document<'a> {
    /// A document of this length, whose macros may produce `budget` bytes.
    fn new(length: usize, budget: u64, job: &Job<'a>) -> Self {
        Self {
            flow: Flow::new(),
            macros: HashMap::new(),
            title: HashMap::new(),
            shorthands: false,
            acutes: false,
            notes: Vec::new(),
            environments: HashMap::new(),
            open_environments: Vec::new(),
            long_table: None,
            conditions: HashMap::new(),
            has_overlays: false,
            short_verb: Vec::new(),
            in_formula: false,
            included: None,
            // What the reader allows for groups that are read again.
            notes_left: Some(budget.saturating_add(INSERTIONS * length as u64)),
            budget,
            limits: job.limits,
            work: Rc::clone(&job.work),
        }
    }

    /// Sets the notes, which stand at the foot of a page or the end of a document, and not inside their sentence.
    fn set_notes(&mut self) -> Result<(), ExtractError> {
        let mut next = 0;
        while let Some(note) = self.notes.get_mut(next) {
            let note = std::mem::take(note);
            self.flow.line();
            self.set(&note)?;
            next += 1;
        }
        Ok(())
    }

    /// A reader of a short text, such as an argument, in which nothing is expanded.
    fn reader(&self, text: &str) -> Reader {
        Reader::new(text, 0, &self.work)
    }

    fn set(&mut self, source: &str) -> Result<(), ExtractError> {
        let mut reader = Reader::new(source, self.budget, &self.work);
        let mut is_in_word = false;
        while let Some(run) = reader.text_run(&self.short_verb) {
            if !run.is_empty() {
                self.paragraphs(&run);
                let mut last = run.chars().rev().take(2);
                is_in_word = (0..2).all(|_| last.next().is_some_and(char::is_alphanumeric));
                continue;
            }
            let follows_word = std::mem::take(&mut is_in_word);
            let Some(special) = reader.next() else { return Ok(()) };
            match special {
                '\\' => self.command(&mut reader),
                '%' => {
                    reader.skip_comment();
                    if reader.peek() == Some('\n') {
                        self.flow.line();
                    }
                }
                c if self.short_verb.contains(&c) => {
                    let text = reader.until(c.encode_utf8(&mut [0; 4]));
                    self.flow.text(&text);
                }
                '&' => self.flow.cell(),
                '~' => self.flow.space(),
                '"' => self.quote(&mut reader),
                // The arguments of one command are words of their own.
                '}' if reader.peek() == Some('{') => self.flow.space(),
                '$' => {
                    if reader.peek() == Some('$') {
                        reader.next();
                    }
                    self.in_formula = !self.in_formula;
                }
                // Names such as `GL_VIEWPORT` are written so where a macro or a package makes the sign a letter.
                '_' if follows_word
                    && !self.in_formula
                    && reader.peek().is_some_and(char::is_alphanumeric) =>
                {
                    self.flow.character('_');
                }
                // Groups, formulas and their scripts leave nothing of themselves.
                '{' | '}' | '^' | '_' => {}
                other => self.flow.character(other),
            }
            self.limits.check_text(self.flow.len())?;
            reader.check()?;
            if self.notes_left.is_none() {
                return Err(ExtractError::new(
                    Reason::ExpansionLimit,
                    "the document's nested notes expand to more than max_entity_bytes",
                ));
            }
        }
        Ok(())
    }

    /// Text without commands; blank lines end paragraphs.
    fn paragraphs(&mut self, text: &str) {
        let accented = if self.acutes { with_acutes(text) } else { None };
        let text = accented.as_deref().unwrap_or(text);
        let breaks = text.matches('\n').count();
        for (n, line) in text.split('\n').enumerate() {
            // The first piece ends a line and the last begins one: only those between are lines.
            let between = n > 0 && n < breaks;
            if between && line.trim().is_empty() {
                self.in_formula = false;
                self.flow.line();
            }
            if n > 0 {
                self.flow.text("\n");
            }
            self.flow.text(line);
        }
    }

    /// German shorthands: `"a` is an umlaut, `"-` a place to hyphenate.
    fn quote(&mut self, reader: &mut Reader) {
        let next = if self.shorthands { reader.peek() } else { None };
        match next {
            Some(c @ ('a' | 'o' | 'u' | 'A' | 'O' | 'U' | 'e' | 'i')) => {
                reader.next();
                self.flow.text(&String::from_iter([c, '\u{308}']));
            }
            Some('s' | 'z') => {
                reader.next();
                self.flow.text("ß");
            }
            Some('-' | '|' | '"') => {
                reader.next();
            }
            Some('=' | '~') => {
                reader.next();
                self.flow.text("-");
            }
            _ => self.flow.text("\""),
        }
    }
}

/// The text with the accents that its apostrophes are; none if there are none. A sign between letters is an apostrophe
/// of other languages only where no vowel follows.
fn with_acutes(text: &str) -> Option<String> {
    if !text.contains('\'') {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(letter) if c == '\'' && "aeiouAEIOU".contains(*letter) => {
                out.extend([*letter, '\u{301}']);
                chars.next();
            }
            Some(letter) if c == '\'' && "nN".contains(*letter) => {
                out.extend([*letter, '\u{303}']);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests;
