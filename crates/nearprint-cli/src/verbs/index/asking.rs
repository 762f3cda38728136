//! Queries of an index, answered some at a time.

use nearprint::fingerprint::Fingerprint;
use nearprint::records::{DocumentId, InputFile, PrintFormat, PrintReader};
use nearprint::{Index, Inputs, Tally};
use nearprint_index::{DiskIndex, Filter};

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
    ids: Vec<DocumentId>,
    prints: Vec<Fingerprint>,
    out: Results,
}

impl<'a> Asking<'a> {
    /// Asks for what is within `k`, and writes it to `out`.
    pub(super) fn new(index: &'a DiskIndex, k: u32, out: Results) -> Self {
        Self { index, k, filter: Filter::default(), ids: Vec::new(), prints: Vec::new(), out }
    }

    /// With only those documents that a filter allows.
    pub(super) fn only(self, filter: Filter) -> Self {
        Self { filter, ..self }
    }

    /// Asks for what is near a fingerprint.
    pub(super) fn push(&mut self, id: DocumentId, print: Fingerprint) -> Result<(), Failure> {
        self.ids.push(id);
        self.prints.push(print);
        if self.ids.len() < BATCH { Ok(()) } else { self.answer() }
    }

    fn answer(&mut self) -> Result<(), Failure> {
        let answers = self.index.query_batch_where(&self.prints, self.k, &self.filter)?;
        for (id, near) in self.ids.drain(..).zip(answers) {
            write_matches(&mut self.out, &id, self.index.scheme(), near)?;
        }
        self.prints.clear();
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
                _ => {
                    GivenOptions::prints(file, as_named, talk, |id, print, _| self.push(id, print))?
                }
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
                    self.push(record.id, record.fingerprint)?;
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
