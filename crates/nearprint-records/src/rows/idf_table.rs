//! `nearprint/idf-table/1`: a table of inverse document frequencies that was made.

use std::io::{self, Write};

use serde::Serialize;

use crate::Row;

/// What was counted. Text form: the scheme's declaration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct IdfTableRow {
    /// The declaration of the scheme that weighs by the table, with the table's digest.
    pub scheme: String,
    /// The scheme's id.
    pub id: String,
    /// The table's digest.
    pub digest: String,
    /// The features counted, as a declaration names them.
    pub counted: String,
    /// The documents counted: those with a feature.
    pub documents: u32,
    /// The least number of documents a feature of the table is in.
    pub least: u32,
    /// The features in the table.
    pub entries: u64,
}

impl Row for IdfTableRow {
    const SCHEMA: &'static str = "nearprint/idf-table/1";

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.scheme)
    }
}
