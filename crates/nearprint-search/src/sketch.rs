//! Sketches: fingerprints of 128 numbers, of which similar documents share many.
//!
//! Their distance is the number of positions in which they differ, so everything that is said "within k" of
//! bits is said within k of positions here. Candidates are found by [`Bands`]: groups of positions that must
//! all be equal. Unlike a join of prints this is not exact, and [`Bands::chance`] says how far from it.

mod bands;
mod join;
#[cfg(test)]
mod tests;

pub use bands::{BandError, Bands};
pub use join::{SketchJoin, SketchReport};

/// Numbers in a sketch.
pub const SKETCH_POSITIONS: usize = 128;

/// The 128 numbers of `minhash-doc` and `wminhash-doc` (SPEC, section 12).
pub type Sketch = [u16; SKETCH_POSITIONS];

/// In how many positions two sketches differ, 0 to 128. The estimate of the similarity of what they were made of is 1 - distance / 128.
#[must_use]
pub fn sketch_distance(a: &Sketch, b: &Sketch) -> u32 {
    // A sum of 0 and 1 in 16 bits is what compilers turn into vector instructions.
    let differing: u16 = a.iter().zip(b).map(|(a, b)| u16::from(a != b)).sum();
    u32::from(differing)
}
