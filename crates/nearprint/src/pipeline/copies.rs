//! Which documents were met by their bytes, so that copies are not extracted again.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use nearprint_extract::Hints;
use sha2::{Digest, Sha256};

/// What decides the text of a document: a digest of its bytes and of what is known about it.
pub(crate) type ReadingKey = [u8; 32];

/// Bytes that a document takes here: its key, its number, and the room that a table of such leaves free.
const EACH: u64 = 80;

/// Documents of one call, or of several that follow one another, by their bytes and by what is known about them.
/// Copies share it. Where the memory is used up, further documents are not noted: their copies are extracted again,
/// with the same result.
#[derive(Debug, Clone)]
pub struct CopyRegister(Arc<Mutex<Register>>);

#[derive(Debug)]
struct Register {
    /// The number of the first document of each key.
    firsts: HashMap<ReadingKey, u64>,
    /// Of compressed documents among them the digests of their bytes, and of what these expand to.
    expanded: HashMap<[u8; 32], [u8; 32]>,
    most: usize,
    /// Documents that were extracted before an earlier document of their key came.
    late: HashSet<u64>,
    /// Documents that were numbered.
    numbered: u64,
}

/// Registers are the same where they share what they know.
impl PartialEq for CopyRegister {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl CopyRegister {
    /// No document yet; takes up to so many bytes of memory.
    #[must_use]
    pub fn within(memory: u64) -> Self {
        let most = usize::try_from(memory / EACH).unwrap_or(usize::MAX);
        let (firsts, expanded, late) = (HashMap::new(), HashMap::new(), HashSet::new());
        Self(Arc::new(Mutex::new(Register { firsts, expanded, most, late, numbered: 0 })))
    }

    /// Numbers so many documents; gives the number of the first of them. Called in the order of the documents.
    pub(crate) fn number(&self, count: u64) -> u64 {
        let mut register = self.lock();
        let first = register.numbered;
        register.numbered += count;
        first
    }

    /// Whether a document before this one has the same key; else takes note of it. Documents come in any order: where
    /// a later one was first, both are extracted, and [`is_late_copy`](Self::is_late_copy) knows it.
    pub(crate) fn is_copy(&self, key: ReadingKey, number: u64) -> bool {
        let mut register = self.lock();
        let is_full = register.firsts.len() + 2 * register.expanded.len() >= register.most;
        match register.firsts.entry(key) {
            Entry::Occupied(first) if *first.get() < number => return true,
            Entry::Occupied(mut first) => {
                let late = first.insert(number);
                register.late.insert(late);
            }
            Entry::Vacant(_) if is_full => {}
            Entry::Vacant(free) => drop(free.insert(number)),
        }
        false
    }

    /// Whether a document that was extracted is a copy of an earlier one. Called in the order of the documents, when
    /// all before this one are done.
    pub(crate) fn is_late_copy(&self, number: u64) -> bool {
        self.lock().late.remove(&number)
    }

    /// Notes what the bytes of a compressed document expand to, if copies of it may be recognised.
    pub(crate) fn note_expanded(&self, key: &ReadingKey, bytes: [u8; 32], expanded: [u8; 32]) {
        let mut register = self.lock();
        if register.firsts.contains_key(key) {
            register.expanded.insert(bytes, expanded);
        }
    }

    /// The digest by which a document with these bytes is known: of what they expand to, where an earlier document
    /// has told. Called in the order of the documents, when all before this one are done.
    pub(crate) fn expanded(&self, bytes: [u8; 32]) -> [u8; 32] {
        self.lock().expanded.get(&bytes).copied().unwrap_or(bytes)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Register> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The key of a document whose bytes have this digest. What is detected follows from the bytes and the hints; the
/// settings are those of the call.
pub(crate) fn reading_key(content: &[u8; 32], hints: &Hints) -> ReadingKey {
    // The others are settings of the call, equal for all of its documents.
    let Hints { charset, explicit_charset, media_type, named_type, .. } = hints;
    let mut digest = Sha256::new_with_prefix(content);
    for hint in [charset, explicit_charset, media_type, named_type] {
        let hint = hint.as_deref();
        digest.update([u8::from(hint.is_some())]);
        digest.update((hint.map_or(0, str::len) as u64).to_le_bytes());
        digest.update(hint.unwrap_or_default());
    }
    digest.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_comes_after_its_first() {
        let register = CopyRegister::within(2 * EACH);
        assert_eq!((register.number(3), register.number(1)), (0, 3));
        let [a, b, c] = [1, 2, 3].map(|byte| [byte; 32]);
        assert!(!register.is_copy(a, 1));
        assert!(register.is_copy(a, 2));
        // Work on an earlier one began later.
        assert!(!register.is_copy(a, 0));
        assert!(register.is_copy(a, 1));
        let late = [0, 1, 2, 1].map(|number| register.is_late_copy(number));
        assert_eq!(late, [false, true, false, false]);
        assert!(!register.is_copy(b, 3) && !register.is_copy(c, 4) && !register.is_copy(c, 5));
    }

    #[test]
    fn copies_of_compressed_bytes_are_known_by_what_these_expand_to() {
        let register = CopyRegister::within(3 * EACH);
        let [key, bytes, expanded, other] = [1, 2, 3, 4].map(|byte| [byte; 32]);
        // No copy of it is recognised, so nothing has to be known.
        register.note_expanded(&key, bytes, expanded);
        assert_eq!(register.expanded(bytes), bytes);
        assert!(!register.is_copy(key, 0));
        register.note_expanded(&key, bytes, expanded);
        assert_eq!((register.expanded(bytes), register.expanded(other)), (expanded, other));
        // That takes memory, too.
        assert!(!register.is_copy(other, 1) && !register.is_copy(other, 2));
    }

    #[test]
    fn what_is_known_about_a_document_is_part_of_its_key() {
        let hints = |charset: Option<&str>, media_type: Option<&str>| Hints {
            charset: charset.map(str::to_owned),
            media_type: media_type.map(str::to_owned),
            ..Hints::default()
        };
        let named = Hints { named_type: Some("utf-8".to_owned()), ..Hints::default() };
        let of = [
            hints(None, None),
            hints(Some("utf-8"), None),
            hints(None, Some("utf-8")),
            hints(Some(""), None),
            named,
        ];
        let keys: std::collections::HashSet<_> =
            of.iter().map(|hints| reading_key(&[7; 32], hints)).collect();
        assert_eq!(keys.len(), of.len());
        assert_ne!(reading_key(&[8; 32], &of[0]), reading_key(&[7; 32], &of[0]));
    }
}
