//! Options that several verbs share, as typed; what they mean is decided where they are resolved.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use nearprint::extract::{Hints, Limits, is_charset, is_media_type, media_types};
use nearprint::fingerprint::Scheme;
use nearprint::records::{FileSettings, Format, PathSeparator, Row, Selection};
use nearprint::worker::{Isolation, PoolOptions};
use nearprint::{Engine, EngineSettings, NamedSchemeError, Settings, named_scheme, named_schemes};

use crate::exit_status::Failure;
use crate::memory::MemoryOptions;
use crate::output::{Output, is_terminal};
use crate::outputs::ForceOption;

/// The options by which a list of paths is named: where one is given, no INPUT need be.
pub(crate) const LIST: &str = "list";

/// Which files are taken.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct FileOptions {
    /// Read more paths from FILE, one per line (- for standard input)
    #[arg(long, value_name = "FILE", group = LIST)]
    files_from: Option<PathBuf>,
    /// Read more paths from FILE, separated by NUL as from `find -print0` (- for standard input)
    #[arg(long, value_name = "FILE", group = LIST)]
    files0_from: Option<PathBuf>,
    /// In directories, read only files that match GLOB; a glob without / is compared with names, one with / with the
    /// path below the directory
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// In directories, skip files and directories that match GLOB
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// In directories, also read hidden files (names that begin with a dot)
    #[arg(long)]
    hidden: bool,
    /// In directories, follow symbolic links
    #[arg(long)]
    follow: bool,
}

impl FileOptions {
    /// The list of further paths, where there is one, and what sets them apart.
    pub(crate) fn list(&self) -> Option<(&Path, PathSeparator)> {
        let lines = self.files_from.as_deref().map(|list| (list, PathSeparator::Line));
        lines.or_else(|| Some((self.files0_from.as_deref()?, PathSeparator::Nul)))
    }

    pub(crate) fn settings(&self, max_bytes: u64) -> Result<FileSettings, Failure> {
        let selection = Selection::new()
            .include(&self.include)
            .and_then(|selection| selection.exclude(&self.exclude))
            .map_err(|error| Failure::Usage(error.to_string()))?
            .hidden(self.hidden);
        Ok(FileSettings { selection, follow_links: self.follow, max_bytes })
    }
}

/// Seconds by the clock for each second of the processor: machines are busy, and laptops sleep.
const CLOCK_FACTOR: u32 = 5;

/// How documents are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading documents")]
pub(crate) struct ReadingOptions {
    /// Maximum size of a document; K, M and G are 2^10, 2^20 and 2^30
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = bytes)]
    max_bytes: u64,
    /// Charset of all text documents, such as windows-1251; overrides detection and labels
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    charset: Option<String>,
    /// Media type of all documents, such as text/html; overrides detection
    #[arg(long, value_name = "TYPE", value_parser = media_type)]
    media_type: Option<String>,
    /// Password for encrypted PDF files
    #[arg(long, value_name = "TEXT")]
    password: Option<String>,
    /// Extract only the main content of HTML pages: the main element, the only article, or the part with nearly all of
    /// the prose; the whole page if none of these can be trusted. The record states which
    #[arg(long)]
    main_content: bool,
    /// Set another limit, such as pages=500 (docs/FORMAT.md lists all); can be repeated
    #[arg(long, value_name = "NAME=NUMBER", value_parser = limit)]
    limit: Vec<Limit>,
    /// Which documents to read in a separate worker process, isolated from the command
    #[arg(long, value_enum, value_name = "WHICH", default_value = "heavy")]
    isolate: Isolate,
    /// Maximum memory for a document in a worker process; a document that needs more is an error. Beyond 512M, only one
    /// process at a time has as much
    #[arg(long, value_name = "BYTES", default_value = "4G", value_parser = bytes)]
    worker_memory: u64,
    /// Maximum CPU time for a document in a worker process; more is an error, as is five times as long by the clock
    #[arg(long, value_name = "SECONDS", default_value = "120")]
    worker_time: u32,
}

