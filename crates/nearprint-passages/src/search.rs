//! The search: documents are added, then everything they share is found.

use std::path::Path;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::document_store::DocumentStore;
use crate::error::PassageError;
use crate::external_sort::ExternalSort;
use crate::listed_passages::give_frequent;
use crate::places::{DocumentSets, place};
use crate::progress::{PassageProgress, Watch};
use crate::repeats::{FoundRepeats, KeptPlace};
use crate::rows::{PassageCounts, PassageLists, PassageSink};
use crate::search_folder::{SavedStep, SearchFolder, SearchStep};
use crate::search_steps::{ComparedRuns, SearchSteps};
use crate::selection::AnchorSelection;
use crate::settings::PassageSettings;
use crate::shared_runs::give_runs;
use crate::token_block::EncodedText;

/// The least memory of a search, in bytes.
const LEAST_MEMORY: usize = 1 << 20;

/// Bytes of a text that have two tokens, most of the time.
const FIRST_PART: usize = 256;

/// Finds every passage that texts share.
///
/// Texts are numbered from 0 in the order in which they are added. What is found does not depend on how they are
/// divided into calls, on the number of threads, or on the memory. The work is done by the threads of the caller's
/// rayon pool, or of the global one.
///
/// ```
/// use nearprint_passages::{PassageError, PassageSearch, PassageSettings};
///
/// let mut search = PassageSearch::new(PassageSettings { least_tokens: 5, ..PassageSettings::default() })?;
/// search.push("He wrote: \u{201c}Fog came in at noon, and stayed.\u{201d} Nobody knew why.")?;
/// search.push("It rained. FOG came in at NOON and stayed; then it left.")?;
/// let found = search.lists()?;
/// assert_eq!(found.shared.len(), 1);
/// assert_eq!(found.shared[0].tokens, 7);
/// assert_eq!(found.shared[0].text, "Fog came in at noon, and stayed");
/// # Ok::<(), PassageError>(())
/// ```
#[derive(Debug)]
pub struct PassageSearch {
    settings: PassageSettings,
    pub(crate) selection: AnchorSelection,
    sets: DocumentSets,
    store: DocumentStore,
    anchors: ExternalSort<2>,
    counts: PassageCounts,
    folder: Option<SearchFolder>,
    saved: Option<SearchStep>,
}

/// A text with its anchors, which is read on any thread.
#[derive(Debug)]
pub struct AnchoredText {
    text: EncodedText,
    /// The hash of each anchor and the number of its first token.
    anchors: Vec<(u64, u32)>,
}

impl AnchoredText {
    /// The number of its tokens.
    #[must_use]
    pub fn tokens(&self) -> usize {
        self.text.hashes.len()
    }
}

/// Reads texts for a search, on any thread.
#[derive(Debug, Clone, Copy)]
pub struct AnchorReader {
    selection: AnchorSelection,
    numbers: bool,
}

impl AnchorReader {
    /// Reads a text. O(n) time.
    #[must_use]
    pub fn text(self, text: &str) -> AnchoredText {
        let text = EncodedText::new(text, self.numbers);
        let (mut hashes, mut anchors) = (Vec::new(), Vec::new());
        self.selection.hash_grams(&text.hashes, &mut hashes);
        // Texts of more tokens than fit are refused when they are added.
        self.selection.each_anchor(&hashes, |anchor| anchors.push((anchor.hash, anchor.at as u32)));
        AnchoredText { text, anchors }
    }

    /// Whether a text has tokens. It is read as far as that takes.
    #[must_use]
    pub fn has_tokens(self, text: &str) -> bool {
        let count = |text: &str| {
            let mut count = 0;
            nearprint_fingerprint::placed_tokens(text, self.numbers, |_| count += 1);
            count
        };
        // What follows changes no more than the last token of a part.
        let part = &text[..text.floor_char_boundary(FIRST_PART)];
        count(part) > 1 || count(text) > 0
    }

    /// Reads several texts in parallel, by the threads of the caller's rayon pool, or of the global one.
    #[must_use]
    pub fn texts(self, texts: &[impl AsRef<str> + Sync]) -> Vec<AnchoredText> {
        texts.par_iter().map(|text| self.text(text.as_ref())).collect()
    }
}

