//! The report of each verb: its sentence, its shares, its plots and its facts.

use nearprint_records::{ClusterRow, DeduplicationRow, DifferenceKind, SummaryRow};

use super::plot::Bar;
use super::{
    ClusterExamples, DifferenceExamples, Distributions, ExampleGroup, ExampleSection, PairExamples,
    Report, grouped,
};

const SIMILARITY: &str = "Jaccard similarity of word 3-shingles and numbers";

impl Report {
    /// The report of a deduplication. `title` is what was deduplicated; the groups are the largest clusters, and pairs
    /// that are kept because they contradict.
    #[must_use]
    pub fn of_deduplication(
        title: String,
        summary: &DeduplicationRow,
        distributions: &Distributions,
        [groups, contradictions]: [Vec<ExampleGroup>; 2],
    ) -> Self {
        let copies = summary.same_bytes + summary.identical;
        let dropped = copies + summary.same_words + summary.near;
        let aside = summary.too_short + summary.without_fingerprint + summary.same_files;
        // Classes below the threshold are empty, except with chains.
        let first = ((summary.at * 20.0).floor() as usize).min(19);
        Self {
            verb: "nearprint dedup",
            title,
            lead: format!(
                "Of <b>{}</b> documents <b>{}</b> are kept; <b>{}</b> duplicate one of these.",
                grouped(summary.documents),
                grouped(summary.kept),
                grouped(dropped)
            ),
            shares: vec![
                ("kept", "kept".to_owned(), summary.kept - aside),
                ("aside", "kept without comparison".to_owned(), aside),
                ("near", "similar to a kept one".to_owned(), summary.near),
                ("words", "same words as a kept one".to_owned(), summary.same_words),
                ("same", "identical to a kept one, or of the same bytes".to_owned(), copies),
            ],
            drawing: None,
            plots: vec![
                sizes(distributions),
                (
                    "Similarity to the kept document",
                    "dropped documents by Jaccard similarity of word 3-shingles and numbers",
                    similarities(distributions, first),
                ),
            ],
            sections: vec![ExampleSection {
                heading: "The largest clusters",
                note: format!(
                    "{} of {}. Kept documents are on the left, duplicates on the right. Marked words are only in one of the texts.",
                    groups.len(),
                    grouped(summary.clusters)
                ),
                nothing: "No document duplicates another.",
                groups,
            }]
            .into_iter()
            .chain(contradicting(contradictions, summary.contradicts))
            .collect(),
            fragment: String::new(),
            lists: Vec::new(),
            facts: vec![
                ("Threshold", format!("{} ({SIMILARITY})", summary.at)),
                ("Policy", summary.policy.to_owned()),
                ("Kept because they contradict a kept one", grouped(summary.contradicts)),
                ("Kept of a cluster", summary.keep.clone()),
                ("Clusters may chain", if summary.chains { "yes" } else { "no" }.to_owned()),
                (
                    "Not compared",
                    format!(
                        "{} with fewer than {} words, {} without a fingerprint",
                        grouped(summary.too_short),
                        summary.least_words,
                        grouped(summary.without_fingerprint)
                    ),
                ),
                ("Failed", grouped(summary.failed)),
                ("References", grouped(summary.references)),
                ("Distinct texts", grouped(summary.distinct_texts)),
                (
                    "Candidates",
                    format!("{}, proposed by {}", grouped(summary.candidates), summary.scheme),
                ),
                ("Bytes read", grouped(summary.bytes)),
            ],
        }
    }

    /// The report of clusters.
    #[must_use]
    pub fn of_clusters(
        title: String,
        summary: &SummaryRow,
        clusters: &[ClusterRow],
        examples: ClusterExamples,
    ) -> Self {
        let members: u64 = clusters.iter().map(|cluster| cluster.size).sum();
        let mut distributions = Distributions::default();
        for cluster in clusters {
            distributions.add_size(cluster.size);
            for &similarity in cluster.similarities.iter().flatten().skip(1) {
                distributions.add_similarity(similarity);
            }
        }
        let groups = examples.groups;
        Self {
            verb: "nearprint clusters",
            title,
            lead: format!(
                "<b>{}</b> of <b>{}</b> documents are in <b>{}</b> clusters.",
                grouped(members),
                grouped(summary.documents),
                grouped(clusters.len() as u64)
            ),
            shares: vec![
                (
                    "kept",
                    "without a partner".to_owned(),
                    summary.fingerprints.saturating_sub(members),
                ),
                ("near", "in clusters".to_owned(), members),
                (
                    "aside",
                    "without a fingerprint".to_owned(),
                    summary.documents.saturating_sub(summary.fingerprints),
                ),
            ],
            drawing: None,
            plots: vec![
                sizes(&distributions),
                (
                    "Similarity to the first document",
                    "members by similarity of their texts",
                    similarities(&distributions, 20),
                ),
            ],
            sections: vec![ExampleSection {
                heading: "The largest clusters",
                note: format!(
                    "{} of {}. The first document of a cluster is on the left. Marked words are only in one of the texts.",
                    groups.len(),
                    grouped(clusters.len() as u64)
                ),
                nothing: "There are no clusters.",
                groups,
            }],
            fragment: String::new(),
            lists: Vec::new(),
            facts: facts(summary),
        }
    }

