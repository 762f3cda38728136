//! Tables of sketches: 64 bands of 2 numbers each, and the sketches themselves beside them.
//!
//! Two sketches that differ in fewer than 64 positions agree in one of these bands, so that up to there tables miss
//! nothing; beyond it all sketches are compared. Bands of more rows are answered by these too: each has one of them
//! whole, so that what agrees in it is among what agrees in that one, and a look at the sketches leaves out the rest.

use std::collections::BTreeSet;
use std::io::Write;
use std::ops::Range;

use nearprint::fingerprint::Fingerprint;
use nearprint::search::{Bands, SKETCH_POSITIONS, Sketch, sketch_distance};

use crate::IndexError;
use crate::cancellation::check;
use crate::segment::blocks::Blocks;
use crate::segment::body::BodyState;
use crate::segment::layout::{Array, BAND_ROWS, BANDS, BLOCK, Layout, SKETCH_WIDTH};
use crate::segment::rows::SegmentRows;
use crate::segment::{Segment, SegmentMatch};
use crate::store::rows::Rows;
use crate::tables::band_table::{self, BandTable};
use crate::tables::segment_writer;
use crate::tables::table_print::{Reach, SegmentProblem, TablePrint};

/// Documents of one value of a band in a segment that it proposes at most, the oldest: as many as a join of sketches
/// compares with each other ([`BUCKET_COMPARISONS`](nearprint::search::BUCKET_COMPARISONS)).
const MOST_PROPOSED: u64 = 10_000;

/// Looking at a sketch that tables name takes about as long as comparing so many in their order.
const IN_ORDER: u64 = 8;

/// Sketches that are read at a time to compare all: 1 MiB.
const AT_ONCE: usize = 4096;

/// Bytes of memory for the values of those bands of which tables are built together.
const VALUES: usize = 256 << 20;

impl TablePrint for Sketch {
    const WIDTH: u32 = SKETCH_WIDTH;

    type Fresh = Vec<(u32, Sketch)>;
    type Accumulator = ();
    /// Bits of a directory.
    type SegmentTables = u32;

    fn of(fingerprint: &Fingerprint) -> Option<Self> {
        fingerprint.as_sketch().copied()
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        let (numbers, _) = bytes.as_chunks::<2>();
        let mut sketch = [0; SKETCH_POSITIONS];
        for (place, number) in sketch.iter_mut().zip(numbers) {
            *place = u16::from_be_bytes(*number);
        }
        sketch
    }

    fn fresh() -> Self::Fresh {
        Vec::new()
    }

    fn insert(fresh: &mut Self::Fresh, document: u32, print: Self) {
        fresh.push((document, print));
    }

    fn memory(fresh: &Self::Fresh) -> u64 {
        (fresh.capacity() * size_of::<(u32, Sketch)>()) as u64
    }

    fn near_fresh(
        fresh: &Self::Fresh,
        asked: &[Self],
        reach: Reach,
        found: &mut dyn FnMut(SegmentMatch),
    ) {
        for (query, asked) in asked.iter().enumerate() {
            for (document, sketch) in fresh {
                if let Some(distance) = within(asked, sketch, reach) {
                    found(SegmentMatch { query, document: *document, distance });
                }
            }
        }
    }

    fn near(
        segment: &Segment,
        asked: &[Self],
        reach: Reach,
    ) -> Result<Vec<SegmentMatch>, IndexError> {
        segment.read_small()?;
        let mut found = Vec::new();
        let mut rest: Vec<usize> = Vec::new();
        for (query, sketch) in asked.iter().enumerate() {
            match proposed(segment, sketch, reach)? {
                Some(documents) => {
                    compare(segment, (query, sketch), &documents, reach, &mut found)?;
                }
                None => rest.push(query),
            }
        }
        if !rest.is_empty() {
            compare_all(segment, (&rest, asked), reach, &mut found)?;
        }
        Ok(found)
    }

    fn collect((): &mut (), _: Self) {}

    fn build((): (), documents: u64) -> Result<u32, String> {
        Ok(band_table::bits(documents))
    }

    fn shape(&bits: &u32) -> (u32, u64) {
        (bits, 0)
    }

