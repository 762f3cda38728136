//! Metadata of documents that are there: changed alone, without their texts, fingerprints and places.

use nearprint::records::DocumentId;
use nearprint::{Error, Filter};
use serde_json::{Map, Value};

use crate::cancellation::check;
use crate::changes::group::Weight;
use crate::changes::plan::Plan;
use crate::disk_index::DiskIndex;
use crate::store::record::check_metadata;

/// What becomes of the metadata of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MetadataChange {
    /// These take their place; with `None` there are none afterwards.
    Replace(Option<Map<String, Value>>),
    /// These fields are set, and those that are null are removed, within objects too: a JSON merge patch (RFC 7396).
    Merge(Map<String, Value>),
}

impl MetadataChange {
    /// The metadata after the change. Without any field, there are none.
    fn applied(&self, metadata: Option<&str>) -> Option<String> {
        let object = match self {
            Self::Replace(object) => object.clone().unwrap_or_default(),
            Self::Merge(patch) => {
                let there = metadata.and_then(|text| serde_json::from_str(text).ok());
                let mut object = there.unwrap_or_default();
                merge(&mut object, patch);
                object
            }
        };
        (!object.is_empty()).then(|| Value::Object(object).to_string())
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Replace(None) => 0,
            Self::Replace(Some(object)) | Self::Merge(object) => {
                Value::Object(object.clone()).to_string().len()
            }
        }
    }
}

/// Sets the fields of a patch. A JSON text is at most 128 values deep, so this ends.
fn merge(object: &mut Map<String, Value>, patch: &Map<String, Value>) {
    for (name, value) in patch {
        match value {
            Value::Null => drop(object.remove(name)),
            Value::Object(patch) => {
                let inner = object.entry(name).or_insert(Value::Null);
                if !inner.is_object() {
                    *inner = Value::Object(Map::new());
                }
                if let Value::Object(inner) = inner {
                    merge(inner, patch);
                }
            }
            value => drop(object.insert(name.clone(), value.clone())),
        }
    }
}

/// Changes the metadata of documents, and returns how many of them are there.
fn changed(plan: &mut Plan<'_>, ids: &[DocumentId], change: &MetadataChange) -> Result<u64, Error> {
    let places = plan.places(&ids.iter().collect::<Vec<_>>())?;
    let mut draft = plan.draft();
    let mut places: Vec<u64> = places.into_iter().flatten().collect();
    // An id may be given twice.
    places.sort_unstable();
    places.dedup();
    for &sequence in &places {
        check()?;
        let metadata = plan.metadata(sequence)?;
        let new = change.applied(metadata.as_deref());
        if let Some(new) = &new {
            check_metadata(new)?;
        }
        if new != metadata {
            draft.change_metadata(sequence, new);
        }
    }
    plan.absorb(draft)?;
    Ok(places.len() as u64)
}

impl DiskIndex {
    /// Changes the metadata of documents, in one commit, and returns how many of them are there. Their places in the
    /// order of addition, their times and all else stay.
    ///
    /// # Errors
    /// Where metadata would be longer than [`LONGEST_METADATA`](crate::LONGEST_METADATA), and then nothing has changed;
    /// or where the index cannot be written.
    pub fn change_metadata(
        &self,
        ids: &[DocumentId],
        change: &MetadataChange,
    ) -> Result<u64, Error> {
        let bytes = change.bytes().saturating_mul(ids.len());
        let weight = Weight { documents: ids.len(), bytes, looks: false };
        let (ids, change) = (ids.to_vec(), change.clone());
        self.change(weight, move |plan| changed(plan, &ids, &change))
    }

    /// Changes the metadata of every document that a filter allows, in one commit, and returns how many there are. O(n)
    /// for n documents in the index, and memory for the metadata of those that are changed.
    ///
    /// # Errors
    /// As for [`change_metadata`](Self::change_metadata).
    pub fn change_metadata_where(
        &self,
        filter: &Filter,
        change: &MetadataChange,
    ) -> Result<u64, Error> {
        let weight = Weight { documents: usize::MAX, bytes: 0, looks: false };
        let (filter, change) = (filter.clone(), change.clone());
        self.change(weight, move |plan| {
            let ids = plan.ids_where(&filter)?;
            changed(plan, &ids, &change)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merge_sets_fields_and_removes_nulls() {
        let patch = |text: &str| MetadataChange::Merge(serde_json::from_str(text).unwrap());
        for (there, with, then) in [
            (Some(r#"{"a":1,"b":2}"#), r#"{"b":3,"c":[4]}"#, Some(r#"{"a":1,"b":3,"c":[4]}"#)),
            (
                Some(r#"{"a":{"x":1,"y":2}}"#),
                r#"{"a":{"x":null,"z":3}}"#,
                Some(r#"{"a":{"y":2,"z":3}}"#),
            ),
            (Some(r#"{"a":1}"#), r#"{"a":{"x":null}}"#, Some(r#"{"a":{}}"#)),
            (Some(r#"{"a":1}"#), r#"{"a":null}"#, None),
            (None, r#"{"a":1}"#, Some(r#"{"a":1}"#)),
            (None, "{}", None),
        ] {
            assert_eq!(patch(with).applied(there).as_deref(), then, "{there:?} {with}");
        }
        assert_eq!(MetadataChange::Replace(None).applied(Some(r#"{"a":1}"#)), None);
    }
}
