//! The kept documents, written in the form they came in.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use nearprint_records::{DocumentId, FinishedFile, FinishedFolder, copy_without};
use nearprint_tables::copy_rows_without;

use super::{Decisions, Gathered};
use crate::{CancelFlag, Error};

/// Where kept documents go: which file of the input becomes which of the output.
///
/// - One file is named: the output is a file.
/// - One directory is named: the output is a directory with the same files below it.
/// - Several are named: the output is a directory, and in it each has the path it was named by, less root and dots.
#[derive(Debug, Clone)]
pub struct KeptLayout {
    /// The directory that was named, where it was the only input.
    root: Option<PathBuf>,
    out: PathBuf,
    single: bool,
}

/// The output on its way.
#[derive(Debug)]
pub enum KeptOutput {
    /// One file.
    File(FinishedFile),
    /// Several, in a directory.
    Folder(FinishedFolder),
}

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Written {
    /// Files.
    pub files: u64,
    /// Octets in them.
    pub octets: u64,
}

/// Why kept documents could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum KeptError {
    /// The decisions could not be read.
    Decisions(Error),
    /// A file of the input could not be copied.
    Copy {
        /// The file, escaped as ids are.
        file: Box<str>,
        /// Why.
        error: io::Error,
    },
    /// The output could not be finished.
    Output(io::Error),
    /// It was cancelled.
    Cancelled,
}

impl fmt::Display for KeptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decisions(error) => error.fmt(f),
            Self::Copy { file, error } => {
                write!(f, "the kept documents of {file} cannot be written: {error}")
            }
            Self::Output(error) => write!(f, "the kept documents cannot be written: {error}"),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl std::error::Error for KeptError {}

impl From<Error> for KeptError {
    fn from(error: Error) -> Self {
        Self::Decisions(error)
    }
}

impl KeptLayout {
    /// The layout at `out` of these inputs, as they were named, and perhaps further ones.
    #[must_use]
    pub fn new(inputs: &[PathBuf], further: bool, out: &Path) -> Self {
        let only = match inputs {
            [only] if !further => Some(only),
            _ => None,
        };
        let root = only.filter(|only| only.is_dir()).cloned();
        Self { single: only.is_some() && root.is_none(), root, out: out.to_owned() }
    }

    /// Begins the output.
    ///
    /// # Errors
    /// Where it cannot be made, or would replace a directory that is not empty.
    pub fn begin(&self) -> io::Result<KeptOutput> {
        Ok(if self.single {
            KeptOutput::File(FinishedFile::create(&self.out)?)
        } else {
            KeptOutput::Folder(FinishedFolder::create(&self.out)?)
        })
    }

    /// The path of a file of the input below the output directory.
    fn below(&self, file: &Path) -> PathBuf {
        let within = self.root.as_ref().and_then(|root| file.strip_prefix(root).ok());
        let parts = within.unwrap_or(file).components();
        parts.filter(|part| matches!(part, Component::Normal(_))).collect()
    }
}

impl KeptOutput {
    /// Where it is until it is finished, for whoever must clean up before the process ends.
    #[must_use]
    pub fn part(&self) -> &Path {
        match self {
            Self::File(file) => file.part(),
            Self::Folder(folder) => folder.part(),
        }
    }
}

