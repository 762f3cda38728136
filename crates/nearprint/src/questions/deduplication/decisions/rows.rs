//! Rows of decisions.

use nearprint_records::{Decision, DecisionReason, DecisionRow, ReasonCode, Sha256Digest};

use super::Decisions;
use super::verdict::{Verdict, bounded, reason};
use crate::Error;
use crate::questions::deduplication::dedup_documents::{DedupDocuments, LEFT_OUT, NO_TEXT};
use crate::questions::deduplication::digest_log::DocumentDigests;
use crate::questions::deduplication::stars::Repeats;

impl Decisions {
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

    /// The row of a document, by its number.
    pub(in super::super) fn row(
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
}

/// SHA-256 of the bytes of a document, where they are known.
fn bytes_digest(gathered: &DedupDocuments, document: u64) -> Result<Option<Sha256Digest>, Error> {
    let DocumentDigests { bytes, .. } =
        gathered.digests.get(document).map_err(Error::TemporaryFile)?;
    Ok(Some(Sha256Digest(bytes)).filter(|_| bytes != [0; 32]))
}
