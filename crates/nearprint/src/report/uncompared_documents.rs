//! Documents of a deduplication that were not compared, by reason: how many there are, and the first of them.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{ExampleDocument, ExampleGroup, Report, escaped, grouped, linked};
use crate::{Decisions, DedupDocuments, Error};

/// Documents that are named of each reason.
const NAMED: usize = 5;

impl Decisions {
    /// Documents that are kept without comparison, and those that are not decided about as they have no text: a group
    /// for each reason, those of the most documents first. The label of its first document is the reason.
    ///
    /// # Errors
    /// If the temporary file cannot be read.
    pub fn not_compared_examples(
        &self,
        gathered: &mut DedupDocuments,
    ) -> Result<Vec<ExampleGroup>, Error> {
        let mut found: BTreeMap<String, (u64, Vec<u64>)> = BTreeMap::new();
        self.each_not_compared(gathered, |document, reason| {
            // There are few reasons, so most of the time this allocates nothing.
            if let Some((count, first)) = found.get_mut(reason) {
                *count += 1;
                if first.len() < NAMED {
                    first.push(document);
                }
            } else {
                found.insert(reason.to_owned(), (1, vec![document]));
            }
        })?;
        let mut groups = Vec::new();
        for (reason, (size, first)) in found {
            let mut documents = Vec::new();
            for number in first {
                let (id, number) = (gathered.id(number)?, Some(number));
                documents.push(ExampleDocument { id, number, ..ExampleDocument::default() });
            }
            let mut members = documents.into_iter();
            let first = members.next().unwrap_or_default();
            let document = ExampleDocument { label: Some(reason), ..first };
            groups.push(ExampleGroup { size, document, members: members.collect() });
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group.size));
        Ok(groups)
    }
}

impl Report {
    /// The same page with the documents that were not compared.
    #[must_use]
    pub fn with_not_compared(mut self, groups: &[ExampleGroup]) -> Self {
        if groups.is_empty() {
            return self;
        }
        let html = &mut self.fragment;
        html.push_str(
            "<section>\n<h2>Not compared</h2>\n\
             <p class=\"note\">Kept without comparison, by reason, with the first documents of each.</p>\n\
             <ul class=\"members\">\n",
        );
        for group in groups {
            let reason = escaped(group.document.label.as_deref().unwrap_or_default());
            let documents = std::iter::once(&group.document).chain(&group.members);
            let mut named: Vec<String> = documents.map(linked).collect();
            if group.size > named.len() as u64 {
                named.push("…".to_owned());
            }
            let count = grouped(group.size);
            // Writing to a string does not fail.
            let _ = writeln!(
                html,
                "<li><span class=\"pill\">{reason}</span> <b>{count}</b>: {}</li>",
                named.join(", ")
            );
        }
        html.push_str("</ul>\n</section>\n");
        self
    }
}
