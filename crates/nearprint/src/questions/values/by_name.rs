//! The types of options as doors write them: values of JSON, and texts.

use std::str::FromStr;

use nearprint_fingerprint::Scheme;
use nearprint_search::{Bands, Expand, Linkage};
use serde_json::Value;

use super::{Bound, Distance, SimilarityMeasure};
#[cfg(feature = "passages")]
use crate::ContaminationPolicy;
use crate::questions::options::OptionValue;
use crate::questions::options::by_name::{NamedValue, ValueKind, unexpected};
use crate::{DecidedDocuments, Keep, Policy, named_scheme};

impl NamedValue for Distance {
    const KIND: ValueKind = ValueKind::Text("DISTANCE");

    fn of(value: &Value) -> Result<Self, String> {
        if let Value::String(text) = value {
            return Self::from_str(text);
        }
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
        number.map(Self::Within).ok_or_else(|| unexpected(&Self::expectation(), value))
    }

    fn json(&self) -> Value {
        match self {
            Self::Within(distance) => Value::from(*distance),
            Self::Close => Value::from("close"),
            Self::Loose => Value::from("loose"),
        }
    }
}

impl NamedValue for Bound {
    const KIND: ValueKind = ValueKind::Bound;

    fn of(value: &Value) -> Result<Self, String> {
        match value {
            Value::Null => Ok(Self(None)),
            Value::String(name) if name == "none" => Ok(Self(None)),
            value => match value.as_u64() {
                Some(most) => Ok(Self(Some(most))),
                None => Err(unexpected("a whole number, or none", value)),
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
        impl NamedValue for $type {
            const KIND: ValueKind = ValueKind::Text($placeholder);

            fn of(value: &Value) -> Result<Self, String> {
                let Value::String(text) = value else { return Err(unexpected("a text", value)) };
                $parse(text).map_err(|error: _| format!("{error}"))
            }

            fn json(&self) -> Value {
                Value::String($write(self))
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
        impl NamedValue for $type {
            const KIND: ValueKind = ValueKind::Choice(&[$($name),+]);

            fn of(value: &Value) -> Result<Self, String> {
                match value.as_str() {
                    $(Some($name) => Ok($value),)+
                    _ => Err(unexpected(&[$($name),+].join(", "), value)),
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

impl OptionValue for DecidedDocuments {}
impl OptionValue for Keep {}
#[cfg(feature = "passages")]
impl OptionValue for ContaminationPolicy {}

#[cfg(test)]
mod tests {
    use std::fmt;

    use nearprint_search::Measure;

    use super::*;
    use crate::TextMeasure;

    #[test]
    fn values_come_back_as_they_are_written() {
        fn back<T: NamedValue + PartialEq + fmt::Debug>(value: T) {
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
