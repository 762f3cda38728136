//! What was decided about each document.

use std::ops::Range;

use nearprint_records::{
    Decision, DecisionReason, DecisionRow, DeduplicationRow, DocumentId, Pace,
};

use super::dedup_documents::{DedupDocuments, NO_TEXT};
use super::stars::{RepeatedTexts, Repeats, repeated};
use super::{Dedup, Revisits};
use crate::{Error, Sameness, Search, Tally};

/// Which documents are kept, and why the others are not. Takes 8 bytes a distinct text, and 16 for each that repeats
/// another.
#[derive(Debug)]
pub struct Decisions {
    /// Texts that repeat another, ascending.
    repeated: Vec<Repeats>,
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

/// The captures of web archives, none of which is dropped.
#[derive(Debug)]
struct Captures {
    revisits: Revisits,
    /// Their documents, ascending.
    documents: Vec<Range<u64>>,
    /// Those that become revisits, ascending, with their targets' ids.
    converted: Vec<(u64, DocumentId)>,
}

impl Captures {
    fn holds(&self, document: u64) -> bool {
        let at = self.documents.partition_point(|range| range.end <= document);
        self.documents.get(at).is_some_and(|range| range.contains(&document))
    }

    fn target(&self, document: u64) -> Option<&DocumentId> {
        let at = self.converted.binary_search_by_key(&document, |&(document, _)| document).ok()?;
        Some(&self.converted[at].1)
    }
}

/// What a deduplication came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DecisionCounts {
    /// Documents decided about.
    pub documents: u64,
    /// Those that are kept.
    pub kept: u64,
    /// Those dropped whose normalised text is that of a document that is kept, but for white space.
    pub identical: u64,
    /// Those dropped that are not identical and have the same words in the same order.
    pub same_words: u64,
    /// All others dropped: they are similar to a document that is kept.
    pub near: u64,
    /// Those kept because they have too few words to compare.
    pub too_short: u64,
    /// Those kept because they have no fingerprint.
    pub without_fingerprint: u64,
    /// Those that become revisits of captures with the same payload.
    pub revisits: u64,
    /// Clusters of two documents or more, those compared with counted.
    pub clusters: u64,
    /// Documents of the largest.
    pub largest_cluster: u64,
}

impl DecisionCounts {
    /// Documents that are not kept.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.identical + self.same_words + self.near
    }
}

