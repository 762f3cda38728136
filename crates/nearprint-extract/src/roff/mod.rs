//! Manual pages and other roff sources: the text that requests and macros leave on paper.
//!
//! The macros of man(7), mdoc(7) and ms(7) are known by what they do to text; the page's header is
//! furniture. Definitions of strings are followed, those of macros are not: what cannot be known is left
//! out.

mod equation;
mod escape;
mod mdoc;
mod standards;
mod table;

use self::equation::Delimiters;
use self::escape::Strings;
use self::table::Table;
use crate::error::{ExtractError, Reason};
use crate::flow::Flow;
use crate::job::Job;

/// Conditions and blocks nested in each other; deeper ones are false.
const MAX_NESTING: usize = 64;

/// Extracts roff.
pub(crate) fn roff(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    let mut page = Page {
        flow: Flow::new(),
        strings: Strings::new(job.limits.max_entity_bytes, &job.work),
        filled: true,
        skip_until: None,
        table: None,
        conditions: Vec::new(),
        last_condition: false,
        name: String::new(),
        is_equation: false,
        delimiters: Delimiters::default(),
    };
    for line in joined_lines(text) {
        job.work.charge(line.len() + 1)?;
        page.line(&line);
        if page.strings.is_exhausted() {
            return Err(ExtractError::new(
                Reason::ExpansionLimit,
                format!(
                    "the page's strings expand to more than max_entity_bytes = {}",
                    job.limits.max_entity_bytes
                ),
            ));
        }
        job.limits.check_text(page.flow.len())?;
    }
    Ok(page.flow.finish())
}

/// The request that ends a definition or a comment: the argument of this number, before a comment, or a dot.
fn named_end(arguments: &str, number: usize) -> String {
    let arguments = arguments.split("\\\"").next().unwrap_or_default();
    arguments.split_whitespace().nth(number).unwrap_or(".").to_owned()
}

/// Lines, those that end in a backslash joined with the next.
fn joined_lines(text: &str) -> impl Iterator<Item = std::borrow::Cow<'_, str>> {
    let mut lines = text.lines();
    std::iter::from_fn(move || {
        let first = lines.next()?;
        if !first.ends_with('\\') || first.ends_with("\\\\") {
            return Some(first.into());
        }
        let mut whole = first[..first.len() - 1].to_owned();
        for next in lines.by_ref() {
            match next.strip_suffix('\\') {
                Some(more) => whole += more,
                None => {
                    whole += next;
                    break;
                }
            }
        }
        Some(whole.into())
    })
}

/// A page being set.
struct Page {
    flow: Flow,
    strings: Strings,
    /// Whether lines run together.
    filled: bool,
    /// The request that ends what is being skipped: a definition or a comment.
    skip_until: Option<String>,
    table: Option<Table>,
    /// Open blocks of conditions, and whether they hold.
    conditions: Vec<bool>,
    /// The outcome of the last `.ie`, for its `.el`.
    last_condition: bool,
    /// What mdoc's `.Nm` names.
    name: String,
    is_equation: bool,
    delimiters: Delimiters,
}

impl Page {
    /// Sets a line of the source.
    fn line(&mut self, line: &str) {
        if let Some(end) = &self.skip_until {
            // A request of this name, with blanks before it and with anything behind it.
            let request = line.strip_prefix('.').map(str::trim_start);
            let rest = request.and_then(|request| request.strip_prefix(end.as_str()));
            if rest.is_some_and(|rest| !rest.starts_with(|c: char| !c.is_whitespace() && c != '\\'))
            {
                self.skip_until = None;
            }
            return;
        }
        if self.conditions.last() == Some(&false) {
            self.open_unmet(line);
        } else {
            self.part(line, 0);
        }
        for _ in 0..line.matches("\\}").count() {
            self.conditions.pop();
        }
    }

