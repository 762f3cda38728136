//! `nearprint clusters`: documents grouped by their pairs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nearprint::records::{ClusterRow, Format};
use nearprint::search::Linkage;
use nearprint::{ClusterDoubt, PrintSet, Search};

use super::{caution, conclude, report};
use crate::ending::{Ending, Failure};
use crate::inputs::{SearchedOptions, expanded};
use crate::options::{DistanceOptions, LIST};
use crate::output::{Output, is_terminal};
use crate::outputs::{ForceOption, Outputs};
use crate::results::{ResultFormat, Results};
use crate::searching::{SearchOptions, say_left_out};
use crate::table::table;
use crate::talk::{Talk, counted};
use crate::verifying::VerifyOptions;

/// Group near-duplicates: documents connected by pairs
///
/// A document is in the cluster of every document within the distance of it, so a chain can lead further than the
/// distance; the table and JSONL give each member's distance from the first, JSONL also the length of the longest chain
/// from it. Within 0 bits clusters are the groups of equal prints. Documents without a partner are in no
/// cluster. The text format has a line CLUSTER TAB PATH for each member. With --verify the verified pairs are held in memory, 28 bytes each with their
/// candidates, 96 with --linkage bounded; where --memory does not suffice, that is an error.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint clusters reports
  nearprint clusters --verify reports
  nearprint clusters --verify --linkage bounded reports
  nearprint clusters --html page --id url pages.jsonl.zst
  nearprint clusters --loose --format table reports | less
  nearprint clusters --prints --format jsonl prints.txt
  nearprint clusters --prints -k 0 prints.txt")]
pub(crate) struct ClustersArgs {
    /// Files, directories, or - for standard input; with --prints, files of prints
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    distance: DistanceOptions,
    /// With --verify, which verified pairs make a cluster; components where not given
    #[arg(
        long,
        value_enum,
        value_name = "LINKAGE",
        requires = "verify",
        help_heading = "Verification"
    )]
    linkage: Option<LinkageName>,
    #[command(flatten)]
    verify: VerifyOptions,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    searched: SearchedOptions,
    /// How clusters are written; a table on terminals and text elsewhere where not given
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    format: Option<ClusterFormat>,
    /// Write to FILE, which appears only when it is whole
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOption,
    /// Write the counts of the run to FILE, as one line of JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LinkageName {
    /// All that are connected, through however many others
    Components,
    /// Every member is similar to the first of its cluster
    Star,
    /// Every two members are similar
    Bounded,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ClusterFormat {
    /// A table to be read by people
    Table,
    /// Lines CLUSTER TAB PATH
    Text,
    /// One JSON object for each cluster, naming its schema
    Jsonl,
    /// Separated values, a line for each member, the first line naming the columns
    Csv,
    /// A Parquet table, a row for each member
    Parquet,
    /// The same as Arrow IPC: a file, or on standard output a stream
    Arrow,
}

impl ClusterFormat {
    /// The form of rows; `None` of the table, which has none.
    fn of_rows(self) -> Option<ResultFormat> {
        match self {
            Self::Table => None,
            Self::Text => Some(ResultFormat::Text),
            Self::Jsonl => Some(ResultFormat::Jsonl),
            Self::Csv => Some(ResultFormat::Csv),
            Self::Parquet => Some(ResultFormat::Parquet),
            Self::Arrow => Some(ResultFormat::Arrow),
        }
    }
}

/// Where clusters go.
enum Out {
    Table(Output),
    Rows(Results),
}

