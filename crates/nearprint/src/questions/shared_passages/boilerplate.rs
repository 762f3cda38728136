//! The most repeated passages of a collection: licences, menus, notices.

mod ranked_passages;

use nearprint_passages::{PassageCounts, PassageProgress, PassageSettings};
use nearprint_records::SharedPassageRow;
use ranked_passages::{RUN, RankedPassages};

use super::{FoundPassage, PassageDocuments, bounded};
use crate::questions::options::options;
use crate::questions::{QuestionError, json};
use crate::{Engine, Error};

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
    /// [`min_tokens`](field@Self::min_tokens) is left out. All candidates are within a sixteenth of the engine's memory
    /// and beyond it in temporary files. `watch` is as of [`PassageDocuments::run`].
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
        let mut found = RankedPassages::new(memory, &directory);
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

#[cfg(test)]
mod tests {
    use nearprint_records::{Document, DocumentId, ErrorRecord};

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
