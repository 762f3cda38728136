//! Pairs, clusters and matches among the prints of a set: the engine's positions turned into documents.

use std::fmt;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use nearprint_fingerprint::{Fingerprint, UnlikeSchemes};
use nearprint_records::{ClusterRow, DocumentId, MatchRow, PairRow};
use nearprint_search::{
    Bands, Clusters, Components, Expand, FingerprintWord, Groups, Join, Linkage, Pair, PairSink,
    Progress, SketchJoin, sketch_distance,
};
use rayon::prelude::*;

use crate::print_set::Prints;
use crate::{CancelFlag, Error, FeatureStore, PrintSet, Verification};

/// A search within a distance, and what it may use.
///
/// ```
/// use nearprint::{PrintSet, Search, fingerprint::{Fingerprint, Scheme}, records::DocumentId};
///
/// let mut set = PrintSet::new(Scheme::SD1);
/// for (id, value) in [("a", 0b0000), ("b", 0b0111), ("c", 0b0101), ("d", u64::MAX)] {
///     set.push(&DocumentId::new(id).unwrap(), &Fingerprint::from_u64(Scheme::SD1, value).unwrap())?;
/// }
/// let search = Search::within(2);
/// let mut pairs = Vec::new();
/// search.pairs(&set, |pair| {
///     pairs.push(format!("{} {} {}", pair.a, pair.b, pair.distance));
///     Ok::<_, nearprint::Error>(())
/// })?;
/// assert_eq!(pairs, ["a c 2", "b c 1"]);
///
/// let clusters = search.clusters(&set)?;
/// assert_eq!(clusters[0].members.len(), 3);
///
/// let query = DocumentId::new("query").unwrap();
/// let matches = search.matches(&set, &query, &Fingerprint::from_u64(Scheme::SD1, 1).unwrap())?;
/// assert_eq!((matches[0].id.as_str(), matches[0].distance), ("a", 1));
/// # Ok::<(), nearprint::Error>(())
/// ```
pub struct Search<'w> {
    distance: u32,
    threads: Option<NonZeroUsize>,
    most_sorted: Option<usize>,
    bands: Option<Bands>,
    cancel: CancelFlag,
    watch: Option<Box<Watch<'w>>>,
}

/// Told how far a search is; see [`Search::watched_by`].
type Watch<'w> = dyn Fn(Progress) + Send + Sync + 'w;

/// Pairs that are put in order unless another bound is given: 1.2 GB of them.
const MOST_SORTED: usize = 100_000_000;

/// Sketches up to which bands of two rows are used, beyond it bands of three: the former find more of what is little alike, and
/// compare some hundred times as many.
const FEW_SKETCHES: usize = 200_000;

/// Candidates that are verified between two looks at the cancel flag.
const VERIFIED_AT_ONCE: usize = 1 << 14;

impl<'w> Search<'w> {
    /// Finds what lies within `distance` (inclusive): bits of a simhash, positions of a sketch.
    #[must_use]
    pub fn within(distance: u32) -> Self {
        Self {
            distance,
            threads: None,
            most_sorted: Some(MOST_SORTED),
            bands: None,
            cancel: CancelFlag::new(),
            watch: None,
        }
    }

    /// Uses so many threads; `None`, the default, is one for each processor.
    #[must_use]
    pub fn threads(mut self, threads: Option<NonZeroUsize>) -> Self {
        self.threads = threads;
        self
    }

    /// Gives pairs in the order of the input and holds them meanwhile, 12 octets each; where there are more than `most`
    /// that is an error. `None` gives them as they are found, in any order. Default 100 million.
    #[must_use]
    pub fn sorted_up_to(mut self, most: Option<usize>) -> Self {
        self.most_sorted = most;
        self
    }

    /// Divides sketches into these bands instead of those chosen by their number: 64x2 up to 200,000, else 42x3.
    #[must_use]
    pub fn bands(mut self, bands: Option<Bands>) -> Self {
        self.bands = bands;
        self
    }

    /// Stops where this flag is set.
    #[must_use]
    pub fn cancelled_by(mut self, flag: &CancelFlag) -> Self {
        self.cancel = flag.clone();
        self
    }

    /// Tells `watch` now and then, from any thread, how far the search is.
    #[must_use]
    pub fn watched_by(mut self, watch: impl Fn(Progress) + Send + Sync + 'w) -> Self {
        self.watch = Some(Box::new(watch));
        self
    }

