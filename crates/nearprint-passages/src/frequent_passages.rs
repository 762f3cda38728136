//! Frequent passages: windows that are at more places than the bound, joined where one follows the other at all of
//! them.
//!
//! Hashes have proposed these; every place is compared on its tokens with the first one. Places that differ from it (by
//! a collision of hashes) are compared among one another in the same way.

use std::io;
use std::ops::Range;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rayon::slice::ParallelSlice;

use crate::byte_log::ByteLog;
use crate::document_store::DocumentStore;
use crate::error::PassageError;
use crate::places::{DocumentSets, document, token};
use crate::progress::Watch;
use crate::rows::{FrequentPassage, FrequentPlace, PassageSink};
use crate::window_groups::FrequentWindows;

/// Takes frequent passages, one after the other.
pub(crate) trait PlaceGroups<E> {
    /// Begins a passage: its first place, and its tokens.
    fn begin(&mut self, first: u64, tokens: usize) -> Result<(), E>;

    /// Takes some of the places of the passage that has begun, the first one included, in order.
    fn take(&mut self, places: &[u64]) -> Result<(), E>;

    /// Ends the passage.
    fn end(&mut self) -> Result<(), E>;
}

/// Places that are read and compared together, and by one thread.
const BATCH: usize = 8 * 1024;
const PIECE: usize = 64;

/// A passage before it is compared.
#[derive(Debug, Clone)]
struct Proposal {
    /// Its first place, and how many places it has.
    first: u64,
    count: u64,
    /// Where the places of each of its windows begin in the list.
    starts: Vec<u64>,
    tokens: usize,
}

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

/// Gives the places of all frequent passages to `groups`, by their first places.
pub(crate) fn each_frequent<E: From<PassageError>>(
    store: &DocumentStore,
    windows: FrequentWindows,
    sets: DocumentSets,
    least: usize,
    watch: &mut Watch<'_>,
    groups: &mut impl PlaceGroups<E>,
) -> Result<(), E> {
    let temporary = PassageError::TemporaryFile;
    let FrequentWindows { records, places } = windows;
    let records = records.finish().map_err(temporary)?;
    let mut records = records.read().map_err(temporary)?;
    let giver = PassageGiver { store, places: &places, sets };
    let mut proposal: Option<Proposal> = None;
    while let Some([first, count, start]) = records.next().map_err(temporary)? {
        watch.steps(count)?;
        if let Some(last) = &mut proposal
            && last.count == count
            && last.first + last.starts.len() as u64 == first
            && let Some(&before) = last.starts.last()
            && follow(&places, before, start, count).map_err(temporary)?
        {
            last.starts.push(start);
            last.tokens += 1;
            continue;
        }
        let next = Proposal { first, count, starts: vec![start], tokens: least };
        if let Some(done) = proposal.replace(next) {
            giver.give(&done, groups)?;
        }
    }
    if let Some(last) = proposal {
        giver.give(&last, groups)?;
    }
    Ok(())
}

/// Whether each place of one list is the next token after that of another.
fn follow(places: &ByteLog, one: u64, other: u64, count: u64) -> io::Result<bool> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < count {
        let end = count.min(at + BATCH as u64);
        places.numbers(one + at..one + end, &mut before)?;
        places.numbers(other + at..other + end, &mut after)?;
        if before.iter().zip(&after).any(|(before, after)| before + 1 != *after) {
            return Ok(false);
        }
        at = end;
    }
    Ok(true)
}

struct PassageGiver<'s> {
    store: &'s DocumentStore,
    places: &'s ByteLog,
    sets: DocumentSets,
}

