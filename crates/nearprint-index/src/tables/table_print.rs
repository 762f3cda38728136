//! What tables ask of the fingerprints they are made of, words or sketches.

use std::io::Write;

use nearprint::fingerprint::Fingerprint;
use nearprint::search::Bands;

use crate::IndexError;
use crate::segment::blocks::Blocks;
use crate::segment::layout::Layout;
use crate::segment::{Segment, SegmentMatch};
use crate::store::rows::Rows;

/// How near documents must be, and by what they are proposed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reach {
    /// The greatest distance.
    pub(crate) k: u32,
    /// The bands that propose sketches, of two rows or more; `None` where nothing within the distance may be missed.
    pub(crate) bands: Option<Bands>,
}

/// What is wrong with a segment.
pub(crate) enum SegmentProblem {
    /// It is not what the store has.
    Differs(String),
    /// The store could not be read.
    Unread(IndexError),
}

impl SegmentProblem {
    /// A document of the store is not in the segment as it is there.
    pub(crate) fn lacks() -> Self {
        let detail =
            "it lacks a document of the store, or has another fingerprint or id for it".to_owned();
        Self::Differs(detail)
    }
}

impl From<IndexError> for SegmentProblem {
    fn from(error: IndexError) -> Self {
        Self::Unread(error)
    }
}

/// A fingerprint of which an index has tables.
pub(crate) trait TablePrint: Copy + Send + Sync + 'static {
    /// Its bits.
    const WIDTH: u32;

    /// Documents that are in no segment, to be searched in memory.
    type Fresh: Send + Sync;

    /// What is collected of the fingerprints of a segment while its documents are counted.
    type Accumulator: Default;

    /// The tables of a segment that is written.
    type SegmentTables;

    fn of(fingerprint: &Fingerprint) -> Option<Self>;

    /// The fingerprint that has these bytes in a record.
    fn of_bytes(bytes: &[u8]) -> Self;

    fn fresh() -> Self::Fresh;

    fn insert(fresh: &mut Self::Fresh, document: u32, print: Self);

    /// Bytes of memory.
    fn memory(fresh: &Self::Fresh) -> u64;

    /// Documents within reach of each query, in no order.
    fn near_fresh(
        fresh: &Self::Fresh,
        asked: &[Self],
        reach: Reach,
        found: &mut dyn FnMut(SegmentMatch),
    );

    /// Documents of a segment within reach of each query, removed ones among them, in no order.
    fn near(
        segment: &Segment,
        asked: &[Self],
        reach: Reach,
    ) -> Result<Vec<SegmentMatch>, IndexError>;

    fn collect(collected: &mut Self::Accumulator, print: Self);

    /// Builds the tables of so many documents.
    fn build(collected: Self::Accumulator, documents: u64) -> Result<Self::SegmentTables, String>;

    /// Bits by which the buckets of the tables go, and different fingerprints, as a head states them.
    fn shape(built: &Self::SegmentTables) -> (u32, u64);

    /// Writes the arrays of the tables, which come first in a segment.
    fn write<O: Write>(
        built: &Self::SegmentTables,
        layout: &Layout,
        rows: &dyn Rows,
        to: &mut Blocks<'_, O>,
    ) -> Result<(), IndexError>;

    /// Compares a segment with the documents that are in the store: each must be in it. Removed documents may be in it
    /// too.
    fn verify(segment: &Segment, rows: &dyn Rows) -> Result<(), SegmentProblem>;
}
