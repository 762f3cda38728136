//! Which places of a text are anchors: so few that a corpus of them can be sorted, and so many that every shared run
//! has one.
//!
//! **The rule** is winnowing (Schleimer, Wilkerson, Aiken: *Winnowing: local algorithms for document fingerprinting*,
//! SIGMOD 2003) without its robust variant: of each *window* of T tokens, the anchor is the run of k tokens whose hash
//! is least, the leftmost of equal ones. The anchor is a function of the tokens of the window alone. So two texts that
//! share T tokens in a row have an anchor each at the same place of these tokens, with the same hash. This holds for
//! periodic texts too, which the robust variant thins out by looking beyond the window.
//!
//! **Its density** among random tokens is 2 / (w + 1) anchors a token for windows of w = T - k + 1 runs. Other rules
//! were measured (`examples/density.rs`, docs/PASSAGES.md): none that a window decides can have fewer than 2 / (T + 1).

use std::collections::VecDeque;
use std::ops::Range;

use crate::rolling_hash::run_hashes;

/// Tokens of an anchor, at most.
const LONGEST_GRAM: usize = 8;

/// The rule for runs of some least length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnchorSelection {
    /// Tokens of a window, which is T.
    pub(crate) least: usize,
    /// Tokens of an anchor, which is k.
    pub(crate) gram: usize,
    /// The bits that hashes have. Tests take few of them: what is found must not depend on hashes that differ.
    pub(crate) hash_bits: u64,
}

/// An anchor of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Anchor {
    /// The number of its first token.
    pub(crate) at: usize,
    /// The hash of its tokens.
    pub(crate) hash: u64,
    /// The windows that have this anchor, by the numbers of their first tokens. There is at least one.
    pub(crate) windows: Range<usize>,
}

impl AnchorSelection {
    /// For shared runs of `least` tokens and more.
    pub(crate) fn new(least: usize) -> Self {
        let gram = (least / 3 + 1).clamp(1, LONGEST_GRAM).min(least.max(1));
        Self { least, gram, hash_bits: u64::MAX }
    }

    /// Tokens in a row that a shared run with frequent windows must have outside of them, at least, to be reported:
    /// half of T, rounded up. With fewer, it is a frequent passage and what chance put beside it.
    pub(crate) fn least_own(self) -> usize {
        self.least.div_ceil(2)
    }

    /// Fills `hashes` with those of the runs of k tokens of a text.
    pub(crate) fn hash_grams(self, tokens: &[u64], hashes: &mut Vec<u64>) {
        self.hash_runs(tokens, self.gram, hashes);
    }

    /// Fills `hashes` with those of the windows of a text.
    pub(crate) fn hash_windows(self, tokens: &[u64], hashes: &mut Vec<u64>) {
        self.hash_runs(tokens, self.least, hashes);
    }

    fn hash_runs(self, tokens: &[u64], length: usize, hashes: &mut Vec<u64>) {
        run_hashes(tokens, length, hashes);
        hashes.iter_mut().for_each(|hash| *hash &= self.hash_bits);
    }

    /// Gives the anchors of a text to `each` in order, by the hashes of its runs of [`gram`](Self::gram) tokens. Each
    /// window has one, so a text of fewer than T tokens has none. O(n) time.
    pub(crate) fn each_anchor(self, hashes: &[u64], mut each: impl FnMut(Anchor)) {
        let window = self.least - self.gram + 1;
        // Places whose hash is less than, or equal to, all after them in the window.
        let mut least: VecDeque<usize> = VecDeque::new();
        let mut anchor: Option<Anchor> = None;
        for (at, &hash) in hashes.iter().enumerate() {
            while least.back().is_some_and(|&last| hashes[last] > hash) {
                least.pop_back();
            }
            least.push_back(at);
            let Some(start) = (at + 1).checked_sub(window) else { continue };
            if least.front().is_some_and(|&first| first < start) {
                least.pop_front();
            }
            let Some(&first) = least.front() else { continue };
            match &mut anchor {
                Some(anchor) if anchor.at == first => anchor.windows.end = start + 1,
                _ => {
                    let next = Anchor { at: first, hash: hashes[first], windows: start..start + 1 };
                    if let Some(done) = anchor.replace(next) {
                        each(done);
                    }
                }
            }
        }
        if let Some(done) = anchor {
            each(done);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_window_has_the_anchor_that_its_own_tokens_decide() {
        let mut state = 1u64;
        for (least, kinds) in
            [(1, 3), (2, 3), (4, 2), (5, 9), (13, 3), (50, 1), (50, 2), (50, 1000)]
        {
            let rule = AnchorSelection::new(least);
            let tokens: Vec<u64> = (0..400)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 33) % kinds
                })
                .collect();
            let mut hashes = Vec::new();
            run_hashes(&tokens, rule.gram, &mut hashes);
            let mut windows = 0;
            rule.each_anchor(&hashes, |anchor| {
                assert_eq!(anchor.windows.start, windows);
                assert_eq!(anchor.hash, hashes[anchor.at]);
                for start in anchor.windows.clone() {
                    let grams = &hashes[start..start + least - rule.gram + 1];
                    let lowest = grams.iter().min();
                    let first = grams.iter().position(|hash| Some(hash) == lowest);
                    assert_eq!(Some(anchor.at - start), first);
                }
                windows = anchor.windows.end;
            });
            assert_eq!(windows, tokens.len() - least + 1);
        }
    }

    #[test]
    fn a_random_text_has_two_anchors_in_forty_four_tokens() {
        let tokens: Vec<u64> =
            (0..200_000u64).map(|n| n.wrapping_mul(0x9e37_79b9) ^ n << 7).collect();
        let (mut hashes, mut anchors) = (Vec::new(), 0u32);
        let rule = AnchorSelection::new(50);
        run_hashes(&tokens, rule.gram, &mut hashes);
        rule.each_anchor(&hashes, |_| anchors += 1);
        let density = f64::from(anchors) / 200_000.0;
        assert!((density - 2.0 / 44.0).abs() < 0.001, "{density}");
    }
}
