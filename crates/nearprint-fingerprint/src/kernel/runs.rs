//! The runs of a text that become tokens, as lists of places: found many at a time, hashed side by side.

use std::ops::Range;

use super::{BLOCK, Kernel};

/// Runs that begin in one block at most: words have a separator between them, pairs of code points two bytes or more.
pub(crate) const BLOCK_RUNS: usize = BLOCK / 2;

/// So many runs are enough to be worth hashing.
const MANY: usize = 256;

/// Places in the lists: a block adds its own runs and pairs of the block before; after the last run whole vectors may
/// be written and read.
pub(crate) const PLACES: usize = MANY + 4 * BLOCK_RUNS;

/// Places are counted in 32 bits, of which vectors read the highest as a sign.
const FARTHEST: usize = 1 << 30;

pub(crate) struct Runs {
    /// The offset in the text from which places are counted.
    base: usize,
    /// Where runs begin and where they end; the last one to begin may not have ended yet.
    starts: [u32; PLACES],
    ends: [u32; PLACES],
    /// Bit i: run i is a token. Others hold no letter.
    kept: [u64; PLACES / 64 + 1],
    begun: usize,
    ended: usize,
}

impl Default for Runs {
    fn default() -> Self {
        Self {
            base: 0,
            starts: [0; PLACES],
            ends: [0; PLACES],
            kept: [0; PLACES / 64 + 1],
            begun: 0,
            ended: 0,
        }
    }
}

impl Runs {
    /// The text from which the places are counted.
    #[inline(always)]
    pub(crate) fn text<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[self.base..]
    }

    /// The offset in the text from which the places are counted.
    #[inline(always)]
    pub(crate) fn base(&self) -> usize {
        self.base
    }

    /// The number of runs that have ended.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.ended
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn starts(&self) -> &[u32; PLACES] {
        &self.starts
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn ends(&self) -> &[u32; PLACES] {
        &self.ends
    }

    /// Bit i of word w: run 64w + i is a token.
    #[inline(always)]
    pub(crate) fn kept(&self) -> &[u64] {
        &self.kept[..self.ended.div_ceil(64)]
    }

    /// The tokens, as ranges of [`text`](Self::text).
    #[inline(always)]
    pub(crate) fn tokens(&self) -> impl Iterator<Item = Range<usize>> {
        self.kept().iter().zip((0..).step_by(64)).flat_map(move |(&kept, first)| {
            let mut kept = kept;
            std::iter::from_fn(move || {
                let run = first + kept.trailing_zeros() as usize;
                (kept != 0).then(|| {
                    kept &= kept - 1;
                    self.starts[run] as usize..self.ends[run] as usize
                })
            })
        })
    }

    /// Whether they should be given away before a block that begins at `at` is read.
    #[inline(always)]
    pub(crate) fn are_full(&self, at: usize) -> bool {
        self.begun.max(self.ended) >= MANY || at - self.base > FARTHEST
    }

    /// Forgets all runs. The text is read from `at` on.
    #[inline(always)]
    pub(crate) fn begin(&mut self, at: usize) {
        (self.begun, self.ended) = (0, 0);
        self.clear(at);
    }

    /// Forgets the runs that have ended. The text is read on from `at`; a run that is open stays.
    #[inline(always)]
    pub(crate) fn clear(&mut self, at: usize) {
        if self.begun > self.ended {
            self.starts[0] = self.starts[self.ended];
            self.begun = 1;
        } else {
            self.begun = 0;
            self.base = at;
        }
        self.ended = 0;
        self.kept[0] = 0;
    }

    /// Adds a token.
    #[inline(always)]
    pub(crate) fn push(&mut self, token: Range<usize>) {
        self.push_if(token, true);
    }

    /// Adds a run, which may be a token.
    #[inline(always)]
    pub(crate) fn push_if(&mut self, token: Range<usize>, kept: bool) {
        if self.ended == 0 {
            // It may have begun before what was read last.
            self.base = token.start;
        }
        self.starts[self.ended] = (token.start - self.base) as u32;
        self.ends[self.ended] = (token.end - self.base) as u32;
        self.keep(u64::from(kept), 1);
        self.begun = self.ended;
    }

    /// Adds the runs of a block at `at`: bits of `starts` and `ends`, at most [`BLOCK_RUNS`] of each, are where runs
    /// begin and end; those of `kept`, where tokens end.
    #[inline(always)]
    pub(crate) fn add(&mut self, kernel: impl Kernel, at: usize, [starts, ends, kept]: [u64; 3]) {
        let from = (at - self.base) as u32;
        // There is room: see `are_full`.
        if let Some(places) = self.starts[self.begun..].first_chunk_mut() {
            kernel.places(starts, from, places);
        }
        if let Some(places) = self.ends[self.ended..].first_chunk_mut() {
            kernel.places(ends, from, places);
        }
        self.begun += starts.count_ones() as usize;
        self.keep(kernel.extract(kept, ends), ends.count_ones() as usize);
    }

    /// Whether runs that have ended are tokens: the lowest bits of `kept`.
    #[inline(always)]
    fn keep(&mut self, kept: u64, runs: usize) {
        let (word, bit) = (self.ended / 64, self.ended % 64);
        self.kept[word] |= kept << bit;
        // In two steps: there is no shift by 64.
        self.kept[word + 1] = kept >> 1 >> (63 - bit);
        self.ended += runs;
    }

    /// A run has begun at `start` and continues.
    pub(crate) fn open(&mut self, start: usize) {
        if self.ended == 0 {
            self.base = start;
        }
        self.starts[self.ended] = (start - self.base) as u32;
        self.begun = self.ended + 1;
    }

    /// Takes back the run that has not ended.
    pub(crate) fn take_open(&mut self) -> usize {
        self.begun = self.ended;
        self.base + self.starts[self.ended] as usize
    }
}
