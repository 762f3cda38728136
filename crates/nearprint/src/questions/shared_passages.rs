//! Every passage that documents share: quotations, boilerplate, paragraphs that moved.
//!
//! Documents are read in parallel, and what is compared of them is kept within the engine's memory, beyond it in
//! temporary files (`nearprint-passages`). Here are the question, and rows that name documents by their ids.

pub(crate) mod boilerplate;
pub(crate) mod known_passages;
pub(crate) mod repeats;
#[cfg(feature = "files")]
mod saved_texts;

use nearprint_passages::{
    FrequentPassage, FrequentPlace, PassageCounts, PassageError, PassageProgress, PassageSearch,
    PassageSettings, PassageSink, SearchStep, SharedPassage, TextPlace,
};
use nearprint_records::{
    Containment, DocumentId, ErrorRecord, PassagePlaceRow, PassagesSummaryRow, SharedPassageRow,
    Source, TextRange,
};

use crate::questions::options::options;
use crate::questions::{QuestionError, json};
use crate::store::id_list::IdList;
use crate::{Engine, Error, Pipeline, Tally};

options! {
    /// Which passages are found.
    ///
    /// ```
    /// use nearprint::records::{Document, DocumentId, ErrorRecord};
    /// use nearprint::{Engine, Error, FoundPassage, Passages, Settings};
    ///
    /// let texts = ["He wrote: Fog came in at noon, and stayed.", "It rained. FOG came in at NOON and stayed; then it left."];
    /// let mut source = texts.iter().zip(1..).map(|(text, number)| {
    ///     let id = DocumentId::new(format!("page-{number}")).expect("short and plain");
    ///     Ok::<_, ErrorRecord>(Document::from_text(id, *text))
    /// });
    /// let question = Passages::default().min_tokens(5u64).resolve()?;
    /// let engine = Engine::default();
    /// let mut gathered = question.gather(&engine)?;
    /// gathered.read(&engine.pipeline(Settings::default()), &mut source, |_| Ok::<_, Error>(()))?;
    /// let mut found = Vec::new();
    /// gathered.run(|_| true, |passage| {
    ///     if let FoundPassage::Passage(row) = passage { found.push(row.text) }
    ///     Ok::<_, Error>(())
    /// })?;
    /// assert_eq!(found, ["Fog came in at noon, and stayed"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct Passages as "passages" {
        /// Find passages of at least this many tokens, 1 to 10000: words, and of scripts without spaces pairs of
        /// letters
        min_tokens: u64 = 50,
        /// Count numbers as tokens, so that passages with other numbers are other passages
        numbers: bool = false,
        /// Maximum number of places of a passage, 1 to 100000, for its documents to be reported in pairs; a passage at
        /// more places is one row with its counts
        max_places: u64 = 1000,
        /// Join passages with at most this many tokens between them in both documents, 0 to 10000, such as a changed
        /// word; 0 joins none
        max_gap: u64 = 0,
    }
}

/// A passage, or a place of a frequent one, on its way to whoever asked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FoundPassage {
    /// A passage: all of two documents come together, in the order of the documents; frequent ones come last.
    Passage(SharedPassageRow),
    /// A place of the frequent passage that comes next.
    Place(PassagePlaceRow),
}

impl Passages {
    /// The question with all its defaults.
    ///
    /// # Errors
    /// Where an option has no such value.
    pub fn resolve(&self) -> Result<Self, QuestionError> {
        self.check()?;
        for (name, value, least, most) in [
            ("min_tokens", self.min_tokens, 1, 10_000),
            ("max_places", self.max_places, 1, 100_000),
            ("max_gap", self.max_gap, 0, 10_000),
        ] {
            if !(least..=most).contains(&value) {
                let detail = format!("expected a whole number from {least} to {most}, not {value}");
                return Err(QuestionError::new(name, detail));
            }
        }
        Ok(self.clone())
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

    /// Room for documents within the engine's memory, three quarters of it: what exceeds them goes to temporary files.
    /// Ids are in memory.
    ///
    /// # Errors
    /// Where an option has no such value.
    pub fn gather(&self, engine: &Engine) -> Result<PassageDocuments, Error> {
        PassageDocuments::new(
            engine,
            PassageSettings {
                least_tokens: bounded(self.min_tokens),
                numbers: self.numbers,
                most_places: bounded(self.max_places),
                most_gap: bounded(self.max_gap),
                ..PassageSettings::default()
            },
            self.digest(),
        )
    }

    /// The summary of a search that found so much among documents that were read so.
    #[must_use]
    pub fn summary(&self, tally: &Tally, counts: &PassageCounts) -> PassagesSummaryRow {
        let mut row = PassagesSummaryRow::new(self.digest());
        row.documents = tally.documents;
        row.without_text = tally.without_fingerprint;
        (row.failed, row.bytes) = (tally.failed, tally.bytes);
        (row.tokens, row.shared, row.frequent) = (counts.tokens, counts.shared, counts.frequent);
        row
    }
}

/// Documents among which passages are looked for.
#[derive(Debug)]
pub struct PassageDocuments {
    engine: Engine,
    search: PassageSearch,
    /// The digest of the question.
    question: String,
    /// The last step of the search that a job has saved.
    saved: Option<SearchStep>,
    ids: IdList,
    /// Whether numbers are tokens.
    numbers: bool,
    has_documents: bool,
    has_references: bool,
    /// The number of the first document that is not a reference, where references come before.
    first_document: u32,
}

impl PassageDocuments {
    /// No documents yet; the memory and the directory are the engine's.
    fn new(engine: &Engine, settings: PassageSettings, question: String) -> Result<Self, Error> {
        let numbers = settings.numbers;
        let search = PassageSearch::new(PassageSettings {
            memory: usize::try_from(engine.settings().memory / 4 * 3).unwrap_or(usize::MAX),
            directory: engine.temporary_directory(),
            ..settings
        })?;
        Ok(Self {
            engine: engine.clone(),
            search,
            question,
            saved: None,
            ids: IdList::default(),
            numbers,
            has_documents: false,
            has_references: false,
            first_document: 0,
        })
    }

