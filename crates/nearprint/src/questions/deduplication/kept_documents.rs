//! The kept documents, written in the form they came in.

mod layout;
mod package;
mod writer;

pub use layout::{KeptLayout, KeptOutput};
#[cfg(feature = "passages")]
pub(crate) use package::DroppedCaptures;
pub use writer::KeptWriter;

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use nearprint_records::{
    DocumentId, ReasonCode, copy_elements_without, copy_without, escape, mixed_compression,
};

use super::{Decisions, DedupDocuments};
use crate::table_files::copy_rows_without;
use crate::{Error, ErrorKind};

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct WrittenCounts {
    /// Files.
    pub files: u64,
    /// Bytes in them.
    pub bytes: u64,
    /// Files that are not written because they could not be read in the first place; each was told as an error.
    pub unreadable: u64,
    /// Rows of tables that are not written because they cannot be read in all columns: the file, escaped as ids are,
    /// and their numbers.
    pub unreadable_rows: Vec<(Box<str>, RangeInclusive<u64>)>,
    /// Packages that were signed and are not any more, as they changed: the files, escaped as ids are.
    pub unsigned: Vec<Box<str>>,
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
                write!(f, "cannot write the kept documents of {file}: {error}")
            }
            Self::Output(error) => write!(f, "cannot write the kept documents: {error}"),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl std::error::Error for KeptError {}

impl KeptError {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Decisions(error) => error.kind(),
            Self::Copy { .. } | Self::Output(_) => ErrorKind::Io,
            Self::Cancelled => ErrorKind::Cancelled,
        }
    }
}

impl From<Error> for KeptError {
    fn from(error: Error) -> Self {
        Self::Decisions(error)
    }
}

impl Decisions {
    /// Writes all that is kept: of files that hold many documents everything but the documents dropped, byte for byte
    /// (the header of a table and lines that are not documents stay too); files that are documents themselves are
    /// copied or not, and one that holds translations of itself is copied if any of them is kept. Parquet and Arrow are
    /// written again without the rows dropped, with their schema and metadata, where there are any. A file that is
    /// reached by several paths is written once, by the first. `files` are those of the input: of which there is no
    /// document (an archive of revisits, a table without rows) is copied. Files that could not be read are left out,
    /// and counted.
    ///
    /// # Errors
    /// Where a file cannot be read any more or has changed, or the output cannot be written; nothing appears then.
    pub fn write_kept(
        &self,
        gathered: &mut DedupDocuments,
        mut writing: KeptWriter<'_>,
        files: impl IntoIterator<Item = PathBuf>,
    ) -> Result<WrittenCounts, KeptError> {
        // All files met, and whether they were written.
        let mut met: HashMap<Box<str>, bool> = HashMap::new();
        let mut next = gathered.references();
        while next < gathered.log.len() {
            writing.go_on()?;
            let file = self.file_from(gathered, next)?;
            next = file.documents.end;
            // Another path to a file is written where that is a reference, and so is not written itself.
            if file.read_as.as_ref().is_some_and(|first| met.contains_key(first.as_str())) {
                met.insert(file.name, true);
                continue;
            }
            if !file.was_readable {
                writing.written.unreadable += u64::from(!met.contains_key(&file.name));
            }
            let written = met.entry(file.name.clone()).or_default();
            if *written
                || !file.was_readable
                || (file.is_document && !file.documents.clone().any(|at| self.keeps(gathered, at)))
            {
                continue;
            }
            *written = true;
            let path = path_of(&file.name)
                .map_err(|error| KeptError::Copy { file: file.name.clone(), error })?;
            let wrapper = file.wrapper.as_deref();
            let documents = file.documents.clone();
            let mut unreadable = Vec::new();
            if self.changes_package(gathered, &file) {
                let mut lost_signature = false;
                let (watch, reading) = (writing.watch(), writing.read_settings());
                writing.copy(&file.name, &path, |to| {
                    let copy =
                        self.write_package(gathered, (&file, &path), (&watch, &reading), to)?;
                    lost_signature = copy.lost_signature;
                    Ok(copy.bytes)
                })?;
                writing.written.unsigned.extend(lost_signature.then_some(file.name));
                continue;
            }
            let has_rows = file.has_rows && documents.clone().any(|at| !self.keeps(gathered, at));
            writing.copy(&file.name, &path, |to| {
                if has_rows {
                    let dropped =
                        documents.filter_map(|at| self.dropped_row(gathered, at).transpose());
                    let copied = copy_rows_without(&path, dropped, to)?;
                    unreadable = copied.unreadable;
                    return Ok(copied.bytes);
                }
                if let Some(written) = self.with_its_revisits(&file.name, &path, to) {
                    return written;
                }
                if file.is_document {
                    return copy_without(&path, None, [], to);
                }
                let dropped =
                    documents.filter_map(|at| self.dropped(gathered, at, wrapper).transpose());
                if file.is_array {
                    return copy_elements_without(&path, wrapper, dropped, to);
                }
                copy_without(&path, wrapper, dropped, to)
            })?;
            let named = unreadable.into_iter().map(|rows| (file.name.clone(), rows));
            writing.written.unreadable_rows.extend(named);
        }
        for path in files {
            writing.go_on()?;
            let name = escape(path.as_os_str().as_encoded_bytes()).into_boxed_str();
            if met.insert(name.clone(), true).is_none() {
                writing.copy(&name, &path, |to| {
                    let written = self.with_its_revisits(&name, &path, to);
                    written.unwrap_or_else(|| copy_without(&path, None, [], to))
                })?;
            }
        }
        writing.finish()
    }

