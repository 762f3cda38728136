//! Windows that are at more places than the bound, and what they propose: passages, of which one window follows the
//! other at all places.

use std::io;
use std::path::{Path, PathBuf};

use crate::byte_log::ByteLog;
use crate::error::PassageError;
use crate::external_sort::{ExternalSort, SortedRecords};
use crate::progress::Watch;

/// Places that are compared together; those of a window beyond them are in a log.
const BATCH: usize = 8 * 1024;

/// Windows that are at more places than the bound.
#[derive(Debug)]
pub(crate) struct FrequentWindows {
    /// Their places but for the first one, each after the first place of its window, which no other window has.
    places: SortedRecords<2>,
    /// Bytes in memory of a list of places that is long.
    memory: usize,
    directory: PathBuf,
}

impl FrequentWindows {
    /// Those of all windows, by their hashes and places, that have more than `most_places` places, within `memory`
    /// bytes. They are given to `each` with their hashes.
    pub(crate) fn find<const N: usize>(
        windows: &SortedRecords<N>,
        most_places: usize,
        (memory, directory): (usize, &Path),
        watch: &mut Watch<'_>,
        mut each: impl FnMut(u64, u64) -> io::Result<()>,
    ) -> Result<Self, PassageError> {
        let mut places = ExternalSort::new(memory / 2, directory);
        let (mut windows, mut group) = (windows.read_groups()?, Vec::new());
        while let Some(window) = windows.next()? {
            watch.step()?;
            watch.skip(windows.left_out())?;
            let (hash, first, mut count) = (window[0], window[1], 1);
            group.clear();
            group.push(first);
            while let Some(window) = windows.next_of(hash)? {
                watch.step()?;
                count += 1;
                if count <= most_places {
                    group.push(window[1]);
                    continue;
                }
                for place in group.drain(..).chain([window[1]]) {
                    if place != first {
                        places.push([first, place])?;
                    }
                    each(place, hash)?;
                }
            }
        }
        Ok(Self::of(places.finish()?, memory, directory))
    }

    /// Those of such places, within `memory` bytes.
    pub(crate) fn of(places: SortedRecords<2>, memory: usize, directory: &Path) -> Self {
        Self { places, memory: memory / 64 * 8, directory: directory.to_owned() }
    }

    /// Their places.
    pub(crate) fn places(&mut self) -> &mut SortedRecords<2> {
        &mut self.places
    }

    /// Gives what they propose to `take`, by the first places.
    pub(crate) fn each_proposal<E: From<PassageError>>(
        self,
        least: usize,
        watch: &mut Watch<'_>,
        mut take: impl FnMut(Proposal) -> Result<(), E>,
    ) -> Result<(), E> {
        let temporary = PassageError::TemporaryFile;
        let Self { places, memory, directory } = self;
        let mut records = places.read().map_err(temporary)?;
        let mut last: Option<Proposal> = None;
        let mut list = PlaceList::default();
        let add = |list: &mut PlaceList, place| list.push(place, memory, &directory);
        while let Some([first, place]) = records.next().map_err(temporary)? {
            watch.step()?;
            add(&mut list, first).and_then(|()| add(&mut list, place)).map_err(temporary)?;
            while let Some([_, place]) = records.next_of(first).map_err(temporary)? {
                watch.step()?;
                add(&mut list, place).map_err(temporary)?;
            }
            list.flush().map_err(temporary)?;
            if let Some(last) = &mut last
                && last.is_followed_by(first, &list).map_err(temporary)?
            {
                last.windows += 1;
                last.tokens += 1;
                list.clear();
                continue;
            }
            let places = std::mem::take(&mut list);
            let next = Proposal { first, windows: 1, tokens: least, places };
            if let Some(done) = last.replace(next) {
                take(done)?;
            }
        }
        last.map_or(Ok(()), take)
    }
}

/// A passage before its tokens are compared.
#[derive(Debug)]
pub(crate) struct Proposal {
    pub(crate) first: u64,
    /// How many windows it has, and how many tokens.
    pub(crate) windows: usize,
    pub(crate) tokens: usize,
    /// The places of its first window. Those of the others follow them.
    pub(crate) places: PlaceList,
}

