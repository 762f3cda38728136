//! The places of passages that a page shows, read again from their documents.

use std::collections::HashMap;
use std::path::Path;

use nearprint_fingerprint::placed_tokens;
use nearprint_records::{Source, TextRange};

use crate::Pipeline;
use crate::report::links::link;

/// Words shown before and after a passage.
const AROUND: usize = 20;

/// Words shown of a passage: of a longer one the first 80 and the last 20.
const SHOWN: usize = 100;
const SHOWN_OF_END: usize = 20;

/// One place of a passage.
#[derive(Debug, Clone, Default)]
pub(super) struct PassageSide {
    pub(super) id: String,
    pub(super) input: usize,
    pub(super) range: TextRange,
    pub(super) ends: Option<PassageEnds>,
    /// What is around it and in it, once read.
    pub(super) excerpt: Option<[String; 3]>,
    /// Where its document leads, once read.
    pub(super) link: Option<String>,
}

/// The first and the last tokens of a passage, by which it is known in its document, as documents may have one id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PassageEnds {
    tokens: usize,
    numbers: bool,
    digests: [u64; 2],
}

impl PassageEnds {
    /// Of so many tokens; `None` where the passage has fewer.
    pub(super) fn of(passage: &str, tokens: usize, numbers: bool) -> Option<Self> {
        let mut all = Vec::new();
        placed_tokens(passage, numbers, |token| all.push(token.hash));
        let digest = |digest: u64, hash: &u64| {
            (digest.rotate_left(5) ^ hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        let first = all.get(..tokens)?.iter().fold(0, digest);
        let last = all.get(all.len() - tokens..)?.iter().fold(0, digest);
        Some(Self { tokens, numbers, digests: [first, last] })
    }

    fn are_of(&self, passage: &str) -> bool {
        Self::of(passage, self.tokens, self.numbers) == Some(*self)
    }
}

/// Reads documents, each by its id, until all that are wanted were met.
pub(super) fn read(
    mut wanted: HashMap<String, Vec<&mut PassageSide>>,
    pipeline: &Pipeline<'_>,
    source: &mut dyn Source,
    folder: &Path,
) {
    while !wanted.is_empty() {
        let Some(found) = source.next_document() else { break };
        let Ok(document) = found else { continue };
        let id = document.id.as_str().to_owned();
        let Some(sides) = wanted.get_mut(&id) else { continue };
        let link = link(&document, Some(folder));
        let Ok(extraction) = pipeline.extract(document) else { continue };
        // What this document does not have is of another one with the same id.
        sides.retain_mut(|side| {
            side.excerpt = excerpt(&extraction.text, side);
            if side.excerpt.is_some() {
                side.link.clone_from(&link);
            }
            side.excerpt.is_none()
        });
        if sides.is_empty() {
            wanted.remove(&id);
        }
    }
}

/// The words before a passage, those of it and those after it; `None` where the text is another one.
fn excerpt(text: &str, side: &PassageSide) -> Option<[String; 3]> {
    let range = side.range;
    let bytes = usize::try_from(range.start_byte).ok()?..usize::try_from(range.end_byte).ok()?;
    let passage = text
        .get(bytes.clone())
        .filter(|passage| side.ends.is_some_and(|ends| ends.are_of(passage)))?;
    let (before, after) = (text.get(..bytes.start)?, text.get(bytes.end..)?);
    let mut lead: Vec<&str> = before.split_whitespace().rev().take(AROUND + 1).collect();
    let begins_within = lead.len() > AROUND;
    lead.truncate(AROUND);
    lead.reverse();
    let mut trail: Vec<&str> = after.split_whitespace().take(AROUND + 1).collect();
    let ends_within = trail.len() > AROUND;
    trail.truncate(AROUND);
    let words: Vec<&str> = passage.split_whitespace().collect();
    let shown = if words.len() > SHOWN {
        let (first, last) = (SHOWN - SHOWN_OF_END, words.len() - SHOWN_OF_END);
        format!("{} […] {}", words[..first].join(" "), words[last..].join(" "))
    } else {
        words.join(" ")
    };
    let ellipsis = |is: bool| if is { "…" } else { "" };
    Some([
        format!("{} {}", ellipsis(begins_within), lead.join(" ")),
        shown,
        format!("{} {}", trail.join(" "), ellipsis(ends_within)),
    ])
}
