//! Pairs of which the texts themselves were compared.

use nearprint_records::{PairRow, PassageRow};
use nearprint_search::{Expand, Pair, tasks};

use super::join::Sides;
use super::judge::{ByFeatures, ByTexts, Judge};
use super::{Search, Sets};
use crate::{
    Error, FeatureStore, PrintSet, SearchCounts, SimilarTexts, TextStore, TextVerification,
    Verification, longest_passages, passages,
};

/// Candidates that are verified between two looks at the cancel flag.
const VERIFIED_AT_ONCE: usize = 1 << 14;

/// Candidates that a thread verifies one after the other, so that it reads the first document of several only once.
const TOGETHER: usize = 64;

impl Search<'_> {
    /// All pairs of a set, or between two, that `verification` confirms, by the features in `store`: each with its
    /// exact similarity and, with `texts`, with so many of its longest passages, in the order of the input. Store and
    /// texts have a document for each print of the set; of two sets, those of the second follow those of the first.
    ///
    /// # Errors
    /// As for [`pairs`](Self::pairs), and where the store cannot be read.
    pub fn verified_pairs<'s, E: From<Error> + Send>(
        &self,
        sets: impl Into<Sets<'s>>,
        store: &FeatureStore,
        texts: Option<(&TextStore, usize)>,
        verification: Verification,
        take: impl FnMut(PairRow) -> Result<(), E> + Send,
    ) -> Result<SearchCounts, E> {
        let judge = ByFeatures::new(store, verification).with_duplicates();
        let found = self.verified_rows(sets.into().sides()?, &judge, texts, take)?;
        Ok(SearchCounts { without_evidence: judge.without_evidence(), ..found })
    }

    /// All pairs of one set, or of a document of each set, that a measure of whole texts confirms, in the order of the
    /// input, each with so many of its longest passages if any are wanted. The store of texts is as for
    /// [`verified_pairs`](Self::verified_pairs).
    pub(crate) fn measured_pairs<'s, E: From<Error> + Send>(
        &self,
        sets: impl Into<Sets<'s>>,
        texts: &TextStore,
        verification: TextVerification,
        passages: Option<usize>,
        take: impl FnMut(PairRow) -> Result<(), E> + Send,
    ) -> Result<SearchCounts, E> {
        let judge = ByTexts::new(texts, verification);
        let explained = passages.map(|most| (texts, most));
        let sides = sets.into().sides()?;
        let found = self.verified_rows(sides, &judge, explained, take)?;
        Ok(SearchCounts { open: judge.open(), ..found })
    }

    fn verified_rows<E: From<Error> + Send>(
        &self,
        sides: Sides<'_>,
        judge: &dyn Judge,
        texts: Option<(&TextStore, usize)>,
        mut take: impl FnMut(PairRow) -> Result<(), E> + Send,
    ) -> Result<SearchCounts, E> {
        let passages = |pair: &Pair| -> Result<Option<Vec<PassageRow>>, Error> {
            let Some((texts, most)) = texts else { return Ok(None) };
            let text = |at: u32| texts.get(at as usize).map_err(Error::TemporaryFile);
            let rows = passages(&text(pair.a)?, &text(pair.b)?);
            Ok(Some(longest_passages(rows, most)))
        };
        let most = self.most_sorted.unwrap_or(usize::MAX);
        let mut candidates = self.sorted_pairs(sides, Expand::AllPairs, most)?;
        // Where the second documents of pairs begin in the store; both sets together are fewer than 2^32.
        let second = sides.right.map_or(0, |_| sides.left.len() as u32);
        candidates.iter_mut().for_each(|pair| pair.b += second);
        let mut found =
            SearchCounts { candidates: Some(candidates.len() as u64), ..SearchCounts::default() };
        self.verify(&candidates, judge, |pair, similar| {
            let (a, b) = (pair.a as usize, (pair.b - second) as usize);
            found.found += 1;
            found.short += u64::from(sides.is_short(a, b));
            let (a, b) = (sides.left.document_id(a), sides.second().document_id(b));
            let estimate = sides.left.estimate(pair.distance);
            let mut row = PairRow::new(a, b, pair.distance, estimate);
            row.measure = Some(judge.measure());
            row.similarity = Some(similar.similarity);
            row.verdict = similar.verdict();
            row.passages = passages(pair)?;
            take(row)
        })?;
        Ok(found)
    }

    /// All pairs within the distance as positions in the set, ascending.
    pub(crate) fn candidates(&self, set: &PrintSet) -> Result<Vec<Pair>, Error> {
        let most = self.most_sorted.unwrap_or(usize::MAX);
        self.sorted_pairs(Sides::one(set), Expand::AllPairs, most)
    }

    /// All pairs within the distance of one print of each set, ascending.
    pub(crate) fn candidates_between(
        &self,
        left: &PrintSet,
        right: &PrintSet,
    ) -> Result<Vec<Pair>, Error> {
        let most = self.most_sorted.unwrap_or(usize::MAX);
        self.sorted_pairs(Sides::two(left, right)?, Expand::AllPairs, most)
    }

    /// Hands on the candidates that are confirmed, in their order.
    pub(super) fn verify<E: From<Error>>(
        &self,
        candidates: &[Pair],
        judge: &dyn Judge,
        mut take: impl FnMut(&Pair, SimilarTexts) -> Result<(), E>,
    ) -> Result<(), E> {
        for some in candidates.chunks(VERIFIED_AT_ONCE) {
            if self.cancel.is_cancelled() {
                break;
            }
            let judged = self.in_pool(|| {
                tasks::map(some.chunks(TOGETHER).collect(), |some| judge.similar_among(some))
            })?;
            for (some, judged) in some.chunks(TOGETHER).zip(judged) {
                for (pair, similar) in some.iter().zip(judged?) {
                    if let Some(similar) = similar {
                        take(pair, similar)?;
                    }
                }
            }
        }
        Ok(())
    }
}
