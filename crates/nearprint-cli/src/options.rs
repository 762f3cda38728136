//! Options that several verbs share, as typed; what they mean is decided where they are resolved.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgAction, Args, ValueEnum};
use nearprint::fingerprint::Scheme;
use nearprint::records::{Format, Row};
use nearprint::{EngineSettings, NamedSchemeError, named_scheme, named_schemes};

use crate::exit_status::Failure;
use crate::output::{Output, is_terminal};
use crate::outputs::ForceOption;
use crate::talk::Level;

/// The option by which a list of paths is named: where it is given, no INPUT need be.
pub(crate) const LIST: &str = "files_from";

/// How the work is done and said.
#[derive(Debug, Args)]
#[command(next_help_heading = "Work")]
pub(crate) struct WorkOptions {
    /// Number of threads, 1 to 1024; results do not depend on it [default: one per processor]
    #[arg(long, short = 'j', value_name = "N", value_parser = thread_number)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Print only the summary, or with -qq only fatal errors; the exit code still reports failures
    #[arg(long, short, action = ArgAction::Count)]
    quiet: u8,
    /// Print a line for every document without a fingerprint, not only for every reason
    #[arg(long, short, conflicts_with = "quiet")]
    verbose: bool,
}

impl WorkOptions {
    /// How much is said.
    pub(crate) fn level(&self) -> Level {
        if self.verbose { Level::All } else { Level::quieted(self.quiet) }
    }
}

/// The scheme of fingerprints.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fingerprints")]
pub(crate) struct SchemeOption {
    /// Scheme of the fingerprints: an id from `nearprint prints schemes`, seomoz-legacy, a declaration
    /// custom:FEATURES,WEIGHT,HASH,BITS (with idf=FILE for a table made by `nearprint prints idf`), or a file that
    /// contains one; see docs/SCHEMES.md [default: that of the fingerprints, else sd1]
    #[arg(long, value_name = "ID", value_parser = named_scheme)]
    scheme: Option<Scheme>,
}

impl SchemeOption {
    /// The scheme that is named.
    pub(crate) fn given(&self) -> Option<Scheme> {
        self.scheme
    }

    pub(crate) fn or(&self, fallback: Scheme) -> Scheme {
        self.scheme.unwrap_or(fallback)
    }
}

/// The schemes of fingerprints, where documents can have one of each.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fingerprints")]
pub(crate) struct SchemesOption {
    /// Scheme of the fingerprints: an id from `nearprint prints schemes`, seomoz-legacy, a declaration
    /// custom:FEATURES,WEIGHT,HASH,BITS (with idf=FILE for a table made by `nearprint prints idf`), or a file that
    /// contains one; see docs/SCHEMES.md. Several schemes (sd1,md1, or repeated --scheme) are computed in one pass over
    /// the documents [default: sd1]
    #[arg(long, value_name = "ID", value_parser = scheme_list)]
    scheme: Vec<SchemeList>,
}

/// Schemes that are named together.
#[derive(Debug, Clone)]
struct SchemeList(Vec<Scheme>);

fn scheme_list(names: &str) -> Result<SchemeList, NamedSchemeError> {
    named_schemes(names).map(SchemeList)
}

impl SchemesOption {
    /// All that are named, in order, each once.
    pub(crate) fn or(&self, fallback: Scheme) -> Result<Vec<Scheme>, Failure> {
        let mut all: Vec<Scheme> = Vec::new();
        for &scheme in self.scheme.iter().flat_map(|list| &list.0) {
            if all.contains(&scheme) {
                return Err(Failure::Usage(format!("--scheme contains {scheme} twice")));
            }
            all.push(scheme);
        }
        if all.is_empty() {
            all.push(fallback);
        }
        Ok(all)
    }
}

/// Where results go.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputOptions {
    /// Output format; see docs/FORMAT.md [default: table on a terminal, else text]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<RowFormat>,
    #[command(flatten)]
    json: JsonOption,
    /// Write to FILE, which appears only when it is complete (- for standard output)
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) force: ForceOption,
}

impl OutputOptions {
    fn row_format(&self) -> RowFormat {
        let fallback =
            if is_terminal(self.output.as_deref()) { RowFormat::Table } else { RowFormat::Text };
        if self.json.json { RowFormat::Jsonl } else { self.format.unwrap_or(fallback) }
    }

    pub(crate) fn format(&self) -> Format {
        match self.row_format() {
            RowFormat::Table | RowFormat::Text => Format::Text,
            RowFormat::Jsonl => Format::Jsonl,
            RowFormat::Csv => Format::Csv,
            RowFormat::Spreadsheet => Format::Spreadsheet,
        }
    }

    /// Opens the output for rows of one kind; `heading` names the columns of a table.
    pub(crate) fn open<R: Row>(&self, heading: &'static [&'static str]) -> Result<Output, Failure> {
        let heading = (self.row_format() == RowFormat::Table).then_some(heading);
        Output::of_rows::<R>(self.output.as_deref(), self.format(), heading)
    }
}

/// The short form of the most frequent format.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct JsonOption {
    /// Same as --format jsonl
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RowFormat {
    /// An aligned table for people
    Table,
    /// Lines with columns separated by tabs
    Text,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values; the first line names the columns
    Csv,
    /// The same for spreadsheets: an apostrophe stands before what they would run
    Spreadsheet,
}

/// A number of threads that a system can be asked for.
fn thread_number(text: &str) -> Result<NonZeroUsize, String> {
    let most = EngineSettings::MAX_THREADS;
    let number = text.parse().ok().filter(|&number| number <= most);
    number.ok_or_else(|| format!("expected a number of threads (-j) from 1 to {most}"))
}

/// A number from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1, such as 0.3".to_owned()),
    }
}

/// A number of bytes, with an optional K, M or G.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'K' | b'k') => (&text[..text.len() - 1], 10),
        Some(b'M' | b'm') => (&text[..text.len() - 1], 20),
        Some(b'G' | b'g') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let number: Option<u64> =
        digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten();
    number.and_then(|number| number.checked_mul(1 << shift)).ok_or_else(|| {
        "expected a whole number, optionally followed by K, M or G, such as 500000 or 64M"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn numbers_of_bytes_have_binary_units() {
        assert_eq!(bytes("0"), Ok(0));
        assert_eq!(bytes("500000"), Ok(500_000));
        assert_eq!(
            (bytes("3K"), bytes("3m"), bytes("3G")),
            (Ok(3 << 10), Ok(3 << 20), Ok(3 << 30))
        );
        for bad in ["", "K", "-1", "+1", "1.5G", "1 G", "1T", "99999999999G", "１"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }
}
