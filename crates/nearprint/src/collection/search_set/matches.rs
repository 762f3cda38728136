//! What is near one print.

use nearprint_fingerprint::{Fingerprint, UnlikeSchemes};
use nearprint_records::{DocumentId, MatchRow};
use nearprint_search::sketch_distance;

use super::Search;
use crate::store::print_set::{Prints, Word, with_words};
use crate::{Error, PrintSet};

impl Search<'_> {
    /// The documents near one print, nearest first, in the order of the set where they are equally near.
    ///
    /// One query looks at every print, which costs less than building an index for it; any distance will do. For many
    /// queries of one set use [`QueryIndex`](nearprint_search::QueryIndex).
    ///
    /// # Errors
    /// Where the print is of another scheme than the set, or the set's file cannot be read.
    pub fn matches(
        &self,
        set: &PrintSet,
        query: &DocumentId,
        fingerprint: &Fingerprint,
    ) -> Result<Vec<MatchRow>, Error> {
        let found = self.near(set, fingerprint)?;
        Ok(found
            .into_iter()
            .map(|(distance, position)| {
                let (query, id) = (query.clone(), set.document_id(position));
                MatchRow::new(query, id, distance, set.estimate(distance))
            })
            .collect())
    }

    /// The distances of the documents near one print, with their positions, in that order.
    pub(crate) fn near(
        &self,
        set: &PrintSet,
        fingerprint: &Fingerprint,
    ) -> Result<Vec<(u32, usize)>, Error> {
        UnlikeSchemes::check(set.scheme(), fingerprint.scheme())?;
        let near = |(position, distance): (usize, u32)| {
            (distance <= self.distance).then_some((distance, position))
        };
        if self.is_planned() && fingerprint.as_sketch().is_none() {
            let (mut query, mut found) = (PrintSet::new(set.scheme()), Vec::new());
            query.push_numbered(fingerprint)?;
            self.near_each(set, &query, &mut |(_, distance, position)| {
                found.push((distance, position as usize));
                Ok::<_, Error>(())
            })?;
            return Ok(found);
        }
        let refused = Error::NotSearchable { scheme: set.scheme() };
        let mut found: Vec<(u32, usize)> = match set.prints() {
            Prints::Sketches(sketches) => {
                let wanted = fingerprint.as_sketch().ok_or(refused)?;
                let mut found = Vec::new();
                sketches.each(|from, some| {
                    let distances = some.iter().map(|sketch| sketch_distance(wanted, sketch));
                    found.extend((from..).zip(distances).filter_map(near));
                })?;
                found
            }
            prints => with_words!(
                prints,
                words => distances(words, fingerprint).ok_or(refused)?.filter_map(near).collect(),
                else return Err(refused)
            ),
        };
        found.sort_unstable();
        Ok(found)
    }
}

/// The distance of each word from a print, with its position; `None` where their widths are unlike.
fn distances<'w, W: Word>(
    words: &'w [W],
    fingerprint: &Fingerprint,
) -> Option<impl Iterator<Item = (usize, u32)> + use<'w, W>> {
    let wanted = W::of_print(fingerprint)?;
    Some(words.iter().map(move |&word| wanted.hamming_distance(word)).enumerate())
}
