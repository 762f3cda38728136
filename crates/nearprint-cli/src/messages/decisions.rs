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
}
