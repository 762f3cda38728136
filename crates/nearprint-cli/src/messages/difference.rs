//! What the comparison of two editions says on standard error.

use nearprint::DifferenceCounts;
use nearprint::records::DifferenceKind;

use crate::talk::{Talk, counted};

/// Says how many documents there were and are, and what became of them.
pub(crate) fn difference(talk: &Talk, counts: &DifferenceCounts, before: usize, now: usize) {
    let each: Vec<String> = DifferenceKind::ALL
        .iter()
        .filter(|&&kind| counts.of(kind) > 0)
        .map(|&kind| format!("{} {kind}", counts.of(kind)))
        .collect();
    let (before, now) = (counted(before as u64, "document"), counted(now as u64, "document"));
    talk.summary(format_args!("nearprint: {before} before, {now} now: {}", each.join(", ")));
}
