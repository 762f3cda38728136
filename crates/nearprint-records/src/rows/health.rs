//! `nearprint/health/1`: what a collection of fingerprints is like, and what a search of it will find by chance.

use std::io::{self, Write};

use nearprint_fingerprint::Scheme;
use serde::Serialize;

use crate::Row;

/// The health of a set of fingerprints. Text form: lines `NAME TAB VALUE`, and of each distance `within TAB K TAB
/// PER-MILLION TAB AT-MOST TAB IN-SET TAB IN-10^6 TAB IN-10^7 TAB IN-10^8`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct HealthRow {
    /// The scheme of the fingerprints.
    pub scheme: Scheme,
    /// How many there are.
    pub prints: u64,
    /// How many different ones.
    pub distinct: u64,
    /// Documents that have the most frequent fingerprint.
    pub most_equal: u64,
    /// The position whose values are least balanced among the distinct fingerprints: of simhashes a bit from 0, the
    /// least significant.
    pub least_balanced: Option<u32>,
    /// The share of its more frequent value, at best 0.5 for a bit and some 1 / 65,536 for a number of a sketch.
    pub least_balance: Option<f64>,
    /// The mean of the positions' shares.
    pub mean_balance: Option<f64>,
    /// The mean of the absolute correlations of two bits, near 0 if they are independent; `None` of sketches.
    pub mean_correlation: Option<f64>,
    /// The two bits that are most correlated, and their correlation.
    pub most_correlated: Option<(u32, u32, f64)>,
    /// Bits that, being independent, would spread fingerprints as much: the variance of distances tells. At most the
    /// width.
    pub effective_bits: Option<f64>,
    /// The block of 16 bits (of sketches, the number) with the fullest bucket, counted from the least significant.
    pub fattest_block: Option<u32>,
    /// The distinct fingerprints in that bucket: searches by such blocks compare all of them with each other.
    pub fattest_bucket: u64,
    /// Pairs of different fingerprints that were drawn at random.
    pub sampled_pairs: u64,
    /// What lies within some distances of each other by chance.
    pub within: Vec<ChanceRow>,
}

impl HealthRow {
    /// So many prints of which nothing is known yet.
    #[must_use]
    pub fn new(scheme: Scheme, prints: u64) -> Self {
        Self {
            scheme,
            prints,
            distinct: 0,
            most_equal: 0,
            least_balanced: None,
            least_balance: None,
            mean_balance: None,
            mean_correlation: None,
            most_correlated: None,
            effective_bits: None,
            fattest_block: None,
            fattest_bucket: 0,
            sampled_pairs: 0,
            within: Vec::new(),
        }
    }
}

/// How many pairs drawn at random lie within a distance. Most of them have nothing to do with each other, so most of
/// what is found there is false.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ChanceRow {
    /// The distance.
    pub distance: u32,
    /// Of a million pairs so many.
    pub per_million: f64,
    /// The upper end of the 95 % interval of that (Wilson).
    pub per_million_at_most: f64,
    /// Pairs to expect in this set, by the former.
    pub in_set: f64,
    /// Pairs to expect among 10^6, 10^7 and 10^8 documents of this kind.
    pub among: [f64; 3],
}

impl Row for HealthRow {
    const SCHEMA: &'static str = "nearprint/health/1";

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "scheme\t{}", self.scheme)?;
        for (name, number) in [
            ("prints", self.prints),
            ("distinct", self.distinct),
            ("most_equal", self.most_equal),
            ("fattest_bucket", self.fattest_bucket),
            ("sampled_pairs", self.sampled_pairs),
        ] {
            writeln!(out, "{name}\t{number}")?;
        }
        for (name, number) in
            [("fattest_block", self.fattest_block), ("least_balanced", self.least_balanced)]
        {
            number.map_or(Ok(()), |number| writeln!(out, "{name}\t{number}"))?;
        }
        for (name, number) in [
            ("least_balance", self.least_balance),
            ("mean_balance", self.mean_balance),
            ("mean_correlation", self.mean_correlation),
        ] {
            number.map_or(Ok(()), |number| writeln!(out, "{name}\t{number:.4}"))?;
        }
        if let Some((one, other, correlation)) = self.most_correlated {
            writeln!(out, "most_correlated\t{one}\t{other}\t{correlation:.4}")?;
        }
        if let Some(bits) = self.effective_bits {
            writeln!(out, "effective_bits\t{bits:.1}")?;
        }
        for chance in &self.within {
            let ChanceRow { distance, per_million, per_million_at_most, in_set, among } = chance;
            let [million, ten, hundred] = among;
            writeln!(
                out,
                "within\t{distance}\t{per_million:.3}\t{per_million_at_most:.3}\t{in_set:.0}\t{million:.0}\t{ten:.0}\t{hundred:.0}"
            )?;
        }
        Ok(())
    }
}