impl Proposal {
    /// Whether each place of a window comes after one of its last window.
    fn is_followed_by(&self, first: u64, places: &PlaceList) -> io::Result<bool> {
        let windows = self.windows as u64;
        if self.first + windows != first || self.places.len() != places.len() {
            return Ok(false);
        }
        let (mut one, mut other) = (Vec::new(), Vec::new());
        for number in 0..places.batches() {
            let before = self.places.batch(number, &mut one)?;
            let after = places.batch(number, &mut other)?;
            if before.iter().zip(after).any(|(before, after)| before + windows != *after) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Places in order.
#[derive(Debug, Default)]
pub(crate) struct PlaceList {
    /// All but the last ones, in whole batches.
    log: Option<ByteLog>,
    rest: Vec<u64>,
}

impl PlaceList {
    fn push(&mut self, place: u64, memory: usize, directory: &Path) -> io::Result<()> {
        if self.rest.len() == BATCH {
            let log = self.log.get_or_insert_with(|| ByteLog::new(memory, directory));
            self.rest.drain(..).try_for_each(|place| log.append_number(place))?;
        }
        self.rest.push(place);
        Ok(())
    }

    /// Makes all places readable.
    fn flush(&mut self) -> io::Result<()> {
        self.log.as_mut().map_or(Ok(()), ByteLog::flush)
    }

    fn clear(&mut self) {
        self.log = None;
        self.rest.clear();
    }

    /// The number of places.
    pub(crate) fn len(&self) -> u64 {
        self.log.as_ref().map_or(0, ByteLog::len) / 8 + self.rest.len() as u64
    }

    /// The number of batches, of which the last one alone may be shorter than [`BATCH`].
    pub(crate) fn batches(&self) -> u64 {
        self.len().div_ceil(BATCH as u64)
    }

    /// The places of a batch; `scratch` is where those of the log are put.
    pub(crate) fn batch<'r>(
        &'r self,
        number: u64,
        scratch: &'r mut Vec<u64>,
    ) -> io::Result<&'r [u64]> {
        let start = number * BATCH as u64;
        match &self.log {
            Some(log) if start < log.len() / 8 => {
                log.numbers(start..start + BATCH as u64, scratch)?;
                Ok(scratch)
            }
            _ => Ok(&self.rest),
        }
    }

    /// The last one.
    pub(crate) fn last(&self) -> Option<u64> {
        self.rest.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_read_as_short_ones() {
        for memory in [0, 1 << 10, 1 << 20] {
            let mut list = PlaceList::default();
            for length in [1, 2, BATCH as u64, BATCH as u64 + 1, 3 * BATCH as u64 + 7] {
                list.clear();
                (0..length)
                    .for_each(|place| list.push(place * 3, memory, &std::env::temp_dir()).unwrap());
                list.flush().unwrap();
                assert_eq!((list.len(), list.last()), (length, Some((length - 1) * 3)));
                let (mut read, mut scratch) = (Vec::new(), Vec::new());
                for number in 0..list.batches() {
                    read.extend_from_slice(list.batch(number, &mut scratch).unwrap());
                }
                assert!(read.into_iter().eq((0..length).map(|place| place * 3)));
            }
        }
    }

    #[test]
    fn windows_that_follow_one_another_are_one_proposal() {
        let directory = std::env::temp_dir();
        // Three windows at 20,000 places; the fourth has one place less.
        let mut sort = ExternalSort::<2>::new(1 << 14, &directory);
        for hash in 1..=4 {
            for place in 0..20_000 - u64::from(hash == 4) {
                sort.push([hash, place * 100 + hash]).unwrap();
            }
        }
        let windows = sort.finish().unwrap();
        for most_places in [1, 1_000, 20_000] {
            let (mut given, mut watch) = (0, |_| true);
            let watch = &mut Watch::new(&mut watch);
            let each = |_, _| {
                given += 1;
                Ok(())
            };
            let memory = (1 << 16, &*directory);
            let frequent = FrequentWindows::find(&windows, most_places, memory, watch, each);
            let frequent = frequent.unwrap();
            let mut found = Vec::new();
            let take = |proposal: Proposal| {
                found.push((proposal.first, proposal.tokens, proposal.places.len()));
                Ok::<_, PassageError>(())
            };
            frequent.each_proposal(50, watch, take).unwrap();
            if most_places == 20_000 {
                assert!(found.is_empty() && given == 0);
            } else {
                assert_eq!(found, [(1, 52, 20_000), (4, 50, 19_999)]);
                assert_eq!(given, 79_999);
            }
        }
    }
}
