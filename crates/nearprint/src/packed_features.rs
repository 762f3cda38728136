//! Features of a document in few bytes: the differences of their hashes, in groups of 7 bits. Hashes of 40 bits take
//! some 5 bytes each, one less where a document has thousands of them.

use nearprint_search::WeightedFeature;

use crate::{TextDigests, TextFeatures};

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
#[derive(Debug, Clone, PartialEq)]
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

    /// The features themselves.
    #[must_use]
    pub fn unpack(&self) -> TextFeatures {
        let mut features = TextFeatures { digests: self.digests, ..TextFeatures::default() };
        unpack_text(&self.bytes, &mut features);
        features
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

    /// Numbers and words.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The words alone.
    pub(crate) fn words(&self) -> &[u8] {
        words(&self.bytes)
    }
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
    let mut rest = bytes.iter();
    let length = read_number(&mut rest).unwrap_or(0);
    let rest = rest.as_slice();
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
    let Some((&weighted, bytes)) = bytes.split_first() else { return };
    let mut bytes = bytes.iter();
    let mut hash = 0u64;
    while let Some(step) = read_number(&mut bytes) {
        hash = hash.wrapping_add(step);
        let weight = if weighted == 1 { read_number(&mut bytes) } else { Some(1) };
        features.push((hash, weight.unwrap_or(1) as u32));
    }
}

/// Groups of 7 bits, the least significant first; the highest bit says that another follows.
fn number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number<'o>(bytes: &mut impl Iterator<Item = &'o u8>) -> Option<u64> {
    let mut number = 0;
    let mut shift = 0;
    loop {
        let byte = *bytes.next()?;
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 || shift > 63 {
            return Some(number);
        }
    }
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
            let hashes = |features: &[WeightedFeature]| features.iter().map(|feature| feature.0).collect::<Vec<_>>();
            let mut bytes = Vec::new();
            pack_hashes(&hashes(&text.numbers), &hashes(&text.words), &mut bytes);
            prop_assert_eq!(packed.bytes(), bytes);
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
