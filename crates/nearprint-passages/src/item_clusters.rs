//! Items of which a text has most, in clusters of short runs with gaps between: the rule of decon (Allen Institute for
//! AI, version 0.3), with its default numbers, on our tokens, looking at every position instead of one in ten.
//!
//! Runs of 5 tokens of a question weigh by how rare they are among the questions. A run that a text has opens a
//! cluster, which goes on until 11 positions in a row bring nothing new. Its share of the question's weight, and that
//! of the answer after it, are one score; a short item must be there whole, a long one for four fifths.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::BuildHasherDefault;
use std::ops::Range;

use crate::item_index::ItemIndex;
use crate::item_runs::{HashAsIs, items_of};
use crate::item_settings::ItemSettings;
use crate::rows::TextPlace;
use crate::text_words::TextWords;

/// Tokens of a run of a question.
pub(crate) const QUESTION_RUN: usize = 5;

/// Tokens of an item with its answer, at least, and how many of them are different.
const SHORTEST: u32 = 20;
const LEAST_DIFFERENT: u32 = 4;

/// Tokens of a run of an answer.
const ANSWER_RUN: usize = 3;

/// Positions in a row without a new run that end a cluster.
const MOST_MISSES: usize = 11;

/// A run of more questions than this, or than twice the root of their number, opens no cluster.
const HOT: u32 = 2000;

/// The longest answer that must be there whole, and the tokens after the question within which it begins.
const WHOLE_ANSWER: usize = 3;
const WHOLE_ANSWER_WITHIN: usize = 50;

/// Tokens after the question in which the runs of a longer answer are looked for, at least; it is twice its length.
const ANSWER_WINDOW: usize = 100;

/// Runs of a question from which it weighs fully.
const CONFIDENT_RUNS: f64 = 20.0;

/// The score that shows a long item, and between which lengths in tokens it falls to that from 1.
const LEAST_SCORE: f64 = 0.8;
const SHORT_ITEM: f64 = 20.0;
const LONG_ITEM: f64 = 50.0;

/// The share of a long question without which no answer makes up for the rest.
const LEAST_QUESTION: f64 = (LEAST_SCORE - 0.3) / 0.7;

/// Items, and what their runs weigh.
#[derive(Debug)]
pub struct ItemClusters {
    index: ItemIndex,
    /// Items that are looked for.
    count: u32,
    /// In how many questions each run is, by its hash.
    counts: HashMap<u64, u32, BuildHasherDefault<HashAsIs>>,
    /// In how many answers each run is.
    answers: HashMap<[u32; ANSWER_RUN], u32>,
}

/// A cluster in a text that shows an item.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemCluster {
    /// The number of the item, from 0.
    pub item: u32,
    /// The score, above 0 up to 1.
    pub score: f64,
    /// Tokens from the first run to the last.
    pub tokens: u32,
    /// Where they are in the text.
    pub place: TextPlace,
    /// The share of the answer that follows; `None` where the item has none.
    pub answer: Option<f64>,
}

/// Runs of a question at positions of a text.
struct Cluster {
    /// From the first token to the last.
    tokens: Range<usize>,
    /// The hashes of the runs.
    runs: HashSet<u64>,
}

impl ItemClusters {
    /// The share of an answer from which the answer is there.
    pub const ANSWERED: f64 = 0.8;

    /// The settings of an index of such items: with fewer than 20 tokens in question and answer, or fewer than 4
    /// different ones, an item is not looked for.
    #[must_use]
    pub fn settings(common: ItemSettings) -> ItemSettings {
        ItemSettings {
            least_tokens: QUESTION_RUN as u32,
            shortest: QUESTION_RUN as u32,
            shortest_with_answer: SHORTEST,
            least_different: LEAST_DIFFERENT,
            ..common
        }
    }

    /// The items of an index, of which runs of 5 tokens are looked up.
    #[must_use]
    pub fn new(mut index: ItemIndex) -> Self {
        // What many items have weighs little, so it is not left out.
        index.index_runs();
        let (mut answers, mut count) = (HashMap::new(), 0);
        for item in (0..index.len()).filter(|&item| index.is_decidable(item)) {
            count += 1;
            for run in answer_runs(index.answer(item).unwrap_or_default()) {
                *answers.entry(run).or_insert(0) += 1;
            }
        }
        let most = most_items(count);
        index.leave_out_forms(|runs| items_of(runs) > most);
        Self { counts: index.run_counts(), index, count, answers }
    }

    /// The items.
    #[must_use]
    pub fn index(&self) -> &ItemIndex {
        &self.index
    }

    /// The clusters of a text that show an item, in the order of the items and their places.
    #[must_use]
    pub fn find(&self, text: &str) -> Vec<ItemCluster> {
        let read = self.index.read_text(text);
        let most = most_items(self.count);
        // Where the next cluster of an item may begin.
        let mut next: HashMap<u32, usize> = HashMap::new();
        let mut found: Vec<(u32, Range<usize>, f64, Option<f64>)> = Vec::new();
        for (at, hash) in read.runs(QUESTION_RUN) {
            let items = self.index.items_with(hash, &read.tokens[at..at + QUESTION_RUN]);
            if items.len() > most as usize {
                continue;
            }
            for item in items {
                let from = next.get(&item).copied().unwrap_or(0);
                if at < from {
                    continue;
                }
                let (cluster, end) = self.cluster(item, at, from, &read);
                next.insert(item, end);
                let tokens = cluster.tokens.clone();
                if let Some((score, answer)) = self.score(item, &cluster, &read) {
                    found.push((item, tokens, score, answer));
                }
            }
        }
        found.sort_by_key(|(item, tokens, ..)| (*item, tokens.start));
        let rows = found.into_iter().map(|(item, tokens, score, answer)| ItemCluster {
            item,
            score,
            tokens: tokens.len() as u32,
            place: read.place(text, &tokens),
            answer,
        });
        rows.collect()
    }