    /// Writes a WARC file where its captures become revisits.
    fn with_its_revisits(
        &self,
        name: &str,
        path: &Path,
        to: &mut (dyn Write + Send),
    ) -> Option<io::Result<u64>> {
        self.revisits().and_then(|revisits| revisits.write(name, path, to))
    }

    /// The file that a document is of, with all of its documents that follow.
    fn file_from(&self, gathered: &mut DedupDocuments, first: u64) -> Result<FileOf, Error> {
        let logged = gathered.log.get(first).map_err(Error::TemporaryFile)?;
        let place = logged.place.clone();
        let never_opened = [
            ReasonCode::UNREADABLE,
            ReasonCode::NOT_A_FILE,
            ReasonCode::LINK_LOOP,
            ReasonCode::BAD_ID,
        ];
        let read_as = logged.first.clone();
        let failed = logged.reason.as_ref().is_some_and(|reason| never_opened.contains(reason));
        let is_package = place.member.is_some();
        let is_document = place.offset.is_none() && place.row.is_none() && !is_package;
        // Elements of arrays have a row and a stretch.
        let (has_rows, is_array) = (
            !is_document && !is_package && place.offset.is_none(),
            place.offset.is_some() && place.row.is_some(),
        );
        let (name, documents) = (place.file, first..first + 1);
        let was_readable = !(is_document && failed);
        let mut file = FileOf {
            name,
            read_as,
            documents,
            is_document,
            was_readable,
            has_rows,
            is_array,
            is_package,
            wrapper: None,
        };
        let mut document = first;
        if file.is_document {
            // Translations that the document holds follow it.
            while file.documents.end < gathered.log.len() {
                let next = gathered.log.get(file.documents.end).map_err(Error::TemporaryFile)?;
                if next.place.file != file.name || next.place.offset.is_none() {
                    break;
                }
                file.documents.end += 1;
            }
        }
        while !file.is_document {
            // Stretches are counted as the places of what is dropped are.
            if file.wrapper.is_none() && !self.keeps(gathered, document) {
                let place = &gathered.log.get(document).map_err(Error::TemporaryFile)?.place;
                file.wrapper.clone_from(&place.wrapper);
            }
            document += 1;
            if document == gathered.log.len()
                || gathered.log.get(document).map_err(Error::TemporaryFile)?.place.file != file.name
            {
                break;
            }
            file.documents.end = document + 1;
        }
        Ok(file)
    }

    /// The bytes of a document within its file, where it is dropped.
    fn dropped(
        &self,
        gathered: &mut DedupDocuments,
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
            return Err(mixed_compression());
        }
        Ok(Some(start..start + length))
    }

    /// The row of its table that a document is, where it is dropped.
    fn dropped_row(&self, gathered: &mut DedupDocuments, document: u64) -> io::Result<Option<u64>> {
        if self.keeps(gathered, document) {
            return Ok(None);
        }
        Ok(gathered.log.get(document)?.place.row)
    }
}

/// A file of the input.
struct FileOf {
    /// Its path, escaped as ids are.
    name: Box<str>,
    /// The path by which it was read, where that is another one.
    read_as: Option<DocumentId>,
    /// Its documents, by number.
    documents: Range<u64>,
    /// Whether it is one document itself, whose translations, if it holds any, are its other documents.
    is_document: bool,
    /// Whether there was anything to read: opening it now might wait for ever, as that of a pipe does.
    was_readable: bool,
    /// Whether its documents are rows of Parquet or Arrow, which lie in no stretch of it.
    has_rows: bool,
    /// Whether its documents are elements of a JSON array, between which there are commas.
    is_array: bool,
    /// Whether its documents are in members of a package.
    is_package: bool,
    /// The compression that was undone before the places of its documents were counted.
    wrapper: Option<Box<str>>,
}

/// The path that an escaped name was made from.
fn path_of(name: &str) -> io::Result<PathBuf> {
    let path = DocumentId::new(name).ok().and_then(|id| id.to_path());
    path.filter(|path| path.as_os_str() != "-").ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::InvalidInput,
            "standard input cannot be read a second time; write it to a file first",
        )
    })
}
