//! `nearprint prints schemes`: the table of schemes.

use clap::{Args, ValueEnum};
use nearprint::fingerprint::Scheme;
use nearprint::records::{Format, SchemeRow};
use nearprint::{FalsePairs, measured_recall};

use crate::exit_status::{ExitStatus, Failure};
use crate::options::JsonOption;
use crate::output::Output;
use crate::table::table;
use crate::talk::{Level, Talk};

/// List the schemes
///
/// For documents, `pairs`, `clusters`, `query` and `dedup` use md1 and compare the texts of the candidates. For 8-byte
/// fingerprints, use sl1 within 6 bits rather than sd1 within 3: it finds more renderings of a document and matches far
/// fewer unrelated ones.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint prints schemes
  nearprint prints schemes --format jsonl")]
pub(crate) struct SchemesArgs {
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "table")]
    format: SchemeFormat,
    #[command(flatten)]
    json: JsonOption,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SchemeFormat {
    /// A table for people
    Table,
    /// Lines with columns separated by tabs
    Text,
    /// One JSON object per line
    Jsonl,
}

impl SchemesArgs {
    pub(super) fn run(mut self) -> Result<ExitStatus, Failure> {
        if self.json.json {
            self.format = SchemeFormat::Jsonl;
        }
        let rows: Vec<SchemeRow> = Scheme::all().map(SchemeRow::from).collect();
        let format = match self.format {
            SchemeFormat::Jsonl => Format::Jsonl,
            SchemeFormat::Table | SchemeFormat::Text => Format::Text,
        };
        let mut out = Output::open(None, format)?;
        if matches!(self.format, SchemeFormat::Table) {
            let mut lines = vec![SchemeRow::COLUMNS.map(str::to_uppercase).to_vec()];
            lines.extend(rows.iter().map(|row| row.columns().to_vec()));
            out.text(table(&lines, &[6, 7, 8, 9, 10, 11]).as_bytes())?;
        } else {
            for row in &rows {
                out.row(row)?;
            }
        }
        out.finish()?;
        if matches!(self.format, SchemeFormat::Table) {
            Talk::new(Level::Normal, false).say(advice());
        }
        Ok(ExitStatus::Whole)
    }
}

/// What the table does not say: which of the two schemes of 8 bytes to take.
fn advice() -> String {
    format!(
        "nearprint: for 8-byte fingerprints, sl1 within 6 bits ({}) is better than sd1 within 3 \
            ({}): --scheme sl1 -k 6",
        measured(Scheme::SL1, 6),
        measured(Scheme::SD1, 3)
    )
}

/// What is known of a scheme within a distance.
fn measured(scheme: Scheme, distance: u32) -> String {
    let recall = measured_recall(scheme, distance).map(|recall| format!("recall {recall:.3}"));
    let rate = FalsePairs::expected(scheme, distance);
    let rate = rate.map(|rate| format!("{} false pairs per million", rate.number()));
    recall.into_iter().chain(rate).collect::<Vec<_>>().join(", ")
}
