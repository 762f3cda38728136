//! What is near one print.

use nearprint_fingerprint::{Fingerprint, UnlikeSchemes};
use nearprint_records::{DocumentId, MatchRow};
use nearprint_search::{FingerprintWord, sketch_distance};

use super::Search;
use crate::print_set::Prints;
use crate::{Error, PrintSet};

impl Search<'_> {
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
}
