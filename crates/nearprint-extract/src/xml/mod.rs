//! XML of any vocabulary to text.
//!
//! The elements of the common vocabularies are known by name. For all others, and for the known ones whose
//! use varies, the place of the tags decides: a tag between two letters is inside a word, an end tag followed
//! by a start tag separates two. Metadata sections are out, known by their names.

mod attributes;
mod entity;
mod linuxdoc;
mod ocr;
mod rfc;
mod scanner;
mod superscripts;
mod vocabulary;

pub(crate) use self::attributes::{attribute, prefixed_attribute};
pub(crate) use self::scanner::{MeteredScanner, Piece, Scanner};
pub(crate) use self::vocabulary::{Element, Role, Vocabulary};

use std::collections::HashMap;

use self::entity::{Entities, Resolution};
use self::superscripts::Styles;
use crate::error::ExtractError;
use crate::extraction::WarningCode;
use crate::flow::Flow;
use crate::job::Job;
use crate::package;
use crate::superscript::Superscript;
use crate::work::Work;

/// How far down a mismatched end tag looks for its start: far enough for forgotten end tags, near enough to
/// keep a million stray ones cheap.
const MISMATCH_REACH: usize = 32;

/// Extracts XML.
pub(crate) fn xml(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    if let Some(text) = ocr::read(text, job)? {
        return Ok(text);
    }
    Ok(read(text, &vocabulary::ANY, Flow::new(), job)?.finish())
}

/// Appends the text of a document in `vocabulary` to `flow`.
pub(crate) fn read(
    text: &str,
    vocabulary: &Vocabulary,
    flow: Flow,
    job: &mut Job<'_>,
) -> Result<Flow, ExtractError> {
    job.work.admit(text.len());
    let replaced = doctype(text, &job.work)?.map(entity::replacement_texts).unwrap_or_default();
    let mut document = Document {
        vocabulary,
        replaced: &replaced,
        rooted: false,
        open: Vec::new(),
        dropped: 0,
        preformatted: 0,
        moving: 0,
        flow,
        last: Last::Start,
        entities: Entities::default(),
        included: None,
        moved: HashMap::new(),
        superscript: Superscript::default(),
        styles: Styles::default(),
        damaged: false,
        translated: false,
    };
    document.read(text, 0, job)?;
    for unclosed in (0..document.open.len()).rev() {
        document.set_down(unclosed);
    }
    if !document.open.is_empty() {
        job.warn_of_missing_end("the document ends within an element, as one that was cut");
    } else if !document.rooted {
        job.warn_of_missing_end("the document ends before its root element, as one that was cut");
    }
    if document.translated {
        job.warn(
            WarningCode::TranslationsOmitted,
            "the document holds translations of itself, which are not in its text",
        );
    }
    let is_linuxdoc = document.is_linuxdoc();
    if is_linuxdoc || std::ptr::eq(document.vocabulary, &rfc::RFC) {
        let name = if is_linuxdoc { "Linuxdoc" } else { "xml2rfc" };
        job.warn(
            WarningCode::OutsideProfile,
            format!("the standard's extraction profile says nothing of {name}"),
        );
    }
    if document.damaged && !is_linuxdoc {
        job.warn(WarningCode::Recovered, "the document is not well-formed XML");
    }
    if let Some(name) = document.entities.unknown() {
        job.warn(
            WarningCode::EntitiesUnknown,
            format!(
                "entities that the document does not define, such as {name:?}, appear as \
                their names or are left out"
            ),
        );
    }
    if let Some(file) = document.included {
        job.warn_of_include(file);
    }
    Ok(document.flow)
}

/// What stood last in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Start,
    End,
    Text,
}

#[derive(Debug)]
struct Open<'a> {
    name: &'a str,
    role: Role,
    dropped: bool,
    /// Where its text begins and where it goes, if renderings have it elsewhere.
    moves: Option<(usize, Place)>,
    /// Where its text begins, and its attributes, if one of them stands for a missing text.
    default: Option<(usize, &'a str)>,
    /// Whether its text is above or below the line.
    is_superscript: bool,
}

/// Where a text goes: to the end of the open element of this index, those of lower rank first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    outer: usize,
    rank: u8,
}

