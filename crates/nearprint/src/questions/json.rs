//! Questions as JSON: one object, its fields the options that are set, in the order of their declaration.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserializer, Serializer};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Options, ResolvedCompare, ResolvedQuestion};

/// Writes the options that are set.
pub(crate) fn serialize<Q: Options, S: Serializer>(
    question: &Q,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    for option in Q::OPTIONS {
        let value = question.value(option.name);
        if !value.is_null() {
            map.serialize_entry(option.name, &value)?;
        }
    }
    map.end()
}

/// Reads options; those that are not named keep their defaults, unknown ones are refused by name.
pub(crate) fn deserialize<'de, Q: Options, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Q, D::Error> {
    deserializer.deserialize_map(QuestionVisitor(PhantomData))
}

struct QuestionVisitor<Q>(PhantomData<Q>);

impl<'de, Q: Options> Visitor<'de> for QuestionVisitor<Q> {
    type Value = Q;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with options of {}", Q::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Q, A::Error> {
        let mut question = Q::default();
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            question.set(&name, &value).map_err(A::Error::custom)?;
        }
        Ok(question)
    }
}

/// A question as a value of JSON: `{"pairs":{"threshold":0.3}}`.
pub(crate) fn text<Q: Options + serde::Serialize>(question: &Q) -> String {
    let options = serde_json::to_string(question).expect("options are texts, numbers and flags");
    format!("{{\"{}\":{options}}}", Q::NAME)
}

/// The first 16 hexadecimal digits of the SHA-256 digest of a text.
pub(crate) fn digest(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

impl<Q: Options + serde::Serialize> ResolvedQuestion<Q> {
    /// The question as JSON: one object with the name of the question, in it the options that are set.
    #[must_use]
    pub fn to_json(&self) -> String {
        text(&self.question)
    }

    /// The name of this question among all: 16 hexadecimal digits of the SHA-256 digest of [`to_json`](Self::to_json).
    #[must_use]
    pub fn digest(&self) -> String {
        digest(&self.to_json())
    }
}

impl ResolvedCompare {
    /// The question as JSON: one object with the name of the question, in it the options that are set.
    #[must_use]
    pub fn to_json(&self) -> String {
        text(self.question())
    }
}
