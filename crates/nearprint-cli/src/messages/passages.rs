//! What a search for passages says on standard error.

use nearprint::records::PassagesSummaryRow;
use nearprint::{CleanCounts, CutCounts, ItemCounts, Passages, SearchStep};

use crate::talk::{Talk, counted, sized};

/// Says which steps of a search are not done again.
pub(crate) fn resumed_search(talk: &Talk, saved: Option<SearchStep>) {
    let done = match saved {
        Some(SearchStep::Read) => "its texts are read",
        Some(SearchStep::Grouped) => "its texts are read and sorted",
        Some(SearchStep::Compared) => "its texts are compared",
        _ => return,
    };
    talk.say(format_args!("nearprint: resuming the search: {done}"));
}

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
    let ItemCounts { items, contaminated, undecidable, forms } = counts;
    let short = match undecidable - forms {
        0 => String::new(),
        short => format!(", {short} too short to decide"),
    };
    let forms = match forms {
        0 => String::new(),
        forms => format!(", {forms} undecidable as too many items share all of their runs"),
    };
    talk.summary(format_args!(
        "nearprint: {contaminated} of {} found in {}{short}{forms}",
        counted(*items, "item"),
        counted(documents, "document")
    ));
}

/// Says what was written of training data, and of how many documents something was cut out.
pub(crate) fn clean(talk: &Talk, counts: &CleanCounts, cuts_texts: bool) {
    super::kept(talk, &counts.written);
    if cuts_texts {
        talk.summary(format_args!(
            "nearprint: {} cut, {} left out",
            counted(counts.cut, "document"),
            counts.dropped
        ));
    }
}

/// Says how many repeats there are, and how much of all text they are.
pub(crate) fn repeats(
    talk: &Talk,
    (repeats, repeated): (u64, u64),
    (documents, references): (u64, u32),
    tokens: u64,
) {
    let share = 100.0 * repeated as f64 / tokens.max(1) as f64;
    let references = u64::from(references);
    let documents = counted(documents.saturating_sub(references), "document");
    let of = match references {
        0 => documents,
        _ => format!("{documents} and {}", counted(references, "reference")),
    };
    talk.summary(format_args!(
        "nearprint: {} of {}, {share:.1} % of all; {of}",
        counted(repeats, "repeat"),
        counted(repeated, "token"),
    ));
}

/// Says what was written without its repeats.
pub(crate) fn cut(talk: &Talk, counts: &CutCounts) {
    super::kept(talk, &counts.written);
    talk.summary(format_args!(
        "nearprint: {} cut out of {}",
        sized(counts.bytes),
        counted(counts.cut, "document")
    ));
    if let Some(first) = &counts.first_whole {
        talk.summary(format_args!(
            "nearprint: {} with repeats left whole, such as {first}: only the text of rows of JSON, Parquet and \
             Arrow and plain text in UTF-8 can be cut, without control characters and lone surrogates",
            counted(counts.whole, "document")
        ));
    }
}