    /// The cluster around a position that has a run of an item, and where the next one may begin.
    fn cluster(&self, item: u32, at: usize, from: usize, read: &TextWords) -> (Cluster, usize) {
        let mut cluster = Cluster { tokens: at..at + QUESTION_RUN, runs: HashSet::new() };
        cluster.runs.extend(self.run_at(item, at, read));
        let mut misses = 0;
        for at in (from..at).rev() {
            if !cluster.add(at, self.run_at(item, at, read), &mut misses) {
                break;
            }
        }
        let (mut misses, mut end) = (0, at + 1);
        for at in at + 1..read.tokens.len() {
            end = at + 1;
            if !cluster.add(at, self.run_at(item, at, read), &mut misses) {
                break;
            }
        }
        (cluster, end)
    }

    /// The hash of the run at a position of a text, if the question has it.
    fn run_at(&self, item: u32, at: usize, read: &TextWords) -> Option<u64> {
        let hash = read.run(at, QUESTION_RUN)?;
        let tokens = &read.tokens[at..at + QUESTION_RUN];
        self.index.has_run(item, hash, tokens).then_some(hash)
    }

    /// What a run of questions weighs, by how many have it.
    fn weight(&self, count: u32) -> f64 {
        (f64::from(self.count) / f64::from(count.max(1))).ln()
    }

    /// The score of a cluster and the share of the answer, if it shows the item.
    fn score(&self, item: u32, cluster: &Cluster, read: &TextWords) -> Option<(f64, Option<f64>)> {
        let runs = self.index.different_runs(item, QUESTION_RUN);
        let question = share(runs.iter().map(|hash| {
            let weight = self.weight(self.counts.get(hash).copied().unwrap_or(1));
            (weight, cluster.runs.contains(hash))
        }));
        let length = f64::from(self.index.item_tokens(item));
        if question < falling(length, LEAST_QUESTION) {
            return None;
        }
        let answer = self.index.answer(item).map(|answer| {
            let beyond = cluster.tokens.len().saturating_sub(length as usize);
            let end = (cluster.tokens.end - beyond).min(read.tokens.len());
            (self.answer_share(answer, &read.tokens[end..]), answer)
        });
        let confidence = (0.5 + 0.5 * runs.len() as f64 / CONFIDENT_RUNS).min(1.0);
        let (score, more) = match answer {
            Some((share, tokens)) => {
                let different: BTreeSet<u32> = tokens.iter().copied().collect();
                let weight = 0.75 * confidence;
                (weight * question + (1.0 - weight) * share, different.len() as f64)
            }
            None => (question, 0.0),
        };
        let is_shown = score >= falling(length + more, LEAST_SCORE);
        is_shown.then(|| (score, answer.map(|(share, _)| share)))
    }

    /// The share of an answer that tokens after its question have.
    fn answer_share(&self, answer: &[u32], after: &[u32]) -> f64 {
        if answer.len() <= WHOLE_ANSWER {
            let end = after.len().min(WHOLE_ANSWER_WITHIN + answer.len());
            let is_there = after[..end].windows(answer.len()).any(|run| run == answer);
            return f64::from(u8::from(is_there));
        }
        let window = &after[..after.len().min(ANSWER_WINDOW.max(2 * answer.len()))];
        let had = answer_runs(window);
        share(answer_runs(answer).iter().map(|run| {
            let weight = self.weight(self.answers.get(run).copied().unwrap_or(1));
            (weight, had.contains(run))
        }))
    }
}

impl Cluster {
    /// Adds what a position next to the cluster has; returns whether the cluster goes on.
    fn add(&mut self, at: usize, run: Option<u64>, misses: &mut usize) -> bool {
        let Some(run) = run else {
            *misses += 1;
            return *misses < MOST_MISSES;
        };
        if self.runs.insert(run) {
            *misses = 0;
        }
        self.tokens.start = self.tokens.start.min(at);
        self.tokens.end = self.tokens.end.max(at + QUESTION_RUN);
        true
    }
}

/// Questions that a run may be of to open a cluster, of so many.
fn most_items(count: u32) -> u32 {
    HOT.max(2 * f64::from(count).sqrt() as u32)
}

/// The share of runs that are there, by their weights; by their number where none has a weight, as all items have them.
fn share(runs: impl Iterator<Item = (f64, bool)>) -> f64 {
    let (mut weights, mut counts) = ([0.0; 2], [0.0; 2]);
    for (weight, is_there) in runs {
        for (sum, one) in [(&mut weights, weight), (&mut counts, 1.0)] {
            sum[0] += one;
            sum[1] += if is_there { one } else { 0.0 };
        }
    }
    let [all, there] = if weights[0] > 0.0 { weights } else { counts };
    if all > 0.0 { there / all } else { 0.0 }
}

/// What falls from 1 to `least` between the lengths of short and of long items.
fn falling(length: f64, least: f64) -> f64 {
    let share = ((length - SHORT_ITEM) / (LONG_ITEM - SHORT_ITEM)).clamp(0.0, 1.0);
    1.0 - (1.0 - least) * share
}

fn answer_runs(tokens: &[u32]) -> BTreeSet<[u32; ANSWER_RUN]> {
    tokens.windows(ANSWER_RUN).filter_map(|run| run.try_into().ok()).collect()
}
