//! Deduplication: of many documents, which to keep and which repeat one that is kept.
//!
//! Documents come one by one into [`DedupDocuments`], which holds of each what the decision needs. Those of the same
//! bytes are one document, with a text or without; so are those whose texts are too short to compare and identical.
//! [`Dedup::decide`] then proceeds in four steps:
//!
//! 1. texts with the same word 3-shingles and the same numbers are one text;
//! 2. prints propose pairs of texts (candidates);
//! 3. candidates are compared by their exact similarity and by what contradicts ([`DuplicateRule`]);
//! 4. in the order in which documents are wanted (see [`Keep`]), one that repeats no document kept before it is kept,
//!    and takes all that are similar to it: a star, in which nothing chains. The first of every cluster is kept, so
//!    each has a survivor.
//!
//! A document that cannot be compared (it failed, has no text, or too few words to judge by) and is not a copy is kept,
//! and says so. Empty documents are not copies of one another, and another path to a file is not a document.

#[cfg(feature = "files")]
mod changes;
#[cfg(feature = "files")]
mod check;
mod decisions;
mod dedup_documents;
mod digest_log;
mod digest_table;
mod document_log;
#[cfg(feature = "files")]
mod forecast;
mod keep;
mod keep_order;
#[cfg(feature = "files")]
mod kept_documents;
mod partners;
#[cfg(feature = "files")]
mod revisits;
#[cfg(not(feature = "files"))]
#[path = "deduplication/revisits_none.rs"]
mod revisits;
mod stars;
mod stored_documents;
#[cfg(test)]
mod tests;
mod word_sets;

use crate::questions::options::options;
use crate::questions::{NO_TEXTS, QuestionError, Subject, json};
use crate::text::duplicate_rule::{DuplicateRule, Policy};
use crate::{Candidates, Engine, Error, Search, TextRequest, Verification};
use nearprint_fingerprint::{Family, Scheme};

#[cfg(feature = "files")]
pub use changes::DecisionChanges;
#[cfg(feature = "files")]
pub use check::DecisionCheck;
#[cfg(feature = "files")]
pub(crate) use decisions::Contradiction;
pub use decisions::{DecisionCounts, Decisions};
pub use dedup_documents::DedupDocuments;
#[cfg(feature = "files")]
pub use forecast::DeduplicationForecast;
pub use keep::{DecidedDocuments, Keep, UnknownKeep};
#[cfg(all(feature = "files", feature = "passages"))]
pub(crate) use kept_documents::DroppedCaptures;
#[cfg(feature = "files")]
pub use kept_documents::{KeptError, KeptLayout, KeptOutput, KeptWriter, WrittenCounts};
#[cfg(feature = "files")]
pub use revisits::{RevisitCounts, Revisits};

options! {
    /// How duplicates are found, and which of them are kept.
    ///
    /// ```
    /// use nearprint::records::{Decision, Document, DocumentId, ErrorRecord};
    /// use nearprint::{CancelFlag, Dedup, Error, Engine, Role, Search, Settings};
    ///
    /// let texts = ["Fog came in at noon and stayed.", "It rained all week.", "fog came in, at noon, and stayed"];
    /// let mut source = texts.iter().zip(1..).map(|(text, number)| {
    ///     let id = DocumentId::new(format!("page-{number}")).expect("short and plain");
    ///     Ok::<_, ErrorRecord>(Document::from_bytes(id, *text))
    /// });
    /// let deduplication = Dedup::default();
    /// let engine = Engine::default();
    /// let mut gathered = deduplication.gather(&engine)?;
    /// let pipeline = engine.pipeline(Settings::default().scheme(deduplication.print_scheme()));
    /// pipeline.read(&mut source, &deduplication.wanted(), |record, made, arrival| {
    ///     let features = made.and_then(|made| made.features);
    ///     gathered.push(&record, features.as_ref(), Role::Candidate, arrival)
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
    pub struct Dedup as "dedup" {
        /// Minimum Jaccard similarity of word 3-shingles and elements for documents with other words to count as
        /// duplicates, 0 to 1
        threshold: f64 = DuplicateRule::THRESHOLD,
        /// Which similar documents are duplicates: exact (identical texts alone), careful (these, and texts of the same
        /// words or of at least the threshold that do not contradict one another) or loose (all of at least the
        /// threshold)
        policy: Policy = Policy::Careful,
        /// Which document of a cluster to keep, the first of equal ones: first (in the order of the inputs), longest,
        /// oldest, field:NAME (the smallest value of that field of JSON lines, CSV, Parquet or Arrow; of captures url,
        /// date, status, mime or digest) or field:NAME:max (the greatest). Numbers are compared by value, other text
        /// byte by byte; missing values come last
        keep: Keep = Keep::First,
        /// Also drop documents that are connected to the kept one only through a chain of similar pairs
        chains: bool = false,
        /// Keep documents with fewer words than this without comparing them; only copies of them are dropped
        least_words: u64 = DuplicateRule::LEAST_WORDS,
        /// Which documents to decide about: all, or text for only those with a text. The others are kept, without a row
        only: DecidedDocuments = DecidedDocuments::All,
        /// Scheme of the fingerprints that propose candidates: an id such as md1, a declaration
        /// custom:FEATURES,WEIGHT,HASH,BITS, or a file that contains one [default: md1]
        scheme: Option<Scheme> = None,
    }
}

