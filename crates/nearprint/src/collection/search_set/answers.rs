//! Queries that come one by one: what they are looked up in is made once.

use nearprint_fingerprint::{Fingerprint, UnlikeSchemes};
use nearprint_records::{DocumentId, MatchRow};
use nearprint_search::{MAX_QUERY_DISTANCE, PlanChoice, QueryIndex};

use super::Search;
use super::queries::INDEX;
use crate::store::print_set::{Word, with_words};
use crate::{Error, PrintSet};

/// Answers to queries of one set. Made by [`Search::answers`].
pub struct Answers<'s> {
    search: &'s Search<'s>,
    set: &'s PrintSet,
    /// Looks a print up in an index; `None` where each query is compared with all.
    indexed: Option<Box<Indexed<'s>>>,
}

/// Distances and documents near a print, the nearest first.
type Indexed<'s> = dyn Fn(&Fingerprint) -> Result<Vec<(u32, u32)>, Error> + 's;

impl<'w> Search<'w> {
    /// Prepares to answer queries of `set` one by one: each as [`matches`](Self::matches) does, by an index where the
    /// distance and the memory allow it.
    ///
    /// # Errors
    /// Where the index cannot be made.
    pub fn answers<'s>(&'s self, set: &'s PrintSet) -> Result<Answers<'s>, Error>
    where
        'w: 's,
    {
        let is_wanted = self.distance <= MAX_QUERY_DISTANCE && self.plan != PlanChoice::BruteForce;
        let bytes = set.len() as u64 * INDEX;
        let fits = self.memory.is_none_or(|memory| bytes <= memory / 2);
        let indexed = match is_wanted && fits && set.len() <= self.most_in_memory {
            true => with_words!(set.prints(), words => Some(self.index_of(words, set)?), else None),
            false => None,
        };
        Ok(Answers { search: self, set, indexed })
    }

    fn index_of<'s, W: Word>(
        &'s self,
        words: &'s [W],
        set: &'s PrintSet,
    ) -> Result<Box<Indexed<'s>>, Error> {
        let index = self.in_pool(|| QueryIndex::build(words))?.map_err(Error::Search)?;
        let k = self.distance;
        Ok(Box::new(move |print| {
            let print = W::of_print(print).ok_or(Error::NotSearchable { scheme: set.scheme() })?;
            let near = index.query(print, k).map_err(Error::Search)?;
            let mut near: Vec<_> = near.iter().map(|near| (near.distance, near.document)).collect();
            near.sort_unstable();
            Ok(near)
        }))
    }
}

impl Answers<'_> {
    /// The documents near one print, nearest first, in the order of the set where they are equally near.
    ///
    /// # Errors
    /// Where the print is of another scheme than the set, or the set's file cannot be read.
    pub fn matches(
        &self,
        query: &DocumentId,
        fingerprint: &Fingerprint,
    ) -> Result<Vec<MatchRow>, Error> {
        let Some(indexed) = &self.indexed else {
            return self.search.matches(self.set, query, fingerprint);
        };
        UnlikeSchemes::check(self.set.scheme(), fingerprint.scheme())?;
        let row = |(distance, document): (u32, u32)| MatchRow {
            query: query.clone(),
            id: self.set.document_id(document as usize),
            distance,
            estimate: self.set.estimate(distance),
            measure: None,
            similarity: None,
        };
        Ok(indexed(fingerprint)?.into_iter().map(row).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::Scheme;

    #[test]
    fn one_by_one_gives_what_all_at_once_do() {
        let mut set = PrintSet::new(Scheme::SD1);
        let print = |number: u64| {
            let word = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) & 0xFFF;
            Fingerprint::from_u64(Scheme::SD1, word).unwrap()
        };
        let id = |number: u64| DocumentId::new(number.to_string()).unwrap();
        (0..500).for_each(|number| set.push(&id(number), &print(number)).unwrap());
        let index = Search::within(2);
        let looking = Search::within(2).plan(PlanChoice::BruteForce);
        let (by_index, by_looking) = (index.answers(&set).unwrap(), looking.answers(&set).unwrap());
        assert!(by_index.indexed.is_some() && by_looking.indexed.is_none());
        for query in 480..520 {
            let expected = index.matches(&set, &id(query), &print(query)).unwrap();
            assert_eq!(by_index.matches(&id(query), &print(query)).unwrap(), expected);
            assert_eq!(by_looking.matches(&id(query), &print(query)).unwrap(), expected);
        }
    }
}
