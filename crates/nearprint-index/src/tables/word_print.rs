//! Tables of simhashes: three times over, each time in buckets by other bits (multi-index hashing).

use std::collections::BTreeSet;
use std::io::Write;
use std::ops::{ControlFlow, Range};

use nearprint::fingerprint::Fingerprint;
use nearprint::search::{
    FingerprintWord, MAX_QUERY_DISTANCE, Match, Presence, QueryIndex, QuerySegment, SearchedWord,
    SegmentArray, SegmentArrays,
};

use crate::IndexError;
use crate::segment::blocks::Blocks;
use crate::segment::body::BodyState;
use crate::segment::layout::{Array, Layout};
use crate::segment::{Segment, SegmentMatch};
use crate::store::rows::Rows;
use crate::tables::table_print::{Reach, SegmentProblem, TablePrint};

/// A simhash as a word.
pub(crate) trait Word: SearchedWord + bytemuck::Pod {
    /// The word of a fingerprint, which is no wider.
    fn of_number(number: u128) -> Self;
}

impl Word for u32 {
    fn of_number(number: u128) -> Self {
        number as Self
    }
}

impl Word for u64 {
    fn of_number(number: u128) -> Self {
        number as Self
    }
}

impl Word for u128 {
    fn of_number(number: u128) -> Self {
        number
    }
}

impl<W: Word> TablePrint for W {
    const WIDTH: u32 = <W as FingerprintWord>::WIDTH;

    type Fresh = QueryIndex<W>;
    type Accumulator = Vec<W>;
    type SegmentTables = QuerySegment<W>;

    fn of(fingerprint: &Fingerprint) -> Option<Self> {
        fingerprint.as_u128().map(W::of_number)
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        W::of_number(bytes.iter().fold(0, |value, &byte| value << 8 | u128::from(byte)))
    }

    fn fresh() -> QueryIndex<W> {
        QueryIndex::build(&[]).expect("none are not too many")
    }

    fn insert(fresh: &mut QueryIndex<W>, document: u32, print: Self) {
        fresh.insert(document, print);
    }

    fn memory(fresh: &QueryIndex<W>) -> u64 {
        fresh.memory()
    }

    fn near_fresh(
        fresh: &QueryIndex<W>,
        asked: &[W],
        Reach { k, .. }: Reach,
        found: &mut dyn FnMut(SegmentMatch),
    ) {
        if k <= MAX_QUERY_DISTANCE {
            let answered = fresh.query_batch(asked, k, &mut |query, near| {
                found(SegmentMatch { query, document: near.document, distance: near.distance });
                ControlFlow::Continue(())
            });
            return answered.expect("k was compared with the largest there is");
        }
        fresh.for_each(&mut |document, word| {
            for (query, asked) in asked.iter().enumerate() {
                let distance = asked.hamming_distance(word);
                if distance <= k {
                    found(SegmentMatch { query, document, distance });
                }
            }
        });
    }

    fn near(segment: &Segment, asked: &[W], reach: Reach) -> Result<Vec<SegmentMatch>, IndexError> {
        segment.read_small()?;
        let mut found = Vec::new();
        segment.with(|held, absent| {
            found.clear();
            let all = held.has_tables();
            let mut checking = PresenceCheck { segment, held, absent, all, contradicts: false };
            let arrays = arrays::<W>(segment, held)?;
            let _ = arrays.query_batch(asked, reach.k, &mut checking, &mut |query, near: Match| {
                found.push(SegmentMatch {
                    query,
                    document: near.document,
                    distance: near.distance,
                });
                ControlFlow::Continue(())
            });
            match checking.contradicts {
                true => Err(segment.damaged("its directory points beyond its fingerprints")),
                false => Ok(()),
            }
        })?;
        segment.check(found.iter().map(|found| found.document))?;
        Ok(found)
    }

    fn collect(collected: &mut Vec<W>, print: Self) {
        collected.push(print);
    }

    fn build(collected: Vec<W>, _: u64) -> Result<QuerySegment<W>, String> {
        let entries: Vec<u32> = (0..collected.len() as u32).collect();
        QuerySegment::build(&collected, &entries).map_err(|error| error.to_string())
    }

