//! The bytes of a file of tables: where each array begins, and what the head says.
//!
//! ```text
//! 128 bytes  head
//! n bytes    body: directory, directory, directory, fingerprints, fingerprints, fingerprints, documents, numbers,
//!            id groups, id ends, ids; each array begins at a multiple of 64 bytes from the body's beginning, with
//!            zero bytes before it
//! 8·b bytes  XXH3-64 of each block of 16 KiB of the body, the last one shorter
//! 16 bytes   digest: XXH3-128 of the head and these checksums
//! ```
//! All numbers are little-endian.

use std::ops::Range;

use nearprint::search::{SegmentArray, SegmentArrays};

/// What every file of tables begins with; the digit is the version.
const MAGIC: [u8; 8] = *b"NPTABLE1";

/// Bytes of the head.
pub(crate) const HEAD: usize = 128;

/// Bytes of a block, the unit of reading and of checksums.
pub(crate) const BLOCK: usize = 16 << 10;

/// Bytes of the digest at the end.
pub(crate) const DIGEST: usize = 16;

/// Arrays begin at multiples of this, so that words of every width are aligned.
const ALIGN: u64 = 64;

const TABLES: usize = SegmentArrays::<u64>::TABLES;

/// Number of arrays of the body.
pub(crate) const ARRAYS: usize = 2 * TABLES + 5;

/// Documents whose ids have one beginning in the array of id groups. The ids of a group take less than 2^32 bytes.
pub(crate) const ID_GROUP: u64 = 1024;

/// An array of the body. Documents are numbered from 0 in the order of their sequence numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Array {
    /// One of those that queries go through.
    Table(SegmentArray),
    /// The sequence number of each document, less the first.
    Numbers,
    /// Where the ids of each group begin in `Ids`.
    IdGroups,
    /// Where the id of each document ends, from the beginning of its group.
    IdEnds,
    /// The ids, one after the other.
    Ids,
}

/// What a segment is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Bits of a fingerprint.
    pub(crate) width: u32,
    /// Bits of each table's part.
    pub(crate) bits: u32,
    /// Entries.
    pub(crate) entries: u64,
    /// Different fingerprints.
    pub(crate) distinct: u64,
    /// The sequence number that document 0 stands for.
    pub(crate) first: u64,
    /// The index it belongs to.
    pub(crate) index: u128,
    /// Bytes of all ids.
    pub(crate) id_bytes: u64,
}

impl Layout {
    pub(crate) fn head(&self) -> [u8; HEAD] {
        let mut head = [0; HEAD];
        head[..8].copy_from_slice(&MAGIC);
        head[8..12].copy_from_slice(&self.width.to_le_bytes());
        head[12..16].copy_from_slice(&self.bits.to_le_bytes());
        head[16..24].copy_from_slice(&self.entries.to_le_bytes());
        head[24..32].copy_from_slice(&self.distinct.to_le_bytes());
        head[32..40].copy_from_slice(&self.first.to_le_bytes());
        head[40..56].copy_from_slice(&self.index.to_le_bytes());
        head[56..64].copy_from_slice(&self.id_bytes.to_le_bytes());
        head
    }

    /// What a head says; an error says why it is none.
    pub(crate) fn of_head(head: &[u8; HEAD]) -> Result<Self, String> {
        let four =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let eight = |at: usize| u64::from(four(at)) | u64::from(four(at + 4)) << 32;
        if head[..7] != MAGIC[..7] {
            return Err("it is no file of tables".to_owned());
        }
        if head[7] != MAGIC[7] {
            let version = [head[7]].escape_ascii().to_string();
            return Err(format!(
                "its tables are of version {version}, this program knows version 1"
            ));
        }
        let layout = Self {
            width: four(8),
            bits: four(12),
            entries: eight(16),
            distinct: eight(24),
            first: eight(32),
            index: u128::from(eight(40)) | u128::from(eight(48)) << 64,
            id_bytes: eight(56),
        };
        let fits = [32, 64, 128].contains(&layout.width)
            && layout.bits >= 1
            && layout.bits <= layout.width / TABLES as u32
            && layout.bits < 32
            && layout.entries <= u64::from(u32::MAX)
            && layout.distinct <= layout.entries
            && layout.id_bytes <= layout.entries << 16;
        match fits {
            true => Ok(layout),
            false => Err("its head contradicts itself".to_owned()),
        }
    }

