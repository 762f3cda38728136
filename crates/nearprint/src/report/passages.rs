//! The page about passages: those of two documents side by side in their places, and frequent ones in several.

mod examples;
mod fragment;
mod places;

use std::collections::BTreeMap;
use std::path::Path;

use nearprint_records::PassagesSummaryRow;

pub use examples::PassageExamples;
use fragment::fragment;

use super::plot::{Bar, short};
use super::{Report, grouped};
use crate::{Error, Inputs, InputsError, Passages, Pipeline};

impl Report {
    /// The report of a search for passages. `title` is where they were looked for.
    #[must_use]
    pub fn of_passages(
        title: String,
        question: &Passages,
        summary: &PassagesSummaryRow,
        mut examples: PassageExamples,
    ) -> Self {
        examples.finish_pair();
        let classes = |counts: &BTreeMap<u64, u64>| -> Vec<Bar> {
            let bar = |(most, count): (&u64, &u64)| {
                // Names beside one another must be short: the least of a class.
                Bar { name: short(most / 2 + 1), count: *count }
            };
            counts.iter().map(bar).collect()
        };
        let plots = vec![
            (
                "Words of passages of two documents",
                "passages by their length, at least so many; heights by the square root of the numbers",
                classes(&examples.lengths),
            ),
            (
                "Documents with a frequent passage",
                "frequent passages by how many documents have them, at least so many",
                classes(&examples.documents),
            ),
        ];
        let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
        Self {
            verb: "nearprint passages",
            title,
            lead: format!(
                "<b>{}</b> passages of two documents and <b>{}</b> at more than {} places, in <b>{}</b> documents.",
                grouped(summary.shared),
                grouped(summary.frequent),
                grouped(question.max_places),
                grouped(summary.documents)
            ),
            shares: Vec::new(),
            drawing: None,
            plots,
            sections: Vec::new(),
            fragment: fragment(&examples),
            lists: Vec::new(),
            facts: vec![
                ("Words of a passage, at least", grouped(question.min_tokens)),
                ("Numbers count", yes(question.numbers)),
                ("Places of a passage in pairs, at most", grouped(question.max_places)),
                ("Documents", grouped(summary.documents)),
                ("Without a text", grouped(summary.without_text)),
                ("Failed", grouped(summary.failed)),
                ("Words of all texts", grouped(summary.tokens)),
                ("Bytes read", grouped(summary.bytes)),
            ],
        }
    }

    /// A page about a search for passages, to be written to `file`, from which its links lead. The documents that it
    /// shows are read again.
    ///
    /// # Errors
    /// Where an input cannot be read again.
    pub fn of_found_passages<E: From<Error> + From<InputsError>>(
        file: &Path,
        pipeline: &Pipeline<'_>,
        (question, summary): (&Passages, &PassagesSummaryRow),
        mut examples: PassageExamples,
        [inputs, references]: [&Inputs; 2],
    ) -> Result<Self, E> {
        examples.read_again(file, pipeline, [inputs, references])?;
        Ok(Self::of_passages(inputs.names(), question, summary, examples))
    }
}
