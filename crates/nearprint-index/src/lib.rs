//! An index of fingerprints that lasts: documents on disk, inserted into, queried and removed from.
//!
//! [`DiskIndex`] implements the facade's traits [`Index`](nearprint::Index) and [`Documents`](nearprint::Documents),
//! with the same answers as [`MemoryIndex`](nearprint::MemoryIndex):
//!
//! ```
//! use nearprint::fingerprint::Scheme;
//! use nearprint::records::DocumentId;
//! use nearprint::{Documents, Index, OnDuplicate};
//! use nearprint_index::{DiskIndex, Settings};
//!
//! # let directory = tempfile::tempdir().unwrap();
//! # let path = directory.path().join("reports.index");
//! let index = DiskIndex::create(&path, Scheme::SD1, Settings::default())?;
//! let fog = "sd1:aerukz4jvpg66".parse().unwrap();
//! index.insert(&DocumentId::new("fog").unwrap(), &fog, OnDuplicate::Refuse)?;
//! drop(index);
//!
//! let index = DiskIndex::open_read_only(&path, Settings::default())?;
//! let found = index.query(&"sd1:aerukz4jvpg6y".parse().unwrap(), 3)?;
//! assert_eq!((found[0].id.as_str(), found[0].distance), ("fog", 2));
//! # Ok::<(), nearprint::Error>(())
//! ```
//!
//! # What it guarantees
//!
//! - A change that was acknowledged is on the disk: it survives the end of the process and of the machine. One that was
//!   not is there whole or not at all.
//! - Answers are those of brute force, for every distance, and the next query sees a change.
//! - The store of documents is the truth. Tables are made from it, checked before they are used, and can be made again
//!   at any time ([`DiskIndex::rebuild`]). A damaged file is an error that names it.
//! - One process writes; any number read meanwhile, each query in one state of the index.
//!
//! docs/INDEX.md states the layout and the bytes, and names the tests.

// The load of the tests names the crate as the tests beside it do.
#[cfg(test)]
extern crate self as nearprint_index;

mod band_table;
mod body;
mod cancellation;
mod captures;
mod changes;
mod copied_tables;
mod description;
mod disk_index;
mod document_list;
mod document_reader;
mod documents;
mod error;
mod export;
mod filter_visits;
mod group;
mod header;
mod indexed_lines;
mod inserter;
mod insertion;
mod kept_parts;
mod large_parts;
mod layout;
mod lock;
mod maintenance;
mod open;
mod panics;
mod parts;
mod payloads;
mod plan;
mod policy;
#[cfg(test)]
mod power_cut;
mod prepared_document;
mod recent;
mod record;
mod removal;
mod removed_numbers;
mod revisits;
mod rows;
mod segment;
mod segment_rows;
mod segment_writer;
mod sketch_print;
mod snapshot;
mod source;
mod store;
mod table_print;
mod tables;
#[cfg(test)]
mod tables_alone;
mod texts;
mod verify;
mod word_print;

pub use cancellation::until_cancelled;
pub use captures::{CaptureRange, StoredCapture};
pub use disk_index::{DiskIndex, Statistics};
pub use document_reader::{ReadCounts, ReadStep};
pub use error::IndexError;
pub use export::ExportError;
pub use header::{FORMAT_VERSION, Header};
pub use indexed_lines::{ExportHead, IndexedLines};
pub use inserter::{AddedCounts, DocumentInserter, LookFor};
pub use insertion::{Addition, IfNew, NewInsertions};
pub use kept_parts::KeptFeatures;
pub use open::{Settings, default_parts};
pub use payloads::KnownPayloads;
pub use record::{LONGEST_METADATA, StoredDocument, check_metadata};
pub use revisits::{Revisit, Revisits};
pub use texts::StoredText;
pub use verify::VerifyReport;
