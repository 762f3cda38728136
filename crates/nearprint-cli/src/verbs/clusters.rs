//! `nearprint clusters`: documents grouped by their pairs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nearprint::ClusterDoubt;
use nearprint::records::{ClusterRow, Format};
use nearprint::report::{ClusterExamples, Report};
use nearprint::search::Linkage;

use super::{conclude, is_page, report, title, write_page};
use crate::color::{self, Paint};
use crate::ending::{Ending, Failure};
use crate::options::{DistanceOptions, JsonOption, LIST};
use crate::output::{Output, is_terminal};
use crate::outputs::{ForceOption, Outputs};
use crate::results::{ResultFormat, Results};
use crate::searched::SearchedOptions;
use crate::searching::{SearchOptions, say_left_out};
use crate::table::table;
use crate::talk::{Talk, counted};
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
    /// Files, directories, or - for standard input; with --prints, fingerprint files
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
    /// Output format; see docs/FORMAT.md [default: table on a terminal, else text]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    format: Option<ClusterFormat>,
    #[command(flatten)]
    json: JsonOption,
    /// Write to FILE, which appears only when it is complete
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOption,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ClusterFormat {
    /// A table for people
    Table,
    /// Lines CLUSTER TAB PATH
    Text,
    /// One JSON object per cluster
    Jsonl,
    /// Comma-separated values, a line for each member; the first line names the columns
    Csv,
    /// A Parquet table, a row for each member
    Parquet,
    /// The same as Arrow IPC: a file, or a stream on standard output
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
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let inputs = self.searched.inputs(&self.inputs)?;
        let file = self.output.as_deref();
        let talk = Talk::new(self.searched.work.quiet, false);
        let way = self.verify.way(&Asked {
            without_texts: self.searched.without_texts(),
            scheme: self.searched.scheme(),
            distance: &self.distance,
            joins: true,
            search: &self.search,
            fingerprints: false,
            needs_texts: self.linkage.map(|_| "--linkage"),
        })?;
        let (scheme, distance) = (way.scheme, way.distance);
        self.search.check(scheme, distance)?;
        if self.search.is_probabilistic() {
            let text = "--plan probabilistic is only for pairs";
            return Err(Failure::Usage(text.to_owned()));
        }
        let outputs = Outputs::new(self.force).rows(file).report(self.report.as_deref());
        outputs.check([&inputs])?;
        self.searched.expect([&inputs])?;
        let engine = self.searched.engine(Some(self.search.memory()));
        let mut collection = engine.collection(way.collection());
        if let Some(candidates) = way.candidates {
            let shares = collection.memory_shares();
            self.searched.announce(&engine, &inputs, candidates, shares, &talk)?;
        }
        let fallback = if is_terminal(file) { ClusterFormat::Table } else { ClusterFormat::Text };
        let format = match self.json.json {
            true => ClusterFormat::Jsonl,
            false => self.format.unwrap_or(fallback),
        };
        let out = match format.of_rows() {
            Some(rows) => Out::Rows(Results::open::<ClusterRow>(file, rows, scheme, &[])?),
            None => Out::Table(Output::open(file, Format::Text)?),
        };
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
        doubt(&talk, &found.doubts);
        let clusters = found.rows;
        match out {
            Out::Table(mut out) => {
                let is_colored = color::on_stdout(is_terminal(file));
                out.text(as_table(&clusters, is_colored).as_bytes())?;
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
            counted(collection.prints().len() as u64 - members, "document")
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
        if way.candidates.is_none() {
            way.say_found(&talk, None, clusters.len() as u64);
        }
        match self.report.as_deref().filter(|file| is_page(file)) {
            Some(file) => {
                let mut examples = ClusterExamples::of(&clusters);
                let groups = &mut examples.groups;
                self.searched.read_examples(&engine, groups, file, &[&inputs])?;
                let title = title(&inputs);
                write_page(file, &Report::of_clusters(title, &summary, &clusters, examples))?;
            }
            None => report(self.report.as_deref(), summary, &talk)?,
        }
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
            "nearprint: {} more may be chains too",
            counted((doubts.len() - SAID) as u64, "cluster")
        ));
    }
    if !doubts.is_empty() {
        talk.say("nearprint: --linkage star or bounded prevents chains");
    }
}

/// A line for each document; number and size stand at the first one of each cluster.
fn as_table(clusters: &[ClusterRow], is_colored: bool) -> String {
    let mut rows = Vec::new();
    let verified = clusters.iter().any(|cluster| cluster.similarities.is_some());
    let measured = if verified { "SIMILARITY" } else { "DISTANCE" };
    for cluster in clusters {
        if rows.is_empty() {
            rows.push(["CLUSTER", "DOCUMENTS", measured, "DOCUMENT"].map(str::to_owned).to_vec());
        }
        let (mut number, mut size) = (cluster.cluster.to_string(), cluster.size.to_string());
        for (at, (member, distance)) in cluster.members.iter().zip(&cluster.distances).enumerate() {
            let (number, size) = (std::mem::take(&mut number), std::mem::take(&mut size));
            let measured = match cluster.similarity(at) {
                Some(similarity) => format!("{similarity:.4}"),
                None => distance.to_string(),
            };
            rows.push(vec![number, size, measured, member.to_string()]);
        }
    }
    let text = table(&rows, &[0, 1, 2]);
    match text.split_once('\n') {
        Some((heading, rows)) if is_colored => {
            format!("{}\n{rows}", color::paint(Paint::Heading, heading))
        }
        _ => text,
    }
}
