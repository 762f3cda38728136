//! The bytes of a file of tables: where each array begins, and what the head says.
//!
//! ```text
//! 128 bytes  head
//! n bytes    body: arrays, each of which begins at a multiple of 64 bytes from the body's beginning, with zero bytes
//!            before it. Of simhashes: directory, directory, directory, fingerprints, fingerprints, fingerprints,
//!            documents. Of sketches: sketches, then of each of 64 bands directory, values, documents. Then of both:
//!            numbers, id groups, id ends, ids
//! 8·b bytes  XXH3-64 of each block of 16 KiB of the body, the last one shorter
//! 16 bytes   digest: XXH3-128 of the head and these checksums
//! ```
//! All numbers are little-endian.

use std::ops::Range;

use nearprint::search::{SKETCH_POSITIONS, SegmentArray, SegmentArrays};
use twox_hash::XxHash3_128;

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

/// Positions of a sketch that make a band of the tables.
pub(crate) const BAND_ROWS: usize = 2;

/// Bands that tables have of sketches.
pub(crate) const BANDS: usize = SKETCH_POSITIONS / BAND_ROWS;

/// Bits of a sketch, by which a head tells tables of sketches from others.
pub(crate) const SKETCH_WIDTH: u32 = SKETCH_POSITIONS as u32 * u16::BITS;

/// Documents whose ids have one beginning in the array of id groups. The ids of a group take less than 2^32 bytes.
pub(crate) const ID_GROUP: u64 = 1024;

/// An array of the body. Documents are numbered from 0 in the order of their sequence numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Array {
    /// One of those that queries of simhashes go through.
    Table(SegmentArray),
    /// The sketch of each document, its numbers little-endian.
    Sketches,
    /// Where the documents of each bucket of a band begin, and where the last end.
    Directory(usize),
    /// What the directory leaves of the values of a band, ascending in each bucket.
    Values(usize),
    /// The documents of these values, ascending where values are equal.
    Documents(usize),
    /// The sequence number of each document, less the first.
    Numbers,
    /// Where the ids of each group begin in `Ids`.
    IdGroups,
    /// Where the id of each document ends, from the beginning of its group.
    IdEnds,
    /// The ids, one after the other.
    Ids,
}

/// Arrays that segments of all fingerprints end with.
const LAST: [Array; 4] = [Array::Numbers, Array::IdGroups, Array::IdEnds, Array::Ids];

/// What a segment is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Bits of a fingerprint.
    pub(crate) width: u32,
    /// Bits by which the buckets of a table go.
    pub(crate) bits: u32,
    /// Entries.
    pub(crate) entries: u64,
    /// Different simhashes; of sketches 0, which are not counted.
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
            return Err("it is not a file of tables".to_owned());
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
        let most_bits = match layout.width {
            32 | 64 | 128 => layout.width / TABLES as u32,
            SKETCH_WIDTH => 31,
            _ => 0,
        };
        let fits = layout.bits >= 1
            && layout.bits <= most_bits
            && layout.bits < 32
            && layout.entries <= u64::from(u32::MAX)
            && layout.distinct <= layout.entries
            && layout.id_bytes <= layout.entries << 16;
        match fits {
            true => Ok(layout),
            false => Err("its head contradicts itself".to_owned()),
        }
    }

    fn is_of_sketches(&self) -> bool {
        self.width == SKETCH_WIDTH
    }

    /// The arrays in the order of the file.
    pub(crate) fn arrays(&self) -> Vec<Array> {
        let mut arrays = Vec::new();
        if self.is_of_sketches() {
            arrays.push(Array::Sketches);
            for band in 0..BANDS {
                arrays.extend([
                    Array::Directory(band),
                    Array::Values(band),
                    Array::Documents(band),
                ]);
            }
        } else {
            arrays.extend((0..TABLES).map(SegmentArray::Directory).map(Array::Table));
            arrays.extend((0..TABLES).map(SegmentArray::Fingerprints).map(Array::Table));
            arrays.push(Array::Table(SegmentArray::Documents));
        }
        arrays.extend(LAST);
        arrays
    }

    /// The position of an array in the order of the file.
    pub(crate) fn position(&self, array: Array) -> usize {
        let tables = if self.is_of_sketches() { 1 + 3 * BANDS } else { 2 * TABLES + 1 };
        match array {
            Array::Sketches => 0,
            Array::Directory(band) => 1 + 3 * band,
            Array::Values(band) => 2 + 3 * band,
            Array::Documents(band) => 3 + 3 * band,
            Array::Table(SegmentArray::Directory(table)) => table,
            Array::Table(SegmentArray::Fingerprints(table)) => TABLES + table,
            Array::Table(SegmentArray::Documents) => 2 * TABLES,
            Array::Numbers => tables,
            Array::IdGroups => tables + 1,
            Array::IdEnds => tables + 2,
            Array::Ids => tables + 3,
        }
    }

    /// Number of entries of an array, and bytes of each.
    pub(crate) fn shape(&self, array: Array) -> (u64, u64) {
        let print = u64::from(self.width / 8);
        match array {
            Array::Table(SegmentArray::Directory(_)) | Array::Directory(_) => {
                ((1 << self.bits) + 1, 4)
            }
            Array::Table(SegmentArray::Fingerprints(0)) | Array::Sketches => (self.entries, print),
            Array::Table(SegmentArray::Fingerprints(_)) => (self.distinct, print),
            Array::Values(_) => (self.entries, 2),
            Array::Table(SegmentArray::Documents)
            | Array::Documents(_)
            | Array::Numbers
            | Array::IdEnds => (self.entries, 4),
            Array::IdGroups => (self.entries.div_ceil(ID_GROUP), 8),
            Array::Ids => (self.id_bytes, 1),
        }
    }

    /// Where the arrays are in the body, in their order.
    pub(crate) fn places(&self) -> Vec<Range<u64>> {
        let mut end = 0u64;
        let place = |array| {
            let (count, size) = self.shape(array);
            let start = end.next_multiple_of(ALIGN);
            end = start + count * size;
            start..end
        };
        self.arrays().into_iter().map(place).collect()
    }

    /// Bytes of the arrays that queries go through, which come first.
    pub(crate) fn tables(&self) -> u64 {
        self.places()[self.position(Array::Numbers) - 1].end
    }

    /// Bytes of the body.
    pub(crate) fn body(&self) -> u64 {
        self.places()[self.position(Array::Ids)].end
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

/// The digest of a file with this head and these checksums.
pub(crate) fn digest_of(head: &[u8; HEAD], checksums: &[u8]) -> u128 {
    let mut hasher = XxHash3_128::new();
    hasher.write(head);
    hasher.write(checksums);
    hasher.finish_128()
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
        let sketches = Layout { width: SKETCH_WIDTH, distinct: 0, ..layout };
        assert_eq!(Layout::of_head(&sketches.head()), Ok(sketches));
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
        for width in [32, 64, 128, SKETCH_WIDTH] {
            let (entries, distinct, id_bytes) = (2001, 999, 40_017);
            let layout = Layout { width, bits: 5, entries, distinct, first: 0, index: 0, id_bytes };
            let places = layout.places();
            assert!(places.iter().all(|place| place.start % ALIGN == 0));
            assert!(places.is_sorted_by(|a, b| a.end <= b.start));
            for (at, array) in layout.arrays().into_iter().enumerate() {
                assert_eq!(layout.position(array), at);
                let (count, size) = layout.shape(array);
                assert_eq!(places[at].end - places[at].start, count * size);
            }
        }
    }
}
