//! What decides about a candidate: features that are stored, or whole texts.

use std::sync::atomic::{AtomicU64, Ordering};

use nearprint_search::Pair;

use crate::store::feature_store::LastFeatures;
use crate::text::text_measure::SeenText;
use crate::text::text_verification::Judgement;
use crate::{Error, FeatureStore, TextStore, TextVerification, Verification};

/// Decides about candidates, in any thread. Candidates come in order, so that what was read of the first document of
/// one often serves for the next.
pub(super) trait Judge: Sync {
    /// What was read last.
    type Cache: Default + Send;

    /// The measure's name.
    fn measure(&self) -> &'static str;

    /// The similarity of a pair of positions in the store, if the pair passes.
    fn similarity(&self, pair: &Pair, read: &mut Self::Cache) -> Result<Option<f64>, Error>;
}

/// By the features of a store.
pub(super) struct ByFeatures<'s> {
    pub(super) store: &'s FeatureStore,
    pub(super) verification: Verification,
}

impl Judge for ByFeatures<'_> {
    type Cache = LastFeatures;

    fn measure(&self) -> &'static str {
        self.verification.measure().name()
    }

    fn similarity(&self, pair: &Pair, read: &mut LastFeatures) -> Result<Option<f64>, Error> {
        let passes = self.store.verified(&self.verification, pair.a, pair.b, read);
        passes.map_err(Error::TemporaryFile)
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
    type Cache = Option<(u32, SeenText)>;

    fn measure(&self) -> &'static str {
        self.verification.measure().name()
    }

    fn similarity(&self, pair: &Pair, read: &mut Self::Cache) -> Result<Option<f64>, Error> {
        let first = match read.take() {
            Some((at, seen)) if at == pair.a => seen,
            _ => self.seen(pair.a)?,
        };
        let (_, first) = &*read.insert((pair.a, first));
        Ok(match self.verification.judge(first, &self.seen(pair.b)?) {
            Judgement::Passes(similarity) => Some(similarity),
            Judgement::Fails => None,
            Judgement::Open => {
                self.open.fetch_add(1, Ordering::Relaxed);
                None
            }
        })
    }
}
