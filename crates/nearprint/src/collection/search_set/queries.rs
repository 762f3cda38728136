//! What is near each of many prints: by an index, in batches; by a join where the index would not fit. Of sketches see
//! `sketch_queries.rs`.

use std::ops::ControlFlow;

use nearprint_records::MatchRow;
use nearprint_search::{
    Expand, MAX_QUERY_DISTANCE, Pair, PlanChoice, QueryIndex, SearchError, tasks,
};

use super::Search;
use super::join::Sides;
use crate::store::print_set::{Prints, Word, with_words};
use crate::{Error, PrintSet};

/// Bytes the index takes for a print, with its document.
pub(super) const INDEX: u64 = 32;

/// Queries a thread answers at a time.
const TOGETHER: usize = 512;

/// Words a thread compares with one query at a time.
const COMPARED: usize = 1 << 16;

/// Matches a thread may gather for them; where there are more, the queries are answered one by one.
const GATHERED: usize = 1 << 20;

/// A match: query, distance, document; in the order they are given out.
pub(crate) type Near = (u32, u32, u32);

/// Takes matches until it breaks. A pointer, because an index is asked by code that is compiled for each width of
/// words.
pub(super) type NearReceiver<'r> = dyn FnMut(Near) -> ControlFlow<()> + 'r;

