//! `nearprint query`: what is near one document.

use std::path::{Path, PathBuf};

use clap::Args;
use nearprint::records::{FingerprintRecord, MatchOfMany, MatchRow, Outcome};
use nearprint::{MemoryShares, PrintSet, Search, Tally, Verification, VerifiedQuery};

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
use crate::verifying::{Asked, VerifyOptions, Way, features};

/// Find what is near a document: one line PATH TAB DISTANCE TAB SIMILARITY for each match
///
/// The texts themselves are compared, and only what is similar is reported: the most similar first, in the order of the inputs where
/// they are equally similar. A document that is among the inputs finds itself. With --queries there are many of them, and lines are
/// QUERY TAB PATH TAB DISTANCE TAB SIMILARITY, in the order of the queries. Options that ask for a search of fingerprints (--scheme, -k,
/// --close, --loose, --plan, --blocks, --by-print, --prints) report what these match instead, nearest first, without a similarity;
/// --verify compares the texts beside them too.
///
/// Simhashes are looked up in an index. Queries of sketches (md1, wd1) are compared with all, up to 4,000 million; more are answered by
/// bands, which may miss some matches (--recall), or with --plan brute-force are compared all the same.
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
    verify: VerifyOptions,
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
        let of_print = self.by_print.then_some("a fingerprint has none: name a document");
        let way = self.verify.way(&Asked {
            without_texts: self.searched.without_texts().or(of_print),
            scheme: self.searched.scheme(),
            distance: &self.distance,
            joins: false,
            search: &self.search,
            fingerprints: false,
            needs_texts: None,
        })?;
        self.check()?;
        let file = self.output.output.as_deref();
        let outputs = Outputs::new(self.output.force).rows(file).counts(self.report.as_deref());
        let named = self.inputs.iter().chain(&self.queries).chain(&self.document);
        self.searched.check_outputs(outputs, named)?;
        let many = self.document.iter().filter(|_| !self.queries.is_empty());
        self.searched.expect(self.inputs.iter().chain(many))?;
        let shares = way.shares(&self.search, false);
        let search = match self.queries.is_empty() {
            true => way.search_of_one(),
            false => way.search(),
        };
        let search =
            search.on(self.searched.engine()).watched_by(|progress| talk.searching(progress));
        let search = self.search.bound(search, &shares);
        match (self.queries.is_empty(), way.verification()) {
            (true, None) => self.one(&search, &way, &shares, &talk),
            (true, Some(verification)) => self.one_verified(&search, &way, verification, &talk),
            (false, None) => self.many(&search, &way, &shares, &talk),
            (false, Some(verification)) => {
                self.many_verified(&search, &way, verification, shares, &talk)
            }
        }
    }

    /// The document whose like is looked for.
    fn named(&self) -> Result<&Path, Failure> {
        let text = || Failure::Usage("name the document to look for, or --queries".to_owned());
        self.document.as_deref().ok_or_else(text)
    }

    /// Answers one query by its fingerprint.
    fn one(
        &self,
        search: &Search<'_>,
        way: &Way,
        shares: &MemoryShares,
        talk: &Talk,
    ) -> Result<Ending, Failure> {
        let document = self.named()?;
        let (id, fingerprint) = if self.by_print {
            given_print(document)?
        } else {
            let Some(document) = self.searched.document(document, talk)? else {
                return Ok(Ending::Partial);
            };
            let record = self.searched.pipeline(way.scheme).fingerprint_one(document);
            match record.outcome {
                Outcome::Print { fingerprint, .. } => (record.id, fingerprint),
                Outcome::Nothing { .. } => {
                    talk.nothing(&record);
                    return Ok(Ending::Partial);
                }
            }
        };
        let file = self.output.output.as_deref();
        let mut out = Results::open::<MatchRow>(file, self.output.format, way.scheme)?;
        let set = self.search.set(way.scheme, shares, 2);
        let (set, tally) = self.searched.gather(&self.inputs, set, false, talk)?;
        self.explain(search, &set, 1, talk);
        let matches = search.matches(&set, &id, &fingerprint)?;
        for row in &matches {
            out.row(row)?;
        }
        self.end(out, talk, &tally, way, matches.len() as u64)
    }

    /// Answers one query by its text: every document is read, compared and let go.
    fn one_verified(
        &self,
        search: &Search<'_>,
        way: &Way,
        verification: Verification,
        talk: &Talk,
    ) -> Result<Ending, Failure> {
        let Some(document) = self.searched.document(self.named()?, talk)? else {
            return Ok(Ending::Partial);
        };
        let pipeline = self.searched.pipeline(way.scheme).watched_by(|tally| talk.progress(tally));
        let query = match VerifiedQuery::of(&pipeline, document, verification) {
            Ok(Some(query)) => query,
            Ok(None) => return Ok(Ending::Partial),
            Err(record) => {
                talk.nothing(&record);
                return Ok(Ending::Partial);
            }
        };
        let file = self.output.output.as_deref();
        let mut out = Results::open::<MatchRow>(file, self.output.format, way.scheme)?;
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

    /// Answers the queries of the files or directories named.
    fn many(
        &self,
        search: &Search<'_>,
        way: &Way,
        shares: &MemoryShares,
        talk: &Talk,
    ) -> Result<Ending, Failure> {
        let file = self.output.output.as_deref();
        let inputs = self.searched_inputs()?;
        let mut out = Results::open::<MatchOfMany>(file, self.output.format, way.scheme)?;
        let empty = || self.search.set(way.scheme, shares, 2);
        let (set, mut tally) = self.searched.gather(&inputs, empty(), false, talk)?;
        let standard = match self.searched.standard_queries(&self.queries)? {
            Some(StandardQueries::Lines(lines)) => {
                let (mut found, answers) = (0, search.answers(&set)?);
                let of_lines =
                    self.searched.answer_lines(lines, way.scheme, talk, |id, print| {
                        for row in answers.matches(id, print)? {
                            found += 1;
                            out.row(&MatchOfMany(row))?;
                        }
                        out.flush()
                    })?;
                tally.add(&of_lines);
                return self.end(out, talk, &tally, way, found);
            }
            Some(StandardQueries::Other(file)) => Some(file),
            None => None,
        };
        let (queries, of_queries) =
            self.searched.gather_queries(&self.queries, standard, empty(), talk)?;
        tally.add(&of_queries);
        self.explain(search, &set, queries.len(), talk);
        say_bands(search, &set, queries.len(), talk);
        let found = search.matches_of_all(&set, &queries, |row| out.row(&MatchOfMany(row)))?;
        self.end(out, talk, &tally, way, found)
    }

    /// Answers them by their texts.
    fn many_verified(
        &self,
        search: &Search<'_>,
        way: &Way,
        verification: Verification,
        shares: MemoryShares,
        talk: &Talk,
    ) -> Result<Ending, Failure> {
        let inputs = self.searched_inputs()?;
        if let Some(candidates) = way.candidates {
            let all = inputs.iter().chain(&self.queries).cloned();
            self.searched.announce(all, candidates, shares, &self.search.directory(), talk)?;
        }
        let file = self.output.output.as_deref();
        let mut out = Results::open::<MatchOfMany>(file, self.output.format, way.scheme)?;
        let gather = |source| {
            let mut store = features(shares.features() / 2, &self.search);
            let set = self.search.set(way.scheme, &shares, 2);
            let (set, tally) =
                self.searched.gather_features(source, set, verification, &mut store, None, talk)?;
            Ok::<_, Failure>((set, store, tally))
        };
        let (set, store, mut tally) = gather(self.searched.documents(&inputs, talk)?)?;
        let standard = match self.searched.standard_queries(&self.queries)? {
            Some(StandardQueries::Lines(LineQueries::Rows(rows))) => {
                let (mut found, pipeline) = (0, self.searched.pipeline(way.scheme));
                let queries = (rows, &pipeline, verification);
                let of_rows = self.searched.answer_rows(queries, talk, |query| {
                    for row in search.verified_matches((&set, &store), query, verification)? {
                        found += 1;
                        out.row(&MatchOfMany(row))?;
                    }
                    out.flush()
                })?;
                tally.add(&of_rows);
                return self.end(out, talk, &tally, way, found);
            }
            // Where texts are compared, lines that look like prints are documents.
            Some(
                StandardQueries::Lines(LineQueries::Prints(file, _)) | StandardQueries::Other(file),
            ) => Some(file),
            None => None,
        };
        let asked = self.searched.query_documents(&self.queries, standard)?;
        let (queries, asked, of_queries) = gather(asked)?;
        tally.add(&of_queries);
        self.explain(search, &set, queries.len(), talk);
        say_bands(search, &set, queries.len(), talk);
        let (candidates, found) = search.verified_matches_of_all(
            (&set, &store),
            (&queries, &asked),
            verification,
            |row| out.row(&MatchOfMany(row)),
        )?;
        out.finish()?;
        way.say_found(talk, Some(candidates), found);
        self.conclude(talk, &tally, way, found)
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

    /// Queries have fewer plans than joins.
    fn check(&self) -> Result<(), Failure> {
        if self.search.serves_queries() {
            return Ok(());
        }
        let text = "queries are answered by an index (--plan auto) or by looking at all (--plan brute-force)";
        Err(Failure::Usage(text.to_owned()))
    }
}

/// Says where queries are answered by bands.
fn say_bands(search: &Search<'_>, set: &PrintSet, queries: usize, talk: &Talk) {
    if let Some(bands) = search.query_bands(set, queries) {
        talk.say(format_args!(
            "nearprint: sketches are looked up by bands {bands}, so that some matches may be missing: --plan brute-force compares all"
        ));
    }
}
