//! What notebooks show, of which `python/nearprint/_display.py` makes pages.

use std::collections::HashMap;

use nearprint::records::{ClusterRow, Content, Document};
use nearprint::report;
use pyo3::prelude::*;

use crate::data::Documents;
use crate::options::Options;

/// Clusters of a table of which two members are shown side by side.
const EXAMPLES: usize = 3;

#[doc = stub!(escaped)]
#[pyfunction]
pub(crate) fn escaped(text: &str) -> String {
    report::escaped(text)
}

#[doc = stub!(side_by_side)]
#[pyfunction]
pub(crate) fn side_by_side(py: Python<'_>, a: &str, b: &str) -> String {
    py.detach(|| report::side_by_side(a, b))
}

/// Two ids and their texts.
pub(crate) type Example = (String, String, String, String);

/// Of the first clusters, the representative and the member that is least like it, where their texts are at hand.
pub(crate) fn examples(
    documents: &Documents,
    options: &Options,
    rows: &[ClusterRow],
) -> PyResult<Vec<Example>> {
    if let Documents::Paths(_) = documents {
        return Ok(Vec::new());
    }
    let clusters: Vec<_> = rows.iter().take(EXAMPLES).filter_map(extremes).collect();
    let mut wanted: HashMap<&str, Option<String>> = HashMap::new();
    for (one, other) in &clusters {
        wanted.insert(one, None);
        wanted.insert(other, None);
    }
    let (mut source, mut missing) = (documents.source(options, None)?, wanted.len());
    while missing > 0 {
        let Some(document) = source.next_document() else { break };
        if let Ok(Document { id, content: Content::Text(text) | Content::Page(text), .. }) =
            document
            && let Some(kept) = wanted.get_mut(id.as_str())
            && kept.replace(text).is_none()
        {
            missing -= 1;
        }
    }
    let text = |id: &str| wanted.get(id).cloned().flatten().unwrap_or_default();
    let example =
        |&(one, other): &(&str, &str)| (one.to_owned(), other.to_owned(), text(one), text(other));
    Ok(clusters.iter().map(example).collect())
}

/// The representative of a cluster, and the last of the members that are farthest from it.
fn extremes(row: &ClusterRow) -> Option<(&str, &str)> {
    let others = row.members.iter().zip(&row.distances);
    let others = others.filter(|(id, _)| **id != row.representative);
    let (other, _) = others.max_by_key(|(_, distance)| **distance)?;
    Some((row.representative.as_str(), other.as_str()))
}
