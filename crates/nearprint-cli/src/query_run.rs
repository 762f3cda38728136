//! One query, or many: the ways in which they are answered.

use nearprint::fingerprint::Fingerprint;
use nearprint::records::{
    Document, DocumentId, FingerprintRecord, InputFile, MatchOfMany, MatchRow, Source, TableRow,
};
use nearprint::{
    Collection, Engine, Filter, Inputs, Matches, PrintSet, Queries, ResolvedQuestion, Search,
    Tally, TextFeatures, VerifiedQuery,
};
use nearprint_index::{DiskIndex, ReadStep};

use crate::exit_status::Failure;
use crate::indexes::Indexes;
use crate::line_queries::{LineQueries, StandardQueries};
use crate::messages;
use crate::promises::{say_evidence, say_found};
use crate::results::{ResultOptions, Results};
use crate::search_inputs::{SearchInputs, one_document};
use crate::search_options::SearchOptions;
use crate::talk::Talk;

/// What to do where nothing is asked about.
const NO_DOCUMENT: &str = "name the document to search for, or use --queries";

/// Headings of a table: for one query, and for many.
const HEADING: &[&str] = &["DOCUMENT", "DISTANCE", "SIMILARITY", "DUPLICATE"];
pub(crate) const MANY: &[&str] = &["QUERY", "DOCUMENT", "DISTANCE", "SIMILARITY", "DUPLICATE"];

/// Of a document without a fingerprint, or none.
const NOTHING: AnswerCounts = (None, 0);

/// What all ways of asking share.
pub(crate) struct QueryRun<'a> {
    pub(crate) searched: &'a SearchInputs,
    pub(crate) search: &'a SearchOptions,
    pub(crate) output: &'a ResultOptions,
    pub(crate) engine: Engine,
    pub(crate) question: ResolvedQuestion<Matches>,
    /// What is searched.
    pub(crate) inputs: Inputs,
    /// Indexes that are searched, too.
    pub(crate) indexes: Indexes,
    /// Which documents of theirs count.
    pub(crate) filter: Filter,
    /// The document, or all queries.
    pub(crate) queries: Inputs,
    /// Queries that are fingerprints themselves.
    pub(crate) prints: Vec<(DocumentId, Fingerprint)>,
    pub(crate) talk: &'a Talk,
}

/// What was read, unless the one document has no fingerprint, and how many matches were written.
type AnswerCounts = (Option<Tally>, u64);

