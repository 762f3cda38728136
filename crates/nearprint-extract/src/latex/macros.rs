//! Macros that a document defines, and their expansion within a bound.

use std::rc::Rc;

use super::Document;
use super::reader::Reader;
use super::{command, symbol};
use crate::error::ExtractError;

/// Bytes of the longest name of a command before an argument, its backslash included.
const LONGEST_NAME: usize = 100;

/// A macro that the document defines.
#[derive(Debug, Clone)]
pub(super) struct Macro {
    parameters: usize,
    /// The value of the first parameter where it is optional.
    default: Option<Rc<str>>,
    /// None for macros whose parameters stand between delimiters.
    body: Option<Rc<str>>,
}

impl Document<'_> {
    /// `\newcommand{\name}[2][default]{body}`.
    pub(super) fn new_command(&mut self, reader: &mut Reader) {
        reader.star();
        let name = reader.argument();
        let parameters = reader.optional().and_then(|n| n.trim().parse().ok()).unwrap_or(0);
        let default = reader.optional().map(Rc::from);
        let body = reader.group().map(Rc::from);
        self.store(&name, Macro { parameters, default, body });
    }

    /// `\def\name#1#2{body}`; with anything between the parameters, the macro is known and not expanded.
    pub(super) fn define(&mut self, reader: &mut Reader) {
        let name = reader.token();
        let pattern = reader.until_group();
        let parameters = pattern.matches('#').count();
        let plain = pattern.chars().all(|c| c == '#' || c.is_ascii_digit());
        let body = reader.group().map(Rc::from).filter(|_| plain);
        self.store(&name, Macro { parameters, default: None, body });
    }

    /// `\let\new=\old`, where the old command is a macro.
    pub(super) fn rename(&mut self, new: &str, old: &str) {
        if let Some(found) = self.macros.get(old.trim_start_matches('\\')).cloned() {
            self.store(new, found);
        }
    }

    fn store(&mut self, name: &str, found: Macro) {
        let name = name.trim().trim_start_matches('\\');
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

    pub(super) fn expand(
        &mut self,
        found: &Macro,
        reader: &mut Reader,
    ) -> Result<(), ExtractError> {
        let Some(body) = &found.body else { return Ok(()) };
        let mut arguments = Vec::new();
        for n in 0..found.parameters.min(9) {
            let argument = match (&found.default, n) {
                (Some(default), 0) => reader.optional().unwrap_or_else(|| default.to_string()),
                _ => reader.argument(),
            };
            arguments.push(argument);
        }
        let mut text = String::with_capacity(body.len());
        let mut pieces = body.split('#');
        text.extend(pieces.next());
        for piece in pieces {
            let number = piece.bytes().next().filter(u8::is_ascii_digit);
            match number {
                Some(digit) => {
                    let argument = usize::from(digit - b'0').checked_sub(1);
                    let argument = argument.and_then(|n| arguments.get(n)).map(String::as_str);
                    push_argument(&mut text, argument.unwrap_or_default());
                    if is_last_of_its_group(&piece[1..]) {
                        text.push(' ');
                    }
                    text += &piece[1..];
                }
                None => text += piece,
            }
            // Arguments can be long, and be used often.
            if !reader.may_insert(text.len()) {
                return Ok(());
            }
        }
        reader.insert(&text);
        Ok(())
    }
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