impl Decisions {
    /// Writes all that is kept: of files that hold many documents everything but the documents dropped, byte for byte (the header of a
    /// table and lines that are no documents stay too); files that are documents themselves are copied or not. Parquet and Arrow are written
    /// anew without the rows dropped, with their schema and metadata, where there are any ([`copy_rows_without`]). A file named twice is
    /// written once, as the first time.
    ///
    /// # Errors
    /// Where a file cannot be read or has changed, or the output cannot be written; nothing appears then.
    pub fn write_kept(
        &self,
        gathered: &mut Gathered,
        layout: &KeptLayout,
        output: KeptOutput,
        cancel: &CancelFlag,
    ) -> Result<Written, KeptError> {
        let mut written = Written::default();
        let mut output = output;
        let mut done = HashSet::new();
        let mut next = gathered.references();
        while next < gathered.log.len() {
            if cancel.is_cancelled() {
                return Err(KeptError::Cancelled);
            }
            let file = self.file_from(gathered, next)?;
            next = file.documents.end;
            if (file.is_document && !self.keeps(gathered, file.documents.start))
                || !done.insert(file.name.clone())
            {
                continue;
            }
            let name = file.name.clone();
            let failed = |error| KeptError::Copy { file: name.clone(), error };
            let path = path_of(&file.name).map_err(failed)?;
            let wrapper = file.wrapper.as_deref();
            let has_rows =
                file.has_rows && file.documents.clone().any(|at| !self.keeps(gathered, at));
            let mut copy = |to: &mut (dyn Write + Send)| {
                if has_rows {
                    let rows = file.documents.clone();
                    let dropped = rows.filter_map(|at| self.dropped_row(gathered, at).transpose());
                    return copy_rows_without(&path, dropped, to);
                }
                let stretches = file.documents.clone();
                let dropped =
                    stretches.filter_map(|at| self.dropped(gathered, at, wrapper).transpose());
                copy_without(&path, wrapper, dropped, to)
            };
            written.files += 1;
            written.octets += match &mut output {
                KeptOutput::File(to) => copy(to),
                KeptOutput::Folder(folder) => {
                    folder.file(&layout.below(&path)).and_then(|mut to| {
                        let octets = copy(&mut to)?;
                        to.sync_all()?;
                        Ok(octets)
                    })
                }
            }
            .map_err(failed)?;
        }
        let finished = match output {
            KeptOutput::File(file) => file.finish(),
            KeptOutput::Folder(folder) => folder.finish(),
        };
        finished.map_err(KeptError::Output)?;
        Ok(written)
    }

    /// The file that a document is of, with all of its documents that follow.
    fn file_from(&self, gathered: &mut Gathered, first: u64) -> Result<FileOf, Error> {
        let place = gathered.log.get(first).map_err(Error::Features)?.place.clone();
        let (is_document, has_rows) = match (place.offset, place.row) {
            (None, None) => (true, false),
            (offset, _) => (false, offset.is_none()),
        };
        let (name, documents) = (place.file, first..first + 1);
        let mut file = FileOf { name, documents, is_document, has_rows, wrapper: None };
        let mut document = first;
        while !file.is_document {
            // Stretches are counted as the places of what is dropped are.
            if file.wrapper.is_none() && !self.keeps(gathered, document) {
                let place = &gathered.log.get(document).map_err(Error::Features)?.place;
                file.wrapper.clone_from(&place.wrapper);
            }
            document += 1;
            if document == gathered.log.len()
                || gathered.log.get(document).map_err(Error::Features)?.place.file != file.name
            {
                break;
            }
            file.documents.end = document + 1;
        }
        Ok(file)
    }

    /// The octets of a document within its file, where it is dropped.
    fn dropped(
        &self,
        gathered: &mut Gathered,
        document: u64,
        wrapper: Option<&str>,
    ) -> io::Result<Option<Range<u64>>> {
        if self.keeps(gathered, document) {
            return Ok(None);
        }
        let place = &gathered.log.get(document)?.place;
        // A file that is a document is copied or not.
        let (Some(start), Some(length)) = (place.offset, place.length) else { return Ok(None) };
        if place.wrapper.as_deref() != wrapper {
            return Err(refused(
                "some of its records are compressed alone and others together: compress each alone, or none",
            ));
        }
        Ok(Some(start..start + length))
    }

    /// The row of its table that a document is, where it is dropped.
    fn dropped_row(&self, gathered: &mut Gathered, document: u64) -> io::Result<Option<u64>> {
        if self.keeps(gathered, document) {
            return Ok(None);
        }
        Ok(gathered.log.get(document)?.place.row)
    }
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, why)
}

/// A file of the input.
struct FileOf {
    /// Its path, escaped as ids are.
    name: Box<str>,
    /// Its documents, by number.
    documents: Range<u64>,
    /// Whether it is one document itself.
    is_document: bool,
    /// Whether its documents are rows of Parquet or Arrow, which lie in no stretch of it.
    has_rows: bool,
    /// The compression that was undone before the places of its documents were counted.
    wrapper: Option<Box<str>>,
}

/// The path that an escaped name was made from.
fn path_of(name: &str) -> io::Result<PathBuf> {
    let path = DocumentId::new(name).ok().and_then(|id| id.to_path());
    path.filter(|path| path.as_os_str() != "-").ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::InvalidInput,
            "it cannot be read a second time: put what comes on standard input into a file",
        )
    })
}