    /// Sets a line, or what a condition on it guards.
    fn part(&mut self, line: &str, nesting: usize) {
        if let Some(request) = line.strip_prefix('.').or_else(|| line.strip_prefix('\'')) {
            let request = request.trim_start();
            let length =
                request.find(|c: char| c.is_whitespace() || c == '\\').unwrap_or(request.len());
            let (name, arguments) = request.split_at(length);
            self.request(name, arguments.trim_start(), nesting);
        } else if let Some(mut table) = self.table.take() {
            table.line(&self.delimiters.line(line), &mut self.flow, &self.strings);
            self.table = Some(table);
        } else {
            self.text(line);
        }
    }

    /// Opens the blocks of a line that is not set: only their ends will matter.
    fn open_unmet(&mut self, line: &str) {
        for _ in 0..line.matches("\\{").count() {
            self.open_block(false);
        }
    }

    fn open_block(&mut self, holds: bool) {
        if self.conditions.len() < MAX_NESTING {
            self.conditions.push(holds);
        }
    }

    fn text(&mut self, line: &str) {
        if self.is_equation {
            if !self.delimiters.declare(line) {
                escape::set(&equation::text(line), &self.strings, &mut self.flow);
                self.flow.space();
            }
            return;
        }
        let line = &*self.delimiters.line(line);
        if line.trim().is_empty() || !self.filled || line.starts_with([' ', '\t']) {
            self.flow.line();
        }
        if !self.filled {
            self.flow.indent(line);
        }
        let continued = escape::set(line, &self.strings, &mut self.flow);
        if !self.filled {
            self.flow.line();
        } else if !continued {
            self.flow.space();
        }
    }

    fn request(&mut self, name: &str, arguments: &str, nesting: usize) {
        match name {
            "" => {}
            "if" | "ie" | "el" | "while" => self.condition(name, arguments, nesting),
            "ds" | "ds1" | "as" => self.define(name, arguments),
            "de" | "de1" | "am" | "dei" | "ami" => {
                self.skip_until = Some(named_end(arguments, 1));
            }
            "ig" => {
                self.skip_until = Some(named_end(arguments, 0));
            }
            "nf" | "EX" | "Vb" | "DS" => self.fill(false),
            "fi" | "EE" | "Ve" | "DE" => self.fill(true),
            "TS" => {
                self.flow.line();
                self.table = Some(Table::new());
            }
            "TE" => {
                self.table = None;
                self.flow.line();
            }
            "T&" => self.table = Some(Table::new()),
            "EQ" | "EN" => {
                self.is_equation = name == "EQ";
                self.flow.line();
            }
            "SH" | "SS" | "SM" | "B" | "I" | "R" | "CW" | "SB" | "BI" | "BR" | "IB" | "IR"
            | "RB" | "RI" | "OP" | "SY" | "YS" | "TP" | "TQ" | "IP" | "UR" | "UE" | "MT" | "ME"
            | "PP" | "P" | "LP" | "HP" | "RS" | "RE" | "br" | "sp" | "in" | "ti" | "TL" | "NH"
            | "AU" | "AI" | "AB" | "AE" | "FS" | "FE" | "QP" | "MR" => self.man(name, arguments),
            // Links of ms(7) with GNU's macros for PDF: their text is after two hyphens.
            "pdfhref" if arguments.starts_with(['W', 'L']) => self.link(arguments),
            // The header and footer of the page.
            "TH" | "Dd" | "Dt" | "Os" => {}
            _ => {
                let arguments = escape::arguments(arguments);
                mdoc::request(name, &arguments, &mut self.name, &self.strings, &mut self.flow);
            }
        }
    }

    fn link(&mut self, arguments: &str) {
        let words = escape::arguments(arguments);
        for word in words.iter().skip_while(|word| *word != "--").skip(1) {
            escape::set(word, &self.strings, &mut self.flow);
            self.flow.space();
        }
    }

