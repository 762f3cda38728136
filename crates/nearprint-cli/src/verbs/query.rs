//! `nearprint query`: what is near one document.

use std::path::{Path, PathBuf};

use clap::Args;
use nearprint::records::{FingerprintRecord, MatchOfMany, MatchRow, Outcome};
use nearprint::{
    Collection, CollectionSettings, Engine, PrintSet, Search, Tally, Verification, VerifiedQuery,
};

use super::compare::given_print;
use super::{conclude, report};
use crate::answering::{LineQueries, StandardQueries};
use crate::ending::{Ending, Failure};
use crate::inputs::{SearchedOptions, expanded, read_once};
use crate::options::{DistanceOptions, LIST};
use crate::outputs::Outputs;
use crate::results::{ResultOptions, Results};
use crate::searching::SearchOptions;
use crate::talk::Talk;
use crate::verifying::{Asked, VerifyOptions, Way};

/// Find the documents similar to a document
///
/// Prints one line PATH TAB DISTANCE TAB SIMILARITY for each match. The texts are compared, and only similar
/// documents are reported: the most similar first, equally similar ones in the order of the inputs. A document that is
/// among the inputs finds itself. With --queries, lines are QUERY TAB PATH TAB DISTANCE TAB SIMILARITY, in the order of
/// the queries.
///
/// Options of a fingerprint search (--scheme, -k, --close, --loose, --plan, --blocks, --by-print, --prints) report
/// matching fingerprints instead, nearest first, without a similarity. Add --verify to compare the texts with these
/// options too.
///
/// Simhashes are looked up in an index. Sketches (md1, wd1) are compared with all others up to 4,000 million
/// comparisons. Beyond that they are searched by bands, which may miss some matches (--recall); --plan brute-force
/// always compares all.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint query draft.html reports
  nearprint query --verify=containment chapter.txt books
  nearprint query --loose --prints draft.html prints.txt
  nearprint query --ids url draft.html crawl.warc.gz
  nearprint query --by-print --prints sd1:aerukz4jvpg66 prints.txt
  nearprint query --queries new --include '*.html' archive
  nearprint query --prints archive.prints --queries new.prints")]
pub(crate) struct QueryArgs {
    /// The document to search for, or - for standard input; with --queries it is one of the INPUTs
    #[arg(value_name = "DOCUMENT", required_unless_present_all = [LIST, "queries"])]
    document: Option<PathBuf>,
    /// Files, directories, or - for standard input; with --prints, fingerprint files
    #[arg(value_name = "INPUT", required_unless_present_any = [LIST, "queries"])]
    inputs: Vec<PathBuf>,
    /// DOCUMENT is a fingerprint, not a path
    #[arg(long, help_heading = "Input")]
    by_print: bool,
    /// Search for each of these documents: files or directories (with --prints, also fingerprint files)
    #[arg(long, value_name = "INPUT", num_args = 1.., conflicts_with = "by_print", help_heading = "Input")]
    queries: Vec<PathBuf>,
    #[command(flatten)]
    distance: DistanceOptions,
    #[command(flatten)]
    verify: VerifyOptions,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    searched: SearchedOptions,
    #[command(flatten)]
    output: ResultOptions,
    /// Write a summary of the run to FILE, as one line of JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

/// Headings of a table: for one query, and for many.
const HEADING: &[&str] = &["DOCUMENT", "DISTANCE", "SIMILARITY"];
pub(super) const MANY: &[&str] = &["QUERY", "DOCUMENT", "DISTANCE", "SIMILARITY"];

impl QueryArgs {
    pub(super) fn run(mut self) -> Result<Ending, Failure> {
        expanded(&mut self.inputs)?;
        expanded(&mut self.queries)?;
        let talk = Talk::new(self.searched.work.quiet, false);
        let queries = self.queries.iter().map(PathBuf::as_path);
        let named = self.searched.named(&self.inputs).chain(self.document.as_deref());
        read_once(named.chain(queries))?;
        let of_print = self.by_print.then_some("a fingerprint has none; name a document instead");
        let way = self.verify.way(&Asked {
            without_texts: self.searched.without_texts().or(of_print),
            scheme: self.searched.scheme(),
            distance: &self.distance,
            joins: false,
            search: &self.search,
            fingerprints: false,
            needs_texts: None,
        })?;
        self.check(&way)?;
        let file = self.output.output.as_deref();
        let outputs = Outputs::new(self.output.force).rows(file).counts(self.report.as_deref());
        let named = self.inputs.iter().chain(&self.queries).chain(&self.document);
        self.searched.check_outputs(outputs, named)?;
        let many = self.document.iter().filter(|_| !self.queries.is_empty());
        self.searched.expect(self.inputs.iter().chain(many))?;
        let engine = self.searched.engine(Some(self.search.memory()));
        let search = match self.queries.is_empty() {
            true => way.search_of_one(),
            false => way.search(),
        };
        let search = self.search.bound(search.watched_by(|progress| talk.searching(progress)));
        match (self.queries.is_empty(), way.verification()) {
            (true, None) => self.one(&engine, search, &way, &talk),
            (true, Some(verification)) => {
                self.one_verified(&engine, search, &way, verification, &talk)
            }
            (false, _) => self.many(&engine, search, &way, &talk),
        }
    }

