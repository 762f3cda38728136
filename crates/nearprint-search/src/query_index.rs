//! An index of prints in memory: which documents lie within k of a print.

use std::ops::ControlFlow;

use crate::error::SearchError;
use crate::kernel::SimdLevel;
use crate::word::FingerprintWord;

/// The largest distance the index answers, in bits.
pub const MAX_QUERY_DISTANCE: u32 = 12;

/// A document near the print asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Match {
    /// The document.
    pub document: u32,
    /// Bits in which its print differs from the one asked for, 0 to k.
    pub distance: u32,
}

/// Prints with their documents, to be queried, added to and removed from.
///
/// # Examples
///
/// ```
/// use nearprint_search::{Match, QueryIndex};
/// let mut index = QueryIndex::build(&[0u64, 0b111, u64::MAX])?;
/// index.insert(7, 0b1);
/// assert!(index.remove(0, 0));
/// let near = index.query(0, 3)?;
/// assert_eq!(near, [Match { document: 1, distance: 3 }, Match { document: 7, distance: 1 }]);
/// # Ok::<(), nearprint_search::SearchError>(())
/// ```
#[derive(Debug, Clone)]
pub struct QueryIndex<W> {
    prints: Vec<W>,
    documents: Vec<u32>,
}

impl<W: FingerprintWord> QueryIndex<W> {
    /// Indexes the documents `0..prints.len()`.
    ///
    /// # Errors
    ///
    /// When there are more than 2^32 - 1 prints.
    pub fn build(prints: &[W]) -> Result<Self, SearchError> {
        let count = prints.len();
        let documents = u32::try_from(count).map_err(|_| SearchError::TooManyPrints { count })?;
        Ok(Self { prints: prints.to_vec(), documents: (0..documents).collect() })
    }

    /// Number of documents in it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.prints.len()
    }

    /// Whether it holds no document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.prints.is_empty()
    }

    /// Adds a document with its print. The same document may be there under other prints.
    pub fn insert(&mut self, document: u32, print: W) {
        self.prints.push(print);
        self.documents.push(document);
    }

    /// Takes out a document that was put in with this print; `false` if it is not there.
    pub fn remove(&mut self, document: u32, print: W) -> bool {
        let mut entries = self.prints.iter().zip(&self.documents);
        let Some(at) = entries.position(|entry| entry == (&print, &document)) else {
            return false;
        };
        self.prints.swap_remove(at);
        self.documents.swap_remove(at);
        true
    }

    /// The documents within `k` (0 to [`MAX_QUERY_DISTANCE`]) of `print`, ascending.
    ///
    /// # Errors
    ///
    /// When `k` is too large.
    pub fn query(&self, print: W, k: u32) -> Result<Vec<Match>, SearchError> {
        let mut matches = Vec::new();
        self.query_batch(&[print], k, &mut |_, found| {
            matches.push(found);
            ControlFlow::Continue(())
        })?;
        matches.sort_unstable();
        Ok(matches)
    }

    /// Answers many queries at once, faster than one by one: `found` is told each match with the
    /// position of its query in `prints`, in no order, and may end the batch.
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
        if k > MAX_QUERY_DISTANCE {
            return Err(SearchError::DistanceTooLarge { k, limit: MAX_QUERY_DISTANCE });
        }
        let kernels = W::kernels().at(SimdLevel::detect());
        let mut near = Vec::new();
        for (query, &print) in prints.iter().enumerate() {
            (kernels.one_to_many)(print, &self.prints, k, &mut near);
            for at in near.drain(..) {
                let document = self.documents[at as usize];
                let distance = print.hamming_distance(self.prints[at as usize]);
                if found(query, Match { document, distance }).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
