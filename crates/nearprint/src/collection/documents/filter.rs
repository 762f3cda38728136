//! Which documents count, by their metadata: conditions that must all be fulfilled.

mod condition;
mod expression;

use serde_json::{Map, Value};

use super::Parts;

pub use condition::Condition;
pub use expression::NotACondition;

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
#[derive(Debug, Clone, PartialEq, Default)]
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

    /// Whether metadata, a JSON object, fulfil all conditions. A document without metadata has no field.
    #[must_use]
    pub fn allows(&self, metadata: Option<&str>) -> bool {
        if self.conditions.is_empty() {
            return true;
        }
        let object = metadata.map_or(Some(Map::new()), |text| serde_json::from_str(text).ok());
        object
            .is_some_and(|object| self.conditions.iter().all(|condition| condition.holds(&object)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_conditions_must_be_fulfilled() {
        let filter: Filter = ["a=1", "b=2"].iter().map(|text| text.parse().unwrap()).collect();
        assert!(filter.allows(Some(r#"{"a":1,"b":2}"#)));
        assert!(!filter.allows(Some(r#"{"a":1,"b":3}"#)));
        assert!(Filter::default().allows(None) && !filter.allows(None));
        let none: Filter = ["not a=1"].iter().map(|text| text.parse().unwrap()).collect();
        assert!(none.allows(None) && !none.allows(Some("no object")));
    }
}
