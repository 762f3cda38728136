//! Whether two texts are the same, and in what sense: by digests made in the one pass over a text.

use twox_hash::XxHash3_128;

/// Bytes that are hashed at once.
const BUFFER: usize = 4096;

/// What follows a token: no byte of UTF-8, so tokens cannot be divided otherwise.
const END: u8 = 0xFF;

/// Digests of a text: by them equal texts are known, whoever took them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct TextDigests {
    /// SHA-256 of the text with its layout: in NFC, without a byte-order mark, its lines ending in `\n` and without
    /// blanks at their ends. It decides what is identical, so nobody may be able to make two texts of one digest.
    pub text: [u8; 32],
    /// XXH3 of 128 bits, of the standard's tokens in their order. Two different sequences of a collection of n texts
    /// have equal ones with a probability of about n^2 / 2^129: of 10^9 texts, one in 10^20. Whoever wants to can make
    /// two, so nothing is dropped by it alone.
    pub words: u128,
}

/// In what sense two texts are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sameness {
    /// Equal texts: every character, line break and indentation, but not how line ends and accents are encoded.
    Identical,
    /// Not identical, but of the same words in the same order: numbers, signs, punctuation, links, case or line breaks
    /// differ.
    SameWords,
    /// Neither.
    Different,
}

impl TextDigests {
    /// Bytes of [`to_bytes`](Self::to_bytes).
    pub(crate) const BYTES: usize = 48;

    /// In what sense two texts are the same.
    #[must_use]
    pub fn sameness(&self, other: &Self) -> Sameness {
        match () {
            () if self.text == other.text => Sameness::Identical,
            () if self.words == other.words => Sameness::SameWords,
            () => Sameness::Different,
        }
    }

    /// As bytes: of the text, and of the words with the least significant byte first.
    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..32].copy_from_slice(&self.text);
        bytes[32..].copy_from_slice(&self.words.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        Self {
            text: std::array::from_fn(|at| bytes[at]),
            words: u128::from_le_bytes(std::array::from_fn(|at| bytes[32 + at])),
        }
    }
}

/// The digest of words, which takes some at a time.
#[derive(Default)]
pub(crate) struct WordDigest {
    /// Where more came than the buffer holds.
    hasher: Option<Box<XxHash3_128>>,
    buffer: Vec<u8>,
}

impl WordDigest {
    /// Takes words with a space between each two, as the words and [`END`] after each.
    #[inline]
    pub(crate) fn push(&mut self, text: &[u8]) {
        self.make_room(text.len() + 1);
        self.buffer.extend(text.iter().map(|&byte| if byte == b' ' { END } else { byte }));
        self.buffer.push(END);
    }

    #[inline(always)]
    fn make_room(&mut self, more: usize) {
        if self.buffer.len() + more > BUFFER {
            self.write();
        }
    }

    #[cold]
    fn write(&mut self) {
        self.hasher.get_or_insert_default().write(&self.buffer);
        self.buffer.clear();
    }

    /// The digest; what comes after that is another's.
    pub(crate) fn finish(&mut self) -> u128 {
        let digest = match self.hasher.take() {
            Some(mut hasher) => {
                hasher.write(&self.buffer);
                hasher.finish_128()
            }
            None => XxHash3_128::oneshot(&self.buffer),
        };
        self.buffer.clear();
        self.buffer.shrink_to(2 * BUFFER);
        digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verification;
    use nearprint_search::Measure;

    fn digests(text: &str) -> TextDigests {
        Verification::new(Measure::Jaccard).features(text).digests
    }

    #[test]
    fn samenesses() {
        use Sameness::{Different, Identical, SameWords};
        for (a, b, wanted) in [
            ("Fog came in.", "Fog came in. \n\n", Identical),
            ("\u{FEFF}fog\r\ncame\rin", "fog \t\ncame\nin\n", Identical),
            ("Cafe\u{301} au lait", "Caf\u{E9}\u{A0}au lait", Identical),
            ("", " ", Identical),
            ("1 fog 2", "1 fog 2\u{2003}", Identical),
            ("Fog came in.", "fog came in.", SameWords),
            ("Fog came in.", "Fog came\nin.", SameWords),
            ("Fog came in.", "Fog  came in.", SameWords),
            ("fog\n\ncame", "fog\ncame", SameWords),
            ("if fog:\n    lamp\n    bell", "if fog:\n    lamp\nbell", SameWords),
            ("fog came in", "fog came in.", SameWords),
            ("fog, 2.2", "fog, 3.2", SameWords),
            ("\u{FB01}nal fog", "final fog", SameWords),
            ("fog came", "fogcame", Different),
            ("fo gcame", "fog came", Different),
            ("fog came", "came fog", Different),
            ("12 34", "1 234", SameWords),
            ("fog http://a.b/c", "fog http://a.b/d", SameWords),
            ("日本の", "日本 本の", SameWords),
        ] {
            assert_eq!(digests(a).sameness(&digests(b)), wanted, "{a:?} {b:?}");
        }
    }

    #[test]
    fn long_texts_are_hashed_whole() {
        let text = "Ärger im Büro, ".repeat(5_000);
        let other = text.replace(", ", ",\n \t");
        assert_eq!(digests(&text).words, digests(&other).words);
        let long = "x".repeat(100_000);
        assert_ne!(digests(&long), digests(&long[1..]));
        assert_eq!(TextDigests::from_bytes(&digests(&text).to_bytes()), digests(&text));
    }
}
