//! LaTeX source to text: prose, captions, tables, notes and bibliography; no preamble, macros, labels.
//!
//! This is no TeX. Commands are known by name, by what their arguments are; those of an unknown command are
//! taken for text. Macros that the document defines are expanded, within a bound. Letters of formulas are
//! text, as they are in the document's PDF.

mod command;
mod reader;
mod symbol;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use self::command::{Action, Environment};
use self::reader::Reader;
use crate::error::ExtractError;
use crate::flow::Flow;
use crate::job::Job;
use crate::limits::Limits;

const BEGIN: &str = "\\begin{document}";
const END: &str = "\\end{document}";

/// Whether a text is LaTeX: it begins with a command, and has one that only documents have.
pub(crate) fn is_latex(head: &str) -> bool {
    let mut lines =
        head.lines().map(str::trim_start).filter(|l| !l.is_empty() && !l.starts_with('%'));
    let begins = lines.next().is_some_and(|line| {
        line.strip_prefix('\\')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
    });
    begins
        && [
            "\\documentclass",
            "\\documentstyle",
            BEGIN,
            "\\usepackage",
            "\\section",
            "\\chapter",
            "\\maketitle",
            // Plain TeX, and the manuals of GAP.
            "\\magnification",
            "\\nopagenumbers",
            "\\bye",
            "\\Chapter{",
            "\\Section{",
        ]
        .iter()
        .any(|mark| head.contains(mark))
        // Texinfo, which is another language.
        && !head.contains("\\input texinfo")
}

/// Extracts LaTeX.
pub(crate) fn latex(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    let (preamble, body) = match text.find(BEGIN) {
        Some(at) => (&text[..at], &text[at + BEGIN.len()..]),
        None => ("", text),
    };
    // Examples show the end of a document, too; the last one is its own.
    let body = body.rfind(END).map_or(body, |at| &body[..at]);
    let mut document = Document {
        flow: Flow::new(),
        macros: HashMap::new(),
        title: HashMap::new(),
        shorthands: has_german_shorthands(preamble),
        notes: Vec::new(),
        verbatim: HashSet::new(),
        short_verb: Vec::new(),
        limits: job.limits,
    };
    // The classes for the documentation of packages mark commands so.
    if ["{ltxdoc}", "{ltxguide}", "{l3doc}", "{ctxdoc}"]
        .iter()
        .any(|class| preamble.contains(class))
    {
        document.short_verb.push('|');
    }
    document.set(preamble)?;
    // What a preamble leaves on the page by mistake is no text.
    document.flow = Flow::new();
    document.set(body)?;
    // Notes stand at the foot of a page or the end of a document, and not inside their sentence.
    let mut next = 0;
    while let Some(note) = document.notes.get_mut(next) {
        let note = std::mem::take(note);
        document.flow.line();
        document.set(&note)?;
        next += 1;
    }
    Ok(document.flow.finish())
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

/// A macro that the document defines.
#[derive(Debug, Clone)]
struct Macro {
    parameters: usize,
    /// The value of the first parameter where it is optional.
    default: Option<Rc<str>>,
    /// None for macros whose parameters stand between delimiters.
    body: Option<Rc<str>>,
}

/// A document being set.
struct Document<'a> {
    flow: Flow,
    macros: HashMap<String, Macro>,
    /// What `\title`, `\author` and `\date` hold, for `\maketitle`.
    title: HashMap<&'static str, String>,
    shorthands: bool,
    /// Footnotes in the order of their marks.
    notes: Vec<String>,
    /// Environments that the document defines to show their content as it is.
    verbatim: HashSet<String>,
    /// Characters that mark verbatim text (`\MakeShortVerb`).
    short_verb: Vec<char>,
    limits: &'a Limits,
}

impl Document<'_> {
    fn set(&mut self, source: &str) -> Result<(), ExtractError> {
        let mut reader = Reader::new(source, self.limits.max_entity_bytes);
        while let Some(run) = reader.text_run(&self.short_verb) {
            if !run.is_empty() {
                self.paragraphs(&run);
                continue;
            }
            let Some(special) = reader.next() else { return Ok(()) };
            match special {
                '\\' => self.command(&mut reader)?,
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
                // Groups, formulas and their scripts leave nothing of themselves.
                '{' | '}' | '$' | '^' | '_' => {}
                other => self.flow.character(other),
            }
            self.limits.check_text(self.flow.len())?;
            reader.check()?;
        }
        Ok(())
    }

    /// Text without commands; blank lines end paragraphs.
    fn paragraphs(&mut self, text: &str) {
        let breaks = text.matches('\n').count();
        for (n, line) in text.split('\n').enumerate() {
            // The first piece ends a line and the last begins one: only those between are lines.
            let between = n > 0 && n < breaks;
            if between && line.trim().is_empty() {
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

    /// Carries out a command whose backslash was read.
    fn command(&mut self, reader: &mut Reader) -> Result<(), ExtractError> {
        let name = reader.command_name();
        if let Some(found) = self.macros.get(&name).cloned() {
            return self.expand(&found, reader);
        }
        match name.as_str() {
            "begin" => {
                let environment = reader.group().unwrap_or_default();
                self.begin(environment.trim_end_matches('*'), reader);
            }
            "end" => {
                reader.group();
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
                reader.group();
                reader.optionals();
                reader.group();
                reader.group();
            }
            "let" | "newif" => {
                reader.token();
                if name == "let" {
                    reader.skip_equals();
                    reader.token();
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
            "input" => reader.file_name(),
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
                self.short_verb.extend(c.filter(|c| !c.is_alphanumeric()));
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
                self.notes.extend(reader.group());
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

    /// `\newcommand{\name}[2][default]{body}`.
    fn new_command(&mut self, reader: &mut Reader) {
        reader.star();
        let name = reader.argument();
        let parameters = reader.optional().and_then(|n| n.trim().parse().ok()).unwrap_or(0);
        let default = reader.optional().map(Rc::from);
        let body = reader.group().map(Rc::from);
        self.store(&name, Macro { parameters, default, body });
    }

    /// `\def\name#1#2{body}`; with anything between the parameters, the macro is known and not expanded.
    fn define(&mut self, reader: &mut Reader) {
        let name = reader.token();
        let pattern = reader.until_group();
        let parameters = pattern.matches('#').count();
        let plain = pattern.chars().all(|c| c == '#' || c.is_ascii_digit());
        let body = reader.group().map(Rc::from).filter(|_| plain);
        self.store(&name, Macro { parameters, default: None, body });
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

    fn expand(&mut self, found: &Macro, reader: &mut Reader) -> Result<(), ExtractError> {
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
                    text += &piece[1..];
                }
                None => text += piece,
            }
            // Arguments can be long, and be used often.
            self.limits.check_text(text.len())?;
        }
        reader.insert(&text);
        Ok(())
    }
}

/// Whether the command `name` is in a text, and not only as the beginning of another's name.
fn calls(text: &str, name: &str) -> bool {
    let command = format!("\\{name}");
    text.match_indices(&command)
        .any(|(at, _)| !text[at + command.len()..].starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Puts the value of a parameter behind the text of a macro; a command before it ends there.
fn push_argument(text: &mut String, argument: &str) {
    let name = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '@');
    let is_command = name.len() < text.len() && name.ends_with('\\');
    if is_command && argument.starts_with(|c: char| c.is_ascii_alphabetic() || c == '@') {
        text.push(' ');
    }
    text.push_str(argument);
}

#[cfg(test)]
mod tests;