impl PassageGiver<'_> {
    fn give<E: From<PassageError>>(
        &self,
        proposal: &Proposal,
        groups: &mut impl PlaceGroups<E>,
    ) -> Result<(), E> {
        let temporary = PassageError::TemporaryFile;
        let mut others = self.others(proposal).map_err(temporary)?;
        if !others.is_empty() && proposal.starts.len() > 1 {
            // A collision of hashes: what differs in one window may be equal in others.
            for (&start, at) in proposal.starts.iter().zip(0..) {
                let tokens = proposal.tokens - proposal.starts.len() + 1;
                let first = proposal.first + at;
                let window = Proposal { first, starts: vec![start], tokens, ..*proposal };
                self.give(&window, groups)?;
            }
            return Ok(());
        }
        let mut last = proposal.first;
        self.each_batch(proposal, |places| {
            let equal = places.iter().rev().find(|place| others.binary_search(place).is_err());
            last = equal.map_or(last, |&place| place.max(last));
            Ok::<_, PassageError>(())
        })?;
        if self.sets.may_pair(proposal.first, last) {
            groups.begin(proposal.first, proposal.tokens)?;
            self.each_batch(proposal, |places| {
                if others.is_empty() {
                    return groups.take(places);
                }
                let is_equal = |place: &&u64| others.binary_search(place).is_err();
                groups.take(&places.iter().filter(is_equal).copied().collect::<Vec<_>>())
            })?;
            groups.end()?;
        }
        while let Some(&first) = others.first() {
            let equal = self.are_equal(first, &others, proposal.tokens).map_err(temporary)?;
            let (mut same, mut rest) = (Vec::new(), Vec::new());
            for (place, is_equal) in others.into_iter().zip(equal) {
                if is_equal { same.push(place) } else { rest.push(place) }
            }
            if self.sets.may_pair(first, same.last().copied().unwrap_or(first)) {
                groups.begin(first, proposal.tokens)?;
                groups.take(&same)?;
                groups.end()?;
            }
            others = rest;
        }
        Ok(())
    }

    /// Gives the places of a proposal to `take`, some at a time.
    fn each_batch<E: From<PassageError>>(
        &self,
        proposal: &Proposal,
        mut take: impl FnMut(&[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut at, mut batch) = (0, Vec::new());
        let start = proposal.starts.first().copied().unwrap_or(0);
        while at < proposal.count {
            let end = proposal.count.min(at + BATCH as u64);
            let read = self.places.numbers(start + at..start + end, &mut batch);
            read.map_err(PassageError::TemporaryFile)?;
            take(&batch)?;
            at = end;
        }
        Ok(())
    }

    /// The places at which the tokens are not those of the first place, in order.
    fn others(&self, proposal: &Proposal) -> io::Result<Vec<u64>> {
        let mut others = Vec::new();
        self.each_batch(proposal, |places| {
            let pieces: Vec<io::Result<Vec<bool>>> = places
                .par_chunks(PIECE)
                .map(|places| self.are_equal(proposal.first, places, proposal.tokens))
                .collect();
            for (places, equal) in places.chunks(PIECE).zip(pieces) {
                let unequal = places.iter().zip(equal?).filter(|(_, is_equal)| !is_equal);
                others.extend(unequal.map(|(place, _)| *place));
            }
            Ok::<_, PassageError>(())
        })
        .map_err(io::Error::other)?;
        Ok(others)
    }

    fn are_equal(&self, first: u64, places: &[u64], tokens: usize) -> io::Result<Vec<bool>> {
        let mut reader = self.store.reader();
        reader.open(document(first))?;
        let start = token(first) as usize;
        // The tokens one after the other, and where each ends.
        let (mut wanted, mut ends) = (Vec::new(), Vec::new());
        for at in start..start + tokens {
            wanted.extend_from_slice(reader.token(at)?);
            ends.push(wanted.len());
        }
        let mut equal = Vec::with_capacity(places.len());
        for &place in places {
            reader.open(document(place))?;
            let start = token(place) as usize;
            let mut is_equal = start + tokens <= reader.tokens();
            let mut from = 0;
            for (&to, at) in ends.iter().zip(start..) {
                is_equal = is_equal && reader.token(at)? == &wanted[from..to];
                from = to;
            }
            equal.push(is_equal);
        }
        Ok(equal)
    }
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
