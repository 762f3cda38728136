//! The steps of a search between its texts and its rows: sorting, grouping, comparing. With a folder, each is saved
//! when it is done, and those that are saved are not done again.

use crate::anchor_groups::AnchorGroups;
use crate::candidates::{Candidates, SortedCandidates};
use crate::document_store::DocumentStore;
use crate::error::PassageError;
use crate::external_sort::{ExternalSort, SortedRecords};
use crate::frequent_passages::each_frequent;
use crate::frequent_places::FrequentPlaces;
use crate::frequent_windows::FrequentWindows;
use crate::places::DocumentSets;
use crate::progress::Watch;
use crate::repeats::{KeptPlace, RepeatCollector};
use crate::rows::PassageCounts;
use crate::search_folder::{SavedCounts, SearchFolder, SearchStep};
use crate::selection::AnchorSelection;
use crate::settings::PassageSettings;
use crate::shared_runs::RunSearch;
use crate::window_groups::WindowGroups;

/// A search whose texts are all read.
pub(crate) struct SearchSteps {
    pub(crate) settings: PassageSettings,
    /// Bytes of memory.
    pub(crate) memory: usize,
    pub(crate) selection: AnchorSelection,
    pub(crate) sets: DocumentSets,
    pub(crate) store: DocumentStore,
    pub(crate) counts: PassageCounts,
    /// Where steps are saved, and the last one that is.
    pub(crate) folder: Option<SearchFolder>,
    pub(crate) saved: Option<SearchStep>,
}

/// What sorting has found: proposals of pairs, and windows at many places.
pub(crate) struct GroupedPlaces {
    candidates: SortedCandidates,
    frequent: FrequentPlaces,
    windows: FrequentWindows,
}

/// What was compared: the runs that pairs of documents share, and windows at many places, which are compared when they
/// are given out.
pub(crate) struct ComparedRuns {
    pub(crate) runs: SortedRecords<3>,
    pub(crate) windows: FrequentWindows,
}

impl SearchSteps {
    /// Makes all texts readable, and sorts their anchors.
    pub(crate) fn read(
        &mut self,
        anchors: ExternalSort<2>,
    ) -> Result<SortedRecords<2>, PassageError> {
        let memory = self.memory / 4;
        self.store.finish()?;
        let mut anchors = anchors.finish()?;
        if let Some(folder) = &mut self.folder {
            folder.save("anchors", &mut anchors, memory)?;
            for (name, file) in
                ["texts", "starts"].into_iter().zip(self.store.files().into_iter().flatten())
            {
                folder.add(name, file)?;
            }
        }
        self.commit(SearchStep::Read, &["texts", "starts", "anchors"])?;
        Ok(anchors)
    }

    /// Saves a step, where there is a folder.
    fn commit(&mut self, step: SearchStep, names: &[&str]) -> Result<(), PassageError> {
        let PassageCounts { documents, tokens, anchors, candidates, .. } = self.counts;
        let first_reference = self.sets.first_reference;
        let counts = SavedCounts { documents, tokens, anchors, candidates, first_reference };
        let Some(folder) = &mut self.folder else { return Ok(()) };
        Ok(folder.commit(step, counts, names)?)
    }

    /// Whether a step is saved.
    fn has(&self, step: SearchStep) -> Option<&SearchFolder> {
        self.folder.as_ref().filter(|_| self.saved.is_some_and(|saved| saved >= step))
    }

    /// What may be shared: sorts anchors and windows. What few places have is proposed, what many have is frequent.
    fn grouped(
        &mut self,
        anchors: ExternalSort<2>,
        watch: &mut Watch<'_>,
    ) -> Result<GroupedPlaces, PassageError> {
        let memory = self.memory;
        if let Some(folder) = self.has(SearchStep::Grouped) {
            let directory = &self.settings.directory;
            let places = folder.records("frequent-places", memory / 16)?;
            return Ok(GroupedPlaces {
                candidates: SortedCandidates(folder.records("candidates", memory / 4)?),
                frequent: FrequentPlaces::new(&places, memory / 16, directory)?,
                windows: self.windows(folder)?,
            });
        }
        let anchors = match self.has(SearchStep::Read) {
            Some(folder) => folder.records("anchors", memory / 4)?,
            None => self.read(anchors)?,
        };
        let (mut grouped, mut places) = self.group(anchors, watch)?;
        if let Some(folder) = &mut self.folder {
            folder.save("candidates", &mut grouped.candidates.0, memory / 4)?;
            folder.save("frequent-places", &mut places, memory / 16)?;
            folder.save("frequent-windows", grouped.windows.places(), memory / 16)?;
        }
        let names = ["texts", "starts", "candidates", "frequent-places", "frequent-windows"];
        self.commit(SearchStep::Grouped, &names)?;
        Ok(grouped)
    }

