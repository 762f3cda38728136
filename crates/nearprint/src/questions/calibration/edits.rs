//! Edits that are planted into a document, so that what is near it is known.

/// Random numbers from a seed: SplitMix64 (G. Steele, D. Lea, C. Flood 2014).
#[derive(Debug, Clone)]
pub(crate) struct Draw(pub(crate) u64);

impl Draw {
    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ z >> 31) * bound as u128) >> 64) as usize
    }
}

/// What is done to a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edit {
    /// One word in fifty is replaced by one of another document.
    Proofread,
    /// One word in ten is.
    Revised,
    /// The last fifth is cut off.
    Cut,
    /// The halves change places.
    Moved,
    /// A hundred words of another document, or a fifth of its own length where that is less, stand in front.
    Framed,
}

impl Edit {
    pub(crate) const ALL: [Self; 5] =
        [Self::Proofread, Self::Revised, Self::Cut, Self::Moved, Self::Framed];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Proofread => "words-2%",
            Self::Revised => "words-10%",
            Self::Cut => "cut-20%",
            Self::Moved => "halves-moved",
            Self::Framed => "framed",
        }
    }

    /// The edited text; words are what stands between spaces, or in a text nearly without them its letters.
    pub(crate) fn of(self, text: &str, other: &str, draw: &mut Draw) -> String {
        let (mut words, others) = (pieces(text), pieces(other));
        let count = words.len();
        let replaced = match self {
            Self::Proofread => count.div_ceil(50),
            Self::Revised => count.div_ceil(10),
            _ => 0,
        };
        for _ in 0..replaced.min(count * others.len()) {
            words[draw.below(count)] = others[draw.below(others.len())];
        }
        match self {
            Self::Cut => words.truncate(count - count / 5),
            Self::Moved => words.rotate_left(count / 2),
            Self::Framed => {
                let frame = others.len().min(100).min(count / 5);
                words.splice(..0, others[..frame].iter().copied());
            }
            Self::Proofread | Self::Revised => {}
        }
        words.concat()
    }
}

/// A text as words with the space behind them, or as letters where words are so long that there can be none.
fn pieces(text: &str) -> Vec<&str> {
    let words: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    if text.len() <= 40 * words.len() {
        return words;
    }
    text.char_indices().map(|(at, letter)| &text[at..at + letter.len_utf8()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_do_what_they_say() {
        let text: String = (0..1000).map(|n| format!("w{n} ")).collect();
        let other: String = (0..500).map(|n| format!("o{n} ")).collect();
        for edit in Edit::ALL {
            let edited = edit.of(&text, &other, &mut Draw(1));
            assert_eq!(edited, edit.of(&text, &other, &mut Draw(1)), "seeded");
            let words: Vec<&str> = edited.split_whitespace().collect();
            let foreign = words.iter().filter(|word| word.starts_with('o')).count();
            let (length, least, most) = match edit {
                Edit::Proofread => (1000, 18, 20),
                Edit::Revised => (1000, 85, 100),
                Edit::Cut => (800, 0, 0),
                Edit::Moved => (1000, 0, 0),
                Edit::Framed => (1100, 100, 100),
            };
            assert_eq!(words.len(), length, "{edit:?}");
            assert!((least..=most).contains(&foreign), "{edit:?}: {foreign}");
        }
        let moved = Edit::Moved.of(&text, &other, &mut Draw(1));
        assert!(moved.starts_with("w500 ") && moved.ends_with("w499 "));
        assert_eq!(Edit::Cut.of(&"字".repeat(100), "", &mut Draw(1)), "字".repeat(80));
        for text in ["", "one"] {
            Edit::ALL.iter().for_each(|edit| drop(edit.of(text, "", &mut Draw(1))));
        }
    }
}