impl Decisions {
    pub(super) fn new(
        settings: &Dedup,
        gathered: &DedupDocuments,
        search: &Search<'_>,
    ) -> Result<Self, Error> {
        let candidates = search.candidates(&gathered.set)?;
        let number = candidates.len() as u64;
        let RepeatedTexts { texts, left_out } = repeated(settings, gathered, search, candidates)?;
        let mut decisions = Self {
            repeated: texts,
            sizes: vec![0; gathered.wanted.len()],
            clusters: vec![0; gathered.wanted.len()],
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
    pub fn with_revisits(
        mut self,
        revisits: Revisits,
        gathered: &mut DedupDocuments,
    ) -> Result<Self, Error> {
        let mut captures = Captures { revisits, documents: Vec::new(), converted: Vec::new() };
        for document in gathered.references..gathered.log.len() {
            let logged = gathered.log.get(document).map_err(Error::TemporaryFile)?;
            if !captures.revisits.is_archive(&logged.place.file) {
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
    #[must_use]
    pub fn revisits(&self) -> Option<&Revisits> {
        self.captures.as_ref().map(|captures| &captures.revisits)
    }

    /// Sizes of clusters and their numbers, and the counts.
    fn number(&mut self, gathered: &DedupDocuments) -> Result<(), Error> {
        self.sizes.fill(0);
        self.clusters.fill(0);
        let texts = || gathered.texts.iter().filter(|&&text| text != NO_TEXT);
        for &text in texts() {
            let of = self.kept_text(text).0 as usize;
            self.sizes[of] += 1;
        }
        let mut counts = DecisionCounts {
            documents: gathered.documents(),
            too_short: gathered.too_short,
            without_fingerprint: gathered.without_fingerprint,
            ..DecisionCounts::default()
        };
        for &text in texts() {
            let of = self.kept_text(text).0 as usize;
            if self.sizes[of] > 1 && self.clusters[of] == 0 {
                counts.clusters += 1;
                counts.largest_cluster = counts.largest_cluster.max(self.sizes[of].into());
                self.clusters[of] = counts.clusters as u32;
            }
        }
        for document in gathered.references..gathered.log.len() {
            if let Some(captures) = self.captures.as_ref().filter(|of| of.holds(document)) {
                let is_revisit = captures.target(document).is_some();
                counts.revisits += u64::from(is_revisit);
                counts.kept += u64::from(!is_revisit);
                continue;
            }
            match self.verdict(gathered, document) {
                Verdict::Repeats(of, _) => match sameness(gathered, document, of)? {
                    Sameness::Identical => counts.identical += 1,
                    Sameness::SameWords => counts.same_words += 1,
                    Sameness::Different => counts.near += 1,
                },
                Verdict::NotCompared | Verdict::Alone | Verdict::Representative => counts.kept += 1,
            }
        }
        self.counts = counts;
        Ok(())
    }

    /// The text that stands for a text, and how similar they are.
    fn kept_text(&self, text: u32) -> (u32, f64) {
        match self.repeated.binary_search_by_key(&text, |repeats| repeats.text) {
            Ok(at) => (self.repeated[at].of, self.repeated[at].similarity),
            Err(_) => (text, 1.0),
        }
    }

    fn verdict(&self, gathered: &DedupDocuments, document: u64) -> Verdict {
        let text = gathered.texts[document as usize];
        if text == NO_TEXT {
            return Verdict::NotCompared;
        }
        let (of, similarity) = self.kept_text(text);
        let representative = gathered.wanted.document(of);
        if u64::from(representative) == document {
            let alone = self.sizes[of as usize] == 1;
            return if alone { Verdict::Alone } else { Verdict::Representative };
        }
        Verdict::Repeats(representative, similarity)
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

    /// Gives a row for every document that is no reference, in the order they were gathered.
    ///
    /// # Errors
    /// Where the temporary file cannot be read, and those of `take`.
    pub fn for_each<E: From<Error>>(
        &self,
        gathered: &mut DedupDocuments,
        mut take: impl FnMut(DecisionRow) -> Result<(), E>,
    ) -> Result<(), E> {
        for document in gathered.references..gathered.log.len() {
            take(self.row(gathered, document)?)?;
        }
        Ok(())
    }

    fn row(&self, gathered: &mut DedupDocuments, document: u64) -> Result<DecisionRow, Error> {
        let verdict = self.verdict(gathered, document);
        let cluster = match gathered.texts[document as usize] {
            NO_TEXT => None,
            text => Some(self.clusters[self.kept_text(text).0 as usize]).filter(|&n| n > 0),
        };
        let note = gathered.log.get(document).map_err(Error::TemporaryFile)?.clone();
        let (decision, reason, of, similarity) = match verdict {
            Verdict::Alone => (Decision::Keep, DecisionReason::Unique, None, None),
            Verdict::Representative => (Decision::Keep, DecisionReason::Representative, None, None),
            Verdict::Repeats(of, similarity) => {
                let reason = match sameness(gathered, document, of)? {
                    Sameness::Identical => DecisionReason::Identical,
                    Sameness::SameWords => DecisionReason::SameWords,
                    Sameness::Different => DecisionReason::Near,
                };
                (Decision::Drop, reason, Some(of), Some(similarity))
            }
            Verdict::NotCompared if note.reason.is_none() => {
                (Decision::Keep, DecisionReason::TooShort, None, None)
            }
            Verdict::NotCompared => (Decision::Keep, DecisionReason::NoFingerprint, None, None),
        };
        let representative = match (of, verdict) {
            (Some(of), _) => Some(gathered.log.id(of.into()).map_err(Error::TemporaryFile)?),
            (None, Verdict::Representative) => Some(note.id.clone()),
            (None, _) => None,
        };
        let mut row = DecisionRow {
            id: note.id,
            decision,
            reason,
            cluster: cluster.map(u64::from),
            representative,
            similarity,
            failure: note.reason,
            place: note.place,
            capture: note.capture,
        };
        if let Some(captures) = self.captures.as_ref().filter(|of| of.holds(document)) {
            row.decision = Decision::Keep;
            if let Some(target) = captures.target(document) {
                row.decision = Decision::Revisit;
                row.reason = DecisionReason::SamePayload;
                row.representative = Some(target.clone());
                row.similarity = Some(1.0);
            }
        }
        Ok(row)
    }

    /// Documents of each cluster.
    pub(crate) fn cluster_sizes(&self) -> impl Iterator<Item = u64> {
        self.clustered_texts().map(|(size, _)| size)
    }

    /// Of each cluster its size and the text that is kept.
    pub(crate) fn clustered_texts(&self) -> impl Iterator<Item = (u64, u32)> {
        let sizes = (0..).zip(&self.sizes).map(|(text, &size)| (u64::from(size), text));
        sizes.filter(|&(size, _)| size > 1)
    }

    /// The similarities of all documents that are dropped.
    pub(crate) fn similarities(&self, gathered: &DedupDocuments) -> Vec<f64> {
        let mut found = Vec::new();
        self.each_dropped(gathered, |_, _, similarity, _| found.push(similarity));
        found
    }

    /// Tells of each document that is dropped its number, the text that stands for it, its similarity, and whether
    /// nothing that is compared differs.
    pub(crate) fn each_dropped(
        &self,
        gathered: &DedupDocuments,
        mut take: impl FnMut(u64, u32, f64, bool),
    ) {
        for document in gathered.references..gathered.log.len() {
            if let Verdict::Repeats(_, similarity) = self.verdict(gathered, document) {
                let text = gathered.texts[document as usize];
                let of = self.kept_text(text).0;
                take(document, of, similarity, of == text);
            }
        }
    }

    /// Pairs of texts that were not compared: where very many texts have the same words and other numbers, only the
    /// first are compared with all of them.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// What it came to.
    #[must_use]
    pub fn counts(&self) -> DecisionCounts {
        self.counts
    }

    /// The summary of the job.
    #[must_use]
    pub fn summary(
        &self,
        settings: &Dedup,
        gathered: &DedupDocuments,
        tally: &Tally,
    ) -> DeduplicationRow {
        let counts = self.counts;
        DeduplicationRow {
            question: settings.digest(),
            scheme: settings.print_scheme(),
            at: settings.threshold,
            keep: settings.keep.to_string(),
            chains: settings.chains,
            least_words: settings.least_words,
            documents: counts.documents,
            kept: counts.kept,
            identical: counts.identical,
            same_words: counts.same_words,
            near: counts.near,
            too_short: counts.too_short,
            without_fingerprint: counts.without_fingerprint,
            failed: tally.failed,
            references: gathered.references(),
            bytes: tally.bytes,
            distinct_texts: gathered.distinct_texts(),
            candidates: self.candidates,
            revisits: self.revisits().map(|revisits| revisits.counts().revisits),
            revisit_bytes: self.revisits().map(|revisits| revisits.counts().bytes),
            clusters: counts.clusters,
            largest_cluster: counts.largest_cluster,
            temporary_bytes: gathered.temporary_bytes(),
            duplicate_ids: gathered.duplicate_ids(),
            pace: Pace::default(),
        }
    }
}

/// What became of a document, with the one it repeats.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Verdict {
    NotCompared,
    Alone,
    Representative,
    Repeats(u32, f64),
}

/// In what sense two documents' texts are the same.
fn sameness(gathered: &DedupDocuments, document: u64, of: u32) -> Result<Sameness, Error> {
    let digests = |document| gathered.digests.get(document).map_err(Error::TemporaryFile);
    Ok(digests(document)?.sameness(&digests(of.into())?))
}
