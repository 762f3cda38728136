//! References in XML: characters, HTML's names, and the entities a document declares for itself.
//!
//! External entities are never loaded. Internal ones are expanded, for manuals name their product so, but
//! within a bound on what all of them produce together: a document that nests them to explode is refused.
//! A name that is declared in a file beside the document, or nowhere, stands for itself, as in HTML: such
//! names are mostly those of products, and a word in the place of another is nearer to the text than a gap.
//! Only a name declared as another file is left out, for that is a part of the document that is not here.

use std::collections::{HashMap, HashSet};

use crate::character_reference::{self as reference, Reference};
use crate::error::{ExtractError, Reason};
use crate::limits::Limits;

/// Entities nested in each other; deeper ones, and those that contain themselves, are refused.
const MAX_NESTING: u32 = 16;

/// Bytes of the longest name of an entity.
const MAX_NAME: usize = 256;

/// The general entities of one document.
#[derive(Debug, Default)]
pub(super) struct Entities<'a> {
    declared: HashMap<&'a str, &'a str>,
    /// Declared as other files.
    external: HashSet<&'a str>,
    /// Bytes that expansions have produced so far.
    produced: u64,
    /// The first name that nothing declares.
    unknown: Option<String>,
}

impl<'a> Entities<'a> {
    /// Reads the declarations of an internal subset; the first of each name holds. `replaced` is what
    /// [`replacement_texts`] gives for it.
    pub(super) fn declare(&mut self, doctype: &'a str, replaced: &'a [String]) {
        let mut replaced = replaced.iter();
        let Self { declared, external, .. } = self;
        declarations(doctype, |name, value| match value {
            None => {
                external.insert(name);
            }
            Some(text) => {
                let text = match has_numbers(text) {
                    true => replaced.next().map_or(text, String::as_str),
                    false => text,
                };
                declared.entry(name).or_insert(text);
            }
        });
    }
    /// A name that was referred to and is declared nowhere.
    pub(super) fn unknown(&self) -> Option<&str> {
        self.unknown.as_deref()
    }

    /// The reference at the start of `rest`, which begins with `&`, and its length; none if the
    /// ampersand is only an ampersand.
    pub(super) fn read(
        &mut self,
        rest: &'a str,
        limits: &Limits,
    ) -> Result<Option<(Resolution<'a>, usize)>, ExtractError> {
        if let Some(number) = rest.as_bytes().strip_prefix(b"&#") {
            return Ok(reference::numeric(number).map(|(c, n)| (Resolution::Char(c), n + 2)));
        }
        // No further than a name is long, nor past what no name has: a text of ampersands has as many ends to look for.
        let window = &rest.as_bytes()[1..rest.len().min(MAX_NAME + 2)];
        let end = window.iter().position(|b| b.is_ascii_whitespace() || b"&<>\"';".contains(b));
        let name = match end.filter(|end| window[*end] == b';') {
            Some(length) => &rest[1..=length],
            None => "",
        };
        if name.is_empty() {
            return Ok(reference::read(rest).map(|(found, length)| (found.into(), length)));
        }
        let length = name.len() + 2;
        if let Some(value) = self.declared.get(name).copied() {
            self.produced += value.len() as u64;
            if self.produced > limits.max_entity_bytes {
                return Err(ExtractError::new(
                    Reason::ExpansionLimit,
                    format!(
                        "the document's entities expand to more than max_entity_bytes = {}",
                        limits.max_entity_bytes
                    ),
                ));
            }
            return Ok(Some((Resolution::Entity(value), length)));
        }
        let external = self.external.contains(name);
        if !external && let Some(value) = reference::named(name) {
            return Ok(Some((Resolution::Text(value), length)));
        }
        self.unknown.get_or_insert_with(|| name.to_owned());
        if external {
            return Ok(Some((Resolution::Elsewhere, length)));
        }
        Ok(Some((Resolution::Name(name), length)))
    }

    /// Refuses entities nested too deep.
    pub(super) fn check_nesting(depth: u32) -> Result<(), ExtractError> {
        if depth > MAX_NESTING {
            return Err(ExtractError::new(
                Reason::ExpansionLimit,
                format!("entities are nested more than {MAX_NESTING} deep"),
            ));
        }
        Ok(())
    }
}

/// Whether a value has references that are resolved where it is declared.
fn has_numbers(value: &str) -> bool {
    value.contains("&#")
}

/// The values of an internal subset's entities whose numeric references are resolved at once, as XML has it:
/// `"&#38;#38;"` is `&#38;` where it is declared and `&` where it is used.
pub(super) fn replacement_texts(doctype: &str) -> Vec<String> {
    let mut texts = Vec::new();
    declarations(doctype, |_, value| {
        if let Some(value) = value.filter(|value| has_numbers(value)) {
            texts.push(with_numbers_resolved(value));
        }
    });
    texts
}

fn with_numbers_resolved(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut pieces = value.split("&#");
    out.extend(pieces.next());
    for piece in pieces {
        match reference::numeric(piece.as_bytes()) {
            Some((c, length)) => {
                out.push(c);
                out.push_str(&piece[length..]);
            }
            None => {
                out.push_str("&#");
                out.push_str(piece);
            }
        }
    }
    out
}

/// Calls `each` with the names of the general entities that an internal subset declares, and their values;
/// those of external ones are none.
fn declarations<'a>(doctype: &'a str, mut each: impl FnMut(&'a str, Option<&'a str>)) {
    let mut rest = doctype;
    // Comments and declarations in one pass: a search for either one would pass over all of the other.
    while let Some(at) = rest.find("<!") {
        let markup = &rest[at..];
        // A commented declaration is none.
        if let Some(after) = markup.strip_prefix("<!--") {
            let Some(end) = after.find("-->") else { return };
            rest = &after[end..];
            continue;
        }
        rest = &markup[2..];
        // SGML has it in small letters, too.
        if !markup.as_bytes().get(..8).is_some_and(|word| word.eq_ignore_ascii_case(b"<!ENTITY")) {
            continue;
        }
        rest = &markup[8..];
        let declaration = rest.trim_ascii_start();
        // References look no further for the end of a name, either.
        let window = declaration.bytes().take(MAX_NAME + 1);
        let Some(length) = window.map(|b| b.is_ascii_whitespace()).position(|blank| blank) else {
            continue;
        };
        let (name, value) = declaration.split_at(length);
        let value = value.trim_ascii_start();
        if value.starts_with("SYSTEM") || value.starts_with("PUBLIC") {
            each(name, None);
        } else if let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\''))
            && let Some((text, _)) = value[1..].split_once(quote)
        {
            each(name, Some(text));
        }
    }
}

/// Resolution of a piece of text: text with nothing left to resolve, or an entity's replacement, which is markup.
#[derive(Debug, Clone, Copy)]
pub(super) enum Resolution<'a> {
    Text(&'a str),
    Char(char),
    Entity(&'a str),
    /// Nothing that is here says what this name stands for.
    Name(&'a str),
    /// Another file.
    Elsewhere,
}

impl From<Reference> for Resolution<'_> {
    fn from(reference: Reference) -> Self {
        match reference {
            Reference::Text(text) => Self::Text(text),
            Reference::Char(c) => Self::Char(c),
        }
    }
}
