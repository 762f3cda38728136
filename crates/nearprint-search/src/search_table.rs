//! The searches of each width of word, compiled once.
//!
//! A generic function is compiled in every crate that calls it with a type: the same joins of three widths in the
//! library, the index, the server and each program. What is behind a pointer of this table is compiled here alone. A
//! pointer stands for a whole search, sort or batch, never for the comparison of one fingerprint.

use std::ops::ControlFlow;

use crate::cluster::{Clusters, Linkage};
use crate::error::SearchError;
use crate::estimate::PairEstimate;
use crate::explain::Explanation;
use crate::groups::Groups;
use crate::join::{Join, JoinReport, SpillingJoin};
use crate::probabilistic::{ProbabilisticJoin, WeakBits};
use crate::query_index::{Match, QueryIndex, QuerySegment};
use crate::sink::PairSink;
use crate::spill::Spill;
use crate::word::FingerprintWord;

/// A receiver of matches, with the position of their query.
type MatchVisit<'v> = &'v mut dyn FnMut(usize, Match) -> ControlFlow<()>;

/// The entrances of all searches, for words of one width.
#[expect(clippy::type_complexity, reason = "each type is that of the function it points to")]
pub struct SearchTable<W: 'static> {
    pub(crate) group: fn(&[W]) -> Result<Groups<W>, SearchError>,
    pub(crate) group_owned: fn(Vec<W>) -> Result<Groups<W>, SearchError>,
    pub(crate) equal_pairs: fn(&Groups<W>) -> u64,
    pub(crate) pairs: fn(&Join, &[W], &mut dyn PairSink) -> Result<JoinReport, SearchError>,
    pub(crate) pairs_of_groups:
        fn(&Join, &Groups<W>, &mut dyn PairSink) -> Result<JoinReport, SearchError>,
    pub(crate) pairs_between:
        fn(&Join, &[W], &[W], &mut dyn PairSink) -> Result<JoinReport, SearchError>,
    pub(crate) explain: fn(&Join, &Groups<W>) -> Result<Explanation, SearchError>,
    pub(crate) expects_at_most: fn(&Join, &Groups<W>, u64) -> Result<bool, SearchError>,
    pub(crate) estimate: fn(&Join, &Groups<W>) -> Result<PairEstimate, SearchError>,
    pub(crate) clusters: fn(
        &Join,
        &[W],
        Linkage,
        Option<&[u64]>,
        &mut dyn PairSink,
    ) -> Result<Clusters, SearchError>,
    pub(crate) chain_length: fn(&Clusters, usize, &[W], u32) -> Result<Option<u32>, SearchError>,
    pub(crate) learn: fn(&[W], &[WeakBits], u32, f64) -> Result<ProbabilisticJoin, SearchError>,
    pub(crate) probabilistic_pairs:
        fn(&ProbabilisticJoin, &[W], &[WeakBits], &mut dyn PairSink) -> Result<bool, SearchError>,
    pub(crate) spilling:
        for<'s> fn(&Join, u64, &'s mut dyn Spill) -> Result<SpillingJoin<'s, W>, SearchError>,
    pub(crate) spill: fn(&mut SpillingJoin<'_, W>, &[W]) -> Result<(), SearchError>,
    pub(crate) finish:
        fn(SpillingJoin<'_, W>, &mut dyn PairSink) -> Result<JoinReport, SearchError>,
    pub(crate) index: fn(&[W]) -> Result<QueryIndex<W>, SearchError>,
    pub(crate) query: fn(&QueryIndex<W>, W, u32) -> Result<Vec<Match>, SearchError>,
    pub(crate) segment: fn(&[W], &[u32]) -> Result<QuerySegment<W>, SearchError>,
    pub(crate) insert: fn(&mut QueryIndex<W>, u32, W),
    pub(crate) remove: fn(&mut QueryIndex<W>, u32, W) -> bool,
    pub(crate) query_batch:
        fn(&QueryIndex<W>, &[W], u32, MatchVisit<'_>) -> Result<(), SearchError>,
}

impl<W: FingerprintWord> SearchTable<W> {
    /// The searches of one width.
    const fn new() -> Self {
        Self {
            group: Groups::from_prints,
            group_owned: Groups::from_owned_prints,
            equal_pairs: Groups::count_equal_pairs,
            pairs: Join::join_prints,
            pairs_of_groups: Join::join_groups,
            pairs_between: Join::join_sets,
            explain: Join::explanation,
            expects_at_most: Join::sample_at_most,
            estimate: Join::sample_pairs,
            clusters: Join::clusters_of_pairs,
            chain_length: Clusters::steps_of_chain,
            learn: ProbabilisticJoin::of_sample,
            probabilistic_pairs: ProbabilisticJoin::look_up_pairs,
            spilling: Join::spill_into,
            spill: |join, prints| join.take_in(prints),
            finish: |join, sink| join.join_runs(sink),
            index: QueryIndex::from_prints,
            query: QueryIndex::near,
            segment: QuerySegment::from_prints,
            insert: QueryIndex::add,
            remove: QueryIndex::take_out,
            query_batch: QueryIndex::near_each,
        }
    }
}

/// A word whose searches are compiled here: each of this crate's.
///
/// ```
/// use nearprint_search::{Groups, SearchedWord};
///
/// fn distinct<W: SearchedWord>(prints: &[W]) -> usize {
///     Groups::of(prints).map_or(0, |groups| groups.distinct())
/// }
/// assert_eq!(distinct(&[7u64, 3, 7]), 2);
/// ```
pub trait SearchedWord: FingerprintWord {
    /// The searches of this width.
    fn searches() -> &'static SearchTable<Self>;
}

macro_rules! searched {
    ($word:ty) => {
        impl SearchedWord for $word {
            fn searches() -> &'static SearchTable<Self> {
                static SEARCHES: SearchTable<$word> = SearchTable::new();
                &SEARCHES
            }
        }
    };
}

#[cfg(feature = "widths")]
searched!(u32);
searched!(u64);
#[cfg(feature = "widths")]
searched!(u128);
