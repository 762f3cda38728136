//! Which items of a test are in training data: their questions, and with them their answers.
//!
//! The items are in memory, and training documents are only read, one after the other on all cores: nothing of them is
//! kept.

use std::collections::{BTreeMap, HashMap};

use nearprint_passages::{ItemIndex, ItemMatch, ItemSettings};
use nearprint_records::{ContaminationRow, DocumentId, ErrorRecord, Source, TextRange, Verdict};

use crate::questions::options::options;
use crate::questions::{Options, QuestionError, json};
use crate::{Pipeline, Tally};

/// What shows that a document has an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ContaminationPolicy {
    /// A run of so many tokens, or the whole item if it has fewer.
    #[default]
    Guaranteed,
    /// At least 70 % of the item's runs of 8 tokens, in any order.
    Share8,
}

impl ContaminationPolicy {
    /// Tokens of an item, at least, for the policy to decide about it.
    fn shortest(self) -> u32 {
        match self {
            Self::Guaranteed => 5,
            Self::Share8 => Self::RUN,
        }
    }

    /// Tokens of the runs that `Share8` counts.
    const RUN: u32 = 8;

    /// The share of them that shows an item.
    const SHARE: f64 = 0.7;
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
        /// item) or share8 (at least 70 percent of its runs of 8 tokens, in any order)
        policy: ContaminationPolicy = ContaminationPolicy::Guaranteed,
        /// Tokens of a run that shows an item, 5 to 10000; an item with fewer is looked for as a whole. Only for
        /// guaranteed
        min_tokens: u64 = 13,
        /// Tokens after the end of a question within which its answer must begin, at most 10000
        answer_within: u64 = 50,
        /// Do not count numbers as tokens: questions with other numbers are the same
        ignore_numbers: bool = false,
    }
}

/// How many items there are, by what was decided about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ItemCounts {
    /// All items.
    pub items: u64,
    /// Those that some document has.
    pub contaminated: u64,
    /// Those with too few tokens to decide.
    pub undecidable: u64,
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
        let bounded = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let index = ItemIndex::new(ItemSettings {
            least_tokens: match self.policy {
                ContaminationPolicy::Guaranteed => bounded(self.min_tokens),
                ContaminationPolicy::Share8 => ContaminationPolicy::RUN,
            },
            shortest: self.policy.shortest(),
            numbers: !self.ignore_numbers,
            answer_within: bounded(self.answer_within),
        });
        TestItems { policy: self.policy, index, ids: Vec::new(), answers: HashMap::new() }
    }
}

/// Items of a test, in memory.
#[derive(Debug)]
pub struct TestItems {
    policy: ContaminationPolicy,
    index: ItemIndex,
    ids: Vec<DocumentId>,
    /// Answers by the ids of items that are not read yet.
    answers: HashMap<DocumentId, String>,
}

impl TestItems {
    /// Reads the answers of items, which are read after that, by their ids.
    pub fn read_answers(
        &mut self,
        pipeline: &Pipeline<'_>,
        source: &mut dyn Source,
        mut left_out: impl FnMut(ErrorRecord),
    ) {
        let answers = &mut self.answers;
        let Ok(_) = pipeline.derive_all(source, owned, |found| {
            match found {
                Ok((id, answer)) => drop(answers.insert(id, answer)),
                Err(error) => left_out(error),
            }
            Ok::<_, std::convert::Infallible>(())
        });
    }

    /// Reads items: of each its question.
    pub fn read(
        &mut self,
        pipeline: &Pipeline<'_>,
        source: &mut dyn Source,
        mut left_out: impl FnMut(ErrorRecord),
    ) -> Tally {
        let Ok(tally) = pipeline.derive_all(source, owned, |found| {
            match found {
                Ok((id, question)) => {
                    let answer = self.answers.remove(&id);
                    self.index.push(&question, answer.as_deref());
                    self.ids.push(id);
                }
                Err(error) => left_out(error),
            }
            Ok::<_, std::convert::Infallible>(())
        });
        tally
    }

