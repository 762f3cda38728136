//! How many ids came before, in 8 bytes an id.

use nearprint_records::DocumentId;
use twox_hash::XxHash3_64;

/// Ids by their digests of 64 bits: among 10^8 ids two unlike ones have one digest with a chance of 1 to 3,700.
#[derive(Debug, Default)]
pub(crate) struct IdCounter(Vec<u64>);

impl IdCounter {
    pub(crate) fn push(&mut self, id: &DocumentId) {
        self.0.push(XxHash3_64::oneshot(id.as_str().as_bytes()));
    }

    /// Ids that came again: of one that came n times, n - 1.
    pub(crate) fn repeated(mut self) -> u64 {
        self.0.sort_unstable();
        self.0.array_windows().filter(|[a, b]| a == b).count() as u64
    }

    /// Bytes of memory.
    pub(crate) fn memory(&self) -> usize {
        self.0.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_come_again_are_counted() {
        for (ids, repeated) in [("", 0), ("ab", 0), ("aa", 1), ("abaacb", 3)] {
            let mut counter = IdCounter::default();
            ids.split_inclusive(|_| true)
                .for_each(|id| counter.push(&DocumentId::new(id).unwrap()));
            assert_eq!(counter.repeated(), repeated, "{ids}");
        }
    }
}
