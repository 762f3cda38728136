//! What a deduplication came to, in numbers.

use nearprint_records::{DecisionReason, DeduplicationRow};

use super::Decisions;
use super::verdict::{Verdict, reason};
use crate::questions::deduplication::Dedup;
use crate::questions::deduplication::dedup_documents::{DedupDocuments, LEFT_OUT, UNCOMPARED};
use crate::{Error, Tally};

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
    /// Sizes of clusters and their numbers, and the counts.
    pub(super) fn number(&mut self, gathered: &DedupDocuments) -> Result<(), Error> {
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
