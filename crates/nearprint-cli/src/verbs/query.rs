//! `nearprint query`: what is near one document.

use std::path::PathBuf;

use clap::Args;
use nearprint::records::{Document, FingerprintRecord, MatchOfMany, MatchRow, Outcome, TableRow};
use nearprint::{
    Collection, CollectionSettings, Engine, Inputs, PrintSet, Search, Tally, Verification,
    VerifiedQuery,
};

use super::compare::given_print;
use super::{conclude, report};
use crate::answering::{LineQueries, StandardQueries};
use crate::ending::{Ending, Failure};
use crate::options::{DistanceOptions, LIST};
use crate::outputs::Outputs;
use crate::results::{ResultOptions, Results};
use crate::searched::{SearchedOptions, one_document};
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

/// What to do where nothing is asked about.
const NO_DOCUMENT: &str = "name the document to search for, or use --queries";

/// Headings of a table: for one query, and for many.
const HEADING: &[&str] = &["DOCUMENT", "DISTANCE", "SIMILARITY"];
pub(super) const MANY: &[&str] = &["QUERY", "DOCUMENT", "DISTANCE", "SIMILARITY"];

impl QueryArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        // With --queries, the first argument is an input as the others are.
        let is_many = !self.queries.is_empty();
        let first = self.document.iter().filter(|_| is_many);
        let inputs: Vec<PathBuf> = first.chain(&self.inputs).cloned().collect();
        let inputs = self.searched.inputs(&inputs)?;
        let queries = match &self.document {
            Some(path) if !is_many && !self.by_print => {
                self.searched.others(std::slice::from_ref(path))?
            }
            _ => self.searched.others(&self.queries)?,
        };
        let talk = Talk::new(self.searched.work.quiet, false);
        Inputs::check_standard_input([&inputs, &queries])?;
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
        outputs.check([&inputs, &queries])?;
        self.searched.expect([&inputs])?;
        let engine = self.searched.engine(Some(self.search.memory()));
        let asking = Asking { args: &self, engine, way, inputs, queries, talk: &talk };
        match (is_many, asking.way.verification()) {
            (false, None) => asking.one(),
            (false, Some(verification)) => asking.one_verified(verification),
            (true, _) => asking.many(),
        }
    }

    /// Refuses what is not for queries.
    fn check(&self, way: &Way) -> Result<(), Failure> {
        self.search.check(way.scheme, way.distance)?;
        if self.search.is_probabilistic() {
            let text = "queries are answered exactly; --plan probabilistic is for pairs";
            return Err(Failure::Usage(text.to_owned()));
        }
        Ok(())
    }
}

/// What all ways of asking share.
struct Asking<'a> {
    args: &'a QueryArgs,
    engine: Engine,
    way: Way,
    /// What is searched.
    inputs: Inputs,
    /// The document, or all queries.
    queries: Inputs,
    talk: &'a Talk,
}

