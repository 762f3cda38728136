//! `nearprint clusters`: documents grouped by their pairs.

use std::path::PathBuf;

use clap::Args;
use nearprint::Clusters;
use nearprint::report::{ClusterExamples, Report};

use super::conclude;
use crate::cluster_output::ClusterOutputOptions;
use crate::exit_status::{ExitStatus, Failure};
use crate::indexes::Indexes;
use crate::messages;
use crate::options::LIST;
use crate::promises::say_found;
use crate::question::{QuestionArgs, print};
use crate::report::{is_page, report, write_page};
use crate::search_inputs::SearchInputOptions;
use crate::search_options::{SearchOptions, say_left_out};
use crate::talk::Talk;

/// Group near-duplicates into clusters
///
/// Fingerprints (md1) propose candidates, the texts of the candidates are compared, and similar documents are
/// connected. A chain of similar documents can connect two that are not similar; --linkage star or bounded prevents
/// such chains. Documents without a partner are in no cluster.
///
/// The text format has a line CLUSTER TAB PATH for each member. The table and JSONL have each member's similarity to
/// the first; JSONL also has the length of the longest chain from it. Verified pairs are held in memory, 28 bytes each
/// with their candidates, 96 with --linkage bounded; if --memory does not suffice, the command fails.
///
/// Options of a fingerprint search (--scheme, -k, --similarity, --prints) connect matching
/// fingerprints instead; within 0 bits, clusters are the groups of equal fingerprints. Add --verify to compare the
/// texts with these options too.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint clusters reports
  nearprint clusters --threshold 0.8 --linkage bounded reports
  nearprint clusters --html page --id url pages.jsonl.zst
  nearprint clusters --format table reports | less
  nearprint clusters --scheme sl1 -k 6 reports
  nearprint clusters --prints --format jsonl prints.txt
  nearprint clusters --prints -k 0 prints.txt")]
pub(crate) struct ClustersArgs {
    /// Files, directories, quoted patterns, or - for standard input; with --prints, fingerprint files
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    question: QuestionArgs<Clusters>,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    searched: SearchInputOptions,
    #[command(flatten)]
    output: ClusterOutputOptions,
    /// Write a summary of the run to FILE, as one line of JSON, or if its name ends in .html as a page with plots and
    /// the largest clusters side by side, for which some documents are read again
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

impl ClustersArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let searched = self.searched.with_scheme(self.question.question.scheme);
        let inputs = searched.inputs(&self.inputs)?;
        let talk = Talk::new(searched.work.quiet, false);
        let question = self.question.question.resolve(searched.subject(&Indexes::default()))?;
        if self.question.dry_run {
            return print(&question.to_json(), None);
        }
        self.search.check(question.method())?;
        self.output.check().report(self.report.as_deref()).check([&inputs])?;
        searched.expect([&inputs])?;
        let engine = searched.engine(Some(self.search.memory()));
        let mut collection = engine.collection(question.collection());
        if let Some(candidates) = question.method().candidates() {
            let shares = collection.memory_shares();
            searched.announce(&engine, &inputs, candidates, shares, &talk)?;
        }
        let out = self.output.open(question.scheme())?;
        let tally = searched.read(&engine, &inputs, &mut collection, &talk)?;
        let search = question
            .search(&collection)
            .watched_by(|progress| talk.searching(progress))
            .told_of_left_out(|report| say_left_out(&talk, report));
        let search = self.search.bound(search);
        if self.search.explain {
            talk.say(collection.explain(&search)?.trim_end());
        }
        let found = question.run(&collection, &search)?;
        let are_documents = searched.are_documents();
        if let Some((candidates, verified)) = found.verified {
            say_found(&talk, question.method(), are_documents, Some(candidates), verified);
        }
        messages::doubts(&talk, &found.doubts);
        let clusters = found.rows;
        out.write(&clusters)?;
        let summary = tally.cluster_summary(&question, &clusters);
        messages::clusters(&talk, &summary, &clusters, collection.prints().len());
        if found.verified.is_none() {
            say_found(&talk, question.method(), are_documents, None, clusters.len() as u64);
        }
        match self.report.as_deref().filter(|file| is_page(file)) {
            Some(file) => {
                let mut examples = ClusterExamples::of(&clusters);
                let groups = &mut examples.groups;
                searched.read_examples(&engine, groups, file, &[&inputs])?;
                write_page(
                    file,
                    &Report::of_clusters(inputs.names(), &summary, &clusters, examples),
                )?;
            }
            None => report(self.report.as_deref(), summary, &talk)?,
        }
        Ok(conclude(&talk, &tally))
    }
}
