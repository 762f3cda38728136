//! Pairs, clusters and matches among the prints of a set: the engine's positions turned into documents.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use nearprint_fingerprint::Fingerprint;
use nearprint_records::{ClusterRow, DocumentId, MatchRow, PairRow};
use nearprint_search::{FingerprintWord, Groups, Join, Linkage, Pair, PairSink, Progress};

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
#[derive(Debug, Clone)]
pub struct Search {
    distance: u32,
    threads: Option<NonZeroUsize>,
    sorted: bool,
    cancel: CancelFlag,
}

impl Search {
    /// Finds what lies within `distance` bits (inclusive).
    #[must_use]
    pub fn within(distance: u32) -> Self {
        Self { distance, threads: None, sorted: true, cancel: CancelFlag::new() }
    }

    /// Uses so many threads; `None`, the default, is one for each processor.
    #[must_use]
    pub fn threads(mut self, threads: Option<NonZeroUsize>) -> Self {
        self.threads = threads;
        self
    }

    /// Whether pairs come in the order of the input, which is the default and holds all of them in memory, 12 octets
    /// each; or in any order, as they are found.
    #[must_use]
    pub fn sorted(mut self, sorted: bool) -> Self {
        self.sorted = sorted;
        self
    }

    /// Stops where this flag is set.
    #[must_use]
    pub fn cancelled_by(mut self, flag: &CancelFlag) -> Self {
        self.cancel = flag.clone();
        self
    }

    /// All pairs, each once, `a` before `b` in the set. Gives their number.
    ///
    /// # Errors
    /// Where the distance is beyond what joins serve, pairs are too many to sort, or `take` fails.
    pub fn pairs<E: From<Error> + Send>(
        &self,
        set: &PrintSet,
        take: impl FnMut(PairRow) -> Result<(), E> + Send,
    ) -> Result<u64, E> {
        let mut sink = Rows { set, take, failed: None, found: 0, cancel: &self.cancel };
        let mut join = Join::within(self.distance);
        if self.sorted {
            join = join.sorted();
        }
        let report = self.in_pool(|| join.pairs(set.words(), &mut sink));
        if let Some(error) = sink.failed {
            return Err(error);
        }
        report?.map_err(Error::from)?;
        Ok(sink.found)
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
        let mut watch = Cancelling(&self.cancel);
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

/// Hands pairs on as rows until `take` fails or somebody cancels.
struct Rows<'s, F, E> {
    set: &'s PrintSet,
    take: F,
    failed: Option<E>,
    found: u64,
    cancel: &'s CancelFlag,
}

impl<E: Send, F: FnMut(PairRow) -> Result<(), E> + Send> PairSink for Rows<'_, F, E> {
    fn pairs(&mut self, batch: &[Pair]) -> ControlFlow<()> {
        for pair in batch {
            let row = PairRow {
                a: self.set.document_id(pair.a as usize),
                b: self.set.document_id(pair.b as usize),
                distance: pair.distance,
            };
            if let Err(error) = (self.take)(row) {
                self.failed = Some(error);
                return ControlFlow::Break(());
            }
            self.found += 1;
        }
        Cancelling(self.cancel).go_on()
    }

    fn progress(&mut self, _: Progress) -> ControlFlow<()> {
        Cancelling(self.cancel).go_on()
    }
}

/// Takes no pairs, but stops a join that is cancelled.
struct Cancelling<'c>(&'c CancelFlag);

impl Cancelling<'_> {
    fn go_on(&self) -> ControlFlow<()> {
        if self.0.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl PairSink for Cancelling<'_> {
    fn pairs(&mut self, _: &[Pair]) -> ControlFlow<()> {
        self.go_on()
    }

    fn progress(&mut self, _: Progress) -> ControlFlow<()> {
        self.go_on()
    }
}