impl Asking<'_> {
    /// What is near the one document, by its fingerprint.
    fn one(&self) -> Result<Ending, Failure> {
        let (args, talk) = (self.args, self.talk);
        let (id, fingerprint) = if args.by_print {
            let given = args.document.as_deref();
            given_print(given.ok_or_else(|| Failure::Usage(NO_DOCUMENT.to_owned()))?)?
        } else {
            let Some(document) = self.document()? else { return Ok(Ending::Partial) };
            let pipeline = args.searched.pipeline(&self.engine, self.way.scheme);
            let record = pipeline.fingerprint_one(document);
            match record.outcome {
                Outcome::Print { fingerprint, .. } => (record.id, fingerprint),
                Outcome::Nothing { .. } => {
                    talk.nothing(&record);
                    return Ok(Ending::Partial);
                }
            }
        };
        let mut out = self.open::<MatchRow>(HEADING)?;
        let mut collection = self.collection();
        let tally = args.searched.read(&self.engine, &self.inputs, &mut collection, talk)?;
        let search = collection.search(self.search(self.way.search_of_one()));
        self.explain(&search, collection.prints(), 1);
        let matches = search.matches(collection.prints(), &id, &fingerprint)?;
        matches.iter().try_for_each(|row| out.row(row))?;
        self.end(out, &tally, matches.len() as u64)
    }

    /// The same by the texts of all documents.
    fn one_verified(&self, verification: Verification) -> Result<Ending, Failure> {
        let (args, talk) = (self.args, self.talk);
        let Some(document) = self.document()? else { return Ok(Ending::Partial) };
        let search = self.search(self.way.search_of_one()).on(&self.engine);
        let pipeline = args.searched.pipeline(&self.engine, self.way.scheme);
        let pipeline = pipeline.watched_by(|tally| talk.progress(tally));
        let query = match VerifiedQuery::of(&pipeline, document, verification) {
            Ok(Some(query)) => query,
            Ok(None) => return Ok(Ending::Partial),
            Err(record) => {
                talk.nothing(&record);
                return Ok(Ending::Partial);
            }
        };
        let mut out = self.open::<MatchRow>(HEADING)?;
        if args.search.explain {
            talk.say("queries   1\nanswered  by comparing the text of every document");
        }
        let mut source = args.searched.documents(&self.inputs, talk)?;
        let nothing = |record: &FingerprintRecord| talk.nothing(record);
        let (matches, tally) =
            search.verified_matches_among(&pipeline, &mut source, &query, verification, nothing)?;
        talk.clear();
        matches.iter().try_for_each(|row| out.row(row))?;
        self.end(out, &tally, matches.len() as u64)
    }

    /// What is near each of many.
    fn many(&self) -> Result<Ending, Failure> {
        let (searched, talk) = (&self.args.searched, self.talk);
        let mut collection = self.collection();
        if let Some(candidates) = self.way.candidates {
            let (all, shares) = (self.inputs.and(&self.queries), collection.memory_shares());
            searched.announce(&self.engine, &all, candidates, shares, talk)?;
        }
        let mut out = self.open::<MatchOfMany>(MANY)?;
        let mut tally = searched.read(&self.engine, &self.inputs, &mut collection, talk)?;
        let search = collection.search(self.search(self.way.search()));
        let standard = match searched.standard_queries(&self.queries)? {
            // Where texts are compared, lines that look like fingerprints are documents.
            Some(StandardQueries::Lines(LineQueries::Prints(file, _)))
                if self.way.verification().is_some() =>
            {
                Some(file)
            }
            Some(StandardQueries::Lines(lines)) => {
                let (found, read) = self.answer((&search, &collection), lines, &mut out)?;
                tally.add(&read);
                return self.end(out, &tally, found);
            }
            Some(StandardQueries::Other(file)) => Some(file),
            None => None,
        };
        let mut queries = self.collection();
        let read =
            searched.read_queries(&self.engine, &self.queries, standard, &mut queries, talk)?;
        tally.add(&read);
        self.explain(&search, collection.prints(), queries.prints().len());
        say_bands(&search, collection.prints(), queries.prints().len(), talk);
        let row = |row| out.row(&MatchOfMany(row));
        let found = collection.matches_of_all(&search, &queries, row)?;
        out.finish()?;
        self.way.say_found(talk, found.candidates, found.found);
        self.conclude(&tally, found.found)
    }

    /// Answers the lines of standard input one by one.
    fn answer(
        &self,
        (search, searched): (&Search<'_>, &Collection),
        lines: LineQueries,
        out: &mut Results,
    ) -> Result<(u64, Tally), Failure> {
        let (options, talk) = (&self.args.searched, self.talk);
        let CollectionSettings { scheme, verification, .. } = *searched.settings();
        let (mut found, pipeline) = (0, options.pipeline(&self.engine, scheme));
        let mut write = |rows: Vec<MatchRow>| {
            found += rows.len() as u64;
            rows.into_iter().try_for_each(|row| out.row(&MatchOfMany(row)))?;
            out.flush()
        };
        let tally = match (lines, verification) {
            (LineQueries::Rows(rows), Some(verification)) => {
                options.answer_rows((rows, &pipeline, verification), talk, |query| {
                    write(searched.matches(search, query)?)
                })?
            }
            (lines, _) => {
                let answers = search.answers(searched.prints())?;
                options.answer_lines(lines, &pipeline, talk, |id, print| {
                    write(answers.matches(id, print)?)
                })?
            }
        };
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
        let output = &self.args.output;
        Results::open::<R>(output.output.as_deref(), output.format(), self.way.scheme, heading)
    }

    fn search<'s>(&'s self, search: Search<'s>) -> Search<'s> {
        self.args.search.bound(search.watched_by(|progress| self.talk.searching(progress)))
    }

    /// One of two collections that share the memory.
    fn collection(&self) -> Collection {
        let settings = CollectionSettings { collections: 2, ..self.way.collection() };
        self.engine.collection(settings)
    }

    fn explain(&self, search: &Search<'_>, set: &PrintSet, queries: usize) {
        if self.args.search.explain {
            self.talk.say(search.explain_queries(set, queries));
        }
    }

    /// Ends the work on queries whose matches are all written.
    fn end(&self, out: Results, tally: &Tally, found: u64) -> Result<Ending, Failure> {
        out.finish()?;
        self.way.say_found(self.talk, None, found);
        self.conclude(tally, found)
    }

    fn conclude(&self, tally: &Tally, found: u64) -> Result<Ending, Failure> {
        let summary = tally.search_summary(self.way.scheme, self.way.distance, found);
        report(self.args.report.as_deref(), summary, self.talk)?;
        Ok(conclude(self.talk, tally))
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
