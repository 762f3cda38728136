//! How often certain words stand in a text, whatever their case: in one pass, at the speed of a search.
//!
//! A word is a run of letters and hyphens. Where words begin and end is found for 64 bytes at a time; a word that is
//! not asked for is skipped with one look into a table that is mostly empty.

use std::sync::LazyLock;

/// Bytes that are examined together: a bit of a word for each.
const BLOCK: usize = 64;

/// Bytes of a word that are hashed in one step.
const HASHED: usize = 16;

/// Words, and how often each was seen.
pub(super) struct WordCounts {
    /// In lower case.
    words: Vec<(String, u64)>,
    /// Numbers of words, one up, each at its hash or after; 0 is an empty place. Three of four are empty.
    table: Vec<u32>,
    /// Bytes of words that had the hash of another word.
    compared: usize,
}

impl WordCounts {
    /// Room for this many words.
    pub(super) fn for_words(most: usize) -> Self {
        Self { words: Vec::new(), table: vec![0; (4 * most).next_power_of_two()], compared: 0 }
    }

    /// The number of a word in lower case, which is counted from now on.
    pub(super) fn number_of(&mut self, word: String) -> usize {
        let place = self.place_of(word.as_bytes(), hash(word.as_bytes()));
        if self.table[place] == 0 {
            self.words.push((word, 0));
            self.table[place] = self.words.len() as u32;
        }
        self.table[place] as usize - 1
    }

    /// How many words there are; their numbers are all smaller.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// Bytes that were compared in vain, because words had one hash.
    pub(super) fn compared(&self) -> usize {
        self.compared
    }

    /// How often a word was seen.
    pub(super) fn count(&self, number: usize) -> u64 {
        self.words[number].1
    }

    /// The place of a word, or the empty one where it would be.
    fn place_of(&mut self, word: &[u8], hash: u64) -> usize {
        let mut place = hash as usize & (self.table.len() - 1);
        while let number @ 1.. = self.table[place]
            && !self.words[number as usize - 1].0.as_bytes().eq_ignore_ascii_case(word)
        {
            self.compared += word.len();
            place = (place + 1) & (self.table.len() - 1);
        }
        place
    }

    /// Counts the words of a text. Linear in its length.
    pub(super) fn count_in(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut lower = String::new();
        // The run under way: where it began, and whether it may have bytes beyond ASCII.
        let (mut start, mut inside, mut foreign) = (0, false, false);
        let mut run = |counts: &mut Self, start: usize, end: usize, foreign: bool| {
            if foreign && !bytes[start..end].is_ascii() {
                counts.count_foreign(&text[start..end], &mut lower);
            } else {
                counts.seen(&bytes[start..end], hash_at(bytes, start, end));
            }
        };
        for (number, block) in bytes.chunks(BLOCK).enumerate() {
            let is_foreign = !block.is_ascii();
            foreign |= is_foreign;
            let within = word_bytes(block);
            // A bit where a run begins, and one after its end.
            let mut edges = within ^ (within << 1 | u64::from(inside));
            while edges != 0 {
                let at = number * BLOCK + edges.trailing_zeros() as usize;
                edges &= edges - 1;
                if inside {
                    run(self, start, at, foreign);
                    foreign = is_foreign;
                } else {
                    start = at;
                }
                inside = !inside;
            }
            foreign &= inside;
        }
        if inside {
            run(self, start, bytes.len(), foreign);
        }
    }

    #[inline]
    fn seen(&mut self, word: &[u8], hash: u64) {
        let place = hash as usize & (self.table.len() - 1);
        if self.table[place] != 0 {
            let place = self.place_of(word, hash);
            let Some(number) = self.table[place].checked_sub(1) else { return };
            self.words[number as usize].1 += 1;
        }
    }

    /// Counts the words of a run that is not all ASCII: its other characters may be no letters.
    fn count_foreign(&mut self, run: &str, lower: &mut String) {
        lower.clear();
        let (mut start, mut odd) = (0, false);
        let end = std::iter::once((run.len(), ' '));
        for (at, c) in run.char_indices().chain(end) {
            match lower_case(c) {
                LowerCase::Letter(c) => lower.push(c),
                LowerCase::Odd => odd = true,
                LowerCase::NoLetter => {
                    if odd {
                        let word = run[start..at].to_lowercase().replace('\u{2010}', "-");
                        self.seen(word.as_bytes(), hash(word.as_bytes()));
                    } else if !lower.is_empty() {
                        self.seen(lower.as_bytes(), hash(lower.as_bytes()));
                    }
                    lower.clear();
                    (start, odd) = (at + c.len_utf8(), false);
                }
            }
        }
    }
}

/// A character of a word as it is compared.
enum LowerCase {
    Letter(char),
    /// Becomes several letters, or one or another by where it stands.
    Odd,
    NoLetter,
}

fn lower_case(c: char) -> LowerCase {
    /// Two bytes of UTF-8 reach so far: most letters of most scripts with cases.
    const FEW: usize = 0x800;
    static TABLE: LazyLock<[u16; FEW]> = LazyLock::new(|| {
        std::array::from_fn(|at| match char::from_u32(at as u32).map(look_up) {
            Some(LowerCase::Letter(c)) => u16::try_from(u32::from(c)).unwrap_or(1),
            Some(LowerCase::Odd) => 1,
            _ => 0,
        })
    });
    match TABLE.get(c as usize) {
        Some(0) => LowerCase::NoLetter,
        Some(1) => LowerCase::Odd,
        Some(letter) => {
            char::from_u32(u32::from(*letter)).map_or(LowerCase::Odd, LowerCase::Letter)
        }
        None => look_up(c),
    }
}