    fn write<O: Write>(
        &bits: &u32,
        layout: &Layout,
        rows: &dyn Rows,
        to: &mut Blocks<'_, O>,
    ) -> Result<(), IndexError> {
        to.begin(Array::Sketches, layout)?;
        rows.visit(&mut |row| to.write(bytemuck::cast_slice(&Self::of_bytes(row.fingerprint))))?;
        let documents = layout.entries as usize;
        let together = (VALUES / (4 * documents.max(1))).clamp(1, BANDS);
        for first in (0..BANDS).step_by(together) {
            let bands = first..BANDS.min(first + together);
            let mut values = vec![Vec::with_capacity(documents); bands.len()];
            rows.visit(&mut |row| {
                let sketch = Self::of_bytes(row.fingerprint);
                for (values, band) in values.iter_mut().zip(bands.clone()) {
                    values.push(band_table::value(&sketch, band));
                }
                Ok(())
            })?;
            for (values, band) in values.iter_mut().zip(bands.clone()) {
                check()?;
                let table = BandTable::build(bits, &std::mem::take(values));
                let BandTable { directory, values, documents } = table;
                to.array(Array::Directory(band), layout, bytemuck::cast_slice(&directory))?;
                to.array(Array::Values(band), layout, bytemuck::cast_slice(&values))?;
                to.array(Array::Documents(band), layout, bytemuck::cast_slice(&documents))?;
            }
        }
        Ok(())
    }

    fn verify(segment: &Segment, rows: &dyn Rows) -> Result<(), SegmentProblem> {
        let differs = |detail: &str| Err(SegmentProblem::Differs(detail.to_owned()));
        segment.body().check_file()?;
        let mut rest = SegmentRows::of(segment).documents();
        let (mut lacks, mut last) = (false, None);
        rows.visit(&mut |row| {
            while let Some(document) = rest.next()? {
                lacks |= last.replace(document.sequence) >= Some(document.sequence);
                if document.sequence >= row.sequence {
                    lacks |= document.sequence != row.sequence
                        || document.id.as_str() != row.id
                        || document.sketch != Self::of_bytes(row.fingerprint);
                    return Ok(());
                }
            }
            lacks = true;
            Ok(())
        })?;
        if lacks {
            return Err(SegmentProblem::lacks());
        }
        // All the rest follows from sketches, numbers and ids: a segment of these is the same to the last byte.
        let Layout { index, first, .. } = *segment.layout();
        let again = (std::io::sink(), segment.body().path());
        let (layout, digest) =
            segment_writer::write_to::<Self, _>(again, (index, first), &SegmentRows::of(segment))?;
        match layout == *segment.layout() && digest == segment.digest() {
            true => Ok(()),
            false => differs("its tables are not those of its sketches"),
        }
    }
}

/// The distance of two sketches that are within reach.
fn within(asked: &Sketch, sketch: &Sketch, Reach { k, bands }: Reach) -> Option<u32> {
    let distance = sketch_distance(asked, sketch);
    (distance <= k && bands.is_none_or(|bands| bands.agree(asked, sketch))).then_some(distance)
}

/// The documents that tables propose for a query, ascending; `None` where all are to be compared.
fn proposed(
    segment: &Segment,
    asked: &Sketch,
    Reach { k, bands }: Reach,
) -> Result<Option<Vec<u32>>, IndexError> {
    if bands.is_none() && k as usize >= BANDS {
        return Ok(None);
    }
    let buckets = buckets(segment, asked)?;
    let size = |band: &usize| buckets[*band].end - buckets[*band].start;
    let chosen: Vec<(usize, Range<u64>)> = match bands {
        Some(bands) => {
            let smallest = |band| whole_bands(bands, band).min_by_key(size);
            let chosen = (0..bands.bands()).filter_map(smallest);
            let oldest = |Range { start, end }: Range<u64>| start..end.min(start + MOST_PROPOSED);
            chosen.map(|band| (band, oldest(buckets[band].clone()))).collect()
        }
        None => {
            // Sketches that differ in k positions agree in one of any k + 1 bands.
            let mut order: Vec<usize> = (0..BANDS).collect();
            order.sort_by_key(size);
            order.truncate(k as usize + 1);
            if order.iter().map(size).sum::<u64>() > segment.layout().entries / IN_ORDER {
                return Ok(None);
            }
            order.into_iter().map(|band| (band, buckets[band].clone())).collect()
        }
    };
    let mut documents: Vec<u32> = Vec::new();
    segment.with(|held, absent| {
        documents.clear();
        for (band, range) in &chosen {
            if let Some(some) = read(segment, held, Array::Documents(*band), range, absent)? {
                documents.extend_from_slice(bytemuck::cast_slice(some));
            }
        }
        Ok(())
    })?;
    segment.check(documents.iter().copied())?;
    documents.sort_unstable();
    documents.dedup();
    Ok(Some(documents))
}

