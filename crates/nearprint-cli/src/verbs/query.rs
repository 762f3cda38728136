//! `nearprint query`: what is near one document.

use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::{Inputs, Matches, Subject};

use super::conclude;
use crate::conditions::WhereOption;
use crate::exit_status::{ExitStatus, Failure};
use crate::indexes::Indexes;
use crate::options::LIST;
use crate::outputs::Outputs;
use crate::query_run::QueryRun;
use crate::question::{QuestionArgs, print};
use crate::report::report;
use crate::results::ResultOptions;
use crate::search_inputs::SearchInputOptions;
use crate::search_options::SearchOptions;
use crate::talk::Talk;

/// Find the documents similar to a document
///
/// Prints one line PATH TAB DISTANCE TAB SIMILARITY for each match. The texts are compared, and only similar
/// documents are reported: the most similar first, equally similar ones in the order of the inputs. A document that is
/// among the inputs finds itself. With --queries, lines are QUERY TAB PATH TAB DISTANCE TAB SIMILARITY, in the order of
/// the queries.
///
/// Options of a fingerprint search (--scheme, -k, --similarity, --by-print, --prints) report
/// matching fingerprints instead, nearest first, without a similarity. Add --verify to compare the texts with these
/// options too.
///
/// Simhashes are looked up in an index. Sketches (md1, wd1) are compared with all others up to 4,000 million
/// comparisons. Beyond that they are searched by bands, which may miss some matches (--recall); --plan brute-force
/// always compares all.
///
/// An index on disk that is searched alone is not read: its tables are looked up, exactly for fingerprints, and by
/// bands for sketches whose texts are compared (docs/INDEX.md). With --plan, or beside other inputs, it is read whole.
/// Lines of standard input (--queries -) are answered one by one.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint query draft.html reports
  nearprint query --measure containment chapter.txt books
  nearprint query -k loose --prints draft.html prints.txt
  nearprint query --ids url draft.html crawl.warc.gz
  nearprint query draft.html index:reports.index
  nearprint query --where crawl=2026-11 draft.html index:crawl.index
  nearprint query --by-print sd1:aerukz4jvpg66 index:crawl.index
  nearprint query index:crawl.index --prints --queries new.prints
  nearprint query --by-print --prints sd1:aerukz4jvpg66 prints.txt
  nearprint query --queries new --include '*.html' archive
  nearprint query --prints archive.prints --queries new.prints")]
pub(crate) struct QueryArgs {
    /// The document to search for, or - for standard input; with --queries it is one of the INPUTs
    #[arg(value_name = "DOCUMENT", required_unless_present_all = [LIST, "queries"])]
    document: Option<PathBuf>,
    /// Files, directories, quoted patterns, - for standard input, or an index on disk (index:PATH, or its directory);
    /// with --prints, fingerprint files
    #[arg(value_name = "INPUT", required_unless_present_any = [LIST, "queries"])]
    inputs: Vec<PathBuf>,
    /// DOCUMENT, or what --queries names, is a fingerprint, not a path
    #[arg(long, help_heading = "Input")]
    by_print: bool,
    /// Search for each of these documents: files or directories (with --prints, also fingerprint files)
    #[arg(long, value_name = "INPUT", num_args = 1.., help_heading = "Input")]
    queries: Vec<PathBuf>,
    #[command(flatten)]
    conditions: WhereOption,
    #[command(flatten)]
    question: QuestionArgs<Matches>,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    searched: SearchInputOptions,
    #[command(flatten)]
    output: ResultOptions,
    /// Write a summary of the run to FILE, as one line of JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

impl QueryArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        // With --queries, the first argument is an input as the others are.
        let is_many = !self.queries.is_empty();
        let first = self.document.iter().filter(|_| is_many);
        let inputs: Vec<PathBuf> = first.chain(&self.inputs).cloned().collect();
        let (indexes, inputs) = Indexes::among(&inputs)?;
        let filter = self.conditions.filter();
        if self.conditions.is_given() && (indexes.is_empty() || !inputs.is_empty()) {
            let text =
                "--where is about the documents of indexes; name an index alone, as index:PATH";
            return Err(Failure::Usage(text.to_owned()));
        }
        let scheme = self.question.question.scheme.or(indexes.scheme());
        let searched = self.searched.with_scheme(scheme);
        let inputs = searched.inputs(&inputs)?;
        let queries = match &self.document {
            Some(path) if !is_many && !self.by_print => {
                searched.others(std::slice::from_ref(path))?
            }
            _ if self.by_print => searched.others(&[])?,
            _ => searched.others(&self.queries)?,
        };
        let talk = Talk::new(searched.work.quiet, false);
        Inputs::check_standard_input([&inputs, &queries])?;
        let mut subject = searched.subject(&indexes);
        if self.by_print {
            // A fingerprint has no text to be compared.
            let scheme = subject.scheme().or(self.question.question.scheme);
            subject = Subject::Fingerprints(scheme.unwrap_or(Scheme::SD1));
        }
        let question = self.question.question.resolve(subject)?;
        if self.question.dry_run {
            return print(&question.to_json(), self.output.output.as_deref());
        }
        self.search.check(question.method())?;
        let file = self.output.output.as_deref();
        let outputs = Outputs::new(self.output.force).rows(file).counts(self.report.as_deref());
        outputs.check([&inputs, &queries])?;
        searched.expect([&inputs])?;
        let engine = searched.engine(Some(self.search.memory()));
        let prints = match (self.by_print, is_many) {
            (false, _) => Vec::new(),
            (true, true) => self.queries.clone(),
            (true, false) => self.document.iter().cloned().collect(),
        };
        let asking = QueryRun {
            searched: &searched,
            search: &self.search,
            output: &self.output,
            engine,
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
