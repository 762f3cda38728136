//! Documents that are kept because they contradict others.

use super::Decisions;
use super::verdict::Verdict;
use crate::questions::deduplication::dedup_documents::DedupDocuments;
use crate::questions::deduplication::stars::Repeats;

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

impl Decisions {
    /// What a document that is kept contradicts, if it stands for a text that does.
    pub(super) fn contradiction(
        &self,
        gathered: &DedupDocuments,
        document: u64,
    ) -> Option<Repeats> {
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
}
