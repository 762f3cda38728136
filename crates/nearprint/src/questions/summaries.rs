//! Summaries of answered questions: what became of the documents, and how much was found.

use nearprint_fingerprint::Scheme;
use nearprint_records::{ClusterRow, SummaryRow};
use serde::Serialize;

use crate::{FalsePairs, Options, ResolvedQuestion, Tally};

impl Tally {
    /// The summary of a job that searched nothing.
    #[must_use]
    pub fn summary(&self, scheme: Scheme) -> SummaryRow {
        let mut row = SummaryRow::new(scheme);
        (row.documents, row.fingerprints) = (self.documents, self.fingerprints);
        (row.without_fingerprint, row.failed) = (self.without_fingerprint, self.failed);
        (row.bytes, row.records) = (self.bytes, self.records);
        row
    }

    /// The summary of a job that found these clusters.
    #[must_use]
    pub fn cluster_summary<Q: Options + Serialize>(
        &self,
        question: &ResolvedQuestion<Q>,
        clusters: &[ClusterRow],
    ) -> SummaryRow {
        let chains: Option<Vec<u32>> = clusters.iter().map(|cluster| cluster.chain).collect();
        let mut row = self.search_summary(question, clusters.len() as u64);
        row.largest_cluster = clusters.iter().map(|cluster| cluster.size).max();
        row.longest_chain = chains.and_then(|chains| chains.into_iter().max());
        row
    }

    /// The summary of a job that answered a question with so many pairs, matches or clusters.
    #[must_use]
    pub fn search_summary<Q: Options + Serialize>(
        &self,
        question: &ResolvedQuestion<Q>,
        found: u64,
    ) -> SummaryRow {
        let (scheme, distance) = (question.scheme(), question.distance());
        let expected = FalsePairs::expected(scheme, distance);
        let mut row = self.summary(scheme);
        row.question = Some(question.digest());
        (row.distance, row.found) = (Some(distance), Some(found));
        row.false_pairs_per_million_at_least = expected.and_then(FalsePairs::at_least);
        row.false_pairs_per_million_at_most = expected.and_then(FalsePairs::at_most);
        row
    }
}
