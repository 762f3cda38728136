//! Many documents into an index, some thousand to a commit.

use nearprint::fingerprint::UnlikeSchemes;
use nearprint::{Documents, Error, IndexMatch, OnDuplicate};

use crate::{CaptureEntry, DiskIndex, IndexedLine, KeptFeatures, NewInsertions, StoredDocument};

/// Documents of a commit, unless another number is set.
const COMMIT: usize = 20_000;

/// Documents of a commit where indexes are merged.
const MERGE_COMMIT: usize = 100_000;

/// Bytes of features and texts from which on a commit comes earlier: they are in memory.
const LARGE: usize = 64 << 20;

/// Which documents are looked for near those that are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LookFor {
    /// None.
    #[default]
    Nothing,
    /// Those within this distance. A document that has some is not added.
    New(u32),
    /// Those within this distance that came before. All documents are added.
    Matches(u32),
}

/// How many documents were added, and what became of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AddedCounts {
    /// Documents that were added, without those that replaced another.
    pub added: u64,
    /// Documents that replaced one of the same id.
    pub replaced: u64,
    /// Documents whose id was in the index.
    pub skipped: u64,
    /// Documents that were not added because another is near.
    pub near: u64,
}

impl DiskIndex {
    /// Adds all documents of another index on disk with all that it stores of them, in commits of 100,000. The other
    /// index stays as it is.
    ///
    /// # Errors
    /// [`Error::UnlikeSchemes`] where the other index is of another scheme, and [`Error::DuplicateId`] where an id is
    /// in both and duplicates are refused: then nothing was added. Where an index cannot be read or written; commits
    /// before that stay.
    pub fn merge_whole(
        &self,
        other: &DiskIndex,
        on_duplicate: OnDuplicate,
    ) -> Result<AddedCounts, Error> {
        UnlikeSchemes::check(self.scheme(), other.scheme())?;
        if on_duplicate == OnDuplicate::Refuse {
            other.for_each(|document| match self.number(&document.id)? {
                Some(_) => Err(Error::DuplicateId { id: document.id }),
                None => Ok(()),
            })?;
        }
        let nothing = |_: &StoredDocument, _: Vec<IndexMatch>| Ok::<_, Error>(());
        let mut adding = DocumentInserter::new(self, on_duplicate, LookFor::Nothing, nothing)
            .commit(MERGE_COMMIT);
        other.for_each_whole(|document| adding.push(document))?;
        other.visit_entries(|entry| adding.push_line(IndexedLine::Capture(Box::new(entry))))?;
        adding.finish()
    }
}

/// Documents on their way into an index. Those since the last commit are in memory, and lost without
/// [`finish`](Self::finish).
///
/// ```
/// use nearprint::OnDuplicate;
/// use nearprint::fingerprint::Scheme;
/// use nearprint::records::DocumentId;
/// use nearprint_index::{DocumentInserter, DiskIndex, LookFor, Settings, StoredDocument};
///
/// # let directory = tempfile::tempdir().unwrap();
/// # let path = directory.path().join("reports.index");
/// let index = DiskIndex::create(&path, Scheme::SD1, Settings::default())?;
/// let mut known = Vec::new();
/// let take = |document: &StoredDocument, near: Vec<_>| {
///     known.push((document.id.to_string(), near.len()));
///     Ok::<_, nearprint::Error>(())
/// };
/// let mut adding = DocumentInserter::new(&index, OnDuplicate::Refuse, LookFor::New(3), take);
/// for (id, print) in [("fog", "sd1:aerukz4jvpg66"), ("mist", "sd1:aerukz4jvpg6y")] {
///     let id = DocumentId::new(id).expect("short and plain");
///     adding.push(StoredDocument::new(id, print.parse().expect("a fingerprint")))?;
/// }
/// let counts = adding.finish()?;
/// assert_eq!((counts.added, counts.near), (1, 1));
/// assert_eq!(known, [("mist".to_owned(), 1)]);
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Debug)]
pub struct DocumentInserter<'i, F> {
    index: &'i DiskIndex,
    on_duplicate: OnDuplicate,
    look_for: LookFor,
    /// Documents of a commit.
    most: usize,
    batch: Vec<StoredDocument>,
    /// Captures without documents, which are added after the documents.
    entries: Vec<CaptureEntry>,
    /// Bytes of the features and texts in the batch.
    bytes: usize,
    counts: AddedCounts,
    take: F,
}

