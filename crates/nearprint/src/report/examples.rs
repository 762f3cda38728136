//! The largest clusters with some of their documents, whose texts are read a second time.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use nearprint_records::Source;

use super::Distributions;
use crate::deduplication::{Decisions, Gathered};
use crate::{Error, Pipeline};

/// Bytes kept of a text: more than what is shown of it.
const KEPT_TEXT: usize = 64 << 10;

/// A cluster, its kept document, and some of those that repeat it.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterExample {
    /// Its documents.
    pub size: u64,
    /// The id of the one that is kept.
    pub representative: String,
    /// Its number in the order of reading.
    pub document: u64,
    /// Its text, once read.
    pub text: Option<String>,
    /// Others.
    pub members: Vec<MemberExample>,
}

/// A document that repeats the one kept.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberExample {
    /// Its id.
    pub id: String,
    /// Its number in the order of reading.
    pub document: u64,
    /// How similar it is, 0 to 1.
    pub similarity: f64,
    /// Its text, once read.
    pub text: Option<String>,
}

impl Decisions {
    /// How large clusters are, and how similar what is dropped is.
    #[must_use]
    pub fn distributions(&self, gathered: &Gathered) -> Distributions {
        let mut sizes: Vec<(u64, u64)> = Vec::new();
        for size in self.cluster_sizes() {
            let class = if size <= 3 { size } else { size.next_power_of_two() };
            match sizes.binary_search_by_key(&class, |&(most, _)| most) {
                Ok(at) => sizes[at].1 += 1,
                Err(at) => sizes.insert(at, (class, 1)),
            }
        }
        let mut similarities = vec![0; 20];
        for similarity in self.similarities(gathered) {
            similarities[((similarity * 20.0).floor() as usize).min(19)] += 1;
        }
        Distributions { sizes, similarities }
    }

    /// The largest clusters, at most so many, each with at most so many documents beside the one kept: those that are like it without
    /// having its text first.
    ///
    /// # Errors
    /// Where the temporary file cannot be read.
    pub fn examples(
        &self,
        gathered: &mut Gathered,
        clusters: usize,
        members: usize,
    ) -> Result<Vec<ClusterExample>, Error> {
        let mut largest: Vec<(u64, u32)> = self.clustered_texts().collect();
        largest.sort_unstable_by_key(|&(size, text)| (Reverse(size), text));
        largest.truncate(clusters);
        let mut found: BTreeMap<u32, Vec<(bool, u64, f64)>> =
            largest.iter().map(|&(_, text)| (text, Vec::new())).collect();
        self.each_dropped(gathered, |document, of, similarity, same| {
            if let Some(some) = found.get_mut(&of) {
                some.push((same, document, similarity));
                some.sort_by_key(|&(same, document, _)| (same, document));
                some.truncate(members);
            }
        });
        let mut examples = Vec::new();
        for (size, text) in largest {
            let document = gathered.representative(text);
            let mut members = Vec::new();
            for (_, document, similarity) in found.remove(&text).unwrap_or_default() {
                let id = gathered.id(document)?;
                members.push(MemberExample { id, document, similarity, text: None });
            }
            let representative = gathered.id(document)?;
            examples.push(ClusterExample { size, representative, document, text: None, members });
        }
        Ok(examples)
    }
}

/// Reads the texts of examples from a source whose first document has the number `first`; gives the number behind the last one
/// read. Documents between are passed over without extracting anything from them.
pub fn read_texts(
    examples: &mut [ClusterExample],
    pipeline: &Pipeline<'_>,
    source: &mut dyn Source,
    first: u64,
) -> u64 {
    let mut wanted: BTreeMap<u64, Vec<&mut Option<String>>> = BTreeMap::new();
    for example in examples {
        wanted.entry(example.document).or_default().push(&mut example.text);
        for member in &mut example.members {
            wanted.entry(member.document).or_default().push(&mut member.text);
        }
    }
    let Some((&last, _)) = wanted.last_key_value() else { return first };
    let mut number = first;
    while number <= last {
        let Some(found) = source.next_document() else { break };
        if let (Some(places), Ok(document)) = (wanted.get_mut(&number), found)
            && let Ok(extraction) = pipeline.extract(document)
        {
            let end = extraction.text.floor_char_boundary(KEPT_TEXT);
            for place in places {
                **place = Some(extraction.text[..end].to_owned());
            }
        }
        number += 1;
    }
    number
}
