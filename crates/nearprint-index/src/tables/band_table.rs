//! A table of one band: the documents in the order of the two numbers that their sketches have there.
//!
//! The value of a band is both numbers as one of 32 bits. Documents are in buckets by the highest bits of it, and
//! beside each are the next 16 bits, ascending: with 2^16 buckets or more a value is known wholly, with fewer a sketch
//! of another value may be proposed, and is refused when it is read.

use nearprint::search::Sketch;

use crate::segment::layout::BAND_ROWS;

/// Documents of a bucket on average: their values fill a quarter of a cache line.
const IN_BUCKET: u64 = 8;

/// The table of one band, in memory to be written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BandTable {
    pub(crate) directory: Vec<u32>,
    pub(crate) values: Vec<u16>,
    pub(crate) documents: Vec<u32>,
}

impl BandTable {
    /// The table of documents 0 and following with these values, in 2^`bits` buckets.
    pub(crate) fn build(bits: u32, values: &[u32]) -> Self {
        let entry = |(&value, document): (&u32, u32)| u64::from(value) << 32 | u64::from(document);
        let mut entries: Vec<u64> = values.iter().zip(0..).map(entry).collect();
        entries.sort_unstable();
        let mut directory = vec![0; (1 << bits) + 1];
        for entry in &entries {
            directory[bucket((entry >> 32) as u32, bits) + 1] += 1;
        }
        for at in 1..directory.len() {
            directory[at] += directory[at - 1];
        }
        Self {
            directory,
            values: entries.iter().map(|entry| rest((entry >> 32) as u32, bits)).collect(),
            documents: entries.iter().map(|&entry| entry as u32).collect(),
        }
    }
}

/// The value that a sketch has in a band.
pub(crate) fn value(sketch: &Sketch, band: usize) -> u32 {
    let [first, second] = [0, 1].map(|row| u32::from(sketch[band * BAND_ROWS + row]));
    first << 16 | second
}

/// The bits by which buckets of so many documents go.
pub(crate) fn bits(documents: u64) -> u32 {
    (documents / IN_BUCKET).max(2).ilog2().min(26)
}

/// The bucket of a value.
pub(crate) fn bucket(value: u32, bits: u32) -> usize {
    (value >> (u32::BITS - bits)) as usize
}

/// What is beside a document of this value.
pub(crate) fn rest(value: u32, bits: u32) -> u16 {
    (value << bits >> 16) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_where_their_values_say() {
        let values: Vec<u32> =
            (0..3000u32).map(|n| (n.wrapping_mul(0x9e37_79b9) % 800) << 21).collect();
        for bits in [1, 8, 20] {
            let table = BandTable::build(bits, &values);
            for (&value, document) in values.iter().zip(0..) {
                let bucket = bucket(value, bits);
                let range = table.directory[bucket] as usize..table.directory[bucket + 1] as usize;
                let beside = &table.values[range.clone()];
                assert!(beside.is_sorted());
                let equal = beside.partition_point(|&other| other < rest(value, bits))
                    ..beside.partition_point(|&other| other <= rest(value, bits));
                let documents = &table.documents[range][equal];
                assert!(documents.contains(&document), "{document} with {bits} bits");
                if bits >= 16 {
                    assert!(documents.is_sorted());
                    assert!(documents.iter().all(|&other| values[other as usize] == value));
                }
            }
        }
    }
}