/// Where the documents are that have the values of a sketch, in each band.
fn buckets(segment: &Segment, asked: &Sketch) -> Result<Vec<Range<u64>>, IndexError> {
    let bits = segment.layout().bits;
    let mut buckets = vec![0..0; BANDS];
    segment.with(|held, absent| {
        for (band, found) in buckets.iter_mut().enumerate() {
            let value = band_table::value(asked, band);
            let bucket = band_table::bucket(value, bits) as u64;
            let ends = bucket..bucket + 2;
            let Some(ends) = read(segment, held, Array::Directory(band), &ends, absent)? else {
                continue;
            };
            let ends: &[u32] = bytemuck::cast_slice(ends);
            let bucket = u64::from(ends[0])..u64::from(ends[1]);
            let Some(values) = read(segment, held, Array::Values(band), &bucket, absent)? else {
                continue;
            };
            let (values, rest): (&[u16], _) =
                (bytemuck::cast_slice(values), band_table::rest(value, bits));
            let before = values.partition_point(|&value| value < rest) as u64;
            let equal = values.partition_point(|&value| value <= rest) as u64;
            *found = bucket.start + before..bucket.start + equal;
        }
        Ok(())
    })?;
    Ok(buckets)
}

/// The bands of the tables that are whole in one of other bands.
fn whole_bands(bands: Bands, band: u32) -> Range<usize> {
    let positions = bands.positions(band);
    positions.start.div_ceil(BAND_ROWS)..positions.end / BAND_ROWS
}

/// The bytes of some entries; `None` where they are absent.
fn read<'b>(
    segment: &Segment,
    held: &'b BodyState,
    array: Array,
    entries: &Range<u64>,
    absent: &mut BTreeSet<u32>,
) -> Result<Option<&'b [u8]>, IndexError> {
    let Some(bytes) = segment.entries(array, entries.clone()) else {
        return Err(segment.damaged("its directory points beyond its documents"));
    };
    Ok(held.has_all(bytes.clone(), absent).then(|| held.range(bytes)))
}

/// Compares a query, the one at a position, with some documents.
fn compare(
    segment: &Segment,
    (query, asked): (usize, &Sketch),
    documents: &[u32],
    reach: Reach,
    found: &mut Vec<SegmentMatch>,
) -> Result<(), IndexError> {
    let before = found.len();
    let (start, size) = (segment.place(Array::Sketches).start, size_of::<Sketch>() as u64);
    segment.with(|held, absent| {
        found.truncate(before);
        for &document in documents {
            let at = start + u64::from(document) * size;
            if held.has_all(at..at + size, absent) {
                let sketch = bytemuck::from_bytes(held.range(at..at + size));
                let distance = within(asked, sketch, reach);
                found.extend(distance.map(|distance| SegmentMatch { query, document, distance }));
            }
        }
        Ok(())
    })
}

