//! What decides about a candidate: features that are stored, or whole texts.

use std::sync::atomic::{AtomicU64, Ordering};

use nearprint_search::Pair;

use crate::store::feature_store::LastFeatures;
use crate::text::text_measure::SeenText;
use crate::text::text_verification::Judgement;
use crate::{
    Error, FeatureStore, RefusedPairs, SimilarTexts, TextStore, TextVerification, Verification,
};

/// Decides about candidates, in any thread. Candidates come in order, so that what was read of the first document of
/// one often serves for the next.
pub(super) trait Judge: Sync {
    /// The measure's name.
    fn measure(&self) -> &'static str;

    /// What is known of each pair of positions in the store, if the pair passes.
    fn similar_among(&self, pairs: &[Pair]) -> Result<Vec<Option<SimilarTexts>>, Error>;
}

/// By the features of a store.
pub(super) struct ByFeatures<'s> {
    store: &'s FeatureStore,
    verification: Verification,
    /// Whether it is also said which are duplicates.
    finds_duplicates: bool,
    refused: RefusedPairs,
}

impl<'s> ByFeatures<'s> {
    pub(super) fn new(store: &'s FeatureStore, verification: Verification) -> Self {
        Self { store, verification, finds_duplicates: false, refused: RefusedPairs::default() }
    }

    pub(super) fn with_duplicates(self) -> Self {
        Self { finds_duplicates: true, ..self }
    }

    /// How many pairs it refused because all that they share may be a phrase.
    pub(super) fn without_evidence(&self) -> u64 {
        self.refused.number()
    }
}

impl Judge for ByFeatures<'_> {
    fn measure(&self) -> &'static str {
        self.verification.measure().name()
    }

    fn similar_among(&self, pairs: &[Pair]) -> Result<Vec<Option<SimilarTexts>>, Error> {
        let mut read = LastFeatures::default();
        let similar = |pair: &Pair| {
            let both = self.store.read_both(pair.a, pair.b, &mut read);
            let [a, b] = both.map_err(Error::TemporaryFile)?;
            Ok(match self.finds_duplicates {
                true => self.refused.similar(&self.verification, a, b),
                false => self.refused.passed(&self.verification, a, b),
            })
        };
        pairs.iter().map(similar).collect()
    }
}

/// By a measure of the texts of a store.
pub(super) struct ByTexts<'s> {
    texts: &'s TextStore,
    verification: TextVerification,
    open: AtomicU64,
}

impl<'s> ByTexts<'s> {
    pub(super) fn new(texts: &'s TextStore, verification: TextVerification) -> Self {
        Self { texts, verification, open: AtomicU64::new(0) }
    }

    /// How many pairs it left open.
    pub(super) fn open(&self) -> u64 {
        self.open.load(Ordering::Relaxed)
    }

    fn seen(&self, at: u32) -> Result<SeenText, Error> {
        let text = self.texts.get(at as usize).map_err(Error::TemporaryFile)?;
        Ok(self.verification.seen(&text))
    }
}

impl Judge for ByTexts<'_> {
    fn measure(&self) -> &'static str {
        self.verification.measure().name()
    }

    fn similar_among(&self, pairs: &[Pair]) -> Result<Vec<Option<SimilarTexts>>, Error> {
        let mut last: Option<(u32, SeenText)> = None;
        let similar = |pair: &Pair| {
            let first = match last.take() {
                Some((at, seen)) if at == pair.a => seen,
                _ => self.seen(pair.a)?,
            };
            let (_, first) = &*last.insert((pair.a, first));
            Ok(match self.verification.judge(first, &self.seen(pair.b)?) {
                Judgement::Passes(similarity) => Some(SimilarTexts::measured(similarity)),
                Judgement::Fails => None,
                Judgement::Open => {
                    self.open.fetch_add(1, Ordering::Relaxed);
                    None
                }
            })
        };
        pairs.iter().map(similar).collect()
    }
}
