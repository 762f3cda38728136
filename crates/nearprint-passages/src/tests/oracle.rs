//! The definition of what is found, by brute force over all tokens of all texts.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use nearprint_fingerprint::placed_tokens;

use crate::{PassageLists, PassageSettings, SharedPassage, TextPlace};

/// The tokens of a text, numbered, and their places in bytes.
struct Text {
    source: String,
    tokens: Vec<(u32, Range<usize>)>,
}

/// A run: the documents, where it begins in each, its tokens.
type Run = (usize, usize, usize, usize, usize);

/// Windows, by their documents and first tokens.
type Windows = BTreeSet<(usize, usize)>;

pub(super) struct Definition {
    texts: Vec<Text>,
    least: usize,
    /// All maximal runs that documents share.
    all: Vec<Run>,
    /// Those that are reported as such.
    pairwise: Vec<Run>,
    /// Documents and places of frequent windows.
    frequent: Windows,
}

impl Definition {
    pub(super) fn of(
        texts: &[String],
        references: Option<usize>,
        settings: &PassageSettings,
    ) -> Self {
        let least = settings.least_tokens as usize;
        let mut numbers = HashMap::new();
        let texts = texts.iter().map(|text| Text::of(text, settings.numbers, &mut numbers));
        let texts: Vec<Text> = texts.collect();
        let may_pair = |a: usize, b: usize| match references {
            Some(reference) => a < reference && b >= reference,
            None => a < b,
        };
        let mut windows: HashMap<Vec<u32>, Vec<(usize, usize)>> = HashMap::new();
        for (number, text) in texts.iter().enumerate() {
            for (start, window) in text.tokens.windows(least).enumerate() {
                let window = window.iter().map(|(token, _)| *token).collect();
                windows.entry(window).or_default().push((number, start));
            }
        }
        let is_frequent = |text: &Text, start: usize| {
            let window: Vec<u32> =
                text.tokens[start..start + least].iter().map(|(token, _)| *token).collect();
            windows[&window].len() > settings.most_places as usize
        };
        let (mut all, mut pairwise) = (Vec::new(), Vec::new());
        // Others share no window.
        let mut pairs = BTreeSet::new();
        for places in windows.values() {
            let documents: BTreeSet<usize> = places.iter().map(|place| place.0).collect();
            for &a in &documents {
                pairs.extend(documents.iter().filter(|&&b| may_pair(a, b)).map(|&b| (a, b)));
            }
        }
        for (a, b) in pairs {
            let one = &texts[a];
            for (in_a, in_b, tokens) in one.runs(&texts[b], least) {
                let run = (a, b, in_a, in_b, tokens);
                all.push(run);
                let starts = 0..=tokens - least;
                let frequent = starts.filter(|start| is_frequent(one, in_a + start)).collect();
                if is_reported(frequent, tokens, least) {
                    pairwise.push(run);
                }
            }
        }
        let frequent = windows.values().filter(|places| {
            let (first, last) = (places[0].0, places[places.len() - 1].0);
            places.len() > settings.most_places as usize && may_pair(first, last)
        });
        let frequent = frequent.flatten().copied().collect();
        all.sort_unstable();
        pairwise.sort_unstable();
        Self { texts, least, all, pairwise, frequent }
    }

    /// Whether what is found is what is defined, to the last position.
    pub(super) fn compare(&self, found: &PassageLists) {
        let wanted: Vec<SharedPassage> = self.pairwise.iter().map(|run| self.row(run)).collect();
        assert!(found.shared == wanted, "found {:?}\nwanted {wanted:?}", found.shared);
        let mut frequent = BTreeSet::new();
        for passage in &found.frequent {
            let places = found.places.iter().filter(|place| place.passage == passage.passage);
            let places: Vec<_> = places.map(|place| (place.document, place.place)).collect();
            // Tokens that come from one character begin together.
            let (first, start) = (&self.texts[places[0].0 as usize], places[0].1.start_byte);
            let starts = first.tokens.iter().enumerate();
            let starts = starts.filter(|(_, (_, place))| place.start as u64 == start);
            let windows = starts.map(|(at, _)| at).find_map(|at| {
                let wanted = first.tokens.get(at..at + passage.tokens as usize)?;
                let (count, listed, windows) = self.occurrences(wanted);
                let place = (passage.document, passage.place);
                let is_first = place == (places[0].0, first.place(at, wanted.len()));
                (is_first && count == passage.places && listed == places).then_some(windows)
            });
            frequent.extend(windows.expect("all places and no others are listed"));
            let documents: BTreeSet<u32> = places.iter().map(|place| place.0).collect();
            assert_eq!(passage.documents as usize, documents.len());
        }
        assert_eq!(frequent, self.frequent);
    }

