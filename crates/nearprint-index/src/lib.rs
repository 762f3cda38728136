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

// The layers, each of which uses those before it and none after it: `store` (the file of documents), `segment` (a file
// of tables), `tables` (what queries go by), `index_state` (an open index), `verified_matches` (of which texts were
// compared), `maintenance` (segments are written and
// merged), `changes` (what a commit writes), `disk_index` (what an index offers). Readers, exporters and inserters of
// many documents use that.

mod cancellation;
mod changes;
mod disk_index;
mod document_reader;
mod error;
mod export;
mod format;
mod index_state;
mod indexed_lines;
mod inserter;
mod lock;
mod maintenance;
mod panics;
mod payloads;
mod policy;
#[cfg(test)]
mod power_cut;
mod revisits;
mod segment;
mod snapshot;
mod store;
mod tables;
#[cfg(test)]
mod tables_alone;
mod verified_matches;
mod verify;

pub use cancellation::until_cancelled;
pub use disk_index::DiskIndex;
pub use disk_index::address_list::{AddressPage, HostPage, ListedAddress, ListedHost};
pub use disk_index::admission::{Admission, Budget};
pub use disk_index::capture_list::{CapturedDocument, ListedCapture};
pub use disk_index::captures::StoredCapture;
pub use disk_index::document_list::{DocumentPage, PageRequest};
pub use disk_index::insertion::{Addition, IfNew, NewInsertions};
pub use disk_index::metadata::MetadataChange;
pub use disk_index::open::{Settings, default_parts};
pub use disk_index::statistics::Statistics;
pub use document_reader::{ReadCounts, ReadStep};
pub use error::IndexError;
pub use export::ExportError;
pub use format::FORMAT_VERSION;
pub use indexed_lines::{ExportHead, IndexedLine, IndexedLines};
pub use inserter::{AddedCounts, DocumentInserter, LookFor};
pub use payloads::KnownPayloads;
pub use revisits::{Revisit, Revisits};
pub use store::capture_details::{CaptureChange, CaptureDetails};
pub use store::capture_entries::CaptureEntry;
pub use store::capture_keys::CaptureRange;
pub use store::header::Header;
pub use store::kept_features::KeptFeatures;
pub use store::record::{LONGEST_METADATA, StoredDocument, check_metadata};
pub use store::texts::StoredText;
pub use verify::VerifyReport;
