//! A condition on the metadata of documents: what it means. How it is written is in [`expression`](super::expression).

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::str::FromStr;

use serde_json::{Map, Value};

use super::expression::{NotACondition, parsed};

/// A condition on the fields of the metadata.
///
/// On one field: `FIELD=VALUE`, or with `!=`, `<`, `<=`, `>` or `>=` between the two; `FIELD in (VALUE, VALUE)`; and
/// `FIELD exists`. Conditions are joined by `and` and `or`, of which `and` binds first, reversed by `not`, and grouped
/// by parentheses. Names and values with blanks, quotes, commas or parentheses are written as JSON strings.
///
/// Two numbers are compared by value, anything else by the bytes of its text; `true`, `false` and `null` are text. Of a
/// list, one element has to fulfil the condition, and with `!=` all. A document without the field fulfils no condition
/// on it, so that `not FIELD=VALUE` allows it and `FIELD!=VALUE` does not.
///
/// ```
/// use nearprint::{Condition, Filter};
///
/// let condition: Condition = "crawl in (2026-10, 2026-11) and (words>=100 or not host=e.org)".parse()?;
/// let filter = Filter::from_iter([condition]);
/// assert!(filter.allows(Some(r#"{"crawl":"2026-11","words":120,"host":"e.org"}"#)));
/// assert!(filter.allows(Some(r#"{"crawl":"2026-10"}"#)));
/// assert!(!filter.allows(Some(r#"{"crawl":"2026-09"}"#)));
/// assert!(!filter.allows(None));
/// # Ok::<(), nearprint::NotACondition>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Condition(Node);

impl FromStr for Condition {
    type Err = NotACondition;

    fn from_str(text: &str) -> Result<Self, NotACondition> {
        parsed(text).map(Self)
    }
}

impl Condition {
    /// Whether metadata fulfil it.
    pub(super) fn holds(&self, metadata: &Map<String, Value>) -> bool {
        self.0.holds(metadata)
    }
}

/// A part of a condition.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    Field(String, Test),
}

/// What must be true of the value of a field.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Test {
    Exists,
    Compare(Operator, Operand),
    In(OperandSet),
}

/// How a value must compare with the one of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Less,
    AtMost,
    Equal,
    Unequal,
    AtLeast,
    Greater,
}

/// The value of a condition: a text, and the number that it may be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Operand {
    text: String,
    number: Option<f64>,
}

/// Values of which a field must have one.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct OperandSet {
    texts: BTreeSet<String>,
    /// Those that are numbers, ascending.
    numbers: Vec<f64>,
}

impl Node {
    fn holds(&self, metadata: &Map<String, Value>) -> bool {
        match self {
            Self::All(nodes) => nodes.iter().all(|node| node.holds(metadata)),
            Self::Any(nodes) => nodes.iter().any(|node| node.holds(metadata)),
            Self::Not(node) => !node.holds(metadata),
            Self::Field(name, test) => metadata.get(name).is_some_and(|value| test.holds(value)),
        }
    }
}

impl Test {
    fn holds(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Exists, _) => true,
            (Self::Compare(Operator::Unequal, _), Value::Array(elements)) => {
                elements.iter().all(|element| self.holds_of_one(element))
            }
            (_, Value::Array(elements)) => elements.iter().any(|one| self.holds_of_one(one)),
            _ => self.holds_of_one(value),
        }
    }

    /// Whether it is true of a value that is not a list, or of an element of one.
    fn holds_of_one(&self, value: &Value) -> bool {
        match self {
            Self::Exists => true,
            Self::Compare(operator, operand) => {
                operand.compared_with(value).is_some_and(|ordering| operator.allows(ordering))
            }
            Self::In(operands) => operands.contains(value),
        }
    }
}

impl Operator {
    /// All of them as they are written; of two with the same beginning the longer one first.
    pub(super) const ALL: [(&'static str, Self); 6] = [
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

impl Operand {
    pub(super) fn new(text: String) -> Self {
        let number = text.parse().ok();
        Self { text, number }
    }

    /// How a value of metadata compares with it.
    fn compared_with(&self, value: &Value) -> Option<Ordering> {
        match (value, value.as_f64().zip(self.number)) {
            (_, Some((value, wanted))) => value.partial_cmp(&wanted),
            (Value::String(text), None) => Some(text.as_str().cmp(&self.text)),
            (other, None) => Some(other.to_string().as_str().cmp(&self.text)),
        }
    }
}

impl FromIterator<Operand> for OperandSet {
    fn from_iter<I: IntoIterator<Item = Operand>>(operands: I) -> Self {
        let mut set = Self::default();
        for Operand { text, number } in operands {
            set.texts.insert(text);
            // Not a number is equal to none.
            set.numbers.extend(number.filter(|number| !number.is_nan()));
        }
        set.numbers.sort_unstable_by(f64::total_cmp);
        set
    }
}

impl OperandSet {
    fn contains(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.texts.contains(text),
            Value::Number(number) => number.as_f64().is_some_and(|number| {
                let at = self.numbers.partition_point(|&one| one < number);
                self.numbers.get(at).is_some_and(|&one| one <= number)
            }),
            other => self.texts.contains(&other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(condition: &str, metadata: &str) -> bool {
        let condition: Condition =
            condition.parse().unwrap_or_else(|error| panic!("{condition}: {error}"));
        serde_json::from_str(metadata).is_ok_and(|object| condition.holds(&object))
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
            ("n!=nan", r#"{"n":1}"#, false),
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
            assert_eq!(holds(condition, metadata), expected, "{condition} of {metadata}");
        }
    }

    #[test]
    fn one_of_many_values_and_of_a_list() {
        let cases = [
            ("n in (1, 2.50, x)", r#"{"n":2.5}"#, true),
            ("n in (1, 2.50, x)", r#"{"n":"2.50"}"#, true),
            ("n in (1, 2.50, x)", r#"{"n":"2.5"}"#, false),
            ("n in (1, 2.50, x)", r#"{"n":2}"#, false),
            ("n in (-0, nan)", r#"{"n":0}"#, true),
            ("n in (true)", r#"{"n":true}"#, true),
            ("n in (true)", r#"{}"#, false),
            ("tags=fog", r#"{"tags":["sea","fog"]}"#, true),
            ("tags in (rain, fog)", r#"{"tags":["sea","fog"]}"#, true),
            ("tags!=fog", r#"{"tags":["sea","fog"]}"#, false),
            ("tags!=fog", r#"{"tags":["sea"]}"#, true),
            ("tags>5", r#"{"tags":[1,9]}"#, true),
            ("tags=fog", r#"{"tags":[]}"#, false),
            ("tags exists", r#"{"tags":[]}"#, true),
            ("tags exists", r#"{"tag":1}"#, false),
        ];
        for (condition, metadata, expected) in cases {
            assert_eq!(holds(condition, metadata), expected, "{condition} of {metadata}");
        }
    }
}