impl PassageSearch {
    /// A search among no texts yet.
    ///
    /// # Errors
    /// [`PassageError::Setting`] where a setting is out of its range.
    pub fn new(settings: PassageSettings) -> Result<Self, PassageError> {
        settings.check()?;
        let memory = settings.memory.max(LEAST_MEMORY);
        let directory = &settings.directory;
        Ok(Self {
            selection: AnchorSelection::new(settings.least_tokens as usize),
            sets: DocumentSets::default(),
            // Of the rest, a quarter is for windows, and another one for candidates where pairs are wanted.
            store: DocumentStore::new(memory / if settings.pairs { 4 } else { 2 }, directory),
            anchors: ExternalSort::new(memory / 4, directory),
            counts: PassageCounts::default(),
            folder: None,
            saved: None,
            settings,
        })
    }

    /// Saves the search in a folder after each of its steps, before any text is added. If a search of the same identity
    /// is saved there, it is taken up: then the step is returned, it has all of its texts, and none is added again. The
    /// folder is made where it is missing, and holds nothing else; whoever named it removes it. `identity` is what
    /// decides the texts and what is found among them, as one line; the memory and the number of threads may be others.
    ///
    /// A crash at any time costs the step that was going on. A saved search that is damaged is removed, and all begins
    /// again.
    ///
    /// # Errors
    /// [`PassageError::TemporaryFile`].
    pub fn save_in(
        &mut self,
        folder: &Path,
        identity: &str,
    ) -> Result<Option<SearchStep>, PassageError> {
        let memory = self.store_memory();
        let (folder, saved) = SearchFolder::open(folder, identity)?;
        let files = ["texts", "starts"];
        self.store = match &saved {
            None => {
                let [texts, starts] = files.map(|name| folder.path(name));
                DocumentStore::saved(memory, [&texts, &starts])?
            }
            Some(SavedStep { counts, .. }) => {
                (self.counts.documents, self.counts.tokens) = (counts.documents, counts.tokens);
                (self.counts.anchors, self.counts.candidates) = (counts.anchors, counts.candidates);
                self.sets.first_reference = counts.first_reference;
                let [texts, starts] = files.map(|name| folder.file(name));
                DocumentStore::open(memory, [texts?, starts?], counts.documents)?
            }
        };
        self.folder = Some(folder);
        self.saved = saved.map(|saved| saved.step);
        Ok(self.saved)
    }

    /// Of the memory, a quarter is for sorting anchors. Of the rest, a quarter is for windows, and another one for
    /// candidates where pairs are wanted.
    fn store_memory(&self) -> usize {
        let memory = self.settings.memory.max(LEAST_MEMORY);
        memory / if self.settings.pairs { 4 } else { 2 }
    }

    /// The number of texts that it has.
    #[must_use]
    pub fn documents(&self) -> u32 {
        self.counts.documents
    }

    /// Adds a text. O(n) time.
    ///
    /// # Errors
    /// [`PassageError::LongDocument`] and [`PassageError::ManyDocuments`] beyond their bounds, and
    /// [`PassageError::TemporaryFile`].
    pub fn push(&mut self, text: &str) -> Result<(), PassageError> {
        self.add(&self.anchor_reader().text(text))
    }

    /// Adds several texts, which are read in parallel and are all in memory.
    ///
    /// # Errors
    /// Those of [`push`](Self::push).
    pub fn push_all(&mut self, texts: &[impl AsRef<str> + Sync]) -> Result<(), PassageError> {
        self.anchor_reader().texts(texts).iter().try_for_each(|text| self.add(text))
    }

    /// Makes what is added from now on the references: only passages of a document that was added before and one that
    /// is added after are found.
    pub fn begin_references(&mut self) {
        if self.saved.is_none() {
            self.sets.first_reference = Some(self.store.count());
        }
    }

    /// What reads texts for this search: for whoever has threads of its own.
    #[must_use]
    pub fn anchor_reader(&self) -> AnchorReader {
        AnchorReader { selection: self.selection, numbers: self.settings.numbers }
    }

    /// Adds a text that [`anchor_reader`](Self::anchor_reader) has read.
    ///
    /// # Errors
    /// Those of [`push`](Self::push), and [`PassageError::SavedTexts`].
    pub fn add(&mut self, text: &AnchoredText) -> Result<(), PassageError> {
        if self.saved.is_some() {
            return Err(PassageError::SavedTexts);
        }
        let number = self.store.push(&text.text)?;
        for &(hash, at) in &text.anchors {
            self.anchors.push([hash, place(number, at)])?;
        }
        self.counts.documents = self.store.count();
        self.counts.tokens += text.text.hashes.len() as u64;
        self.counts.anchors += text.anchors.len() as u64;
        Ok(())
    }