impl ClustersArgs {
    pub(super) fn run(mut self) -> Result<Ending, Failure> {
        expanded(&mut self.inputs)?;
        let file = self.output.as_deref();
        let talk = Talk::new(self.searched.work.quiet, false);
        let scheme = self.searched.scheme_or(self.verify.scheme());
        let distance = match self.verify.candidates_within(scheme) {
            Some(distance) if !self.distance.is_given() => distance,
            _ => self.distance.of_join(scheme)?,
        };
        self.search.check(scheme, distance)?;
        if self.search.is_probabilistic() {
            let text = "clusters are joined exactly; --plan probabilistic is for pairs";
            return Err(Failure::Usage(text.to_owned()));
        }
        let outputs = Outputs::new(self.force).rows(file).counts(self.report.as_deref());
        self.searched.check_outputs(outputs, &self.inputs)?;
        self.searched.expect(&self.inputs)?;
        let bands = self.verify.bands(scheme)?;
        let memory = self.search.memory();
        let fallback = if is_terminal(file) { ClusterFormat::Table } else { ClusterFormat::Text };
        let format = self.format.unwrap_or(fallback);
        let out = match format.of_rows() {
            Some(rows) => Out::Rows(Results::open::<ClusterRow>(file, rows, scheme)?),
            None => Out::Table(Output::open(file, Format::Text)?),
        };
        let search = Search::within(distance)
            .bands(bands)
            .threads(self.searched.work.threads)
            .watched_by(|progress| talk.searching(progress))
            .told_of_left_out(|report| say_left_out(&talk, report));
        let verification = self.verify.verification();
        let for_features = self.verify.memory(&self.search);
        let search = self.search.bound(search, memory - for_features);
        let empty = self.search.set(scheme, memory - for_features, 1);
        let explain = |set: &PrintSet| -> Result<(), Failure> {
            if self.search.explain {
                talk.say(search.explain(set)?.trim_end());
            }
            Ok(())
        };
        let (set, tally, clusters) = match verification {
            Some(verification) => {
                let mut store = self.verify.store(&self.search);
                let (set, tally) = self.searched.gather_features(
                    self.searched.documents(&self.inputs, &talk)?,
                    empty,
                    verification,
                    &mut store,
                    None,
                    &talk,
                )?;
                explain(&set)?;
                let linkage = match self.linkage {
                    None | Some(LinkageName::Components) => Linkage::Components,
                    Some(LinkageName::Star) => Linkage::Star,
                    Some(LinkageName::Bounded) => Linkage::Bounded,
                };
                let found = search.verified_clusters(&set, &store, verification, linkage)?;
                talk.say(format_args!(
                    "nearprint: {} of {} of {scheme} verified",
                    found.verified,
                    counted(found.candidates, "candidate")
                ));
                doubt(&talk, &found.doubts);
                (set, tally, found.clusters)
            }
            None => {
                let (set, tally) = self.searched.gather(&self.inputs, empty, false, &talk)?;
                explain(&set)?;
                let clusters = search.clusters(&set)?;
                (set, tally, clusters)
            }
        };
        match out {
            Out::Table(mut out) => {
                out.text(as_table(&clusters).as_bytes())?;
                out.finish()?;
            }
            Out::Rows(mut out) => {
                clusters.iter().try_for_each(|cluster| out.row(cluster))?;
                out.finish()?;
            }
        }
        let members: u64 = clusters.iter().map(|cluster| cluster.size).sum();
        talk.say(format_args!(
            "nearprint: {} of {}; {} without a partner",
            counted(clusters.len() as u64, "cluster"),
            counted(members, "document"),
            counted(set.len() as u64 - members, "document")
        ));
        let summary = tally.cluster_summary(scheme, distance, &clusters);
        if let Some(largest) = summary.largest_cluster {
            let chain = match summary.longest_chain {
                Some(links) => format!("; the longest chain has {}", counted(links.into(), "link")),
                None => String::new(),
            };
            talk.say(format_args!(
                "nearprint: the largest cluster has {}{chain}",
                counted(largest, "document")
            ));
        }
        if !clusters.is_empty() && verification.is_none() {
            caution(&talk, scheme, distance);
        }
        report(self.report.as_deref(), summary, &talk)?;
        Ok(conclude(&talk, &tally))
    }
}

/// Doubts that are said; the others are counted.
const SAID: usize = 3;

/// Says which clusters grew suspiciously.
fn doubt(talk: &Talk, doubts: &[ClusterDoubt]) {
    for doubt in doubts.iter().take(SAID) {
        talk.say(format_args!("nearprint: {doubt}"));
    }
    if doubts.len() > SAID {
        talk.say(format_args!(
            "nearprint: so may {} more",
            counted((doubts.len() - SAID) as u64, "cluster")
        ));
    }
    if !doubts.is_empty() {
        talk.say("nearprint: --linkage star or bounded keeps chains apart");
    }
}

/// A line for each document; number and size stand at the first one of each cluster.
fn as_table(clusters: &[ClusterRow]) -> String {
    let mut rows = Vec::new();
    for cluster in clusters {
        if rows.is_empty() {
            rows.push(["CLUSTER", "DOCUMENTS", "DISTANCE", "DOCUMENT"].map(str::to_owned).to_vec());
        }
        let (mut number, mut size) = (cluster.cluster.to_string(), cluster.size.to_string());
        for (member, distance) in cluster.members.iter().zip(&cluster.distances) {
            let (number, size) = (std::mem::take(&mut number), std::mem::take(&mut size));
            rows.push(vec![number, size, distance.to_string(), member.to_string()]);
        }
    }
    table(&rows, &[0, 1, 2])
}