    /// All pairs, each once, `a` before `b` in the set. Gives the number of pairs taken.
    ///
    /// # Errors
    /// Where the distance is beyond what joins serve, pairs are too many to put in order, or `take` fails.
    pub fn pairs<E: From<Error> + Send>(
        &self,
        set: &PrintSet,
        mut take: impl FnMut(PairRow) -> Result<(), E> + Send,
    ) -> Result<u64, E> {
        let row = |pair: &Pair| PairRow {
            a: set.document_id(pair.a as usize),
            b: set.document_id(pair.b as usize),
            distance: pair.distance,
            similarity: None,
        };
        let Some(most) = self.most_sorted else {
            let (mut found, mut failed) = (0, None);
            self.join(set, |batch| {
                for pair in batch {
                    if let Err(error) = take(row(pair)) {
                        failed = Some(error);
                        return ControlFlow::Break(());
                    }
                    found += 1;
                }
                ControlFlow::Continue(())
            })?;
            return failed.map_or(Ok(found), Err);
        };
        let pairs = self.sorted_pairs(set, Expand::AllPairs, most)?;
        for pair in &pairs {
            take(row(pair))?;
        }
        Ok(pairs.len() as u64)
    }

    /// All pairs that `verification` confirms, by the features in `store`, which has a document for each print of the set; each with its exact
    /// similarity, in the order of the input. Gives the number of candidates and that of pairs.
    ///
    /// # Errors
    /// As for [`pairs`](Self::pairs), and where the store cannot be read.
    pub fn verified_pairs<E: From<Error> + Send>(
        &self,
        set: &PrintSet,
        store: &FeatureStore,
        verification: Verification,
        mut take: impl FnMut(PairRow) -> Result<(), E> + Send,
    ) -> Result<(u64, u64), E> {
        let most = self.most_sorted.unwrap_or(usize::MAX);
        let candidates = self.sorted_pairs(set, Expand::AllPairs, most)?;
        let mut found = 0;
        self.verify(&candidates, store, verification, |pair, similarity| {
            found += 1;
            take(PairRow {
                a: set.document_id(pair.a as usize),
                b: set.document_id(pair.b as usize),
                distance: pair.distance,
                similarity: Some(similarity),
            })
        })?;
        Ok((candidates.len() as u64, found))
    }

    /// Clusters of verified pairs only: connected components, or stars around the first document of each, which cannot chain.
    ///
    /// # Errors
    /// As for [`verified_pairs`](Self::verified_pairs).
    pub fn verified_clusters(
        &self,
        set: &PrintSet,
        store: &FeatureStore,
        verification: Verification,
        linkage: Linkage,
    ) -> Result<Vec<ClusterRow>, Error> {
        let most = self.most_sorted.unwrap_or(usize::MAX);
        let expand = if linkage == Linkage::Star { Expand::AllPairs } else { Expand::Star };
        let candidates = self.sorted_pairs(set, expand, most)?;
        let mut components = Components::new(set.len() as u32);
        // Pairs come in ascending order, so a document is known as a centre or as taken before its own pairs come.
        let mut taken = vec![false; if linkage == Linkage::Star { set.len() } else { 0 }];
        self.verify(&candidates, store, verification, |pair, _| {
            if linkage == Linkage::Star {
                if taken[pair.a as usize] || taken[pair.b as usize] {
                    return Ok(());
                }
                taken[pair.b as usize] = true;
            }
            components.link(pair.a, pair.b);
            Ok::<_, Error>(())
        })?;
        Ok(rows(set, &components.finish()))
    }

    /// Hands on the candidates that are confirmed, in their order.
    fn verify<E: From<Error>>(
        &self,
        candidates: &[Pair],
        store: &FeatureStore,
        verification: Verification,
        mut take: impl FnMut(&Pair, f64) -> Result<(), E>,
    ) -> Result<(), E> {
        for some in candidates.chunks(VERIFIED_AT_ONCE) {
            if self.cancel.is_cancelled() {
                break;
            }
            let passed: Result<Vec<Option<f64>>, _> = self.in_pool(|| {
                some.par_iter().map(|pair| verification.passes(store, pair.a, pair.b)).collect()
            })?;
            for (pair, similarity) in some.iter().zip(passed.map_err(Error::Features)?) {
                if let Some(similarity) = similarity {
                    take(pair, similarity)?;
                }
            }
        }
        Ok(())
    }

    /// All pairs in ascending order.
    fn sorted_pairs(
        &self,
        set: &PrintSet,
        expand: Expand,
        most: usize,
    ) -> Result<Vec<Pair>, Error> {
        let (mut pairs, mut too_many) = (Vec::new(), false);
        self.join_expanded(set, expand, |batch| {
            too_many = pairs.len() + batch.len() > most;
            if too_many {
                return ControlFlow::Break(());
            }
            pairs.extend_from_slice(batch);
            ControlFlow::Continue(())
        })?;
        if too_many {
            return Err(Error::TooManyPairs { most });
        }
        self.in_pool(|| pairs.par_sort_unstable())?;
        Ok(pairs)
    }

