//! The entrances of all searches: each is found in the table of its width.

use std::ops::ControlFlow;

use crate::cluster::{Clusters, Linkage};
use crate::error::SearchError;
use crate::estimate::PairEstimate;
use crate::explain::Explanation;
use crate::groups::Groups;
use crate::join::{Join, JoinReport, SpillingJoin};
use crate::probabilistic::{ProbabilisticJoin, WeakBits};
use crate::query_index::{Match, QueryIndex, QuerySegment};
use crate::search_table::SearchedWord;
use crate::sink::PairSink;
use crate::spill::Spill;

impl<W: SearchedWord> Groups<W> {
    /// Groups the documents `0..prints.len()` by their fingerprints, in the current rayon pool.
    ///
    /// O(n) for fingerprints of few equal top bits, O(n log n) at worst; 12 bytes a 64-bit fingerprint.
    ///
    /// # Errors
    ///
    /// When there are more than 2^32 - 1 fingerprints.
    pub fn of(prints: &[W]) -> Result<Self, SearchError> {
        (W::searches().group)(prints)
    }

    /// The same for fingerprints that are given away: for sets that fill the memory. What has been read of them is
    /// given back to the allocator on the way, so that 2·10^8 64-bit fingerprints took 7 bytes each beside their own 8,
    /// where [`of`](Self::of) takes 12. Large parts that share their first bits take as much again, one at a time.
    ///
    /// # Errors
    ///
    /// When there are more than 2^32 - 1 fingerprints.
    pub fn of_owned(prints: Vec<W>) -> Result<Self, SearchError> {
        (W::searches().group_owned)(prints)
    }

    /// Number of pairs of documents whose fingerprints are equal.
    #[must_use]
    pub fn equal_pairs(&self) -> u64 {
        (W::searches().equal_pairs)(self)
    }
}

impl Join {
    /// Says what this join would do with `groups`, at the price of an [`estimate`](Join::estimate).
    ///
    /// # Errors
    ///
    /// When the distance or the plan does not suit.
    pub fn explain<W: SearchedWord>(&self, groups: &Groups<W>) -> Result<Explanation, SearchError> {
        (W::searches().explain)(self, groups)
    }

    /// Whether a small sample shows that this join finds at most `most` pairs. `false` says only that
    /// [`estimate`](Self::estimate) is needed to know: the sample is too small, the set is small enough to be examined
    /// as a whole, or there are more.
    ///
    /// Takes eight comparisons for each fingerprint, 8·10^7 for 10^7, where an estimate takes 2·10^9.
    ///
    /// # Errors
    ///
    /// When the distance is too large.
    pub fn expects_at_most<W: SearchedWord>(
        &self,
        groups: &Groups<W>,
        most: u64,
    ) -> Result<bool, SearchError> {
        (W::searches().expects_at_most)(self, groups, most)
    }

    /// Estimates the pairs this join would find among `groups`: a tenth of a second or so for
    /// 10^7 fingerprints.
    ///
    /// # Errors
    ///
    /// When the distance is too large.
    pub fn estimate<W: SearchedWord>(
        &self,
        groups: &Groups<W>,
    ) -> Result<PairEstimate, SearchError> {
        (W::searches().estimate)(self, groups)
    }

    /// Gives every pair of `prints` within the distance to `sink`, once; `Pair::a` and `Pair::b`
    /// are positions in `prints`, `a < b`.
    ///
    /// # Errors
    ///
    /// When the distance, the number of fingerprints or the plan does not suit.
    pub fn pairs<W: SearchedWord>(
        &self,
        prints: &[W],
        sink: &mut dyn PairSink,
    ) -> Result<JoinReport, SearchError> {
        (W::searches().pairs)(self, prints, sink)
    }

