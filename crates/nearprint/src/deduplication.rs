//! Deduplication: of many documents, which to keep and which repeat one that is kept.
//!
//! Documents come one by one into [`Gathered`], which holds of each what the decision needs. [`Deduplication::decide`]
//! then proceeds in four steps:
//!
//! 1. texts with the same word 3-shingles and the same numbers are one text;
//! 2. prints propose pairs of texts (candidates);
//! 3. candidates are verified: the exact similarity of their words and numbers decides ([`Verification`]);
//! 4. in the order in which documents are wanted (see [`Keep`]), one that repeats no document kept before it is kept,
//!    and takes all that are similar to it: a star, in which nothing chains. The first of every cluster is kept, so
//!    each has a survivor.
//!
//! A document that cannot be compared (it failed, has no text, or too few words to judge by) is kept, and says so.

mod decisions;
mod digest_log;
mod document_log;
mod forecast;
mod gathered;
mod keep;
mod kept;
mod partners;
mod revisits;
mod stars;
#[cfg(test)]
mod tests;
mod wanted;
mod word_sets;

use nearprint_fingerprint::{Family, Scheme};
use nearprint_search::{Linkage, Measure};

use crate::{Candidates, Engine, Error, Search, Verification, Wanted};

pub use decisions::{DecisionCounts, Decisions};
pub use forecast::DeduplicationForecast;
pub use gathered::{Gathered, Role};
pub use keep::{Keep, UnknownKeep};
pub use kept::{KeptError, KeptLayout, KeptOutput, Written};
pub use revisits::{RevisitCounts, Revisits};

/// By what documents are told to repeat one another, and which of them are kept.
///
/// ```
/// use nearprint::records::{Decision, Document, DocumentId, ErrorRecord};
/// use nearprint::{CancelFlag, Deduplication, Error, Engine, Role, Search, Settings};
///
/// let texts = ["Fog came in at noon and stayed.", "It rained all week.", "fog came in, at noon, and stayed"];
/// let mut source = texts.iter().zip(1..).map(|(text, number)| {
///     let id = DocumentId::new(format!("page-{number}")).expect("short and plain");
///     Ok::<_, ErrorRecord>(Document::from_bytes(id, *text))
/// });
/// let deduplication = Deduplication::default();
/// let engine = Engine::default();
/// let mut gathered = deduplication.gather(&engine)?;
/// let pipeline = engine.pipeline(Settings { scheme: deduplication.scheme, ..Settings::default() });
/// pipeline.read(&mut source, &deduplication.wanted(), |record, made, _| {
///     let features = made.and_then(|made| made.features);
///     gathered.push(&record, features.as_ref(), Role::Candidate, None)
/// })?;
/// let search = gathered.search(deduplication.search());
/// let decisions = deduplication.decide(&mut gathered, search)?;
/// let mut kept = Vec::new();
/// decisions.for_each(&mut gathered, |row| {
///     if row.decision == Decision::Keep { kept.push(row.id.to_string()) }
///     Ok::<_, Error>(())
/// })?;
/// assert_eq!(kept, ["page-1", "page-2"]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Deduplication {
    /// The scheme of the prints that propose candidates. Default `md1`.
    pub scheme: Scheme,
    /// The least similarity at which a document repeats another, 0 to 1: that of word 3-shingles, or where it is less
    /// that of these and numbers ([`Verification`]). Default 0.7.
    pub at: f64,
    /// Which document of several is kept. Default the first.
    pub keep: Keep,
    /// Stars around what is kept (the default), or chains: everything that pairs connect.
    pub linkage: Linkage,
    /// Documents of fewer words are not compared. Default 5.
    pub least_words: u64,
}

impl Default for Deduplication {
    fn default() -> Self {
        Self {
            scheme: Scheme::MD1,
            at: 0.7,
            keep: Keep::First,
            linkage: Linkage::Star,
            least_words: 5,
        }
    }
}

impl Deduplication {
    /// What decides whether two documents are similar.
    #[must_use]
    pub fn verification(&self) -> Verification {
        Verification::new(Measure::Jaccard).at(self.at).by_similarity_alone()
    }

    /// What of each text is compared: to be taken where the text is at hand, and given to [`Gathered::push`].
    #[must_use]
    pub fn wanted(&self) -> Wanted {
        self.verification().into()
    }

    /// How candidates are found: as [`Candidates`] are for this verification; of simhashes within the distance of a
    /// loose match, which finds less.
    #[must_use]
    pub fn candidates(&self) -> Candidates {
        let candidates = Candidates::by(self.scheme, self.verification());
        let is_sketch = self.scheme.family() == Family::Sketch;
        candidates.within((!is_sketch).then(|| self.scheme.loose()))
    }

    /// The search that finds candidates.
    #[must_use]
    pub fn search<'w>(&self) -> Search<'w> {
        self.candidates().search()
    }

    /// Room for the documents within the engine's memory: features beyond a quarter of it go to a temporary file, as do
    /// sketches beyond as much, and as do the notes about each document.
    ///
    /// # Errors
    /// Where no temporary file can be made.
    pub fn gather(&self, engine: &Engine) -> Result<Gathered, Error> {
        Gathered::new(self, engine)
    }

    /// Decides. The search is [`search`](Self::search) with bounds and watches as wanted, within the memory that
    /// [`Gathered::search`] gives it.
    ///
    /// # Errors
    /// As for [`Search::pairs`], and where a temporary file cannot be read.
    pub fn decide(&self, gathered: &mut Gathered, search: Search<'_>) -> Result<Decisions, Error> {
        gathered.count_ids();
        Decisions::new(self, gathered, &search)
    }
}
