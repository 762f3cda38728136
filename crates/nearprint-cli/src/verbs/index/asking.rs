//! Queries of an index, answered some at a time.

use nearprint::records::{InputFile, MatchOfMany, PrintFormat, PrintReader};
use nearprint::{Documents, Filter, Inputs, Matches, ResolvedQuestion, Tally, VerifiedQuery};
use nearprint_index::{DiskIndex, StoredDocument};

use super::given::GivenOptions;
use crate::ending::Failure;
use crate::results::Results;
use crate::talk::Talk;

/// Queries that are answered together.
const BATCH: usize = 1024;

/// Queries on their way to their answers.
pub(super) struct Asking<'a> {
    index: &'a DiskIndex,
    question: ResolvedQuestion<Matches>,
    filter: Filter,
    asked: Vec<VerifiedQuery>,
    out: Results,
}

impl<'a> Asking<'a> {
    /// Asks the question, and writes the matches to `out`.
    pub(super) fn new(
        index: &'a DiskIndex,
        question: ResolvedQuestion<Matches>,
        out: Results,
    ) -> Self {
        Self { index, question, filter: Filter::default(), asked: Vec::new(), out }
    }

    /// With only those documents that a filter allows.
    pub(super) fn only(self, filter: Filter) -> Self {
        Self { filter, ..self }
    }

    /// Asks for what is near a document.
    pub(super) fn push(&mut self, document: StoredDocument) -> Result<(), Failure> {
        self.asked.push(document.into_query());
        if self.asked.len() < BATCH { Ok(()) } else { self.answer() }
    }

    fn answer(&mut self) -> Result<(), Failure> {
        let asked = std::mem::take(&mut self.asked);
        let (search, out) = (self.question.method().search(), &mut self.out);
        let take = |_, row| out.row(&MatchOfMany(row));
        self.question.run(self.index, asked.as_slice(), &search, &self.filter, take).map(drop)
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
