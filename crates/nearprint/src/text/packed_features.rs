//! Features of a document in few bytes: the differences of their hashes, in groups of 7 bits. Hashes of 40 bits take
//! some 5 bytes each, one less where a document has thousands of them.

use nearprint_search::WeightedFeature;
use sha2::{Digest, Sha256};

use crate::{TextDigests, TextFeatures};

/// Changes whenever the features of a text may change: jobs keep features, and a folder with others is refused.
pub(crate) const FEATURES_VERSION: u32 = 4;

/// What [`Verification::features`](crate::Verification::features) takes of a text, as it is stored: a fifth of the
/// memory.
///
/// ```
/// use nearprint::{PackedFeatures, Verification, search::Measure};
///
/// let features = Verification::new(Measure::Jaccard).features("Fog came in at noon.");
/// let packed = PackedFeatures::from(&features);
/// assert_eq!(packed.unpack(), features);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedFeatures {
    digests: TextDigests,
    bytes: Box<[u8]>,
}

impl From<&TextFeatures> for PackedFeatures {
    fn from(features: &TextFeatures) -> Self {
        let mut bytes = Vec::new();
        pack_weighted([&features.numbers, &features.words], &mut bytes);
        Self::new(features.digests, &bytes)
    }
}

impl PackedFeatures {
    /// Of what [`pack_hashes`] or [`pack_weighted`] gave.
    pub(crate) fn new(digests: TextDigests, bytes: &[u8]) -> Self {
        Self { digests, bytes: bytes.into() }
    }

    /// The features of a page that has more text than is compared: it is identical only to one of the same digest of
    /// all of it.
    pub(crate) fn of_page(mut self, page: Option<[u8; 32]>) -> Self {
        if let Some(page) = page {
            self.digests.text = page_digest(&self.digests.text, &page);
        }
        self
    }

    /// The features themselves.
    #[must_use]
    pub fn unpack(&self) -> TextFeatures {
        let mut features = TextFeatures { digests: self.digests, ..TextFeatures::default() };
        unpack_text(&self.bytes, &mut features);
        features
    }

    /// As bytes that can be stored: the digests (48 bytes), then the features. O(n) for n features.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.stored_bytes());
        self.append_to(&mut bytes);
        bytes
    }

    /// Appends what [`to_bytes`](Self::to_bytes) gives.
    pub(crate) fn append_to(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.digests.to_bytes());
        bytes.extend_from_slice(&self.bytes);
    }

    /// From what [`to_bytes`](Self::to_bytes) gave; `None` if there are fewer bytes than those of the digests. The
    /// features are those of the same [`Verification::features_name`](crate::Verification::features_name).
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (digests, bytes) = bytes.split_first_chunk()?;
        Some(Self::new(TextDigests::from_bytes(digests), bytes))
    }

    /// Bytes of [`to_bytes`](Self::to_bytes).
    #[must_use]
    pub fn stored_bytes(&self) -> usize {
        TextDigests::BYTES + self.bytes.len()
    }

    /// By which equal texts are known.
    #[must_use]
    pub fn digests(&self) -> TextDigests {
        self.digests
    }

    /// Whether there is nothing to compare.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        // A byte says whether there are weights.
        self.words().len() <= 1
    }

    /// How many different word 3-shingles there are, where none has a weight.
    pub(crate) fn shingles(&self) -> usize {
        // Each ends with a byte whose highest bit is not set; the first says that there are no weights.
        self.words().iter().skip(1).filter(|byte| **byte < 0x80).count()
    }

    /// Numbers and words.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The words alone.
    pub(crate) fn words(&self) -> &[u8] {
        words(&self.bytes)
    }
}

/// The digest by which a page is known as equal, of that of its text and that of all its text.
pub(crate) fn page_digest(text: &[u8; 32], page: &[u8; 32]) -> [u8; 32] {
    Sha256::new_with_prefix(text).chain_update(page).finalize().into()
}

/// The digests and the features of what [`PackedFeatures::to_bytes`] gave.
pub(crate) fn split_stored(stored: &[u8]) -> (TextDigests, &[u8]) {
    let split = stored.split_first_chunk();
    split.map_or((TextDigests::default(), &[]), |(digests, bytes)| {
        (TextDigests::from_bytes(digests), bytes)
    })
}

