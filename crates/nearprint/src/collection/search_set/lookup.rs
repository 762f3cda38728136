//! Queries that come one by one: the index that they are looked up in is made once.

use nearprint_fingerprint::Fingerprint;
use nearprint_search::{MAX_QUERY_DISTANCE, PlanChoice, QueryIndex};

use super::Search;
use super::queries::INDEX;
use crate::store::print_set::{Word, with_words};
use crate::{Error, PrintSet};

/// An index in memory of the prints of a set. Made by [`Search::lookup_of`].
pub(crate) struct QueryLookup(Box<Lookup>);

/// Distances and documents near a print, the nearest first.
type Lookup = dyn Fn(&Fingerprint, u32) -> Result<Vec<(u32, usize)>, Error> + Send + Sync;

impl QueryLookup {
    /// The distances and positions of what is near one print, in that order.
    pub(crate) fn near(&self, print: &Fingerprint, k: u32) -> Result<Vec<(u32, usize)>, Error> {
        self.0(print, k)
    }
}

impl Search<'_> {
    /// An index of `set`, where the distance and the memory allow it.
    pub(crate) fn lookup_of(&self, set: &PrintSet) -> Result<Option<QueryLookup>, Error> {
        let is_wanted = self.distance <= MAX_QUERY_DISTANCE && self.plan != PlanChoice::BruteForce;
        let bytes = set.len() as u64 * INDEX;
        let fits = self.memory.is_none_or(|memory| bytes <= memory / 2);
        if !is_wanted || !fits || set.len() > self.most_in_memory {
            return Ok(None);
        }
        with_words!(set.prints(), words => self.index_of(words, set).map(Some), else Ok(None))
    }

    fn index_of<W: Word>(&self, words: &[W], set: &PrintSet) -> Result<QueryLookup, Error> {
        let index = self.in_pool(|| QueryIndex::build(words))?.map_err(Error::Search)?;
        let scheme = set.scheme();
        Ok(QueryLookup(Box::new(move |print, k| {
            let print = W::of_print(print).ok_or(Error::NotSearchable { scheme })?;
            let near = index.query(print, k).map_err(Error::Search)?;
            let near = near.iter().map(|near| (near.distance, near.document as usize));
            let mut near: Vec<_> = near.collect();
            near.sort_unstable();
            Ok(near)
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::Scheme;
    use nearprint_records::DocumentId;

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
        assert!(looking.lookup_of(&set).unwrap().is_none());
        let lookup = index.lookup_of(&set).unwrap().expect("there is memory");
        for query in 480..520 {
            let expected = index.near(&set, &print(query)).unwrap();
            assert_eq!(lookup.near(&print(query), 2).unwrap(), expected);
            assert_eq!(looking.near(&set, &print(query)).unwrap(), expected);
        }
    }
}
