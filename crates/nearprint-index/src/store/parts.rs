//! The form of everything that the store keeps of a document: a checksum, and parts, each after its tag and length.
//!
//! ```text
//! 4 bytes       checksum: the low half of XXH3-64, with the sequence number as seed, of all that follows
//! and for each part, in ascending order of tags:
//! 1 byte        tag
//! 1 to 5 bytes  length, as groups of 7 bits, the lowest first, the highest bit of a byte set if another follows
//! n bytes       the part
//! ```
//! A later version may add parts. A tag of [`OPTIONAL`] or more is skipped by a program that does not know it; the part
//! stays in the store as long as the document does, and is not copied. Any other tag that is not known makes the value
//! unreadable: without that part it would mean something else.

use twox_hash::XxHash3_64;

/// The first tag of parts that a program may leave out.
pub(crate) const OPTIONAL: u8 = 128;

/// Bytes of the checksum.
const CHECKSUM: usize = 4;

fn checksum(sequence: u64, content: &[u8]) -> [u8; CHECKSUM] {
    (XxHash3_64::oneshot_with_seed(sequence, content) as u32).to_le_bytes()
}

/// A value on its way into the store, of which the sequence number is not known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PreparedValue(Vec<u8>);

impl PreparedValue {
    /// A value without parts.
    pub(crate) fn new() -> Self {
        Self(vec![0; CHECKSUM])
    }

    /// Adds a part. Tags ascend.
    pub(crate) fn put(&mut self, tag: u8, part: &[u8]) {
        self.0.push(tag);
        put_number(&mut self.0, part.len() as u64);
        self.0.extend(part);
    }

    /// Adds a part if it has bytes.
    pub(crate) fn put_some(&mut self, tag: u8, part: Option<&str>) {
        if let Some(part) = part.filter(|part| !part.is_empty()) {
            self.put(tag, part.as_bytes());
        }
    }

    /// The value under a sequence number.
    pub(crate) fn sealed(&mut self, sequence: u64) -> &[u8] {
        let (stored, content) = self.0.split_at_mut(CHECKSUM);
        stored.copy_from_slice(&checksum(sequence, content));
        &self.0
    }

    /// Bytes that it takes.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Its parts.
    pub(crate) fn parts(&self) -> Parts<'_> {
        Parts(&self.0[CHECKSUM..])
    }
}

/// Parts of a value that were not looked at yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parts<'v>(&'v [u8]);

impl<'v> Parts<'v> {
    /// The parts of the value of a sequence number; `None` where the checksum is another.
    pub(crate) fn of(sequence: u64, value: &'v [u8]) -> Option<Self> {
        let (stored, content) = value.split_first_chunk::<CHECKSUM>()?;
        (checksum(sequence, content) == *stored).then_some(Self(content))
    }

    /// The bytes of the parts.
    pub(crate) fn bytes(self) -> &'v [u8] {
        self.0
    }

    /// The next part with its tag; `None` at the end, and where no part is whole.
    pub(crate) fn next(&mut self) -> Option<(u8, &'v [u8])> {
        let (&tag, rest) = self.0.split_first()?;
        let (length, rest) = take_number(rest)?;
        let (part, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some((tag, part))
    }

    /// The parts of `N` tags, ascending; `None` where another part is there that may not be skipped, or none is whole.
    pub(crate) fn tagged<const N: usize>(mut self, tags: [u8; N]) -> Option<[Option<&'v [u8]>; N]> {
        let mut found = [None; N];
        let mut before = 0;
        while let Some((tag, part)) = self.next() {
            if tag <= before {
                return None;
            }
            before = tag;
            match tags.iter().position(|&known| known == tag) {
                Some(at) => found[at] = Some(part),
                None if tag >= OPTIONAL => {}
                None => return None,
            }
        }
        self.0.is_empty().then_some(found)
    }
}

/// Adds a number as groups of 7 bits.
pub(crate) fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A number as groups of 7 bits, and what follows it.
pub(crate) fn take_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (at, &byte) in bytes.iter().enumerate().take(10) {
        number |= u64::from(byte & 0x7f).checked_shl(7 * at as u32)?;
        if byte & 0x80 == 0 {
            return Some((number, &bytes[at + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_by_their_tags() {
        let long = vec![7; 70_000];
        let mut value = PreparedValue::new();
        value.put(1, b"one");
        value.put_some(2, None);
        value.put_some(3, Some(""));
        value.put(9, &long);
        let bytes = value.sealed(5).to_vec();
        let parts = Parts::of(5, &bytes).unwrap();
        assert_eq!(parts.tagged([1, 2, 9]), Some([Some(&b"one"[..]), None, Some(&long[..])]));
        assert!(Parts::of(6, &bytes).is_none());
    }

    #[test]
    fn an_unknown_part_is_skipped_only_if_it_is_optional() {
        for (tag, is_skipped) in [(2, false), (127, false), (128, true), (255, true)] {
            let mut value = PreparedValue::new();
            value.put(1, b"one");
            value.put(tag, b"of a later version");
            let bytes = value.sealed(0).to_vec();
            let parts = Parts::of(0, &bytes).unwrap().tagged([1]);
            assert_eq!(parts, is_skipped.then_some([Some(&b"one"[..])]), "{tag}");
        }
    }

    #[test]
    fn what_is_not_whole_or_not_in_order_is_refused() {
        for content in [&[1][..], &[1, 2, 0], &[1, 0x80], &[2, 0, 1, 0], &[1, 0, 1, 0], &[0, 0]] {
            assert_eq!(Parts(content).tagged([1, 2]), None, "{content:?}");
        }
        assert_eq!(Parts(&[]).tagged([1]), Some([None]));
    }

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            put_number(&mut bytes, number);
            assert_eq!(take_number(&bytes), Some((number, &[][..])));
        }
        assert_eq!(take_number(&[0xff; 11]), None);
    }
}
