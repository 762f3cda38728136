//! What the tests of the index on disk share.
#![allow(dead_code, reason = "each test takes what it needs of it")]

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

/// A fingerprint near those of numbers that are equal modulo 50.
pub(crate) fn print(number: u64) -> Fingerprint {
    let mix = |n: u64| n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let word = mix(number % 50) ^ 1 << (mix(number) >> 58) ^ 1 << (mix(number ^ 99) >> 58);
    Fingerprint::from_u64(Scheme::SD1, word).expect("64 bits")
}

/// An index of documents `0..count`, of several segments and some fresh documents.
pub(crate) fn filled(path: &Path, count: u64) -> DiskIndex {
    use nearprint::{Index, OnDuplicate};
    let index = DiskIndex::create(path, Scheme::SD1, small()).expect("a new index");
    for first in (0..count).step_by(7) {
        let documents: Vec<_> =
            (first..count.min(first + 7)).map(|number| (id(number), print(number))).collect();
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
