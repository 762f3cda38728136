//! Repeats: what of a collection is there a second time, by documents and places, so that it can be cut.
//!
//! A window of T tokens is a repeat if an equal one is at an earlier place of the collection that does not overlap it.
//! All tokens of repeats, joined where they overlap or follow one another, are the runs that are given. A token that is
//! cut with them stays once: the equal token of the earlier window either stays, or is part of a repeat of a still
//! earlier one.

use std::io;
use std::ops::Range;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::document_store::{DocumentReader, DocumentStore};
use crate::error::PassageError;
use crate::external_sort::{ExternalSort, SortedRecords};
use crate::frequent_passages::PlaceGroups;
use crate::places::{document, token};
use crate::rows::{PassageCounts, TextPlace};

/// Runs whose texts are read together, and the tokens of all of them, about.
const BATCH: usize = 8 * 1024;
const BATCH_TOKENS: usize = 1 << 20;

/// Which place of repeated windows is not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum KeptPlace {
    /// The first one, and what overlaps it.
    #[default]
    First,
    /// None: all places of a window that is at two places that do not overlap.
    None,
}

/// A run of tokens that is a repeat, longer nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatedRun {
    /// The number of the document.
    pub document: u32,
    /// How many tokens that has.
    pub document_tokens: u32,
    /// Those of the run, by number.
    pub tokens: Range<u32>,
    /// Where they are in its text.
    pub place: TextPlace,
    /// The text of the run.
    pub text: String,
}

/// A repeat, and of what it is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// The run.
    pub run: RepeatedRun,
    /// The number of the document with the first place of the window that the run begins with; of the first place
    /// itself this document.
    pub first_document: u32,
    /// Where that window is there.
    pub first_place: TextPlace,
}

/// Collects the places of repeats.
pub(crate) struct RepeatCollector {
    kept: KeptPlace,
    least: usize,
    /// Of each: its place, the end of its tokens, the first place.
    found: ExternalSort<3>,
    first: u64,
    tokens: usize,
    /// The first place and those that overlap it, where they are given as soon as there is another.
    held: Vec<u64>,
}

impl RepeatCollector {
    pub(crate) fn new(kept: KeptPlace, least: usize, found: ExternalSort<3>) -> Self {
        Self { kept, least, found, first: 0, tokens: 0, held: Vec::new() }
    }

    pub(crate) fn finish(self) -> io::Result<SortedRecords<3>> {
        self.found.finish()
    }

    fn push(&mut self, at: u64) -> io::Result<()> {
        // Numbers of tokens have 31 bits.
        let end = u64::from(token(at)) + self.tokens as u64;
        self.found.push([at, end, self.first])
    }
}

impl<E: From<PassageError>> PlaceGroups<E> for RepeatCollector {
    fn begin(&mut self, first: u64, tokens: usize) -> Result<(), E> {
        (self.first, self.tokens) = (first, tokens);
        self.held.clear();
        Ok(())
    }

    fn take(&mut self, places: &[u64]) -> Result<(), E> {
        let overlaps_first = |at: u64| {
            document(at) == document(self.first)
                && (token(at) as usize) < token(self.first) as usize + self.least
        };
        let (near, others) = places.split_at(places.partition_point(|&at| overlaps_first(at)));
        if self.kept == KeptPlace::None {
            self.held.extend_from_slice(near);
        }
        if others.is_empty() {
            return Ok(());
        }
        let held = std::mem::take(&mut self.held);
        let mut given = held.iter().chain(others);
        given.try_for_each(|&at| self.push(at)).map_err(PassageError::TemporaryFile)?;
        Ok(())
    }

    fn end(&mut self) -> Result<(), E> {
        Ok(())
    }
}

/// The repeats of a collection, beyond the memory in temporary files. They are read as often as it is wanted.
#[derive(Debug)]
pub struct FoundRepeats {
    store: DocumentStore,
    found: SortedRecords<3>,
    least: usize,
    counts: PassageCounts,
}