impl<'i, E: From<Error>, F> DocumentInserter<'i, F>
where
    F: FnMut(&StoredDocument, Vec<IndexMatch>) -> Result<(), E>,
{
    /// Adds to an index, 20,000 documents to a commit. Documents that are looked for come to `take`, with the document
    /// they are near.
    pub fn new(
        index: &'i DiskIndex,
        on_duplicate: OnDuplicate,
        look_for: LookFor,
        take: F,
    ) -> Self {
        let (batch, entries, counts) = (Vec::new(), Vec::new(), AddedCounts::default());
        let most = COMMIT;
        Self { index, on_duplicate, look_for, most, batch, entries, bytes: 0, counts, take }
    }

    /// Commits so many documents at a time.
    #[must_use]
    pub fn commit(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// Adds a document.
    ///
    /// # Errors
    /// As for [`DiskIndex::insert_documents`] and [`DiskIndex::insert_new`], and those of `take`.
    pub fn push(&mut self, document: StoredDocument) -> Result<(), E> {
        self.bytes += document.features.as_ref().map_or(0, KeptFeatures::bytes);
        self.bytes += document.text.as_ref().map_or(0, |kept| kept.text.len());
        self.batch.push(document);
        match self.batch.len() >= self.most || self.bytes >= LARGE {
            true => self.insert(),
            false => Ok(()),
        }
    }

    /// Adds what a line is.
    ///
    /// # Errors
    /// As for [`push`](Self::push) and [`DiskIndex::add_captures`].
    pub fn push_line(&mut self, line: IndexedLine) -> Result<(), E> {
        match line {
            IndexedLine::Document(document) => self.push(*document),
            IndexedLine::Capture(entry) => {
                self.entries.push(*entry);
                if self.entries.len() >= self.most { self.insert() } else { Ok(()) }
            }
        }
    }

    /// Commits the documents so far, so that they are found in the index.
    ///
    /// # Errors
    /// As for [`push`](Self::push).
    pub fn commit_now(&mut self) -> Result<(), E> {
        self.insert()
    }

    /// Commits the rest.
    ///
    /// # Errors
    /// As for [`push`](Self::push).
    pub fn finish(mut self) -> Result<AddedCounts, E> {
        self.insert()?;
        Ok(self.counts)
    }

    fn insert(&mut self) -> Result<(), E> {
        let batch = std::mem::take(&mut self.batch);
        self.bytes = 0;
        if batch.is_empty() {
            return self.insert_entries();
        }
        let counts = match self.look_for {
            LookFor::Nothing => self.index.insert_documents(&batch, self.on_duplicate)?,
            LookFor::New(k) => {
                let NewInsertions { counts, known } =
                    self.index.insert_new(&batch, k, self.on_duplicate)?;
                self.counts.near += known.len() as u64;
                for (at, near) in known {
                    (self.take)(&batch[at], near)?;
                }
                counts
            }
            LookFor::Matches(k) => {
                let prints: Vec<_> =
                    batch.iter().map(|document| document.fingerprint.clone()).collect();
                let near = self.index.query_batch(&prints, k)?;
                let counts = self.index.insert_documents(&batch, self.on_duplicate)?;
                for (document, near) in batch.iter().zip(near) {
                    (self.take)(document, near)?;
                }
                counts
            }
        };
        self.counts.added += counts.added;
        self.counts.replaced += counts.replaced;
        self.counts.skipped += counts.skipped;
        self.insert_entries()
    }

    fn insert_entries(&mut self) -> Result<(), E> {
        let entries = std::mem::take(&mut self.entries);
        if !entries.is_empty() {
            self.index.add_captures(entries)?;
        }
        Ok(())
    }
}
