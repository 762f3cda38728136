//! Passages in the order of a list of the most repeated ones, of which there may be very many: within a bound of
//! memory, beyond it in temporary files.
//!
//! Which of them are listed is decided one after the other, from the best on, and most of the best may repeat others.
//! So the best that are not looked at yet are chosen again and again, each time by looking at all: once, unless tens of
//! thousands are looked at.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::io;
use std::path::Path;

use nearprint_records::{DocumentId, SharedPassageRow, TextRange};

use super::Boilerplate;
use crate::store::byte_log::ByteLog;

/// Tokens of runs by which a passage is found in others.
pub(super) const RUN: usize = 8;

/// Passages that are chosen at once.
const AT_ONCE: usize = 1 << 16;

/// Numbers of a passage as it is kept, 8 bytes each.
const NUMBERS: usize = 10;

/// Bytes of passages that are looked at together.
const READ_AT_ONCE: u64 = (NUMBERS as u64 * 8) << 12;

/// Passages that may be listed.
pub(super) struct RankedPassages {
    /// Of each its numbers.
    passages: ByteLog,
    /// Of each the id of its first document, which has no control characters, a line feed, and its text.
    texts: ByteLog,
    at_once: usize,
}

/// A passage without its document and its text, which are at a place of the log of texts.
struct RankedPassage {
    documents: u64,
    tokens: u64,
    places: u64,
    passage: Option<u64>,
    range: TextRange,
    text: std::ops::Range<u64>,
}

/// The rank of a passage, the least first: those of more documents, of these the longer ones, and of these the first.
/// They came in the order of their first places.
type Rank = (Reverse<u64>, Reverse<u64>, u64);

impl RankedPassages {
    /// None yet, within so much memory.
    pub(super) fn new(memory: u64, directory: &Path) -> Self {
        let log = |what, memory| ByteLog::new(what, memory, directory.to_owned());
        let (passages, texts) = (log("passages", memory / 4), log("texts", memory / 4 * 3));
        Self { passages, texts, at_once: AT_ONCE }
    }

    pub(super) fn push(&mut self, row: &SharedPassageRow) -> io::Result<()> {
        let start = self.texts.end();
        self.texts.push(format!("{}\n{}", row.a, row.text).as_bytes(), 0)?;
        let (range, text) = (row.a_range(), start..self.texts.end());
        let SharedPassageRow { documents, tokens, places, passage, .. } = *row;
        self.passages
            .push(&RankedPassage { documents, tokens, places, passage, range, text }.to_bytes(), 0)
    }

    /// The passages in the order of the list, without those that repeat others, as many as are wanted.
    pub(super) fn listed(self, question: &Boilerplate) -> io::Result<Vec<SharedPassageRow>> {
        let (mut listed, mut runs) = (Vec::new(), ListedRuns::default());
        let mut last = None;
        loop {
            let best = self.best_after(last)?;
            for rank in &best {
                if listed.len() as u64 == question.most {
                    return Ok(listed);
                }
                let one = self.passage(rank.2)?;
                let stored = self.texts.get(one.text)?;
                let stored = String::from_utf8_lossy(&stored);
                let (id, text) = stored.split_once('\n').unwrap_or_default();
                if runs.add(text, question) {
                    let first = (DocumentId::new(id).expect("it was an id"), one.range);
                    let row = SharedPassageRow::frequent(0, first, one.tokens, text.to_owned());
                    let mut row = row.counted(one.documents, one.places, one.passage);
                    row.numbers = question.numbers;
                    listed.push(row);
                }
            }
            match best.last() {
                Some(rank) => last = Some(*rank),
                None => return Ok(listed),
            }
        }
    }

    /// The first ranks after this one, in their order.
    fn best_after(&self, last: Option<Rank>) -> io::Result<Vec<Rank>> {
        let mut best: BinaryHeap<Rank> = BinaryHeap::new();
        let (mut at, mut number) = (0, 0);
        loop {
            let bytes = self.passages.next(at, READ_AT_ONCE)?;
            if bytes.is_empty() {
                return Ok(best.into_sorted_vec());
            }
            at += bytes.len() as u64;
            for one in bytes.chunks_exact(NUMBERS * 8) {
                let one = RankedPassage::from_bytes(one);
                let rank = (Reverse(one.documents), Reverse(one.tokens), number);
                number += 1;
                let is_full = best.len() == self.at_once;
                if last.is_some_and(|last| rank <= last)
                    || is_full && best.peek().is_some_and(|worst| rank > *worst)
                {
                    continue;
                }
                if is_full {
                    best.pop();
                }
                best.push(rank);
            }
        }
    }

    fn passage(&self, number: u64) -> io::Result<RankedPassage> {
        let length = NUMBERS as u64 * 8;
        let bytes = self.passages.get(number * length..(number + 1) * length)?;
        Ok(RankedPassage::from_bytes(&bytes))
    }
}

