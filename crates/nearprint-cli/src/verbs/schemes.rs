//! `nearprint schemes`: the table of schemes.

use clap::{Args, ValueEnum};
use nearprint::fingerprint::Scheme;
use nearprint::records::{Format, SchemeRow};

use crate::ending::{Ending, Failure};
use crate::options::JsonOption;
use crate::output::Output;
use crate::table::table;
use crate::talk::Talk;

/// What the table does not say: which of the two schemes of 8 bytes to take.
const ADVICE: &str = "nearprint: for 8-byte fingerprints, sl1 within 6 bits is better than sd1 \
    within 3 in recall (0.919 / 0.821) and in false pairs (0.4 / 78 per million): --scheme sl1 \
    -k 6";

/// List the schemes
///
/// For documents, `pairs`, `clusters`, `query` and `dedup` use md1 and compare the texts of the candidates. For 8-byte
/// fingerprints, use sl1 within 6 bits rather than sd1 within 3: of the renderings of labelled documents it finds 0.919
/// (sd1 0.821), and of a million pairs of different documents it matches 0.4 (sd1 78).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint schemes
  nearprint schemes --format jsonl")]
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
    pub(super) fn run(mut self) -> Result<Ending, Failure> {
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
            Talk::new(false, false).say(ADVICE);
        }
        Ok(Ending::Whole)
    }
}
