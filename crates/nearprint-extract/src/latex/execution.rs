//! Carries out the commands of a document.

use super::command::{self, Action};
use super::environments::Definition;
use super::macros::substituted;
use super::reader::Reader;
use super::symbol;
use super::{Document, SHORT_VERBS};

impl Document<'_> {
    /// Carries out a command whose backslash was read.
    pub(super) fn command(&mut self, reader: &mut Reader) {
        let name = reader.command_name();
        if self.has_overlays && (!self.in_formula || command::is_of_slides(&name)) {
            reader.skip_overlay();
        }
        if let Some(found) = self.macros.get(&name).cloned() {
            self.expand(&found, reader);
            return;
        }
        if self.condition(&name, reader) || self.computed(&name, reader) {
            return;
        }
        match name.as_str() {
            "begin" => {
                let environment = reader.group().unwrap_or_default();
                self.begin(&environment, reader);
            }
            "end" => {
                let environment = reader.group().unwrap_or_default();
                self.end(&environment, reader);
            }
            "verb" | "lstinline" | "path" => self.verbatim(reader),
            "maketitle" | "titlepage" => {
                let parts = ["title", "subtitle", "author", "institute", "date"];
                let parts = parts.map(|part| self.title.remove(part));
                // What is inserted last comes first.
                for part in parts.into_iter().rev().flatten() {
                    reader.insert(&(part + "\\par "));
                }
            }
            "newcommand"
            | "renewcommand"
            | "providecommand"
            | "DeclareRobustCommand"
            | "newrobustcmd"
            | "renewrobustcmd"
            | "providerobustcmd" => {
                self.new_command(reader, name.starts_with("provide"));
            }
            "NewDocumentCommand"
            | "RenewDocumentCommand"
            | "DeclareDocumentCommand"
            | "ProvideDocumentCommand"
            | "NewExpandableDocumentCommand"
            | "RenewExpandableDocumentCommand"
            | "DeclareExpandableDocumentCommand"
            | "ProvideExpandableDocumentCommand" => {
                self.new_document_command(reader, name.starts_with("Provide"));
            }
            "def" | "gdef" | "edef" | "xdef" => self.define(reader),
            "newenvironment" | "renewenvironment" | "provideenvironment" => {
                self.new_environment(reader, name.starts_with("provide"));
            }
            "NewDocumentEnvironment"
            | "RenewDocumentEnvironment"
            | "DeclareDocumentEnvironment"
            | "ProvideDocumentEnvironment" => {
                self.new_document_environment(reader, name.starts_with("Provide"));
            }
            "newtheorem" => self.new_theorem(reader),
            "excludecomment" => {
                let name = reader.argument();
                self.environments.insert(name, Definition::Dropped);
            }
            "let" => {
                let new = reader.token();
                reader.skip_equals();
                let old = reader.token();
                self.rename(&new, &old);
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
            "verbatiminput" | "lstinputlisting" => {
                reader.star();
                reader.optionals();
                let file = reader.group();
                self.included = self.included.take().or(file);
            }
            "import" | "subimport" => {
                let file = [reader.argument(), reader.argument()].concat();
                self.included.get_or_insert(file);
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
                let name = reader.group().unwrap_or_default();
                self.environments.insert(name, Definition::Verbatim);
                reader.optionals();
                reader.group();
                reader.group();
            }
            "newminted" => {
                let named = reader.optional();
                let language = reader.group().unwrap_or_default();
                let name = named.unwrap_or(language + "code");
                self.environments.insert(name, Definition::Verbatim);
                reader.group();
            }
            // What a speaker says, and how wide a column is.
            "note" | "column" if self.has_overlays => {
                reader.optionals();
                reader.argument();
            }
            // The first letter of a chapter and the rest of its word.
            "lettrine" => {
                reader.optionals();
                let word = [reader.argument(), reader.argument()];
                if let Some(word) = substituted("#1#2", &word, reader) {
                    reader.insert(&word);
                }
            }
            "endfirsthead" | "endhead" | "endfoot" | "endlastfoot" => self.end_table_part(&name),
            _ if self.environment_command(&name, reader) => {}
            _ => self.known(&name, reader),
        }
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
            Action::Space if name == "xspace" && reader.peek().is_some_and(is_near) => {}
            Action::Space => self.flow.space(),
            Action::Line => {
                if command::has_height(name) {
                    reader.star();
                    reader.optionals();
                }
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
                    if self.has_overlays {
                        reader.skip_overlay();
                    }
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
                // A box as wide as the page: no word goes on in it.
                if matches!(name, "line" | "leftline" | "rightline" | "centerline") {
                    self.flow.space();
                }
                reader.star();
                reader.optionals();
                reader.skip_lengths();
                reader.assignment();
            }
            Action::Nothing => {}
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

/// Whether no blank of `\xspace` stands before a character.
fn is_near(c: char) -> bool {
    c.is_whitespace() || ".,'/?;:!~-)]}’”".contains(c)
}
