//! Test items, and which of them a text has: asked of every text of training data.
//!
//! There are far fewer items than texts, so the items are in memory and texts are only read. A token of a text is a
//! number if an item has it, so runs are compared on numbers, exactly; hashes of runs only propose.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::BuildHasherDefault;
use std::ops::Range;

use crate::item_runs::{HashAsIs, ItemRun, ItemRuns};
use crate::item_settings::ItemSettings;
use crate::text_words::{RunHashes, TextWords};

/// An item: where its tokens and those of its answer are in the list of all.
#[derive(Debug)]
struct Item {
    question: Range<usize>,
    answer: Option<Range<usize>>,
    decision: Decision,
}

/// Whether an item is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    Decidable,
    TooShort,
    /// It has nothing but what too many items have.
    Form,
}

/// Test items.
///
/// ```
/// use nearprint_passages::{ItemIndex, ItemSettings};
///
/// let mut items = ItemIndex::new(ItemSettings { answer_within: 20, ..ItemSettings::default() });
/// items.push("Which bird stays over the harbour at noon?", Some("The grey gull"));
/// items.finish();
/// let found = items.matches("Quiz: which bird stays\nover the harbour at NOON? It is the grey gull.");
/// assert_eq!((found[0].tokens, found[0].answer), (8, Some(true)));
/// ```
#[derive(Debug)]
pub struct ItemIndex {
    pub(crate) settings: ItemSettings,
    /// The number of each token that an item has, from 1.
    vocabulary: HashMap<Box<[u8]>, u32>,
    tokens: Vec<u32>,
    items: Vec<Item>,
    /// The lengths of runs that are looked up.
    pub(crate) lengths: Vec<usize>,
    runs: ItemRuns,
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
            runs: ItemRuns::default(),
        }
    }

    /// Adds an item, and returns the number of the tokens of its question.
    pub fn push(&mut self, question: &str, answer: Option<&str>) -> u32 {
        let question = self.read(question);
        let answer = answer.map(|answer| self.read(answer)).filter(|answer| !answer.is_empty());
        let count = u32::try_from(question.len()).unwrap_or(u32::MAX);
        // The answer comes after the question.
        let whole = &self.tokens[question.start..];
        let settings = &self.settings;
        let different: HashSet<u32> = match settings.least_different {
            0 => HashSet::new(),
            _ => whole.iter().copied().collect(),
        };
        let is_long = count >= settings.shortest.max(1)
            && whole.len() >= settings.shortest_with_answer as usize
            && different.len() >= settings.least_different as usize;
        let decision = if is_long { Decision::Decidable } else { Decision::TooShort };
        self.items.push(Item { question, answer, decision });
        count
    }

    fn read(&mut self, text: &str) -> Range<usize> {
        let start = self.tokens.len();
        let (vocabulary, tokens) = (&mut self.vocabulary, &mut self.tokens);
        self.settings.words.each(text, |word, _| {
            let next = u32::try_from(vocabulary.len() + 1).unwrap_or(u32::MAX);
            tokens.push(match vocabulary.get(word) {
                Some(&number) => number,
                None => *vocabulary.entry(word.into()).or_insert(next),
            });
        });
        start..self.tokens.len()
    }

    /// The number of items.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.items.len()).unwrap_or(u32::MAX)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The number of tokens of an item's question.
    #[must_use]
    pub fn item_tokens(&self, item: u32) -> u32 {
        let item = self.items.get(item as usize);
        item.map_or(0, |item| u32::try_from(item.question.len()).unwrap_or(u32::MAX))
    }

    /// Whether an item has enough tokens to be looked for, and a run that not too many items have, which is known once
    /// all are added ([`finish`](Self::finish)).
    #[must_use]
    pub fn is_decidable(&self, item: u32) -> bool {
        self.is_decided(item, Decision::Decidable)
    }

    /// Whether an item has enough tokens to be looked for, and nothing but what too many items have, which is known
    /// once all are added.
    #[must_use]
    pub fn is_form(&self, item: u32) -> bool {
        self.is_decided(item, Decision::Form)
    }

    fn is_decided(&self, item: u32, decision: Decision) -> bool {
        self.items.get(item as usize).is_some_and(|item| item.decision == decision)
    }

    /// Makes the items that were added ready to be looked for. O(n log n) time in their tokens.
    pub fn finish(&mut self) {
        self.index_runs();
        let most = self.settings.most_items;
        self.leave_out_forms(|runs| runs.len() > most);
    }

    /// Makes the runs of items ready to be looked up.
    pub(crate) fn index_runs(&mut self) {
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
        self.runs = ItemRuns::new(item_runs);
    }

    /// Makes items undecidable that have nothing but what too many items have: equal runs for which `are_too_many`.
    pub(crate) fn leave_out_forms(&mut self, are_too_many: impl Fn(&[ItemRun]) -> bool) {
        let mut has_own = vec![false; self.items.len()];
        for group in self.runs.groups() {
            if !are_too_many(group) {
                group.iter().for_each(|run| has_own[run.item as usize] = true);
            }
        }
        for (item, has_own) in self.items.iter_mut().zip(has_own) {
            if item.decision == Decision::Decidable && !has_own {
                item.decision = Decision::Form;
            }
        }
    }

    /// The words of a text as the items' numbers of them.
    pub(crate) fn read_text(&self, text: &str) -> TextWords {
        let (mut tokens, mut places): (Vec<u32>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
        self.settings.words.each(text, |word, place| {
            tokens.push(self.vocabulary.get(word).copied().unwrap_or(0));
            places.push(place);
        });
        TextWords { hashes: RunHashes::new(&tokens), tokens, places }
    }

    /// The runs of items that have a hash, by items.
    pub(crate) fn with_hash(&self, hash: u64) -> &[ItemRun] {
        self.runs.with_hash(hash)
    }

    /// The items that have a run, each once.
    pub(crate) fn items_with(&self, hash: u64, tokens: &[u32]) -> Vec<u32> {
        let runs = self.with_hash(hash).iter();
        let mut items: Vec<u32> =
            runs.filter(|run| self.is_equal(run, tokens)).map(|run| run.item).collect();
        items.dedup();
        items
    }

    /// Whether some item has a run.
    pub(crate) fn any_has_run(&self, hash: u64, tokens: &[u32]) -> bool {
        self.with_hash(hash).iter().any(|run| self.is_equal(run, tokens))
    }

    /// Whether an item has a run.
    pub(crate) fn has_run(&self, item: u32, hash: u64, tokens: &[u32]) -> bool {
        let runs = self.with_hash(hash);
        let runs = &runs[runs.partition_point(|run| run.item < item)..];
        runs.iter().take_while(|run| run.item == item).any(|run| self.is_equal(run, tokens))
    }

    fn is_equal(&self, run: &ItemRun, tokens: &[u32]) -> bool {
        let start = run.start as usize;
        self.question(run.item).get(start..start + tokens.len()) == Some(tokens)
    }

    /// In how many items each run is that is looked up, by its hash.
    pub(crate) fn run_counts(&self) -> HashMap<u64, u32, BuildHasherDefault<HashAsIs>> {
        self.runs.counts()
    }

    /// The hashes of an item's different runs of some length.
    pub(crate) fn different_runs(&self, item: u32, length: usize) -> BTreeSet<u64> {
        let question = self.question(item);
        let hashes = RunHashes::new(question);
        let count = (question.len() + 1).saturating_sub(length);
        (0..count).map(|start| hashes.of(start, length)).collect()
    }

    /// The tokens of an item's answer, if it has one.
    pub(crate) fn answer(&self, item: u32) -> Option<&[u32]> {
        Some(&self.tokens[self.items[item as usize].answer.clone()?])
    }

    pub(crate) fn question(&self, item: u32) -> &[u32] {
        &self.tokens[self.items[item as usize].question.clone()]
    }
}
