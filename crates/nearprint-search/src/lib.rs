//! Exact search among fingerprints by Hamming distance: all pairs within k bits, pairs between two
//! sets, groups of equal prints, clusters, and an index to query.
//!
//! - [`Join`] finds all pairs within a distance and streams them to a [`PairSink`].
//! - [`Groups`] puts documents with equal prints together.
//! - [`Join::clusters`] makes [`Clusters`]; [`Components`] makes them of pairs chosen by the caller.
//! - [`QueryIndex`] answers which documents lie near a print; [`QuerySegment`] and [`SegmentArrays`] are its parts, for
//!   indexes that are kept elsewhere.
//! - [`SpillingJoin`] joins more prints than fit in memory, with a store given as [`Spill`].
//! - [`ProbabilisticJoin`] looks where the bits of a print were uncertain, and misses pairs.
//! - [`Join::estimate`] and [`Join::explain`] tell what a join will find and do before it is run.
//! - [`SketchJoin`] finds pairs of similar sketches by [`Bands`], and [`Measure`] tells how similar two
//!   documents really are.
//! - [`tasks`] shares work out among the threads of the current pool.
//! - [`Plan`] says which bits must agree for two prints to be compared; [`PlanChoice`] chooses one.
//!
//! Everything works on plain words ([`FingerprintWord`]: `u32`, `u64`, `u128`) and on positions in the
//! slice given. Within k always means a distance of at most k.
//!
//! Not here: I/O, clocks, threads of its own, schemes and documents.

#![cfg_attr(
    not(feature = "widths"),
    allow(dead_code, reason = "what only words of other widths need stays")
)]

mod buckets;
mod buffer;
mod cluster;
mod cost;
mod entrances;
mod error;
mod estimate;
mod explain;
mod groups;
mod join;
mod kernel;
mod plan;
mod prefetch;
mod probabilistic;
mod query_index;
mod radix;
mod search_table;
mod similarity;
mod sink;
mod sketch;
mod spill;
pub mod tasks;
mod word;

pub use buffer::{reserve_on_large_pages, vec_on_large_pages, zeros_on_large_pages};
pub use cluster::{Cluster, Clusters, Cohesion, Components, Link, Linkage};
pub use error::{PlanError, SearchError};
pub use estimate::PairEstimate;
pub use explain::Explanation;
pub use groups::Groups;
pub use join::{Expand, Join, JoinReport, MAX_PLANNED_DISTANCE, SpillingJoin};
pub use kernel::SimdLevel;
pub use plan::{Plan, PlanChoice};
pub use probabilistic::{ProbabilisticJoin, WeakBits, weakest_bits};
pub use query_index::{
    MAX_QUERY_DISTANCE, Match, Presence, QueryIndex, QuerySegment, SegmentArray, SegmentArrays,
};
pub use search_table::SearchedWord;
pub use similarity::{Measure, Overlap, WeightedFeature};
pub use sink::{Pair, PairSink, Progress};
pub use sketch::{
    BUCKET_COMPARISONS, BandError, Bands, SKETCH_POSITIONS, Sketch, SketchJoin, SketchReport,
    SketchSample, SketchSource, sketch_distance,
};
pub use spill::{Spill, SpillError};
pub use word::FingerprintWord;
