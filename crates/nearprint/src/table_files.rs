//! Files of tables: Parquet and Arrow IPC, read and written by `nearprint-tables`. What the facade takes of that crate
//! is named here, so that a build without the feature `tables` has one twin of it, `table_files_none.rs`.

use std::path::Path;

use nearprint_records::{Container, ErrorRecord, InputFile, ReadSettings, Source};
use nearprint_tables::{TableSource, arrow_lacks, arrow_rows, parquet_lacks, parquet_rows};

pub(crate) use nearprint_tables::{TableFormat, TableWriter, copy_rows_without};
#[cfg(feature = "passages")]
pub(crate) use nearprint_tables::{copy_rows_changed, copy_rows_with_texts};

/// The rows of a table; of another container, its file.
pub(crate) fn documents(
    mut file: InputFile,
    path: Option<&Path>,
    container: Container,
    settings: &ReadSettings,
) -> Result<Box<dyn Source>, ErrorRecord> {
    let (place, fields) = (file.place().clone(), &settings.fields);
    Ok(match (container, path) {
        (Container::Arrow, _) => {
            Box::new(TableSource::of_arrow(file.into_reader(settings), place, fields))
        }
        (Container::Parquet, Some(path)) if !file.is_compressed() => {
            Box::new(TableSource::of_parquet(path, place, fields))
        }
        _ => Box::new(TableSource::of_parquet_stream(file.into_reader(settings), place, fields)),
    })
}

/// Rows that a table says it has.
pub(crate) fn rows(path: &Path, container: Container) -> Option<u64> {
    match container {
        Container::Parquet => parquet_rows(path),
        Container::Arrow => arrow_rows(path),
        _ => None,
    }
}

/// What a table lacks of the columns that are asked for.
pub(crate) fn lacks(path: &Path, container: Container, settings: &ReadSettings) -> Option<String> {
    match container {
        Container::Parquet => parquet_lacks(path, &settings.fields),
        Container::Arrow => {
            let file = InputFile::open(path).ok()?;
            arrow_lacks(file.into_reader(settings), &settings.fields)
        }
        _ => None,
    }
}
