//! The most repeated passages of a collection: licences, menus, notices.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

use nearprint_passages::{PassageCounts, PassageProgress, PassageSettings};
use nearprint_records::SharedPassageRow;

use super::{FoundPassage, PassageDocuments, bounded};
use crate::questions::options::options;
use crate::questions::{Options, QuestionError, json};
use crate::{Engine, Error};

/// Passages that are held for each that is wanted, as some are left out that repeat others.
const HELD: u64 = 16;

/// Tokens of runs by which a passage is found in others.
const RUN: usize = 8;

options! {
    /// Which repeated passages of a collection are listed.
    pub struct Boilerplate as "boilerplate" {
        /// List passages of at least this many tokens, 8 to 10000: words, and of scripts without spaces pairs of
        /// letters
        min_tokens: u64 = 50,
        /// Count numbers as tokens, so that passages with other numbers are other passages
        numbers: bool = false,
        /// List passages of at least this many documents, 2 to 100000
        least: u64 = 10,
        /// List at most this many passages, those of the most documents first, 1 to 100000
        most: u64 = 100,
    }
}

impl Boilerplate {
    /// The question with all its defaults.
    ///
    /// # Errors
    /// Where an option has no such value.
    pub fn resolve(&self) -> Result<Self, QuestionError> {
        self.check()?;
        for (name, value, least, most) in [
            ("min_tokens", self.min_tokens, RUN as u64, 10_000),
            ("least", self.least, 2, 100_000),
            ("most", self.most, 1, 100_000),
        ] {
            if !(least..=most).contains(&value) {
                let detail = format!("expected a whole number from {least} to {most}, not {value}");
                return Err(QuestionError::new(name, detail));
            }
        }
        Ok(self.clone())
    }

    /// The question as JSON: one object with the name of the question, in it the options that are set.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::text(self)
    }

    /// Room for documents within the engine's memory, as of [`Passages::gather`](crate::Passages::gather).
    ///
    /// # Errors
    /// Where an option has no such value.
    pub fn gather(&self, engine: &Engine) -> Result<PassageDocuments, Error> {
        PassageDocuments::new(
            engine,
            PassageSettings {
                least_tokens: bounded(self.min_tokens),
                numbers: self.numbers,
                most_places: bounded(self.least.saturating_sub(1).max(1)),
                pairs: false,
                ..PassageSettings::default()
            },
        )
    }

    /// The most repeated passages of documents that [`gather`](Self::gather) made room for: those of the most documents
    /// first, of these the longest. A passage of which a listed one has all but fewer than half of
    /// [`min_tokens`](field@Self::min_tokens) is left out. `watch` is as of [`PassageDocuments::run`].
    ///
    /// # Errors
    /// Where a temporary file fails, and where `watch` ends the search.
    pub fn run(
        &self,
        documents: PassageDocuments,
        watch: impl FnMut(PassageProgress) -> bool + Send,
    ) -> Result<(Vec<SharedPassageRow>, PassageCounts), Error> {
        let most = usize::try_from(self.most.saturating_mul(HELD)).unwrap_or(usize::MAX);
        let mut rows: BTreeSet<ByCount> = BTreeSet::new();
        let counts = documents.run(watch, |found| {
            if let FoundPassage::Passage(row) = found
                && row.documents >= self.least
            {
                rows.insert(ByCount::new(row));
                if rows.len() > most {
                    rows.pop_last();
                }
            }
            Ok::<_, Error>(())
        })?;
        let (mut listed, mut known) = (Vec::new(), HashSet::new());
        for ByCount { row, .. } in rows {
            if listed.len() as u64 == self.most {
                break;
            }
            if !self.is_listed(&row.text, &mut known) {
                listed.push(row);
            }
        }
        Ok((listed, counts))
    }

    /// Whether fewer than half of the least tokens of a passage are outside of runs that are known. If not, its runs
    /// are known from now on.
    fn is_listed(&self, text: &str, known: &mut HashSet<[u64; RUN]>) -> bool {
        let mut tokens = Vec::new();
        nearprint_fingerprint::placed_tokens(text, self.numbers, |token| tokens.push(token.hash));
        let runs: Vec<[u64; RUN]> =
            tokens.windows(RUN).filter_map(|run| run.try_into().ok()).collect();
        let (mut own, mut covered) = (0, 0);
        for (start, run) in runs.iter().enumerate() {
            if known.contains(run) {
                own += start.saturating_sub(covered);
                covered = start + RUN;
            }
        }
        own += tokens.len().saturating_sub(covered);
        let is_listed = 2 * (own as u64) < self.min_tokens;
        if !is_listed {
            known.extend(runs);
        }
        is_listed
    }
}

/// A passage in the order of the list.
#[derive(Debug, PartialEq, Eq)]
struct ByCount {
    order: (Reverse<u64>, Reverse<u64>, Option<u64>),
    row: SharedPassageRow,
}

impl ByCount {
    fn new(row: SharedPassageRow) -> Self {
        Self { order: (Reverse(row.documents), Reverse(row.tokens), row.passage), row }
    }
}

impl PartialOrd for ByCount {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByCount {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order.cmp(&other.order)
    }
}
