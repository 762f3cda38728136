//! How much of a text changed: how often each word occurs in it, compared with another text.
//!
//! Passages say where two texts differ, and take time in their order. For many captures of one page only the share is
//! wanted, which needs no order: each text is divided into words once, and two sorted lists are merged.

use nearprint_fingerprint::{Unit, units};

/// The words of a text, by how often each occurs.
///
/// Words are those of [`passages`](crate::passages): neither case nor punctuation nor layout makes a difference, and
/// numbers and signs count. A word is compared by a hash of 64 bits. 8 bytes for each word of the text.
///
/// ```
/// use nearprint::WordCounts;
///
/// let before = WordCounts::of("Fog came in at noon.");
/// let after = WordCounts::of("Fog came in at dusk!");
/// let change = after.change_from(&before);
/// assert_eq!((change.changed, change.words), (2, 10));
/// assert_eq!(change.share(), 0.2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WordCounts {
    /// Hashes of all words, ascending; a word that occurs twice is there twice.
    hashes: Vec<u64>,
}

/// How many words of two texts only one of them has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WordChange {
    /// Words that only one of the texts has; of a word that one has more often, the difference.
    pub changed: u64,
    /// Words of both texts together.
    pub words: u64,
}

impl WordCounts {
    /// Counts the words of a text. O(n log n).
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut hashes = Vec::new();
        units(text, &mut |unit: Unit<'_>| match unit {
            Unit::Token(_, hash) | Unit::Sign(hash) | Unit::Residue(_, hash) => hashes.push(hash),
            Unit::Number(number) => hashes.push(number.hash),
            // Names are tokens, too.
            _ => {}
        });
        hashes.sort_unstable();
        Self { hashes }
    }

    /// What changed from the text before to this one. O(n).
    #[must_use]
    pub fn change_from(&self, before: &Self) -> WordChange {
        let (mut one, mut other) = (&*self.hashes, &*before.hashes);
        let words = (one.len() + other.len()) as u64;
        let mut changed = 0;
        while let (Some((a, rest_of_one)), Some((b, rest_of_other))) =
            (one.split_first(), other.split_first())
        {
            changed += u64::from(a != b);
            if a <= b {
                one = rest_of_one;
            }
            if b <= a {
                other = rest_of_other;
            }
        }
        WordChange { changed: changed + (one.len() + other.len()) as u64, words }
    }
}

impl WordChange {
    /// The share of the words that changed, 0 to 1; 0 where there are none.
    #[must_use]
    pub fn share(self) -> f64 {
        if self.words == 0 { 0.0 } else { self.changed as f64 / self.words as f64 }
    }

    /// The share in millionths, rounded up: 0 only where nothing changed.
    #[must_use]
    pub fn millionths(self) -> u32 {
        let changed = u128::from(self.changed) * 1_000_000;
        let share = changed.div_ceil(u128::from(self.words.max(1)));
        u32::try_from(share).map_or(1_000_000, |share| share.min(1_000_000))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(before: &str, after: &str) -> (u64, u64) {
        let change = WordCounts::of(after).change_from(&WordCounts::of(before));
        (change.changed, change.words)
    }

    #[test]
    fn words_that_only_one_text_has_are_counted() {
        for (before, after, expected) in [
            ("", "", (0, 0)),
            ("", "fog", (1, 1)),
            ("fog", "rain", (2, 2)),
            ("fog came in", "In came (FOG)!", (0, 6)),
            ("fog fog fog", "fog", (2, 4)),
            ("it costs 12 euros", "it costs 13 euros", (2, 8)),
            ("a b c", "b c d e", (3, 7)),
        ] {
            assert_eq!(change(before, after), expected, "{before:?} {after:?}");
            assert_eq!(change(after, before), expected, "{after:?} {before:?}");
        }
    }

    #[test]
    fn a_share_is_from_0_to_1() {
        assert!(WordChange::default().share().abs() < f64::EPSILON);
        assert!((WordChange { changed: 2, words: 2 }.share() - 1.0).abs() < f64::EPSILON);
        for (changed, words, expected) in [
            (0, 0, 0),
            (0, 9, 0),
            (1, u64::MAX, 1),
            (1, 5, 200_000),
            (u64::MAX, u64::MAX, 1_000_000),
        ] {
            assert_eq!(WordChange { changed, words }.millionths(), expected, "{changed} {words}");
        }
    }
}
