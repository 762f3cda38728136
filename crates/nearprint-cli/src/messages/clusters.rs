//! What clustering says on standard error.

use nearprint::ClusterDoubt;
use nearprint::records::{ClusterRow, SummaryRow};

use crate::talk::{Talk, counted};

/// Doubts that are said; the others are counted.
const SAID: usize = 3;

/// Says how many of all documents are in clusters, and how large the largest is.
pub(crate) fn clusters(
    talk: &Talk,
    summary: &SummaryRow,
    clusters: &[ClusterRow],
    documents: usize,
) {
    let members: u64 = clusters.iter().map(|cluster| cluster.size).sum();
    talk.summary(format_args!(
        "nearprint: {} of {}; {} without a partner",
        counted(clusters.len() as u64, "cluster"),
        counted(members, "document"),
        counted(documents as u64 - members, "document")
    ));
    let Some(largest) = summary.largest_cluster else { return };
    let chain = match summary.longest_chain {
        Some(links) => format!("; the longest chain has {}", counted(links.into(), "link")),
        None => String::new(),
    };
    talk.summary(format_args!(
        "nearprint: the largest cluster has {}{chain}",
        counted(largest, "document")
    ));
}

/// Says which clusters grew suspiciously.
pub(crate) fn doubts(talk: &Talk, doubts: &[ClusterDoubt]) {
    for doubt in doubts.iter().take(SAID) {
        talk.say(format_args!("nearprint: {doubt}"));
    }
    if doubts.len() > SAID {
        talk.say(format_args!(
            "nearprint: {} more may be chains too",
            counted((doubts.len() - SAID) as u64, "cluster")
        ));
    }
    if !doubts.is_empty() {
        talk.say("nearprint: --linkage star or bounded prevents chains");
    }
}
