//! Many queries: of files, and of standard input, where each line is answered before the next is read.

use std::path::{Path, PathBuf};

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::{
    Container, DocumentId, ErrorRecord, FirstLine, InputFile, Outcome, PrintFormat, PrintReader,
    RecordCounter, Source,
};
use nearprint::{
    InputFormat, InputSource, Pipeline, PrintSet, Tally, Verification, VerifiedQuery, expect_prints,
};

use crate::ending::Failure;
use crate::inputs::{SearchedOptions, is_stdin, read_prints, read_standard_prints};
use crate::talk::Talk;
use crate::unexpected::{Meant, expect_documents};

/// Queries that come line by line.
pub(crate) enum LineQueries {
    /// Lines are fingerprints.
    Prints(InputFile, PrintFormat),
    /// Lines are JSON objects, each a document.
    Rows(Box<dyn Source>),
}

/// What standard input holds, where it is named for queries.
pub(crate) enum StandardQueries {
    /// Lines, to be answered one by one.
    Lines(LineQueries),
    /// Something else, which was looked at.
    Other(InputFile),
}

impl SearchedOptions {
    /// Standard input, where it alone is named for queries. Waits for its first line.
    pub(crate) fn standard_queries(
        &self,
        queries: &[PathBuf],
    ) -> Result<Option<StandardQueries>, Failure> {
        if !matches!(queries, [only] if is_stdin(only)) {
            return Ok(None);
        }
        let (mut file, prints) = (InputFile::standard_input(), self.prints_format()?);
        let settings = self.collection.settings(&self.reading)?;
        let takes_rows = matches!(
            settings.format,
            InputFormat::Auto | InputFormat::Container(Container::JsonLines)
        );
        let line = file.first_line(&settings.reading.fields, prints).map_err(Failure::work)?;
        let file = match (line, prints) {
            (FirstLine::Print, Some(format)) => {
                let lines = LineQueries::Prints(file, format);
                return Ok(Some(StandardQueries::Lines(lines)));
            }
            (FirstLine::Row, _) if takes_rows => {
                let counts = RecordCounter::default();
                match file.into_documents(Container::JsonLines, &settings.reading, &counts) {
                    Ok(rows) => {
                        let lines = LineQueries::Rows(rows);
                        return Ok(Some(StandardQueries::Lines(lines)));
                    }
                    Err(file) => file,
                }
            }
            _ => file,
        };
        Ok(Some(StandardQueries::Other(file)))
    }

    /// Has each query answered before the next is read.
    pub(crate) fn answer_lines(
        &self,
        lines: LineQueries,
        scheme: Scheme,
        talk: &Talk,
        mut answer: impl FnMut(&DocumentId, &Fingerprint) -> Result<(), Failure>,
    ) -> Result<Tally, Failure> {
        let mut tally = Tally::default();
        let failed = |error: &ErrorRecord, tally: &mut Tally| {
            talk.error(error);
            tally.count_nothing(error.reason.is_failure());
        };
        match lines {
            LineQueries::Prints(file, format) => {
                for line in PrintReader::new("-", file.into_stored(), format) {
                    match line {
                        Ok(record) => {
                            tally.count_prints(1);
                            answer(&record.id, &record.fingerprint)?;
                        }
                        Err(error) => failed(&error, &mut tally),
                    }
                }
            }
            LineQueries::Rows(mut rows) => {
                let pipeline = self.pipeline(scheme);
                while let Some(row) = rows.next_document() {
                    let document = match row {
                        Ok(document) => document,
                        Err(error) => {
                            failed(&error, &mut tally);
                            continue;
                        }
                    };
                    let bytes = document.length();
                    let record = pipeline.fingerprint_one(document);
                    tally.count(&record, bytes);
                    match &record.outcome {
                        Outcome::Print { fingerprint, .. } => answer(&record.id, fingerprint)?,
                        Outcome::Nothing { .. } => talk.nothing(&record),
                    }
                }
            }
        }
        Ok(tally)
    }

    /// Has each document answered by its text before the next is read.
    pub(crate) fn answer_rows(
        &self,
        (mut rows, pipeline, verification): (Box<dyn Source>, &Pipeline<'_>, Verification),
        talk: &Talk,
        mut answer: impl FnMut(&VerifiedQuery) -> Result<(), Failure>,
    ) -> Result<Tally, Failure> {
        let mut tally = Tally::default();
        while let Some(row) = rows.next_document() {
            let document = match row {
                Ok(document) => document,
                Err(error) => {
                    talk.error(&error);
                    tally.count_nothing(error.reason.is_failure());
                    continue;
                }
            };
            let length = document.length();
            match VerifiedQuery::of(pipeline, document, verification) {
                Ok(Some(query)) => {
                    tally.count_prints(1);
                    tally.bytes += length;
                    answer(&query)?;
                }
                // Cancelled.
                Ok(None) => break,
                Err(record) => {
                    tally.count(&record, length);
                    talk.nothing(&record);
                }
            }
        }
        Ok(tally)
    }

    /// The prints of the queries named: of files of prints, where the inputs are such, and of documents, in the order named.
    pub(crate) fn gather_queries(
        &self,
        queries: &[PathBuf],
        mut standard: Option<InputFile>,
        mut set: PrintSet,
        talk: &Talk,
    ) -> Result<(PrintSet, Tally), Failure> {
        let Some(format) = self.prints_format()? else {
            return self.gather_documents(queries, standard, set, talk);
        };
        let mut tally = Tally::default();
        for query in queries {
            if is_stdin(query) {
                let mut file = standard.take().unwrap_or_else(InputFile::standard_input);
                if file.has_no_prints(format).unwrap_or(false) {
                    standard = Some(file);
                } else {
                    tally.add(&read_standard_prints(file, format, &mut set, talk)?);
                    continue;
                }
            } else if !holds_documents(query, format) {
                let files = std::iter::once(Ok(query.clone()));
                tally.add(&read_prints(files, format, &mut set, talk)?);
                continue;
            }
            let one = std::slice::from_ref(query);
            let (with, read) = self.gather_documents(one, standard.take(), set, talk)?;
            set = with;
            tally.add(&read);
        }
        Ok((set, tally))
    }

    fn gather_documents(
        &self,
        queries: &[PathBuf],
        standard: Option<InputFile>,
        set: PrintSet,
        talk: &Talk,
    ) -> Result<(PrintSet, Tally), Failure> {
        let mut source = self.query_documents(queries, standard)?;
        self.gather_source(&mut source, set, false, talk)
    }

    /// The documents of the queries named, standard input as far as it was looked at.
    pub(crate) fn query_documents(
        &self,
        queries: &[PathBuf],
        standard: Option<InputFile>,
    ) -> Result<InputSource, Failure> {
        let settings = self.collection.settings(&self.reading)?;
        let mut source = InputSource::new(queries, settings);
        if let Some(standard) = standard {
            source = source.with_standard_input(standard);
        }
        expect_documents(&mut source, queries, Meant::Prints)?;
        Ok(source)
    }
}

/// Whether a query holds documents where the inputs are prints: a directory, or a file without a print among its first lines.
fn holds_documents(query: &Path, format: PrintFormat) -> bool {
    query.is_dir() || expect_prints(query, format).is_err()
}
