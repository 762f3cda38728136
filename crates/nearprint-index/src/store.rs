//! The store of an index: documents, ids and what is known about the tables, in one file with transactions.
//!
//! | table | key | value |
//! |---|---|---|
//! | `documents` | sequence number | record |
//! | `ids` | id of a document before number `indexed` | sequence number |
//! | `features` | sequence number | what verification compares, where the index keeps it |
//! | `texts` | sequence number | the text, where the index keeps texts |
//! | `captures` | key of an address, time, sequence number | |
//! | `payloads` | digest of a payload, sequence number | |
//! | `entries` | key of an address, time, digest of the entry | a capture without a document; the table may be missing |
//! | `removed` | sequence number of a removed document that tables may still name | |
//! | `segments` | first sequence number | description of a file of tables |
//! | `header` | name | text |
//! | `state` | name | number |
//!
//! A document gets the next sequence number when it is inserted, and another one when it is replaced: the fingerprint
//! of a number never changes, and a removed number stays removed. The database does not check its pages when it reads
//! them, so a number that tables name and that is neither in `documents` nor in `removed` shows that the store is
//! damaged.

pub(crate) mod capture_details;
pub(crate) mod capture_entries;
pub(crate) mod capture_keys;
pub(crate) mod description;
pub(crate) mod header;
pub(crate) mod kept_features;
pub(crate) mod large_parts;
pub(crate) mod parts;
pub(crate) mod recent_ids;
pub(crate) mod record;
pub(crate) mod rows;
pub(crate) mod source;
pub(crate) mod texts;

use std::path::{Path, PathBuf};

use redb::{
    ConcurrencyMode, ReadTransaction, ReadableDatabase, ReadableTable, TableDefinition,
    WriteTransaction,
};

use crate::IndexError;
use crate::lock::WriterLock;
use crate::panics::caught;
use crate::store::description::Description;

pub(crate) const DOCUMENTS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("documents");
pub(crate) const IDS: TableDefinition<'_, &[u8], u64> = TableDefinition::new("ids");
pub(crate) const FEATURES: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("features");
pub(crate) const TEXTS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("texts");
pub(crate) const CAPTURES: TableDefinition<'_, &[u8], ()> = TableDefinition::new("captures");
pub(crate) const PAYLOADS: TableDefinition<'_, &[u8], ()> = TableDefinition::new("payloads");
pub(crate) const ENTRIES: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("entries");
pub(crate) const REMOVED: TableDefinition<'_, u64, ()> = TableDefinition::new("removed");
pub(crate) const SEGMENTS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("segments");
pub(crate) const HEADER: TableDefinition<'_, &str, &str> = TableDefinition::new("header");
pub(crate) const STATE: TableDefinition<'_, &str, u64> = TableDefinition::new("state");

/// Commits so far: who holds a copy of anything compares this.
pub(crate) const CHANGES: &str = "changes";
/// The next sequence number.
pub(crate) const NEXT: &str = "next";
/// The first sequence number of which the id is not in `ids`.
pub(crate) const INDEXED: &str = "indexed";
/// The number of the next file of tables.
pub(crate) const NEXT_FILE: &str = "next-file";

/// The store of one index.
pub(crate) struct Store {
    file: PathBuf,
    database: Database,
}

enum Database {
    Writing(redb::Database),
    Reading(redb::ReadOnlyDatabase),
}

impl Store {
    /// The file of the store of an index.
    pub(crate) fn file(index: &Path) -> PathBuf {
        index.join("store.redb")
    }

    /// Creates the store of an index, with these tables empty.
    pub(crate) fn create(index: &Path, cache: usize) -> Result<Self, IndexError> {
        let file = Self::file(index);
        let database = builder(cache).create(&file).map_err(|error| refused(&file, error))?;
        let store = Self { file, database: Database::Writing(database) };
        let transaction = store.begin_write()?;
        store.tried(transaction.open_table(DOCUMENTS).map(drop))?;
        store.tried(transaction.open_table(IDS).map(drop))?;
        store.tried(transaction.open_table(FEATURES).map(drop))?;
        store.tried(transaction.open_table(TEXTS).map(drop))?;
        store.tried(transaction.open_table(CAPTURES).map(drop))?;
        store.tried(transaction.open_table(PAYLOADS).map(drop))?;
        store.tried(transaction.open_table(ENTRIES).map(drop))?;
        store.tried(transaction.open_table(REMOVED).map(drop))?;
        store.tried(transaction.open_table(SEGMENTS).map(drop))?;
        store.tried(transaction.open_table(HEADER).map(drop))?;
        store.tried(transaction.open_table(STATE).map(drop))?;
        store.commit(transaction)?;
        Ok(store)
    }

    /// Refuses a directory without a store.
    pub(crate) fn is_there(index: &Path) -> Result<(), IndexError> {
        if Self::file(index).is_file() {
            return Ok(());
        }
        let reason = "it has no file store.redb".to_owned();
        Err(IndexError::NotAnIndex { path: index.to_owned(), reason })
    }

    /// Opens the store for reading.
    ///
    /// Where the last writer was killed, the database wants to be opened for writing once, which changes no content.
    /// That is done here where no writer is there to do it.
    pub(crate) fn open_read_only(index: &Path, cache: usize) -> Result<Self, IndexError> {
        let opened = Self::open(index, false, cache);
        let is_unclean = |error: &IndexError| matches!(error, IndexError::Store { detail, .. } if detail == UNCLEAN);
        match opened {
            Err(error) if is_unclean(&error) => match WriterLock::take(index) {
                Ok(_lock) => {
                    drop(Self::open(index, true, cache)?);
                    Self::open(index, false, cache)
                }
                // Whoever writes has opened it by now, or does so just now.
                Err(IndexError::Held { .. }) => Self::open(index, false, cache),
                Err(_) => Err(error),
            },
            opened => opened,
        }
    }

