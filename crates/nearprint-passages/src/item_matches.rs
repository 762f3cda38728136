//! Which items a text has by runs: what is asked of every text of training data.

use std::collections::HashMap;
use std::ops::Range;

use crate::item_index::ItemIndex;
use crate::rows::TextPlace;
use crate::text_words::{CharacterCounter, RunHashes, TextWords};

/// A run of an item that a text has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemMatch {
    /// The number of the item, from 0.
    pub item: u32,
    /// The first token of the item that is in the run.
    pub item_start: u32,
    /// The first token of the text that is in the run.
    pub text_start: u32,
    /// The tokens of the run, which is longer nowhere.
    pub tokens: u32,
    /// Where it is in the text.
    pub place: TextPlace,
    /// Whether the answer follows; `None` where the item has none.
    pub answer: Option<bool>,
}

impl ItemIndex {
    /// The runs of items that a text has, in the order of their places and then of the items: all of at least
    /// [`least_tokens`](crate::ItemSettings::least_tokens), and items with fewer tokens as a whole.
    #[must_use]
    pub fn matches(&self, text: &str) -> Vec<ItemMatch> {
        let text_words = self.read_text(text);
        let tokens = &text_words.tokens;
        let mut found: Vec<(usize, Range<usize>, u32)> = Vec::new();
        let mut start = 0;
        for known in tokens.split(|&token| token == 0) {
            self.each_run(&text_words, start..start + known.len(), &mut found);
            start += known.len() + 1;
        }
        found.sort_unstable_by_key(|(at, run, item)| (*at, *item, run.start));
        let mut characters = CharacterCounter::new(text);
        let matches = found.into_iter().map(|(at, run, number)| {
            let end = at + run.len();
            let bytes = text_words.places[at].start..text_words.places[end - 1].end;
            ItemMatch {
                item: number,
                item_start: run.start as u32,
                text_start: at as u32,
                tokens: run.len() as u32,
                place: characters.place(bytes),
                answer: self.has_answer(tokens, end, number, run.end),
            }
        });
        matches.collect()
    }

    /// The stretches of a text, in bytes, that are such runs of any items, however many have them, in their order. Runs
    /// that overlap are one stretch. O(n) time in the tokens of the text.
    #[must_use]
    pub fn stretches(&self, text: &str) -> Vec<Range<usize>> {
        let TextWords { tokens, places, hashes } = self.read_text(text);
        let mut found: Vec<Range<usize>> = Vec::new();
        for at in 0..tokens.len() {
            // The longest one that begins here.
            let length = self.lengths.iter().rev().find(|&&length| {
                let run = tokens.get(at..at + length);
                run.is_some_and(|run| self.any_has_run(hashes.of(at, length), run))
            });
            let Some(length) = length else { continue };
            let end = at + length;
            match found.last_mut() {
                Some(last) if at < last.end => last.end = last.end.max(end),
                _ => found.push(at..end),
            }
        }
        found.into_iter().map(|run| places[run.start].start..places[run.end - 1].end).collect()
    }

    /// The hashes of the runs of [`least_tokens`](crate::ItemSettings::least_tokens) that are within a match; of an
    /// item with fewer tokens that of the whole.
    pub fn runs_within(&self, found: &ItemMatch) -> impl Iterator<Item = u64> {
        let item = self.question(found.item);
        let length = item.len().min(self.settings.least_tokens.max(1) as usize);
        let start = found.item_start as usize;
        let run = item.get(start..start + found.tokens as usize).unwrap_or_default();
        let hashes = RunHashes::new(run);
        let count = (run.len() + 1).saturating_sub(length);
        (0..count).map(move |start| hashes.of(start, length))
    }

    /// Adds the runs within some tokens that items have: where each begins, its tokens in the item, the item.
    fn each_run(
        &self,
        text: &TextWords,
        within: Range<usize>,
        found: &mut Vec<(usize, Range<usize>, u32)>,
    ) {
        let tokens = &text.tokens;
        if self.lengths.first().is_none_or(|&shortest| within.len() < shortest) {
            return;
        }
        // Where the run ends that was found last of an item and a difference of places.
        let mut known: HashMap<(u32, i64), usize> = HashMap::new();
        for at in within.clone() {
            for &length in &self.lengths {
                if at + length > within.end {
                    break;
                }
                let item_runs = self.with_hash(text.hashes.of(at, length));
                let count = item_runs.len();
                if count > self.settings.most_items {
                    continue;
                }
                for item_run in item_runs {
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

    /// Whether the answer of an item begins within so many tokens after where its question ends, or would end if all of
    /// it were there.
    fn has_answer(&self, tokens: &[u32], at: usize, number: u32, run_end: usize) -> Option<bool> {
        let answer = self.answer(number)?;
        let rest = self.question(number).len() - run_end;
        let end = at + rest + self.settings.answer_within as usize + answer.len();
        let after = &tokens[at..end.min(tokens.len())];
        Some(after.windows(answer.len()).any(|run| run == answer))
    }
}
