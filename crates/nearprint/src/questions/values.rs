//! Types of which options are: what each takes, and how it is written.

use std::fmt;
use std::str::FromStr;

use nearprint_fingerprint::Scheme;
use nearprint_search::{Bands, Expand, Linkage, Measure, SKETCH_POSITIONS};
use serde_json::Value;

use super::options::{OptionValue, ValueKind, expected};
#[cfg(feature = "passages")]
use crate::ContaminationPolicy;
use crate::{DecidedDocuments, Keep, Policy, TextMeasure, TextMeasureError, named_scheme};

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
}

impl FromStr for Distance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::of(&Value::from(text))
    }
}

impl From<u32> for Distance {
    fn from(distance: u32) -> Self {
        Self::Within(distance)
    }
}

impl OptionValue for Distance {
    const KIND: ValueKind = ValueKind::Text("DISTANCE");

    fn of(value: &Value) -> Result<Self, String> {
        /// The most of any fingerprint: a simhash has fewer bits.
        const MOST: u64 = SKETCH_POSITIONS as u64;
        let refused = || expected(&format!("a whole number up to {MOST}, close or loose"), value);
        let number = match value {
            Value::String(name) if name == "close" => return Ok(Self::Close),
            Value::String(name) if name == "loose" => return Ok(Self::Loose),
            Value::String(number) => number.parse().ok(),
            value => value.as_u64(),
        };
        let number = number.filter(|&number| number <= u64::from(u32::MAX));
        number.map(|number| Self::Within(number as u32)).ok_or_else(refused)
    }

    fn json(&self) -> Value {
        match self {
            Self::Within(distance) => Value::from(*distance),
            Self::Close => Value::from("close"),
            Self::Loose => Value::from("loose"),
        }
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

impl OptionValue for Bound {
    const KIND: ValueKind = ValueKind::Bound;

    fn of(value: &Value) -> Result<Self, String> {
        match value {
            Value::Null => Ok(Self(None)),
            Value::String(name) if name == "none" => Ok(Self(None)),
            value => match value.as_u64() {
                Some(most) => Ok(Self(Some(most))),
                None => Err(expected("a whole number, or none", value)),
            },
        }
    }

    fn json(&self) -> Value {
        self.0.map_or_else(|| Value::from("none"), Value::from)
    }
}

/// Writes the value of an option that is a text with an inverse.
macro_rules! text_value {
    ($type:ty, $placeholder:literal, $parse:expr, $write:expr) => {
        impl OptionValue for $type {
            const KIND: ValueKind = ValueKind::Text($placeholder);

            fn of(value: &Value) -> Result<Self, String> {
                let Value::String(text) = value else { return Err(expected("a text", value)) };
                $parse(text).map_err(|error: _| format!("{error}"))
            }

            fn json(&self) -> Value {
                Value::String($write(self))
            }

            fn check(&self) -> Result<(), String> {
                Ok(())
            }
        }
    };
}

text_value!(Bands, "BANDSxROWS", |text: &String| text.parse::<Bands>(), Bands::to_string);
text_value!(Keep, "ORDER", |text: &String| text.parse::<Keep>(), Keep::to_string);
text_value!(Scheme, "SCHEME", |text: &String| named_scheme(text), |scheme: &Scheme| {
    // A custom scheme is known by its declaration.
    let name = if scheme.as_custom().is_some() { scheme.name() } else { scheme.id() };
    name.to_owned()
});
text_value!(
    SimilarityMeasure,
    "MEASURE",
    |text: &String| text
        .parse::<SimilarityMeasure>()
        .map_err(|error| format!("{error}; and jaccard, containment and cosine")),
    SimilarityMeasure::to_string
);

/// Writes the value of an option that is one of a few names.
macro_rules! choice_value {
    ($type:ty: $($name:literal => $value:path),+) => {
        impl OptionValue for $type {
            const KIND: ValueKind = ValueKind::Choice(&[$($name),+]);

            fn of(value: &Value) -> Result<Self, String> {
                match value.as_str() {
                    $(Some($name) => Ok($value),)+
                    _ => Err(expected(&[$($name),+].join(", "), value)),
                }
            }

            fn json(&self) -> Value {
                match self {
                    $($value => Value::from($name),)+
                    // Names come with their values.
                    #[allow(unreachable_patterns)]
                    _ => Value::Null,
                }
            }
        }
    };
}

#[cfg(feature = "passages")]
choice_value!(ContaminationPolicy: "guaranteed" => ContaminationPolicy::Guaranteed, "share8" => ContaminationPolicy::Share8, "gpt3" => ContaminationPolicy::Gpt3, "decon-like" => ContaminationPolicy::DeconLike);
choice_value!(Linkage: "components" => Linkage::Components, "star" => Linkage::Star, "bounded" => Linkage::Bounded);
choice_value!(DecidedDocuments: "all" => DecidedDocuments::All, "text" => DecidedDocuments::Text);
choice_value!(Policy: "exact" => Policy::Exact, "careful" => Policy::Careful, "loose" => Policy::Loose);
choice_value!(Expand: "all" => Expand::AllPairs, "star" => Expand::Star, "none" => Expand::Representatives);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_as_they_are_written() {
        fn back<T: OptionValue + PartialEq + fmt::Debug>(value: T) {
            assert_eq!(T::of(&value.json()).as_ref(), Ok(&value));
            assert_eq!(value.check(), Ok(()));
        }
        for measure in TextMeasure::all().filter(|measure| !measure.needs_table()) {
            back(SimilarityMeasure::Texts(measure));
        }
        Measure::ALL.into_iter().for_each(|measure| back(SimilarityMeasure::Features(measure)));
        [Distance::Within(3), Distance::Close, Distance::Loose].into_iter().for_each(back);
        [Linkage::Components, Linkage::Star, Linkage::Bounded].into_iter().for_each(back);
        [Policy::Exact, Policy::Careful, Policy::Loose].into_iter().for_each(back);
        [Expand::AllPairs, Expand::Star, Expand::Representatives].into_iter().for_each(back);
        [DecidedDocuments::All, DecidedDocuments::Text].into_iter().for_each(back);
        [Bound(None), Bound(Some(7))].into_iter().for_each(back);
        Scheme::all().for_each(back);
        back(Keep::Field { name: "date".to_owned(), greatest: true });
        back(Some("42x3".parse::<Bands>().unwrap()));
        back(None::<Bands>);
        back(0.7);
        back(true);
    }

    #[test]
    fn what_an_option_does_not_take_is_refused_with_what_it_takes() {
        let text = |text: &str| Value::from(text);
        assert_eq!(
            f64::of(&Value::from(7)),
            Err("expected a number from 0 to 1, such as 0.3, not 7".to_owned())
        );
        assert!(f64::NAN.check().is_err() && 1.5_f64.check().is_err());
        assert!(Distance::of(&text("near")).unwrap_err().contains("close or loose"));
        assert!(Linkage::of(&text("chain")).unwrap_err().contains("components, star, bounded"));
        assert!(SimilarityMeasure::of(&text("edits")).unwrap_err().contains("jaccard"));
        assert!(Bound::of(&Value::from(-1)).unwrap_err().contains("or none"));
        assert!(u64::of(&Value::from(0.5)).is_err());
    }
}
