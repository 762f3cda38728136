//! What a collection has a second time: listed, or cut out of its texts.

#[cfg(feature = "files")]
mod cut;

#[cfg(feature = "files")]
pub use cut::CutCounts;

use nearprint_passages::{
    FoundRepeats, KeptPlace, PassageCounts, PassageProgress, PassageSettings, Repeat, SearchStep,
};
use nearprint_records::{DocumentId, RepeatRow, Source};

use super::{PassageDocuments, bounded, range};
use crate::questions::options::options;
use crate::questions::{QuestionError, json};
use crate::store::id_list::IdList;
use crate::{Engine, Error, Pipeline, Tally};
#[cfg(feature = "files")]
use crate::{JobError, ResumableJob, Role};
#[cfg(feature = "files")]
use nearprint_records::Storage;

options! {
    /// Which repeats of a collection are found: runs of tokens that it has before, in the same document or in an
    /// earlier one.
    ///
    /// ```
    /// use nearprint::records::{Document, DocumentId, ErrorRecord};
    /// use nearprint::{Engine, Error, Repeats, Settings};
    ///
    /// let notice = "All rights are reserved, and nothing may be copied";
    /// let texts = [format!("{notice}. Fog came."), format!("Rain went. {}!", notice.to_uppercase())];
    /// let mut source = texts.iter().zip(1..).map(|(text, number)| {
    ///     let id = DocumentId::new(format!("page-{number}")).expect("short and plain");
    ///     Ok::<_, ErrorRecord>(Document::from_text(id, text.as_str()))
    /// });
    /// let question = Repeats::default().min_tokens(8u64).resolve()?;
    /// let engine = Engine::default();
    /// let mut gathered = question.gather(&engine)?;
    /// gathered.read(&engine.pipeline(Settings::default()), &mut source, |_| Ok::<_, Error>(()))?;
    /// let found = gathered.find(|_| true)?;
    /// let mut rows = Vec::new();
    /// found.each(|row| {
    ///     rows.push(format!("{} {} as {}", row.id, row.tokens, row.first));
    ///     Ok::<_, Error>(())
    /// })?;
    /// assert_eq!(rows, ["page-2 9 as page-1"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct Repeats as "repeats" {
        /// Find runs of at least this many tokens, 8 to 10000: words, and of scripts without spaces pairs of letters
        min_tokens: u64 = 50,
        /// Do not count numbers as tokens: runs with other numbers are repeats
        ignore_numbers: bool = false,
        /// Also find the first place of what is repeated
        all_places: bool = false,
    }
}

/// Documents in which repeats are looked for.
#[derive(Debug)]
pub struct RepeatDocuments {
    kept: KeptPlace,
    numbers: bool,
    documents: PassageDocuments,
}

/// What was found.
#[derive(Debug)]
pub struct CollectionRepeats {
    found: FoundRepeats,
    ids: IdList,
    numbers: bool,
    references: u32,
    engine: Engine,
}

impl Repeats {
    /// The question with all its defaults.
    ///
    /// # Errors
    /// Where an option has no such value.
    pub fn resolve(&self) -> Result<Self, QuestionError> {
        self.check()?;
        let (least, most) = (8, 10_000);
        if !(least..=most).contains(&self.min_tokens) {
            let detail =
                format!("expected a whole number from {least} to {most}, not {}", self.min_tokens);
            return Err(QuestionError::new("min_tokens", detail));
        }
        Ok(self.clone())
    }

    /// The question as JSON: one object with the name of the question, in it the options that are set.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::text(self)
    }

    /// Room for documents within the engine's memory, as of [`Passages::gather`](crate::Passages::gather).
    ///
    /// # Errors
    /// Where an option has no such value.
    pub fn gather(&self, engine: &Engine) -> Result<RepeatDocuments, Error> {
        let settings = PassageSettings {
            least_tokens: bounded(self.min_tokens),
            numbers: !self.ignore_numbers,
            pairs: false,
            ..PassageSettings::default()
        };
        let documents = PassageDocuments::new(engine, settings, json::digest(&self.to_json()))?;
        Ok(RepeatDocuments {
            kept: if self.all_places { KeptPlace::None } else { KeptPlace::First },
            numbers: !self.ignore_numbers,
            documents,
        })
    }
}