    /// The report of pairs.
    #[must_use]
    pub fn of_pairs(title: String, summary: &SummaryRow, examples: PairExamples) -> Self {
        let (found, unverified) = (examples.found, examples.unverified);
        let distributions = examples.distributions.clone();
        let groups = examples.into_groups();
        Self {
            verb: "nearprint pairs",
            title,
            lead: format!(
                "<b>{}</b> pairs among <b>{}</b> documents.",
                grouped(found),
                grouped(summary.documents)
            ),
            shares: vec![
                ("kept", "with a fingerprint".to_owned(), summary.fingerprints),
                (
                    "aside",
                    "without a fingerprint".to_owned(),
                    summary.documents.saturating_sub(summary.fingerprints),
                ),
            ],
            drawing: None,
            plots: vec![(
                "Similarity",
                if unverified {
                    "pairs by similarity of their fingerprints"
                } else {
                    "pairs by similarity of their texts"
                },
                similarities(&distributions, 20),
            )],
            sections: vec![ExampleSection {
                heading: "Pairs near the threshold, and the most similar ones that differ",
                note: format!(
                    "{} of {}, least similar first. Marked words are only in one of the texts.",
                    groups.len(),
                    grouped(found)
                ),
                nothing: "There are no pairs.",
                groups,
            }],
            fragment: String::new(),
            lists: Vec::new(),
            facts: facts(summary),
        }
    }

    /// The report of a difference between two editions. `title` names both.
    #[must_use]
    pub fn of_difference(title: String, examples: DifferenceExamples) -> Self {
        let count = |kind: DifferenceKind| examples.count(kind);
        let shares = DifferenceKind::ALL
            .iter()
            .map(|&kind| {
                let class = match kind {
                    DifferenceKind::Identical => "kept",
                    DifferenceKind::New => "new",
                    DifferenceKind::Gone => "same",
                    DifferenceKind::NotCompared => "aside",
                    DifferenceKind::ChangedMuch => "words",
                    _ => "near",
                };
                (class, kind.to_string(), count(kind))
            })
            .collect();
        let changed = count(DifferenceKind::ChangedLittle)
            + count(DifferenceKind::ChangedMuch)
            + count(DifferenceKind::SameWords);
        let lead = format!(
            "<b>{}</b> documents are unchanged, <b>{}</b> changed, <b>{}</b> moved, <b>{}</b> new and <b>{}</b> gone.",
            grouped(count(DifferenceKind::Identical)),
            grouped(changed),
            grouped(count(DifferenceKind::Moved)),
            grouped(count(DifferenceKind::New)),
            grouped(count(DifferenceKind::Gone))
        );
        let DifferenceExamples { groups, lists, distributions, .. } = examples;
        Self {
            verb: "nearprint diff",
            title,
            lead,
            shares,
            drawing: None,
            plots: vec![(
                "Similarity",
                "changed and moved documents by similarity of their texts",
                similarities(&distributions, 20),
            )],
            sections: vec![ExampleSection {
                heading: "Changed documents",
                note: format!(
                    "{} of {}, least similar first. The old text is on the left, the new one on the right. Marked words are only in one of them.",
                    groups.len(),
                    grouped(changed + distributions_moved(&lists))
                ),
                nothing: "No document changed.",
                groups,
            }],
            fragment: String::new(),
            lists,
            facts: Vec::new(),
        }
    }
}

/// Pairs that are kept because they contradict, where there are any.
fn contradicting(groups: Vec<ExampleGroup>, all: u64) -> Option<ExampleSection> {
    let note = format!(
        "{} of {}, most similar first: both are kept. Marked words are only in one of the texts.",
        groups.len(),
        grouped(all)
    );
    let (heading, nothing) = ("Kept because they contradict", "");
    (!groups.is_empty()).then_some(ExampleSection { heading, note, nothing, groups })
}

/// Documents that are listed as moved.
fn distributions_moved(lists: &[(&'static str, Vec<super::ExampleDocument>)]) -> u64 {
    lists.iter().find(|(heading, _)| *heading == "Moved").map_or(0, |(_, all)| all.len() as u64)
}

/// Clusters by their size.
fn sizes(distributions: &Distributions) -> super::Plot {
    let mut before = 1;
    let bars = distributions
        .sizes
        .iter()
        .map(|&(most, count)| {
            let name = match most == before + 1 {
                true => most.to_string(),
                false => format!("{}–{most}", before + 1),
            };
            before = most;
            Bar { name, count }
        })
        .collect();
    ("Documents in a cluster", "clusters by size; heights by the square root of the numbers", bars)
}

/// Similarities from the first class that is not empty, or from `first` if that is lower.
fn similarities(distributions: &Distributions, first: usize) -> Vec<Bar> {
    let all = &distributions.similarities;
    let lowest = all.iter().position(|&count| count > 0).unwrap_or(0);
    (lowest.min(first).min(19)..all.len())
        .map(|class| Bar { name: format!("{:.2}", class as f64 / 20.0), count: all[class] })
        .collect()
}

/// Facts of a search.
fn facts(summary: &SummaryRow) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("Scheme", summary.scheme.to_string()),
        ("Documents", grouped(summary.documents)),
        ("Without a fingerprint", grouped(summary.without_fingerprint)),
        ("Failed", grouped(summary.failed)),
        ("Bytes read", grouped(summary.bytes)),
    ];
    if let Some(distance) = summary.distance {
        facts.insert(1, ("Distance", distance.to_string()));
    }
    facts
}
