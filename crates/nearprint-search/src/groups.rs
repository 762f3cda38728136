//! Documents grouped by equal fingerprints: the first step of every search.
//!
//! A hundred thousand copies of one page are one fingerprint with a hundred thousand documents, not five
//! thousand million pairs. Searches run among the distinct fingerprints; documents come back in only
//! when a result is reported. The groups are one sorted array of fingerprints with the documents' positions
//! beside it, and a directory over the top bits that finds a fingerprint in about one memory access.

mod directory;

use std::fmt;

use crate::buffer::Buffer;
use crate::error::SearchError;
use crate::prefetch::prefetch;
use crate::radix;
use crate::word::FingerprintWord;
use directory::Directory;

/// Documents by fingerprint: every distinct fingerprint once, with the positions of its documents.
///
/// # Examples
///
/// ```
/// use nearprint_search::Groups;
/// let groups = Groups::of(&[7u64, 3, 7, 7])?;
/// assert_eq!(groups.distinct(), 2);
/// let listed: Vec<_> = groups.iter().collect();
/// assert_eq!(listed, [(3, &[1][..]), (7, &[0, 2, 3][..])]);
/// # Ok::<(), nearprint_search::SearchError>(())
/// ```
pub struct Groups<W> {
    /// All fingerprints, sorted, equal ones adjacent.
    prints: Buffer<W>,
    /// The position of the document each entry of `prints` came from; ascending within a group.
    documents: Buffer<u32>,
    directory: Directory,
}

impl<W: FingerprintWord> Groups<W> {
    pub(crate) fn from_prints(prints: &[W]) -> Result<Self, SearchError> {
        let count = prints.len();
        if u32::try_from(count).is_err() {
            return Err(SearchError::TooManyPrints { count });
        }
        let (prints, documents) = radix::sort_with_positions(prints);
        Ok(Self::sorted(prints, documents))
    }

    pub(crate) fn from_owned_prints(prints: Vec<W>) -> Result<Self, SearchError> {
        let count = prints.len();
        if u32::try_from(count).is_err() {
            return Err(SearchError::TooManyPrints { count });
        }
        let (prints, documents) = radix::sort_owned(prints);
        Ok(Self::sorted(prints, documents))
    }

    /// Makes the groups of fingerprints already sorted, with ascending documents where they are equal.
    pub(crate) fn sorted(prints: Buffer<W>, documents: Buffer<u32>) -> Self {
        let directory = Directory::of(&prints);
        Self { prints, documents, directory }
    }

    /// Bytes the groups of so many documents take.
    pub(crate) fn bytes(documents: usize) -> usize {
        documents * (size_of::<W>() + 6)
    }

    /// The groups of fingerprints whose documents have other names than their positions.
    pub(crate) fn named(prints: &[W], names: &[u32]) -> Self {
        let (prints, mut documents) = radix::sort_with_positions(prints);
        for document in documents.iter_mut() {
            *document = names[*document as usize];
        }
        Self::sorted(prints, documents)
    }

    /// Number of documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.prints.len()
    }

    /// Whether there is no document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.prints.is_empty()
    }

    /// Number of distinct fingerprints.
    #[must_use]
    pub fn distinct(&self) -> usize {
        self.directory.distinct
    }

    /// Every distinct fingerprint in ascending order, with the positions of its documents, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (W, &[u32])> {
        let mut rest = &self.documents[..];
        self.prints.chunk_by(|a, b| a == b).map(move |group| {
            let (documents, after) = rest.split_at(group.len());
            rest = after;
            (group[0], documents)
        })
    }

    /// The documents that have this fingerprint, ascending; empty if none has.
    #[must_use]
    pub fn documents(&self, print: W) -> &[u32] {
        let (start, end) = self.entries(print);
        self.documents_at(start, end)
    }

    /// The sorted entries that hold this fingerprint: their start and end.
    pub(crate) fn entries(&self, print: W) -> (u32, u32) {
        let (start, end) = self.directory.range(print);
        let bucket = &self.prints[start as usize..end as usize];
        let first = if bucket.len() <= 16 {
            bucket.iter().take_while(|&&other| other < print).count()
        } else {
            bucket.partition_point(|&other| other < print)
        };
        let equal = match bucket.get(first + 1) {
            // Mostly there is one, and the next is another.
            Some(&next) if next == print => {
                bucket[first..].partition_point(|&other| other == print)
            }
            _ => usize::from(bucket.get(first) == Some(&print)),
        };
        (start + first as u32, start + (first + equal) as u32)
    }

    /// The documents of the entries from `start` to `end`.
    pub(crate) fn documents_at(&self, start: u32, end: u32) -> &[u32] {
        &self.documents[start as usize..end as usize]
    }

    /// Asks for the memory [`prefetch_documents`](Self::prefetch_documents) reads.
    pub(crate) fn prefetch_entry(&self, print: W) {
        prefetch(self.directory.ends(), self.directory.entry(print));
    }

    /// Asks for the memory [`documents`](Self::documents) reads.
    pub(crate) fn prefetch_documents(&self, print: W) {
        let start = self.directory.range(print).0 as usize;
        prefetch(&self.prints, start);
        prefetch(&self.documents, start);
    }

    pub(crate) fn count_equal_pairs(&self) -> u64 {
        self.prints
            .chunk_by(|a, b| a == b)
            .map(|group| group.len() as u64 * (group.len() as u64 - 1) / 2)
            .sum()
    }

    /// All fingerprints, sorted.
    pub(crate) fn prints(&self) -> &[W] {
        &self.prints
    }
}

impl<W: FingerprintWord> fmt::Debug for Groups<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Groups")
            .field("documents", &self.len())
            .field("distinct", &self.distinct())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::SearchedWord;

    fn agrees<W: SearchedWord>(prints: &[W], absent: W) {
        let groups = Groups::of(prints).expect("few prints");
        let owned = Groups::of_owned(prints.to_vec()).expect("few prints");
        assert!(owned.iter().eq(groups.iter()));
        let mut seen = 0;
        for (print, documents) in groups.iter() {
            assert!(documents.iter().all(|&document| prints[document as usize] == print));
            assert!(documents.is_sorted());
            assert_eq!(groups.documents(print), documents);
            seen += documents.len();
        }
        assert_eq!(seen, prints.len());
        assert_eq!(groups.iter().count(), groups.distinct());
        assert!(groups.documents(absent).is_empty());
    }

    proptest! {
        #[test]
        fn every_document_is_in_the_group_of_its_print(prints in prop::collection::vec(0u128..50, 0..200), shift in 0u32..122) {
            let shifted = |width: u32| prints.iter().map(move |print| print << (shift % (width - 6)));
            agrees::<u32>(&shifted(32).map(|print| print as u32).collect::<Vec<_>>(), 51 << (shift % 26));
            agrees::<u64>(&shifted(64).map(|print| print as u64).collect::<Vec<_>>(), 51 << (shift % 58));
            agrees::<u128>(&shifted(128).collect::<Vec<_>>(), 51 << shift);
        }
    }

    #[test]
    fn equal_pairs_are_counted_not_listed() -> Result<(), SearchError> {
        let groups = Groups::of(&vec![9u32; 100_000])?;
        assert_eq!(groups.equal_pairs(), 4_999_950_000);
        assert_eq!(groups.distinct(), 1);
        Ok(())
    }

    #[test]
    fn no_documents_make_no_groups() -> Result<(), SearchError> {
        let groups = Groups::<u128>::of(&[])?;
        assert!(groups.is_empty());
        assert_eq!(groups.iter().count(), 0);
        assert!(groups.documents(0).is_empty());
        Ok(())
    }
}
