//! Test items, and which of them a text has: asked of every text of training data.
//!
//! There are far fewer items than texts, so the items are in memory and texts are only read. A token of a text is a
//! number if an item has it, so runs are compared on numbers, exactly; hashes of runs only propose.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use nearprint_fingerprint::placed_tokens;

use crate::rows::TextPlace;

/// Items that have a run in common, at most, for it to say that a text has one of them; what more have is their form,
/// such as the instructions before every question.
const MOST_ITEMS: usize = 1000;

/// Bits of the filter for each run of an item.
const FILTER_BITS: usize = 16;

/// The factor of the hashes of runs: odd.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// How items are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemSettings {
    /// Tokens of a run of an item that shows that a text has it. An item with fewer is looked for as a whole.
    pub least_tokens: u32,
    /// Tokens of an item, at least, to be looked for at all.
    pub shortest: u32,
    /// Whether numbers count as tokens.
    pub numbers: bool,
    /// Tokens after the question within which its answer must begin.
    pub answer_within: u32,
}

/// A run of an item that a text has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemMatch {
    /// The number of the item, from 0.
    pub item: u32,
    /// The first token of the item that is in the run.
    pub item_start: u32,
    /// The tokens of the run, which is longer nowhere.
    pub tokens: u32,
    /// Where it is in the text.
    pub place: TextPlace,
    /// Whether the answer follows; `None` where the item has none.
    pub answer: Option<bool>,
}

/// An item: where its tokens and those of its answer are in the list of all.
#[derive(Debug)]
struct Item {
    question: Range<usize>,
    answer: Option<Range<usize>>,
}

/// A run of an item that is looked up by its hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ItemRun {
    hash: u64,
    item: u32,
    start: u32,
}

/// Test items.
///
/// ```
/// use nearprint_passages::{ItemIndex, ItemSettings};
///
/// let settings = ItemSettings { least_tokens: 13, shortest: 5, numbers: true, answer_within: 20 };
/// let mut items = ItemIndex::new(settings);
/// items.push("Which bird stays over the harbour at noon?", Some("The grey gull"));
/// items.finish();
/// let found = items.matches("Quiz: which bird stays\nover the harbour at NOON? It is the grey gull.");
/// assert_eq!((found[0].tokens, found[0].answer), (8, Some(true)));
/// ```
#[derive(Debug)]
pub struct ItemIndex {
    settings: ItemSettings,
    /// The number of each token that an item has, from 1.
    vocabulary: HashMap<Box<[u8]>, u32>,
    tokens: Vec<u32>,
    items: Vec<Item>,
    /// The lengths of runs that are looked up.
    lengths: Vec<usize>,
    item_runs: Vec<ItemRun>,
    /// Where the item_runs of a hash begin.
    starts: HashMap<u64, usize, BuildHasherDefault<HashAsIs>>,
    /// A bit of each hash.
    filter: Vec<u64>,
}

/// Hashes numbers that are hashes.
#[derive(Debug, Default)]
struct HashAsIs(u64);

impl Hasher for HashAsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

impl ItemIndex {
    /// No items yet.
    #[must_use]
    pub fn new(settings: ItemSettings) -> Self {
        Self {
            settings,
            vocabulary: HashMap::new(),
            tokens: Vec::new(),
            items: Vec::new(),
            lengths: Vec::new(),
            item_runs: Vec::new(),
            starts: HashMap::default(),
            filter: Vec::new(),
        }
    }

    /// Adds an item, and returns the number of the tokens of its question.
    pub fn push(&mut self, question: &str, answer: Option<&str>) -> u32 {
        let question = self.read(question);
        let answer = answer.map(|answer| self.read(answer)).filter(|answer| !answer.is_empty());
        let count = u32::try_from(question.len()).unwrap_or(u32::MAX);
        self.items.push(Item { question, answer });
        count
    }