    fn shape(built: &QuerySegment<W>) -> (u32, u64) {
        let arrays = built.arrays();
        (arrays.bits(), arrays.fingerprints(1).len() as u64)
    }

    fn write<O: Write>(
        built: &QuerySegment<W>,
        layout: &Layout,
        _: &dyn Rows,
        to: &mut Blocks<'_, O>,
    ) -> Result<(), IndexError> {
        let arrays = built.arrays();
        for array in layout.arrays() {
            let Array::Table(table) = array else { break };
            let bytes: &[u8] = match table {
                SegmentArray::Directory(table) => bytemuck::cast_slice(arrays.directory(table)),
                SegmentArray::Fingerprints(table) => {
                    bytemuck::cast_slice(arrays.fingerprints(table))
                }
                SegmentArray::Documents => bytemuck::cast_slice(arrays.documents()),
            };
            to.array(array, layout, bytes)?;
        }
        Ok(())
    }

    fn verify(segment: &Segment, rows: &dyn Rows) -> Result<(), SegmentProblem> {
        segment.read_all()?;
        let documents = segment.documents(0..segment.layout().entries as u32)?;
        let held = segment.body().held();
        let arrays = arrays::<W>(segment, &held)?;
        let differs = |detail: &str| Err(SegmentProblem::Differs(detail.to_owned()));
        let mut prints = vec![W::default(); documents.len()];
        let mut named = vec![false; documents.len()];
        for (&word, &document) in arrays.fingerprints(0).iter().zip(arrays.documents()) {
            match named.get_mut(document as usize).map(|named| std::mem::replace(named, true)) {
                Some(false) => prints[document as usize] = word,
                _ => return differs("its tables do not name each document once"),
            }
        }
        if !documents.is_sorted_by(|a, b| a.0 < b.0) {
            return differs("its sequence numbers are not in order");
        }
        let mut rest = documents.iter().zip(&prints);
        let mut lacks = false;
        rows.visit(&mut |row| {
            let found = rest.find(|((sequence, _), _)| *sequence >= row.sequence);
            lacks |= !found.is_some_and(|((sequence, id), &print)| {
                let is_same = print == W::of_bytes(row.fingerprint);
                *sequence == row.sequence && id.as_str() == row.id && is_same
            });
            Ok(())
        })?;
        if lacks {
            return Err(SegmentProblem::lacks());
        }
        let built = Self::build(prints, 0).map_err(SegmentProblem::Differs)?;
        let built = built.arrays();
        let same = built.bits() == arrays.bits()
            && (0..SegmentArrays::<W>::TABLES).all(|table| {
                built.directory(table) == arrays.directory(table)
                    && built.fingerprints(table) == arrays.fingerprints(table)
            });
        if same { Ok(()) } else { differs("its tables are not those of its fingerprints") }
    }
}

fn arrays<'b, W: Word>(
    segment: &Segment,
    held: &'b BodyState,
) -> Result<SegmentArrays<'b, W>, IndexError> {
    let bytes = |array: SegmentArray| held.range(segment.place(Array::Table(array)));
    let [first, second, third] =
        [0, 1, 2].map(|table| bytemuck::cast_slice(bytes(SegmentArray::Fingerprints(table))));
    let directories =
        [0, 1, 2].map(|table| bytemuck::cast_slice(bytes(SegmentArray::Directory(table))));
    let documents = bytemuck::cast_slice(bytes(SegmentArray::Documents));
    let bits = segment.layout().bits;
    let arrays = SegmentArrays::new(bits, [first, second, third], directories, documents);
    arrays.ok_or_else(|| segment.damaged("its arrays do not fit together"))
}

/// What a query may read, and what it lacked.
struct PresenceCheck<'b> {
    segment: &'b Segment,
    held: &'b BodyState,
    absent: &'b mut BTreeSet<u32>,
    /// Whether all tables are in memory.
    all: bool,
    contradicts: bool,
}

impl Presence for PresenceCheck<'_> {
    #[inline]
    fn has(&mut self, array: SegmentArray, entries: Range<usize>) -> bool {
        let entries = entries.start as u64..entries.end as u64;
        let Some(bytes) = self.segment.entries(Array::Table(array), entries) else {
            self.contradicts = true;
            return false;
        };
        self.all || self.held.has_all(bytes, self.absent)
    }
}
