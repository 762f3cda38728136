//! SPEC 7.2: the 64 counters, as vertical counters: bit i of plane p is bit p of the count of ones at position i.
//!
//! Adding 64 hashes costs a few dozen logical operations on eight words side by side (the carry-save adders of
//! Harley and Seal; Warren, Hacker's Delight, 2nd edition, section 5-1) instead of 4,096 additions. Only ones are
//! counted: a counter of the standard is twice its ones less the number of tokens.

use crate::kernel::{Kernel, Level, Work};

/// Hashes added together.
pub(crate) const BATCH: usize = 64;

const LANES: usize = 8;

/// A word for each of eight lanes: hash i of a batch goes to lane `i % 8`.
type Row = [u64; LANES];

/// Enough for 2^62 tokens, and a multiple of eight.
const PLANES: usize = 64;

pub(crate) struct Ones {
    planes: [Row; PLANES],
    /// Planes from this one on are 0.
    used: usize,
}

impl Default for Ones {
    fn default() -> Self {
        Self { planes: [[0; LANES]; PLANES], used: 3 }
    }
}

impl Ones {
    /// Adds the ones of each hash. A batch that is not full is filled up with zeros, which add nothing.
    #[inline(always)]
    pub(crate) fn add(&mut self, hashes: &[u64; BATCH]) {
        let (rows, _) = hashes.as_chunks::<LANES>();
        let [mut ones, mut twos, mut fours] = [self.planes[0], self.planes[1], self.planes[2]];
        let mut eights = [0; LANES];
        for lane in 0..LANES {
            let mut pair =
                |a: usize, b: usize| full_add(&mut ones[lane], rows[a][lane], rows[b][lane]);
            let (a, b, c, d) = (pair(0, 1), pair(2, 3), pair(4, 5), pair(6, 7));
            let e = full_add(&mut twos[lane], a, b);
            let f = full_add(&mut twos[lane], c, d);
            eights[lane] = full_add(&mut fours[lane], e, f);
        }
        self.planes[0] = ones;
        self.planes[1] = twos;
        self.planes[2] = fours;
        let mut carry = eights;
        let mut plane = 3;
        while carry.iter().fold(0, |all, word| all | word) != 0 {
            for (sum, carry) in self.planes[plane].iter_mut().zip(&mut carry) {
                let both = *sum & *carry;
                *sum ^= *carry;
                *carry = both;
            }
            plane += 1;
        }
        self.used = self.used.max(plane);
    }

    /// The signed counters after `tokens` hashes; index 0 is the least significant bit of the hash.
    #[inline(always)]
    pub(crate) fn counters(&mut self, tokens: u64) -> [i64; 64] {
        let mut counters = [-(tokens as i64); 64];
        self.add_lanes();
        // Eight planes are a byte of each count: the bits of eight positions, transposed.
        let bytes = self.planes.as_chunks::<8>().0.iter().take(self.used.div_ceil(8));
        for (byte, planes) in bytes.enumerate() {
            for (at, counters) in counters.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                let mut bits = 0;
                for (plane, [word, ..]) in planes.iter().enumerate() {
                    bits |= (word >> (8 * at) & 0xFF) << (8 * plane);
                }
                for (counter, part) in counters.iter_mut().zip(transposed(bits).to_le_bytes()) {
                    // A counter of the standard is twice its ones less the number of tokens.
                    *counter += i64::from(part) << (8 * byte + 1);
                }
            }
        }
        counters
    }

    /// Adds all lanes to the first, half of them to the other half at a time.
    #[inline(always)]
    fn add_lanes(&mut self) {
        for half in [4, 2, 1] {
            let mut carries = [0; LANES / 2];
            self.used += 1;
            for row in &mut self.planes[..self.used] {
                for (lane, carry) in carries[..half].iter_mut().enumerate() {
                    let other = row[lane + half];
                    *carry = full_add(&mut row[lane], other, *carry);
                }
            }
        }
    }
}