impl Search<'_> {
    /// The documents of `set` near each print of `queries`: in the order of the queries; of each the nearest first, in
    /// the order of the set where they are equally near. Gives their number.
    ///
    /// Everything is found, but of sketches where [`query_bands`](Self::query_bands) says that they are answered by
    /// bands.
    ///
    /// # Errors
    /// Where the sets are of unlike schemes, memory does not suffice, or `take` fails.
    pub fn matches_of_all<E: From<Error> + Send>(
        &self,
        set: &PrintSet,
        queries: &PrintSet,
        mut take: impl FnMut(MatchRow) -> Result<(), E>,
    ) -> Result<u64, E> {
        let mut found = 0;
        self.near_each(set, queries, &mut |(query, distance, document): Near| {
            found += 1;
            let query = queries.document_id(query as usize);
            let id = set.document_id(document as usize);
            take(MatchRow::new(query, id, distance, set.estimate(distance)))
        })?;
        Ok(found)
    }

    /// The documents of `set` near each print of `queries`, in that order.
    pub(crate) fn near_each<E: From<Error>>(
        &self,
        set: &PrintSet,
        queries: &PrintSet,
        give: &mut impl FnMut(Near) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut failure = None;
        self.near_each_until(set, queries, &mut |near| match give(near) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        })?;
        failure.map_or(Ok(()), Err)
    }

    fn near_each_until(
        &self,
        set: &PrintSet,
        queries: &PrintSet,
        give: &mut NearReceiver<'_>,
    ) -> Result<(), Error> {
        let sides = Sides::two(queries, set)?;
        if let (Prints::Sketches(asked), Prints::Sketches(all)) = (queries.prints(), set.prints()) {
            return self.near_sketches(sides, (asked, all), give);
        }
        if self.is_planned() {
            return self.joined(sides, give);
        }
        if self.distance <= MAX_QUERY_DISTANCE && self.plan != PlanChoice::BruteForce {
            let left = self.beside(sides.memory(), 1)?;
            let fits = left.is_none_or(|left| left >= set.len() as u64 * INDEX);
            if !fits || set.len() > self.most_in_memory {
                return self.joined(sides, give);
            }
            return with_words!(
                set.prints(),
                words => self.indexed(words, queries, give),
                else Err(Error::NotSearchable { scheme: set.scheme() })
            );
        }
        for query in 0..queries.len() {
            if self.cancel.is_cancelled() {
                break;
            }
            let near = self.in_pool(|| self.by_looking(set, queries, query))??;
            if near.into_iter().try_for_each(&mut *give).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Whether a plan of joins is asked for. It finds what an index finds.
    pub(super) fn is_planned(&self) -> bool {
        !matches!(self.plan, PlanChoice::Auto | PlanChoice::BruteForce)
    }

    /// Answers by a join of the queries and the set.
    fn joined(&self, sides: Sides<'_>, give: &mut NearReceiver<'_>) -> Result<(), Error> {
        give_pairs(self.sorted_pairs(sides, Expand::AllPairs, usize::MAX)?, give);
        Ok(())
    }

    fn indexed<W: Word>(
        &self,
        words: &[W],
        queries: &PrintSet,
        give: &mut NearReceiver<'_>,
    ) -> Result<(), Error> {
        // Sets of one scheme have words of one width.
        let refused = Error::NotSearchable { scheme: queries.scheme() };
        let asked = W::of(queries.prints()).ok_or(refused)?;
        let index = self.in_pool(|| QueryIndex::build(words))?.map_err(Error::Search)?;
        self.by_index(&index, asked, give)
    }

    fn by_index<W: Word>(
        &self,
        index: &QueryIndex<W>,
        asked: &[W],
        give: &mut NearReceiver<'_>,
    ) -> Result<(), Error> {
        let k = self.distance;
        let threads = self.in_pool(rayon::current_num_threads)?;
        for (number, batch) in asked.chunks(TOGETHER * threads).enumerate() {
            if self.cancel.is_cancelled() {
                break;
            }
            let first = number * TOGETHER * threads;
            let answers = self.in_pool(|| {
                tasks::map(batch.chunks(TOGETHER).collect(), |some| answered(index, some, k))
            })?;
            for (part, (some, answers)) in batch.chunks(TOGETHER).zip(answers).enumerate() {
                let first = (first + part * TOGETHER) as u32;
                if let Some(near) = answers.map_err(Error::Search)? {
                    let mut near = near.into_iter();
                    if near.any(|(query, far, to)| give((first + query, far, to)).is_break()) {
                        return Ok(());
                    }
                    continue;
                }
                for (query, &print) in (first..).zip(some) {
                    let mut near = index.query(print, k).map_err(Error::Search)?;
                    near.sort_unstable_by_key(|near| (near.distance, near.document));
                    let mut near = near.iter();
                    if near.any(|near| give((query, near.distance, near.document)).is_break()) {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Compares one query with all.
    fn by_looking(
        &self,
        set: &PrintSet,
        queries: &PrintSet,
        query: usize,
    ) -> Result<Vec<Near>, Error> {
        let near = |document: usize, distance: u32| {
            (distance <= self.distance).then_some((query as u32, distance, document as u32))
        };
        let found = with_words!(
            set.prints(),
            words => by_word(words, queries.prints(), query, near),
            else None
        );
        let mut found = found.ok_or(Error::NotSearchable { scheme: set.scheme() })?;
        found.sort_unstable();
        Ok(found)
    }
}

/// Hands on the pairs of queries and documents: of each query the nearest first.
pub(super) fn give_pairs(mut pairs: Vec<Pair>, give: &mut NearReceiver<'_>) {
    pairs.sort_unstable_by_key(|pair| (pair.a, pair.distance, pair.b));
    let _ = pairs.iter().try_for_each(|pair| give((pair.a, pair.distance, pair.b)));
}

/// What of the words is near one of those asked; `None` where their widths are unlike.
fn by_word<W: Word>(
    words: &[W],
    asked: &Prints,
    query: usize,
    near: impl Fn(usize, u32) -> Option<Near> + Sync,
) -> Option<Vec<Near>> {
    let wanted = W::of(asked)?[query];
    let found = tasks::map(tasks::ranges(words.len(), COMPARED), |range| {
        let all = range.clone().zip(&words[range]);
        all.filter_map(|(at, &word)| near(at, wanted.hamming_distance(word))).collect::<Vec<_>>()
    });
    Some(found.concat())
}

/// The matches of some queries, in order; `None` where they are too many to hold.
fn answered<W: Word>(
    index: &QueryIndex<W>,
    some: &[W],
    k: u32,
) -> Result<Option<Vec<Near>>, SearchError> {
    let mut near: Vec<Near> = Vec::new();
    index.query_batch(some, k, &mut |query, found| {
        near.push((query as u32, found.distance, found.document));
        if near.len() > GATHERED { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    near.sort_unstable();
    Ok((near.len() <= GATHERED).then_some(near))
}
