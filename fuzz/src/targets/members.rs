//! Packages from their members: what mutations change is inside the archive, whose checksums stay right.

use nearprint_extract::Hints;

use super::documents::{check, crc32};
use super::packing::{self, Part};
use super::pieces::{deflated, parts};

/// Members as text, each behind a line of `%%` and its name. The first byte of all chooses whether they are stored as
/// they are (`0`) or deflated (`1`).
pub fn members(data: &[u8]) {
    let (choice, members) = parts(data);
    let is_deflated = choice.first() == Some(&b'1');
    let members = members.iter().filter_map(|(name, content)| {
        Some(Part {
            name: str::from_utf8(name).ok()?,
            packed: if is_deflated { deflated(content) } else { content.to_vec() },
            deflated: is_deflated,
            length: content.len(),
            checksum: crc32(content),
        })
    });
    let _ = check(&packing::zip(&members.collect::<Vec<_>>()), &Hints::default());
}