impl Dedup {
    /// The question with all its defaults, for documents or for documents and an index.
    ///
    /// # Errors
    /// Where an option has no such value, or there are no texts to compare.
    pub fn resolve(&self, subject: Subject) -> Result<Self, QuestionError> {
        self.check()?;
        if !subject.has_texts() {
            return Err(QuestionError::new("threshold", NO_TEXTS));
        }
        match (self.scheme, subject.scheme()) {
            (Some(named), Some(there)) if named != there => {
                let detail = format!("the fingerprints are of {there}, not of {named}");
                Err(QuestionError::new("scheme", detail))
            }
            (named, there) => {
                Ok(Self { scheme: named.or(there).or(Some(self.print_scheme())), ..self.clone() })
            }
        }
    }

    /// The question as JSON: one object with the name of the question, in it the options that are set.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::text(self)
    }

    /// The name of this question among all: 16 hexadecimal digits of the SHA-256 digest of [`to_json`](Self::to_json).
    #[must_use]
    pub fn digest(&self) -> String {
        json::digest(&self.to_json())
    }

    /// The scheme of the fingerprints that propose candidates.
    #[must_use]
    pub fn print_scheme(&self) -> Scheme {
        self.scheme.unwrap_or(Scheme::MD1)
    }

    /// What decides whether two documents are duplicates.
    #[must_use]
    pub fn rule(&self) -> DuplicateRule {
        DuplicateRule::new(self.policy, self.threshold).least_words(self.least_words)
    }

    /// What decides whether two documents are similar.
    #[must_use]
    pub fn verification(&self) -> Verification {
        self.rule().verification()
    }

    /// What of each text is compared: to be taken where the text is at hand, and given to [`DedupDocuments::push`].
    #[must_use]
    pub fn wanted(&self) -> TextRequest {
        TextRequest { digest: true, ..self.verification().into() }
    }

    /// How candidates are found: as [`Candidates`] are for this verification; of simhashes within the distance of a
    /// loose match, which finds less.
    #[must_use]
    pub fn candidates(&self) -> Candidates {
        let candidates = Candidates::by(self.print_scheme(), self.verification());
        let is_sketch = self.print_scheme().family() == Family::Sketch;
        candidates.within((!is_sketch).then(|| self.print_scheme().loose()))
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
    pub fn gather(&self, engine: &Engine) -> Result<DedupDocuments, Error> {
        DedupDocuments::new(self, engine)
    }

    /// Decides. The search is [`search`](Self::search) with bounds and watches as wanted, within the memory that
    /// [`DedupDocuments::search`] gives it.
    ///
    /// # Errors
    /// As for [`Search::pairs`], and where a temporary file cannot be read.
    pub fn decide(
        &self,
        gathered: &mut DedupDocuments,
        search: Search<'_>,
    ) -> Result<Decisions, Error> {
        gathered.count_ids();
        Decisions::new(self, gathered, &search)
    }
}