    pub(crate) fn open(index: &Path, writing: bool, cache: usize) -> Result<Self, IndexError> {
        Self::is_there(index)?;
        let file = Self::file(index);
        let opened = caught(|| match writing {
            true => builder(cache).open(&file).map(Database::Writing),
            false => builder(cache).open_read_only(&file).map(Database::Reading),
        });
        match opened {
            Some(Ok(database)) => Ok(Self { file, database }),
            Some(Err(redb::DatabaseError::DatabaseAlreadyOpen)) => Err(IndexError::Held {
                path: index.to_owned(),
                holder: "a program that is not nearprint".to_owned(),
            }),
            Some(Err(error)) => Err(refused(&file, error)),
            None => Err(unreadable(&file)),
        }
    }

    /// Opens the store for writing, on a file that a test watches.
    #[cfg(test)]
    pub(crate) fn open_on<B: redb::StorageBackend>(
        index: &Path,
        cache: usize,
        watched: impl FnOnce(&Path) -> B,
    ) -> Result<Self, IndexError> {
        let file = Self::file(index);
        let opened = builder(cache).create_with_backend(watched(&file));
        let database = opened.map_err(|error| refused(&file, error))?;
        Ok(Self { file, database: Database::Writing(database) })
    }

    /// Does some work with the store, of which a damaged file may make the database panic.
    pub(crate) fn guarded<T, E: From<IndexError>>(
        &self,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        caught(work).unwrap_or_else(|| Err(unreadable(&self.file).into()))
    }

    pub(crate) fn begin_read(&self) -> Result<ReadTransaction, IndexError> {
        self.tried(match &self.database {
            Database::Writing(database) => database.begin_read(),
            Database::Reading(database) => database.begin_read(),
        })
    }

    /// A transaction that is on the disk once it is committed, and after which opening takes no repair, however the
    /// process ends.
    pub(crate) fn begin_write(&self) -> Result<WriteTransaction, IndexError> {
        let Database::Writing(database) = &self.database else {
            let path = self.file.parent().unwrap_or(Path::new("")).to_owned();
            return Err(IndexError::ReadOnly { path });
        };
        let mut transaction = self.tried(database.begin_write())?;
        transaction.set_quick_repair(true);
        self.tried(transaction.set_durability(redb::Durability::Immediate))?;
        Ok(transaction)
    }

    pub(crate) fn commit(&self, transaction: WriteTransaction) -> Result<(), IndexError> {
        self.tried(transaction.commit())
    }

    /// The result of an operation of the database as one of the index.
    pub(crate) fn tried<T, E: Into<redb::Error>>(
        &self,
        result: Result<T, E>,
    ) -> Result<T, IndexError> {
        result.map_err(|error| refused(&self.file, error))
    }

    /// An error about what is in the store.
    pub(crate) fn damaged(&self, detail: impl Into<String>) -> IndexError {
        IndexError::Store { file: self.file.clone(), detail: detail.into() }
    }

    /// A number of the state; 0 where there is none.
    pub(crate) fn state(
        &self,
        table: &impl ReadableTable<&'static str, u64>,
        name: &'static str,
    ) -> Result<u64, IndexError> {
        Ok(self.tried(table.get(name))?.map_or(0, |value| value.value()))
    }

    /// The files of tables, in the order of their sequence numbers.
    pub(crate) fn segments(
        &self,
        table: &impl ReadableTable<u64, &'static [u8]>,
    ) -> Result<Vec<Description>, IndexError> {
        let mut all: Vec<Description> = Vec::new();
        for row in self.tried(table.iter())? {
            let (first, bytes) = self.tried(row)?;
            let described = Description::decode(bytes.value());
            let fits = |found: &Description| {
                found.first == first.value()
                    && all.last().is_none_or(|last| last.end <= found.first)
            };
            let found = described.filter(fits);
            all.push(found.ok_or_else(|| self.damaged("the list of tables is damaged"))?);
        }
        Ok(all)
    }

    /// Gives unused space back to the file system.
    pub(crate) fn compact(&mut self) -> Result<(), IndexError> {
        let compacted = match &mut self.database {
            Database::Writing(database) => caught(|| database.compact().map(drop)),
            Database::Reading(_) => Some(Ok(())),
        };
        match compacted {
            Some(compacted) => {
                compacted.map_err(|error| refused(&self.file, redb::Error::from(error)))
            }
            None => Err(unreadable(&self.file)),
        }
    }
}

/// The error for a reader whose store must be opened for writing first.
const UNCLEAN: &str =
    "the process that wrote to it was ended, and it has to be opened for writing once";

fn builder(cache: usize) -> redb::Builder {
    let mut builder = redb::Database::builder();
    builder.set_concurrency_mode(ConcurrencyMode::SingleWriter).set_cache_size(cache);
    builder
}

fn unreadable(file: &Path) -> IndexError {
    IndexError::Store { file: file.to_owned(), detail: "it cannot be read".to_owned() }
}

fn refused(file: &Path, error: impl Into<redb::Error>) -> IndexError {
    match error.into() {
        redb::Error::Io(error) if error.kind() != std::io::ErrorKind::InvalidData => {
            IndexError::io(file)(error)
        }
        redb::Error::RepairAborted => {
            IndexError::Store { file: file.to_owned(), detail: UNCLEAN.to_owned() }
        }
        error => IndexError::Store { file: file.to_owned(), detail: error.to_string() },
    }
}