    /// Reads all documents of a source. Those without a text or a token come to `left_out`.
    ///
    /// # Errors
    /// Where a temporary file fails, and those of `left_out`.
    pub fn read<E: From<Error>>(
        &mut self,
        pipeline: &Pipeline<'_>,
        source: &mut dyn Source,
        mut left_out: impl FnMut(ErrorRecord) -> Result<(), E>,
    ) -> Result<Tally, E> {
        let anchor_reader = self.search.anchor_reader();
        let derive = |text: &str| Some(anchor_reader.text(text)).filter(|text| text.tokens() > 0);
        pipeline.derive_all(source, derive, |found| match found {
            Ok((id, text)) => {
                self.search.add(&text).map_err(Error::from)?;
                self.ids.push(id.as_str());
                Ok(())
            }
            Err(error) => left_out(error),
        })
    }

    /// The last step of the search that a job had saved when its documents were read: what follows it is left to do.
    #[must_use]
    pub fn saved_step(&self) -> Option<SearchStep> {
        self.saved
    }

    /// How many documents were read that have tokens.
    fn count(&self) -> u32 {
        self.ids.len() as u32
    }

    /// Makes the documents that are read from now on references: only passages of a document before and of a reference
    /// are found.
    pub fn begin_references(&mut self) {
        self.search.begin_references();
    }

    /// Finds all passages on the engine's threads and gives them to `take`, in an order that depends on the documents
    /// alone. `watch` receives how far the search is, and ends it by returning false.
    ///
    /// # Errors
    /// Where a temporary file fails, where `watch` ends it, and those of `take`.
    pub fn run<E: From<Error> + Send>(
        self,
        mut watch: impl FnMut(PassageProgress) -> bool + Send,
        take: impl FnMut(FoundPassage) -> Result<(), E> + Send,
    ) -> Result<PassageCounts, E> {
        let Self { engine, search, ids, numbers, .. } = self;
        let mut sink = NamedPassages { ids, numbers, take };
        let done = engine.install(move || search.run_watched(&mut watch, &mut sink))?;
        done.map_err(|Stop(error)| error)
    }
}

/// Passages by the ids of their documents.
struct NamedPassages<F> {
    ids: IdList,
    numbers: bool,
    take: F,
}

/// What ends a search: its own error, or that of whoever takes what is found.
struct Stop<E>(E);

impl<E: From<Error>> From<PassageError> for Stop<E> {
    fn from(error: PassageError) -> Self {
        Self(Error::from(error).into())
    }
}

impl<F> NamedPassages<F> {
    fn id(&self, number: u32) -> DocumentId {
        id(&self.ids, number)
    }
}

impl<E, F: FnMut(FoundPassage) -> Result<(), E>> PassageSink<Stop<E>> for NamedPassages<F> {
    fn shared(&mut self, passage: SharedPassage) -> Result<(), Stop<E>> {
        let a = (self.id(passage.a), range(passage.a_place));
        let b = (self.id(passage.b), range(passage.b_place));
        let mut row = SharedPassageRow::of_two(a, b, passage.tokens.into(), passage.text);
        (row.changed, row.numbers) = (passage.changed.into(), self.numbers);
        row.contained = match [passage.a_tokens, passage.b_tokens].map(|all| all == passage.tokens)
        {
            [true, true] => Some(Containment::Both),
            [true, false] => Some(Containment::A),
            [false, true] => Some(Containment::B),
            [false, false] => None,
        };
        (self.take)(FoundPassage::Passage(row)).map_err(Stop)
    }

    fn place(&mut self, place: FrequentPlace) -> Result<(), Stop<E>> {
        let row = PassagePlaceRow::new(place.passage, self.id(place.document), range(place.place));
        (self.take)(FoundPassage::Place(row)).map_err(Stop)
    }

    fn frequent(&mut self, passage: FrequentPassage) -> Result<(), Stop<E>> {
        let first = (self.id(passage.document), range(passage.place));
        let number = passage.passage;
        let row = SharedPassageRow::frequent(number, first, passage.tokens.into(), passage.text);
        let mut row = row.counted(passage.documents.into(), passage.places, Some(number));
        row.numbers = self.numbers;
        (self.take)(FoundPassage::Passage(row)).map_err(Stop)
    }
}

/// The id of a document by its number.
fn id(ids: &IdList, number: u32) -> DocumentId {
    DocumentId::new(ids.get(number as usize).into_owned()).expect("it was an id")
}

fn bounded(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

pub(crate) fn range(place: TextPlace) -> TextRange {
    TextRange {
        start: place.start_character,
        end: place.end_character,
        start_byte: place.start_byte,
        end_byte: place.end_byte,
    }
}
