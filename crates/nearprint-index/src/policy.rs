//! When tables are written and merged.
//!
//! New documents are looked through in memory until there are so many of them ([`FRESH`] where not set); then they
//! become a segment. Segments are merged from the newest on so that each is more than [`RATIO`] times as large as all
//! newer ones together: there are O(log n) of them, and a document is written O(log n) times. A segment of which half
//! the documents were removed is written again without them. No merge makes a segment of more than [`LARGEST`]
//! documents, which bounds its memory.

use crate::store::description::Description;

/// Documents that are looked through in memory before they become a segment.
pub(crate) const FRESH: u64 = 1 << 14;

/// How many times as large as all newer ones a segment is.
const RATIO: u64 = 3;

/// The most documents a merge puts into one segment.
pub(crate) const LARGEST: u64 = 1 << 27;

/// The segments to merge into one, as a range of positions; `None` where all are as they should be.
pub(crate) fn merge(segments: &[Description]) -> Option<std::ops::Range<usize>> {
    let living = |segment: &Description| segment.entries - segment.removed;
    let (mut newer, mut start) = (0, segments.len());
    for (at, segment) in segments.iter().enumerate().rev() {
        let all = newer + living(segment);
        let spanned = segments[segments.len() - 1].end - segment.first;
        if all > LARGEST || spanned > u64::from(u32::MAX) {
            break;
        }
        if newer > 0 && living(segment) <= RATIO * newer {
            start = at;
        }
        newer = all;
    }
    if start < segments.len() {
        return Some(start..segments.len());
    }
    let dead = segments.iter().position(|segment| segment.removed * 2 > segment.entries);
    dead.map(|at| at..at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(sizes: &[(u64, u64)]) -> Vec<Description> {
        let mut first = 0;
        let mut describe = |&(entries, removed): &(u64, u64)| {
            let end = first + entries;
            let (length, digest, removed_digest) = (0, 0, 0);
            let found = Description {
                file: 0,
                first,
                end,
                entries,
                removed,
                length,
                digest,
                removed_digest,
            };
            first = end;
            found
        };
        sizes.iter().map(&mut describe).collect()
    }

    #[test]
    fn merges_leave_each_segment_larger_than_all_newer_ones() {
        for (sizes, expected) in [
            (&[][..], None),
            (&[100][..], None),
            (&[100, 100], Some(0..2)),
            (&[1000, 100], None),
            (&[1000, 100, 100], Some(1..3)),
            (&[1000, 400, 100], Some(0..3)),
            (&[2000, 400, 100], None),
            (&[1000, 300, 100], Some(0..3)),
            (&[10_000, 1000, 300, 100], Some(1..4)),
            (&[LARGEST, 100, 100], Some(1..3)),
            (&[LARGEST, LARGEST], None),
        ] {
            let sizes: Vec<_> = sizes.iter().map(|&size| (size, 0)).collect();
            assert_eq!(merge(&described(&sizes)), expected, "{sizes:?}");
        }
    }

    #[test]
    fn segments_of_removed_documents_are_written_again() {
        assert_eq!(merge(&described(&[(1000, 500), (100, 0)])), None);
        assert_eq!(merge(&described(&[(1000, 501), (100, 0)])), Some(0..1));
        assert_eq!(merge(&described(&[(1000, 0), (100, 100)])), Some(1..2));
    }

    #[test]
    fn segments_stay_few() {
        let mut sizes: Vec<(u64, u64)> = Vec::new();
        let mut written = 0;
        for _ in 0..1000 {
            sizes.push((FRESH, 0));
            while let Some(range) = merge(&described(&sizes)) {
                let merged: u64 = sizes.drain(range.clone()).map(|(entries, _)| entries).sum();
                written += merged;
                sizes.insert(range.start, (merged, 0));
            }
            assert!(sizes.len() <= 8, "{sizes:?}");
        }
        assert!(
            written / (1000 * FRESH) <= 12,
            "each document was written {} times",
            written / (1000 * FRESH)
        );
    }
}