impl RepeatDocuments {
    /// Reads references, before anything else: what they have is a repeat in the documents that are read after them.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub fn read_references<E: From<Error>>(
        &mut self,
        pipeline: &Pipeline<'_>,
        source: &mut dyn Source,
        left_out: impl FnMut(nearprint_records::ErrorRecord) -> Result<(), E>,
    ) -> Result<Tally, E> {
        let tally = self.documents.read(pipeline, source, left_out)?;
        self.documents.first_document = self.documents.count();
        Ok(tally)
    }

    /// Reads references and then documents, as [`PassageDocuments::read_all`] does: with a job, their texts are saved.
    ///
    /// # Errors
    /// Where a temporary file or the job fails, and those of `left_out`.
    #[cfg(feature = "files")]
    pub fn read_all<S: Storage, E: From<Error> + From<JobError>>(
        &mut self,
        pipeline: &Pipeline<'_>,
        sources: &mut [(Role, &mut dyn Source)],
        job: Option<&mut ResumableJob<S>>,
        left_out: impl FnMut(nearprint_records::ErrorRecord) -> Result<(), E>,
    ) -> Result<Tally, E> {
        self.documents.read_all(pipeline, sources, job, left_out)
    }

    /// Reads all documents of a source. Those without a text or a token come to `left_out`.
    ///
    /// # Errors
    /// Where a temporary file fails, and those of `left_out`.
    pub fn read<E: From<Error>>(
        &mut self,
        pipeline: &Pipeline<'_>,
        source: &mut dyn Source,
        left_out: impl FnMut(nearprint_records::ErrorRecord) -> Result<(), E>,
    ) -> Result<Tally, E> {
        self.documents.read(pipeline, source, left_out)
    }

    /// As [`PassageDocuments::saved_step`].
    #[must_use]
    pub fn saved_step(&self) -> Option<SearchStep> {
        self.documents.saved_step()
    }

    /// Finds all repeats on the engine's threads. `watch` receives how far the search is, and ends it by returning
    /// false.
    ///
    /// # Errors
    /// Where a temporary file fails, and where `watch` ends it.
    pub fn find(
        self,
        mut watch: impl FnMut(PassageProgress) -> bool + Send,
    ) -> Result<CollectionRepeats, Error> {
        let Self { kept, numbers, documents } = self;
        let PassageDocuments { engine, search, ids, first_document: references, .. } = documents;
        let found = engine.install(move || search.repeats(kept, &mut watch))??;
        Ok(CollectionRepeats { found, ids, numbers, references, engine })
    }
}

impl CollectionRepeats {
    /// What the search did.
    #[must_use]
    pub fn counts(&self) -> PassageCounts {
        self.found.counts()
    }

    /// How many of the documents are references.
    #[must_use]
    pub fn references(&self) -> u32 {
        self.references
    }

    /// Gives all repeats to `take`, in the order of the documents and their places. Returns how many there are, and
    /// their tokens.
    ///
    /// # Errors
    /// Where a temporary file fails, and those of `take`.
    pub fn each<E: From<Error> + Send>(
        &self,
        mut take: impl FnMut(RepeatRow) -> Result<(), E> + Send,
    ) -> Result<(u64, u64), E> {
        let done = self.engine.install(|| {
            let (mut count, mut tokens) = (0, 0);
            self.found.each(|repeat| {
                if repeat.run.document < self.references {
                    return Ok(());
                }
                let row = self.row(repeat);
                count += 1;
                tokens += row.tokens;
                take(row).map_err(super::Stop)
            })?;
            Ok((count, tokens))
        })?;
        done.map_err(|super::Stop(error)| error)
    }

    /// Whether the document of a number has this id.
    fn is_document(&self, number: u32, id: &DocumentId) -> bool {
        (number as usize) < self.ids.len() && self.ids.get(number as usize) == id.as_str()
    }

    fn row(&self, repeat: Repeat) -> RepeatRow {
        let id = |number: u32| super::id(&self.ids, number);
        let Repeat { run, first_document, first_place } = repeat;
        let tokens = u64::from(run.tokens.end - run.tokens.start);
        RepeatRow::new(
            (id(run.document), range(run.place)),
            (id(first_document), range(first_place)),
            tokens,
            run.text,
        )
    }
}