    /// The windows at many places that are saved.
    fn windows(&self, folder: &SearchFolder) -> Result<FrequentWindows, PassageError> {
        let places = folder.records("frequent-windows", self.memory / 16)?;
        Ok(FrequentWindows::of(places, self.memory / 8, &self.settings.directory))
    }

    fn group(
        &self,
        anchors: SortedRecords<2>,
        watch: &mut Watch<'_>,
    ) -> Result<(GroupedPlaces, SortedRecords<2>), PassageError> {
        let Self { settings, memory, selection, sets, store, counts, .. } = self;
        let (memory, selection, sets) = (*memory, *selection, *sets);
        let (directory, most_places) = (&*settings.directory, settings.most_places as usize);
        watch.expect(counts.anchors);
        let mut candidates = Candidates::new(memory / 4, directory);
        let mut by_place = ExternalSort::new(memory / 16, directory);
        let groups = AnchorGroups { store, selection, sets, most_places, pairs: settings.pairs };
        let (windows, places, frequent);
        if settings.pairs {
            let mut sort = ExternalSort::<4>::new(memory / 4, directory);
            let count = groups.propose(&anchors, &mut candidates, &mut sort, memory / 32, watch)?;
            drop(anchors);
            watch.expect(2 * count);
            let sorted = &sort.finish()?;
            let each = |place, hash| by_place.push([place, hash]);
            let within = (memory / 8, directory);
            windows = FrequentWindows::find(sorted, most_places, within, watch, each)?;
            places = by_place.finish()?;
            frequent = FrequentPlaces::new(&places, memory / 16, directory)?;
            let groups = WindowGroups { store, windows: sorted, selection, sets, most_places };
            groups.propose(&frequent, &mut candidates, watch)?;
        } else {
            // What is beside a window, and where frequent ones are, matters to pairs alone.
            let mut sort = ExternalSort::<2>::new(memory / 4, directory);
            let count = groups.propose(&anchors, &mut candidates, &mut sort, memory / 32, watch)?;
            drop(anchors);
            watch.expect(count);
            let (sorted, within) = (&sort.finish()?, (memory / 8, directory));
            windows = FrequentWindows::find(sorted, most_places, within, watch, |_, _| Ok(()))?;
            places = by_place.finish()?;
            frequent = FrequentPlaces::new(&places, 0, directory)?;
        }
        Ok((GroupedPlaces { candidates: candidates.finish()?, frequent, windows }, places))
    }

    /// What pairs of documents share, and what many places have.
    pub(crate) fn compared(
        &mut self,
        anchors: ExternalSort<2>,
        watch: &mut Watch<'_>,
    ) -> Result<ComparedRuns, PassageError> {
        let memory = self.memory / 4;
        if let Some(folder) = self.has(SearchStep::Compared) {
            return Ok(ComparedRuns {
                runs: folder.records("runs", memory)?,
                windows: self.windows(folder)?,
            });
        }
        let GroupedPlaces { candidates, frequent, windows } = self.grouped(anchors, watch)?;
        watch.expect(candidates.0.len());
        let search =
            RunSearch { store: &self.store, selection: self.selection, frequent: &frequent };
        let (mut runs, compared) =
            search.runs(&candidates, memory, &self.settings.directory, watch)?;
        drop((candidates, frequent));
        self.counts.candidates = compared;
        if let Some(folder) = &mut self.folder {
            folder.save("runs", &mut runs, memory)?;
        }
        let names = ["texts", "starts", "runs", "frequent-windows"];
        self.commit(SearchStep::Compared, &names)?;
        Ok(ComparedRuns { runs, windows })
    }

    /// What is there a second time.
    pub(crate) fn repeats(
        &mut self,
        kept: KeptPlace,
        anchors: ExternalSort<2>,
        watch: &mut Watch<'_>,
    ) -> Result<SortedRecords<3>, PassageError> {
        let (memory, least) = (self.memory / 4, self.selection.least);
        if let Some(folder) = self.has(SearchStep::Compared) {
            return Ok(folder.records("repeats", memory)?);
        }
        let GroupedPlaces { windows, .. } = self.grouped(anchors, watch)?;
        let sort = ExternalSort::new(memory, &self.settings.directory);
        let mut collector = RepeatCollector::new(kept, least, sort);
        each_frequent::<PassageError>(
            &self.store,
            windows,
            self.sets,
            least,
            watch,
            &mut collector,
        )?;
        let mut repeats = collector.finish()?;
        if let Some(folder) = &mut self.folder {
            folder.save("repeats", &mut repeats, memory)?;
        }
        self.commit(SearchStep::Compared, &["texts", "starts", "repeats"])?;
        Ok(repeats)
    }
}
