//! What was decided about each document.

use std::ops::Range;

use nearprint_records::{
    Decision, DecisionReason, DecisionRow, DeduplicationRow, DocumentId, ReasonCode, Sha256Digest,
};

use super::Dedup;
use super::dedup_documents::{DedupDocuments, LEFT_OUT, NO_TEXT, UNCOMPARED};
use super::digest_log::DocumentDigests;
use super::revisits::Revisits;
use super::stars::{RepeatedTexts, Repeats, repeated};
use crate::text::verification::MOST_OF_UNEQUAL;
use crate::{Differences, Error, Policy, Search, Tally};

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
#[non_exhaustive]
pub struct DecisionCounts {
    /// Documents decided about.
    pub documents: u64,
    /// Those that are kept.
    pub kept: u64,
    /// Those dropped whose bytes are those of a document that is kept.
    pub same_bytes: u64,
    /// Those dropped that are not of the same bytes and whose text is that of a document that is kept.
    pub identical: u64,
    /// Those dropped that are not identical and have the same words in the same order.
    pub same_words: u64,
    /// All others dropped: they are similar to a document that is kept.
    pub near: u64,
    /// The same by their similarity, in 20 steps of 0.05 from 0 on; 1 belongs to the last.
    pub near_by_similarity: [u64; 20],
    /// Those kept because they contradict one that is kept, and would else be dropped.
    pub contradicts: u64,
    /// Those kept because they have too few words to compare.
    pub too_short: u64,
    /// Those kept because they have no fingerprint.
    pub without_fingerprint: u64,
    /// Those that are further paths to a file, which are kept.
    pub same_files: u64,
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
        self.same_bytes + self.identical + self.same_words + self.near
    }
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

    /// Sizes of clusters and their numbers, and the counts.
    fn number(&mut self, gathered: &DedupDocuments) -> Result<(), Error> {
        self.sizes.fill(0);
        self.clusters.fill(0);
        let texts = || gathered.texts.iter().filter(|&&text| text < LEFT_OUT);
        for &text in texts() {
            let of = self.place(self.kept_text(text).0);
            self.sizes[of] += 1;
        }
        let mut counts = DecisionCounts {
            documents: gathered.documents(),
            too_short: gathered.too_short,
            without_fingerprint: gathered.without_fingerprint,
            same_files: gathered.same_files,
            ..DecisionCounts::default()
        };
        for &text in texts() {
            let of = self.place(self.kept_text(text).0);
            if self.sizes[of] > 1 && self.clusters[of] == 0 {
                counts.clusters += 1;
                counts.largest_cluster = counts.largest_cluster.max(self.sizes[of].into());
                self.clusters[of] = counts.clusters as u32;
            }
        }
        for document in gathered.references..gathered.log.len() {
            let verdict = self.verdict(gathered, document);
            let text = gathered.texts[document as usize];
            if text == LEFT_OUT {
                continue;
            }
            if text >= UNCOMPARED && verdict != Verdict::NotCompared {
                // It was counted before it was known that there are copies.
                let counted = match gathered.has_text(text) {
                    true => &mut counts.too_short,
                    false => &mut counts.without_fingerprint,
                };
                *counted -= 1;
            }
            if let Some(captures) = self.captures.as_ref().filter(|of| of.holds(document)) {
                let is_revisit = captures.target(document).is_some();
                counts.revisits += u64::from(is_revisit);
                counts.kept += u64::from(!is_revisit);
                continue;
            }
            match verdict {
                Verdict::Repeats(of, similarity, _) => match reason(gathered, document, of)? {
                    DecisionReason::SameBytes => counts.same_bytes += 1,
                    DecisionReason::Identical => counts.identical += 1,
                    DecisionReason::SameWords => counts.same_words += 1,
                    _ => {
                        counts.near += 1;
                        let step = ((similarity * 20.0) as usize).min(19);
                        counts.near_by_similarity[step] += 1;
                    }
                },
                Verdict::NotCompared | Verdict::Alone | Verdict::Representative => {
                    counts.kept += 1;
                    counts.contradicts +=
                        u64::from(self.contradiction(gathered, document).is_some());
                }
            }
        }
        self.counts = counts;
        Ok(())
    }

    /// Where a text is in the lists of sizes and clusters.
    fn place(&self, text: u32) -> usize {
        text.checked_sub(UNCOMPARED).map_or(text, |number| self.compared + number) as usize
    }

    /// The text that stands for a text, how similar they are, and what differs.
    fn kept_text(&self, text: u32) -> (u32, f64, Differences) {
        match self.repeated.binary_search_by_key(&text, |repeats| repeats.text) {
            Ok(at) => {
                let Repeats { of, similarity, differences, .. } = self.repeated[at];
                (of, similarity, differences)
            }
            Err(_) => (text, 1.0, Differences::default()),
        }
    }

    /// What a document that is kept contradicts, if it stands for a text that does.
    fn contradiction(&self, gathered: &DedupDocuments, document: u64) -> Option<Repeats> {
        let text = gathered.texts[document as usize];
        let at = self.contradicting.binary_search_by_key(&text, |found| found.text).ok()?;
        Some(self.contradicting[at])
    }

    /// The `most` most similar pairs of documents that are kept because the second contradicts the first.
    pub(crate) fn contradicting(
        &self,
        gathered: &DedupDocuments,
        most: usize,
    ) -> Vec<Contradiction> {
        let mut order: Vec<&Repeats> = self.contradicting.iter().collect();
        order.sort_by(|one, other| other.similarity.total_cmp(&one.similarity));
        let one = |found: &Repeats| {
            let document = gathered.representative(found.text);
            let is_kept = document >= gathered.references
                && matches!(
                    self.verdict(gathered, document),
                    Verdict::Alone | Verdict::Representative
                );
            Some(Contradiction {
                kept: gathered.representative(found.of),
                document,
                similarity: found.similarity,
                what: found.differences.contradiction()?,
            })
            .filter(|_| is_kept)
        };
        order.into_iter().filter_map(one).take(most).collect()
    }

    fn verdict(&self, gathered: &DedupDocuments, document: u64) -> Verdict {
        let text = gathered.texts[document as usize];
        if text >= LEFT_OUT {
            return Verdict::NotCompared;
        }
        let (of, similarity, differences) = self.kept_text(text);
        let representative = gathered.representative(of);
        if representative != document {
            return Verdict::Repeats(representative, similarity, differences);
        }
        match self.sizes[self.place(of)] {
            1 if text >= UNCOMPARED => Verdict::NotCompared,
            1 => Verdict::Alone,
            _ => Verdict::Representative,
        }
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

    /// Gives a row for every document that is decided about, in the order they were gathered.
    ///
    /// # Errors
    /// Where the temporary file cannot be read, and those of `take`.
    pub fn for_each<E: From<Error>>(
        &self,
        gathered: &mut DedupDocuments,
        mut take: impl FnMut(DecisionRow) -> Result<(), E>,
    ) -> Result<(), E> {
        for document in gathered.references..gathered.log.len() {
            if gathered.texts[document as usize] != LEFT_OUT {
                take(self.row(gathered, document)?)?;
            }
        }
        Ok(())
    }

    pub(super) fn row(
        &self,
        gathered: &mut DedupDocuments,
        document: u64,
    ) -> Result<DecisionRow, Error> {
        let verdict = self.verdict(gathered, document);
        let cluster = match gathered.texts[document as usize] {
            NO_TEXT => None,
            text => Some(self.clusters[self.place(self.kept_text(text).0)]).filter(|&n| n > 0),
        };
        let note = gathered.log.get(document).map_err(Error::TemporaryFile)?.clone();
        let (mut differs, mut contradicts) = (None, None);
        let (decision, reason, of, similarity) = match verdict {
            Verdict::Alone => (Decision::Keep, DecisionReason::Unique, None, None),
            Verdict::Representative => (Decision::Keep, DecisionReason::Representative, None, None),
            Verdict::Repeats(of, similarity, differences) => {
                let reason = reason(gathered, document, of)?;
                differs = (reason == DecisionReason::SameWords).then(|| differences.to_string());
                contradicts = differences.contradiction();
                (Decision::Drop, reason, Some(of), Some(bounded(similarity, reason)))
            }
            Verdict::NotCompared if note.reason.is_none() => {
                (Decision::Keep, DecisionReason::TooShort, None, None)
            }
            Verdict::NotCompared if note.reason == Some(ReasonCode::SAME_FILE) => {
                (Decision::Keep, DecisionReason::SameFile, None, None)
            }
            Verdict::NotCompared => (Decision::Keep, DecisionReason::NoFingerprint, None, None),
        };
        let kept = matches!(verdict, Verdict::Alone | Verdict::Representative);
        let found = self.contradiction(gathered, document).filter(|_| kept);
        let (mut reason, mut similarity, mut nearest) = (reason, similarity, None);
        if let Some(Repeats { of, similarity: found, differences, .. }) = found {
            reason = DecisionReason::Contradicts;
            similarity = Some(found);
            contradicts = differences.contradiction();
            nearest = Some(gathered.representative(of));
        }
        let nearest = nearest.map(|of| gathered.log.id(of)).transpose();
        let nearest = nearest.map_err(Error::TemporaryFile)?;
        let representative = match (of, verdict) {
            (Some(of), _) => Some(gathered.log.id(of).map_err(Error::TemporaryFile)?),
            (None, Verdict::Representative) => Some(note.id.clone()),
            (None, _) => note.first,
        };
        let (sha256, representative_sha256) = match of {
            Some(of) => (bytes_digest(gathered, document)?, bytes_digest(gathered, of)?),
            None => (None, None),
        };
        // That it was not extracted again is not a failure of a copy.
        let failure = note.reason.filter(|reason| *reason != ReasonCode::SAME_BYTES);
        let policy = gathered.rule.policy().name();
        let mut row = DecisionRow::new(note.id, (decision, reason), policy, note.place);
        (row.cluster, row.representative) = (cluster.map(u64::from), representative);
        (row.similarity, row.nearest) = (similarity, nearest);
        (row.differs, row.contradicts) = (differs, contradicts);
        (row.sha256, row.representative_sha256) = (sha256, representative_sha256);
        (row.failure, row.capture) = (failure, note.capture);
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
        let (scheme, policy) = (settings.print_scheme(), settings.policy.name());
        let mut row = DeduplicationRow::new(settings.digest(), scheme, policy);
        (row.at, row.keep) = (settings.threshold, settings.keep.to_string());
        (row.chains, row.least_words) = (settings.chains, settings.least_words);
        (row.documents, row.kept) = (counts.documents, counts.kept);
        (row.same_bytes, row.identical) = (counts.same_bytes, counts.identical);
        (row.same_words, row.near) = (counts.same_words, counts.near);
        row.near_by_similarity = counts.near_by_similarity;
        (row.contradicts, row.too_short) = (counts.contradicts, counts.too_short);
        row.without_fingerprint = counts.without_fingerprint;
        (row.same_files, row.failed) = (counts.same_files, tally.failed);
        (row.references, row.bytes) = (gathered.references(), tally.bytes);
        row.distinct_texts = gathered.distinct_texts();
        row.candidates = self.candidates;
        let revisits = self.captures.as_ref().map(|captures| captures.revisits.counts());
        row.revisits = revisits.as_ref().map(|counts| counts.revisits);
        row.revisit_bytes = revisits.map(|counts| counts.bytes);
        (row.clusters, row.largest_cluster) = (counts.clusters, counts.largest_cluster);
        row.temporary_bytes = gathered.temporary_bytes();
        row.duplicate_ids = gathered.duplicate_ids();
        row
    }
}

