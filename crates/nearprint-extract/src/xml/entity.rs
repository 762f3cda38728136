//! References in XML: characters, HTML's names, and the entities a document declares for itself.
//!
//! External entities are never loaded. Internal ones are expanded, for manuals name their product so, but
//! within a bound on what all of them produce together: a document that nests them to explode is refused.

use std::collections::HashMap;

use crate::error::{ExtractError, Reason};
use crate::html::reference::{self, Reference};
use crate::limits::Limits;

/// Entities inside one another; deeper ones, and those that contain themselves, are refused.
const MAX_NESTING: u32 = 16;

/// The general entities of one document.
#[derive(Debug, Default)]
pub(super) struct Entities<'a> {
    declared: HashMap<&'a str, &'a str>,
    /// Bytes that expansions have produced so far.
    produced: u64,
    /// The first name that nothing declares.
    unknown: Option<String>,
}

impl<'a> Entities<'a> {
    /// Reads the declarations of an internal subset; the first of each name holds.
    pub(super) fn declare(&mut self, doctype: &'a str) {
        let mut rest = doctype;
        while let Some(at) = rest.find("<!ENTITY") {
            // A commented declaration is none.
            if let Some(comment) = rest.find("<!--").filter(|c| *c < at) {
                let Some(end) = rest[comment + 4..].find("-->") else { return };
                rest = &rest[comment + 4 + end..];
                continue;
            }
            rest = &rest[at + 8..];
            let declaration = rest.trim_ascii_start();
            let Some((name, value)) = declaration.split_once(|c: char| c.is_ascii_whitespace())
            else {
                return;
            };
            let value = value.trim_ascii_start();
            if let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\''))
                && let Some((text, _)) = value[1..].split_once(quote)
            {
                self.declared.entry(name).or_insert(text);
            }
        }
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
    ) -> Result<Option<(Resolved<'a>, usize)>, ExtractError> {
        if let Some(number) = rest.as_bytes().strip_prefix(b"&#") {
            return Ok(reference::numeric(number).map(|(c, n)| (Resolved::Char(c), n + 2)));
        }
        let Some((name, _)) = rest[1..].split_once(';') else { return Ok(None) };
        let plausible = !name.is_empty()
            && name.len() <= 256
            && !name.contains(|c: char| c.is_ascii_whitespace() || "&<>\"'".contains(c));
        if !plausible {
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
            return Ok(Some((Resolved::Entity(value), length)));
        }
        if let Some(value) = reference::named(name) {
            return Ok(Some((Resolved::Text(value), length)));
        }
        self.unknown.get_or_insert_with(|| name.to_owned());
        Ok(Some((Resolved::Unknown, length)))
    }

    /// Refuses entities nested too deep.
    pub(super) fn check_nesting(depth: u32) -> Result<(), ExtractError> {
        if depth > MAX_NESTING {
            return Err(ExtractError::new(
                Reason::ExpansionLimit,
                format!("entities refer to one another more than {MAX_NESTING} deep"),
            ));
        }
        Ok(())
    }
}

/// A piece of text with nothing left to resolve, or an entity's replacement, which is markup again.
#[derive(Debug, Clone, Copy)]
pub(super) enum Resolved<'a> {
    Text(&'a str),
    Char(char),
    Entity(&'a str),
    Unknown,
}

impl From<Reference> for Resolved<'_> {
    fn from(reference: Reference) -> Self {
        match reference {
            Reference::Text(text) => Self::Text(text),
            Reference::Char(c) => Self::Char(c),
        }
    }
}