    /// Looks for the items in all documents of a source. Gives a row for each document and each item that it has, in
    /// the order of the documents and their places, and at the end one for each item that cannot be decided about.
    ///
    /// # Errors
    /// The first one of `take`, which ends the work.
    pub fn find<E>(
        mut self,
        pipeline: &Pipeline<'_>,
        source: &mut dyn Source,
        mut left_out: impl FnMut(ErrorRecord),
        mut take: impl FnMut(ContaminationRow) -> Result<(), E>,
    ) -> Result<(Tally, ItemCounts), E> {
        self.index.finish();
        let items = &self;
        let mut is_contaminated = vec![false; items.ids.len()];
        let derive = |text: &str| Some(items.index.matches(text));
        let tally = pipeline.derive_all(source, derive, |found| {
            let (document, matches) = match found {
                Ok(found) => found,
                Err(error) => {
                    left_out(error);
                    return Ok(());
                }
            };
            for row in items.rows(&document, matches) {
                let (number, row) = row;
                is_contaminated[number as usize] = true;
                take(row)?;
            }
            Ok(())
        })?;
        let mut counts = ItemCounts { items: self.ids.len() as u64, ..ItemCounts::default() };
        counts.contaminated = is_contaminated.iter().filter(|&&is| is).count() as u64;
        for (number, id) in
            (0..).zip(&self.ids).filter(|(number, _)| !self.index.is_decidable(*number))
        {
            counts.undecidable += 1;
            let tokens = self.index.item_tokens(number).into();
            take(ContaminationRow::new(Verdict::Undecidable, id.clone(), tokens))?;
        }
        Ok((tally, counts))
    }

    /// The rows of a document: of each item its longest run, the first of equally long ones.
    fn rows(&self, document: &DocumentId, matches: Vec<ItemMatch>) -> Vec<(u32, ContaminationRow)> {
        let mut by_item: BTreeMap<u32, Vec<ItemMatch>> = BTreeMap::new();
        matches.into_iter().for_each(|found| by_item.entry(found.item).or_default().push(found));
        let mut rows: Vec<(u32, ContaminationRow)> = Vec::new();
        for (number, runs) in by_item {
            let all = self.index.item_tokens(number);
            let (share, shows) = match self.policy {
                ContaminationPolicy::Guaranteed => {
                    let longest = runs.iter().map(|run| run.tokens).max().unwrap_or(0);
                    (f64::from(longest) / f64::from(all.max(1)), true)
                }
                ContaminationPolicy::Share8 => {
                    let share = share_of_runs(&runs, all);
                    (share, share >= ContaminationPolicy::SHARE)
                }
            };
            let longest = runs.iter().rev().max_by_key(|run| run.tokens);
            let Some(longest) = longest.filter(|_| shows) else { continue };
            let id = self.ids[number as usize].clone();
            let mut row = ContaminationRow::new(Verdict::Contaminated, id, all.into());
            let place = longest.place;
            let range = TextRange {
                start: place.start_character,
                end: place.end_character,
                start_byte: place.start_byte,
                end_byte: place.end_byte,
            };
            row.found_in(document.clone(), range, longest.tokens.into(), share);
            row.answer = longest.answer.map(|_| runs.iter().any(|run| run.answer == Some(true)));
            rows.push((number, row));
        }
        rows.sort_by_key(|(number, row)| (row.start, *number));
        rows
    }
}

fn owned(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// The share of an item's runs of 8 tokens that are in some of these.
fn share_of_runs(runs: &[ItemMatch], all: u32) -> f64 {
    let mut starts: Vec<(u32, u32)> = runs
        .iter()
        .map(|run| {
            (
                run.item_start,
                (run.item_start + run.tokens + 1).saturating_sub(ContaminationPolicy::RUN),
            )
        })
        .collect();
    starts.sort_unstable();
    let (mut covered, mut count) = (0, 0);
    for (start, end) in starts {
        count += end.saturating_sub(start.max(covered));
        covered = covered.max(end);
    }
    f64::from(count) / f64::from((all + 1).saturating_sub(ContaminationPolicy::RUN).max(1))
}