impl QueryRun<'_> {
    /// Writes the matches of each of many queries, or of the one document or fingerprint.
    pub(crate) fn answer(&self, is_many: bool) -> Result<AnswerCounts, Failure> {
        if is_many { self.many() } else { self.one() }
    }

    /// The index that is looked up, where it alone is searched.
    fn looked_up(&self) -> Option<&DiskIndex> {
        let is_alone = self.inputs.is_empty() && !self.search.is_planned();
        self.indexes.only().filter(|_| is_alone)
    }

    /// What is near the one document, or the fingerprint.
    fn one(&self) -> Result<AnswerCounts, Failure> {
        let (talk, verification) = (self.talk, self.question.method().verification());
        let pipeline = self.searched.pipeline(&self.engine, self.question.scheme());
        let pipeline = pipeline.watched_by(|tally| talk.progress(tally));
        let query = if let Some((id, fingerprint)) = self.prints.first().cloned() {
            VerifiedQuery::new(id, fingerprint, TextFeatures::default())
        } else {
            let Some(document) = self.document()? else { return Ok(NOTHING) };
            match self.question.query(&pipeline, document) {
                Ok(Some(query)) => query,
                Ok(None) => return Ok(NOTHING),
                Err(record) => {
                    talk.nothing(&record);
                    return Ok(NOTHING);
                }
            }
        };
        let mut out = self.open::<MatchRow>(HEADING)?;
        let refused;
        let mut found = 0;
        let mut write = |row: MatchRow| {
            found += 1;
            out.similar_row(&row)
        };
        let tally = if let Some(index) = self.looked_up() {
            self.explain_tables();
            let search = self.bound(self.question.method().search_of_one()).on(&self.engine);
            let take = |_, row| write(row);
            let counts = self.question.run(index, &query, &search, &self.filter, take)?;
            refused = counts.without_evidence;
            Tally::default()
        } else if verification.is_some() && self.indexes.is_empty() {
            // Documents are read, compared and let go.
            self.explain_texts();
            let search = self.bound(self.question.method().search_of_one()).on(&self.engine);
            let mut source = self.searched.documents(&self.inputs, talk)?;
            let nothing = |record: &FingerprintRecord| talk.nothing(record);
            let read = (&pipeline, &mut source as &mut dyn Source);
            let (rows, counts, tally) =
                self.question.run_on_source(read, &query, &search, nothing)?;
            refused = counts.without_evidence;
            talk.clear();
            rows.into_iter().try_for_each(&mut write)?;
            tally
        } else {
            let (collection, tally) = self.read()?;
            let search = self.bound(self.question.search_of_one(&collection));
            match verification {
                Some(_) => self.explain_texts(),
                None => self.explain(&search, collection.prints(), 1),
            }
            let all = Filter::all();
            let counts =
                self.question.run(&collection, &query, &search, all, |_, row| write(row))?;
            refused = counts.without_evidence;
            tally
        };
        if let Some(verification) = verification.filter(|_| found == 0) {
            messages::none_similar(talk, verification);
        }
        say_evidence(talk, refused);
        self.end(out, tally, found)
    }

    /// What is near each of many.
    fn many(&self) -> Result<AnswerCounts, Failure> {
        let (searched, talk) = (self.searched, self.talk);
        if let Some(candidates) = self.question.method().candidates() {
            let (all, shares) = (self.inputs.and(&self.queries), self.collection().memory_shares());
            searched.announce(&self.engine, &all, candidates, shares, talk)?;
        }
        let mut out = self.open::<MatchOfMany>(MANY)?;
        if let Some(index) = self.looked_up() {
            self.explain_tables();
            return self.many_looked_up(index, out);
        }
        let (collection, mut tally) = self.read()?;
        let search = self.bound(self.question.search(&collection));
        let standard = match searched.standard_queries(&self.queries)? {
            // Where texts are compared, lines that look like fingerprints are documents.
            Some(StandardQueries::Lines(LineQueries::Prints(file, _)))
                if self.question.method().verification().is_some() =>
            {
                Some(*file)
            }
            Some(StandardQueries::Lines(lines)) => {
                let (found, read) =
                    self.answer_standard_input(&search, collection, lines, &mut out)?;
                tally.add(&read);
                return self.end(out, tally, found);
            }
            Some(StandardQueries::Other(file)) => Some(*file),
            None => None,
        };
        let mut queries = self.collection();
        tally.add(&self.read_queries(standard, &mut queries)?);
        self.explain(&search, collection.prints(), queries.prints().len());
        say_bands(&search, collection.prints(), queries.prints().len(), talk);
        let row = |_, row| out.similar_row(&MatchOfMany(row));
        let found = self.question.run(&collection, &queries, &search, Filter::all(), row)?;
        out.finish()?;
        self.say_found(found.candidates, found.found);
        say_evidence(talk, found.without_evidence);
        Ok((Some(tally), found.found))
    }

    /// Answers the lines of standard input one by one.
    fn answer_standard_input(
        &self,
        search: &Search<'_>,
        mut searched: Collection,
        lines: LineQueries,
        out: &mut Results,
    ) -> Result<(u64, Tally), Failure> {
        searched.expect_single_queries(search)?;
        let pipeline = self.searched.pipeline(&self.engine, self.question.scheme());
        let (mut found, mut refused) = (0, 0);
        let tally = lines.each(&self.question, &pipeline, self.talk, |query| {
            let all = Filter::all();
            let of_query = self
                .question
                .run(&searched, query, search, all, |_, row| out.similar_row(&MatchOfMany(row)))?;
            found += of_query.found;
            refused += of_query.without_evidence;
            out.flush()
        })?;
        say_evidence(self.talk, refused);
        Ok((found, tally))
    }

    /// The one document.
    fn document(&self) -> Result<Option<Document>, Failure> {
        if self.queries.is_empty() {
            return Err(Failure::Usage(NO_DOCUMENT.to_owned()));
        }
        one_document(&self.queries, "use --queries for several documents", self.talk)
    }

    fn open<R: TableRow>(&self, heading: &'static [&'static str]) -> Result<Results, Failure> {
        let (file, format) = (self.output.output.as_deref(), self.output.format());
        Results::open::<R>(file, format, self.question.scheme(), heading)
    }

    fn bound<'s>(&'s self, search: Search<'s>) -> Search<'s> {
        self.search.bound(search.watched_by(|progress| self.talk.searching(progress)))
    }

    /// Everything that is searched.
    fn read(&self) -> Result<(Collection, Tally), Failure> {
        let mut collection = self.collection();
        let tally = self.searched.read(&self.engine, &self.inputs, &mut collection, self.talk)?;
        self.indexes.read_into(&mut collection, &self.filter)?;
        Ok((collection, tally))
    }

    /// One of two collections that share the memory.
    fn collection(&self) -> Collection {
        self.engine.collection(self.question.settings())
    }

    fn say_found(&self, candidates: Option<u64>, found: u64) {
        say_found(self.talk, self.question.method(), candidates, found);
    }

    /// What is near each of many in an index, by its tables. Of archives, what the index has already is not extracted
    /// again.
    fn many_looked_up(&self, index: &DiskIndex, mut out: Results) -> Result<AnswerCounts, Failure> {
        let (searched, talk) = (self.searched, self.talk);
        let search = self.bound(self.question.method().search()).on(&self.engine);
        let pipeline = searched.pipeline(&self.engine, self.question.scheme());
        let pipeline = pipeline.watched_by(|tally| talk.progress(tally));
        let mut refused = 0;
        let mut answer = |queries: Queries<'_>, out: &mut Results| -> Result<u64, Failure> {
            let take = |_, row| out.similar_row(&MatchOfMany(row));
            let counts = self.question.run(index, queries, &search, &self.filter, take)?;
            refused += counts.without_evidence;
            Ok(counts.found)
        };
        let are_prints = searched.prints_format()?.is_some() || !self.prints.is_empty();
        let standard = if are_prints { searched.standard_queries(&self.queries)? } else { None };
        let file = match standard {
            Some(StandardQueries::Lines(lines)) => {
                let mut found = 0;
                let tally = lines.each(&self.question, &pipeline, talk, |query| {
                    found += answer(query.into(), &mut out)?;
                    out.flush()
                })?;
                say_evidence(talk, refused);
                return self.end(out, tally, found);
            }
            Some(StandardQueries::Other(file)) => Some(*file),
            None => None,
        };
        let mut queries = self.collection();
        let tally = if are_prints {
            self.read_queries(file, &mut queries)?
        } else {
            let source = searched.documents(&self.queries, talk)?;
            let push = |step| match step {
                ReadStep::Document(document) => {
                    let features = document.features.as_ref().map(|kept| &kept.features);
                    queries.push(&document.id, &document.fingerprint, features)?;
                    Ok::<_, Failure>(())
                }
                ReadStep::Commit => Ok(()),
            };
            let nothing = |record: &FingerprintRecord| talk.nothing(record);
            let read = index.read_documents(&pipeline, source, push, nothing)?;
            talk.clear();
            read.tally
        };
        let found = answer((&queries).into(), &mut out)?;
        say_evidence(talk, refused);
        self.end(out, tally, found)
    }

    /// Reads all queries into a collection; `standard` is standard input that was examined.
    fn read_queries(
        &self,
        standard: Option<InputFile>,
        queries: &mut Collection,
    ) -> Result<Tally, Failure> {
        let mut tally = Tally::default();
        for (id, fingerprint) in &self.prints {
            queries.push(id, fingerprint, None)?;
            tally.count_prints(1);
        }
        if !self.queries.is_empty() {
            let (engine, searched) = (&self.engine, self.searched);
            let read =
                searched.read_queries(engine, &self.queries, standard, queries, self.talk)?;
            tally.add(&read);
        }
        Ok(tally)
    }

    fn explain_tables(&self) {
        if self.search.explain {
            self.talk.say("answered  by the tables of the index");
        }
    }

    fn explain_texts(&self) {
        if self.search.explain {
            self.talk.say("queries   1\nanswered  by comparing the text of every document");
        }
    }

    fn explain(&self, search: &Search<'_>, set: &PrintSet, queries: usize) {
        if self.search.explain {
            self.talk.say(search.explain_queries(set, queries));
        }
    }

    /// Ends the work on queries whose matches are all written.
    fn end(&self, out: Results, tally: Tally, found: u64) -> Result<AnswerCounts, Failure> {
        out.finish()?;
        // An index that is looked up has no texts to compare, where it did not compare them.
        if self.looked_up().is_none() {
            self.say_found(None, found);
        }
        Ok((Some(tally), found))
    }
}

/// Says where queries are answered by bands.
fn say_bands(search: &Search<'_>, set: &PrintSet, queries: usize, talk: &Talk) {
    if let Some(bands) = search.query_bands(set, queries) {
        talk.say(format_args!(
            "nearprint: sketches are searched by bands {bands}, so some matches may be missing; \
                --search plan=brute-force compares all"
        ));
    }
}