    fn read(&mut self, text: &str) -> Range<usize> {
        let start = self.tokens.len();
        let (vocabulary, tokens) = (&mut self.vocabulary, &mut self.tokens);
        placed_tokens(text, self.settings.numbers, |token| {
            let next = u32::try_from(vocabulary.len() + 1).unwrap_or(u32::MAX);
            tokens.push(match vocabulary.get(token.token) {
                Some(&number) => number,
                None => *vocabulary.entry(token.token.into()).or_insert(next),
            });
        });
        start..self.tokens.len()
    }

    /// The number of tokens of an item's question.
    #[must_use]
    pub fn item_tokens(&self, item: u32) -> u32 {
        let item = self.items.get(item as usize);
        item.map_or(0, |item| u32::try_from(item.question.len()).unwrap_or(u32::MAX))
    }

    /// Whether an item has enough tokens to be looked for.
    #[must_use]
    pub fn is_decidable(&self, item: u32) -> bool {
        self.item_tokens(item) >= self.settings.shortest.max(1)
    }

    /// Makes the items that were added ready to be looked for. O(n log n) time in their tokens.
    pub fn finish(&mut self) {
        let least = self.settings.least_tokens.max(1) as usize;
        self.lengths.clear();
        let mut item_runs = Vec::new();
        for (number, item) in (0..).zip(&self.items) {
            if !self.is_decidable(number) {
                continue;
            }
            let length = item.question.len().min(least);
            self.lengths.push(length);
            let hashes = RunHashes::new(&self.tokens[item.question.clone()]);
            for start in 0..=item.question.len() - length {
                let hash = hashes.of(start, length);
                item_runs.push(ItemRun { hash, item: number, start: start as u32 });
            }
        }
        self.lengths.sort_unstable();
        self.lengths.dedup();
        item_runs.sort_unstable();
        let words = (item_runs.len() * FILTER_BITS / 64).next_power_of_two();
        (self.filter, self.starts) = (vec![0; words], HashMap::default());
        for (at, item_run) in item_runs.iter().enumerate() {
            let (word, bit) = filter_bit(item_run.hash, words);
            self.filter[word] |= bit;
            self.starts.entry(item_run.hash).or_insert(at);
        }
        self.item_runs = item_runs;
    }

