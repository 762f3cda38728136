//! The removed documents of a segment, in one state of the store.
//!
//! The store lists them; a copy of that list in memory saves a look-up for every match. States share what is equal in
//! their copies, so that a removal copies 512 bytes and the outer table. A copy is made once so many matches were
//! looked up in the store that it pays: opening an index reads no list.

use std::collections::BTreeMap;
use std::sync::Arc;

use redb::ReadableTable;
use twox_hash::XxHash3_64;

use crate::IndexError;
use crate::store::Store;
use crate::store::description::Description;
use crate::store::rows::AscendingNumbers;

/// Sequence numbers that one piece of the copy is about.
const PIECE: u32 = 64 * 64;

/// What is known about the removed documents of a segment.
#[derive(Debug, Clone, Default)]
pub(crate) struct RemovedNumbers {
    pieces: BTreeMap<u32, Arc<[u64; 64]>>,
    known: u64,
    digest: u64,
}

impl RemovedNumbers {
    /// All removed documents of a segment, as the store lists them.
    pub(crate) fn all(
        store: &Store,
        list: &impl ReadableTable<u64, ()>,
        described: &Description,
    ) -> Result<Self, IndexError> {
        let mut removed = Self::default();
        let mut numbers = AscendingNumbers::within(described.first..described.end);
        for row in store.tried(list.range(described.first..described.end))? {
            let sequence = numbers.next(store, store.tried(row)?.0.value())?;
            removed.note(sequence, (sequence - described.first) as u32);
        }
        match removed.are(described.removed, described.removed_digest) {
            true => Ok(removed),
            false => Err(store.damaged("the list of removed documents is damaged")),
        }
    }

    /// Notes a document by its sequence number; `offset` is that number less the first of the segment.
    pub(crate) fn note(&mut self, sequence: u64, offset: u32) {
        let piece = self.pieces.entry(offset / PIECE).or_insert_with(|| Arc::new([0; 64]));
        let word = &mut Arc::make_mut(piece)[(offset % PIECE / 64) as usize];
        let bit = 1 << (offset % 64);
        if *word & bit == 0 {
            *word |= bit;
            self.known += 1;
            self.digest = self.digest.wrapping_add(digest(sequence));
        }
    }

    /// Whether a document is known to be removed.
    pub(crate) fn contains(&self, offset: u32) -> bool {
        let piece = self.pieces.get(&(offset / PIECE));
        piece.is_some_and(|piece| piece[(offset % PIECE / 64) as usize] >> (offset % 64) & 1 == 1)
    }

    /// Whether these are all of so many, whose digests sum up to `digest`.
    pub(crate) fn are(&self, count: u64, digest: u64) -> bool {
        (self.known, self.digest) == (count, digest)
    }
}

/// What a removed document adds to the digest of those of its segment.
pub(crate) fn digest(sequence: u64) -> u64 {
    XxHash3_64::oneshot(&sequence.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_older_states_stay_as_they_are() {
        let mut removed = RemovedNumbers::default();
        let offsets = [0, 1, 63, 64, 4095, 4096, 1 << 31, u32::MAX];
        let mut states = vec![removed.clone()];
        for offset in offsets {
            removed.note(u64::from(offset) + 9, offset);
            removed.note(u64::from(offset) + 9, offset);
            states.push(removed.clone());
        }
        for (count, state) in states.iter().enumerate() {
            for (at, &offset) in offsets.iter().enumerate() {
                assert_eq!(state.contains(offset), at < count, "{offset} of {count}");
            }
            let sum = offsets[..count]
                .iter()
                .fold(0u64, |sum, &offset| sum.wrapping_add(digest(u64::from(offset) + 9)));
            assert!(state.are(count as u64, sum));
            assert!(!state.are(count as u64, sum ^ 1) && !state.are(count as u64 + 1, sum));
        }
        assert!(!removed.contains(2) && !removed.contains(1 << 30));
    }
}
