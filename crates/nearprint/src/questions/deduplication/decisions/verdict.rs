//! What became of a document, as far as texts decide.

use nearprint_records::DecisionReason;

use super::Decisions;
use crate::questions::deduplication::dedup_documents::{DedupDocuments, LEFT_OUT, UNCOMPARED};
use crate::questions::deduplication::stars::Repeats;
use crate::text::verification::MOST_OF_UNEQUAL;
use crate::{Differences, Error};

/// What became of a document, with the one it repeats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Verdict {
    NotCompared,
    Alone,
    Representative,
    Repeats(u64, f64, Differences),
}

impl Decisions {
    /// Where a text is in the lists of sizes and clusters.
    pub(super) fn place(&self, text: u32) -> usize {
        text.checked_sub(UNCOMPARED).map_or(text, |number| self.compared + number) as usize
    }

    /// The text that stands for a text, how similar they are, and what differs.
    pub(super) fn kept_text(&self, text: u32) -> (u32, f64, Differences) {
        match self.repeated.binary_search_by_key(&text, |repeats| repeats.text) {
            Ok(at) => {
                let Repeats { of, similarity, differences, .. } = self.repeated[at];
                (of, similarity, differences)
            }
            Err(_) => (text, 1.0, Differences::default()),
        }
    }

    /// What became of a document, by its number.
    pub(super) fn verdict(&self, gathered: &DedupDocuments, document: u64) -> Verdict {
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
}

/// The similarity of two documents, whose texts may have the same features without being identical.
pub(super) fn bounded(similarity: f64, reason: DecisionReason) -> f64 {
    match reason {
        DecisionReason::SameBytes | DecisionReason::Identical => similarity,
        _ => similarity.min(MOST_OF_UNEQUAL),
    }
}

/// Why a document is dropped for another.
pub(super) fn reason(
    gathered: &DedupDocuments,
    document: u64,
    of: u64,
) -> Result<DecisionReason, Error> {
    let digests = |document| gathered.digests.get(document).map_err(Error::TemporaryFile);
    Ok(digests(document)?.reason(&digests(of)?))
}
