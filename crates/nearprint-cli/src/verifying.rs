//! Options of verification and of what finds its candidates, and what they mean.

use clap::{Args, ValueEnum};
use nearprint::fingerprint::{Family, Scheme};
use nearprint::search::{Bands, Measure};
use nearprint::{FeatureStore, TextStore, Verification};

use crate::ending::Failure;
use crate::searching::SearchOptions;

/// How candidates are verified.
#[derive(Debug, Args)]
#[command(next_help_heading = "Verification")]
pub(crate) struct VerifyOptions {
    /// Compare the texts of what the fingerprints propose, exactly, and give out only what is similar; takes md1 for the
    /// fingerprints unless --scheme says otherwise
    #[arg(
        long,
        value_enum,
        value_name = "MEASURE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "jaccard"
    )]
    verify: Option<MeasureName>,
    /// The least similarity given out, 0 to 1; 0.3 for jaccard and 0.8 for containment and cosine where not given
    #[arg(long, value_name = "SIMILARITY", requires = "verify", value_parser = share)]
    at: Option<f64>,
    /// How sketches (md1, wd1) are divided to find candidates, BANDSxROWS such as 42x3; chosen by their number where not
    /// given
    #[arg(long, value_name = "BANDS")]
    bands: Option<Bands>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum MeasureName {
    /// Shared word 3-shingles by all of both documents
    Jaccard,
    /// Shared word 3-shingles by those of the shorter document: finds parts
    Containment,
    /// Cosine of the words' weights, 1 + floor(log2(term frequency))
    Cosine,
}

impl VerifyOptions {
    /// What candidates must show; `None` where they are given out as they are.
    pub(crate) fn verification(&self) -> Option<Verification> {
        let measure = match self.verify? {
            MeasureName::Jaccard => Measure::Jaccard,
            MeasureName::Containment => Measure::Containment,
            MeasureName::Cosine => Measure::Cosine,
        };
        let verification = Verification::new(measure);
        Some(self.at.map_or(verification, |at| verification.at(at)))
    }

    /// The scheme of the fingerprints where none is named.
    pub(crate) fn scheme(&self) -> Scheme {
        if self.verify.is_some() { Scheme::MD1 } else { Scheme::SD1 }
    }

    /// The distance of candidates where none is named: as far as a sketch's estimate of what would pass may be off (three standard
    /// errors), so that verification decides.
    pub(crate) fn candidates_within(&self, scheme: Scheme) -> Option<u32> {
        let verified = self.verify.is_some() && scheme.family() == Family::Sketch;
        verified.then(|| (scheme.loose() + 16).min(scheme.positions()))
    }

    /// The memory of what is compared: a quarter of all.
    pub(crate) fn memory(&self, search: &SearchOptions) -> u64 {
        if self.verify.is_some() { search.memory() / 4 } else { 0 }
    }

    /// Where what is compared is kept, beyond its memory in a temporary file.
    pub(crate) fn store(&self, search: &SearchOptions) -> FeatureStore {
        FeatureStore::new(self.memory(search)).in_directory(search.directory())
    }

    /// Where texts are kept, within as much memory again.
    pub(crate) fn texts(&self, search: &SearchOptions) -> TextStore {
        TextStore::new(self.memory(search), search.directory())
    }

    /// The bands, which only sketches have.
    pub(crate) fn bands(&self, scheme: Scheme) -> Result<Option<Bands>, Failure> {
        match self.bands {
            Some(_) if scheme.family() != Family::Sketch => Err(Failure::Usage(format!(
                "--bands divides sketches (md1, wd1); prints of {scheme} are searched exactly without"
            ))),
            bands => Ok(bands),
        }
    }
}

/// A number from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("give a number from 0 to 1, such as 0.3".to_owned()),
    }
}