/// Two documents that are kept because the second contradicts the first, and would else be dropped for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contradiction {
    /// The number of the first.
    pub(crate) kept: u64,
    /// The number of the second.
    pub(crate) document: u64,
    /// The similarity of their texts, 0 to 1.
    pub(crate) similarity: f64,
    /// What contradicts, by kind: `2 numbers`.
    pub(crate) what: String,
}

/// What became of a document, with the one it repeats.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Verdict {
    NotCompared,
    Alone,
    Representative,
    Repeats(u64, f64, Differences),
}

/// The similarity of two documents, whose texts may have the same features without being identical.
fn bounded(similarity: f64, reason: DecisionReason) -> f64 {
    match reason {
        DecisionReason::SameBytes | DecisionReason::Identical => similarity,
        _ => similarity.min(MOST_OF_UNEQUAL),
    }
}

/// SHA-256 of the bytes of a document, where they are known.
fn bytes_digest(gathered: &DedupDocuments, document: u64) -> Result<Option<Sha256Digest>, Error> {
    let DocumentDigests { bytes, .. } =
        gathered.digests.get(document).map_err(Error::TemporaryFile)?;
    Ok(Some(Sha256Digest(bytes)).filter(|_| bytes != [0; 32]))
}

/// Why a document is dropped for another.
fn reason(gathered: &DedupDocuments, document: u64, of: u64) -> Result<DecisionReason, Error> {
    let digests = |document| gathered.digests.get(document).map_err(Error::TemporaryFile);
    Ok(digests(document)?.reason(&digests(of)?))
}
