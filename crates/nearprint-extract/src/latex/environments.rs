//! Environments: what begins with them, and those that a document defines.

use std::rc::Rc;

use super::Document;
use super::command::{self, Environment};
use super::macros::{Macro, substituted};
use super::parameters;
use super::reader::Reader;

/// An environment that the document defines.
#[derive(Debug, Clone)]
pub(super) enum Definition {
    /// Its content is shown as it is.
    Verbatim,
    /// Its content is not text.
    Dropped,
    /// What stands before its content and after it.
    Parts(Macro, Rc<str>),
}

/// A table that goes over pages, whose heads and feet may be there twice.
#[derive(Debug, Default)]
pub(super) struct LongTable {
    /// Where the part that is being set begins, and how many notes there are before it.
    start: usize,
    notes: usize,
    has_first_head: bool,
    foot: Option<String>,
}

impl Document<'_> {
    /// `\newenvironment{name}[1][default]{begin}{end}`.
    pub(super) fn new_environment(&mut self, reader: &mut Reader, is_provided: bool) {
        reader.star();
        let name = reader.argument();
        let count = reader.optional().and_then(|n| n.trim().parse().ok()).unwrap_or(0);
        let default = reader.optional();
        let parameters = parameters::numbered(count, default);
        self.store_environment(name, parameters, reader, is_provided);
    }

    /// `\NewDocumentEnvironment{name}{m o}{begin}{end}`.
    pub(super) fn new_document_environment(&mut self, reader: &mut Reader, is_provided: bool) {
        let name = reader.argument();
        let list = reader.argument();
        let parameters = parameters::of_document_command(&mut self.reader(&list));
        self.store_environment(name, parameters, reader, is_provided);
    }

    /// `\newtheorem{name}[counter]{Title}`: the title is text where the environment begins, and so is its own name in
    /// brackets. Numbers are not, as those of headings are not.
    pub(super) fn new_theorem(&mut self, reader: &mut Reader) {
        reader.star();
        let name = reader.argument();
        reader.optionals();
        let title = reader.argument();
        reader.optionals();
        if command::environment(&name) == Environment::Arguments(0) && !uses(&title, &name) {
            let parameters = [parameters::Parameter::Enclosed('[', ']', "".into())];
            let begin = Macro::new(parameters.into(), Some(title.replace('#', "") + " #1 "));
            self.environments.insert(name, Definition::Parts(begin, "".into()));
        }
    }

    fn store_environment(
        &mut self,
        name: String,
        parameters: Rc<[parameters::Parameter]>,
        reader: &mut Reader,
        is_provided: bool,
    ) {
        let begin = reader.argument();
        let end = reader.argument();
        let plain = name.trim_end_matches('*');
        let is_known = command::environment(plain) != Environment::Arguments(0);
        if is_known || (is_provided && self.environments.contains_key(&name)) {
            return;
        }
        let definition = if begin.contains("erbatim") {
            // Whatever else it does, its content is as it stands.
            Definition::Verbatim
        } else if let Some(inner) = self.not_set(&begin) {
            inner
        } else if uses(&begin, &name) {
            return;
        } else {
            Definition::Parts(Macro::new(parameters, Some(begin)), end.into())
        };
        self.environments.insert(name, definition);
    }

    /// What becomes of the content if the first part of an environment begins another that is not set as text is.
    fn not_set(&self, begin: &str) -> Option<Definition> {
        let name = match begin.rsplit_once("\\begin{") {
            Some((_, rest)) => rest.split('}').next()?,
            None => begin.rsplit('\\').next()?.trim_end(),
        };
        match (self.environments.get(name), command::environment(name)) {
            (Some(found @ (Definition::Verbatim | Definition::Dropped)), _) => Some(found.clone()),
            (None, Environment::Verbatim) => Some(Definition::Verbatim),
            (None, Environment::Dropped) => Some(Definition::Dropped),
            _ => None,
        }
    }

    /// Carries out a part of an environment that is named as a command; whether it is one.
    pub(super) fn environment_command(&mut self, name: &str, reader: &mut Reader) -> bool {
        if let Some(Definition::Parts(begin, _)) = self.environments.get(name).cloned() {
            self.expand(&begin, reader);
            return true;
        }
        let Some(name) = name.strip_prefix("end") else { return false };
        let Some(Definition::Parts(_, end)) = self.environments.get(name) else { return false };
        reader.insert(end);
        true
    }

    pub(super) fn begin(&mut self, name: &str, reader: &mut Reader) {
        self.flow.line();
        if self.has_overlays {
            reader.skip_overlay();
        }
        match self.environments.get(name).cloned() {
            Some(Definition::Parts(begin, end)) => {
                return self.begin_parts(name, &begin, &end, reader);
            }
            Some(Definition::Verbatim) => {
                return self.begin_kind(name, Environment::Verbatim, reader);
            }
            Some(Definition::Dropped) => {
                return self.begin_kind(name, Environment::Dropped, reader);
            }
            None => {}
        }
        let plain = name.trim_end_matches('*');
        self.in_formula |= command::is_formula(plain);
        if is_long_table(plain) {
            let (start, notes) = (self.flow.len(), self.notes.len());
            self.long_table = Some(LongTable { start, notes, ..LongTable::default() });
        }
        self.begin_kind(plain, command::environment(plain), reader);
        if self.has_overlays {
            self.begin_slide(plain, reader);
        }
    }

    fn begin_parts(&mut self, name: &str, begin: &Macro, end: &str, reader: &mut Reader) {
        let Some((text, values)) = begin.use_of(reader) else { return };
        // The last part of most has no parameters, and is known by its name.
        let end = if end.contains('#') { substituted(end, &values, reader) } else { None };
        if let Some(end) = end.filter(|end| reader.spend(end.len())) {
            self.open_environments.push((name.to_owned(), end));
        }
        reader.insert(&text);
    }

    fn begin_kind(&mut self, name: &str, kind: Environment, reader: &mut Reader) {
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

    /// The titles of a slide and of a block on it.
    fn begin_slide(&mut self, name: &str, reader: &mut Reader) {
        let most = match name {
            "frame" => 2,
            "block" | "alertblock" | "exampleblock" => 1,
            _ => return,
        };
        // Overlays and options come in either order.
        reader.skip_overlay();
        reader.optionals();
        let titles: Vec<String> = std::iter::from_fn(|| reader.group()).take(most).collect();
        for title in titles.iter().rev() {
            reader.insert(&format!("{title}\\par "));
        }
    }

    pub(super) fn end(&mut self, name: &str, reader: &mut Reader) {
        self.flow.line();
        let plain = name.trim_end_matches('*');
        if let Some(Definition::Parts(_, end)) = self.environments.get(name) {
            let end = Rc::clone(end);
            let is_own = self.open_environments.last().is_some_and(|(open, _)| open == name);
            match self.open_environments.pop_if(|_| is_own) {
                Some((_, end)) => reader.insert(&(end + "\\par ")),
                None if end.contains('#') => {}
                None => reader.insert(&format!("{end}\\par ")),
            }
            return;
        }
        self.in_formula &= !command::is_formula(plain);
        if is_long_table(plain)
            && let Some(table) = self.long_table.take()
        {
            for line in table.foot.iter().flat_map(|foot| foot.lines()) {
                self.flow.line();
                for cell in line.split('\t') {
                    self.flow.cell();
                    self.flow.text(cell);
                }
            }
            self.flow.line();
        }
    }

    /// Ends a part of a table that goes over pages. Its head is text once, as on the first page, and its foot is at the
    /// end.
    pub(super) fn end_table_part(&mut self, name: &str) {
        self.flow.line();
        let Some(table) = &mut self.long_table else { return };
        match name {
            "endfirsthead" => table.has_first_head = true,
            "endhead" if table.has_first_head => {
                self.flow.truncate(table.start);
                self.notes.truncate(table.notes);
            }
            "endfoot" => {
                let foot = self.flow.cut(table.start);
                table.foot.get_or_insert(foot);
            }
            "endlastfoot" => table.foot = Some(self.flow.cut(table.start)),
            _ => {}
        }
        self.flow.line();
        (table.start, table.notes) = (self.flow.len(), self.notes.len());
    }
}

fn is_long_table(name: &str) -> bool {
    matches!(name, "longtable" | "xltabular" | "longtabu")
}

/// Whether a text begins an environment or names it as a command.
fn uses(text: &str, name: &str) -> bool {
    text.contains(&format!("\\begin{{{name}}}"))
        || text.match_indices(&format!("\\{name}")).any(|(at, found)| {
            !text[at + found.len()..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '@')
        })
}