/// The words of what is packed.
pub(crate) fn words(bytes: &[u8]) -> &[u8] {
    parts(bytes).1
}

/// Appends the numbers and the words of a text: how many bytes the numbers take, these, and the words.
pub(crate) fn pack_weighted([numbers, words]: [&[WeightedFeature]; 2], bytes: &mut Vec<u8>) {
    pack_text(numbers.is_empty(), |bytes| pack(numbers, bytes), bytes);
    pack(words, bytes);
}

/// The same where each weighs 1.
pub(crate) fn pack_hashes(numbers: &[u64], words: &[u64], bytes: &mut Vec<u8>) {
    pack_text(numbers.is_empty(), |bytes| pack_unweighted(numbers, bytes), bytes);
    pack_unweighted(words, bytes);
}

fn pack_text(has_no_numbers: bool, numbers: impl FnOnce(&mut Vec<u8>), bytes: &mut Vec<u8>) {
    if has_no_numbers {
        bytes.push(0);
    } else {
        let mut packed = Vec::new();
        numbers(&mut packed);
        number(packed.len() as u64, bytes);
        bytes.append(&mut packed);
    }
}

/// Takes what was packed into `bytes`, all but the digests, which are not in them.
pub(crate) fn unpack_text(bytes: &[u8], features: &mut TextFeatures) {
    let (numbers, words) = parts(bytes);
    features.numbers.clear();
    features.words.clear();
    unpack(numbers, &mut features.numbers);
    unpack(words, &mut features.words);
}

/// The numbers and the words, both packed.
fn parts(bytes: &[u8]) -> (&[u8], &[u8]) {
    let (length, rest) = read_number(bytes).unwrap_or((0, &[]));
    rest.split_at(usize::try_from(length).unwrap_or(usize::MAX).min(rest.len()))
}

/// Appends features. Weights follow the hashes only where one of them is not 1; the first byte says so.
fn pack(features: &[WeightedFeature], bytes: &mut Vec<u8>) {
    let weighted = features.iter().any(|&(_, weight)| weight != 1);
    bytes.push(u8::from(weighted));
    let mut last = 0;
    for &(hash, weight) in features {
        number(hash.wrapping_sub(last), bytes);
        last = hash;
        if weighted {
            number(weight.into(), bytes);
        }
    }
}

fn pack_unweighted(hashes: &[u64], bytes: &mut Vec<u8>) {
    bytes.push(0);
    bytes.reserve(hashes.len() * 5 + 8);
    let mut last = 0;
    for &hash in hashes {
        number(hash.wrapping_sub(last), bytes);
        last = hash;
    }
}

/// Appends the features that were packed into `bytes`.
fn unpack(bytes: &[u8], features: &mut Vec<WeightedFeature>) {
    let Some((&weighted, mut bytes)) = bytes.split_first() else { return };
    // Hashes of 40 bits have five bytes most of the time.
    features.reserve(bytes.len() / 5);
    let mut hash = 0u64;
    while let Some((step, rest)) = read_number(bytes) {
        hash = hash.wrapping_add(step);
        let (weight, rest) =
            if weighted == 1 { read_number(rest).unwrap_or((1, &[])) } else { (1, rest) };
        features.push((hash, weight as u32));
        bytes = rest;
    }
}

/// Bits of a number that is spread over 8 bytes at once.
const AT_ONCE: u32 = 56;

/// Groups of 7 bits, the least significant first; the highest bit says that another follows.
#[inline]
fn number(number: u64, bytes: &mut Vec<u8>) {
    if number >> AT_ONCE != 0 {
        return long_number(number, bytes);
    }
    // Halves, quarters and eighths of the bits move apart, in steps that do not depend on the number.
    let mut spread = number & 0x0fff_ffff | (number & 0x00ff_ffff_f000_0000) << 4;
    spread = spread & 0x0000_3fff_0000_3fff | (spread & 0x0fff_c000_0fff_c000) << 2;
    spread = spread & 0x007f_007f_007f_007f | (spread & 0x3f80_3f80_3f80_3f80) << 1;
    let groups = (u64::BITS - (number | 1).leading_zeros()).div_ceil(7);
    let others = (1u64 << (8 * (groups - 1))) - 1;
    let end = bytes.len() + groups as usize;
    bytes.extend_from_slice(&(spread | 0x8080_8080_8080_8080 & others).to_le_bytes());
    bytes.truncate(end);
}

