//! The most repeated passages of a collection: licences, menus, notices.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io;

use nearprint_passages::{PassageCounts, PassageProgress, PassageSettings};
use nearprint_records::{DocumentId, SharedPassageRow, TextRange};

use super::{FoundPassage, PassageDocuments, bounded};
use crate::questions::options::options;
use crate::questions::{Options, QuestionError, json};
use crate::store::text_store::TextStore;
use crate::{Engine, Error};

/// Tokens of runs by which a passage is found in others.
const RUN: usize = 8;

options! {
    /// Which repeated passages of a collection are listed.
    pub struct Boilerplate as "boilerplate" {
        /// List passages of at least this many tokens, 8 to 10000: words, and of scripts without spaces pairs of
        /// letters
        min_tokens: u64 = 50,
        /// Count numbers as tokens, so that passages with other numbers are other passages
        numbers: bool = false,
        /// List passages of at least this many documents, 2 to 100000
        least: u64 = 10,
        /// List at most this many passages, those of the most documents first, 1 to 100000
        most: u64 = 100,
    }
}

impl Boilerplate {
    /// The question with all its defaults.
    ///
    /// # Errors
    /// Where an option has no such value.
    pub fn resolve(&self) -> Result<Self, QuestionError> {
        self.check()?;
        for (name, value, least, most) in [
            ("min_tokens", self.min_tokens, RUN as u64, 10_000),
            ("least", self.least, 2, 100_000),
            ("most", self.most, 1, 100_000),
        ] {
            if !(least..=most).contains(&value) {
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

    /// Room for documents within the engine's memory, as of [`Passages::gather`](crate::Passages::gather).
    ///
    /// # Errors
    /// Where an option has no such value.
    pub fn gather(&self, engine: &Engine) -> Result<PassageDocuments, Error> {
        PassageDocuments::new(
            engine,
            PassageSettings {
                least_tokens: bounded(self.min_tokens),
                numbers: self.numbers,
                most_places: bounded(self.least.saturating_sub(1).max(1)),
                pairs: false,
                ..PassageSettings::default()
            },
            json::digest(&self.to_json()),
        )
    }

    /// The most repeated passages of documents that [`gather`](Self::gather) made room for: those of the most documents
    /// first, of these the longest. A passage of which a listed one has all but fewer than half of
    /// [`min_tokens`](field@Self::min_tokens) is left out. `watch` is as of [`PassageDocuments::run`].
    ///
    /// # Errors
    /// Where a temporary file fails, and where `watch` ends the search.
    pub fn run(
        &self,
        documents: PassageDocuments,
        watch: impl FnMut(PassageProgress) -> bool + Send,
    ) -> Result<(Vec<SharedPassageRow>, PassageCounts), Error> {
        let (memory, directory) =
            (documents.engine.settings().memory / 16, documents.engine.temporary_directory());
        let mut found =
            RankedPassages { passages: Vec::new(), texts: TextStore::new(memory, directory) };
        let counts = documents.run(watch, |passage| match passage {
            FoundPassage::Passage(row) if row.documents >= self.least => {
                found.push(&row).map_err(Error::TemporaryFile)
            }
            _ => Ok(()),
        })?;
        let listed = found.listed(self).map_err(Error::TemporaryFile)?;
        Ok((listed, counts))
    }
}

/// A passage that may be listed. Its document and its text are kept elsewhere.
struct RankedPassage {
    documents: u64,
    tokens: u64,
    places: u64,
    passage: Option<u64>,
    range: TextRange,
}

/// Passages that may be listed.
struct RankedPassages {
    passages: Vec<RankedPassage>,
    /// Of each the id of its first document, which has no control characters, a line feed, and its text.
    texts: TextStore,
}

impl RankedPassages {
    fn push(&mut self, row: &SharedPassageRow) -> io::Result<()> {
        let SharedPassageRow { documents, tokens, places, passage, .. } = *row;
        self.texts.push(&format!("{}\n{}", row.a, row.text))?;
        let range = row.a_range();
        self.passages.push(RankedPassage { documents, tokens, places, passage, range });
        Ok(())
    }

    /// The passages in the order of the list, without those that repeat others, as many as are wanted.
    fn listed(self, question: &Boilerplate) -> io::Result<Vec<SharedPassageRow>> {
        let mut ranked: Vec<(usize, RankedPassage)> =
            self.passages.into_iter().enumerate().collect();
        // They came in the order of their first places.
        ranked.sort_by_key(|(at, one)| (Reverse(one.documents), Reverse(one.tokens), *at));
        let (mut listed, mut runs) = (Vec::new(), ListedRuns::default());
        for (at, one) in ranked {
            if listed.len() as u64 == question.most {
                break;
            }
            let stored = self.texts.get(at)?;
            let (id, text) = stored.split_once('\n').unwrap_or_default();
            if runs.add(text, question) {
                let first = (DocumentId::new(id).expect("it was an id"), one.range);
                let row = SharedPassageRow::frequent(0, first, one.tokens, text.to_owned());
                let mut row = row.counted(one.documents, one.places, one.passage);
                row.numbers = question.numbers;
                listed.push(row);
            }
        }
        Ok(listed)
    }
}

/// The runs of the passages that are listed, each with the numbers of those that have it.
#[derive(Default)]
struct ListedRuns {
    count: u32,
    passages: HashMap<[u64; RUN], Vec<u32>>,
}

impl ListedRuns {
    /// Adds a passage and returns true, unless a listed one has all of it but fewer than half of the least tokens.
    fn add(&mut self, text: &str, question: &Boilerplate) -> bool {
        let mut tokens = Vec::new();
        let numbers = question.numbers;
        nearprint_fingerprint::placed_tokens(text, numbers, |token| tokens.push(token.hash));
        let runs: Vec<[u64; RUN]> =
            tokens.windows(RUN).filter_map(|run| run.try_into().ok()).collect();
        // Of each listed passage: how many tokens it has, and the end of the last ones.
        let mut had: HashMap<u32, (usize, usize)> = HashMap::new();
        for (start, run) in runs.iter().enumerate() {
            for &passage in self.passages.get(run).map_or(&[][..], Vec::as_slice) {
                let (count, end) = had.entry(passage).or_default();
                *count += start + RUN - start.max(*end);
                *end = start + RUN;
            }
        }
        let most = had.values().map(|(count, _)| *count).max().unwrap_or(0);
        if 2 * ((tokens.len() - most) as u64) < question.min_tokens {
            return false;
        }
        for run in runs {
            let passages = self.passages.entry(run).or_default();
            if passages.last() != Some(&self.count) {
                passages.push(self.count);
            }
        }
        self.count += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use nearprint_records::{Document, ErrorRecord};

    use super::*;
    use crate::Settings;

    fn words(prefix: &str, count: usize) -> Vec<String> {
        (0..count).map(|number| format!("{prefix}{}", "x".repeat(number))).collect()
    }

    fn found(texts: &[String], question: &Boilerplate) -> Vec<(u64, u64)> {
        let mut source = texts.iter().zip(1..).map(|(text, number)| {
            let id = DocumentId::new(format!("page-{number}")).unwrap();
            Ok::<_, ErrorRecord>(Document::from_text(id, text.as_str()))
        });
        let engine = Engine::default();
        let question = question.resolve().unwrap();
        let mut gathered = question.gather(&engine).unwrap();
        let pipeline = engine.pipeline(Settings::default());
        gathered.read(&pipeline, &mut source, |_| Ok::<_, Error>(())).unwrap();
        let (rows, _) = question.run(gathered, |_| true).unwrap();
        rows.iter().map(|row| (row.documents, row.tokens)).collect()
    }

    #[test]
    fn chance_words_beside_a_notice_take_no_place_of_the_list() {
        let (notice, other) = (words("a", 60).join(" "), words("b", 70).join(" "));
        let mut texts = Vec::new();
        for (number, word) in words("v", 40).iter().enumerate() {
            texts.extend(
                words(&format!("c{}", "y".repeat(number)), 12)
                    .iter()
                    .map(|own| format!("{word} {notice} {own}")),
            );
        }
        texts.extend(words("d", 10).iter().map(|own| format!("{other} {own}")));
        for most in [1, 2, 3u64] {
            let rows = found(&texts, &Boilerplate::default().most(most));
            assert_eq!(rows, [(480, 60), (10, 70)][..(most as usize).min(2)], "{most}");
        }
    }

    #[test]
    fn a_passage_of_parts_of_two_is_listed() {
        let (a, b) = (words("a", 60), words("b", 60));
        let mixed = [&a[30..], &b[..30]].concat();
        let mut texts = Vec::new();
        for (passage, prefix, count) in [(&a, "c", 30), (&b, "d", 30), (&mixed, "e", 25)] {
            let passage = passage.join(" ");
            texts.extend(words(prefix, count).iter().map(|own| format!("{own} {passage} {own}")));
        }
        let rows = found(&texts, &Boilerplate::default());
        assert_eq!(rows, [(30, 60), (30, 60), (25, 60)]);
    }
}
