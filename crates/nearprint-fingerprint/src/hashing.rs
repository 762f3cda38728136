//! Tokens to counters: hashes a batch of tokens side by side (SPEC 7.1) and adds them up (SPEC 7.2).

use std::ops::Range;

use crate::counters::{BATCH, Ones};
use crate::lookup3;
use crate::words::TokenSink;

/// The longest part of a key that is added without mixing.
const BLOCK: usize = 12;

/// Lookup3 states of tokens that lack only the last mixing, in columns, so that it becomes vector code.
pub(crate) struct Hashing {
    a: [u32; BATCH],
    b: [u32; BATCH],
    c: [u32; BATCH],
    /// Tokens in the columns.
    pending: usize,
    /// Tokens whose hashes were added.
    added: u64,
    ones: Ones,
}

impl Default for Hashing {
    fn default() -> Self {
        Self {
            a: [0; BATCH],
            b: [0; BATCH],
            c: [0; BATCH],
            pending: 0,
            added: 0,
            ones: Ones::default(),
        }
    }
}

impl Hashing {
    /// The number of tokens.
    pub(crate) fn tokens(&self) -> u64 {
        self.added + self.pending as u64
    }

    /// The signed counters after all tokens.
    pub(crate) fn finish(mut self) -> (u64, [i64; 64]) {
        let tokens = self.tokens();
        if self.pending > 0 {
            self.add_batch();
        }
        (tokens, self.ones.counters(tokens))
    }

    #[inline(always)]
    fn add_batch(&mut self) {
        let mut hashes = [0; BATCH];
        for (i, hash) in hashes.iter_mut().enumerate() {
            *hash = lookup3::join(lookup3::last([self.a[i], self.b[i], self.c[i]]));
        }
        // What the columns hold behind the last token is of earlier batches.
        hashes[self.pending..].fill(0);
        self.ones.add(&hashes);
        self.added += self.pending as u64;
        self.pending = 0;
    }
}

impl TokenSink for Hashing {
    #[inline(always)]
    fn token(&mut self, text: &[u8], token: Range<usize>) {
        let mut state = lookup3::start(token.len());
        let mut at = token.start;
        while token.end - at > BLOCK {
            state = lookup3::mix(add(state, load(text, at, BLOCK)));
            at += BLOCK;
        }
        let [a, b, c] = add(state, load(text, at, token.end - at));
        self.a[self.pending] = a;
        self.b[self.pending] = b;
        self.c[self.pending] = c;
        self.pending += 1;
        if self.pending == BATCH {
            self.add_batch();
        }
    }
}

/// The octets of the lowest `length` positions.
static KEPT: [u128; BLOCK + 1] = {
    let mut kept = [0; BLOCK + 1];
    let mut length = 0;
    while length <= BLOCK {
        kept[length] = (1 << (8 * length)) - 1;
        length += 1;
    }
    kept
};

/// Up to 12 octets, little-endian, 0 behind them.
#[inline(always)]
fn load(text: &[u8], at: usize, length: usize) -> u128 {
    let octets = match text[at..].first_chunk() {
        Some(chunk) => *chunk,
        None => at_the_end(&text[at..at + length]),
    };
    u128::from_le_bytes(octets) & KEPT[length]
}

#[cold]
fn at_the_end(part: &[u8]) -> [u8; 16] {
    let mut octets = [0; 16];
    octets[..part.len()].copy_from_slice(part);
    octets
}

#[inline(always)]
fn add([a, b, c]: lookup3::State, octets: u128) -> lookup3::State {
    [
        a.wrapping_add(octets as u32),
        b.wrapping_add((octets >> 32) as u32),
        c.wrapping_add((octets >> 64) as u32),
    ]
}
