//! `nearprint clusters` and `nearprint prints clusters`: documents, or fingerprints, grouped by their pairs.

use std::path::PathBuf;

use clap::Args;
use nearprint::Clusters;
use nearprint::report::{ClusterExamples, Report};

use super::conclude;
use crate::cluster_output::ClusterOutputOptions;
use crate::conditions::WhereOption;
use crate::exit_status::{ExitStatus, Failure};
use crate::groups::{Group, OfDocuments, OfPrints};
use crate::indexes::Indexes;
use crate::messages;
use crate::options::LIST;
use crate::promises::{say_evidence, say_found};
use crate::question::{QuestionArgs, print};
use crate::report::{is_page, report, write_page};
use crate::search_inputs::SearchInputs;
use crate::search_options::say_left_out;
use crate::talk::Talk;

/// Group near-duplicates into clusters
///
/// Fingerprints (md1) propose candidates, the texts of the candidates are compared, and similar documents are
/// connected. A chain of similar documents can connect two that are not similar; --linkage star or bounded prevents
/// such chains. Documents without a partner are in no cluster.
///
/// The text format has a line CLUSTER TAB PATH for each member. The table and JSONL have each member's similarity to
/// the first; JSONL also has the length of the longest chain from it. Verified pairs are held in memory, 28 bytes each
/// with their candidates, 96 with --linkage bounded; if --limit memory does not suffice, the command fails.
///
/// The clusters of an index are numbered by their earliest document in the order of addition. The number stays as long
/// as this document does: when others join, when the cluster takes in later ones, and when it falls apart, of the part
/// with that document.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint clusters reports
  nearprint clusters --threshold 0.8 --linkage bounded reports
  nearprint clusters --read html=page --read id=url pages.jsonl.zst
  nearprint clusters --format table reports | less
  nearprint clusters index:crawl.index")]
pub(crate) struct ClustersArgs {
    /// Files, directories, quoted patterns, - for standard input, or an index on disk (index:PATH, or its directory)
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    options: ClustersOptions<OfDocuments>,
}

/// Group fingerprints by those within a distance
///
/// The text format has a line CLUSTER TAB ID for each member. Within 0 bits, clusters are the groups of equal
/// fingerprints. A chain of near fingerprints can connect two that are not near.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint prints clusters prints.txt
  nearprint prints clusters -k 0 --json prints.txt
  nearprint fingerprint --scheme sl1 reports | nearprint prints clusters -k 6 -
  nearprint prints clusters -k 3 index:crawl.index")]
pub(crate) struct PrintsClustersArgs {
    /// Fingerprint files, - for standard input, or an index on disk (index:PATH, or its directory)
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    options: ClustersOptions<OfPrints>,
}

impl ClustersArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        self.options.run(&self.inputs)
    }
}

impl PrintsClustersArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        self.options.run(&self.inputs)
    }
}

#[derive(Debug, Args)]
struct ClustersOptions<G: Group> {
    #[command(flatten)]
    conditions: WhereOption,
    #[command(flatten)]
    question: QuestionArgs<Clusters, G>,
    #[command(flatten)]
    searched: G::Options,
    #[command(flatten)]
    output: ClusterOutputOptions,
    /// Write a summary of the run to FILE, as one line of JSON, or if its name ends in .html as a page with plots and
    /// the largest clusters side by side, for which some documents are read again
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

impl<G: Group> ClustersOptions<G> {
    fn run(self, inputs: &[PathBuf]) -> Result<ExitStatus, Failure> {
        let (indexes, inputs) = Indexes::among(inputs)?;
        let named = self.question.question.scheme;
        let searched: SearchInputs = self.searched.into();
        let searched = searched.with_scheme(named);
        let inputs = searched.inputs(&inputs)?;
        let searched = searched.opened(&inputs)?;
        let filter = self.conditions.filter_of(&indexes, &inputs)?;
        let talk = Talk::new(searched.work.level(), false);
        let subject = searched.subject(&[&indexes])?;
        let question = self.question.resolve(|question| question.resolve(subject))?;
        if self.question.dry_run {
            return print(&question.to_json(), None);
        }
        let search_options = &self.question.search;
        search_options.check(question.method())?;
        self.output.check().report(self.report.as_deref()).check([&inputs])?;
        searched.expect([&inputs])?;
        let engine = searched.engine();
        let mut collection = engine.collection(question.collection());
        if let Some(candidates) = question.method().candidates() {
            let shares = collection.memory_shares();
            searched.announce(&engine, &inputs, candidates, shares, &talk)?;
        }
        let out = self.output.open(question.scheme())?;
        let tally = searched.read(&engine, &inputs, &mut collection, &talk)?;
        indexes.read_into(&mut collection, &filter)?;
        let search = question
            .search(&collection)
            .watched_by(|progress| talk.searching(progress))
            .told_of_left_out(|report| say_left_out(&talk, report));
        let search = search_options.bound(search);
        if search_options.explain {
            talk.say(collection.explain(&search)?.trim_end());
        }
        let mut found = question.run(&collection, &search)?;
        if let Some(index) = indexes.only().filter(|_| inputs.is_empty()) {
            found.number_as_in(index)?;
        }
        if let Some((candidates, verified)) = found.verified {
            say_found(&talk, question.method(), Some(candidates), verified);
            say_evidence(&talk, found.without_evidence);
        }
        messages::doubts(&talk, &found.doubts);
        let clusters = found.rows;
        out.write(&clusters)?;
        let summary = tally.cluster_summary(&question, &clusters);
        messages::clusters(&talk, &summary, &clusters, collection.prints().len());
        if found.verified.is_none() {
            say_found(&talk, question.method(), None, clusters.len() as u64);
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