    /// The runs of items that a text has, in the order of their places and then of the items: all of at least
    /// [`least_tokens`](ItemSettings::least_tokens), and items with fewer tokens as a whole.
    #[must_use]
    pub fn matches(&self, text: &str) -> Vec<ItemMatch> {
        let (mut tokens, mut places): (Vec<u32>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
        placed_tokens(text, self.settings.numbers, |token| {
            tokens.push(self.vocabulary.get(token.token).copied().unwrap_or(0));
            places.push(token.place);
        });
        let mut found: Vec<(usize, Range<usize>, u32)> = Vec::new();
        let mut start = 0;
        for known in tokens.split(|&token| token == 0) {
            self.each_run(&tokens, start..start + known.len(), &mut found);
            start += known.len() + 1;
        }
        found.sort_unstable_by_key(|(at, run, item)| (*at, *item, run.start));
        let mut characters = CharacterCounter { text, byte: 0, characters: 0 };
        let matches = found.into_iter().map(|(at, run, number)| {
            let end = at + run.len();
            let bytes = places[at].start..places[end - 1].end;
            let start_character = characters.before(bytes.start);
            let inside = text[bytes.clone()].chars().count() as u64;
            ItemMatch {
                item: number,
                item_start: run.start as u32,
                tokens: run.len() as u32,
                place: TextPlace {
                    start_byte: bytes.start as u64,
                    end_byte: bytes.end as u64,
                    start_character,
                    end_character: start_character + inside,
                },
                answer: self.has_answer(&tokens, end, number, run.end),
            }
        });
        matches.collect()
    }

    /// Adds the runs within some tokens that items have: where each begins, its tokens in the item, the item.
    fn each_run(
        &self,
        tokens: &[u32],
        within: Range<usize>,
        found: &mut Vec<(usize, Range<usize>, u32)>,
    ) {
        if self.lengths.first().is_none_or(|&shortest| within.len() < shortest) {
            return;
        }
        let hashes = RunHashes::new(&tokens[within.clone()]);
        // Where the run ends that was found last of an item and a difference of places.
        let mut known: HashMap<(u32, i64), usize> = HashMap::new();
        for at in within.clone() {
            for &length in &self.lengths {
                if at + length > within.end {
                    break;
                }
                let hash = hashes.of(at - within.start, length);
                let (word, bit) = filter_bit(hash, self.filter.len());
                if self.filter[word] & bit == 0 {
                    continue;
                }
                let Some(&first) = self.starts.get(&hash) else { continue };
                let item_runs = &self.item_runs[first..];
                let count = item_runs.partition_point(|item_run| item_run.hash == hash);
                if count > MOST_ITEMS {
                    continue;
                }
                for item_run in &item_runs[..count] {
                    let item = self.question(item_run.item);
                    let start = item_run.start as usize;
                    if item.get(start..start + length) != Some(&tokens[at..at + length]) {
                        continue;
                    }
                    let end = known.entry((item_run.item, at as i64 - start as i64)).or_insert(0);
                    if at < *end {
                        continue;
                    }
                    let before = item[..start].iter().rev().zip(tokens[..at].iter().rev());
                    let before = before.take_while(|(one, other)| one == other).count();
                    let after = item[start..].iter().zip(&tokens[at..]);
                    let after = after.take_while(|(one, other)| one == other).count();
                    *end = at + after;
                    found.push((at - before, start - before..start + after, item_run.item));
                }
            }
        }
    }

    fn question(&self, item: u32) -> &[u32] {
        &self.tokens[self.items[item as usize].question.clone()]
    }

    /// Whether the answer of an item begins within so many tokens after where its question ends, or would end if all of
    /// it were there.
    fn has_answer(&self, tokens: &[u32], at: usize, number: u32, run_end: usize) -> Option<bool> {
        let item = &self.items[number as usize];
        let answer = &self.tokens[item.answer.clone()?];
        let rest = item.question.len() - run_end;
        let end = at + rest + self.settings.answer_within as usize + answer.len();
        let after = &tokens[at..end.min(tokens.len())];
        Some(after.windows(answer.len()).any(|run| run == answer))
    }
}

fn filter_bit(hash: u64, words: usize) -> (usize, u64) {
    ((hash >> 32) as usize & (words - 1), 1 << (hash & 63))
}

/// The hashes of all runs of some tokens.
struct RunHashes {
    /// The hash of the tokens before each.
    before: Vec<u64>,
    /// The powers of the factor.
    powers: Vec<u64>,
}

impl RunHashes {
    fn new(tokens: &[u32]) -> Self {
        let (mut before, mut powers) = (vec![0u64], vec![1u64]);
        for (at, &token) in tokens.iter().enumerate() {
            before.push(before[at].wrapping_mul(FACTOR).wrapping_add(u64::from(token)));
            powers.push(powers[at].wrapping_mul(FACTOR));
        }
        Self { before, powers }
    }

    fn of(&self, start: usize, length: usize) -> u64 {
        let lead = self.before[start].wrapping_mul(self.powers[length]);
        let hash = self.before[start + length].wrapping_sub(lead) ^ (length as u64) << 48;
        let hash = (hash ^ hash >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash ^ hash >> 29
    }
}

/// Counts characters before bytes that come in order.
struct CharacterCounter<'t> {
    text: &'t str,
    byte: usize,
    characters: u64,
}

impl CharacterCounter<'_> {
    fn before(&mut self, byte: usize) -> u64 {
        self.characters += self.text[self.byte..byte].chars().count() as u64;
        self.byte = byte;
        self.characters
    }
}