#[cold]
fn long_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The number that bytes begin with, and those after it.
#[inline]
fn read_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    if let Some(&chunk) = bytes.first_chunk() {
        let spread = u64::from_le_bytes(chunk);
        let last = !spread & 0x8080_8080_8080_8080;
        if last != 0 {
            // The bytes up to the one of which the highest bit is not set.
            let spread = spread & (last ^ (last - 1)) & 0x7f7f_7f7f_7f7f_7f7f;
            let joined = spread & 0x007f_007f_007f_007f | (spread & 0x7f00_7f00_7f00_7f00) >> 1;
            let joined = joined & 0x0000_3fff_0000_3fff | (joined & 0x3fff_0000_3fff_0000) >> 2;
            let joined = joined & 0x0fff_ffff | (joined & 0x0fff_ffff_0000_0000) >> 4;
            return Some((joined, &bytes[last.trailing_zeros() as usize / 8 + 1..]));
        }
    }
    read_slowly(bytes)
}

fn read_slowly(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (at, byte) in bytes.iter().enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * at);
        if *byte < 0x80 || at == 9 {
            return Some((number, &bytes[at + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_was_packed_comes_out(features in prop::collection::btree_map(any::<u64>(), any::<u32>(), 0..50), plain: bool) {
            let weight = |weight| if plain { 1 } else { weight };
            let features: Vec<WeightedFeature> = features.into_iter().map(|(hash, w)| (hash, weight(w))).collect();
            let (mut bytes, mut found) = (Vec::new(), Vec::new());
            pack(&features, &mut bytes);
            unpack(&bytes, &mut found);
            prop_assert_eq!(found, features);
        }

        #[test]
        fn texts_come_out(words in 0u64..9, numbers in 0u64..300) {
            let features = |count: u64| (0..count).map(|hash| (hash << 30, 1)).collect::<Vec<_>>();
            let text = TextFeatures { numbers: features(numbers), ..features(words).into() };
            let packed = PackedFeatures::from(&text);
            prop_assert_eq!(packed.unpack(), text.clone());
            prop_assert_eq!(packed.is_empty(), text.is_empty());
            prop_assert_eq!(packed.shingles(), text.words.len());
            prop_assert_eq!(PackedFeatures::from_bytes(&packed.to_bytes()), Some(packed.clone()));
            prop_assert_eq!(PackedFeatures::from_bytes(&[0; 47]), None);
            let hashes = |features: &[WeightedFeature]| features.iter().map(|feature| feature.0).collect::<Vec<_>>();
            let mut bytes = Vec::new();
            pack_hashes(&hashes(&text.numbers), &hashes(&text.words), &mut bytes);
            prop_assert_eq!(packed.bytes(), bytes);
        }

        #[test]
        fn numbers_are_groups_of_seven_bits(number: u64, bits in 0u32..64, before: Vec<u8>, after: Vec<u8>) {
            let of_any_length = number >> bits;
            let (mut quickly, mut slowly) = (before.clone(), before.clone());
            super::number(of_any_length, &mut quickly);
            long_number(of_any_length, &mut slowly);
            prop_assert_eq!(&quickly, &slowly);
            quickly.extend_from_slice(&after);
            prop_assert_eq!(read_number(&quickly[before.len()..]), Some((of_any_length, &after[..])));
            prop_assert_eq!(read_number(&after), read_slowly(&after));
        }

        #[test]
        fn any_bytes_unpack_to_no_more_features_than_they_are(bytes: Vec<u8>) {
            let mut found = Vec::new();
            unpack(&bytes, &mut found);
            prop_assert!(found.len() <= bytes.len());
            let mut found = TextFeatures::default();
            unpack_text(&bytes, &mut found);
            prop_assert!(found.words.len() + found.numbers.len() <= bytes.len());
        }
    }
}
