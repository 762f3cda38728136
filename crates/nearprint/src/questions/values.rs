//! Types of which options are: what each takes, and how it is written.

#[cfg(feature = "json")]
mod by_name;

use std::fmt;
use std::str::FromStr;

use nearprint_fingerprint::Scheme;
use nearprint_search::{Bands, Expand, Linkage, Measure, SKETCH_POSITIONS};

use super::options::{OptionValue, expected};
use crate::{Policy, TextMeasure, TextMeasureError};

/// Any measure of the similarity of two texts, by one list of names.
///
/// ```
/// use nearprint::SimilarityMeasure;
///
/// let measure: SimilarityMeasure = "jaccard".parse()?;
/// assert_eq!((measure.name(), measure.default_threshold()), ("jaccard", 0.3));
/// assert!("jaccard-words".parse::<SimilarityMeasure>().is_ok());
/// assert!("levenshtein".parse::<SimilarityMeasure>().is_err());
/// # Ok::<(), nearprint::TextMeasureError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimilarityMeasure {
    /// A measure of stored features, which also see numbers: `jaccard`, `containment` and `cosine`.
    Features(Measure),
    /// A measure of whole texts, of words or characters alone.
    Texts(TextMeasure),
}

impl SimilarityMeasure {
    /// Its name in lower case, as in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Features(measure) => measure.name(),
            Self::Texts(measure) => measure.name(),
        }
    }

    /// The similarity from which texts are similar, unless another is demanded.
    #[must_use]
    pub fn default_threshold(self) -> f64 {
        match self {
            Self::Features(measure) => crate::Verification::new(measure).at_least(),
            Self::Texts(_) => TextMeasure::DEFAULT_THRESHOLD,
        }
    }
}

impl Default for SimilarityMeasure {
    /// Jaccard similarity of word 3-shingles and numbers.
    fn default() -> Self {
        Self::Features(Measure::Jaccard)
    }
}

impl From<Measure> for SimilarityMeasure {
    fn from(measure: Measure) -> Self {
        Self::Features(measure)
    }
}

impl From<TextMeasure> for SimilarityMeasure {
    fn from(measure: TextMeasure) -> Self {
        Self::Texts(measure)
    }
}

impl FromStr for SimilarityMeasure {
    type Err = TextMeasureError;

    fn from_str(name: &str) -> Result<Self, TextMeasureError> {
        match Measure::ALL.into_iter().find(|measure| measure.name() == name) {
            Some(measure) => Ok(Self::Features(measure)),
            None => name.parse().map(Self::Texts),
        }
    }
}

impl fmt::Display for SimilarityMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How far apart two fingerprints may be: a number of bits (of a sketch, positions), or what the scheme calls close or
/// loose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// At most so many bits or positions.
    Within(u32),
    /// The distance of close matches of the scheme.
    Close,
    /// The distance of loose matches of the scheme.
    Loose,
}

impl Distance {
    /// The number of bits or positions.
    #[must_use]
    pub fn positions(self, scheme: Scheme) -> u32 {
        match self {
            Self::Within(distance) => distance,
            Self::Close => scheme.close(),
            Self::Loose => scheme.loose(),
        }
    }

    /// What an option of this type takes.
    fn expectation() -> String {
        format!("a whole number up to {SKETCH_POSITIONS}, close or loose")
    }
}

impl FromStr for Distance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "close" => Ok(Self::Close),
            "loose" => Ok(Self::Loose),
            number => {
                number.parse().map(Self::Within).map_err(|_| expected(&Self::expectation(), text))
            }
        }
    }
}

impl From<u32> for Distance {
    fn from(distance: u32) -> Self {
        Self::Within(distance)
    }
}

/// The most that may be reported, or no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound(pub Option<u64>);

impl From<u64> for Bound {
    fn from(most: u64) -> Self {
        Self(Some(most))
    }
}

impl From<Option<u64>> for Bound {
    fn from(most: Option<u64>) -> Self {
        Self(most)
    }
}

/// Says of types that their options take every value that they hold.
macro_rules! take_all {
    ($($type:ty),+) => {
        $(impl OptionValue for $type {})+
    };
}

take_all!(Bands, Bound, Distance, Expand, Linkage, Policy, Scheme, SimilarityMeasure);