/// The transpose of 8 by 8 bits, row i in byte i (Warren, Hacker's Delight, 2nd edition, section 7-3).
#[inline(always)]
fn transposed(mut bits: u64) -> u64 {
    for (shift, kept) in
        [(7, 0x00AA_00AA_00AA_00AA), (14, 0x0000_CCCC_0000_CCCC), (28, 0x0000_0000_F0F0_F0F0)]
    {
        let swapped = (bits ^ bits >> shift) & kept;
        bits ^= swapped ^ swapped << shift;
    }
    bits
}

/// Counters of a simhash, which take hashes one by one.
pub(crate) struct SimhashCounters {
    ones: Ones,
    batch: [u64; BATCH],
    pending: usize,
    hashes: u64,
}

impl Default for SimhashCounters {
    fn default() -> Self {
        Self { ones: Ones::default(), batch: [0; BATCH], pending: 0, hashes: 0 }
    }
}

impl SimhashCounters {
    #[inline]
    pub(crate) fn push(&mut self, hash: u64) {
        self.push_if(hash, true);
    }

    /// Takes a hash that may count, which cannot be foreseen: there is no branch for it.
    #[inline(always)]
    pub(crate) fn push_if(&mut self, hash: u64, counts: bool) {
        self.batch[self.pending] = hash;
        self.pending += usize::from(counts);
        self.hashes += u64::from(counts);
        if self.pending == BATCH {
            self.ones.add(&self.batch);
            self.pending = 0;
        }
    }

    /// Takes hashes in a row.
    #[inline(always)]
    pub(crate) fn extend(&mut self, hashes: &[u64]) {
        self.hashes += hashes.len() as u64;
        let room = &mut self.batch[self.pending..];
        let (first, others) = hashes.split_at(room.len().min(hashes.len()));
        room[..first.len()].copy_from_slice(first);
        self.pending += first.len();
        if self.pending < BATCH {
            return;
        }
        self.ones.add(&self.batch);
        let (batches, rest) = others.as_chunks();
        batches.iter().for_each(|batch| self.ones.add(batch));
        self.batch[..rest.len()].copy_from_slice(rest);
        self.pending = rest.len();
    }

    /// The signed counters after all hashes; index 0 is the least significant bit. Counting is over then.
    pub(crate) fn finish(&mut self) -> [i64; 64] {
        Level::best().run(Finish(self))
    }
}

/// [`SimhashCounters::finish`] for a kernel.
struct Finish<'a>(&'a mut SimhashCounters);

impl Work for Finish<'_> {
    type Output = [i64; 64];

    #[inline(always)]
    fn run(self, _: impl Kernel) -> [i64; 64] {
        let SimhashCounters { ones, batch, pending, hashes } = self.0;
        batch[*pending..].fill(0);
        ones.add(batch);
        ones.counters(*hashes)
    }
}

/// Adds two bits to `sum` in every position and returns the carries.
#[inline(always)]
fn full_add(sum: &mut u64, a: u64, b: u64) -> u64 {
    let half = *sum ^ a;
    let carry = (*sum & a) | (half & b);
    *sum = half ^ b;
    carry
}

/// SPEC [7.3].
pub(crate) fn signs(counters: &[i64; 64]) -> u64 {
    counters
        .iter()
        .enumerate()
        .fold(0, |bits, (bit, &counter)| bits | u64::from(counter > 0) << bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_count_like_counters() {
        let mut ones = Ones::default();
        let mut expected = [0i64; 64];
        let mut state = 1u64;
        for batch in 0..700 {
            let hashes: [u64; BATCH] = std::array::from_fn(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                // Bits of every frequency: always, never, and rarely set.
                (state ^ state >> 29) & if batch % 2 == 0 { u64::MAX } else { state << 7 } | 1
            });
            for hash in hashes {
                for (bit, counter) in expected.iter_mut().enumerate() {
                    *counter += if hash >> bit & 1 == 1 { 1 } else { -1 };
                }
            }
            ones.add(&hashes);
        }
        assert_eq!(ones.counters(700 * BATCH as u64), expected);
    }

    #[test]
    fn a_tie_is_0() {
        let mut counters = [0; 64];
        counters[3] = 1;
        counters[4] = -1;
        assert_eq!(signs(&counters), 8);
    }
}
