//! What a search for passages says on standard error.

use nearprint::records::PassagesSummaryRow;
use nearprint::{ItemCounts, Passages};

use crate::talk::{Talk, counted};

/// Says how many passages were found, and how many of these are frequent.
pub(crate) fn passages(talk: &Talk, question: &Passages, summary: &PassagesSummaryRow) {
    let frequent = match summary.frequent {
        0 => String::new(),
        frequent => {
            format!(
                ", and {} at more than {} places",
                counted(frequent, "passage"),
                question.max_places
            )
        }
    };
    talk.summary(format_args!(
        "nearprint: {} of two documents{frequent}; {}, {}",
        counted(summary.shared, "passage"),
        counted(summary.documents, "document"),
        counted(summary.tokens, "token")
    ));
}

/// Says how many items of a test were found, and how many could not be decided about.
pub(crate) fn items(talk: &Talk, counts: &ItemCounts, documents: u64) {
    let ItemCounts { items, contaminated, undecidable } = counts;
    let undecidable = match undecidable {
        0 => String::new(),
        undecidable => format!(", {undecidable} too short to decide"),
    };
    talk.summary(format_args!(
        "nearprint: {contaminated} of {} found in {}{undecidable}",
        counted(*items, "item"),
        counted(documents, "document")
    ));
}
