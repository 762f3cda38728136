//! Frequent passages: windows that are at more places than the bound, joined where one follows the other at all of
//! them.
//!
//! Hashes have proposed these; every place is compared on its tokens with the first one. Places that differ from it (by
//! a collision of hashes) are compared among one another in the same way.

use std::io;

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use rayon::slice::ParallelSlice;

use crate::document_store::{DocumentReader, DocumentStore};
use crate::error::PassageError;
use crate::frequent_windows::{FrequentWindows, PlaceList, Proposal};
use crate::places::{DocumentSets, document, token};
use crate::progress::Watch;

/// Takes frequent passages, one after the other.
pub(crate) trait PlaceGroups<E> {
    /// Begins a passage: its first place, and its tokens.
    fn begin(&mut self, first: u64, tokens: usize) -> Result<(), E>;

    /// Takes some of the places of the passage that has begun, the first one included, in order.
    fn take(&mut self, places: &[u64]) -> Result<(), E>;

    /// Ends the passage.
    fn end(&mut self) -> Result<(), E>;
}

/// Places, in all windows, of the proposals that are compared together.
const COMPARED: u64 = 64 * 1024;

/// Places that one thread compares.
const PIECE: usize = 64;

/// Gives the places of all frequent passages to `groups`, by their first places.
pub(crate) fn each_frequent<E: From<PassageError>>(
    store: &DocumentStore,
    windows: FrequentWindows,
    sets: DocumentSets,
    least: usize,
    watch: &mut Watch<'_>,
    groups: &mut impl PlaceGroups<E>,
) -> Result<(), E> {
    let giver = PassageGiver { store, sets };
    let (mut batch, mut places) = (Vec::new(), 0);
    windows.each_proposal(least, watch, |proposal| {
        places += proposal.places.len() * proposal.windows as u64;
        batch.push(proposal);
        if places < COMPARED {
            return Ok(());
        }
        places = 0;
        giver.give_all(&mut batch, groups)
    })?;
    giver.give_all(&mut batch, groups)
}

struct PassageGiver<'s> {
    store: &'s DocumentStore,
    sets: DocumentSets,
}

/// Some windows of a proposal, by the number of the first one.
#[derive(Clone, Copy)]
struct ProposedPart<'p> {
    places: &'p PlaceList,
    first: u64,
    at: u64,
    tokens: usize,
}

impl ProposedPart<'_> {
    /// Gives its places to `take`, some at a time.
    fn each_batch<E: From<PassageError>>(
        self,
        mut take: impl FnMut(&[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut scratch, mut moved) = (Vec::new(), Vec::new());
        for number in 0..self.places.batches() {
            let read = self.places.batch(number, &mut scratch);
            let places = read.map_err(PassageError::TemporaryFile)?;
            if self.at == 0 {
                take(places)?;
                continue;
            }
            moved.clear();
            moved.extend(places.iter().map(|place| place + self.at));
            take(&moved)?;
        }
        Ok(())
    }
}

