//! Pairs of near-duplicates among documents, or of documents and references.

#[cfg(feature = "json")]
pub(crate) mod conditions;

use nearprint_fingerprint::Scheme;
use nearprint_records::PairRow;
use nearprint_search::{Bands, Expand};

use super::comparison::{Circumstances, Comparison, comparison_options};
use super::{
    Bound, Distance, NO_TEXTS, QuestionError, ResolvedQuestion, SimilarityMeasure, Subject,
};
use crate::collection::SearchCounts;
use crate::{Collection, CollectionSettings, Error, Search};

comparison_options! {
    /// All pairs of near-duplicates among documents, or of documents and references.
    ///
    /// ```
    /// use nearprint::records::{Document, DocumentId, ErrorRecord};
    /// use nearprint::{Engine, Error, Pairs, Settings, Subject};
    ///
    /// let question = Pairs::default().resolve(Subject::Documents)?;
    /// let engine = Engine::default();
    /// let mut collection = engine.collection(question.collection());
    /// let texts = ["Fog came in at noon and stayed.", "It rained all week.", "fog came in, at noon, and stayed"];
    /// let mut source = texts.iter().zip(1..).map(|(text, number)| {
    ///     let id = DocumentId::new(format!("page-{number}")).expect("short and plain");
    ///     Ok::<_, ErrorRecord>(Document::from_bytes(id, *text))
    /// });
    /// let pipeline = engine.pipeline(Settings::default().scheme(question.scheme()));
    /// collection.read(&pipeline, &mut source, |_| Ok::<_, Error>(()))?;
    ///
    /// let mut pairs = Vec::new();
    /// let search = question.search(&collection);
    /// question.run(&collection, &search, |row| Ok::<_, Error>(pairs.push(row)))?;
    /// assert_eq!((pairs[0].a.as_str(), pairs[0].b.as_str()), ("page-1", "page-3"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct Pairs as "pairs" {
        /// Table of document frequencies of words, a file made by nearprint prints idf, for the measure cosine-tfidf
        idf: Option<String> = None,
        /// Which pairs of documents with equal fingerprints to report: all, star (each with the first) or none; with
        /// star and none, only the first of them is paired with others [default: all]
        equal: Option<Expand> = None,
        /// Also report this many of the longest passages that both documents of a pair contain, and of the longest that
        /// only one of them contains
        passages: Option<u64> = None,
        /// Leave out documents with fewer words than this: they are in no pair
        least_words: u64 = 0,
        /// Stop if a sample predicts more pairs than this, or if more are found; none for no limit
        max_pairs: Bound = Bound(Some(100_000_000)),
    }
}

impl Pairs {
    /// The question with all its defaults.
    ///
    /// # Errors
    /// Where an option has no such value, or two do not go together.
    pub fn resolve(&self, subject: Subject) -> Result<ResolvedQuestion<Self>, QuestionError> {
        self.check()?;
        if self.least_words > 0 && !subject.has_texts() {
            return Err(QuestionError::new("least_words", NO_TEXTS));
        }
        let circumstances = Circumstances {
            of_fingerprints: self.equal.map(|_| "equal"),
            of_texts: self.passages.map(|_| "passages"),
            whole_texts: subject == Subject::Documents,
            idf: self.idf.as_deref(),
            joins: true,
        };
        let (comparison, method) = self.comparison().resolve(subject, circumstances)?;
        let equal = self.equal.or(method.candidates.is_none().then_some(Expand::AllPairs));
        Ok(ResolvedQuestion { question: Self { equal, ..self.with(comparison) }, method })
    }
}

impl ResolvedQuestion<Pairs> {
    /// What a collection keeps of documents for this question.
    #[must_use]
    pub fn settings(&self) -> CollectionSettings {
        let (kept, least_words) = (self.collection(), self.question.least_words);
        let texts = kept.texts || self.question.passages.is_some();
        CollectionSettings { texts, least_words, ..kept }
    }

    /// The search that answers it in a collection, with watches to be set.
    #[must_use]
    pub fn search<'w>(&self, collection: &Collection) -> Search<'w> {
        self.bounded(collection.search(self.method.search()))
    }

    /// A search with this question's choice and bound of pairs.
    #[must_use]
    pub fn bounded<'w>(&self, search: Search<'w>) -> Search<'w> {
        search
            .expand(self.question.equal.unwrap_or_default())
            .at_most_pairs(self.question.max_pairs.0)
    }

    /// Gives a row for each pair, in the order of the documents.
    ///
    /// # Errors
    /// Those of the search, and the first one of `take`, which ends it.
    pub fn run<E: From<Error> + Send>(
        &self,
        collection: &Collection,
        search: &Search<'_>,
        take: impl FnMut(PairRow) -> Result<(), E> + Send,
    ) -> Result<SearchCounts, E> {
        let passages =
            self.question.passages.map(|most| usize::try_from(most).unwrap_or(usize::MAX));
        collection.pairs(search, passages, take)
    }
}
