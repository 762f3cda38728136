//! How clusters are written: as rows, or as a table for people.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use nearprint::fingerprint::Scheme;
use nearprint::records::{ClusterRow, Format};

use crate::color::{self, Paint};
use crate::exit_status::Failure;
use crate::options::JsonOption;
use crate::output::{Output, is_terminal};
use crate::outputs::{ForceOption, Outputs};
use crate::results::{ResultFormat, Results};
use crate::table::table;

/// Where clusters go, and in which format.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ClusterOutputOptions {
    /// Output format; see docs/FORMAT.md [default: table on a terminal, else text]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<ClusterFormat>,
    #[command(flatten)]
    json: JsonOption,
    /// Write to FILE, which appears only when it is complete
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOption,
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
    /// The same for spreadsheets: an apostrophe stands before what they would run
    Spreadsheet,
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
            Self::Spreadsheet => Some(ResultFormat::Spreadsheet),
            Self::Parquet => Some(ResultFormat::Parquet),
            Self::Arrow => Some(ResultFormat::Arrow),
        }
    }
}

/// Where clusters go.
enum Form {
    Table(Output),
    Rows(Results),
}

/// Clusters on their way out.
pub(crate) struct ClusterOutput {
    form: Form,
    is_colored: bool,
}

impl ClusterOutputOptions {
    /// The outputs that are checked.
    pub(crate) fn check(&self) -> Outputs {
        Outputs::new(self.force).rows(self.file())
    }

    /// Opens the output in the format that is named, or in the one that suits the reader.
    pub(crate) fn open(&self, scheme: Scheme) -> Result<ClusterOutput, Failure> {
        let file = self.file();
        let fallback = if is_terminal(file) { ClusterFormat::Table } else { ClusterFormat::Text };
        let format = match self.json.json {
            true => ClusterFormat::Jsonl,
            false => self.format.unwrap_or(fallback),
        };
        let form = match format.of_rows() {
            Some(rows) => Form::Rows(Results::open::<ClusterRow>(file, rows, scheme, &[])?),
            None => Form::Table(Output::open(file, Format::Text)?),
        };
        Ok(ClusterOutput { form, is_colored: color::on_stdout(is_terminal(file)) })
    }

    fn file(&self) -> Option<&Path> {
        self.output.as_deref()
    }
}

impl ClusterOutput {
    /// Writes all clusters, and ends the output.
    pub(crate) fn write(self, clusters: &[ClusterRow]) -> Result<(), Failure> {
        match self.form {
            Form::Table(mut out) => {
                out.text(as_table(clusters, self.is_colored).as_bytes())?;
                out.finish()
            }
            Form::Rows(mut out) => {
                clusters.iter().try_for_each(|cluster| out.row(cluster))?;
                out.finish()
            }
        }
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
