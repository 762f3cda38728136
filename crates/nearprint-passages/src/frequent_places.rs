//! Where frequent windows are: stretches of places at which they begin, in order, in memory up to a bound.

use std::io;
use std::path::Path;

use crate::byte_log::ByteLog;
use crate::external_sort::SortedRecords;
use crate::places::{document, place, token};

/// Bytes of a stretch in the log.
const BYTES: u64 = 32;

/// Tokens of a document that share a bit of the filter, as a power of two.
const FILTERED: u32 = 9;

/// Places one after the other at which frequent windows begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) first: u64,
    pub(crate) last: u64,
    /// The hashes of the windows at the first place and at the last.
    first_hash: u64,
    last_hash: u64,
}

/// A frequent window beside one that is not frequent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Neighbour {
    pub(crate) hash: u64,
    /// Tokens between the beginnings of both.
    pub(crate) distance: usize,
}

/// The nearest frequent windows before a window and after it that overlap it or are next to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Neighbours {
    pub(crate) left: Option<Neighbour>,
    pub(crate) right: Option<Neighbour>,
}

/// All stretches of a collection.
#[derive(Debug)]
pub(crate) struct FrequentPlaces {
    stretches: ByteLog,
    count: u64,
    /// A bit for some tokens of some documents: not set where there is no stretch.
    filter: Vec<u64>,
}

impl FrequentPlaces {
    /// The stretches of places with their windows' hashes, which are in order.
    pub(crate) fn new(
        places: &SortedRecords<2>,
        memory: usize,
        directory: &Path,
    ) -> io::Result<Self> {
        let words = (memory / 32).next_power_of_two().clamp(16, 1 << 27);
        let mut found = Self {
            stretches: ByteLog::new(memory / 2, directory),
            count: 0,
            filter: vec![0; words],
        };
        let (mut places, mut stretch) = (places.read()?, None::<Stretch>);
        while let Some([place, hash]) = places.next()? {
            match &mut stretch {
                Some(stretch) if stretch.last + 1 == place => {
                    (stretch.last, stretch.last_hash) = (place, hash);
                }
                stretch => {
                    let next =
                        Stretch { first: place, last: place, first_hash: hash, last_hash: hash };
                    if let Some(done) = stretch.replace(next) {
                        found.push(&done)?;
                    }
                }
            }
        }
        if let Some(last) = stretch {
            found.push(&last)?;
        }
        found.stretches.flush()?;
        Ok(found)
    }

    fn push(&mut self, stretch: &Stretch) -> io::Result<()> {
        let mut bytes = [0; BYTES as usize];
        let numbers = [stretch.first, stretch.last, stretch.first_hash, stretch.last_hash];
        for (number, bytes) in numbers.iter().zip(bytes.as_chunks_mut().0) {
            *bytes = number.to_le_bytes();
        }
        self.stretches.append(&[&bytes])?;
        self.count += 1;
        for block in stretch.first >> FILTERED..=stretch.last >> FILTERED {
            let bit = self.bit(block);
            self.filter[bit / 64] |= 1 << (bit % 64);
        }
        Ok(())
    }

    fn bit(&self, block: u64) -> usize {
        let bits = (self.filter.len() as u64 * 64).trailing_zeros();
        (block.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as usize
    }

    /// Whether no window is frequent.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn stretch(&self, index: u64) -> io::Result<Stretch> {
        let mut scratch = Vec::new();
        let bytes = self.stretches.read(index * BYTES..(index + 1) * BYTES, &mut scratch)?;
        let (numbers, _) = bytes.as_chunks();
        let [first, last, first_hash, last_hash] =
            [0, 1, 2, 3].map(|at| u64::from_le_bytes(numbers[at]));
        Ok(Stretch { first, last, first_hash, last_hash })
    }

    /// The index of the first stretch that ends at a place or after it.
    fn index(&self, place: u64) -> io::Result<u64> {
        let (mut from, mut to) = (0, self.count);
        while from < to {
            let middle = from + (to - from) / 2;
            if self.stretch(middle)?.last < place { from = middle + 1 } else { to = middle }
        }
        Ok(from)
    }

    /// Gives the stretches that have places from one to another one of the same document, both included, in order.
    pub(crate) fn each_within(
        &self,
        from: u64,
        to: u64,
        mut each: impl FnMut(Stretch),
    ) -> io::Result<()> {
        if !self.may_have(from, to) {
            return Ok(());
        }
        for index in self.index(from)?..self.count {
            let stretch = self.stretch(index)?;
            if stretch.first > to {
                break;
            }
            each(stretch);
        }
        Ok(())
    }

    /// Whether there may be a stretch with places from one to another one.
    fn may_have(&self, from: u64, to: u64) -> bool {
        !self.is_empty()
            && (from >> FILTERED..=to >> FILTERED).any(|block| {
                let bit = self.bit(block);
                self.filter[bit / 64] >> (bit % 64) & 1 == 1
            })
    }

    /// The neighbours of a window of `least` tokens at a place, which is not frequent.
    pub(crate) fn neighbours(&self, at: u64, least: usize) -> io::Result<Neighbours> {
        let reach = least as u64;
        let from = place(document(at), token(at).saturating_sub(least as u32));
        if !self.may_have(from, at + reach) {
            return Ok(Neighbours::default());
        }
        let index = self.index(at)?;
        let near = |distance: u64, hash| {
            (distance <= reach).then_some(Neighbour { hash, distance: distance as usize })
        };
        let mut found = Neighbours::default();
        if index < self.count {
            let next = self.stretch(index)?;
            found.right = near(next.first.saturating_sub(at), next.first_hash);
        }
        if let Some(before) = index.checked_sub(1) {
            let before = self.stretch(before)?;
            if document(before.last) == document(at) {
                found.left = near(at - before.last, before.last_hash);
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::external_sort::ExternalSort;

    #[test]
    fn stretches_and_neighbours_are_found_wherever_they_are() {
        let directory = std::env::temp_dir();
        for memory in [0, 1 << 20] {
            let mut places = ExternalSort::new(1 << 20, &directory);
            for document in (0..3_000).step_by(3) {
                for token in [100, 101, 102, 5_000] {
                    places.push([place(document, token), u64::from(token)]).unwrap();
                }
            }
            let found = FrequentPlaces::new(&places.finish().unwrap(), memory, &directory).unwrap();
            assert_eq!(found.count, 2_000);
            for number in [0, 300, 2_997] {
                let at = |token| found.neighbours(place(number, token), 50).unwrap();
                let near = |hash, distance| Some(Neighbour { hash, distance });
                assert_eq!(at(90), Neighbours { left: None, right: near(100, 10) });
                assert_eq!(at(152), Neighbours { left: near(102, 50), right: None });
                assert_eq!(at(153), Neighbours::default());
                assert_eq!(at(4_951).right, near(5_000, 49));
                let mut within = Vec::new();
                let from = place(number, 102);
                found.each_within(from, from + 5_000, |stretch| within.push(stretch.last)).unwrap();
                assert_eq!(within, [place(number, 102), place(number, 5_000)]);
                assert_eq!(
                    found.neighbours(place(number + 1, 90), 50).unwrap(),
                    Neighbours::default()
                );
            }
        }
    }
}
