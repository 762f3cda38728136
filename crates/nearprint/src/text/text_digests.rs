//! Whether two texts are the same, and in what sense: by digests made in the one pass over a text.

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_128;

/// Bytes that are hashed at once.
const BUFFER: usize = 4096;

/// What follows a token: no byte of UTF-8, so tokens cannot be divided otherwise.
const END: u8 = 0xFF;

/// Digests of a text, 128 bits each.
///
/// Two different texts of a collection of n have equal ones with a probability of about n^2 / 2^129: of 10^9 texts, one
/// in 10^20. XXH3 is no cryptographic hash: whoever wants to can make two texts of equal digests, so nothing is dropped
/// by a digest alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TextDigests {
    /// Of the normalised text (section 4 of the standard), runs of white space as one space, none at its ends.
    pub normalised: u128,
    /// Of the standard's tokens in their order.
    pub words: u128,
}

/// In what sense two texts are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sameness {
    /// Equal normalised texts, but for white space.
    Identical,
    /// Not identical, but of the same words in the same order: numbers, signs, punctuation or links differ.
    SameWords,
    /// Neither.
    Different,
}

impl TextDigests {
    /// In what sense two texts are the same.
    #[must_use]
    pub fn sameness(&self, other: &Self) -> Sameness {
        match () {
            () if self.normalised == other.normalised => Sameness::Identical,
            () if self.words == other.words => Sameness::SameWords,
            () => Sameness::Different,
        }
    }

    /// As 32 bytes, the least significant of each digest first.
    pub(crate) fn to_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[..16].copy_from_slice(&self.normalised.to_le_bytes());
        bytes[16..].copy_from_slice(&self.words.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; 32]) -> Self {
        let number = |from: usize| u128::from_le_bytes(std::array::from_fn(|at| bytes[from + at]));
        Self { normalised: number(0), words: number(16) }
    }
}

/// Digests on their way.
///
/// Most tokens have one space before them, so the normalised text is hashed as the words, and where something else
/// stands between two of them as that and how many words were before it.
#[derive(Default)]
pub(crate) struct DigestAccumulator {
    words: RunningHash,
    between: RunningHash,
    /// Words since what was hashed last of what stands between.
    since: u64,
    /// Whether there was a word.
    has_begun: bool,
    /// Whether white space came after the last of the text that was hashed.
    spaced: bool,
    /// Whether what stands between two words has been begun.
    is_open: bool,
}

impl DigestAccumulator {
    /// Takes so many words in a row: `text` is they with a single space between each two.
    #[inline]
    pub(crate) fn tokens(&mut self, text: &[u8], count: usize) {
        if self.is_open || self.has_begun && !self.spaced {
            self.close();
        }
        self.words.push_words(text);
        self.since += count as u64;
        (self.has_begun, self.spaced) = (true, false);
    }

    /// Takes text between words.
    #[inline(always)]
    pub(crate) fn between(&mut self, text: &[u8]) {
        if text == b" " {
            self.spaced = true;
        } else {
            self.parts(text);
        }
    }

    /// Takes what lies between white space.
    fn parts(&mut self, text: &[u8]) {
        if text.is_ascii() {
            return self.ascii(text);
        }
        match std::str::from_utf8(text) {
            Ok(text) => text
                .split(char::is_whitespace)
                .enumerate()
                .for_each(|(n, part)| self.part(n > 0, part.as_bytes())),
            // What was left out of the text stands for itself.
            Err(_) => self.ascii(text),
        }
    }

    /// The same where white space is a byte.
    fn ascii(&mut self, text: &[u8]) {
        for byte in text {
            match byte {
                b'\t'..=b'\r' | b' ' => self.spaced = true,
                byte => self.part(false, std::slice::from_ref(byte)),
            }
        }
    }

    #[inline]
    fn part(&mut self, spaced: bool, part: &[u8]) {
        self.spaced |= spaced;
        let Some((&first, rest)) = part.split_first() else { return };
        let within = self.is_open || self.has_begun;
        self.open();
        if std::mem::take(&mut self.spaced) && within {
            self.between.push(b' ');
        }
        self.between.push(first);
        if !rest.is_empty() {
            self.between.extend(rest);
        }
    }

    fn open(&mut self) {
        if !std::mem::replace(&mut self.is_open, true) {
            self.between.extend(&std::mem::take(&mut self.since).to_le_bytes());
        }
    }

    /// A word follows.
    fn close(&mut self) {
        self.open();
        if self.spaced {
            self.between.push(b' ');
        }
        self.between.push(END);
        self.is_open = false;
    }

    /// The digests of what was taken; what is taken after that is another text.
    pub(crate) fn finish(&mut self) -> TextDigests {
        let words = self.words.finish();
        self.between.extend(&self.since.to_le_bytes());
        self.between.extend(&words.to_le_bytes());
        let normalised = self.between.finish();
        (self.since, self.has_begun, self.spaced, self.is_open) = Default::default();
        TextDigests { normalised, words }
    }
}

/// A digest that takes a few bytes at a time.
#[derive(Default)]
struct RunningHash {
    /// Where more came than the buffer holds.
    hasher: Option<Box<XxHash3_128>>,
    buffer: Vec<u8>,
}

impl RunningHash {
    /// Takes words with a space between each two, as the words and [`END`] after each.
    #[inline]
    fn push_words(&mut self, text: &[u8]) {
        self.make_room(text.len() + 1);
        self.buffer.extend(text.iter().map(|&byte| if byte == b' ' { END } else { byte }));
        self.buffer.push(END);
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        self.make_room(1);
        self.buffer.push(byte);
    }

    #[inline]
    fn extend(&mut self, bytes: &[u8]) {
        self.make_room(bytes.len());
        self.buffer.extend_from_slice(bytes);
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
    fn finish(&mut self) -> u128 {
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
            ("Fog came in.", "fog  came\n\tin. ", Identical),
            (" fog\u{2028}came", "ﬁog".strip_prefix("ﬁ").unwrap_or("og"), Different),
            ("Fog\u{A0}came in.", "fog came\u{85}in.", Identical),
            ("fog came in", "fog came in.", SameWords),
            ("fog, 2.2", "fog, 3.2", SameWords),
            ("fog came", "fogcame", Different),
            ("fo gcame", "fog came", Different),
            ("fog came", "came fog", Different),
            ("12 34", "1 234", SameWords),
            ("fog http://a.b/c", "fog http://a.b/d", SameWords),
            ("", " ", Identical),
            ("日本の", "日本 本の", SameWords),
            ("日本の", " 日本の ", Identical),
            ("fog, came", "fog ,came", SameWords),
            ("fog. came in", "fog came. in", SameWords),
            ("(fog) came!", "( fog) came!", SameWords),
            (" - fog", "- fog", Identical),
            ("fog -", "fog - ", Identical),
            ("- fog", "-fog", SameWords),
            ("1 fog 2", "1 fog 2\u{2029}", Identical),
        ] {
            assert_eq!(digests(a).sameness(&digests(b)), wanted, "{a:?} {b:?}");
        }
    }

    #[test]
    fn long_texts_are_hashed_whole() {
        let text = "Ärger im Büro, ".repeat(5_000);
        let other = text.replace(", ", ",\n \t");
        assert_eq!(digests(&text), digests(&other));
        let long = "x".repeat(100_000);
        assert_ne!(digests(&long).normalised, digests(&long[1..]).normalised);
        assert_eq!(TextDigests::from_bytes(&digests(&text).to_bytes()), digests(&text));
    }
}