struct Document<'a> {
    vocabulary: &'a Vocabulary,
    /// The values of entities that are other than they are written.
    replaced: &'a [String],
    rooted: bool,
    open: Vec<Open<'a>>,
    dropped: u32,
    preformatted: u32,
    /// Open elements whose text goes elsewhere.
    moving: u32,
    flow: Flow,
    last: Last,
    entities: Entities<'a>,
    /// The first file that XInclude asks for.
    included: Option<&'a str>,
    /// Texts on their way to the ends of open elements.
    moved: HashMap<usize, Vec<(u8, String)>>,
    superscript: Superscript,
    styles: Styles<'a>,
    damaged: bool,
    /// Whether a translation was left out.
    translated: bool,
}

impl<'a> Document<'a> {
    /// Reads markup: the document, or the replacement of an entity `nesting` entities deep.
    fn read(&mut self, text: &'a str, nesting: u32, job: &Job<'_>) -> Result<(), ExtractError> {
        Entities::check_nesting(nesting)?;
        let mut scanner = Scanner::new(text);
        if self.is_linuxdoc() {
            scanner.read_sgml(&linuxdoc::RAW);
        }
        let mut looked = 0;
        while let Some(piece) = scanner.next() {
            job.work.charge(scanner.looked() - looked)?;
            looked = scanner.looked();
            match piece {
                Piece::Text(text) => self.text(text, nesting, job)?,
                Piece::Verbatim(text) => {
                    if self.holds_text() {
                        self.characters(text);
                    }
                }
                Piece::Start { name, attributes, empty } => {
                    let count = || attributes::attribute_count(attributes);
                    job.limits.check_attributes(attributes, count)?;
                    self.start(name, attributes, empty);
                    job.limits.check_depth(self.open.len())?;
                    job.limits.check_text(self.flow.len())?;
                }
                Piece::End { name } => self.end(name),
                Piece::Doctype(doctype) => {
                    job.work.charge(doctype.len())?;
                    if !self.rooted && linuxdoc::is_declared(doctype) {
                        self.vocabulary = &linuxdoc::LINUXDOC;
                        scanner.read_sgml(&linuxdoc::RAW);
                    }
                    self.entities.declare(doctype, self.replaced);
                    if self.is_linuxdoc() {
                        self.entities.declare(linuxdoc::ENTITIES, &[]);
                    }
                }
            }
        }
        job.work.charge(scanner.looked() - looked)?;
        self.damaged |= scanner.is_damaged();
        job.limits.check_text(self.flow.len())
    }

    fn is_linuxdoc(&self) -> bool {
        std::ptr::eq(self.vocabulary, &linuxdoc::LINUXDOC)
    }

    fn text(&mut self, text: &'a str, nesting: u32, job: &Job<'_>) -> Result<(), ExtractError> {
        if !self.holds_text() {
            return Ok(());
        }
        let mut rest = text;
        while let Some(at) = memchr::memchr(b'&', rest.as_bytes()) {
            self.characters(&rest[..at]);
            rest = &rest[at..];
            let Some((resolved, length)) = self.entities.read(rest, job.limits)? else {
                self.damaged = true;
                self.characters(&rest[..1]);
                rest = &rest[1..];
                continue;
            };
            rest = &rest[length..];
            match resolved {
                Resolution::Text(text) => self.characters(text),
                Resolution::Char(c) => self.characters(c.encode_utf8(&mut [0; 4])),
                // A replacement may hold markup, and references to other entities.
                Resolution::Entity(value) => self.read(value, nesting + 1, job)?,
                Resolution::Name(name) => self.characters(name),
                Resolution::Elsewhere => self.flow.space(),
            }
        }
        self.characters(rest);
        Ok(())
    }

    fn characters(&mut self, text: &str) {
        if self.preformatted > 0 {
            self.flow.preformatted(text);
        } else {
            self.flow.text(text);
        }
        if !text.trim_ascii().is_empty() {
            self.last = Last::Text;
        }
    }