    /// Finds everything and gives it to `sink`. O(n log n) time in the tokens, and linear in the runs that are found.
    ///
    /// # Errors
    /// [`PassageError::TemporaryFile`], and the first one of the sink, which ends the search.
    pub fn run<E: From<PassageError>>(
        self,
        sink: &mut impl PassageSink<E>,
    ) -> Result<PassageCounts, E> {
        self.run_watched(&mut |_| true, sink)
    }

    /// The same, and tells `watch` how far it is. Where that returns false, the search ends.
    ///
    /// # Errors
    /// Those of [`run`](Self::run), and [`PassageError::Cancelled`].
    pub fn run_watched<E: From<PassageError>>(
        self,
        watch: &mut dyn FnMut(PassageProgress) -> bool,
        sink: &mut impl PassageSink<E>,
    ) -> Result<PassageCounts, E> {
        let watch = &mut Watch::new(watch);
        let (mut steps, anchors) = self.steps();
        let ComparedRuns { runs, windows } = steps.compared(anchors, watch)?;
        let SearchSteps { settings, selection, sets, store, mut counts, .. } = steps;
        counts.shared = give_runs(&store, &runs, settings.most_gap as usize, watch, sink)?;
        drop(runs);
        counts.frequent = give_frequent(&store, windows, sets, selection.least, watch, sink)?;
        Ok(counts)
    }

    /// Finds what is there a second time, in the same document or in a later one. A window of T tokens is a repeat if
    /// an equal one is at an earlier place that does not overlap it; repeats that overlap or follow one another are
    /// one. Only `least_tokens`, `numbers` and what concerns memory count of the settings. O(n log n) time in the
    /// tokens. `watch` is as of [`run_watched`](Self::run_watched).
    ///
    /// ```
    /// use nearprint_passages::{KeptPlace, PassageError, PassageSearch, PassageSettings};
    ///
    /// let mut search = PassageSearch::new(PassageSettings { least_tokens: 4, ..PassageSettings::default() })?;
    /// search.push("All rights reserved by us. Fog came.")?;
    /// search.push("Rain went. All rights reserved, by us!")?;
    /// let mut found = Vec::new();
    /// search.repeats(KeptPlace::First, &mut |_| true)?.each(|repeat| {
    ///     found.push((repeat.run.document, repeat.run.text, repeat.first_document));
    ///     Ok::<_, PassageError>(())
    /// })?;
    /// assert_eq!(found, [(1, "All rights reserved, by us".to_owned(), 0)]);
    /// # Ok::<(), PassageError>(())
    /// ```
    ///
    /// # Errors
    /// [`PassageError::TemporaryFile`], and [`PassageError::Cancelled`].
    pub fn repeats(
        mut self,
        kept: KeptPlace,
        watch: &mut dyn FnMut(PassageProgress) -> bool,
    ) -> Result<FoundRepeats, PassageError> {
        (self.settings.most_places, self.settings.pairs) = (1, false);
        self.sets = DocumentSets { within: true, first_reference: None };
        let (mut steps, anchors) = self.steps();
        let found = steps.repeats(kept, anchors, &mut Watch::new(watch))?;
        let SearchSteps { selection, store, counts, .. } = steps;
        Ok(FoundRepeats::new(store, found, selection.least, counts))
    }

    /// The steps of the search, and the anchors for the first one.
    fn steps(self) -> (SearchSteps, ExternalSort<2>) {
        let Self { settings, selection, sets, store, anchors, counts, folder, saved } = self;
        let memory = settings.memory.max(LEAST_MEMORY);
        let steps = SearchSteps { settings, memory, selection, sets, store, counts, folder, saved };
        (steps, anchors)
    }

    /// Finds everything, and keeps it in memory.
    ///
    /// # Errors
    /// [`PassageError::TemporaryFile`].
    pub fn lists(self) -> Result<PassageLists, PassageError> {
        let mut lists = PassageLists::default();
        self.run::<PassageError>(&mut lists)?;
        Ok(lists)
    }
}
