//! A collection of fingerprints that changes and can be queried.
//!
//! [`Index`] is what a server, a binding or a program holds; it says nothing about where the documents are kept. What
//! is read of it is [`Documents`], as of every collection. [`MemoryIndex`] keeps them in memory. Other implementations
//! are held to the same answers by [`conformance`].

#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
mod memory;

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use nearprint_fingerprint::{Fingerprint, UnlikeSchemes};
use nearprint_records::DocumentId;

use crate::{DocumentView, Documents, Error, Filter, Parts};

pub use memory::MemoryIndex;

/// Documents with their fingerprints that change: inserted, replaced and removed, and asked as all [`Documents`] are.
///
/// Ids are unique in an index. Answers are exact: a query returns every document within `k`, so that any two indexes to
/// which the same was done give equal answers. Methods take `&self`: an index can be shared between threads as
/// `Arc<dyn Index>`, and a change is visible to the next query.
///
/// ```
/// use nearprint::fingerprint::Scheme;
/// use nearprint::records::DocumentId;
/// use nearprint::{Documents, Index, MemoryIndex, OnDuplicate};
///
/// let index = MemoryIndex::new(Scheme::SD1);
/// let fog = "sd1:aerukz4jvpg66".parse().unwrap();
/// index.insert(&DocumentId::new("fog").unwrap(), &fog, OnDuplicate::Refuse)?;
/// let found = index.query(&"sd1:aerukz4jvpg6y".parse().unwrap(), 3)?;
/// assert_eq!((found[0].id.as_str(), found[0].distance), ("fog", 2));
/// # Ok::<(), nearprint::Error>(())
/// ```
pub trait Index: Documents {
    /// Adds a document. `on_duplicate` decides what happens where its id is already there.
    ///
    /// # Errors
    /// [`Error::UnlikeSchemes`] where the fingerprint is of another scheme than the index,
    /// [`Error::DuplicateId`] where the id is there and duplicates are refused, and where the index
    /// cannot be written. After an error the index is as it was.
    fn insert(
        &self,
        id: &DocumentId,
        fingerprint: &Fingerprint,
        on_duplicate: OnDuplicate,
    ) -> Result<InsertOutcome, Error>;

    /// Adds many documents, all or none of them, and counts what became of them. An id that comes twice
    /// in the batch is a duplicate too.
    ///
    /// # Errors
    /// As for [`insert`](Self::insert); then no document of the batch is in the index.
    fn insert_batch(
        &self,
        documents: &[(DocumentId, Fingerprint)],
        on_duplicate: OnDuplicate,
    ) -> Result<InsertCounts, Error>;

    /// Adds all documents of another collection in their order, all or none of them, and counts what became of them.
    /// Their ids and fingerprints are in memory meanwhile. The other collection stays as it is.
    ///
    /// ```
    /// use nearprint::fingerprint::Scheme;
    /// use nearprint::records::DocumentId;
    /// use nearprint::{Documents, Index, MemoryIndex, OnDuplicate};
    ///
    /// let (all, november) = (MemoryIndex::new(Scheme::SD1), MemoryIndex::new(Scheme::SD1));
    /// let fog = "sd1:aerukz4jvpg66".parse().unwrap();
    /// november.insert(&DocumentId::new("fog").unwrap(), &fog, OnDuplicate::Refuse)?;
    /// assert_eq!(all.merge(&november, OnDuplicate::Refuse)?.added, 1);
    /// assert_eq!(all.len()?, 1);
    /// # Ok::<(), nearprint::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnlikeSchemes`] where the other collection is of another scheme, and as for
    /// [`insert_batch`](Self::insert_batch).
    fn merge(
        &self,
        other: &dyn Documents,
        on_duplicate: OnDuplicate,
    ) -> Result<InsertCounts, Error> {
        UnlikeSchemes::check(self.scheme(), other.scheme())?;
        let mut documents = Vec::new();
        other.visit(&Parts::default(), Filter::all(), &mut |document: DocumentView| {
            documents.push((document.id, document.fingerprint));
            ControlFlow::Continue(())
        })?;
        self.insert_batch(&documents, on_duplicate)
    }

    /// Removes a document; `false` where there is none of this id.
    ///
    /// # Errors
    /// Where the index cannot be written.
    fn remove(&self, id: &DocumentId) -> Result<bool, Error>;
}

/// What happens to a document whose id is already in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnDuplicate {
    /// It is an error, named `error`.
    #[default]
    Refuse,
    /// It takes the place of the one there is, named `replace`.
    Replace,
    /// The one there is stays, named `skip`.
    Skip,
}

impl OnDuplicate {
    /// All of them by name.
    pub const NAMES: [(&'static str, Self); 3] =
        [("error", Self::Refuse), ("replace", Self::Replace), ("skip", Self::Skip)];
}

impl FromStr for OnDuplicate {
    type Err = UnknownOnDuplicate;

    fn from_str(name: &str) -> Result<Self, UnknownOnDuplicate> {
        let mut all = Self::NAMES.into_iter();
        all.find(|(known, _)| *known == name).map(|(_, rule)| rule).ok_or(UnknownOnDuplicate)
    }
}

impl fmt::Display for OnDuplicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.into_iter().find(|(_, rule)| rule == self).map(|(name, _)| name);
        f.pad(name.expect("every rule has a name"))
    }
}

/// A rule for duplicate ids that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownOnDuplicate;

impl fmt::Display for UnknownOnDuplicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the rules for duplicate ids are error, replace and skip")
    }
}

impl std::error::Error for UnknownOnDuplicate {}

/// What an insertion did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InsertOutcome {
    /// The document was added.
    Added,
    /// It took the place of the one of its id.
    Replaced,
    /// The one of its id stays.
    Skipped,
}

/// What the insertions of a batch did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InsertCounts {
    /// Documents added.
    pub added: u64,
    /// Documents that took the place of another.
    pub replaced: u64,
    /// Documents left out because their id was there.
    pub skipped: u64,
}

impl InsertCounts {
    /// Counts one insertion more.
    pub fn count(&mut self, inserted: InsertOutcome) {
        match inserted {
            InsertOutcome::Added => self.added += 1,
            InsertOutcome::Replaced => self.replaced += 1,
            InsertOutcome::Skipped => self.skipped += 1,
        }
    }
}
