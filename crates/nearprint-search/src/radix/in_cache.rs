//! Sorting what one thread has to itself.

use crate::buffer::Buffer;
use crate::word::FingerprintWord;

/// Fingerprints that sort in the second cache.
pub(super) const IN_CACHE: usize = 32 << 10;

/// Bits of a pass in cache.
const PASS: u32 = 8;

/// Up to so many fingerprints are sorted by comparing: counters would cost more.
const TINY: usize = 64;

/// Space for sorting a partition.
pub(super) struct Scratch<W> {
    /// For what fits the cache.
    cached: Pairs<W>,
    /// For a partition that does not.
    large: Pairs<W>,
}

/// Words, and places beside them.
struct Pairs<W> {
    words: Buffer<W>,
    places: Buffer<u32>,
}

impl<W: FingerprintWord> Default for Pairs<W> {
    fn default() -> Self {
        Self { words: Buffer::zeroed(0), places: Buffer::zeroed(0) }
    }
}

impl<W: FingerprintWord> Pairs<W> {
    /// `count` of each; what was in them is lost.
    fn of(&mut self, count: usize) -> (&mut [W], &mut [u32]) {
        if self.words.len() < count {
            // Partitions of one sort are of much the same size.
            let some_more = count + count / 8;
            *self = Self { words: Buffer::zeroed(some_more), places: Buffer::zeroed(some_more) };
        }
        (&mut self.words[..count], &mut self.places[..count])
    }
}

impl<W: FingerprintWord> Default for Scratch<W> {
    fn default() -> Self {
        Self { cached: Pairs::default(), large: Pairs::default() }
    }
}

impl<W: FingerprintWord> Scratch<W> {
    /// Sorts a partition whose fingerprints share their first `skip` bits; stable.
    pub(super) fn sort(&mut self, words: &mut [W], places: &mut [u32], skip: u32) {
        if words.len() <= TINY {
            sort_by_comparing(words, places);
        } else if words.len() <= 2 * IN_CACHE {
            let (other, other_places) = self.cached.of(words.len());
            let mut passes = Passes::over(words, skip);
            passes.first((words, places), (other, other_places));
            passes.last((other, other_places), (words, places));
        } else if !words.is_sorted() {
            self.split(words, places, skip);
        }
    }

    /// Sorts a partition that does not fit the cache, by parts that do.
    fn split(&mut self, words: &mut [W], places: &mut [u32], skip: u32) {
        // Not all are equal, so that there are bits left.
        let bits = ((words.len() / IN_CACHE).ilog2() + 1).min(PASS).min(W::WIDTH - skip);
        let part_of = |word: W| word.window(W::WIDTH - skip - bits, bits);
        let mut counts = [0u32; 1 << PASS];
        for &word in &*words {
            counts[part_of(word)] += 1;
        }
        let (parted, parted_places) = self.large.of(words.len());
        pass((words, places), (parted, parted_places), &mut counts, part_of);
        // Each counter is where its part ends, now.
        let (mut start, mut others) = (0, Vec::new());
        for &end in &counts[..1 << bits] {
            let part = start..end as usize;
            start = part.end;
            let from = (&parted[part.clone()], &parted_places[part.clone()]);
            let to = (&mut words[part.clone()], &mut places[part.clone()]);
            if part.len() <= TINY || part.len() > 2 * IN_CACHE {
                to.0.copy_from_slice(from.0);
                to.1.copy_from_slice(from.1);
                others.push(part);
                continue;
            }
            let (other, other_places) = self.cached.of(part.len());
            let mut passes = Passes::over(from.0, skip + bits);
            passes.first(from, (other, other_places));
            passes.last((other, other_places), to);
        }
        for part in others {
            self.sort(&mut words[part.clone()], &mut places[part], skip + bits);
        }
    }
}

/// The sort of what fits the cache and shares its first bits: two passes over the next 16 leave it nearly
/// sorted, if those tell its fingerprints apart; what is left is put right in place, by insertion, or where many
/// share them, by comparing.
struct Passes {
    low: u32,
    counts: [[u32; 1 << PASS]; 2],
}

impl Passes {
    fn over<W: FingerprintWord>(words: &[W], skip: u32) -> Self {
        // Where fewer are left, bits that all share do no harm.
        let low = (W::WIDTH - skip).saturating_sub(2 * PASS);
        let mut counts = [[0u32; 1 << PASS]; 2];
        for &word in words {
            counts[0][word.window(low, PASS)] += 1;
            counts[1][word.window(low + PASS, PASS)] += 1;
        }
        Self { low, counts }
    }

    fn first<W: FingerprintWord>(&mut self, from: (&[W], &[u32]), to: (&mut [W], &mut [u32])) {
        let low = self.low;
        pass(from, to, &mut self.counts[0], |word| word.window(low, PASS));
    }

    fn last<W: FingerprintWord>(&mut self, from: (&[W], &[u32]), to: (&mut [W], &mut [u32])) {
        let low = self.low;
        pass(from, (to.0, to.1), &mut self.counts[1], |word| word.window(low + PASS, PASS));
        finish_sorting(to.0, to.1, |word| word.window(low, 2 * PASS));
    }
}

/// One stable pass of a counting sort by at most eight bits; leaves the ends of what it made in `counts`.
#[inline(always)]
fn pass<W: FingerprintWord>(
    from: (&[W], &[u32]),
    to: (&mut [W], &mut [u32]),
    counts: &mut [u32; 1 << PASS],
    digit: impl Fn(W) -> usize,
) {
    let mut next = 0;
    for count in counts.iter_mut() {
        next += std::mem::replace(count, next);
    }
    for (&word, &place) in from.0.iter().zip(from.1) {
        let slot = &mut counts[digit(word) & 255];
        to.0[*slot as usize] = word;
        to.1[*slot as usize] = place;
        *slot += 1;
    }
}

/// Sorts what is in order by `digits` already; stable.
fn finish_sorting<W: FingerprintWord>(
    words: &mut [W],
    places: &mut [u32],
    digits: impl Fn(W) -> usize,
) {
    /// Fingerprints up to which inserting one is cheap.
    const FEW: usize = 16;
    let (mut at, mut run) = (1, 0);
    while at < words.len() {
        let word = words[at];
        if word >= words[at - 1] {
            if digits(word) != digits(words[at - 1]) {
                run = at;
            }
            at += 1;
        } else if at - run > FEW {
            // Many fingerprints share these digits: all of them are sorted, and skipped.
            let end = at + words[at..].iter().take_while(|&&w| digits(w) == digits(word)).count();
            sort_by_comparing(&mut words[run..end], &mut places[run..end]);
            at = end;
        } else {
            let place = places[at];
            let mut hole = at;
            while hole > run && words[hole - 1] > word {
                words[hole] = words[hole - 1];
                places[hole] = places[hole - 1];
                hole -= 1;
            }
            words[hole] = word;
            places[hole] = place;
            at += 1;
        }
    }
}

fn sort_by_comparing<W: FingerprintWord>(words: &mut [W], places: &mut [u32]) {
    let mut both: Vec<(W, u32)> = words.iter().copied().zip(places.iter().copied()).collect();
    both.sort_unstable();
    for (at, (word, place)) in both.into_iter().enumerate() {
        words[at] = word;
        places[at] = place;
    }
}
