//! Sketches: fingerprints of 128 numbers, of which similar documents share many.
//!
//! Their distance is the number of positions in which they differ, so everything that is said "within k" of
//! bits is said within k of positions here. Candidates are found by [`Bands`]: groups of positions that must
//! all be equal. Unlike a join of fingerprints this is not exact, and [`Bands::chance`] says how far from it.

mod bands;
mod choose;
mod distinct;
mod join;
mod run;
mod shared_sink;
mod shares;
mod source;
#[cfg(test)]
mod tests;

pub use bands::{BandError, Bands};
pub use choose::SketchSample;
pub use join::{BUCKET_COMPARISONS, SketchJoin, SketchReport};
pub use source::SketchSource;

/// Numbers in a sketch.
pub const SKETCH_POSITIONS: usize = 128;

/// The 128 numbers of `minhash-doc` and `wminhash-doc` (SPEC, section 12).
pub type Sketch = [u16; SKETCH_POSITIONS];

/// In how many positions two sketches differ, 0 to 128. The estimate of the similarity of what they were made of is 1 -
/// distance / 128.
#[must_use]
pub fn sketch_distance(a: &Sketch, b: &Sketch) -> u32 {
    // A sum of 0 and 1 in 16 bits is what compilers turn into vector instructions.
    let differing: u16 = a.iter().zip(b).map(|(a, b)| u16::from(a != b)).sum();
    u32::from(differing)
}

/// The rows of a band as one word: themselves up to four, else mixed. A collision costs a comparison, no more.
fn key(rows: &[u16]) -> u64 {
    rows.iter().fold(0, |key, &row| {
        let turned = if rows.len() <= 4 { key << 16 } else { mix(key) };
        turned ^ u64::from(row)
    })
}

/// A bijection that spreads every bit (the finaliser of MurmurHash3).
fn mix(mut word: u64) -> u64 {
    word ^= word >> 33;
    word = word.wrapping_mul(0xff51_afd7_ed55_8ccd);
    word ^= word >> 33;
    word = word.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ word >> 33
}
