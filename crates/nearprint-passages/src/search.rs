//! The search: documents are added, then everything they share is found.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::anchor_groups::AnchorGroups;
use crate::candidates::Candidates;
use crate::document_store::DocumentStore;
use crate::error::PassageError;
use crate::external_sort::ExternalSort;
use crate::frequent_passages::each_frequent;
use crate::frequent_places::FrequentPlaces;
use crate::frequent_windows::FrequentWindows;
use crate::listed_passages::give_frequent;
use crate::places::{DocumentSets, place};
use crate::progress::{PassageProgress, Watch};
use crate::repeats::{FoundRepeats, KeptPlace, RepeatCollector};
use crate::rows::{PassageCounts, PassageLists, PassageSink};
use crate::selection::AnchorSelection;
use crate::settings::PassageSettings;
use crate::shared_runs::{RunSearch, give_runs};
use crate::token_block::EncodedText;
use crate::window_groups::WindowGroups;

/// The least memory of a search, in bytes.
const LEAST_MEMORY: usize = 1 << 20;

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

    /// Reads several texts in parallel, by the threads of the caller's rayon pool, or of the global one.
    #[must_use]
    pub fn texts(self, texts: &[impl AsRef<str> + Sync]) -> Vec<AnchoredText> {
        texts.par_iter().map(|text| self.text(text.as_ref())).collect()
    }
}

/// What sorting has found: proposals of pairs, and windows at many places.
struct WindowProposals {
    store: DocumentStore,
    selection: AnchorSelection,
    sets: DocumentSets,
    candidates: Candidates,
    frequent: FrequentPlaces,
    windows: FrequentWindows,
    counts: PassageCounts,
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
            settings,
        })
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
        self.sets.first_reference = Some(self.store.count());
    }

    /// What reads texts for this search: for whoever has threads of its own.
    #[must_use]
    pub fn anchor_reader(&self) -> AnchorReader {
        AnchorReader { selection: self.selection, numbers: self.settings.numbers }
    }

    /// Adds a text that [`anchor_reader`](Self::anchor_reader) has read.
    ///
    /// # Errors
    /// Those of [`push`](Self::push).
    pub fn add(&mut self, text: &AnchoredText) -> Result<(), PassageError> {
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
        let temporary = PassageError::TemporaryFile;
        let watch = &mut Watch::new(watch);
        let (memory, directory) = (self.memory(), self.settings.directory.clone());
        let most_gap = self.settings.most_gap as usize;
        let WindowProposals { store, selection, sets, candidates, frequent, windows, mut counts } =
            self.group(watch)?;
        watch.expect(candidates.count);
        let candidates = candidates.finish().map_err(temporary)?;
        let search = RunSearch { store: &store, selection, frequent: &frequent };
        let (runs, compared) = search.runs(&candidates, memory / 4, &directory, watch)?;
        drop(candidates);
        drop(frequent);
        counts.candidates = compared;
        counts.shared = give_runs(&store, &runs, most_gap, watch, sink)?;
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
    ///     found.push((repeat.document, repeat.text, repeat.first_document));
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
        let watch = &mut Watch::new(watch);
        let (memory, directory) = (self.memory(), self.settings.directory.clone());
        let WindowProposals { store, selection, sets, windows, counts, .. } = self.group(watch)?;
        let least = selection.least;
        let sort = ExternalSort::new(memory / 4, &directory);
        let mut collector = RepeatCollector::new(kept, least, sort);
        each_frequent::<PassageError>(&store, windows, sets, least, watch, &mut collector)?;
        Ok(FoundRepeats::new(store, collector.finish()?, least, counts))
    }

    fn memory(&self) -> usize {
        self.settings.memory.max(LEAST_MEMORY)
    }

    /// Sorts anchors and windows: what few places have is proposed, what many have is frequent.
    fn group(self, watch: &mut Watch<'_>) -> Result<WindowProposals, PassageError> {
        let memory = self.memory();
        let Self { settings, selection, sets, mut store, anchors, counts } = self;
        let (directory, most_places) = (&settings.directory, settings.most_places as usize);
        watch.expect(counts.anchors);
        store.finish()?;
        let mut candidates = Candidates::new(memory / 4, directory);
        let mut frequent_windows = FrequentWindows::new(memory / 8, directory);
        let mut by_place = ExternalSort::new(memory / 16, directory);
        let groups =
            AnchorGroups { store: &store, selection, sets, most_places, pairs: settings.pairs };
        let anchors = anchors.finish()?;
        let frequent;
        if settings.pairs {
            let mut windows = ExternalSort::<4>::new(memory / 4, directory);
            let count =
                groups.propose(&anchors, &mut candidates, &mut windows, memory / 32, watch)?;
            drop(anchors);
            watch.expect(2 * count);
            let windows = &windows.finish()?;
            let each = |place, hash| by_place.push([place, hash]);
            frequent_windows.add(windows, most_places, watch, each)?;
            frequent = FrequentPlaces::new(&by_place.finish()?, memory / 16, directory)?;
            let groups = WindowGroups { store: &store, windows, selection, sets, most_places };
            groups.propose(&frequent, &mut candidates, watch)?;
        } else {
            // What is beside a window, and where frequent ones are, matters to pairs alone.
            let mut windows = ExternalSort::<2>::new(memory / 4, directory);
            let count =
                groups.propose(&anchors, &mut candidates, &mut windows, memory / 32, watch)?;
            drop(anchors);
            watch.expect(count);
            frequent_windows.add(&windows.finish()?, most_places, watch, |_, _| Ok(()))?;
            frequent = FrequentPlaces::new(&by_place.finish()?, 0, directory)?;
        }
        let windows = frequent_windows;
        Ok(WindowProposals { store, selection, sets, candidates, frequent, windows, counts })
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
