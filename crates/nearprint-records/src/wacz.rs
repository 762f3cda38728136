//! Web archives in packages: WACZ 1.1.1, a zip archive with WARC files in `archive/`, indexes and lists of pages.
//!
//! A package is recognised by the names of its first members, or by its own name. All its WARC files are read as other
//! WARC files are, without its indexes, and the digests that it states are compared with what is there. What the format
//! requires and the package lacks is reported and read around, because many programs write packages.

#[cfg(all(feature = "archives", feature = "spill"))]
mod archive_file;
#[cfg(feature = "archives")]
mod captures;
#[cfg(not(feature = "archives"))]
#[path = "wacz/captures_none.rs"]
mod captures;
#[cfg(feature = "archives")]
mod completeness;
#[cfg(feature = "archives")]
mod directory;
#[cfg(all(feature = "archives", feature = "spill"))]
mod index_copy;
#[cfg(feature = "archives")]
mod manifest;
#[cfg(feature = "archives")]
mod member_reader;
#[cfg(all(feature = "archives", feature = "spill"))]
mod moved_records;
#[cfg(all(feature = "archives", feature = "spill"))]
mod package_copy;
#[cfg(not(all(feature = "archives", feature = "spill")))]
#[path = "wacz/package_copy_none.rs"]
mod package_copy;
mod package_parts;
#[cfg(all(feature = "archives", feature = "spill"))]
mod package_writer;
#[cfg(all(feature = "archives", feature = "spill"))]
mod page_copy;
#[cfg(all(feature = "archives", feature = "spill"))]
mod stream_copy;
#[cfg(all(feature = "archives", not(feature = "spill")))]
#[path = "wacz/stream_copy_none.rs"]
mod stream_copy;
#[cfg(all(test, feature = "archives"))]
mod tests;

pub(crate) use captures::captures;
pub use package_copy::{copy_package, each_package_archive};
pub use package_parts::{PackageAddition, PackageArchive, PackageCopy};
#[cfg(feature = "archives")]
pub(crate) use stream_copy::stream_copy;

use crate::beginning::Beginning;

/// What a member of a zip archive begins with, and the bytes before its name.
const LOCAL_HEADER: &[u8] = b"PK\x03\x04";
const LOCAL_SIZE: usize = 30;

/// Whether a file that begins so is a package.
pub(crate) fn begins(beginning: &Beginning) -> bool {
    let mut rest = &beginning.bytes[..];
    if beginning.ending == "wacz" && rest.starts_with(b"PK") {
        return true;
    }
    while rest.len() > LOCAL_SIZE && rest.starts_with(LOCAL_HEADER) {
        let number = |at: usize| usize::from(u16::from_le_bytes([rest[at], rest[at + 1]]));
        let name_end = LOCAL_SIZE + number(26);
        let packed = u32::from_le_bytes([rest[18], rest[19], rest[20], rest[21]]);
        match rest.get(LOCAL_SIZE..name_end).and_then(|name| std::str::from_utf8(name).ok()) {
            Some(name) if is_archive(name) || is_index(name) || name == PAGES => return true,
            _ => {}
        }
        let size = (name_end + number(28)).saturating_add(packed as usize);
        rest = rest.get(size..).unwrap_or_default();
    }
    false
}

/// The list of pages that a package must have.
const PAGES: &str = "pages/pages.jsonl";

/// Whether a member of a package is one of its WARC files.
fn is_archive(name: &str) -> bool {
    let endings = [".warc", ".warc.gz", ".warc.zst"];
    name.strip_prefix("archive/").is_some_and(|name| {
        let name = name.to_ascii_lowercase();
        endings.iter().any(|ending| name.ends_with(ending))
    })
}

/// Whether a member of a package is an index of captures.
fn is_index(name: &str) -> bool {
    let endings = [".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz", ".idx"];
    name.starts_with("indexes/") && endings.iter().any(|ending| name.ends_with(ending))
}
