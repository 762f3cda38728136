//! Macros that a document defines, and their expansion within a bound.

use std::rc::Rc;

use super::Document;
use super::parameters::{self, Parameter};
use super::reader::Reader;
use super::{command, symbol};

/// Bytes of the longest name of a command before an argument, its backslash included.
const LONGEST_NAME: usize = 100;

/// A macro that the document defines.
#[derive(Debug, Clone)]
pub(super) struct Macro {
    parameters: Rc<[Parameter]>,
    /// None for macros that are known and not expanded.
    body: Option<Rc<str>>,
}

impl Macro {
    pub(super) fn new(parameters: Rc<[Parameter]>, body: Option<String>) -> Self {
        Self { parameters, body: body.map(Rc::from) }
    }

    /// The body of a macro without parameters.
    pub(super) fn text(&self) -> Option<&str> {
        self.body.as_deref().filter(|_| self.parameters.is_empty())
    }

    /// What a use of the macro stands for, whose values come next, and these. None if it is not expanded.
    pub(super) fn use_of(&self, reader: &mut Reader) -> Option<(String, Vec<String>)> {
        let body = self.body.as_ref()?;
        let values = parameters::values(&self.parameters, reader)?;
        Some((substituted(body, &values, reader)?, values))
    }

    /// Whether two macros mean the same.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.parameters == other.parameters && self.body == other.body
    }
}

impl Document<'_> {
    /// `\newcommand{\name}[2][default]{body}`.
    pub(super) fn new_command(&mut self, reader: &mut Reader, is_provided: bool) {
        reader.star();
        // Overlays are a parameter of their own.
        reader.skip_text("<>");
        let name = reader.argument();
        let count = reader.optional().and_then(|n| n.trim().parse().ok()).unwrap_or(0);
        let default = reader.optional();
        let found = Macro::new(parameters::numbered(count, default), reader.group());
        self.store(&name, found, is_provided);
    }

    /// `\NewDocumentCommand{\name}{m o}{body}`.
    pub(super) fn new_document_command(&mut self, reader: &mut Reader, is_provided: bool) {
        let name = reader.argument();
        let list = reader.argument();
        let parameters = parameters::of_document_command(&mut self.reader(&list));
        let found = Macro::new(parameters, reader.group());
        self.store(&name, found, is_provided);
    }

    /// `\def\name#1#2{body}`.
    pub(super) fn define(&mut self, reader: &mut Reader) {
        let name = reader.token();
        self.define_as(&name, reader);
    }

    /// The rest of a definition whose name was read.
    pub(super) fn define_as(&mut self, name: &str, reader: &mut Reader) {
        let pattern = reader.until_group();
        let body = reader.group();
        let found = match parameters::of_definition(&pattern) {
            Some(parameters) => Macro::new(parameters, body),
            None => Macro::new([].into(), None),
        };
        self.store(name, found, false);
    }

    /// `\let\new=\old`, where the old command is a macro or decides a condition.
    pub(super) fn rename(&mut self, new: &str, old: &str) {
        if let Some(condition) = new.strip_prefix("\\if")
            && let "\\iftrue" | "\\iffalse" = old
        {
            self.conditions.insert(condition.to_owned(), old == "\\iftrue");
        }
        if let Some(found) = self.macros.get(old.trim_start_matches('\\')).cloned() {
            self.store(new, found, false);
        }
    }

    fn store(&mut self, name: &str, found: Macro, is_provided: bool) {
        let name = name.trim().trim_start_matches('\\');
        if is_provided && self.macros.contains_key(name) {
            return;
        }
        // What this module knows, it knows better than a definition in terms of TeX.
        // Nor can it follow a macro that calls itself until some condition ends it.
        let body = found.body.as_deref().unwrap_or_default();
        let found = if calls(body, name) { Macro { body: None, ..found } } else { found };
        // The boxes and shifts of a logo say less than its name.
        let is_logo = symbol::is_tex(name)
            && found.body.as_deref().is_some_and(|body| {
                ["\\kern", "\\raise", "\\lower", "box", "\\special"]
                    .iter()
                    .any(|m| body.contains(m))
            });
        let is_known = command::is_known(name) || symbol::accent(name).is_some() || is_logo;
        if !name.is_empty() && !is_known {
            self.macros.insert(name.to_owned(), found);
        }
    }

    pub(super) fn expand(&mut self, found: &Macro, reader: &mut Reader) {
        if let Some((text, _)) = found.use_of(reader) {
            reader.insert(&text);
        }
    }
}

/// A text with the values of its parameters. Two signs in it are one, for the parameters of what it defines. None if
/// that is longer than what may still be inserted.
pub(super) fn substituted(body: &str, values: &[String], reader: &mut Reader) -> Option<String> {
    let mut text = String::with_capacity(body.len());
    let mut rest = body;
    while let Some((before, after)) = rest.split_once('#') {
        text.push_str(before);
        rest = after;
        // The sign itself has a backslash before it, which is not a line's end.
        if before.ends_with('\\') && !before.ends_with("\\\\") {
            text.push('#');
        } else if let Some(inner) = after.strip_prefix('#') {
            text.push('#');
            rest = inner;
        } else if let Some(digit) = after.bytes().next().filter(u8::is_ascii_digit) {
            rest = &after[1..];
            let value = usize::from(digit - b'0').checked_sub(1).and_then(|n| values.get(n));
            push_argument(&mut text, value.map_or("", String::as_str));
            if is_last_of_its_group(&rest[..rest.find('#').unwrap_or(rest.len())]) {
                text.push(' ');
            }
        }
        // Arguments can be long, and be used often.
        if !reader.may_insert(text.len()) {
            return None;
        }
    }
    text.push_str(rest);
    Some(text)
}

/// Whether the text between two parameters of a macro ends the group of the one and begins that of the other by a
/// command, as of a box or another font: what is in them stands apart on paper.
fn is_last_of_its_group(between: &str) -> bool {
    let after = between.trim_start_matches('}');
    after.len() < between.len()
        && after.starts_with('\\')
        && after.trim_end().ends_with('{')
        && !after.trim_end_matches(['{', ' ']).contains(['}', ' '])
}

/// Whether the command `name` is in a text, and not only as the beginning of another's name.
fn calls(text: &str, name: &str) -> bool {
    let command = format!("\\{name}");
    text.match_indices(&command)
        .any(|(at, _)| !text[at + command.len()..].starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Puts the value of a parameter after the text of a macro; a command before it ends there.
fn push_argument(text: &mut String, argument: &str) {
    // No further than names are long: the text may be one word of a million letters.
    let near = &text[text.ceil_char_boundary(text.len().saturating_sub(LONGEST_NAME))..];
    let name = near.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '@');
    let is_command = name.len() < near.len() && name.ends_with('\\');
    if is_command && argument.starts_with(|c: char| c.is_ascii_alphabetic() || c == '@') {
        text.push(' ');
    }
    text.push_str(argument);
}
