//! What the tests of the index on disk share.
#![allow(dead_code, reason = "each test takes what it needs of it")]

pub(crate) mod load;

use std::path::Path;

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::DocumentId;
use nearprint_index::{DiskIndex, Settings};
use tempfile::TempDir;

/// A new directory, in memory where the system has such: tests end processes, not machines, and wait for no disk.
pub(crate) fn directory() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = match memory.is_dir() {
        true => tempfile::tempdir_in(memory),
        false => tempfile::tempdir(),
    };
    made.expect("a directory")
}

/// Small segments, so that a few documents make many.
pub(crate) fn small() -> Settings {
    Settings::default().cache(1 << 20).fresh(8).background(false)
}

pub(crate) fn open(path: &Path) -> DiskIndex {
    DiskIndex::open(path, small()).expect("an index")
}

pub(crate) fn id(number: u64) -> DocumentId {
    DocumentId::new(format!("https://example.org/{number}")).expect("a valid id")
}

/// The fingerprint of [`load::print`].
pub(crate) fn print(number: u64) -> Fingerprint {
    load::print(number)
}

/// The fingerprint of [`load::print_of`].
pub(crate) fn print_of(scheme: Scheme, number: u64) -> Fingerprint {
    load::print_of(scheme, number)
}

/// Schemes of both kinds of tables: of simhashes, and of sketches.
pub(crate) const SCHEMES: [Scheme; 2] = [Scheme::SD1, Scheme::MD1];

/// Operations of a run: some hundred, or as many as NEARPRINT_INDEX_OPERATIONS says.
pub(crate) fn operations() -> u64 {
    let given = std::env::var("NEARPRINT_INDEX_OPERATIONS").ok();
    given.map_or(600, |given| given.parse().expect("a number"))
}

/// An index of documents `0..count`, of several segments and some fresh documents.
pub(crate) fn filled(path: &Path, count: u64) -> DiskIndex {
    filled_with(path, Scheme::SD1, count)
}

/// The same of a scheme.
pub(crate) fn filled_with(path: &Path, scheme: Scheme, count: u64) -> DiskIndex {
    use nearprint::{Index, OnDuplicate};
    let index = DiskIndex::create(path, scheme, small()).expect("a new index");
    for first in (0..count).step_by(7) {
        let documents = first..count.min(first + 7);
        let documents: Vec<_> =
            documents.map(|number| (id(number), print_of(scheme, number))).collect();
        index.insert_batch(&documents, OnDuplicate::Refuse).expect("new ids");
    }
    index
}

/// The files of tables of an index.
pub(crate) fn table_files(path: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(path.join("tables")).expect("a directory");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}