    /// The document whose like is looked for.
    fn named(&self) -> Result<&Path, Failure> {
        let text =
            || Failure::Usage("name the document to search for, or use --queries".to_owned());
        self.document.as_deref().ok_or_else(text)
    }

    /// Answers one query by its fingerprint.
    fn one(
        &self,
        engine: &Engine,
        search: Search<'_>,
        way: &Way,
        talk: &Talk,
    ) -> Result<Ending, Failure> {
        let document = self.named()?;
        let (id, fingerprint) = if self.by_print {
            given_print(document)?
        } else {
            let Some(document) = self.searched.document(document, talk)? else {
                return Ok(Ending::Partial);
            };
            let record = self.searched.pipeline(engine, way.scheme).fingerprint_one(document);
            match record.outcome {
                Outcome::Print { fingerprint, .. } => (record.id, fingerprint),
                Outcome::Nothing { .. } => {
                    talk.nothing(&record);
                    return Ok(Ending::Partial);
                }
            }
        };
        let file = self.output.output.as_deref();
        let mut out = Results::open::<MatchRow>(file, self.output.format(), way.scheme, HEADING)?;
        let mut collection = self.collection(engine, way);
        let tally = self.searched.read(engine, &self.inputs, &mut collection, talk)?;
        let search = collection.search(search);
        self.explain(&search, collection.prints(), 1, talk);
        let matches = search.matches(collection.prints(), &id, &fingerprint)?;
        for row in &matches {
            out.row(row)?;
        }
        self.end(out, talk, &tally, way, matches.len() as u64)
    }

    /// Answers one query by its text: every document is read, compared and let go.
    fn one_verified(
        &self,
        engine: &Engine,
        search: Search<'_>,
        way: &Way,
        verification: Verification,
        talk: &Talk,
    ) -> Result<Ending, Failure> {
        let Some(document) = self.searched.document(self.named()?, talk)? else {
            return Ok(Ending::Partial);
        };
        let search = search.on(engine);
        let pipeline =
            self.searched.pipeline(engine, way.scheme).watched_by(|tally| talk.progress(tally));
        let query = match VerifiedQuery::of(&pipeline, document, verification) {
            Ok(Some(query)) => query,
            Ok(None) => return Ok(Ending::Partial),
            Err(record) => {
                talk.nothing(&record);
                return Ok(Ending::Partial);
            }
        };
        let file = self.output.output.as_deref();
        let mut out = Results::open::<MatchRow>(file, self.output.format(), way.scheme, HEADING)?;
        if self.search.explain {
            talk.say("queries   1\nanswered  by comparing the text of every document");
        }
        let mut source = self.searched.documents(&self.inputs, talk)?;
        let nothing = |record: &FingerprintRecord| talk.nothing(record);
        let (matches, tally) =
            search.verified_matches_among(&pipeline, &mut source, &query, verification, nothing)?;
        talk.clear();
        for row in &matches {
            out.row(row)?;
        }
        self.end(out, talk, &tally, way, matches.len() as u64)
    }

    /// The inputs where all queries are named by --queries.
    fn searched_inputs(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut inputs: Vec<PathBuf> = self.document.iter().chain(&self.inputs).cloned().collect();
        expanded(&mut inputs)?;
        Ok(inputs)
    }

    /// One of two collections without documents: what is searched, or the queries.
    fn collection(&self, engine: &Engine, way: &Way) -> Collection {
        engine.collection(CollectionSettings { collections: 2, ..way.collection() })
    }

