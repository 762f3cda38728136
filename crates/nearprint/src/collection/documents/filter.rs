//! Conditions on the metadata of documents: `crawl=2026-11`, `date<20250101`.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde_json::{Map, Value};

use super::Parts;

/// How a value must compare with the one of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Less,
    AtMost,
    Equal,
    Unequal,
    AtLeast,
    Greater,
}

impl Operator {
    /// All of them as they are written; of two with the same beginning the longer one first.
    const ALL: [(&'static str, Self); 6] = [
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("!=", Self::Unequal),
        ("<", Self::Less),
        (">", Self::Greater),
        ("=", Self::Equal),
    ];

    fn allows(self, ordering: Ordering) -> bool {
        match self {
            Self::Less => ordering.is_lt(),
            Self::AtMost => ordering.is_le(),
            Self::Equal => ordering.is_eq(),
            Self::Unequal => ordering.is_ne(),
            Self::AtLeast => ordering.is_ge(),
            Self::Greater => ordering.is_gt(),
        }
    }
}

/// A condition on one field of the metadata, written `FIELD OPERATOR VALUE` without spaces.
///
/// Operators are `=`, `!=`, `<`, `<=`, `>` and `>=`. Two numbers are compared by value, anything else by the bytes of
/// its text; `true`, `false` and `null` are text. A document without the field fulfils no condition on it.
///
/// ```
/// use nearprint::{Condition, Filter};
///
/// let filter = Filter::from_iter(["crawl=2026-11", "date<20250101"].map(|text| text.parse::<Condition>().unwrap()));
/// assert!(filter.allows(Some(r#"{"crawl":"2026-11","date":20241231}"#)));
/// assert!(!filter.allows(Some(r#"{"crawl":"2026-11"}"#)));
/// assert!(!filter.allows(None));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    field: String,
    operator: Operator,
    value: String,
}

/// The text is not a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotACondition;

impl fmt::Display for NotACondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is not FIELD=VALUE, nor with one of != < <= > >= between the two")
    }
}

impl std::error::Error for NotACondition {}

impl FromStr for Condition {
    type Err = NotACondition;

    fn from_str(text: &str) -> Result<Self, NotACondition> {
        // The first character of an operator ends the name of the field.
        let at = text.find(['<', '>', '=', '!']).ok_or(NotACondition)?;
        let (field, rest) = text.split_at(at);
        let mut operators = Operator::ALL.into_iter();
        let found =
            operators.find_map(|(written, operator)| Some((rest.strip_prefix(written)?, operator)));
        let (value, operator) = found.filter(|_| !field.is_empty()).ok_or(NotACondition)?;
        Ok(Self { field: field.to_owned(), operator, value: value.to_owned() })
    }
}

impl Condition {
    fn allows(&self, metadata: &Map<String, Value>) -> bool {
        let Some(value) = metadata.get(&self.field) else { return false };
        let numbers = value.as_f64().zip(self.value.parse::<f64>().ok());
        let ordering = match (value, numbers) {
            (_, Some((value, wanted))) => value.partial_cmp(&wanted),
            (Value::String(text), None) => Some(text.as_str().cmp(&self.value)),
            (other, None) => Some(other.to_string().cmp(&self.value)),
        };
        ordering.is_some_and(|ordering| self.operator.allows(ordering))
    }
}

/// The value of a field of metadata as text: of a string its characters, of anything else its JSON. `None` where there
/// is no such field.
#[must_use]
pub fn metadata_field(metadata: &str, field: &str) -> Option<String> {
    let object: Map<String, Value> = serde_json::from_str(metadata).ok()?;
    Some(match object.get(field)? {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    })
}

/// Conditions that must all be fulfilled.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    conditions: Vec<Condition>,
}

impl FromIterator<Condition> for Filter {
    fn from_iter<I: IntoIterator<Item = Condition>>(conditions: I) -> Self {
        Self { conditions: conditions.into_iter().collect() }
    }
}

impl Filter {
    /// The filter without conditions, which allows every document.
    #[must_use]
    pub fn all() -> &'static Self {
        static ALL: Filter = Filter { conditions: Vec::new() };
        &ALL
    }

    /// What has to be kept of documents for these parts of those that the filter allows.
    #[must_use]
    pub fn parts(&self, wanted: &Parts) -> Parts {
        let wanted = wanted.clone();
        if self.is_empty() { wanted } else { wanted.metadata() }
    }

    /// Whether there is no condition, so that every document is allowed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Whether metadata, a JSON object, fulfil all conditions.
    #[must_use]
    pub fn allows(&self, metadata: Option<&str>) -> bool {
        if self.conditions.is_empty() {
            return true;
        }
        let object = metadata.and_then(|text| serde_json::from_str(text).ok());
        object
            .is_some_and(|object| self.conditions.iter().all(|condition| condition.allows(&object)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(condition: &str, metadata: &str) -> bool {
        let condition: Condition = condition.parse().unwrap();
        Filter::from_iter([condition]).allows(Some(metadata))
    }

    #[test]
    fn numbers_are_compared_by_value_and_text_by_its_bytes() {
        let cases = [
            ("n<10", r#"{"n":9}"#, true),
            ("n<10", r#"{"n":10}"#, false),
            ("n<=10", r#"{"n":10.0}"#, true),
            // A text of digits is text.
            ("n<10", r#"{"n":"9"}"#, false),
            ("n>=-1e3", r#"{"n":-999}"#, true),
            ("date>20250101", r#"{"date":"20250102"}"#, true),
            ("crawl=2026-11", r#"{"crawl":"2026-11"}"#, true),
            ("crawl!=2026-11", r#"{"crawl":"2026-10"}"#, true),
            ("crawl!=2026-11", r#"{"other":1}"#, false),
            ("url=a=b<c", r#"{"url":"a=b<c"}"#, true),
            ("ok=true", r#"{"ok":true}"#, true),
            ("ok=null", r#"{"ok":null}"#, true),
            ("host=", r#"{"host":""}"#, true),
            ("x=1", "no object", false),
        ];
        for (condition, metadata, expected) in cases {
            assert_eq!(allows(condition, metadata), expected, "{condition} of {metadata}");
        }
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        for text in ["", "crawl", "=2026", "<", "!x", "a!b"] {
            assert_eq!(text.parse::<Condition>(), Err(NotACondition), "{text}");
        }
    }

    #[test]
    fn all_conditions_must_be_fulfilled() {
        let filter: Filter = ["a=1", "b=2"].iter().map(|text| text.parse().unwrap()).collect();
        assert!(filter.allows(Some(r#"{"a":1,"b":2}"#)));
        assert!(!filter.allows(Some(r#"{"a":1,"b":3}"#)));
        assert!(Filter::default().allows(None) && !filter.allows(None));
    }
}
