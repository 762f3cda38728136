//! The words of a text as items number them, with the hashes of all their runs.

use std::ops::Range;

use crate::rows::TextPlace;

/// The factor of the hashes of runs: odd.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The words of a text by the numbers that items have for them; 0 is a word of no item.
pub(crate) struct TextWords {
    pub(crate) tokens: Vec<u32>,
    /// Where each is, in bytes.
    pub(crate) places: Vec<Range<usize>>,
    pub(crate) hashes: RunHashes,
}

impl TextWords {
    /// All runs of some length whose words items have: where each begins, and its hash.
    pub(crate) fn runs(&self, length: usize) -> impl Iterator<Item = (usize, u64)> {
        // Where the words begin that are all known.
        let mut from = 0;
        self.tokens.iter().enumerate().filter_map(move |(last, &token)| {
            if token == 0 {
                from = last + 1;
            }
            let at = (last + 1).checked_sub(length).filter(|&at| at >= from)?;
            Some((at, self.hashes.of(at, length)))
        })
    }

    /// The hash of a run, if it is within the text.
    pub(crate) fn run(&self, at: usize, length: usize) -> Option<u64> {
        (at + length <= self.tokens.len()).then(|| self.hashes.of(at, length))
    }

    /// The place of some words, which are not none.
    pub(crate) fn place(&self, text: &str, words: &Range<usize>) -> TextPlace {
        let bytes = self.places[words.start].start..self.places[words.end - 1].end;
        CharacterCounter::new(text).place(bytes)
    }
}

/// The hashes of all runs of some tokens.
pub(crate) struct RunHashes {
    /// The hash of the tokens before each.
    before: Vec<u64>,
    /// The powers of the factor.
    powers: Vec<u64>,
}

impl RunHashes {
    pub(crate) fn new(tokens: &[u32]) -> Self {
        let (mut before, mut powers) = (vec![0u64], vec![1u64]);
        for (at, &token) in tokens.iter().enumerate() {
            before.push(before[at].wrapping_mul(FACTOR).wrapping_add(u64::from(token)));
            powers.push(powers[at].wrapping_mul(FACTOR));
        }
        Self { before, powers }
    }

    pub(crate) fn of(&self, start: usize, length: usize) -> u64 {
        let lead = self.before[start].wrapping_mul(self.powers[length]);
        let hash = self.before[start + length].wrapping_sub(lead) ^ (length as u64) << 48;
        let hash = (hash ^ hash >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash ^ hash >> 29
    }
}

/// Counts characters before bytes that come in order.
pub(crate) struct CharacterCounter<'t> {
    text: &'t str,
    byte: usize,
    characters: u64,
}

impl<'t> CharacterCounter<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, byte: 0, characters: 0 }
    }

    pub(crate) fn place(&mut self, bytes: Range<usize>) -> TextPlace {
        let start_character = self.before(bytes.start);
        let inside = self.text[bytes.clone()].chars().count() as u64;
        TextPlace {
            start_byte: bytes.start as u64,
            end_byte: bytes.end as u64,
            start_character,
            end_character: start_character + inside,
        }
    }

    fn before(&mut self, byte: usize) -> u64 {
        self.characters += self.text[self.byte..byte].chars().count() as u64;
        self.byte = byte;
        self.characters
    }
}
