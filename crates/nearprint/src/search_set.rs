//! Pairs, clusters and matches among the prints of a set: the engine's positions turned into documents.

use std::fmt;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use nearprint_fingerprint::Fingerprint;
use nearprint_records::{ClusterRow, DocumentId, MatchRow, PairRow};
use nearprint_search::{FingerprintWord, Groups, Join, Linkage, Pair, PairSink, Progress};
use rayon::slice::ParallelSliceMut;

use crate::{CancelFlag, Error, PrintSet};

/// A search within a distance, and what it may use.
///
/// ```
/// use nearprint::{PrintSet, Search, fingerprint::{Fingerprint, Scheme}, records::DocumentId};
///
/// let mut set = PrintSet::new(Scheme::SD1)?;
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
    cancel: CancelFlag,
    watch: Option<Box<Watch<'w>>>,
}

/// Told how far a search is; see [`Search::watched_by`].
type Watch<'w> = dyn Fn(Progress) + Send + Sync + 'w;

/// Pairs that are put in order unless another bound is given: 1.2 GB of them.
const MOST_SORTED: usize = 100_000_000;

impl<'w> Search<'w> {
    /// Finds what lies within `distance` bits (inclusive).
    #[must_use]
    pub fn within(distance: u32) -> Self {
        Self {
            distance,
            threads: None,
            most_sorted: Some(MOST_SORTED),
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
        let (mut pairs, mut too_many) = (Vec::new(), false);
        self.join(set, |batch| {
            too_many = pairs.len() + batch.len() > most;
            if too_many {
                return ControlFlow::Break(());
            }
            pairs.extend_from_slice(batch);
            ControlFlow::Continue(())
        })?;
        if too_many {
            return Err(Error::TooManyPairs { most }.into());
        }
        self.in_pool(|| pairs.par_sort_unstable())?;
        for pair in &pairs {
            take(row(pair))?;
        }
        Ok(pairs.len() as u64)
    }

    /// Joins the set with itself and hands batches of pairs on until one breaks or somebody cancels.
    fn join(
        &self,
        set: &PrintSet,
        take: impl FnMut(&[Pair]) -> ControlFlow<()> + Send,
    ) -> Result<(), Error> {
        let mut sink = Watched { take, cancel: &self.cancel, watch: self.watch.as_deref() };
        self.in_pool(|| Join::within(self.distance).pairs(set.words(), &mut sink))??;
        Ok(())
    }

    /// How the pairs of this set would be found, and an estimate of how many there are, for a person to read.
    ///
    /// # Errors
    /// Where the distance is beyond what joins serve.
    pub fn explain(&self, set: &PrintSet) -> Result<String, Error> {
        let join = Join::within(self.distance);
        let explanation = self.in_pool(|| join.explain(&Groups::of(set.words())?))??;
        Ok(explanation.to_string())
    }

    /// Connected components of two documents or more, numbered from 1 in the order of their first documents.
    ///
    /// # Errors
    /// Where the distance is beyond what joins serve.
    pub fn clusters(&self, set: &PrintSet) -> Result<Vec<ClusterRow>, Error> {
        let none = |_: &[Pair]| ControlFlow::Continue(());
        let mut watch = Watched { take: none, cancel: &self.cancel, watch: self.watch.as_deref() };
        let join = Join::within(self.distance);
        let clusters =
            self.in_pool(|| join.clusters(set.words(), Linkage::Components, None, &mut watch))??;
        let id = |&position: &u32| set.document_id(position as usize);
        let word = |&position: &u32| set.words()[position as usize];
        Ok((1..)
            .zip(clusters.iter())
            .map(|(number, cluster)| ClusterRow {
                cluster: number,
                size: cluster.members.len() as u64,
                representative: id(&cluster.representative),
                members: cluster.members.iter().map(id).collect(),
                distances: cluster
                    .members
                    .iter()
                    .map(|member| word(&cluster.representative).hamming_distance(word(member)))
                    .collect(),
            })
            .collect())
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
        let wanted = set.word(fingerprint)?;
        let near = |(position, &word): (usize, &u64)| {
            let distance = wanted.hamming_distance(word);
            (distance <= self.distance).then_some((distance, position))
        };
        let mut found: Vec<(u32, usize)> =
            set.words().iter().enumerate().filter_map(near).collect();
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
        let mut set = PrintSet::new(Scheme::SD1).unwrap();
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
        assert_eq!((set.fingerprint(1), set.words()), (print, &[7, 9][..]));
    }
}
