//! Queries of an index, answered some at a time.

use nearprint::records::{InputFile, MatchOfMany, MatchRow, PrintFormat, PrintReader};
use nearprint::{Index, Inputs, Tally, Verification, VerifiedQuery};
use nearprint_index::{DiskIndex, Filter, StoredDocument};

use super::given::{GivenOptions, write_matches};
use crate::ending::Failure;
use crate::results::Results;
use crate::talk::Talk;

/// Queries that are answered together.
const BATCH: usize = 1024;

/// Queries on their way to their answers.
pub(super) struct Asking<'a> {
    index: &'a DiskIndex,
    k: u32,
    filter: Filter,
    /// What the texts of matches must fulfil, where they are compared.
    verification: Option<Verification>,
    asked: Vec<VerifiedQuery>,
    out: Results,
}

impl<'a> Asking<'a> {
    /// Asks for what is within `k`, and writes it to `out`.
    pub(super) fn new(index: &'a DiskIndex, k: u32, out: Results) -> Self {
        let (filter, asked) = (Filter::default(), Vec::new());
        Self { index, k, filter, verification: None, asked, out }
    }

    /// With only those documents that a filter allows.
    pub(super) fn only(self, filter: Filter) -> Self {
        Self { filter, ..self }
    }

    /// With only those documents whose texts pass, where texts are compared.
    pub(super) fn verified_by(self, verification: Option<Verification>) -> Self {
        Self { verification, ..self }
    }

    /// Asks for what is near a document.
    pub(super) fn push(&mut self, document: StoredDocument) -> Result<(), Failure> {
        let StoredDocument { id, fingerprint, features, .. } = document;
        let features = features.map(|kept| kept.features.unpack()).unwrap_or_default();
        self.asked.push(VerifiedQuery::new(id, fingerprint, features));
        if self.asked.len() < BATCH { Ok(()) } else { self.answer() }
    }

    fn answer(&mut self) -> Result<(), Failure> {
        let (index, scheme) = (self.index, self.index.scheme());
        let asked = std::mem::take(&mut self.asked);
        let Some(verification) = self.verification else {
            let prints: Vec<_> = asked.iter().map(|asked| asked.fingerprint().clone()).collect();
            let answers = index.query_batch_where(&prints, self.k, &self.filter)?;
            let mut answers = asked.iter().zip(answers);
            return answers.try_for_each(|(asked, near)| {
                write_matches(&mut self.out, asked.id(), scheme, near)
            });
        };
        let answers = index.query_verified(&asked, self.k, verification, &self.filter)?;
        for (asked, similar) in asked.iter().zip(answers) {
            for (found, similarity) in similar {
                let measure = Some(verification.measure().name());
                let row = MatchRow {
                    measure,
                    similarity: Some(similarity),
                    ..found.row(asked.id(), scheme)
                };
                self.out.row(&MatchOfMany(row))?;
            }
        }
        Ok(())
    }

    /// Answers the last queries, and ends the output.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        self.answer()?;
        self.out.finish()
    }

    /// Asks for what is near each fingerprint of files. Lines of standard input are answered one by one.
    pub(super) fn prints(
        &mut self,
        inputs: &Inputs,
        format: PrintFormat,
        talk: &Talk,
    ) -> Result<Tally, Failure> {
        let as_named = (format, self.index.scheme());
        let mut tally = Tally::default();
        for file in inputs.named()? {
            let read = match &file {
                Ok(path) if path.as_os_str() == "-" => self.lines(format, talk)?,
                _ => GivenOptions::prints(file, as_named, talk, |document| self.push(document))?,
            };
            tally.add(&read);
        }
        Ok(tally)
    }

    /// Answers each line of standard input before the next is read.
    fn lines(&mut self, format: PrintFormat, talk: &Talk) -> Result<Tally, Failure> {
        let mut tally = Tally::default();
        for line in PrintReader::new("-", InputFile::standard_input().into_stored(), format) {
            match line {
                Ok(record) => {
                    tally.count_prints(1);
                    self.push(StoredDocument::new(record.id, record.fingerprint))?;
                    self.answer()?;
                    self.out.flush()?;
                }
                Err(error) => {
                    talk.error(&error);
                    tally.count_nothing(error.reason.is_failure());
                }
            }
        }
        Ok(tally)
    }
}
