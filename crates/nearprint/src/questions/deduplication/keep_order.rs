//! Which document stands for each text, and the order in which texts are wanted.

use std::cmp::Ordering;

use nearprint_records::{FingerprintRecord, OrderKey};

use super::Keep;

/// Of each text the document that is wanted most: documents that are only compared with first, then as [`Keep`] says,
/// of equal ones the first in the input. Takes 4 bytes a text, and 8 or the value where the order of the input does not
/// decide.
#[derive(Debug, Default)]
pub(super) struct KeepOrder {
    keep: Keep,
    documents: Vec<u32>,
    /// Where each stands by its length or time; empty where that does not decide.
    ranks: Vec<u64>,
    /// The value of its field; empty where that does not decide.
    keys: Vec<Option<OrderKey>>,
}

/// A document on its way into the order.
#[derive(Debug)]
pub(super) struct Wish {
    document: u32,
    rank: u64,
    key: Option<OrderKey>,
}

impl KeepOrder {
    pub(super) fn new(keep: Keep) -> Self {
        Self { keep, ..Self::default() }
    }

    /// Where a document stands.
    pub(super) fn wish(
        &self,
        document: u32,
        record: &FingerprintRecord,
        order: Option<OrderKey>,
    ) -> Wish {
        let (rank, key) = (self.keep.rank(record), self.keep.key(record, order));
        Wish { document, rank, key }
    }

    /// Number of texts.
    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    /// The document that stands for a text.
    pub(super) fn document(&self, text: u32) -> u32 {
        self.documents[text as usize]
    }

    /// Adds a text with its first document.
    pub(super) fn push(&mut self, wish: Wish) {
        let Wish { document, rank, key } = wish;
        self.documents.push(document);
        match self.keep {
            Keep::First => {}
            Keep::Longest | Keep::Oldest => self.ranks.push(rank),
            Keep::Field { .. } => self.keys.push(key),
        }
    }

    /// Takes a further document of a text, which stands for it where it is wanted more. Documents before `references`
    /// are only compared with.
    pub(super) fn improve(&mut self, text: u32, wish: Wish, references: u32) {
        let at = text as usize;
        if self.documents[at] < references && wish.document >= references {
            return;
        }
        let better = match self.keep {
            Keep::First => false,
            Keep::Longest | Keep::Oldest => wish.rank < self.ranks[at],
            Keep::Field { greatest, .. } => {
                by_key(wish.key.as_ref(), self.keys[at].as_ref(), greatest).is_lt()
            }
        };
        if better {
            self.documents[at] = wish.document;
            match self.keep {
                Keep::First => {}
                Keep::Longest | Keep::Oldest => self.ranks[at] = wish.rank,
                Keep::Field { .. } => self.keys[at] = wish.key,
            }
        }
    }

    /// The order of two texts. Documents before `references` are only compared with.
    pub(super) fn compare(&self, a: u32, b: u32, references: u32) -> Ordering {
        let (first, second) = (self.document(a), self.document(b));
        let only_compared = (second < references).cmp(&(first < references));
        let (a, b) = (a as usize, b as usize);
        let decided = || match self.keep {
            Keep::First => Ordering::Equal,
            Keep::Longest | Keep::Oldest => self.ranks[a].cmp(&self.ranks[b]),
            Keep::Field { greatest, .. } => {
                by_key(self.keys[a].as_ref(), self.keys[b].as_ref(), greatest)
            }
        };
        only_compared.then_with(decided).then(first.cmp(&second))
    }

    /// Bytes of memory, about.
    pub(super) fn memory(&self) -> usize {
        /// Bytes of a key of a number, with what the allocator adds.
        const KEY: usize = 48;
        self.documents.capacity() * size_of::<u32>()
            + self.ranks.capacity() * size_of::<u64>()
            + self.keys.capacity() * (size_of::<OrderKey>() + KEY)
    }
}

/// What has no value comes last.
fn by_key(a: Option<&OrderKey>, b: Option<&OrderKey>, greatest: bool) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) if greatest => b.cmp(a),
        (Some(a), Some(b)) => a.cmp(b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_value_comes_last() {
        let (one, two) = (OrderKey::of_number(1), OrderKey::of_number(2));
        let (one, two) = (Some(&one), Some(&two));
        for (a, b, smallest, greatest) in [
            (one, two, Ordering::Less, Ordering::Greater),
            (one, None, Ordering::Less, Ordering::Less),
            (None, two, Ordering::Greater, Ordering::Greater),
            (None, None, Ordering::Equal, Ordering::Equal),
        ] {
            assert_eq!((by_key(a, b, false), by_key(a, b, true)), (smallest, greatest));
        }
    }
}
