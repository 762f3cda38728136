//! `nearprint/scheme/1`: a scheme's row of the standard's table.

use std::io::{self, Write};

use nearprint_fingerprint::Scheme;
use serde::Serialize;

use crate::Row;

/// What a scheme is made of. Text form: the values in the order of the fields, separated by tabs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SchemeRow {
    /// The id, as in fingerprints' strings.
    pub id: String,
    /// The long name.
    pub name: String,
    /// How hashes become a fingerprint.
    pub family: String,
    /// What is hashed.
    pub features: String,
    /// How much each counts.
    pub weight: String,
    /// By what it is hashed.
    pub token_hash: String,
    /// Positions in which two fingerprints can differ: bits, for simhashes.
    pub positions: u32,
    /// Size of a fingerprint in bytes.
    pub bytes: u64,
    /// The greatest distance of a close match.
    pub close: u32,
    /// The greatest distance of a loose match.
    pub loose: u32,
    /// The distance used where none is named.
    pub default_distance: u32,
    /// Documents of fewer token occurrences are short.
    pub short_below: u64,
}

impl From<Scheme> for SchemeRow {
    fn from(scheme: Scheme) -> Self {
        Self {
            id: scheme.id().to_owned(),
            name: scheme.name().to_owned(),
            family: scheme.family().to_string(),
            features: scheme.features().to_string(),
            weight: scheme.weight().to_string(),
            token_hash: scheme.token_hash().to_string(),
            positions: scheme.positions(),
            bytes: scheme.bytes() as u64,
            close: scheme.close(),
            loose: scheme.loose(),
            default_distance: scheme.default_distance(),
            short_below: scheme.short_below(),
        }
    }
}

impl SchemeRow {
    /// Names of the columns of the text form.
    pub const COLUMNS: [&'static str; 12] = [
        "id",
        "name",
        "family",
        "features",
        "weight",
        "token hash",
        "positions",
        "bytes",
        "close",
        "loose",
        "default",
        "short below",
    ];

    /// The columns of the text form.
    #[must_use]
    pub fn columns(&self) -> [String; 12] {
        [
            self.id.clone(),
            self.name.clone(),
            self.family.clone(),
            self.features.clone(),
            self.weight.clone(),
            self.token_hash.clone(),
            self.positions.to_string(),
            self.bytes.to_string(),
            self.close.to_string(),
            self.loose.to_string(),
            self.default_distance.to_string(),
            self.short_below.to_string(),
        ]
    }
}

impl Row for SchemeRow {
    const SCHEMA: &'static str = "nearprint/scheme/1";

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.columns().join("\t"))
    }
}