    /// The same as [`pairs`](Self::pairs) for fingerprints already grouped.
    ///
    /// # Errors
    ///
    /// When the distance or the plan does not suit.
    pub fn pairs_of_groups<W: SearchedWord>(
        &self,
        groups: &Groups<W>,
        sink: &mut dyn PairSink,
    ) -> Result<JoinReport, SearchError> {
        (W::searches().pairs_of_groups)(self, groups, sink)
    }

    /// Gives every pair of one fingerprint of `left` and one of `right` within the distance to `sink`,
    /// once; `Pair::a` is a position in `left`, `Pair::b` one in `right`.
    ///
    /// # Errors
    ///
    /// When the distance, the number of fingerprints or the plan does not suit.
    pub fn pairs_between<W: SearchedWord>(
        &self,
        left: &[W],
        right: &[W],
        sink: &mut dyn PairSink,
    ) -> Result<JoinReport, SearchError> {
        (W::searches().pairs_between)(self, left, right, sink)
    }

    /// Clusters `prints`: components of the pairs within the distance, or stars around the
    /// documents of least `priority` (their position, if none is given).
    ///
    /// `watch` gets the progress of the join and may stop it; the pairs are not given to it.
    /// Clusters of a stopped join hold what was found so far.
    ///
    /// # Errors
    ///
    /// When the distance, the number of fingerprints, the plan, or the number of priorities does not
    /// suit.
    pub fn clusters<W: SearchedWord>(
        &self,
        prints: &[W],
        linkage: Linkage,
        priority: Option<&[u64]>,
        watch: &mut dyn PairSink,
    ) -> Result<Clusters, SearchError> {
        (W::searches().clusters)(self, prints, linkage, priority, watch)
    }

    /// Begins a join of about `expected` fingerprints, more than fit in memory, that uses `spill`.
    ///
    /// The memory is bounded by [`memory`](Self::memory), or 1 GiB if nothing was said. The store takes
    /// 12 bytes for a 64-bit fingerprint and outer table of the plan (4 tables or so at k = 3).
    ///
    /// # Errors
    ///
    /// When the distance or the plan does not suit, or the memory bound is below some 16 MiB.
    pub fn spilling<'s, W: SearchedWord>(
        &self,
        expected: u64,
        spill: &'s mut dyn Spill,
    ) -> Result<SpillingJoin<'s, W>, SearchError> {
        (W::searches().spilling)(self, expected, spill)
    }
}

impl<W: SearchedWord> SpillingJoin<'_, W> {
    /// Takes in the next fingerprints. Their positions continue from those before.
    ///
    /// # Errors
    ///
    /// When the store fails, or there are more than 2^32 - 1 fingerprints in all.
    pub fn push(&mut self, prints: &[W]) -> Result<(), SearchError> {
        (W::searches().spill)(self, prints)
    }

    /// Joins all fingerprints taken in, and gives the pairs to `sink` as [`Join::pairs`] does.
    ///
    /// # Errors
    ///
    /// When the store fails, or sorted output is larger than the memory bound.
    pub fn finish(self, sink: &mut dyn PairSink) -> Result<JoinReport, SearchError> {
        (W::searches().finish)(self, sink)
    }
}

impl Clusters {
    /// The greatest number of links one must follow from the representative of cluster `number` to one of its
    /// members, where fingerprints within `k` bits are linked: 0 if all are equal, 1 for a star. Of a cluster of one
    /// page and its revisions it is 1 or 2; a long chain holds documents together that are nothing alike.
    ///
    /// Takes a query for each distinct fingerprint of the cluster. `None` if there is no such cluster.
    ///
    /// # Errors
    ///
    /// When `k` is too large for a [`QueryIndex`], or `prints` are not those of the documents clustered.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_search::{Join, Linkage, Pair};
    /// let prints = [0b0u64, 0b1, 0b11, 0b111];
    /// let mut watch: Vec<Pair> = Vec::new();
    /// let clusters = Join::within(1).clusters(&prints, Linkage::Components, None, &mut watch)?;
    /// assert_eq!(clusters.chain_length(0, &prints, 1)?, Some(3));
    /// # Ok::<(), nearprint_search::SearchError>(())
    /// ```
    pub fn chain_length<W: SearchedWord>(
        &self,
        number: usize,
        prints: &[W],
        k: u32,
    ) -> Result<Option<u32>, SearchError> {
        (W::searches().chain_length)(self, number, prints, k)
    }
}