    /// Joins the set with itself and hands batches of pairs on until one breaks or somebody cancels.
    fn join(
        &self,
        set: &PrintSet,
        take: impl FnMut(&[Pair]) -> ControlFlow<()> + Send,
    ) -> Result<(), Error> {
        self.join_expanded(set, Expand::AllPairs, take)
    }

    fn join_expanded(
        &self,
        set: &PrintSet,
        expand: Expand,
        take: impl FnMut(&[Pair]) -> ControlFlow<()> + Send,
    ) -> Result<(), Error> {
        let mut sink = Watched { take, cancel: &self.cancel, watch: self.watch.as_deref() };
        match set.prints() {
            Prints::Words(words) => {
                let join = Join::within(self.distance).expand(expand);
                self.in_pool(|| join.pairs(words, &mut sink))??;
            }
            Prints::Sketches(sketches) => {
                let join = SketchJoin::within(self.distance, self.bands_for(set)).expand(expand);
                self.in_pool(|| join.pairs(sketches, &mut sink))??;
            }
        }
        Ok(())
    }

    fn bands_for(&self, set: &PrintSet) -> Bands {
        let rows = if set.len() <= FEW_SKETCHES { 2 } else { 3 };
        self.bands
            .unwrap_or_else(|| Bands::new(128 / rows, rows).expect("they fit into 128 positions"))
    }

    /// How the pairs of this set would be found, and an estimate of how many there are, for a person to read.
    ///
    /// # Errors
    /// Where the distance is beyond what joins serve.
    pub fn explain(&self, set: &PrintSet) -> Result<String, Error> {
        let join = Join::within(self.distance);
        match set.prints() {
            Prints::Words(words) => {
                let explanation = self.in_pool(|| join.explain(&Groups::of(words)?))??;
                Ok(explanation.to_string())
            }
            Prints::Sketches(_) => {
                let bands = self.bands_for(set);
                let chances: Vec<String> = (1..=9)
                    .map(|tenth| {
                        let similarity = f64::from(tenth) / 10.0;
                        format!("{similarity:.1}: {:.4}", bands.chance(similarity))
                    })
                    .collect();
                Ok(format!(
                    "{} sketches in {bands} bands; probability of being found by similarity: {}",
                    set.len(),
                    chances.join(", ")
                ))
            }
        }
    }

    /// Connected components of two documents or more, numbered from 1 in the order of their first documents.
    ///
    /// # Errors
    /// Where the distance is beyond what joins serve.
    pub fn clusters(&self, set: &PrintSet) -> Result<Vec<ClusterRow>, Error> {
        let clusters = match set.prints() {
            Prints::Words(words) => {
                let none = |_: &[Pair]| ControlFlow::Continue(());
                let mut watch =
                    Watched { take: none, cancel: &self.cancel, watch: self.watch.as_deref() };
                let join = Join::within(self.distance);
                self.in_pool(|| join.clusters(words, Linkage::Components, None, &mut watch))??
            }
            Prints::Sketches(_) => {
                let mut components = Components::new(set.len() as u32);
                self.join_expanded(set, Expand::Star, |batch| {
                    batch.iter().for_each(|pair| components.link(pair.a, pair.b));
                    ControlFlow::Continue(())
                })?;
                components.finish()
            }
        };
        Ok(rows(set, &clusters))
    }

    /// The documents near one print, nearest first, in the order of the set where they are equally near.
    ///
    /// One query looks at every print, which costs less than building an index for it; any distance will do. For many
    /// queries of one set use [`QueryIndex`](nearprint_search::QueryIndex).
    ///
    /// # Errors
    /// Where the print is of another scheme than the set.
    pub fn matches(
        &self,
        set: &PrintSet,
        query: &DocumentId,
        fingerprint: &Fingerprint,
    ) -> Result<Vec<MatchRow>, Error> {
        UnlikeSchemes::check(set.scheme(), fingerprint.scheme())?;
        let near = |(position, distance): (usize, u32)| {
            (distance <= self.distance).then_some((distance, position))
        };
        let refused = Error::NotSearchable { scheme: set.scheme() };
        let mut found: Vec<(u32, usize)> = match set.prints() {
            Prints::Words(words) => {
                let wanted = fingerprint.as_u64().ok_or(refused)?;
                let distance = |&word: &u64| wanted.hamming_distance(word);
                words.iter().map(distance).enumerate().filter_map(near).collect()
            }
            Prints::Sketches(sketches) => {
                let wanted = fingerprint.as_sketch().ok_or(refused)?;
                let distances = sketches.iter().map(|sketch| sketch_distance(wanted, sketch));
                distances.enumerate().filter_map(near).collect()
            }
        };
        found.sort_unstable();
        let positions = f64::from(set.scheme().positions());
        Ok(found
            .into_iter()
            .map(|(distance, position)| MatchRow {
                query: query.clone(),
                id: set.document_id(position),
                distance,
                similarity: 1.0 - f64::from(distance) / positions,
            })
            .collect())
    }

