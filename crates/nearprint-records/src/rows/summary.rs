//! `nearprint/summary/1`: what a run did, in one line for a program to read.

use std::io::{self, Write};
use std::time::Duration;

use nearprint_fingerprint::Scheme;
use serde::Serialize;

use crate::{RecordCounts, Row};

/// How long a run took, and how much it did in a second. Null in JSON where nobody examined the clock.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct Pace {
    /// Seconds from its beginning to its summary.
    pub seconds: Option<f64>,
    /// Documents in each.
    pub documents_per_second: Option<f64>,
    /// Bytes of documents in each.
    pub bytes_per_second: Option<f64>,
}

impl Pace {
    /// The pace of so many documents and bytes in this time.
    #[must_use]
    pub fn of(documents: u64, bytes: u64, time: Duration) -> Self {
        let seconds = time.as_secs_f64();
        // Thousandths are enough, and no run takes none.
        let rounded = |number: f64| Some((number * 1000.0).round() / 1000.0);
        let rate = |number: u64| rounded(number as f64 / seconds.max(0.001));
        Self {
            seconds: rounded(seconds),
            documents_per_second: rate(documents),
            bytes_per_second: rate(bytes),
        }
    }

    pub(super) fn write_text(self, out: &mut dyn Write) -> io::Result<()> {
        for (name, number) in [
            ("seconds", self.seconds),
            ("documents_per_second", self.documents_per_second),
            ("bytes_per_second", self.bytes_per_second),
        ] {
            if let Some(number) = number {
                writeln!(out, "{name}\t{number}")?;
            }
        }
        Ok(())
    }
}

/// The counts of one run. Text form: lines `NAME TAB VALUE`, without those that do not apply.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SummaryRow {
    /// The scheme, where fingerprints were made or read.
    pub scheme: Scheme,
    /// Documents or lines met, whatever became of them.
    pub documents: u64,
    /// Those with a fingerprint.
    pub fingerprints: u64,
    /// Those without one where nothing failed: no text, no token, no text document.
    pub without_fingerprint: u64,
    /// Those that failed.
    pub failed: u64,
    /// Bytes of the documents.
    pub bytes: u64,
    /// Records of archives by their kinds, those that are not documents among them; empty if there was no archive.
    pub records: RecordCounts,
    /// The digest of the question with all its defaults, where something was asked.
    pub question: Option<String>,
    /// The greatest distance searched, where something was searched.
    pub distance: Option<u32>,
    /// Pairs, matches or clusters written, where something was searched.
    pub found: Option<u64>,
    /// Documents of the largest cluster, where there are clusters.
    pub largest_cluster: Option<u64>,
    /// Links of the longest chain of any cluster, where it was measured for all.
    pub longest_chain: Option<u32>,
    /// Pairs of unrelated documents of one language that lie within this distance, per million: at least so many, by
    /// the 95 % interval of what was measured for the scheme; `None` if nothing was measured.
    pub false_pairs_per_million_at_least: Option<f64>,
    /// The same: at most so many.
    pub false_pairs_per_million_at_most: Option<f64>,
    /// How long it took.
    #[serde(flatten)]
    pub pace: Pace,
}

impl SummaryRow {
    /// The summary of a job that read nothing.
    #[must_use]
    pub fn new(scheme: Scheme) -> Self {
        Self {
            scheme,
            documents: 0,
            fingerprints: 0,
            without_fingerprint: 0,
            failed: 0,
            bytes: 0,
            records: RecordCounts::default(),
            question: None,
            distance: None,
            found: None,
            largest_cluster: None,
            longest_chain: None,
            false_pairs_per_million_at_least: None,
            false_pairs_per_million_at_most: None,
            pace: Pace::default(),
        }
    }
}

impl Row for SummaryRow {
    const SCHEMA: &'static str = "nearprint/summary/1";

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "scheme\t{}", self.scheme)?;
        writeln!(out, "documents\t{}", self.documents)?;
        writeln!(out, "fingerprints\t{}", self.fingerprints)?;
        writeln!(out, "without_fingerprint\t{}", self.without_fingerprint)?;
        writeln!(out, "failed\t{}", self.failed)?;
        writeln!(out, "bytes\t{}", self.bytes)?;
        for (kind, count) in self.records.iter() {
            writeln!(out, "records-{kind}\t{count}")?;
        }
        if let Some(question) = &self.question {
            writeln!(out, "question\t{question}")?;
        }
        if let Some(distance) = self.distance {
            writeln!(out, "distance\t{distance}")?;
        }
        if let Some(found) = self.found {
            writeln!(out, "found\t{found}")?;
        }
        if let Some(largest) = self.largest_cluster {
            writeln!(out, "largest_cluster\t{largest}")?;
        }
        if let Some(longest) = self.longest_chain {
            writeln!(out, "longest_chain\t{longest}")?;
        }
        for (name, rate) in [
            ("false_pairs_per_million_at_least", self.false_pairs_per_million_at_least),
            ("false_pairs_per_million_at_most", self.false_pairs_per_million_at_most),
        ] {
            if let Some(rate) = rate {
                writeln!(out, "{name}\t{rate}")?;
            }
        }
        self.pace.write_text(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_what_was_done_in_a_second() {
        let pace = Pace::of(3, 3000, Duration::from_millis(1500));
        assert_eq!(
            serde_json::to_string(&pace).unwrap(),
            "{\"seconds\":1.5,\"documents_per_second\":2.0,\"bytes_per_second\":2000.0}"
        );
        let none = Pace::of(1, 1, Duration::ZERO);
        assert_eq!(none.documents_per_second, Some(1000.0));
    }
}