impl PassageGiver<'_> {
    /// Compares proposals in parallel and gives them one after the other.
    fn give_all<E: From<PassageError>>(
        &self,
        batch: &mut Vec<Proposal>,
        groups: &mut impl PlaceGroups<E>,
    ) -> Result<(), E> {
        let whole = |proposal: &Proposal| {
            let Proposal { first, tokens, .. } = *proposal;
            self.others(ProposedPart { places: &proposal.places, first, at: 0, tokens })
        };
        let others: Vec<io::Result<Vec<u64>>> =
            batch.par_iter().with_min_len(16).map(whole).collect();
        for (proposal, others) in batch.iter().zip(others) {
            self.give(proposal, others.map_err(PassageError::TemporaryFile)?, groups)?;
        }
        batch.clear();
        Ok(())
    }

    /// Gives a proposal, of which these places have other tokens.
    fn give<E: From<PassageError>>(
        &self,
        proposal: &Proposal,
        others: Vec<u64>,
        groups: &mut impl PlaceGroups<E>,
    ) -> Result<(), E> {
        let Proposal { first, windows, tokens, ref places } = *proposal;
        if others.is_empty() || windows == 1 {
            return self.give_part(ProposedPart { places, first, at: 0, tokens }, others, groups);
        }
        // A collision of hashes: what differs in one window may be equal in others.
        for at in 0..windows as u64 {
            let tokens = tokens - windows + 1;
            let window = ProposedPart { places, first: first + at, at, tokens };
            let others = self.others(window).map_err(PassageError::TemporaryFile)?;
            self.give_part(window, others, groups)?;
        }
        Ok(())
    }

    fn give_part<E: From<PassageError>>(
        &self,
        part: ProposedPart<'_>,
        mut others: Vec<u64>,
        groups: &mut impl PlaceGroups<E>,
    ) -> Result<(), E> {
        let mut last = part.places.last().map_or(part.first, |last| last + part.at);
        if !others.is_empty() {
            last = part.first;
            part.each_batch(|places| {
                let equal = places.iter().rev().find(|place| others.binary_search(place).is_err());
                last = equal.map_or(last, |&place| place.max(last));
                Ok::<_, PassageError>(())
            })?;
        }
        if self.sets.may_pair(part.first, last) {
            groups.begin(part.first, part.tokens)?;
            part.each_batch(|places| {
                if others.is_empty() {
                    return groups.take(places);
                }
                let is_equal = |place: &&u64| others.binary_search(place).is_err();
                groups.take(&places.iter().filter(is_equal).copied().collect::<Vec<_>>())
            })?;
            groups.end()?;
        }
        while let Some(&first) = others.first() {
            let mut comparison = PlaceComparison::new(self.store);
            let equal = comparison.begin(first, part.tokens).and_then(|()| {
                others
                    .iter()
                    .map(|&place| comparison.is_equal(place))
                    .collect::<Result<Vec<_>, _>>()
            });
            let equal = equal.map_err(PassageError::TemporaryFile)?;
            let (mut same, mut rest) = (Vec::new(), Vec::new());
            for (place, is_equal) in others.into_iter().zip(equal) {
                if is_equal { same.push(place) } else { rest.push(place) }
            }
            if self.sets.may_pair(first, same.last().copied().unwrap_or(first)) {
                groups.begin(first, part.tokens)?;
                groups.take(&same)?;
                groups.end()?;
            }
            others = rest;
        }
        Ok(())
    }

    /// The places at which the tokens are not those of the first place, in order.
    fn others(&self, part: ProposedPart<'_>) -> io::Result<Vec<u64>> {
        let mut others = Vec::new();
        part.each_batch(|places| {
            let pieces: Vec<io::Result<Vec<u64>>> = places
                .par_chunks(PIECE)
                .map(|places| {
                    let mut comparison = PlaceComparison::new(self.store);
                    comparison.begin(part.first, part.tokens)?;
                    let mut others = Vec::new();
                    for &place in places {
                        if place != part.first && !comparison.is_equal(place)? {
                            others.push(place);
                        }
                    }
                    Ok(others)
                })
                .collect();
            pieces.into_iter().try_for_each(|piece| {
                others.extend(piece?);
                Ok::<_, io::Error>(())
            })?;
            Ok::<_, PassageError>(())
        })
        .map_err(io::Error::other)?;
        Ok(others)
    }
}

/// Compares the tokens at places with those at a first one.
struct PlaceComparison<'s> {
    reader: DocumentReader<'s>,
    /// The tokens at the first place one after the other, and where each ends.
    wanted: Vec<u8>,
    ends: Vec<usize>,
}

impl<'s> PlaceComparison<'s> {
    fn new(store: &'s DocumentStore) -> Self {
        Self { reader: store.reader(), wanted: Vec::new(), ends: Vec::new() }
    }

    fn begin(&mut self, first: u64, tokens: usize) -> io::Result<()> {
        self.reader.open(document(first))?;
        self.wanted.clear();
        self.ends.clear();
        let start = token(first) as usize;
        for at in start..start + tokens {
            self.wanted.extend_from_slice(self.reader.token(at)?);
            self.ends.push(self.wanted.len());
        }
        Ok(())
    }

    fn is_equal(&mut self, place: u64) -> io::Result<bool> {
        self.reader.open(document(place))?;
        let start = token(place) as usize;
        if start + self.ends.len() > self.reader.tokens() {
            return Ok(false);
        }
        let mut from = 0;
        for (&to, at) in self.ends.iter().zip(start..) {
            if self.reader.token(at)? != &self.wanted[from..to] {
                return Ok(false);
            }
            from = to;
        }
        Ok(true)
    }
}
