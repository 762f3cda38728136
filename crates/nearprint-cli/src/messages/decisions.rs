//! What deduplication says on standard error.

use nearprint::WrittenCounts;
use nearprint::records::DeduplicationRow;

use crate::talk::{Talk, counted, sized};

/// Says how many documents are kept and dropped, and why; `left_out` pairs of texts were not compared.
pub(crate) fn decisions(talk: &Talk, summary: &DeduplicationRow, left_out: u64) {
    let clusters = counted(summary.clusters, "cluster");
    let same_bytes = match summary.same_bytes {
        0 => String::new(),
        copies => format!("{copies} same bytes, "),
    };
    talk.summary(format_args!(
        "nearprint: {} of {} kept, {} dropped ({same_bytes}{} identical, {} same words, {} near); {clusters}",
        summary.kept,
        counted(summary.documents, "document"),
        summary.same_bytes + summary.identical + summary.same_words + summary.near,
        summary.identical,
        summary.same_words,
        summary.near,
    ));
    if summary.near >= FEWEST_SHOWN {
        talk.summary(format_args!(
            "nearprint: near ones by similarity: {}",
            histogram(&summary.near_by_similarity)
        ));
    }
    if let (Some(revisits), Some(bytes)) = (summary.revisits, summary.revisit_bytes) {
        talk.summary(format_args!(
            "nearprint: web archives keep all records; {} written without {} of payload",
            counted(revisits, "revisit"),
            sized(bytes)
        ));
    }
    if summary.same_files > 0 {
        talk.summary(format_args!(
            "nearprint: {} to files that were read by another path, kept (same-file)",
            counted(summary.same_files, "further path")
        ));
    }
    if summary.duplicate_ids > 0 {
        talk.summary(format_args!(
            "nearprint: {} with the id of an earlier document; use the place to distinguish them",
            counted(summary.duplicate_ids, "document")
        ));
    }
    if summary.contradicts > 0 {
        talk.summary(format_args!(
            "nearprint: kept although similar, because they contradict a kept one: {}",
            counted(summary.contradicts, "document")
        ));
    }
    if summary.too_short + summary.without_fingerprint > 0 {
        talk.summary(format_args!(
            "nearprint: kept without comparison: {} with too few words, {} without a fingerprint",
            summary.too_short, summary.without_fingerprint
        ));
    }
    if left_out > 0 {
        talk.summary(format_args!(
            "nearprint: very many texts have the same words with different numbers; {} of \
                them skipped, so more documents are kept",
            counted(left_out, "pair")
        ));
    }
}

/// Near documents from which on it is shown how similar they are; fewer are looked at one by one.
const FEWEST_SHOWN: u64 = 10;

/// The steps of a histogram from the first to the last that has any, with bars: `0.70 ▂ 12, 0.75 █ 40`.
fn histogram(counts: &[u64; 20]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = counts.iter().copied().max().unwrap_or_default().max(1);
    let first = counts.iter().position(|&count| count > 0).unwrap_or_default();
    let last = counts.iter().rposition(|&count| count > 0).unwrap_or_default();
    let step = |at: usize| {
        let bar = match counts[at] {
            0 => ' ',
            count => BARS[((count * 8).div_ceil(most) as usize).clamp(1, 8) - 1],
        };
        format!("{:.2} {bar} {}", at as f64 / 20.0, counts[at])
    };
    (first..=last).map(step).collect::<Vec<_>>().join(", ")
}

/// Says what was written of the kept documents, and what could not be.
pub(crate) fn kept(talk: &Talk, written: &WrittenCounts) {
    let (files, size) = (counted(written.files, "file"), sized(written.bytes));
    talk.summary(format_args!("nearprint: wrote {files}, {size}"));
    if written.unreadable > 0 {
        talk.summary(format_args!(
            "nearprint: not written because unreadable: {}",
            counted(written.unreadable, "file")
        ));
    }
    for (file, rows) in &written.unreadable_rows {
        let (first, last) = (rows.start(), rows.end());
        talk.summary(format_args!(
            "nearprint: {file}: rows {first} to {last} not written because they cannot \
                be read"
        ));
    }
    for file in &written.unsigned {
        talk.summary(format_args!(
            "nearprint: {file}: its copy has another content, and no signature"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::histogram;

    #[test]
    fn a_histogram_is_as_wide_as_its_counts() {
        let mut counts = [0; 20];
        assert_eq!(histogram(&counts), "0.00   0");
        (counts[14], counts[16], counts[19]) = (3, 40, 1);
        assert_eq!(
            histogram(&counts),
            "0.70 ▁ 3, 0.75   0, 0.80 █ 40, 0.85   0, 0.90   0, 0.95 ▁ 1"
        );
    }
}
