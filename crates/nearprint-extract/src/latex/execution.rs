//! Carries out the commands of a document.

use super::command::{self, Action, Environment};
use super::reader::Reader;
use super::symbol;
use super::{Document, SHORT_VERBS};
use crate::error::ExtractError;

impl Document<'_> {
    /// Carries out a command whose backslash was read.
    pub(super) fn command(&mut self, reader: &mut Reader) -> Result<(), ExtractError> {
        let name = reader.command_name();
        if let Some(found) = self.macros.get(&name).cloned() {
            return self.expand(&found, reader);
        }
        match name.as_str() {
            "begin" => {
                let environment = reader.group().unwrap_or_default();
                let environment = environment.trim_end_matches('*');
                self.in_formula |= command::is_formula(environment);
                self.begin(environment, reader);
            }
            "end" => {
                let environment = reader.group().unwrap_or_default();
                self.in_formula &= !command::is_formula(environment.trim_end_matches('*'));
                self.flow.line();
            }
            "verb" | "lstinline" | "path" => self.verbatim(reader),
            "maketitle" => {
                let parts = ["title", "author", "date"].map(|part| self.title.remove(part));
                // What is inserted last comes first.
                for part in parts.into_iter().rev().flatten() {
                    reader.insert(&(part + "\\par "));
                }
            }
            "newcommand"
            | "renewcommand"
            | "providecommand"
            | "DeclareRobustCommand"
            | "newrobustcmd" => {
                self.new_command(reader);
            }
            "def" | "gdef" | "edef" | "xdef" => self.define(reader),
            "newenvironment" | "renewenvironment" => {
                reader.star();
                let name = reader.group().unwrap_or_default();
                reader.optionals();
                // Whatever else it does, its content is as it stands.
                if reader.group().is_some_and(|begin| begin.contains("erbatim")) {
                    self.verbatim.insert(name);
                }
                reader.group();
            }
            "let" | "newif" => {
                let new = reader.token();
                if name == "let" {
                    reader.skip_equals();
                    let old = reader.token();
                    self.rename(&new, &old);
                }
            }
            // Commands shown by their names: the next token, or the argument, as it stands.
            "string" => {
                let token = reader.token();
                self.flow.text(&token);
            }
            "cs" | "cmd" | "tn" | "DescribeMacro" | "DescribeEnv" => {
                reader.star();
                let shown = reader.argument();
                // Behind the command that is described, its arguments may be.
                let end = shown.get(1..).and_then(|rest| rest.find(['\\', '{', '[']));
                let (command, arguments) = shown.split_at(end.map_or(shown.len(), |end| end + 1));
                self.flow.text(command);
                if name.starts_with('D') {
                    self.flow.space();
                    reader.insert(&format!("{arguments} "));
                } else {
                    self.flow.text(arguments);
                }
            }
            "char" => {
                if let Some(c) = reader.character_number() {
                    self.flow.character(c);
                }
            }
            "input" | "include" => {
                let file = reader.file_name();
                if !file.is_empty() {
                    self.included.get_or_insert(file);
                }
            }
            "font" => reader.font(),
            "advance" | "multiply" | "divide" => {
                reader.token();
                reader.assignment();
            }
            "setbox" => {
                reader.register();
                reader.skip_equals();
                reader.token();
                reader.extents();
                reader.group();
            }
            "hbox" | "vbox" | "vtop" | "vrule" | "hrule" => reader.extents(),
            "ifx" => {
                reader.token();
                reader.token();
            }
            "ifnum" | "ifdim" => reader.relation(),
            "iffalse" => reader.skip_conditional(),
            "verbatiminput" | "lstinputlisting" => {
                reader.optionals();
                reader.group();
            }
            "MakeShortVerb" | "ShortVerb" => {
                reader.star();
                let c = reader.argument();
                let c = c.trim_start_matches('\\').chars().next();
                let new = c.filter(|c| !c.is_alphanumeric() && !self.short_verb.contains(c));
                if self.short_verb.len() < SHORT_VERBS {
                    self.short_verb.extend(new);
                }
            }
            "DefineVerbatimEnvironment" | "lstnewenvironment" => {
                self.verbatim.extend(reader.group());
                reader.optionals();
                reader.group();
                reader.group();
            }
            "newminted" => {
                let named = reader.optional();
                let language = reader.group().unwrap_or_default();
                self.verbatim.insert(named.unwrap_or(language + "code"));
                reader.group();
            }
            _ => self.known(&name, reader),
        }
        Ok(())
    }

    fn known(&mut self, name: &str, reader: &mut Reader) {
        match name {
            "(" | "[" => self.in_formula = true,
            ")" | "]" => self.in_formula = false,
            _ => {}
        }
        if let Some(mark) = symbol::accent(name) {
            let (letter, rest) = reader.accented();
            self.flow.text(&String::from_iter([letter, mark]));
            reader.insert(&rest);
            return;
        }
        // A function, or the argument of a command that is described.
        if name == "arg" && reader.peek() == Some('{') {
            self.flow.space();
            return;
        }
        if let Some(text) = symbol::text(name) {
            // The names of functions stand apart from what is beside them.
            let function = symbol::is_function(name);
            if function {
                self.flow.space();
            }
            self.flow.text(text);
            if function {
                self.flow.space();
            }
            return;
        }
        match command::action(name) {
            Action::Space => self.flow.space(),
            Action::Line => {
                reader.star();
                reader.optionals();
                self.flow.line();
            }
            Action::Title(part) => {
                reader.optionals();
                let text = reader.group().unwrap_or_default();
                self.title.insert(part, text);
            }
            Action::Heading => {
                reader.star();
                reader.optionals();
                self.flow.line();
                if let Some(heading) = reader.group() {
                    reader.insert(&format!("{heading}\\par "));
                }
            }
            Action::Item => {
                self.flow.line();
                if let Some(label) = reader.optional() {
                    reader.insert(&format!("{label} "));
                }
            }
            Action::Note => {
                reader.optionals();
                if let Some(note) = reader.group() {
                    let left = self.notes_left.and_then(|left| left.checked_sub(note.len() as u64));
                    self.notes_left = left;
                    self.notes.push(note);
                }
            }
            Action::Drop(arguments) => {
                reader.star();
                for _ in 0..arguments {
                    reader.optionals();
                    reader.argument();
                }
                reader.optionals();
            }
            Action::Reference => {
                reader.star();
                reader.optionals();
                reader.group();
            }
            Action::Dimension => {
                reader.star();
                reader.dimension();
                self.flow.space();
            }
            Action::Kern => reader.dimension(),
            Action::Apart => self.flow.space(),
            Action::Keep => {
                if symbol::is_tex(name) || reader.is_name(name) {
                    self.flow.text(name);
                    return;
                }
                reader.star();
                reader.optionals();
                reader.skip_lengths();
                reader.assignment();
            }
            Action::Nothing => {}
        }
    }

    fn begin(&mut self, name: &str, reader: &mut Reader) {
        self.flow.line();
        let kind = match self.verbatim.contains(name) {
            true => Environment::Verbatim,
            false => command::environment(name),
        };
        match kind {
            Environment::Verbatim => {
                reader.optionals();
                if matches!(name, "minted" | "tcblisting") {
                    reader.group();
                }
                let text = reader.until(&format!("\\end{{{name}"));
                reader.until("}");
                self.flow.preformatted(&text);
                self.flow.line();
            }
            Environment::Dropped => {
                reader.until(&format!("\\end{{{name}"));
                reader.until("}");
            }
            Environment::Arguments(count) => {
                reader.optionals();
                for _ in 0..count {
                    reader.group();
                    reader.optionals();
                }
            }
        }
    }

    fn verbatim(&mut self, reader: &mut Reader) {
        reader.star();
        reader.optionals();
        let Some(delimiter) = reader.next() else { return };
        let close = if delimiter == '{' { '}' } else { delimiter };
        let text = reader.until(close.encode_utf8(&mut [0; 4]));
        self.flow.text(&text);
    }
}
