//! `nearprint query` and `nearprint prints query`: what is near a document, or a fingerprint.

use std::path::{Path, PathBuf};

use clap::Args;
use nearprint::fingerprint::Fingerprint;
use nearprint::records::DocumentId;
use nearprint::{Inputs, Matches};

use super::conclude;
use crate::conditions::WhereOption;
use crate::exit_status::{ExitStatus, Failure};
use crate::groups::{Group, OfDocuments, OfPrints};
use crate::indexes::Indexes;
use crate::options::LIST;
use crate::outputs::Outputs;
use crate::query_run::QueryRun;
use crate::question::{QuestionArgs, print};
use crate::report::report;
use crate::results::ResultOptions;
use crate::search_inputs::{SearchInputs, given_print};
use crate::talk::Talk;
use crate::unexpected_input;

/// Find the documents similar to a document
///
/// Prints one line PATH TAB DISTANCE TAB SIMILARITY for each match. The texts are compared, and only similar
/// documents are reported: the most similar first, equally similar ones in the order of the inputs. A document that is
/// among the inputs finds itself. With --queries, lines are QUERY TAB PATH TAB DISTANCE TAB SIMILARITY, in the order of
/// the queries; lines of JSON on standard input (--queries -) are answered one by one.
///
/// Many queries are searched by bands of sketches, which may miss some matches, beyond 4,000 million comparisons
/// (--search recall); --search plan=brute-force always compares all.
///
/// An index on disk that is searched alone is not read: its tables are looked up (docs/INDEX.md). With --search plan,
/// or beside other inputs, it is read whole. Fingerprints alone are searched by nearprint prints query.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint query draft.html reports
  nearprint query --measure containment chapter.txt books
  nearprint query --read ids=url draft.html crawl.warc.gz
  nearprint query --queries new -g '*.html' archive
  nearprint query draft.html index:reports.index
  nearprint query --where crawl=2026-11 draft.html index:crawl.index")]
pub(crate) struct QueryArgs {
    /// The document to search for, or - for standard input; with --queries it is one of the INPUTs
    #[arg(value_name = "DOCUMENT", required_unless_present_all = [LIST, "queries"])]
    document: Option<PathBuf>,
    /// Files, directories, quoted patterns, - for standard input, or an index on disk (index:PATH, or its directory)
    #[arg(value_name = "INPUT", required_unless_present_any = [LIST, "queries"])]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    options: QueryOptions<OfDocuments>,
}

/// Find the fingerprints within a distance of one
///
/// Prints one line ID TAB DISTANCE for each match, nearest first, equally near ones in the order of the inputs. With
/// --queries, lines are QUERY TAB ID TAB DISTANCE, in the order of the queries; lines of fingerprints on standard input
/// (--queries -) are answered one by one. A QUERY that is a document is fingerprinted.
///
/// Simhashes are looked up in tables, exactly. Sketches (md1, wd1) are compared with all others up to 4,000 million
/// comparisons; beyond that they are searched by bands, which may miss some (--search recall).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint prints query sd1:aerukz4jvpg66 prints.txt
  nearprint prints query -k loose draft.html prints.txt
  nearprint prints query archive.prints --queries new.prints
  nearprint prints query draft.html index:crawl.index
  nearprint prints query index:crawl.index --queries new.prints")]
pub(crate) struct PrintsQueryArgs {
    /// The fingerprint to search for, or a document, or - for one on standard input; with --queries it is one of the
    /// INPUTs
    #[arg(value_name = "QUERY", required = true)]
    query: Option<PathBuf>,
    /// Fingerprint files, - for standard input, or an index on disk (index:PATH, or its directory)
    #[arg(value_name = "INPUT", required_unless_present = "queries")]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    options: QueryOptions<OfPrints>,
}

impl QueryArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        self.options.run(self.document, self.inputs)
    }
}

impl PrintsQueryArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        self.options.run(self.query, self.inputs)
    }
}

#[derive(Debug, Args)]
struct QueryOptions<G: Group> {
    /// Search for each of these, named as the one to search for, or as INPUTs are
    #[arg(long, value_name = "INPUT", num_args = 1.., help_heading = "Input")]
    queries: Vec<PathBuf>,
    #[command(flatten)]
    conditions: WhereOption,
    #[command(flatten)]
    question: QuestionArgs<Matches, G>,
    #[command(flatten)]
    searched: G::Options,
    #[command(flatten)]
    output: ResultOptions,
    /// Write a summary of the run to FILE, as one line of JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

impl<G: Group> QueryOptions<G> {
    fn run(self, first: Option<PathBuf>, inputs: Vec<PathBuf>) -> Result<ExitStatus, Failure> {
        // With --queries, the first argument is an input as the others are.
        let is_many = !self.queries.is_empty();
        let (input, query) = if is_many { (first, None) } else { (None, first) };
        let inputs: Vec<PathBuf> = input.into_iter().chain(inputs).collect();
        let (indexes, inputs) = Indexes::among(&inputs)?;
        let (prints, queries) = divided(query.iter().chain(&self.queries));
        let searched: SearchInputs = self.searched.into();
        if let Some((id, _)) = prints.first().filter(|_| searched.are_documents()) {
            return Err(unexpected_input::fingerprint(id));
        }
        let named = self.question.question.scheme.or(indexes.scheme());
        let searched = searched.with_scheme(named);
        let (inputs, queries) = (searched.inputs(&inputs)?, searched.others(&queries)?);
        Inputs::check_standard_input([&inputs, &queries])?;
        let searched = searched.opened(&inputs)?;
        let filter = self.conditions.filter_of(&indexes, &inputs)?;
        let talk = Talk::new(searched.work.level(), false);
        let subject = searched.subject(&[&indexes])?;
        let question = self.question.resolve(|question| question.resolve(subject))?;
        let file = self.output.output.as_deref();
        if self.question.dry_run {
            return print(&question.to_json(), file);
        }
        self.question.search.check(question.method())?;
        let outputs = Outputs::new(self.output.force).rows(file).counts(self.report.as_deref());
        outputs.check([&inputs, &queries])?;
        searched.expect([&inputs])?;
        let asking = QueryRun {
            engine: searched.engine(),
            searched: &searched,
            search: &self.question.search,
            output: &self.output,
            question,
            inputs,
            indexes,
            filter,
            queries,
            prints,
            talk: &talk,
        };
        let (tally, found) = asking.answer(is_many)?;
        let Some(tally) = tally else { return Ok(ExitStatus::Partial) };
        let summary = tally.search_summary(&asking.question, found);
        report(self.report.as_deref(), summary, &talk)?;
        Ok(conclude(&talk, &tally))
    }
}

/// The queries that are fingerprints, and the paths.
fn divided<'p>(
    queries: impl Iterator<Item = &'p PathBuf>,
) -> (Vec<(DocumentId, Fingerprint)>, Vec<PathBuf>) {
    let (mut prints, mut paths) = (Vec::new(), Vec::new());
    for query in queries.map(PathBuf::as_path) {
        match given_print(query) {
            Some(print) => prints.push(print),
            None => paths.push(Path::to_owned(query)),
        }
    }
    (prints, paths)
}