impl ProbabilisticJoin {
    /// Learns from a sample of the pairs of `prints` within `k` bits (0 to 16) which sets of weak bits to change, and
    /// makes a join that expects to find the share `recall` (0 to 1) of those of different fingerprints, or less where
    /// other bits differ. `weak` holds each fingerprint's weak bits; of equal fingerprints the first's are used.
    ///
    /// Some thousand fingerprints are compared with all: O(n).
    ///
    /// # Errors
    ///
    /// When there are too many fingerprints or not one entry of `weak` for each, the distance is too large, or the
    /// sample has too few pairs to learn from.
    pub fn learn<W: SearchedWord>(
        prints: &[W],
        weak: &[WeakBits],
        k: u32,
        recall: f64,
    ) -> Result<Self, SearchError> {
        (W::searches().learn)(prints, weak, k, recall)
    }

    /// Gives the pairs found among `prints` to `sink`, each once, equal fingerprints among them; returns whether the
    /// sink stopped it. `weak` holds each fingerprint's weak bits; of equal fingerprints the first's are used.
    ///
    /// # Errors
    ///
    /// When there are too many fingerprints, or not one entry of `weak` for each.
    pub fn pairs<W: SearchedWord>(
        &self,
        prints: &[W],
        weak: &[WeakBits],
        sink: &mut dyn PairSink,
    ) -> Result<bool, SearchError> {
        (W::searches().probabilistic_pairs)(self, prints, weak, sink)
    }
}

impl<W: SearchedWord> QueryIndex<W> {
    /// Indexes the documents `0..prints.len()`, in the current rayon pool.
    ///
    /// # Errors
    ///
    /// When there are more than 2^32 - 1 prints.
    pub fn build(prints: &[W]) -> Result<Self, SearchError> {
        (W::searches().index)(prints)
    }

    /// Adds a document with its print; the same document may be there under other prints. O(log n)
    /// merges of about 50 ns a print, spread over many insertions.
    pub fn insert(&mut self, document: u32, print: W) {
        (W::searches().insert)(self, document, print);
    }

    /// Takes out a document that was put in with this print; `false` if it is not there. O(1) beside the
    /// documents of equal prints.
    pub fn remove(&mut self, document: u32, print: W) -> bool {
        (W::searches().remove)(self, document, print)
    }

    /// The documents within `k` (0 to [`MAX_QUERY_DISTANCE`](crate::MAX_QUERY_DISTANCE)) of `print`, ascending.
    ///
    /// # Errors
    ///
    /// When `k` is too large.
    pub fn query(&self, print: W, k: u32) -> Result<Vec<Match>, SearchError> {
        (W::searches().query)(self, print, k)
    }

    /// Answers many queries at once, faster than one by one: `found` gets each match with the
    /// position of its query in `prints`, in no order, and may end the batch. Runs on the calling thread;
    /// share a large batch out as slices.
    ///
    /// # Errors
    ///
    /// When `k` is too large.
    pub fn query_batch(
        &self,
        prints: &[W],
        k: u32,
        found: &mut dyn FnMut(usize, Match) -> ControlFlow<()>,
    ) -> Result<(), SearchError> {
        (W::searches().query_batch)(self, prints, k, found)
    }
}

impl<W: SearchedWord> QuerySegment<W> {
    /// Builds the segment of fingerprints with their documents, in the current rayon pool.
    ///
    /// # Errors
    ///
    /// When there are more than 2^32 - 1 fingerprints, or not a document for each.
    pub fn build(prints: &[W], documents: &[u32]) -> Result<Self, SearchError> {
        (W::searches().segment)(prints, documents)
    }
}