    /// The places of some tokens in all texts: their number, those that do not overlap or are joined, and the windows
    /// in them.
    fn occurrences(&self, wanted: &[(u32, Range<usize>)]) -> (u64, Vec<(u32, TextPlace)>, Windows) {
        let mut ranges: Vec<(usize, Range<usize>)> = Vec::new();
        let (mut count, mut windows) = (0, Windows::new());
        for (number, text) in self.texts.iter().enumerate() {
            for (start, run) in text.tokens.windows(wanted.len()).enumerate() {
                if run.iter().zip(wanted).any(|(one, other)| one.0 != other.0) {
                    continue;
                }
                count += 1;
                let end = start + wanted.len();
                windows.extend((start..=end - self.least).map(|window| (number, window)));
                match ranges.last_mut() {
                    Some((last, range)) if *last == number && start < range.end => range.end = end,
                    _ => ranges.push((number, start..end)),
                }
            }
        }
        let places = ranges.iter().map(|(number, range)| {
            (*number as u32, self.texts[*number].place(range.start, range.len()))
        });
        (count, places.collect(), windows)
    }

    /// Whether all that is found is shared, and each shared window is in what is found, as it must be even where hashes
    /// collide.
    pub(super) fn covers(&self, found: &PassageLists) {
        let mut left = found.shared.iter().peekable();
        for run in &self.all {
            let row = self.row(run);
            if left.next_if(|found| **found == row).is_some() {
                continue;
            }
            let &(a, b, in_a, in_b, tokens) = run;
            let is_listed = |number: usize, start: usize| {
                let place = self.texts[number].place(start, self.least);
                found.places.iter().any(|other| {
                    other.document as usize == number
                        && other.place.start_byte <= place.start_byte
                        && other.place.end_byte >= place.end_byte
                })
            };
            let starts = 0..=tokens - self.least;
            let listed = starts.filter(|at| is_listed(a, in_a + at) && is_listed(b, in_b + at));
            assert!(!is_reported(listed.collect(), tokens, self.least), "{row:?} is not found");
        }
        assert!(left.next().is_none(), "not shared, or not in order");
    }

    fn row(&self, &(a, b, in_a, in_b, tokens): &Run) -> SharedPassage {
        let a_place = self.texts[a].place(in_a, tokens);
        let text = &self.texts[a].source[a_place.start_byte as usize..a_place.end_byte as usize];
        SharedPassage {
            a: a as u32,
            b: b as u32,
            tokens: tokens as u32,
            changed: 0,
            a_tokens: self.texts[a].tokens.len() as u32,
            b_tokens: self.texts[b].tokens.len() as u32,
            a_place,
            b_place: self.texts[b].place(in_b, tokens),
            text: text.to_owned(),
        }
    }
}

/// Whether a run is reported for its two documents, of which these windows are frequent.
fn is_reported(frequent: Vec<usize>, tokens: usize, least: usize) -> bool {
    let is_own = |token: &usize| !frequent.iter().any(|at| (*at..at + least).contains(token));
    let (mut own, mut longest) = (0, 0);
    for token in 0..tokens {
        own = if is_own(&token) { own + 1 } else { 0 };
        longest = own.max(longest);
    }
    frequent.is_empty() || 2 * longest >= least
}

impl Text {
    fn of(source: &str, numbers: bool, known: &mut HashMap<Vec<u8>, u32>) -> Self {
        let mut tokens = Vec::new();
        placed_tokens(source, numbers, |token| {
            let next = known.len() as u32;
            tokens.push((*known.entry(token.token.to_vec()).or_insert(next), token.place));
        });
        Self { source: source.to_owned(), tokens }
    }

    fn place(&self, start: usize, tokens: usize) -> TextPlace {
        let bytes = self.tokens[start].1.start..self.tokens[start + tokens - 1].1.end;
        let characters = |byte: usize| self.source[..byte].chars().count() as u64;
        TextPlace {
            start_byte: bytes.start as u64,
            end_byte: bytes.end as u64,
            start_character: characters(bytes.start),
            end_character: characters(bytes.end),
        }
    }

    /// All maximal runs of `least` tokens or more on all diagonals.
    fn runs(&self, other: &Self, least: usize) -> Vec<(usize, usize, usize)> {
        let mut runs = Vec::new();
        // The lengths of runs that end at each token of the other text, after one token of this one.
        let mut before = vec![0; other.tokens.len() + 1];
        for a in 0..=self.tokens.len() {
            let mut lengths = vec![0; other.tokens.len() + 1];
            for b in 0..=other.tokens.len() {
                let pair = self.tokens.get(a).zip(other.tokens.get(b));
                let length = before[b];
                if pair.is_some_and(|(a, b)| a.0 == b.0) {
                    lengths[b + 1] = length + 1;
                } else if length >= least {
                    runs.push((a - length, b - length, length));
                }
            }
            before = lengths;
        }
        runs
    }
}
