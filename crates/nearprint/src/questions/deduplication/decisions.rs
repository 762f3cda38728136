//! What was decided about each document.

mod captures;
mod contradiction;
mod counts;
mod rows;
mod verdict;

pub(crate) use self::contradiction::Contradiction;
pub use self::counts::DecisionCounts;

use nearprint_records::{DecisionReason, ReasonCode};

use self::captures::Captures;
use self::verdict::{Verdict, bounded, reason};
use super::Dedup;
use super::dedup_documents::{DedupDocuments, UNCOMPARED};
#[cfg(feature = "files")]
use super::revisits::Revisits;
use super::stars::{RepeatedTexts, Repeats, repeated};
use crate::{Error, Policy, Search};

/// Which documents are kept, and why the others are not. Takes 8 bytes a distinct text or document without one, and
/// 48 for each text that repeats another.
#[derive(Debug)]
pub struct Decisions {
    /// Texts that repeat another, ascending.
    repeated: Vec<Repeats>,
    /// Texts that are compared; those that are not come after them in the lists below.
    compared: u32,
    /// Texts that are kept because they contradict another that is, ascending.
    contradicting: Vec<Repeats>,
    /// For each text that stands for itself, documents of its cluster.
    sizes: Vec<u32>,
    /// For each text the number of its cluster, from 1 in the order of the clusters' first documents; 0 where it has
    /// none.
    clusters: Vec<u32>,
    counts: DecisionCounts,
    candidates: u64,
    left_out: u64,
    /// Where captures of web archives keep their records.
    captures: Option<Captures>,
}

impl Decisions {
    pub(super) fn new(
        settings: &Dedup,
        gathered: &DedupDocuments,
        search: &Search<'_>,
    ) -> Result<Self, Error> {
        // Identical texts are one text already.
        let is_exact = settings.policy == Policy::Exact;
        let candidates = if is_exact { Vec::new() } else { search.candidates(&gathered.set)? };
        let number = candidates.len() as u64;
        let repeated = if is_exact {
            RepeatedTexts::default()
        } else {
            repeated(settings, gathered, search, candidates)?
        };
        let RepeatedTexts { texts, contradicting, left_out } = repeated;
        let (compared, all) = (gathered.wanted.len(), gathered.all_texts());
        let mut decisions = Self {
            repeated: texts,
            contradicting,
            compared: compared as u32,
            sizes: vec![0; all],
            clusters: vec![0; all],
            counts: DecisionCounts::default(),
            candidates: number,
            left_out,
            captures: None,
        };
        decisions.number(gathered)?;
        Ok(decisions)
    }

    /// These decisions where captures of web archives keep their records, and those that have the payload of an earlier
    /// one become revisits.
    ///
    /// # Errors
    /// Where the temporary file cannot be read.
    #[cfg(feature = "files")]
    pub fn with_revisits(
        mut self,
        revisits: Revisits,
        gathered: &mut DedupDocuments,
    ) -> Result<Self, Error> {
        let mut captures = Captures { revisits, documents: Vec::new(), converted: Vec::new() };
        for document in gathered.references..gathered.log.len() {
            let logged = gathered.log.get(document).map_err(Error::TemporaryFile)?;
            if !captures.revisits.is_archive(&logged.place) {
                continue;
            }
            match captures.documents.last_mut() {
                Some(last) if last.end == document => last.end += 1,
                _ => captures.documents.push(document..document + 1),
            }
            let target = captures.revisits.target(&logged.place);
            if let Some(id) = target.and_then(|target| captures.revisits.id(target)) {
                captures.converted.push((document, id));
            }
        }
        self.captures = Some(captures);
        self.number(gathered)?;
        Ok(self)
    }

    /// What becomes revisits, where captures keep their records.
    #[cfg(feature = "files")]
    #[must_use]
    pub fn revisits(&self) -> Option<&Revisits> {
        self.captures.as_ref().map(|captures| &captures.revisits)
    }

    /// Whether a document is kept, by its number in the order they were gathered, references counted.
    ///
    /// # Panics
    /// Where there are not so many documents.
    #[must_use]
    pub fn keeps(&self, gathered: &DedupDocuments, document: u64) -> bool {
        self.captures.as_ref().is_some_and(|captures| captures.holds(document))
            || !matches!(self.verdict(gathered, document), Verdict::Repeats(..))
    }

    /// Documents of each cluster.
    pub(crate) fn cluster_sizes(&self) -> impl Iterator<Item = u64> {
        self.clustered_texts().map(|(size, _)| size)
    }

    /// Of each cluster its size and the text that is kept.
    pub(crate) fn clustered_texts(&self) -> impl Iterator<Item = (u64, u32)> {
        let compared = 0..self.compared;
        let uncompared = (0..).map(|number| UNCOMPARED | number);
        let sizes = compared.chain(uncompared).zip(&self.sizes);
        sizes.map(|(text, &size)| (u64::from(size), text)).filter(|&(size, _)| size > 1)
    }

    /// The similarities of all documents that are dropped.
    pub(crate) fn similarities(&self, gathered: &DedupDocuments) -> Result<Vec<f64>, Error> {
        let mut found = Vec::new();
        self.each_dropped(gathered, |_, _, similarity| found.push(similarity))?;
        Ok(found)
    }

    /// Tells of each document that is dropped its number, the text that stands for it, and its similarity.
    pub(crate) fn each_dropped(
        &self,
        gathered: &DedupDocuments,
        mut take: impl FnMut(u64, u32, f64),
    ) -> Result<(), Error> {
        for document in gathered.references..gathered.log.len() {
            if let Verdict::Repeats(of, similarity, _) = self.verdict(gathered, document) {
                let text = gathered.texts[document as usize];
                let similarity = bounded(similarity, reason(gathered, document, of)?);
                take(document, self.kept_text(text).0, similarity);
            }
        }
        Ok(())
    }

    /// Tells of each candidate that is kept without comparison, or not decided about, its number and the reason.
    pub(crate) fn each_not_compared(
        &self,
        gathered: &mut DedupDocuments,
        mut take: impl FnMut(u64, &str),
    ) -> Result<(), Error> {
        for document in gathered.references..gathered.log.len() {
            if self.verdict(gathered, document) == Verdict::NotCompared {
                let note = gathered.log.get(document).map_err(Error::TemporaryFile)?;
                let reason = note.reason.as_ref().map(ReasonCode::as_str);
                take(document, reason.unwrap_or(DecisionReason::TooShort.name()));
            }
        }
        Ok(())
    }

    /// Pairs of texts that were not compared: where very many texts have the same words and other numbers, only the
    /// first are compared with all of them.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}
