//! Options that several verbs share, as typed; what they mean is decided where they are resolved.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nearprint::Settings;
use nearprint::extract::{Hints, Limits};
use nearprint::fingerprint::{Family, Scheme};
use nearprint::records::{FileSettings, Format, Selection};
use nearprint::search::MAX_JOIN_DISTANCE;

use crate::ending::Failure;

/// Which files are taken.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct FileOptions {
    /// Read further paths from FILE, set apart by NUL as by `find -print0`; - is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) files0_from: Option<PathBuf>,
    /// Of directories, take only files that match; a glob without / matches names, with / paths below the directory
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Of directories, leave out files and directories that match
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Of directories, take names that begin with a dot too
    #[arg(long)]
    hidden: bool,
    /// In directories, follow links
    #[arg(long)]
    follow: bool,
}

impl FileOptions {
    pub(crate) fn settings(&self, max_bytes: u64) -> Result<FileSettings, Failure> {
        let selection = Selection::new()
            .include(&self.include)
            .and_then(|selection| selection.exclude(&self.exclude))
            .map_err(|error| Failure::Usage(error.to_string()))?
            .hidden(self.hidden);
        Ok(FileSettings { selection, follow_links: self.follow, max_bytes })
    }
}

/// How documents are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading documents")]
pub(crate) struct ReadingOptions {
    /// Refuse documents of more bytes; K, M and G stand for 2^10, 2^20 and 2^30
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = bytes)]
    max_bytes: u64,
    /// The charset of all documents, e.g. windows-1251
    #[arg(long, value_name = "LABEL")]
    charset: Option<String>,
    /// The media type of all documents, e.g. text/html
    #[arg(long, value_name = "TYPE")]
    media_type: Option<String>,
    /// The password of encrypted documents
    #[arg(long, value_name = "TEXT")]
    password: Option<String>,
}

impl ReadingOptions {
    pub(crate) fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    pub(crate) fn settings(&self, scheme: Scheme, threads: Option<NonZeroUsize>) -> Settings {
        Settings {
            scheme,
            hints: Hints {
                charset: self.charset.clone(),
                media_type: self.media_type.clone(),
                password: self.password.clone(),
            },
            limits: Limits { max_input_bytes: self.max_bytes, ..Limits::default() },
            threads,
            ..Settings::default()
        }
    }
}

/// How the work is done and said.
#[derive(Debug, Args)]
#[command(next_help_heading = "Work")]
pub(crate) struct WorkOptions {
    /// Threads to work with; one for each processor where not given. Results do not depend on it
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Say nothing on standard error but what stops the whole; the exit code still tells
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// The scheme of fingerprints.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fingerprints")]
pub(crate) struct SchemeOption {
    /// The scheme of the fingerprints, sd1 where not given; `nearprint schemes` lists them
    #[arg(long, value_name = "ID")]
    scheme: Option<Scheme>,
}

impl SchemeOption {
    pub(crate) fn or(&self, fallback: Scheme) -> Scheme {
        self.scheme.unwrap_or(fallback)
    }
}

/// Where results go.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputOptions {
    /// How results are written; docs/FORMAT.md states both
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    format: RowFormat,
    /// Write to FILE, which appears only when it is whole; - is standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl OutputOptions {
    pub(crate) fn format(&self) -> Format {
        match self.format {
            RowFormat::Text => Format::Text,
            RowFormat::Jsonl => Format::Jsonl,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum RowFormat {
    /// Lines with columns set apart by tabs
    Text,
    /// One JSON object a line, naming its schema
    Jsonl,
}

/// How near is near.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct DistanceOptions {
    /// Find what differs in K bits or fewer (of a sketch, positions); the scheme's default where not given (3 for sd1)
    #[arg(long, short = 'k', value_name = "K", group = "how-near")]
    distance: Option<u32>,
    /// Find close matches: at most 1 bit of 64 for sd1
    #[arg(long, group = "how-near")]
    close: bool,
    /// Find loose matches: at most 6 bits of 64 for sd1
    #[arg(long, group = "how-near")]
    loose: bool,
}

impl DistanceOptions {
    /// The distance for a join, which serves distances up to a bound.
    pub(crate) fn of_join(&self, scheme: Scheme) -> Result<u32, Failure> {
        match self.of(scheme) {
            distance if scheme.family() == Family::Sketch => Ok(distance.min(scheme.positions())),
            distance if distance <= MAX_JOIN_DISTANCE => Ok(distance),
            distance => Err(Failure::Usage(format!(
                "pairs are searched within {MAX_JOIN_DISTANCE} bits at most, not {distance}: give a smaller distance"
            ))),
        }
    }

    /// Whether the user said how near.
    pub(crate) fn is_given(&self) -> bool {
        self.distance.is_some() || self.close || self.loose
    }

    pub(crate) fn of(&self, scheme: Scheme) -> u32 {
        match (self.distance, self.close, self.loose) {
            (Some(distance), ..) => distance,
            (None, true, _) => scheme.close(),
            (None, false, true) => scheme.loose(),
            (None, false, false) => scheme.default_distance(),
        }
    }
}

/// A number of octets, with an optional K, M or G.
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
        "give a whole number, with K, M or G behind it if you like: 500000, 64M".to_owned()
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