    fn fill(&mut self, filled: bool) {
        self.flow.line();
        self.filled = filled;
    }

    fn define(&mut self, name: &str, arguments: &str) {
        let (string, value) = arguments.split_once(char::is_whitespace).unwrap_or((arguments, ""));
        // One quote keeps leading blanks. Escapes wait for the string's use where they have two backslashes.
        let value = value.trim_start();
        let value = &value.strip_prefix('"').unwrap_or(value).replace("\\\\", "\\");
        if name == "as" {
            self.strings.append(string, value);
        } else {
            self.strings.set(string, value);
        }
    }

    /// Conditions of this processor: it is nroff, it has GNU extensions, and knows no other registers.
    fn condition(&mut self, name: &str, arguments: &str, nesting: usize) {
        let (holds, rest) = if name == "el" {
            (!self.last_condition, arguments)
        } else {
            let (negated, test) = match arguments.strip_prefix('!') {
                Some(test) => (true, test),
                None => (false, arguments),
            };
            let (test, rest) = split_test(test);
            let holds = matches!(test, "n" | "o" | "1" | "\\n(.g" | "\\n[.g]" | "(\\n(.g)");
            (holds != negated, rest)
        };
        if name == "ie" {
            self.last_condition = holds;
        }
        if !holds || nesting >= MAX_NESTING {
            self.open_unmet(rest);
            return;
        }
        let rest = rest.trim_start();
        let Some(block) = rest.strip_prefix("\\{") else {
            self.part(rest, nesting + 1);
            return;
        };
        self.open_block(true);
        let block = block.replace("\\}", "");
        let block = block.trim_start();
        if !block.is_empty() {
            self.part(block, nesting + 1);
        }
    }

    /// The macros of man(7) and ms(7).
    fn man(&mut self, name: &str, arguments: &str) {
        let words = escape::arguments(arguments);
        let block = !matches!(
            name,
            "B" | "I"
                | "R"
                | "CW"
                | "SM"
                | "SB"
                | "BI"
                | "BR"
                | "IB"
                | "IR"
                | "RB"
                | "RI"
                | "OP"
                | "MR"
                | "UE"
                | "ME"
        );
        if block || !self.filled {
            self.flow.line();
        }
        let (shown, between) = match name {
            // In ms(7) a level, and the heading is what follows.
            "SH" if matches!(&words[..], [level] if level.parse::<u8>().is_ok()) => (0, " "),
            "SH" | "SS" | "B" | "I" | "R" | "SM" | "SB" | "CW" | "OP" | "SY" => (words.len(), " "),
            "BI" | "BR" | "IB" | "IR" | "RB" | "RI" => (words.len(), ""),
            "IP" | "HP" => (words.len().min(1), " "),
            "MR" => (words.len(), ""),
            "UE" | "ME" => (words.len(), " "),
            _ => (0, ""),
        };
        for (n, word) in words[..shown].iter().enumerate() {
            if n > 0 && between == " " {
                self.flow.space();
            }
            escape::set(word, &self.strings, &mut self.flow);
        }
        if matches!(name, "SH" | "SS" | "IP" | "SY") || (!self.filled && shown > 0) {
            self.flow.line();
        } else {
            self.flow.space();
        }
    }
}

/// A condition's test and what follows it.
fn split_test(text: &str) -> (&str, &str) {
    // A comparison of strings between quotes may hold blanks; it is never known to hold.
    if text.starts_with(['\'', '"']) {
        let quote = &text[..1];
        let mut ends = text.match_indices(quote).map(|(at, _)| at + 1).skip(2);
        let end = ends.next().unwrap_or(text.len());
        return ("", &text[end..]);
    }
    let end = text.find([' ', '\t']).unwrap_or(text.len());
    // `.if n \{` and `.if n\{` alike.
    let end = text[..end].find("\\{").unwrap_or(end);
    text.split_at(end)
}

#[cfg(test)]
mod tests;