/// A limit as typed.
type Limit = (String, u64);

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Isolate {
    /// All documents
    Everything,
    /// PDF, packages such as EPUB and DOCX, RTF, and everything compressed
    Heavy,
    /// None: a document that crashes its parser ends the command
    Never,
}

impl ReadingOptions {
    pub(crate) fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    /// What is made of documents.
    pub(crate) fn settings(&self, scheme: Scheme) -> Settings {
        Settings {
            scheme,
            hints: Hints {
                charset: None,
                explicit_charset: self.charset.clone(),
                media_type: self.media_type.clone(),
                password: self.password.clone(),
                main_content: self.main_content,
            },
            limits: self.limits(),
            ..Settings::default()
        }
    }

    /// The engine that reads them, with so many threads and this memory.
    pub(crate) fn engine(
        &self,
        threads: Option<NonZeroUsize>,
        memory: Option<&MemoryOptions>,
    ) -> Engine {
        let workers = crate::worker::workers();
        let given = EngineSettings::default();
        Engine::new(EngineSettings {
            threads,
            memory: memory.map_or(given.memory, MemoryOptions::bytes),
            temp: memory.and_then(|memory| memory.temp.clone()),
            isolation: match self.isolate {
                Isolate::Everything => Isolation::Everything,
                Isolate::Heavy => Isolation::Heavy,
                Isolate::Never => Isolation::Never,
            },
            workers: PoolOptions {
                workers: threads.unwrap_or(workers.workers),
                memory_bytes: self.worker_memory,
                cpu_seconds: self.worker_time,
                wall: CLOCK_FACTOR * Duration::from_secs(self.worker_time.max(1).into()),
                ..workers
            },
            ..given
        })
    }

    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits { max_input_bytes: self.max_bytes, ..Limits::default() };
        for (name, value) in &self.limit {
            // Parsing has refused names that there are not.
            let _ = limits.set(name, *value);
        }
        limits
    }
}

/// How the work is done and said.
#[derive(Debug, Args)]
#[command(next_help_heading = "Work")]
pub(crate) struct WorkOptions {
    /// Number of threads; results do not depend on it [default: one per processor]
    #[arg(long, short = 'j', value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Print only fatal errors; the exit code still reports failures
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// The scheme of fingerprints.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fingerprints")]
pub(crate) struct SchemeOption {
    /// Scheme of the fingerprints: an id from `nearprint schemes`, seomoz-legacy, a declaration
    /// custom:FEATURES,WEIGHT,HASH,BITS (with idf=FILE for a table made by `nearprint idf`), or a file that contains
    /// one; see docs/SCHEMES.md [default: md1 if texts are compared, else sd1]
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
    /// Scheme of the fingerprints: an id from `nearprint schemes`, seomoz-legacy, a declaration
    /// custom:FEATURES,WEIGHT,HASH,BITS (with idf=FILE for a table made by `nearprint idf`), or a file that contains
    /// one; see docs/SCHEMES.md. Several schemes (sd1,md1, or repeated --scheme) are computed in one pass over the
    /// documents [default: sd1]
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
}

/// A number from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1, such as 0.3".to_owned()),
    }
}

/// A charset that extraction knows: a misspelt one would be skipped in silence.
fn charset(label: &str) -> Result<String, String> {
    if is_charset(label) {
        return Ok(label.to_owned());
    }
    Err("unknown charset; use a label of the Encoding Standard, or utf-32".to_owned())
}

/// A media type that extraction reads.
fn media_type(name: &str) -> Result<String, String> {
    if is_media_type(name) {
        return Ok(name.to_owned());
    }
    let known: Vec<&str> = media_types().collect();
    Err(format!(
        "unsupported media type; supported: {}, and all that end in +xml",
        known.join(", ")
    ))
}

/// `NAME=NUMBER`, the name one of extraction's.
fn limit(text: &str) -> Result<Limit, String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=NUMBER, such as pages=500")?;
    let value = bytes(value)?;
    if name == "input-bytes" {
        return Err("use --max-bytes for this limit".to_owned());
    }
    Limits::default().set(name, value).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), value))
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
