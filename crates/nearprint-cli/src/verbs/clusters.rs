//! `nearprint clusters`: documents grouped by their pairs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nearprint::report::{ClusterExamples, Report};
use nearprint::search::Linkage;

use super::conclude;
use crate::cluster_output::ClusterOutputOptions;
use crate::ending::{Ending, Failure};
use crate::messages;
use crate::options::{DistanceOptions, LIST};
use crate::report::{is_page, report, write_page};
use crate::searched::SearchedOptions;
use crate::searching::{SearchOptions, say_left_out};
use crate::talk::Talk;
use crate::verifying::{Asked, VerifyOptions};

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
/// Options of a fingerprint search (--scheme, -k, --close, --loose, --plan, --blocks, --prints) connect matching
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
    distance: DistanceOptions,
    /// Which verified pairs form a cluster [default: components]
    #[arg(long, value_enum, value_name = "LINKAGE", help_heading = "Verification")]
    linkage: Option<LinkageName>,
    #[command(flatten)]
    verify: VerifyOptions,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    searched: SearchedOptions,
    #[command(flatten)]
    output: ClusterOutputOptions,
    /// Write a summary of the run to FILE, as one line of JSON, or if its name ends in .html as a page with plots and
    /// the largest clusters side by side, for which some documents are read again
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LinkageName {
    /// All connected documents, through any number of others
    Components,
    /// Every member is similar to the first of its cluster
    Star,
    /// Every two members are similar
    Bounded,
}

impl ClustersArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let inputs = self.searched.inputs(&self.inputs)?;
        let talk = Talk::new(self.searched.work.quiet, false);
        let way = self.verify.way(&Asked {
            without_texts: self.searched.without_texts(),
            index: None,
            scheme: self.searched.scheme(),
            distance: &self.distance,
            joins: true,
            search: &self.search,
            fingerprints: false,
            needs_texts: self.linkage.map(|_| "--linkage"),
            whole_texts: false,
            table: None,
        })?;
        let (scheme, distance) = (way.scheme, way.distance);
        self.search.check(scheme, distance)?;
        if self.search.is_probabilistic() {
            let text = "--plan probabilistic is only for pairs";
            return Err(Failure::Usage(text.to_owned()));
        }
        self.output.check().report(self.report.as_deref()).check([&inputs])?;
        self.searched.expect([&inputs])?;
        let engine = self.searched.engine(Some(self.search.memory()));
        let mut collection = engine.collection(way.collection());
        if let Some(candidates) = way.candidates {
            let shares = collection.memory_shares();
            self.searched.announce(&engine, &inputs, candidates, shares, &talk)?;
        }
        let out = self.output.open(scheme)?;
        let search = way
            .search()
            .watched_by(|progress| talk.searching(progress))
            .told_of_left_out(|report| say_left_out(&talk, report));
        let search = collection.search(self.search.bound(search));
        let tally = self.searched.read(&engine, &inputs, &mut collection, &talk)?;
        if self.search.explain {
            talk.say(collection.explain(&search)?.trim_end());
        }
        let linkage = match self.linkage {
            None | Some(LinkageName::Components) => Linkage::Components,
            Some(LinkageName::Star) => Linkage::Star,
            Some(LinkageName::Bounded) => Linkage::Bounded,
        };
        let found = collection.clusters(&search, linkage)?;
        if let Some((candidates, verified)) = found.verified {
            way.say_found(&talk, Some(candidates), verified);
        }
        messages::doubts(&talk, &found.doubts);
        let clusters = found.rows;
        out.write(&clusters)?;
        let summary = tally.cluster_summary(scheme, distance, &clusters);
        messages::clusters(&talk, &summary, &clusters, collection.prints().len());
        if way.candidates.is_none() {
            way.say_found(&talk, None, clusters.len() as u64);
        }
        match self.report.as_deref().filter(|file| is_page(file)) {
            Some(file) => {
                let mut examples = ClusterExamples::of(&clusters);
                let groups = &mut examples.groups;
                self.searched.read_examples(&engine, groups, file, &[&inputs])?;
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
