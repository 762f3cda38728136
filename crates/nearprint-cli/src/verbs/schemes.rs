//! `nearprint schemes`: the table of schemes.

use clap::{Args, ValueEnum};
use nearprint::fingerprint::Scheme;
use nearprint::records::{Format, SchemeRow};

use crate::ending::{Ending, Failure};
use crate::output::Output;
use crate::table::table;

/// List the schemes this build knows
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint schemes
  nearprint schemes --format jsonl")]
pub(crate) struct SchemesArgs {
    /// How the schemes are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "table")]
    format: SchemeFormat,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SchemeFormat {
    /// A table to be read by people
    Table,
    /// Lines with columns set apart by tabs
    Text,
    /// One JSON object a line, naming its schema
    Jsonl,
}

impl SchemesArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
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
        Ok(Ending::Whole)
    }
}
