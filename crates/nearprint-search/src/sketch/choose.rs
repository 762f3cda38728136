//! Bands for a wanted similarity and recall, by what they cost among the documents at hand.

use rayon::prelude::*;

use super::source::{SketchSource, gather};
use super::{Bands, SKETCH_POSITIONS, Sketch, key};
use crate::error::SearchError;

/// Sketches examined, evenly spaced.
const SAMPLE: usize = 8192;

/// Work for a document in a band, and for a candidate, in nanoseconds: their ratio decides, and it is within a factor
/// of two on the machines it was measured on.
const BAND: f64 = 60.0;
const CANDIDATE: f64 = 12.0;

/// Documents of which bands are chosen or told about: a sample of them, and how many there are.
#[derive(Debug, Clone)]
pub struct SketchSample {
    sketches: Vec<Sketch>,
    documents: usize,
}

impl SketchSample {
    /// Up to 8,192 of the sketches, evenly spaced.
    ///
    /// # Errors
    ///
    /// When sketches cannot be read.
    pub fn of(source: &dyn SketchSource) -> Result<Self, SearchError> {
        let documents = source.len();
        let step = documents.div_ceil(SAMPLE).max(1);
        let wanted: Vec<u32> = (0..documents).step_by(step).map(|at| at as u32).collect();
        let mut sketches = vec![[0; SKETCH_POSITIONS]; wanted.len()];
        gather(source, &wanted, &mut sketches)?;
        Ok(Self { sketches, documents })
    }

    /// Candidates that bands give among all the documents, as far as the sample tells: a pair that several bands find
    /// counts for each of them, as each compares it. One pair of a sample of a thousandth stands for a million.
    #[must_use]
    pub fn candidates(&self, bands: Bands) -> f64 {
        let in_sample: u64 = (0..bands.bands())
            .into_par_iter()
            .map(|band| {
                let value = |sketch: &Sketch| key(&sketch[bands.positions(band)]);
                let mut values: Vec<u64> = self.sketches.iter().map(value).collect();
                values.sort_unstable();
                let pairs = |equal: &[u64]| equal.len() as u64 * (equal.len() as u64 - 1) / 2;
                values.chunk_by(|a, b| a == b).map(pairs).sum::<u64>()
            })
            .sum();
        let scale = self.documents as f64 / self.sketches.len().max(1) as f64;
        in_sample as f64 * scale * scale
    }

    /// Of all bands that find documents of this similarity with at least this probability, both from 0 to 1, those that
    /// cost least here. More rows give fewer candidates, but take more bands, of which 128 positions have only so many.
    /// Where none suffices, 128 bands of one row, which find the most.
    #[must_use]
    pub fn choose(&self, similarity: f64, recall: f64) -> Bands {
        let cost = |bands: Bands| {
            let sorting = self.documents as f64 * f64::from(bands.bands()) * BAND;
            sorting + self.candidates(bands) * CANDIDATE
        };
        let mut best: Option<(f64, Bands)> = None;
        for rows in 1..=SKETCH_POSITIONS as u32 {
            let Some(bands) = Bands::fewest(rows, similarity, recall) else { continue };
            let cost = cost(bands);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, bands));
            }
        }
        best.map_or_else(|| Bands::finding(similarity, recall), |(_, bands)| bands)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(count: usize, values: u64) -> Vec<Sketch> {
        let mut state = 5u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % values) as u16
        };
        (0..count).map(|_| std::array::from_fn(|_| next())).collect()
    }

    #[test]
    fn candidates_are_counted_and_scaled() {
        let bands = Bands::new(64, 2).unwrap();
        let few = random(3000, 20);
        let sample = SketchSample::of(&&few[..]).unwrap();
        // Two agree in a band with probability 1/400.
        let wanted = 64.0 * (3000.0 * 2999.0 / 2.0) / 400.0;
        assert!((sample.candidates(bands) / wanted - 1.0).abs() < 0.01);
        let many = random(40_000, 20);
        let sample = SketchSample::of(&&many[..]).unwrap();
        assert!(sample.sketches.len() <= SAMPLE);
        let wanted = 64.0 * (40_000.0 * 39_999.0 / 2.0) / 400.0;
        assert!((sample.candidates(bands) / wanted - 1.0).abs() < 0.02);
    }

    #[test]
    fn what_is_wanted_is_reached_and_more_documents_take_more_rows() {
        let small = SketchSample::of(&&random(100, 12)[..]).unwrap();
        let large = SketchSample { documents: 10_000_000, ..small.clone() };
        for (similarity, recall) in [(0.5, 0.9), (0.5, 0.99), (0.8, 0.99), (1.0, 1.0)] {
            let (few, many) = (small.choose(similarity, recall), large.choose(similarity, recall));
            assert!(few.chance(similarity) >= recall && many.chance(similarity) >= recall);
            assert!(few.rows() <= many.rows(), "{few} {many}");
            if few.bands() > 1 {
                let fewer = Bands::new(few.bands() - 1, few.rows()).unwrap();
                assert!(fewer.chance(similarity) < recall, "{few} are more than it takes");
            }
        }
        assert!(small.choose(0.8, 0.99).rows() < large.choose(0.8, 0.99).rows());
        assert_eq!(small.choose(0.001, 0.99).to_string(), "128x1");
        let none = SketchSample::of(&&[][..]).unwrap();
        assert!(none.choose(0.5, 0.9).chance(0.5) >= 0.9);
    }
}