    fn start(&mut self, name: &'a str, attributes: &'a str, empty: bool) {
        let name = if self.is_linuxdoc() { linuxdoc::small_name(name) } else { name };
        let local = local(name);
        let is_root = !self.rooted;
        if is_root {
            self.rooted = true;
            // One vocabulary is unlike all others, and known by its root.
            if local == "rfc" {
                self.vocabulary = &rfc::RFC;
            } else if let Some(flat) = package::flat_vocabulary(local, attributes) {
                self.vocabulary = flat;
            }
        }
        // XInclude, which no vocabulary has under this name but its own.
        if local == "include" && name.len() > local.len() && self.dropped == 0 {
            self.included = self.included.or_else(|| attributes::attribute(attributes, "href"));
        }
        let element = Element { local, attributes, empty };
        let role = match (self.vocabulary.role)(&element) {
            // A translation by itself is a document.
            Role::Translation if is_root => Role::Block,
            role => role,
        };
        let dropped = self.is_dropped(local, role);
        let moves = self.destination(local).map(|place| (self.flow.len(), place));
        if self.dropped == 0 && !dropped {
            self.separate_start(role, attributes);
            self.last = Last::Start;
        }
        let is_superscript = self.begin_superscript(&element, role);
        if let Role::Hides(name) = role {
            self.hide(name);
        }
        self.translated |= role == Role::Translation;
        if empty || self.vocabulary.unclosed.contains(&local) {
            // A block without an end tag ends where the next one begins: its text is still to come.
            if empty || !matches!(role, Role::Block) {
                self.separate_end(role, dropped);
            }
            self.carry(moves);
            return;
        }
        self.dropped += u32::from(dropped);
        self.preformatted += u32::from(matches!(role, Role::Preformatted));
        self.moving += u32::from(moves.is_some());
        let has_default = matches!(role, Role::Default(_));
        let default = has_default.then(|| (self.flow.len(), attributes));
        self.open.push(Open { name, role, dropped, moves, default, is_superscript });
    }

    /// Where the text of an element that begins here belongs, if not here.
    fn destination(&self, local_name: &str) -> Option<Place> {
        // A text moves once: it would be copied for each element that it moves out of.
        if self.moving > 0 {
            return None;
        }
        let (_, outer, rank) =
            self.vocabulary.moved.iter().find(|(inner, ..)| *inner == local_name)?;
        let open = self.open.iter().rev().take(MISMATCH_REACH);
        let above = open.enumerate().find(|(_, open)| local(open.name) == *outer)?.0;
        Some(Place { outer: self.open.len() - 1 - above, rank: *rank })
    }

    /// Takes away the text of an element that ends here, if it belongs elsewhere.
    fn carry(&mut self, moves: Option<(usize, Place)>) {
        if let Some((start, place)) = moves {
            let text = self.flow.cut(start);
            if !text.is_empty() {
                self.moved.entry(place.outer).or_default().push((place.rank, text));
            }
        }
    }

    /// Sets down what belongs at the end of the open element of this index.
    fn set_down(&mut self, outer: usize) {
        if self.moved.is_empty() {
            return;
        }
        let Some(mut texts) = self.moved.remove(&outer) else { return };
        texts.sort_by_key(|(rank, _)| *rank);
        for (_, text) in texts {
            self.flow.space();
            self.flow.preformatted(&text);
        }
    }

    fn is_dropped(&self, local: &str, role: Role) -> bool {
        match self.open.last().map(|open| open.role) {
            _ if matches!(role, Role::Dropped | Role::Translation) => true,
            Some(Role::Metadata) => !vocabulary::is_kept_metadata(local),
            Some(Role::Choice) => !vocabulary::is_preferred(local),
            _ => self.vocabulary.dropped_inside.iter().any(|(outer, inner)| {
                *inner == local
                    && self.open.iter().rev().take(MISMATCH_REACH).any(|o| o.name == *outer)
            }),
        }
    }

