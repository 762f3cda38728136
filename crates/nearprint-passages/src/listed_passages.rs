//! Frequent passages as rows: their places, joined where they overlap, and their texts.

use std::io;
use std::ops::Range;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::document_store::DocumentStore;
use crate::error::PassageError;
use crate::frequent_passages::{PlaceGroups, each_frequent};
use crate::frequent_windows::FrequentWindows;
use crate::places::{DocumentSets, document, token};
use crate::progress::Watch;
use crate::rows::{FrequentPassage, FrequentPlace, PassageSink};

/// Gives all frequent passages to `sink`, by their first places, and returns their number.
pub(crate) fn give_frequent<E: From<PassageError>>(
    store: &DocumentStore,
    windows: FrequentWindows,
    sets: DocumentSets,
    least: usize,
    watch: &mut Watch<'_>,
    sink: &mut impl PassageSink<E>,
) -> Result<u64, E> {
    let mut listed = ListedPassages { store, sink, given: 0, passage: None };
    each_frequent(store, windows, sets, least, watch, &mut listed)?;
    Ok(listed.given)
}

/// Frequent passages on their way to a sink, with their texts and the places of their characters.
struct ListedPassages<'s, S> {
    store: &'s DocumentStore,
    sink: &'s mut S,
    given: u64,
    /// The one that has begun.
    passage: Option<PassageCount>,
}

impl<E: From<PassageError>, S: PassageSink<E>> PlaceGroups<E> for ListedPassages<'_, S> {
    fn begin(&mut self, first: u64, tokens: usize) -> Result<(), E> {
        self.passage = Some(PassageCount::new(self.given, first, tokens));
        Ok(())
    }

    fn take(&mut self, places: &[u64]) -> Result<(), E> {
        let Some(passage) = &mut self.passage else { return Ok(()) };
        let ranges: Vec<_> = places.iter().filter_map(|&place| passage.push(place)).collect();
        self.give_ranges(&ranges)
    }

    fn end(&mut self) -> Result<(), E> {
        let last = self.passage.as_mut().and_then(|passage| passage.range.take());
        self.give_ranges(last.as_slice())?;
        let Some(passage) = self.passage.take() else { return Ok(()) };
        let start = token(passage.first) as usize;
        let mut reader = self.store.reader();
        let run = start..start + passage.tokens;
        let text = reader
            .open(document(passage.first))
            .and_then(|()| Ok((reader.place(&run)?, reader.text(&run)?)));
        let (place, text) = text.map_err(PassageError::TemporaryFile)?;
        self.sink.frequent(FrequentPassage {
            passage: passage.number,
            tokens: passage.tokens as u32,
            documents: passage.documents,
            places: passage.places,
            document: document(passage.first),
            place,
            text,
        })?;
        self.given += 1;
        Ok(())
    }
}

impl<S> ListedPassages<'_, S> {
    fn give_ranges<E: From<PassageError>>(
        &mut self,
        ranges: &[(u32, Range<usize>)],
    ) -> Result<(), E>
    where
        S: PassageSink<E>,
    {
        let (passage, store) = (self.given, self.store);
        let rows: Vec<io::Result<FrequentPlace>> = ranges
            .par_iter()
            .map_init(
                || store.reader(),
                |reader, (document, range)| {
                    reader.open(*document)?;
                    let place = reader.place(range)?;
                    Ok(FrequentPlace { passage, document: *document, place })
                },
            )
            .collect();
        for row in rows {
            self.sink.place(row.map_err(PassageError::TemporaryFile)?)?;
        }
        Ok(())
    }
}

/// Counts the places of a passage, and joins those that overlap.
struct PassageCount {
    number: u64,
    first: u64,
    tokens: usize,
    documents: u32,
    places: u64,
    /// The range of tokens that the next place may overlap.
    range: Option<(u32, Range<usize>)>,
}

impl PassageCount {
    fn new(number: u64, first: u64, tokens: usize) -> Self {
        Self { number, first, tokens, documents: 0, places: 0, range: None }
    }

    /// Adds a place, and returns the range before it if that is complete.
    fn push(&mut self, place: u64) -> Option<(u32, Range<usize>)> {
        self.places += 1;
        let (number, start) = (document(place), token(place) as usize);
        let end = start + self.tokens;
        match &mut self.range {
            Some((last, range)) if *last == number && start < range.end => {
                range.end = end;
                None
            }
            range => {
                let is_same = range.as_ref().is_some_and(|(last, _)| *last == number);
                self.documents += u32::from(!is_same);
                range.replace((number, start..end))
            }
        }
    }
}
