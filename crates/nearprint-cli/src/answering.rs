//! Many queries: of files, and of standard input, where each line is answered before the next is read.

use nearprint::fingerprint::Fingerprint;
use nearprint::records::{
    Container, DocumentId, ErrorRecord, FirstLine, InputFile, Outcome, PrintFormat, PrintReader,
    RecordCounter, Source,
};
use nearprint::{
    Collection, Engine, InputFormat, Inputs, Pipeline, Tally, Verification, VerifiedQuery,
};

use crate::ending::Failure;
use crate::searched::{SearchedOptions, meant, read_prints};
use crate::talk::Talk;

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
    /// Something else, which was examined.
    Other(InputFile),
}

impl SearchedOptions {
    /// Standard input, where it alone is named for queries. Waits for its first line.
    pub(crate) fn standard_queries(
        &self,
        queries: &Inputs,
    ) -> Result<Option<StandardQueries>, Failure> {
        if queries.paths().len() != 1 || !queries.read_standard_input() {
            return Ok(None);
        }
        let (mut file, prints) = (InputFile::standard_input(), self.prints_format()?);
        let settings = queries.settings();
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
        pipeline: &Pipeline<'_>,
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

    /// Reads the queries named into a collection: files of fingerprints, where the inputs are such, and documents, in
    /// the order named.
    pub(crate) fn read_queries(
        &self,
        engine: &Engine,
        queries: &Inputs,
        mut standard: Option<InputFile>,
        collection: &mut Collection,
        talk: &Talk,
    ) -> Result<Tally, Failure> {
        let Some(format) = self.prints_format()? else {
            let mut source = meant(queries.source_after(standard))?;
            return self.read_source(engine, &mut source, collection, talk);
        };
        let mut tally = Tally::default();
        for query in queries.each() {
            if query.read_standard_input() {
                let mut file = standard.take().unwrap_or_else(InputFile::standard_input);
                if file.has_no_prints(format).unwrap_or(false) {
                    standard = Some(file);
                } else {
                    let set = collection.prints_mut();
                    let watch = |tally: &Tally, error: Option<&_>| talk.read_print(tally, error);
                    meant(set.read_standard_input(file, format, &mut tally, watch))?;
                    talk.clear();
                    continue;
                }
            } else if !holds_documents(&query, format) {
                tally.add(&read_prints(&query, format, collection.prints_mut(), talk)?);
                continue;
            }
            let mut source = meant(query.source_after(standard.take()))?;
            tally.add(&self.read_source(engine, &mut source, collection, talk)?);
        }
        Ok(tally)
    }
}

/// Whether a query that is named is documents where files of fingerprints are searched.
fn holds_documents(query: &Inputs, format: PrintFormat) -> bool {
    query.refuse_directories().is_err() || query.expect_prints(format).is_err()
}
