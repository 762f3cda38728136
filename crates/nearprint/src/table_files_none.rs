//! Files of tables in a build without the feature `tables`: recognised, and refused.

use std::convert::Infallible;
use std::io::{self, Write};
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::path::Path;

use nearprint_fingerprint::Scheme;
use nearprint_records::{
    Container, ErrorRecord, InputFile, ReadSettings, ReasonCode, Source, TableRow,
};

/// What refuses a table, to read it or to write it.
fn refusal(work: &str, what: &str) -> String {
    format!("this build does not {work} {what}: compile it with the feature \"tables\"")
}

/// Refuses a table.
pub(crate) fn documents(
    file: InputFile,
    _: Option<&Path>,
    container: Container,
    _: &ReadSettings,
) -> Result<Box<dyn Source>, ErrorRecord> {
    let detail = refusal("read", &container.to_string()).into();
    let (place, reason) = (file.place().clone(), ReasonCode::BAD_FILE);
    Err(ErrorRecord { id: None, place, reason, detail })
}

/// Of no table it is known.
pub(crate) fn rows(_: &Path, _: Container) -> Option<u64> {
    None
}

/// Tables are refused when they are read.
pub(crate) fn lacks(_: &Path, _: Container, _: &ReadSettings) -> Option<String> {
    None
}

/// What would be written of a table.
pub(crate) struct CopiedRows {
    pub(crate) bytes: u64,
    pub(crate) unreadable: Vec<RangeInclusive<u64>>,
    #[cfg(feature = "passages")]
    pub(crate) keeps_texts: bool,
}

/// Refuses to copy a table, of which no row was read.
pub(crate) fn copy_rows_without(
    _: &Path,
    _: impl IntoIterator<Item = io::Result<u64>, IntoIter: Send>,
    _: &mut (dyn Write + Send),
) -> io::Result<CopiedRows> {
    Err(io::Error::new(io::ErrorKind::Unsupported, refusal("write", "tables")))
}

/// The same with other texts in some rows.
#[cfg(feature = "passages")]
pub(crate) fn copy_rows_with_texts(
    path: &Path,
    _: &str,
    _: impl IntoIterator<Item = io::Result<(u64, String)>, IntoIter: Send>,
    to: &mut (dyn Write + Send),
) -> io::Result<CopiedRows> {
    copy_rows_without(path, [], to)
}

/// The same without others.
#[cfg(feature = "passages")]
pub(crate) fn copy_rows_changed(
    path: &Path,
    _: &str,
    _: impl IntoIterator<Item = io::Result<(u64, Option<String>)>, IntoIter: Send>,
    to: &mut (dyn Write + Send),
) -> io::Result<CopiedRows> {
    copy_rows_without(path, [], to)
}

/// Forms of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableFormat {
    Parquet,
    ArrowFile,
    ArrowStream,
}

/// A writer of tables, of which there is none.
pub(crate) struct TableWriter<W>(Infallible, PhantomData<W>);

impl<W: Write> TableWriter<W> {
    // Its rows are named as for the writer that there is.
    #[allow(clippy::extra_unused_type_parameters)]
    pub(crate) fn new<R: TableRow>(format: TableFormat, _: Scheme, _: W) -> io::Result<Self> {
        let what = match format {
            TableFormat::Parquet => "Parquet",
            TableFormat::ArrowFile | TableFormat::ArrowStream => "Arrow",
        };
        Err(io::Error::new(io::ErrorKind::Unsupported, refusal("write", what)))
    }

    pub(crate) fn write<R: TableRow>(&mut self, _: &R) -> io::Result<()> {
        match self.0 {}
    }

    pub(crate) fn finish(self) -> io::Result<W> {
        match self.0 {}
    }
}
