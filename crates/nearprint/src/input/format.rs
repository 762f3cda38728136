//! What an input is taken for, by name.

use std::fmt;
use std::str::FromStr;

use nearprint_records::Container;

/// What named files are taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InputFormat {
    /// Each for what its content says: a container of documents, or one document.
    #[default]
    Auto,
    /// Each for one document.
    Files,
    /// Each for a container of this form.
    Container(Container),
}

impl InputFormat {
    /// The names by which formats are parsed.
    pub const NAMES: [&'static str; 12] = [
        "auto", "files", "warc", "arc", "wacz", "jsonl", "json", "csv", "tsv", "mbox", "parquet",
        "arrow",
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Files => "files",
            Self::Container(Container::Warc) => "warc",
            Self::Container(Container::Arc) => "arc",
            Self::Container(Container::Wacz) => "wacz",
            Self::Container(Container::JsonLines) => "jsonl",
            Self::Container(Container::JsonArray) => "json",
            Self::Container(Container::Csv) => "csv",
            Self::Container(Container::Tsv) => "tsv",
            Self::Container(Container::Mbox) => "mbox",
            Self::Container(Container::Parquet) => "parquet",
            Self::Container(Container::Arrow) => "arrow",
        }
    }
}

impl FromStr for InputFormat {
    type Err = UnknownInputFormat;

    fn from_str(name: &str) -> Result<Self, UnknownInputFormat> {
        Ok(match name {
            "auto" => Self::Auto,
            "files" => Self::Files,
            "warc" => Self::Container(Container::Warc),
            "arc" => Self::Container(Container::Arc),
            "wacz" => Self::Container(Container::Wacz),
            "jsonl" => Self::Container(Container::JsonLines),
            "json" => Self::Container(Container::JsonArray),
            "csv" => Self::Container(Container::Csv),
            "tsv" => Self::Container(Container::Tsv),
            "mbox" => Self::Container(Container::Mbox),
            "parquet" => Self::Container(Container::Parquet),
            "arrow" => Self::Container(Container::Arrow),
            _ => return Err(UnknownInputFormat { name: name.to_owned() }),
        })
    }
}

/// A name that is no [`InputFormat`]'s.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownInputFormat {
    name: String,
}

impl fmt::Display for UnknownInputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = InputFormat::NAMES.join(", ");
        write!(f, "unknown input format \"{}\"; use one of {names}", self.name.escape_debug())
    }
}

impl std::error::Error for UnknownInputFormat {}