impl FoundRepeats {
    pub(crate) fn new(
        store: DocumentStore,
        found: SortedRecords<3>,
        least: usize,
        counts: PassageCounts,
    ) -> Self {
        Self { store, found, least, counts }
    }

    /// What the search did. Passages are not counted.
    #[must_use]
    pub fn counts(&self) -> PassageCounts {
        self.counts
    }

    /// Gives all repeats to `take`, by documents and places. Their texts are read by the threads of the caller's rayon
    /// pool, or of the global one.
    ///
    /// # Errors
    /// [`PassageError::TemporaryFile`], and the first one of `take`.
    pub fn each<E: From<PassageError>>(
        &self,
        mut take: impl FnMut(Repeat) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut runs = self.runs().map_err(PassageError::TemporaryFile)?;
        let (mut batch, mut tokens) = (Vec::new(), 0);
        loop {
            let next = runs.next().transpose().map_err(PassageError::TemporaryFile)?;
            let is_end = next.is_none();
            tokens += next.as_ref().map_or(0, |run| run.tokens.len());
            batch.extend(next);
            if !is_end && batch.len() < BATCH && tokens < BATCH_TOKENS {
                continue;
            }
            let repeats: Vec<io::Result<Repeat>> = batch
                .par_iter()
                .map_init(|| self.store.reader(), |reader, run| run.repeat(reader, self.least))
                .collect();
            for repeat in repeats {
                take(repeat.map_err(PassageError::TemporaryFile)?)?;
            }
            if is_end {
                return Ok(());
            }
            batch.clear();
            tokens = 0;
        }
    }

    /// The runs of all repeats, by documents and places, one by one.
    ///
    /// # Errors
    /// Where a temporary file fails.
    pub fn iter(&self) -> io::Result<impl Iterator<Item = io::Result<RepeatedRun>>> {
        let (runs, mut reader) = (self.runs()?, self.store.reader());
        Ok(runs.map(move |run| run?.repeated(&mut reader)))
    }

    fn runs(&self) -> io::Result<impl Iterator<Item = io::Result<Run>>> {
        let mut records = self.found.read()?;
        let mut last = None::<Run>;
        Ok(std::iter::from_fn(move || {
            loop {
                let next = match records.next() {
                    Ok(next) => next.map(Run::of),
                    Err(error) => return Some(Err(error)),
                };
                match (&mut last, next) {
                    (Some(last), Some(next)) if last.continues(&next) => {
                        last.tokens.end = last.tokens.end.max(next.tokens.end);
                    }
                    (None, Some(next)) => last = Some(next),
                    (last, next) => return std::mem::replace(last, next).map(Ok),
                }
            }
        }))
    }
}

/// A run before its places in the text are looked up.
struct Run {
    document: u32,
    tokens: Range<usize>,
    first: u64,
}

impl Run {
    fn of([at, end, first]: [u64; 3]) -> Self {
        Self { document: document(at), tokens: token(at) as usize..end as usize, first }
    }

    /// Whether another one overlaps this one or begins where it ends.
    fn continues(&self, next: &Self) -> bool {
        self.document == next.document && next.tokens.start <= self.tokens.end
    }

    fn repeat(&self, reader: &mut DocumentReader<'_>, least: usize) -> io::Result<Repeat> {
        let start = token(self.first) as usize;
        reader.open(document(self.first))?;
        let first_place = reader.place(&(start..start + least))?;
        let run = self.repeated(reader)?;
        Ok(Repeat { run, first_document: document(self.first), first_place })
    }

    fn repeated(&self, reader: &mut DocumentReader<'_>) -> io::Result<RepeatedRun> {
        reader.open(self.document)?;
        Ok(RepeatedRun {
            document: self.document,
            // Numbers of tokens have 31 bits.
            document_tokens: reader.tokens() as u32,
            tokens: self.tokens.start as u32..self.tokens.end as u32,
            place: reader.place(&self.tokens)?,
            text: reader.text(&self.tokens)?,
        })
    }
}