/// Compares some queries with all documents.
fn compare_all(
    segment: &Segment,
    (queries, asked): (&[usize], &[Sketch]),
    reach: Reach,
    found: &mut Vec<SegmentMatch>,
) -> Result<(), IndexError> {
    let entries = segment.layout().entries as usize;
    let mut compare = |first: usize, sketches: &[Sketch]| {
        for &query in queries {
            for (document, sketch) in (first as u32..).zip(sketches) {
                if let Some(distance) = within(&asked[query], sketch, reach) {
                    found.push(SegmentMatch { query, document, distance });
                }
            }
        }
    };
    let mut sketches = vec![[0; SKETCH_POSITIONS]; AT_ONCE.min(entries)];
    for first in (0..entries).step_by(AT_ONCE) {
        check()?;
        let some = first..entries.min(first + AT_ONCE);
        let held = segment.body().held();
        if held.has_tables() {
            let bytes = segment.entries(Array::Sketches, some.start as u64..some.end as u64);
            compare(first, bytemuck::cast_slice(held.range(bytes.expect("some of all entries"))));
            continue;
        }
        drop(held);
        // Sketches are the first array: so many begin with a block.
        let block = first * size_of::<Sketch>() / BLOCK;
        let sketches = &mut sketches[..some.len()];
        segment.body().copy(block as u32, bytemuck::cast_slice_mut(sketches))?;
        compare(first, sketches);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::description::Description;
    use crate::store::rows::{Row, Visit};

    /// Documents with sketches whose first positions are equal.
    struct Alike(Vec<usize>);

    impl Alike {
        fn sketch(&self, document: usize) -> Sketch {
            let number = |at: usize| (document * 131 + at * 7) as u16 | 1;
            std::array::from_fn(|at| if at < self.0[document] { 0 } else { number(at) })
        }
    }

    impl Rows for Alike {
        fn visit(&self, visit: &mut Visit<'_>) -> Result<(), IndexError> {
            for document in 0..self.0.len() {
                let bytes = self.sketch(document).map(u16::to_be_bytes);
                let id = document.to_string();
                visit(Row {
                    sequence: document as u64,
                    fingerprint: bytes.as_flattened(),
                    id: &id,
                })?;
            }
            Ok(())
        }
    }

    fn near(rows: &Alike, reach: Reach) -> Vec<u32> {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path();
        std::fs::create_dir(Description::directory(path)).expect("a directory");
        let range = (0, rows.0.len() as u64);
        let described = segment_writer::write::<Sketch>((path, 7), 0, range, rows).expect("room");
        let segment = Segment::open(path, 7, SKETCH_WIDTH, &described).expect("it was written");
        let documents = || {
            let found = Sketch::near(&segment, &[[0; SKETCH_POSITIONS]], reach);
            let mut found: Vec<_> =
                found.expect("a whole segment").into_iter().map(|found| found.document).collect();
            found.sort_unstable();
            found
        };
        let found = documents();
        // Only what was needed was read.
        segment.read_all().expect("a whole segment");
        assert_eq!(documents(), found);
        found
    }

    #[test]
    fn of_a_value_that_very_many_have_the_oldest_are_proposed() {
        // Most agree in the first band, a few of the last ones in the second, too.
        let most = MOST_PROPOSED as usize;
        let mut agreeing = vec![2; most + 300];
        agreeing[most + 100..].fill(4);
        let rows = Alike(agreeing);
        let bands = |bands: &str| Some(bands.parse().expect("bands"));
        let found = near(&rows, Reach { k: 127, bands: bands("64x2") });
        let expected: Vec<u32> =
            (0..most as u32).chain(most as u32 + 100..most as u32 + 300).collect();
        assert_eq!(found, expected);
        // The band of four rows is looked up by the smaller of two buckets.
        let found = near(&rows, Reach { k: 127, bands: bands("32x4") });
        assert_eq!(found, expected[most..]);
        // Nothing is left out where answers are exact.
        assert_eq!(near(&rows, Reach { k: 126, bands: None }).len(), most + 300);
    }

    #[test]
    fn queries_within_fewer_positions_than_bands_miss_nothing() {
        let rows = Alike((0..9000).map(|document| document * 37 % 129).collect());
        for k in [0, 1, 30, 62, 63, 64, 100] {
            let expected: Vec<u32> = (0..9000u32)
                .filter(|&document| {
                    let sketch = rows.sketch(document as usize);
                    sketch_distance(&sketch, &[0; SKETCH_POSITIONS]) <= k
                })
                .collect();
            assert_eq!(near(&rows, Reach { k, bands: None }), expected, "within {k}");
        }
    }
}