    fn in_pool<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R, Error> {
        let threads = self.threads.map_or(0, NonZeroUsize::get);
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(Error::Threads)?;
        Ok(pool.install(work))
    }
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("distance", &self.distance)
            .field("threads", &self.threads)
            .field("most_sorted", &self.most_sorted)
            .field("cancel", &self.cancel)
            .finish_non_exhaustive()
    }
}

/// Clusters as rows, numbered from 1.
fn rows(set: &PrintSet, clusters: &Clusters) -> Vec<ClusterRow> {
    let id = |&position: &u32| set.document_id(position as usize);
    let row = |(number, cluster): (u64, nearprint_search::Cluster<'_>)| {
        let from = cluster.representative as usize;
        let distance = |&member: &u32| set.distance(from, member as usize);
        ClusterRow {
            cluster: number,
            size: cluster.members.len() as u64,
            representative: id(&cluster.representative),
            members: cluster.members.iter().map(id).collect(),
            distances: cluster.members.iter().map(distance).collect(),
        }
    };
    (1..).zip(clusters.iter()).map(row).collect()
}

/// Takes batches of pairs, tells how far the search is, and ends it where it is cancelled.
struct Watched<'s, 'w, F> {
    take: F,
    cancel: &'s CancelFlag,
    watch: Option<&'s Watch<'w>>,
}

impl<F: FnMut(&[Pair]) -> ControlFlow<()> + Send> PairSink for Watched<'_, '_, F> {
    fn pairs(&mut self, batch: &[Pair]) -> ControlFlow<()> {
        if self.cancel.is_cancelled() { ControlFlow::Break(()) } else { (self.take)(batch) }
    }

    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        if let Some(watch) = self.watch {
            watch(progress);
        }
        if self.cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::Scheme;

    fn equal_prints(count: usize) -> PrintSet {
        let mut set = PrintSet::new(Scheme::SD1);
        let print = Fingerprint::from_u64(Scheme::SD1, 7).unwrap();
        for number in 0..count {
            set.push(&DocumentId::new(number.to_string()).unwrap(), &print).unwrap();
        }
        set
    }

    fn found(search: &Search<'_>, set: &PrintSet) -> Result<Vec<(String, String)>, Error> {
        let mut found = Vec::new();
        let number = search.pairs(set, |pair| {
            found.push((pair.a.to_string(), pair.b.to_string()));
            Ok::<_, Error>(())
        })?;
        assert_eq!(number, found.len() as u64);
        Ok(found)
    }

    #[test]
    fn more_pairs_than_can_be_put_in_order_are_refused_and_can_be_had_unordered() {
        let set = equal_prints(40);
        let all = found(&Search::within(0).sorted_up_to(Some(780)), &set).unwrap();
        assert_eq!(
            (all.len(), &all[0], &all[779]),
            (780, &("0".into(), "1".into()), &("38".into(), "39".into()))
        );
        let error =
            found(&Search::within(0).sorted_up_to(Some(779)), &set).unwrap_err().to_string();
        assert!(error.contains("779") && error.contains("--unsorted"), "{error}");
        let mut unordered = found(&Search::within(0).sorted_up_to(None), &set).unwrap();
        let mut all = all;
        unordered.sort();
        all.sort();
        assert_eq!(unordered, all);
    }

    #[test]
    fn a_failing_receiver_and_a_set_flag_end_the_search() {
        let set = equal_prints(3000);
        for most in [None, Some(MOST_SORTED)] {
            let mut count = 0;
            let search = Search::within(0).sorted_up_to(most);
            let result = search.pairs(&set, |_| {
                count += 1;
                if count == 5 { Err(Error::TooManyPairs { most: 5 }) } else { Ok(()) }
            });
            assert!(matches!(result, Err(Error::TooManyPairs { most: 5 })), "{result:?}");
            assert_eq!(count, 5);
        }
        let flag = CancelFlag::new();
        flag.cancel();
        let search = Search::within(0).sorted_up_to(None).cancelled_by(&flag);
        assert_eq!(found(&search, &set).unwrap().len(), 0);
    }

    #[test]
    fn a_set_gives_back_what_came_in() {
        let mut set = equal_prints(1);
        let print = Fingerprint::from_u64(Scheme::SD1, 9).unwrap();
        set.push(&DocumentId::new("x").unwrap(), &print).unwrap();
        assert_eq!((set.len(), set.id(0), set.id(1)), (2, "0", "x"));
        assert_eq!((set.fingerprint(1), set.distance(0, 1)), (print, 3));
    }
}
