//! `nearprint/difference/1`: what became of one document between two editions of a collection.

use std::fmt;
use std::io::{self, Write};

use serde::Serialize;

use crate::{DocumentId, Row};

/// What happened to a document. Text form: `DIFFERENCE`, `SIMILARITY`, `OLD-ID` and `ID`, separated by tabs, `-` for
/// what there is not.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DifferenceRow {
    /// What.
    #[serde(rename = "difference")]
    pub kind: DifferenceKind,
    /// The document in the new edition, or where it is gone in the old one.
    pub id: DocumentId,
    /// The document in the old edition; `None` if it is new.
    pub old_id: Option<DocumentId>,
    /// The similarity of both texts, 0 to 1, where there are two.
    pub similarity: Option<f64>,
    /// What of both texts contradicts in the same place, by kind: `2 numbers, 1 address`; `None` where nothing does.
    pub contradicts: Option<String>,
}

impl DifferenceRow {
    /// A document of the new collection, or one of the old that is gone.
    #[must_use]
    pub fn new(kind: DifferenceKind, id: DocumentId) -> Self {
        Self { kind, id, old_id: None, similarity: None, contradicts: None }
    }
}

/// A kind of difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DifferenceKind {
    /// The texts are equal.
    Identical,
    /// They are not identical, and the words are the same in the same order.
    SameWords,
    /// The texts are at least as similar as was asked for.
    ChangedLittle,
    /// They are less similar.
    ChangedMuch,
    /// It has another id, and a text as similar as was asked for.
    Moved,
    /// No document of the old edition is matched.
    New,
    /// No document of the new edition is matched.
    Gone,
    /// The ids match, and one of the two has no text to compare.
    NotCompared,
}

impl DifferenceKind {
    /// All of them, in the order in which they are told.
    pub const ALL: [Self; 8] = [
        Self::Identical,
        Self::SameWords,
        Self::ChangedLittle,
        Self::ChangedMuch,
        Self::Moved,
        Self::New,
        Self::Gone,
        Self::NotCompared,
    ];
}

impl fmt::Display for DifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Identical => "identical",
            Self::SameWords => "same-words",
            Self::ChangedLittle => "changed-little",
            Self::ChangedMuch => "changed-much",
            Self::Moved => "moved",
            Self::New => "new",
            Self::Gone => "gone",
            Self::NotCompared => "not-compared",
        })
    }
}

impl Row for DifferenceRow {
    const SCHEMA: &'static str = "nearprint/difference/1";

    const COLUMNS: &'static [&'static str] =
        &["difference", "similarity", "old_id", "id", "contradicts"];

    fn write_cells(&self, line: &mut dyn FnMut(&[&str]) -> io::Result<()>) -> io::Result<()> {
        let similarity = self.similarity.map(|similarity| similarity.to_string());
        let old = self.old_id.as_ref().map_or("", |id| id.as_str());
        let new = if self.kind == DifferenceKind::Gone { "" } else { self.id.as_str() };
        let contradicts = self.contradicts.as_deref().unwrap_or_default();
        line(&[&self.kind.to_string(), &similarity.unwrap_or_default(), old, new, contradicts])
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}\t", self.kind)?;
        match self.similarity {
            Some(similarity) => write!(out, "{similarity:.4}\t")?,
            None => out.write_all(b"-\t")?,
        }
        match &self.old_id {
            Some(id) => write!(out, "{id}\t")?,
            None => out.write_all(b"-\t")?,
        }
        if self.kind == DifferenceKind::Gone {
            writeln!(out, "-")
        } else {
            writeln!(out, "{}", self.id)
        }
    }
}
