//! `nearprint query`: what is near one document.

use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::records::{MatchOfMany, MatchRow, Outcome};
use nearprint::{PrintSet, Search, Tally};

use super::compare::given_print;
use super::{caution, conclude, report};
use crate::answering::StandardQueries;
use crate::ending::{Ending, Failure};
use crate::inputs::{SearchedOptions, expanded, read_once};
use crate::options::{DistanceOptions, LIST};
use crate::outputs::Outputs;
use crate::results::{ResultOptions, Results};
use crate::searching::SearchOptions;
use crate::talk::Talk;

/// Find what is near a document: one line PATH TAB DISTANCE for each match
///
/// Matches come nearest first, in the order of the input where they are equally near. A document that is among the
/// inputs finds itself. With --queries there are many of them, and lines are QUERY TAB PATH TAB DISTANCE, in the order of the
/// queries. Simhashes are looked up in an index. Queries of sketches (md1, wd1) are compared with all, up to
/// 4,000 million; more are answered by bands, which find 99 % or more of what is just within the distance (--recall), or with --plan
/// brute-force are compared all the same.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint query draft.html reports
  nearprint query --loose --prints draft.html prints.txt
  nearprint query --ids url draft.html crawl.warc.gz
  nearprint query --by-print --prints sd1:aerukz4jvpg66 prints.txt
  nearprint query --queries new --include '*.html' archive
  nearprint query --prints archive.prints --queries new.prints")]
pub(crate) struct QueryArgs {
    /// The document whose like is looked for, or - for standard input; with --queries it is an INPUT like the others
    #[arg(value_name = "DOCUMENT", required_unless_present_all = [LIST, "queries"])]
    document: Option<PathBuf>,
    /// Files, directories, or - for standard input; with --prints, files of prints
    #[arg(value_name = "INPUT", required_unless_present_any = [LIST, "queries"])]
    inputs: Vec<PathBuf>,
    /// DOCUMENT is a fingerprint, not a path
    #[arg(long, help_heading = "Input")]
    by_print: bool,
    /// Look for the like of all these: files or directories, or with --prints files of prints
    #[arg(long, value_name = "INPUT", num_args = 1.., conflicts_with = "by_print", help_heading = "Input")]
    queries: Vec<PathBuf>,
    #[command(flatten)]
    distance: DistanceOptions,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    searched: SearchedOptions,
    #[command(flatten)]
    output: ResultOptions,
    /// Write the counts of the run to FILE, as one line of JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

impl QueryArgs {
    pub(super) fn run(mut self) -> Result<Ending, Failure> {
        expanded(&mut self.inputs)?;
        expanded(&mut self.queries)?;
        let talk = Talk::new(self.searched.work.quiet, false);
        let queries = self.queries.iter().map(PathBuf::as_path);
        let named = self.searched.named(&self.inputs).chain(self.document.as_deref());
        read_once(named.chain(queries))?;
        let scheme = self.searched.scheme_or(Scheme::SD1);
        let distance = self.distance.of(scheme);
        self.check()?;
        let file = self.output.output.as_deref();
        let outputs = Outputs::new(self.output.force).rows(file).counts(self.report.as_deref());
        let named = self.inputs.iter().chain(&self.queries).chain(&self.document);
        self.searched.check_outputs(outputs, named)?;
        let many = self.document.iter().filter(|_| !self.queries.is_empty());
        self.searched.expect(self.inputs.iter().chain(many))?;
        let search = Search::within(distance)
            .threads(self.searched.work.threads)
            .watched_by(|progress| talk.searching(progress));
        let search = self.search.bound(search, self.search.memory());
        if !self.queries.is_empty() {
            return self.many(&search, scheme, distance, &talk);
        }
        let Some(document) = &self.document else {
            return Err(Failure::Usage("name the document to look for, or --queries".to_owned()));
        };
        let (id, fingerprint) = if self.by_print {
            given_print(document)?
        } else {
            let Some(document) = self.searched.document(document, &talk)? else {
                return Ok(Ending::Partial);
            };
            let record = self.searched.pipeline(scheme).fingerprint_one(document);
            match record.outcome {
                Outcome::Print { fingerprint, .. } => (record.id, fingerprint),
                Outcome::Nothing { .. } => {
                    talk.nothing(&record);
                    return Ok(Ending::Partial);
                }
            }
        };
        let file = self.output.output.as_deref();
        let mut out = Results::open::<MatchRow>(file, self.output.format, scheme)?;
        let (set, tally) = self.searched.gather(&self.inputs, self.set(scheme), false, &talk)?;
        self.explain(&search, &set, 1, &talk);
        let matches = search.matches(&set, &id, &fingerprint)?;
        for row in &matches {
            out.row(row)?;
        }
        self.end(out, &talk, &tally, scheme, distance, matches.len() as u64)
    }

    /// Answers the queries of the files or directories named.
    fn many(
        &self,
        search: &Search<'_>,
        scheme: Scheme,
        distance: u32,
        talk: &Talk,
    ) -> Result<Ending, Failure> {
        let mut inputs: Vec<PathBuf> = self.document.iter().chain(&self.inputs).cloned().collect();
        expanded(&mut inputs)?;
        let file = self.output.output.as_deref();
        let mut out = Results::open::<MatchOfMany>(file, self.output.format, scheme)?;
        let (set, mut tally) = self.searched.gather(&inputs, self.set(scheme), false, talk)?;
        let standard = match self.searched.standard_queries(&self.queries)? {
            Some(StandardQueries::Lines(lines)) => {
                let (mut found, answers) = (0, search.answers(&set)?);
                let of_lines = self.searched.answer_lines(lines, scheme, talk, |id, print| {
                    for row in answers.matches(id, print)? {
                        found += 1;
                        out.row(&MatchOfMany(row))?;
                    }
                    out.flush()
                })?;
                tally.add(&of_lines);
                return self.end(out, talk, &tally, scheme, distance, found);
            }
            Some(StandardQueries::Other(file)) => Some(file),
            None => None,
        };
        let empty = self.set(scheme);
        let (queries, of_queries) =
            self.searched.gather_queries(&self.queries, standard, empty, talk)?;
        tally.add(&of_queries);
        self.explain(search, &set, queries.len(), talk);
        if let Some(bands) = search.query_bands(&set, queries.len()) {
            talk.say(format_args!(
                "nearprint: sketches are looked up by bands {bands}, so that some matches may be missing: --plan brute-force compares all"
            ));
        }
        let found = search.matches_of_all(&set, &queries, |row| out.row(&MatchOfMany(row)))?;
        self.end(out, talk, &tally, scheme, distance, found)
    }

    /// An empty set, of one or of two.
    fn set(&self, scheme: Scheme) -> PrintSet {
        self.search.set(scheme, self.search.memory(), 2)
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
        scheme: Scheme,
        distance: u32,
        found: u64,
    ) -> Result<Ending, Failure> {
        out.finish()?;
        if found > 0 {
            caution(talk, scheme, distance);
        }
        report(self.report.as_deref(), tally.search_summary(scheme, distance, found), talk)?;
        Ok(conclude(talk, tally))
    }

    /// Queries have fewer plans than joins.
    fn check(&self) -> Result<(), Failure> {
        if self.search.serves_queries() {
            return Ok(());
        }
        let text = "queries are answered by an index (--plan auto) or by looking at all (--plan brute-force)";
        Err(Failure::Usage(text.to_owned()))
    }
}
