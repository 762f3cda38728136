//! Which items of a test are in training data: their questions, and with them their answers.
//!
//! The items are in memory, and training documents are only read, one after the other on all cores: nothing of them is
//! kept.

#[cfg(feature = "files")]
mod clean_copy;
mod contamination;
mod run_places;
mod test_items;
mod text_cuts;
#[cfg(feature = "files")]
mod text_cutter;

#[cfg(feature = "files")]
pub use clean_copy::CleanCounts;
pub use contamination::{Contamination, ItemCounts};
pub use test_items::TestItems;

use nearprint_passages::{ItemClusters, ItemIndex, ItemSettings, ItemWords};

use crate::questions::options::options;
use crate::questions::{QuestionError, json};

/// What shows that a document has an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ContaminationPolicy {
    /// A run of so many tokens, or the whole item if it has fewer.
    #[default]
    Guaranteed,
    /// At least 70 % of the item's runs of 8 tokens, in any order.
    Share8,
    /// The rule of GPT-3 (Brown and others 2020, appendix C): a run of 13 words, or all of an item of 8 to 12, that is
    /// at no more than 10 places of the training data. Words are what stands between white space, in lower case,
    /// without punctuation. Each run goes with 200 characters on both sides, and then pieces of fewer than 200; of a
    /// document with more than 10 cuts nothing stays.
    Gpt3,
    /// The rule of decon (Allen Institute for AI) with its default numbers: most of the question's rare runs of 5
    /// tokens, and the answer after it.
    DeconLike,
}

impl ContaminationPolicy {
    /// Whether the policy also looks for the passages that items are about.
    #[must_use]
    pub fn finds_passages(self) -> bool {
        self != Self::DeconLike
    }

    /// How items are looked for by the policy.
    fn settings(self, question: &Decontaminate) -> ItemSettings {
        let bounded = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let common = ItemSettings {
            words: ItemWords::Tokens { numbers: !question.ignore_numbers },
            answer_within: bounded(question.answer_within),
            ..ItemSettings::default()
        };
        match self {
            Self::Guaranteed => {
                ItemSettings { least_tokens: bounded(question.min_tokens), ..common }
            }
            Self::Share8 => ItemSettings {
                // Short runs are in more items by chance.
                most_items: 1000,
                least_tokens: Self::RUN,
                shortest: Self::RUN,
                ..common
            },
            Self::Gpt3 => ItemSettings { shortest: 8, words: ItemWords::Plain, ..common },
            Self::DeconLike => ItemClusters::settings(common),
        }
    }

    /// Tokens of the runs that `Share8` counts.
    pub(super) const RUN: u32 = 8;

    /// The share of them that shows an item.
    pub(super) const SHARE: f64 = 0.7;
}

options! {
    /// How items of a test are looked for in training data.
    ///
    /// ```
    /// use nearprint::records::{Document, DocumentId, ErrorRecord};
    /// use nearprint::{Decontaminate, Engine, Settings};
    ///
    /// let source = |id: &'static str, text: &'static str| {
    ///     let id = DocumentId::new(id).expect("short and plain");
    ///     std::iter::once(Ok::<_, ErrorRecord>(Document::from_text(id, text)))
    /// };
    /// let (engine, ignored) = (Engine::default(), |_| ());
    /// let pipeline = engine.pipeline(Settings::default());
    /// let mut items = Decontaminate::default().resolve()?.items();
    /// items.read_answers(&pipeline, &mut source("q1", "The grey gull"), ignored);
    /// items.read(&pipeline, &mut source("q1", "Which bird stays over the harbour at noon?"), ignored);
    /// let mut found = Vec::new();
    /// let train = "Quiz: which bird stays\nover the HARBOUR at noon? It is the grey gull.";
    /// items.find(&pipeline, &mut source("page", train), ignored, |row| {
    ///     found.push((row.item.to_string(), row.answer));
    ///     Ok::<_, std::convert::Infallible>(())
    /// })?;
    /// assert_eq!(found, [("q1".to_owned(), Some(true))]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct Decontaminate as "decontaminate" {
        /// What shows that a document has an item: guaranteed (a run of at least min_tokens tokens, or all of a shorter
        /// item), share8 (at least 70 percent of its runs of 8 tokens, in any order), gpt3 (a run of 13 words that is
        /// at no more than 10 places) or decon-like (most of its rare runs of 5 tokens, and its answer)
        policy: ContaminationPolicy = ContaminationPolicy::Guaranteed,
        /// Tokens of a run that shows an item, 5 to 10000; an item with fewer is looked for as a whole. Only for
        /// guaranteed
        min_tokens: u64 = 13,
        /// Tokens after the end of a question within which its answer must begin, at most 10000; decon-like has bounds
        /// of its own
        answer_within: u64 = 50,
        /// Do not count numbers as tokens: questions with other numbers are the same
        ignore_numbers: bool = false,
    }
}

impl Decontaminate {
    /// The question with all its defaults.
    ///
    /// # Errors
    /// Where an option has no such value.
    pub fn resolve(&self) -> Result<Self, QuestionError> {
        self.check()?;
        for (name, value, range) in [
            ("min_tokens", self.min_tokens, 5..=10_000),
            ("answer_within", self.answer_within, 0..=10_000),
        ] {
            if !range.contains(&value) {
                let (least, most) = range.into_inner();
                let detail = format!("expected a whole number from {least} to {most}, not {value}");
                return Err(QuestionError::new(name, detail));
            }
        }
        Ok(self.clone())
    }

    /// The question as JSON: one object with the name of the question, in it the options that are set.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::text(self)
    }

    /// The name of this question among all: 16 hexadecimal digits of the SHA-256 digest of [`to_json`](Self::to_json).
    #[must_use]
    pub fn digest(&self) -> String {
        json::digest(&self.to_json())
    }

    /// No items yet.
    #[must_use]
    pub fn items(&self) -> TestItems {
        TestItems::new(self.policy, ItemIndex::new(self.policy.settings(self)))
    }
}
