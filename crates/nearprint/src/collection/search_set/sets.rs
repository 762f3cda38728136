//! What is searched for pairs: one set, or two.

use super::join::Sides;
use crate::{Error, PrintSet};

/// The sets that a [`Search`](super::Search) finds pairs in: one, or two of one scheme. Pairs of one set are of two of
/// its documents, `a` before `b`; pairs of two sets have `a` in the first and `b` in the second.
///
/// ```
/// use nearprint::{PrintSet, Search, fingerprint::Scheme};
///
/// let left = PrintSet::of_words(Scheme::SD1, vec![0b0000, u64::MAX]).unwrap();
/// let right = PrintSet::of_words(Scheme::SD1, vec![0b0111]).unwrap();
/// let search = Search::within(3);
/// assert_eq!(search.numbered_pairs(&left)?.len(), 0);
/// assert_eq!(search.numbered_pairs((&left, &right))?.len(), 1);
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Sets<'s> {
    first: &'s PrintSet,
    second: Option<&'s PrintSet>,
}

impl<'s> Sets<'s> {
    /// The set alone, or with a second one.
    #[must_use]
    pub fn new(first: &'s PrintSet, second: Option<&'s PrintSet>) -> Self {
        Self { first, second }
    }

    /// Refuses sets of two schemes.
    pub(super) fn sides(self) -> Result<Sides<'s>, Error> {
        match self.second {
            Some(second) => Sides::two(self.first, second),
            None => Ok(Sides::one(self.first)),
        }
    }
}

impl<'s> From<&'s PrintSet> for Sets<'s> {
    fn from(set: &'s PrintSet) -> Self {
        Self::new(set, None)
    }
}

impl<'s> From<(&'s PrintSet, &'s PrintSet)> for Sets<'s> {
    fn from((first, second): (&'s PrintSet, &'s PrintSet)) -> Self {
        Self::new(first, Some(second))
    }
}
