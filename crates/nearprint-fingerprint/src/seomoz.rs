//! `seomoz-legacy` (SPEC section 14): fingerprints as most revisions of simhash-cpp made them until it dropped its
//! tokenizer in August 2016.

use crate::counters::SimhashCounters;
use crate::lookup3;

/// Accumulator of the tokens of a text in the scheme of simhash-py. Memory: the longest run of letters.
#[derive(Default)]
pub(crate) struct LegacyAccumulator {
    /// The letters of a token that is not over.
    open: Vec<u8>,
    /// The hashes of the last three tokens, the last first; 0 if there was none.
    last: [u64; 3],
    counting: SimhashCounters,
    tokens: u64,
}

impl LegacyAccumulator {
    pub(crate) fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Takes the next part of the text: runs of ASCII letters are tokens, wherever parts end.
    pub(crate) fn push_text(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let letters = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            self.open.extend_from_slice(&rest[..letters]);
            rest = &rest[letters..];
            if !rest.is_empty() {
                self.close();
                let others = rest.iter().take_while(|byte| !byte.is_ascii_alphabetic()).count();
                rest = &rest[others..];
            }
        }
    }

    fn close(&mut self) {
        if self.open.is_empty() {
            return;
        }
        let hash = lookup3::hash(&self.open);
        self.open.clear();
        self.last = [hash, self.last[0], self.last[1]];
        self.tokens += 1;
        let [third, second, first] = self.last;
        self.counting.push(first.rotate_left(2) ^ second.rotate_left(1) ^ third);
    }

    /// The counters of all windows, that of a hash's least significant bit last, and the number of tokens.
    pub(crate) fn finish(mut self) -> ([i64; 64], u64) {
        self.close();
        let mut counters = self.counting.finish();
        // simhash-cpp counted a hash's lowest bit for the fingerprint's highest.
        counters.reverse();
        (counters, self.tokens)
    }
}