fn look_up(c: char) -> LowerCase {
    let mut lower = c.to_lowercase();
    match lower.next() {
        _ if matches!(c, '-' | '\u{2010}') => LowerCase::Letter('-'),
        _ if !c.is_alphabetic() => LowerCase::NoLetter,
        // Sigma has two forms.
        Some(letter) if c != 'Σ' && lower.next().is_none() => LowerCase::Letter(letter),
        _ => LowerCase::Odd,
    }
}

/// A bit for each byte that may be part of a word: letters of ASCII, hyphens, all bytes beyond ASCII.
fn word_bytes(bytes: &[u8]) -> u64 {
    let mut block = [0; BLOCK];
    block[..bytes.len()].copy_from_slice(bytes);
    // Loops without a way out, which become vector instructions.
    let flags =
        block.map(|b| u8::from(((b | 0x20).wrapping_sub(b'a') < 26) | (b == b'-') | (b >= 0x80)));
    let (eights, _) = flags.as_chunks::<8>();
    eights.iter().rev().fold(0, |bits, eight| {
        // The flag of byte i is bit 8 i; times 2^(56 - 7 i) it is bit 56 + i, and no two of the products meet.
        const GATHER: u64 = 0x0102_0408_1020_4080;
        bits << 8 | u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56
    })
}

fn hash(word: &[u8]) -> u64 {
    hash_at(word, 0, word.len())
}

/// The hash of a word in `bytes`, whatever the case of its ASCII letters.
#[inline]
fn hash_at(bytes: &[u8], start: usize, end: usize) -> u64 {
    // Few words are longer than one step, and without the rest of them all with one beginning would have one hash.
    let mut hash = hash_step(bytes, start, end);
    let mut next = start + HASHED;
    while next < end {
        hash = hash.rotate_left(23) ^ hash_step(bytes, next, end);
        next += HASHED;
    }
    hash
}

/// The hash of the first bytes of a word.
#[inline]
fn hash_step(bytes: &[u8], start: usize, end: usize) -> u64 {
    let first = match bytes[start..].first_chunk::<HASHED>() {
        Some(first) => *first,
        None => {
            let mut first = [0; HASHED];
            let rest = &bytes[start..];
            first[..rest.len()].copy_from_slice(rest);
            first
        }
    };
    let length = end - start;
    let beyond = 8 * HASHED.saturating_sub(length) as u32;
    // All in words have this bit, or it is the one of their case.
    const CASE: u128 = u128::from_le_bytes([0x20; HASHED]);
    let first = (u128::from_le_bytes(first) | CASE) << beyond;
    let (low, high) = (first as u64, (first >> 64) as u64);
    // Odd numbers of no meaning: the golden ratio's, and the one of a generator by Steele and others.
    let mixed = (low ^ (length as u64) << 32)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .rotate_left(29)
        .wrapping_add(high)
        .wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::WordCounts;

    /// As slowly and plainly as it can be done.
    fn plainly(text: &str) -> HashMap<String, u64> {
        let mut counts = HashMap::new();
        for word in text.split(|c: char| !c.is_alphabetic() && c != '-' && c != '\u{2010}') {
            *counts.entry(word.to_lowercase().replace('\u{2010}', "-")).or_default() += 1;
        }
        counts
    }

    /// Numbers of no meaning, the same on every run (a linear congruential generator of Knuth's).
    fn numbers() -> impl FnMut(usize) -> usize {
        let mut state = 1u64;
        move |below| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        }
    }

    #[test]
    fn counts_are_those_of_splitting_and_lower_casing() {
        // Letters whose lower case is longer, is another block's, or depends on what follows; marks, wide letters,
        // dashes.
        const PARTS: [&str; 32] = [
            "a",
            "B",
            "c",
            "the",
            "Information",
            "x-",
            "-",
            "\u{2010}",
            "ß",
            "ẞ",
            "İ",
            "I\u{307}",
            "Σ",
            "ς",
            "ΑΣ",
            "K",
            "k",
            "Ⱥ",
            "д",
            "Д",
            "漢",
            "字",
            "é",
            "E\u{301}",
            " ",
            " ",
            "\n",
            ".",
            "\u{A0}",
            "“",
            "1",
            "@[`{",
        ];
        let mut number = numbers();
        for length in (0..200).chain([3000]) {
            let text: String = (0..length).map(|_| PARTS[number(PARTS.len())]).collect();
            let wanted = plainly(&text);
            let mut words = WordCounts::for_words(wanted.len() + 2);
            // Every second word of the text, and two that it does not have.
            let asked: Vec<_> =
                wanted.keys().filter(|word| !word.is_empty()).step_by(2).cloned().collect();
            let absent = ["absent", "informatiom"].map(String::from);
            for word in asked.iter().chain(&absent) {
                words.number_of(word.clone());
            }
            words.count_in(&text);
            for word in asked.into_iter().chain(absent) {
                let count = wanted.get(&word).copied().unwrap_or_default();
                let number = words.number_of(word.clone());
                assert_eq!(words.count(number), count, "{word:?} in {text:?}");
            }
            assert!(words.len() <= wanted.len() + 2);
        }
    }

    #[test]
    fn words_may_end_anywhere_in_a_block() {
        for before in 0..130 {
            for length in [1, 7, 8, 15, 16, 17, 40, 64, 65] {
                let word = "abcdefghij".repeat(7)[..length].to_owned();
                let text = format!("{}{word}", " ".repeat(before));
                for text in [text.clone(), text.to_uppercase() + ".", text + " é"] {
                    let mut words = WordCounts::for_words(1);
                    let number = words.number_of(word.clone());
                    words.count_in(&text);
                    assert_eq!(words.count(number), 1, "{text:?}");
                }
            }
        }
    }
}