    /// The arrays in the order of the file.
    pub(crate) fn arrays() -> [Array; ARRAYS] {
        use SegmentArray::{Directory, Documents, Fingerprints};
        [
            Array::Table(Directory(0)),
            Array::Table(Directory(1)),
            Array::Table(Directory(2)),
            Array::Table(Fingerprints(0)),
            Array::Table(Fingerprints(1)),
            Array::Table(Fingerprints(2)),
            Array::Table(Documents),
            Array::Numbers,
            Array::IdGroups,
            Array::IdEnds,
            Array::Ids,
        ]
    }

    /// Number of entries of an array, and bytes of each.
    pub(crate) fn shape(&self, array: Array) -> (u64, u64) {
        let word = u64::from(self.width / 8);
        match array {
            Array::Table(SegmentArray::Directory(_)) => ((1 << self.bits) + 1, 4),
            Array::Table(SegmentArray::Fingerprints(0)) => (self.entries, word),
            Array::Table(SegmentArray::Fingerprints(_)) => (self.distinct, word),
            Array::Table(SegmentArray::Documents) | Array::Numbers | Array::IdEnds => {
                (self.entries, 4)
            }
            Array::IdGroups => (self.entries.div_ceil(ID_GROUP), 8),
            Array::Ids => (self.id_bytes, 1),
        }
    }

    /// Where the arrays are in the body, in their order.
    pub(crate) fn places(&self) -> [Range<u64>; ARRAYS] {
        let mut end = 0u64;
        Self::arrays().map(|array| {
            let (count, size) = self.shape(array);
            let start = end.next_multiple_of(ALIGN);
            end = start + count * size;
            start..end
        })
    }

    /// Bytes of the arrays that queries go through, which come first.
    pub(crate) fn tables(&self) -> u64 {
        self.places()[2 * TABLES].end
    }

    /// Bytes of the body.
    pub(crate) fn body(&self) -> u64 {
        self.places()[ARRAYS - 1].end
    }

    /// Number of blocks of the body.
    pub(crate) fn blocks(&self) -> u64 {
        self.body().div_ceil(BLOCK as u64)
    }

    /// Bytes of the file.
    pub(crate) fn length(&self) -> u64 {
        HEAD as u64 + self.body() + 8 * self.blocks() + DIGEST as u64
    }
}

/// The position of an array in the order of the file.
pub(crate) fn position(array: Array) -> usize {
    match array {
        Array::Table(SegmentArray::Directory(table)) => table,
        Array::Table(SegmentArray::Fingerprints(table)) => TABLES + table,
        Array::Table(SegmentArray::Documents) => 2 * TABLES,
        Array::Numbers => 2 * TABLES + 1,
        Array::IdGroups => 2 * TABLES + 2,
        Array::IdEnds => 2 * TABLES + 3,
        Array::Ids => 2 * TABLES + 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_as_they_were_written() {
        let layout = Layout {
            width: 64,
            bits: 21,
            entries: 10_000_000,
            distinct: 9_000_000,
            first: 1 << 40,
            index: 7 << 100,
            id_bytes: 560_000_000,
        };
        let head = layout.head();
        assert_eq!(Layout::of_head(&head), Ok(layout));
        for (at, byte) in
            [(0, b'X'), (7, b'2'), (8, 63), (12, 22), (12, 0), (22, 1), (30, 1), (62, 1)]
        {
            let mut hurt = head;
            hurt[at] = byte;
            assert!(Layout::of_head(&hurt).is_err(), "byte {at}");
        }
    }

    #[test]
    fn arrays_do_not_overlap_and_are_aligned() {
        for width in [32, 64, 128] {
            let (entries, distinct, id_bytes) = (2001, 999, 40_017);
            let layout = Layout { width, bits: 5, entries, distinct, first: 0, index: 0, id_bytes };
            let places = layout.places();
            assert!(places.iter().all(|place| place.start % ALIGN == 0));
            assert!(places.is_sorted_by(|a, b| a.end <= b.start));
            for (at, array) in Layout::arrays().into_iter().enumerate() {
                assert_eq!(position(array), at);
                let (count, size) = layout.shape(array);
                assert_eq!(places[at].end - places[at].start, count * size);
            }
        }
    }
}