    fn separate_start(&mut self, role: Role, attributes: &str) {
        match role {
            Role::Inline
            | Role::Dropped
            | Role::Translation
            | Role::Choice
            | Role::Default(_)
            | Role::Hides(_) => {}
            Role::Text(text) => self.flow.text(text),
            Role::Attributes(names) => {
                self.flow.line();
                self.insert(names, attributes);
                self.flow.line();
            }
            Role::Inserted(names) => self.insert(names, attributes),
            Role::Block | Role::Preformatted | Role::Metadata => self.flow.line(),
            Role::Cell => self.flow.cell(),
            Role::Word => self.flow.space(),
            Role::Break => {
                // TEI marks the line breaks that are inside words.
                if attributes::attribute(attributes, "break") != Some("no") {
                    self.flow.space();
                }
            }
            Role::Unknown => {
                if self.last == Last::End {
                    self.flow.line();
                }
            }
        }
    }

    /// Shows the values of attributes as words.
    fn insert(&mut self, names: &[&str], attributes: &str) {
        for (n, name) in names.iter().enumerate() {
            let text = match name.strip_prefix('=') {
                Some(word) => word,
                None => attributes::attribute(attributes, name).unwrap_or(""),
            };
            if n > 0 {
                self.flow.space();
            }
            self.flow.text(text);
        }
    }

    fn separate_end(&mut self, role: Role, dropped: bool) {
        if self.dropped > 0 || dropped {
            return;
        }
        match role {
            Role::Block | Role::Preformatted | Role::Metadata | Role::Attributes(_) => {
                self.flow.line();
            }
            Role::Cell => self.flow.cell(),
            Role::Word => self.flow.space(),
            _ => {}
        }
        self.last = if matches!(role, Role::Inline) { Last::Text } else { Last::End };
    }

    /// Drops what is still to come of the innermost open element of this name.
    fn hide(&mut self, name: &str) {
        let mut open = self.open.iter_mut().rev().take(MISMATCH_REACH);
        if let Some(open) = open.find(|open| local(open.name) == name && !open.dropped) {
            open.dropped = true;
            self.dropped += 1;
        }
    }

    /// Whether the characters of the innermost open element are text.
    fn holds_text(&self) -> bool {
        self.dropped == 0
            && self
                .vocabulary
                .text_in
                .is_none_or(|only| self.open.last().is_some_and(|open| local(open.name) == only))
    }

    fn end(&mut self, name: &str) {
        let name = if self.is_linuxdoc() { linuxdoc::small_name(name) } else { name };
        let mut open = self.open.iter().rev().take(MISMATCH_REACH);
        // SGML's shortest end tag is that of whatever is open.
        let found = open.position(|open| open.name == name || name.is_empty());
        let Some(above) = found else {
            if self.vocabulary.unclosed.contains(&name) {
                let element = Element { local: name, attributes: "", empty: false };
                self.separate_end((self.vocabulary.role)(&element), false);
            }
            self.damaged = true;
            return;
        };
        self.damaged |= above > 0;
        for _ in 0..=above {
            let Some(open) = self.open.pop() else { return };
            self.end_superscript(local(open.name), open.is_superscript);
            self.set_down(self.open.len());
            if let (Some((start, attributes)), Role::Default(names)) = (open.default, open.role)
                && self.flow.len() == start
                && self.dropped == 0
            {
                self.insert(names, attributes);
            }
            self.moving -= u32::from(open.moves.is_some());
            self.carry(open.moves);
            self.dropped -= u32::from(open.dropped);
            self.preformatted -= u32::from(matches!(open.role, Role::Preformatted));
            self.separate_end(open.role, open.dropped);
        }
    }
}

/// The document type declaration, which stands before the root.
fn doctype<'a>(text: &'a str, work: &Work) -> Result<Option<&'a str>, ExtractError> {
    let mut scanner = Scanner::new(text);
    let mut prolog = scanner.by_ref().take_while(|piece| !matches!(piece, Piece::Start { .. }));
    let found = prolog.find_map(|piece| match piece {
        Piece::Doctype(doctype) => Some(doctype),
        _ => None,
    });
    work.charge(scanner.looked() + found.map_or(0, str::len))?;
    Ok(found)
}

/// A name without its namespace prefix.
pub(crate) fn local(name: &str) -> &str {
    name.bytes().rposition(|byte| byte == b':').map_or(name, |colon| &name[colon + 1..])
}

#[cfg(test)]
mod conformance;
#[cfg(test)]
mod tests;
