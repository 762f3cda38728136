//! Whether a table has the columns that are asked for, by its schema alone.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Mutex;

use arrow_schema::Schema;
use nearprint_records::TableFields;

use crate::decoder_thread::apart;
use crate::rows::ColumnSelection;
use crate::{arrow_reader, parquet_reader};

/// Why the columns asked for cannot be read of a Parquet file, with the names of those there are; `None` if they
/// can, and where the file is damaged, which whoever reads its rows says.
#[must_use]
pub fn parquet_lacks(path: &Path, fields: &TableFields) -> Option<String> {
    lacks(fields, |find| {
        let file = File::open(path).map_err(|error| error.to_string())?;
        parquet_reader::open(file, 0, find).map(drop)
    })
}

/// The same of Arrow IPC.
#[must_use]
pub fn arrow_lacks(reader: impl Read + Send + 'static, fields: &TableFields) -> Option<String> {
    lacks(fields, |find| arrow_reader::open(reader, find).map(drop))
}

fn lacks(
    fields: &TableFields,
    open: impl FnOnce(&dyn Fn(&Schema) -> Result<ColumnSelection, String>) -> Result<(), String> + Send,
) -> Option<String> {
    // What the search of columns says, apart from all else that can go wrong.
    let said = Mutex::new(None);
    let _ = apart(|| {
        open(&|schema| {
            ColumnSelection::find(schema, fields).inspect_err(|why| {
                if let Ok(mut said) = said.lock() {
                    *said = Some(why.clone());
                }
            })
        })
    });
    said.into_inner().ok().flatten()
}
