//! Carries out the commands of a document.

use std::rc::Rc;

use super::Manual;
use super::arguments::OpenBrace;
use super::command::{self, Action, Environment};
use super::reader::Reader;

/// How far out an `@end` looks for its environment.
const REACH: usize = 32;

impl Manual<'_> {
    /// Carries out a command whose at sign was read.
    pub(super) fn command(&mut self, reader: &mut Reader) {
        let mut name = reader.name();
        if let Some(other) = self.aliases.get(&name) {
            name.clone_from(other);
        }
        if let Some(found) = self.macros.get(&name).cloned() {
            return self.expand(&found, reader);
        }
        match name.as_str() {
            "c" | "comment" => self.comment(reader),
            "bye" => self.is_ended = true,
            "end" => {
                let name = reader.whole_line();
                self.end(&name);
            }
            "set" => {
                let line = reader.whole_line();
                let (name, value) = line.split_once([' ', '\t']).unwrap_or((&line, ""));
                self.values.insert(name.to_owned(), value.trim().into());
            }
            "clear" => {
                self.values.remove(&reader.whole_line());
            }
            "value" => {
                let name = reader.group().unwrap_or_default();
                if let Some(value) = self.values.get(&name) {
                    reader.insert(Rc::clone(value));
                }
            }
            "alias" => {
                let line = reader.whole_line();
                if let Some((new, old)) = line.split_once('=') {
                    self.aliases.insert(new.trim().to_owned(), old.trim().to_owned());
                }
            }
            "macro" | "rmacro" | "linemacro" => self.define(&name, reader),
            "unmacro" => {
                self.macros.remove(&reader.whole_line());
            }
            "ifset" | "ifclear" | "ifcommanddefined" | "ifcommandnotdefined" => {
                let of = reader.line();
                let holds = match name.as_str() {
                    "ifset" => self.values.contains_key(&of),
                    "ifclear" => !self.values.contains_key(&of),
                    _ => self.is_defined(&of) == (name == "ifcommanddefined"),
                };
                self.condition(&name, holds, reader);
            }
            "include" | "verbatiminclude" => {
                let file = reader.whole_line();
                if !file.is_empty() {
                    self.included.get_or_insert(file);
                }
            }
            "copying" => {
                self.copying = reader.environment(&name, false).map(Rc::from);
            }
            "insertcopying" => {
                if let Some(text) = &self.copying {
                    reader.insert(Rc::clone(text));
                }
            }
            "settitle" => self.title = Some(reader.whole_line()),
            "verbatim" => {
                if let Some(text) = reader.environment(&name, false) {
                    self.flow.line();
                    self.verbatim(&text);
                    self.flow.line();
                    self.is_line_empty = true;
                }
            }
            "verb" => {
                if reader.peek() == Some('{') {
                    reader.next();
                    let mark = reader.next().unwrap_or('}');
                    let text = reader.until(&format!("{mark}}}"));
                    self.text(&text);
                }
            }
            _ => self.known(&name, reader),
        }
    }

    fn known(&mut self, name: &str, reader: &mut Reader) {
        match command::action(name) {
            Action::Keep => self.open(OpenBrace::Group, reader),
            Action::Hidden => self.open(OpenBrace::Hidden, reader),
            Action::Arguments(kind) => {
                match name {
                    "xref" | "inforef" => self.text("See "),
                    "pxref" => self.text("see "),
                    _ => {}
                }
                let starts = vec![self.flow.len()];
                self.open(OpenBrace::Arguments(kind, starts), reader);
            }
            Action::Note => self.open(OpenBrace::Note(self.flow.len()), reader),
            Action::Accent(mark) => self.accent(mark, reader),
            Action::Text(text) => {
                self.text(text);
                self.open(OpenBrace::Group, reader);
            }
            Action::Heading => {
                self.flow.line();
                self.is_heading = true;
                self.is_titled |= matches!(name, "top" | "title");
            }
            Action::Line => reader.skip_line(),
            Action::Skipped => {
                if reader.environment(name, false).is_none() {
                    reader.skip_line();
                }
            }
            Action::Format(shown) => self.condition(name, shown, reader),
            Action::Begin(environment) => self.begin(environment, reader),
            Action::Definition(label, on) => self.definition(label, on, reader),
            Action::Space => self.space(),
        }
        self.item(name);
    }

    /// Items and cells are what their environment makes of them.
    fn item(&mut self, name: &str) {
        match name {
            "item" | "itemx" | "headitem" => {
                self.flow.line();
                self.is_heading |= self.environments.last() == Some(&Environment::Table);
            }
            "tab" => self.flow.cell(),
            _ => {}
        }
    }

    fn space(&mut self) {
        if self.hidden == 0 {
            self.flow.space();
        }
    }

    /// Text that is shown as it is.
    fn verbatim(&mut self, text: &str) {
        if self.hidden == 0 {
            self.flow.preformatted(text);
        }
    }

    /// A comment ends its line, and is none if nothing is before it.
    fn comment(&mut self, reader: &mut Reader) {
        if self.is_line_empty {
            reader.skip_line();
        } else {
            reader.line();
        }
    }

    fn is_defined(&self, name: &str) -> bool {
        self.macros.contains_key(name)
            || self.aliases.contains_key(name)
            || command::action(name) != Action::Keep
    }

    /// Passes over an environment whose condition does not hold.
    fn condition(&mut self, name: &str, holds: bool, reader: &mut Reader) {
        if holds || reader.environment(name, true).is_none() {
            reader.skip_line();
        }
    }

    fn begin(&mut self, environment: Environment, reader: &mut Reader) {
        self.flow.line();
        self.environments.push(environment);
        match environment {
            Environment::Titled => self.is_heading = true,
            Environment::Preformatted => {
                self.preformatted += 1;
                reader.skip_line();
            }
            _ => reader.skip_line(),
        }
    }

    fn end(&mut self, name: &str) {
        // Conditions stand within paragraphs.
        if name.starts_with("if") {
            return;
        }
        self.flow.line();
        (self.is_heading, self.is_line_empty) = (false, true);
        let Some(ended) = command::environment(name) else { return };
        let near = self.environments.iter().rev().take(REACH);
        let Some(above) = near.clone().position(|open| *open == ended) else { return };
        for _ in 0..=above {
            let open = self.environments.pop();
            self.preformatted -= u32::from(open == Some(Environment::Preformatted));
        }
    }

    /// `@deffn {Special Form} name arguments`: the category stands before the name, with a colon after it.
    fn definition(&mut self, label: Option<&str>, on: Option<&str>, reader: &mut Reader) {
        self.flow.line();
        self.is_heading = true;
        let mut label = label.map_or_else(|| argument(reader), str::to_owned);
        if let Some(on) = on {
            label = format!("{label} {on} {}", argument(reader));
        }
        if !label.is_empty() {
            reader.insert(format!("{label}: ").into());
        }
    }

    /// The mark on the next letter, which may be in braces.
    fn accent(&mut self, mark: char, reader: &mut Reader) {
        let group = reader.group();
        let letters = match &group {
            Some(group) => {
                let inner = group.strip_prefix("@dotless{").unwrap_or(group);
                inner.trim_start_matches('@').trim_end_matches(['{', '}'])
            }
            None => "",
        };
        let mut letters = letters.chars();
        let letter = match &group {
            Some(_) => letters.next(),
            None => reader.next().filter(|c| *c != '@'),
        };
        if let Some(letter) = letter {
            self.text(&String::from_iter([letter, mark]));
            self.text(letters.as_str());
        }
    }
}

/// The next argument of a definition: a word, or a group.
fn argument(reader: &mut Reader) -> String {
    reader.group().unwrap_or_else(|| reader.word())
}
