//! The tables of an index: by them queries find what is near, without reading all documents.
//!
//! Documents are in segments on disk ([`crate::segment`]), and the newest ones in memory. Tables are made of the store,
//! and hold nothing that is not there.

pub(crate) mod band_table;
pub(crate) mod copied_tables;
mod nearest;
pub(crate) mod removed_numbers;
pub(crate) mod segment_writer;
pub(crate) mod sketch_print;
pub(crate) mod table_print;
pub(crate) mod table_set;
pub(crate) mod word_print;

use std::path::Path;

use nearprint::fingerprint::{Family, Scheme};
use nearprint::search::Sketch;

use crate::IndexError;
use crate::store::description::Description;
use crate::tables::copied_tables::Tables;
use crate::tables::table_set::TableSet;

/// The tables for a scheme.
pub(crate) fn of_scheme(scheme: Scheme) -> Box<dyn TableSet> {
    match (scheme.family(), scheme.positions()) {
        (Family::Sketch, _) => Box::new(Tables::<Sketch>::new()),
        (_, 32) => Box::new(Tables::<u32>::new()),
        (_, 128) => Box::new(Tables::<u128>::new()),
        _ => Box::new(Tables::<u64>::new()),
    }
}

/// The files of tables in a directory that the store does not name: left by a process that was ended.
pub(crate) fn remove_leavings(index: &Path, named: &[Description]) -> Result<(), IndexError> {
    let directory = Description::directory(index);
    for entry in std::fs::read_dir(&directory).map_err(IndexError::io(&directory))? {
        let path = entry.map_err(IndexError::io(&directory))?.path();
        let is_tables = path.extension().is_some_and(|ending| ending == "tables");
        if is_tables && named.iter().all(|named| named.path(index) != path) {
            std::fs::remove_file(&path).map_err(IndexError::io(&path))?;
        }
    }
    Ok(())
}
