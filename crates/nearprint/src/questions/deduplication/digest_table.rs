//! Documents found by a digest. The digests themselves are in a file; what is here says where to look.

use std::io;

use hashbrown::HashTable;

/// A document and the beginning of its digest.
#[derive(Debug, Clone, Copy)]
struct Place {
    begins: u32,
    document: u32,
}

/// Documents by their digests, of which each is there once. Takes 9 bytes for each, and as many that are free at most.
#[derive(Debug, Default)]
pub(super) struct DigestTable(HashTable<Place>);

impl DigestTable {
    /// The document of a digest. `read` gives that of a document, which decides: the beginning is a hint.
    pub(super) fn find(
        &self,
        digest: &[u8; 32],
        read: impl Fn(u32) -> io::Result<[u8; 32]>,
    ) -> io::Result<Option<u32>> {
        let begins = beginning(digest);
        // The file may fail while they are compared.
        let mut failed = None;
        let is_same = |place: &Place| {
            place.begins == begins
                && read(place.document).map(|found| found == *digest).unwrap_or_else(|error| {
                    failed = Some(error);
                    false
                })
        };
        let found = self.0.find(spread(begins), is_same).map(|place| place.document);
        failed.map_or(Ok(found), Err)
    }

    /// Adds a document whose digest no other has.
    pub(super) fn insert(&mut self, digest: &[u8; 32], document: u32) {
        let begins = beginning(digest);
        let place = Place { begins, document };
        self.0.insert_unique(spread(begins), place, |place| spread(place.begins));
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        self.0.allocation_size()
    }
}

fn beginning(digest: &[u8; 32]) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|at| digest[at]))
}

/// The beginning in both ends of the hash, at which the table looks.
fn spread(begins: u32) -> u64 {
    u64::from(begins).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_beginnings_are_told_apart_by_the_digests() {
        let digest = |document: u32| {
            let mut digest = [7; 32];
            digest[28..].copy_from_slice(&document.to_le_bytes());
            digest
        };
        let mut table = DigestTable::default();
        for document in 0..200 {
            let read = |document| Ok(digest(document));
            assert_eq!(table.find(&digest(document), read).unwrap(), None);
            table.insert(&digest(document), document);
            assert_eq!(table.find(&digest(document / 2), read).unwrap(), Some(document / 2));
        }
        let failing = |_| Err(io::ErrorKind::Other.into());
        assert!(table.find(&digest(5), failing).is_err());
        assert!(table.memory() >= 200 * 9);
    }
}
