//! Many queries: of files, and of standard input, where each line is answered before the next is read.

use nearprint::records::{
    Container, ErrorRecord, FirstLine, InputFile, PrintFormat, PrintReader, PrintRecord,
    RecordCounter, Source,
};
use nearprint::{
    Collection, Engine, InputFormat, Inputs, Matches, Pipeline, ResolvedQuestion, Tally,
    TextFeatures, VerifiedQuery,
};

use crate::exit_status::Failure;
use crate::search_inputs::{SearchInputs, read_prints};
use crate::talk::Talk;
use crate::unexpected_input::meant;

/// Queries that come line by line.
pub(crate) enum LineQueries {
    /// Lines are fingerprints.
    Prints(Box<InputFile>, PrintFormat),
    /// Lines are JSON objects, each a document.
    Rows(Box<dyn Source>),
}

/// What standard input holds, where it is named for queries.
pub(crate) enum StandardQueries {
    /// Lines, to be answered one by one.
    Lines(LineQueries),
    /// Something else, which was examined.
    Other(Box<InputFile>),
}

impl LineQueries {
    /// Has each query of a question answered before the next is read.
    pub(crate) fn each(
        self,
        question: &ResolvedQuestion<Matches>,
        pipeline: &Pipeline<'_>,
        talk: &Talk,
        mut answer: impl FnMut(&VerifiedQuery) -> Result<(), Failure>,
    ) -> Result<Tally, Failure> {
        let mut tally = Tally::default();
        let failed = |error: &ErrorRecord, tally: &mut Tally| {
            talk.error(error);
            tally.count_nothing(error.reason.is_failure());
        };
        match self {
            Self::Prints(file, format) => {
                for line in PrintReader::new("-", file.into_stored(), format) {
                    match line {
                        Ok(PrintRecord { id, fingerprint, .. }) => {
                            tally.count_prints(1);
                            let nothing = TextFeatures::default();
                            answer(&VerifiedQuery::new(id, fingerprint, nothing))?;
                        }
                        Err(error) => failed(&error, &mut tally),
                    }
                }
            }
            Self::Rows(mut rows) => {
                while let Some(row) = rows.next_document() {
                    let document = match row {
                        Ok(document) => document,
                        Err(error) => {
                            failed(&error, &mut tally);
                            continue;
                        }
                    };
                    let length = document.length();
                    match question.query(pipeline, document) {
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
            }
        }
        Ok(tally)
    }
}

impl SearchInputs {
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
                let lines = LineQueries::Prints(Box::new(file), format);
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
        Ok(Some(StandardQueries::Other(Box::new(file))))
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