    /// Answers the queries of the files or directories named.
    fn many(
        &self,
        engine: &Engine,
        search: Search<'_>,
        way: &Way,
        talk: &Talk,
    ) -> Result<Ending, Failure> {
        let inputs = self.searched_inputs()?;
        let mut searched = self.collection(engine, way);
        if let Some(candidates) = way.candidates {
            let all = inputs.iter().chain(&self.queries).cloned();
            self.searched.announce(engine, all, candidates, searched.memory_shares(), talk)?;
        }
        let file = self.output.output.as_deref();
        let mut out = Results::open::<MatchOfMany>(file, self.output.format(), way.scheme, MANY)?;
        let mut tally = self.searched.read(engine, &inputs, &mut searched, talk)?;
        let search = searched.search(search);
        let standard = match self.searched.standard_queries(&self.queries)? {
            Some(StandardQueries::Lines(lines)) => {
                let lines = match (lines, way.verification()) {
                    // Where texts are compared, lines that look like fingerprints are documents.
                    (LineQueries::Prints(file, _), Some(_)) => Err(file),
                    (lines, _) => Ok(lines),
                };
                match lines {
                    Ok(lines) => {
                        let (found, read) =
                            self.answer(engine, (&search, &searched), lines, &mut out, talk)?;
                        tally.add(&read);
                        return self.end(out, talk, &tally, way, found);
                    }
                    Err(file) => Some(file),
                }
            }
            Some(StandardQueries::Other(file)) => Some(file),
            None => None,
        };
        let mut queries = self.collection(engine, way);
        let read =
            self.searched.read_queries(engine, &self.queries, standard, &mut queries, talk)?;
        tally.add(&read);
        self.explain(&search, searched.prints(), queries.prints().len(), talk);
        say_bands(&search, searched.prints(), queries.prints().len(), talk);
        let row = |row| out.row(&MatchOfMany(row));
        let found = searched.matches_of_all(&search, &queries, row)?;
        out.finish()?;
        way.say_found(talk, found.candidates, found.found);
        self.conclude(talk, &tally, way, found.found)
    }

    /// Answers lines one by one.
    fn answer(
        &self,
        engine: &Engine,
        (search, searched): (&Search<'_>, &Collection),
        lines: LineQueries,
        out: &mut Results,
        talk: &Talk,
    ) -> Result<(u64, Tally), Failure> {
        let CollectionSettings { scheme, verification, .. } = *searched.settings();
        let (mut found, pipeline) = (0, self.searched.pipeline(engine, scheme));
        let tally = match (lines, verification) {
            (LineQueries::Rows(rows), Some(verification)) => {
                self.searched.answer_rows((rows, &pipeline, verification), talk, |query| {
                    for row in searched.matches(search, query)? {
                        found += 1;
                        out.row(&MatchOfMany(row))?;
                    }
                    out.flush()
                })?
            }
            (lines, _) => {
                let answers = search.answers(searched.prints())?;
                self.searched.answer_lines(lines, &pipeline, talk, |id, print| {
                    for row in answers.matches(id, print)? {
                        found += 1;
                        out.row(&MatchOfMany(row))?;
                    }
                    out.flush()
                })?
            }
        };
        Ok((found, tally))
    }

    fn explain(&self, search: &Search<'_>, set: &PrintSet, queries: usize, talk: &Talk) {
        if self.search.explain {
            talk.say(search.explain_queries(set, queries));
        }
    }

    fn end(
        &self,
        out: Results,
        talk: &Talk,
        tally: &Tally,
        way: &Way,
        found: u64,
    ) -> Result<Ending, Failure> {
        out.finish()?;
        way.say_found(talk, None, found);
        self.conclude(talk, tally, way, found)
    }

    fn conclude(
        &self,
        talk: &Talk,
        tally: &Tally,
        way: &Way,
        found: u64,
    ) -> Result<Ending, Failure> {
        let summary = tally.search_summary(way.scheme, way.distance, found);
        report(self.report.as_deref(), summary, talk)?;
        Ok(conclude(talk, tally))
    }

    /// Queries are answered exactly.
    fn check(&self, way: &Way) -> Result<(), Failure> {
        self.search.check(way.scheme, way.distance)?;
        if self.search.is_probabilistic() {
            let text = "queries are answered exactly; --plan probabilistic is for pairs";
            return Err(Failure::Usage(text.to_owned()));
        }
        Ok(())
    }
}

/// Says where queries are answered by bands.
fn say_bands(search: &Search<'_>, set: &PrintSet, queries: usize, talk: &Talk) {
    if let Some(bands) = search.query_bands(set, queries) {
        talk.say(format_args!(
            "nearprint: sketches are searched by bands {bands}, so some matches may be missing; \
                --plan brute-force compares all"
        ));
    }
}