impl RankedPassage {
    fn to_bytes(&self) -> [u8; NUMBERS * 8] {
        let TextRange { start, end, start_byte, end_byte } = self.range;
        // Numbers of passages are below 2^64 - 1.
        let passage = self.passage.unwrap_or(u64::MAX);
        let numbers: [u64; NUMBERS] = [
            self.documents,
            self.tokens,
            self.places,
            passage,
            start,
            end,
            start_byte,
            end_byte,
            self.text.start,
            self.text.end,
        ];
        let mut bytes = [0; NUMBERS * 8];
        for (to, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            to.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let mut numbers = [0_u64; NUMBERS];
        for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(8)) {
            *number = bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        }
        let [documents, tokens, places, passage, start, end, start_byte, end_byte, from, to] =
            numbers;
        let passage = Some(passage).filter(|&number| number != u64::MAX);
        let range = TextRange { start, end, start_byte, end_byte };
        Self { documents, tokens, places, passage, range, text: from..to }
    }
}

/// The runs of the passages that are listed, each with the numbers of those that have it.
#[derive(Default)]
struct ListedRuns {
    count: u32,
    passages: HashMap<[u64; RUN], Vec<u32>>,
}

impl ListedRuns {
    /// Adds a passage and returns true, unless a listed one has all of it but fewer than half of the least tokens.
    fn add(&mut self, text: &str, question: &Boilerplate) -> bool {
        let mut tokens = Vec::new();
        let numbers = question.numbers;
        nearprint_fingerprint::placed_tokens(text, numbers, |token| tokens.push(token.hash));
        let runs: Vec<[u64; RUN]> =
            tokens.windows(RUN).filter_map(|run| run.try_into().ok()).collect();
        // Of each listed passage: how many tokens it has, and the end of the last ones.
        let mut had: HashMap<u32, (usize, usize)> = HashMap::new();
        for (start, run) in runs.iter().enumerate() {
            for &passage in self.passages.get(run).map_or(&[][..], Vec::as_slice) {
                let (count, end) = had.entry(passage).or_default();
                *count += start + RUN - start.max(*end);
                *end = start + RUN;
            }
        }
        let most = had.values().map(|(count, _)| *count).max().unwrap_or(0);
        if 2 * ((tokens.len() - most) as u64) < question.min_tokens {
            return false;
        }
        for run in runs {
            let passages = self.passages.entry(run).or_default();
            if passages.last() != Some(&self.count) {
                passages.push(self.count);
            }
        }
        self.count += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many passages, of which most repeat others.
    fn rows() -> Vec<SharedPassageRow> {
        let mut state = 3_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let mut rows = Vec::new();
        for number in 0..500_u64 {
            let kind = "abcdefghij".chars().nth(random(10) as usize).unwrap();
            let count = 50 + random(20);
            let words = (0..count).map(|at| format!("{kind}{}", "x".repeat(at as usize)));
            let text = words.collect::<Vec<_>>().join(" ");
            let range = TextRange { start: number, end: number + 9, start_byte: 1, end_byte: 2 };
            let first = (DocumentId::new(format!("page-{number}")).unwrap(), range);
            let row = SharedPassageRow::frequent(number, first, count, text);
            rows.push(row.counted(10 + random(5), 20, Some(number).filter(|_| number % 2 == 0)));
        }
        rows
    }

    #[test]
    fn the_list_is_the_same_for_any_memory_and_number_at_once() {
        let (rows, directory) = (rows(), tempfile::tempdir().unwrap());
        let listed = |memory: u64, at_once: usize, most: u64| {
            let mut found = RankedPassages::new(memory, directory.path());
            found.at_once = at_once;
            rows.iter().for_each(|row| found.push(row).unwrap());
            found.listed(&Boilerplate::default().most(most)).unwrap()
        };
        let all = listed(1 << 30, AT_ONCE, 100);
        assert_eq!(all.len(), 10, "one of each kind");
        assert!(all.is_sorted_by_key(|row| (Reverse(row.documents), Reverse(row.tokens))));
        for row in &all {
            let pushed = rows.iter().find(|one| one.a == row.a).unwrap();
            let numbers = |row: &SharedPassageRow| (row.documents, row.tokens, row.places);
            assert_eq!((numbers(row), row.a_range()), (numbers(pushed), pushed.a_range()));
            assert_eq!((&row.text, row.passage), (&pushed.text, pushed.passage));
        }
        for (memory, at_once) in [(0, 1), (0, 7), (20_000, 64), (1 << 30, 3), (100_000, AT_ONCE)] {
            assert_eq!(listed(memory, at_once, 100), all, "{memory} {at_once}");
            assert_eq!(listed(memory, at_once, 4), all[..4], "{memory} {at_once}");
        }
    }
}
