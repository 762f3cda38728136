//! Training data without the documents that have items of a test, or without what a rule cuts out of these, in the form
//! it came in.

use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use nearprint_records::{
    BytesChange, DocumentId, JsonTextCut, PackageArchive, Place, Source, StretchChange,
    copy_changed, copy_elements_changed, copy_elements_without, copy_package, copy_without, escape,
    mixed_compression,
};

use super::text_cuts::BETWEEN;
use super::text_cutter::{CutText, TextCutter, is_file};
use crate::questions::deduplication::DroppedCaptures;
use crate::table_files::{copy_rows_changed, copy_rows_without};
use crate::{InputSettings, InputSource, KeptError, KeptWriter, WrittenCounts};

/// What was written of training data.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CleanCounts {
    /// The files.
    pub written: WrittenCounts,
    /// Documents out of which something was cut.
    pub cut: u64,
    /// Documents that are left out.
    pub dropped: u64,
}

/// Writes files without some of their documents; with a cutter, only what it cuts out of these goes, and the whole
/// document where it leaves nothing or cannot cut.
pub(super) fn write_clean(
    documents: &HashSet<DocumentId>,
    cutter: Option<&TextCutter>,
    mut writing: KeptWriter<'_>,
    files: impl IntoIterator<Item = PathBuf>,
    settings: &InputSettings,
) -> Result<CleanCounts, KeptError> {
    let rows = JsonTextCut::new(&settings.reading.fields);
    let rows = rows.map_err(|error| KeptError::Output(io::Error::other(error.to_string())))?;
    let copies = CleanCopies {
        settings,
        cuts: cutter.is_some(),
        rows: rows.joined_by(BETWEEN),
        cut: AtomicU64::new(0),
        dropped: AtomicU64::new(0),
    };
    let (mut unreadable, mut unsigned) = (Vec::new(), Vec::new());
    for path in files {
        writing.go_on()?;
        if !writing.takes(&path) {
            continue;
        }
        let name = escape(path.as_os_str().as_encoded_bytes());
        let one = std::iter::once(Ok(path.clone()));
        let mut source = InputSource::from_results(one, settings.clone());
        let next = move || {
            let found = std::iter::from_fn(|| source.next_document())
                .flatten()
                .find(|document| documents.contains(&document.id))?;
            let place = found.place.clone();
            Some((place, cutter.and_then(|cutter| cutter.cut(found))))
        };
        let mut edits = std::iter::from_fn(next).peekable();
        let Some((first, text)) = edits.peek() else {
            writing.copy(&name, &path, |to| copy_without(&path, None, [], to))?;
            continue;
        };
        if is_file(first) {
            let Some(CutText { left, .. }) = text else {
                copies.note(false);
                continue;
            };
            copies.note(true);
            writing.copy(&name, &path, |to| {
                to.write_all(left.as_bytes())?;
                Ok(left.len() as u64)
            })?;
            continue;
        }
        let first = first.clone();
        let mut file = FileCopy::default();
        writing.copy(&name, &path, |to| copies.write(&path, &first, edits, &mut file, to))?;
        unreadable.extend(file.unreadable.into_iter().map(|rows| (name.as_str().into(), rows)));
        unsigned.extend(file.lost_signature.then(|| name.as_str().into()));
    }
    let mut written = writing.finish()?;
    written.unreadable_rows = unreadable;
    written.unsigned = unsigned;
    let (cut, dropped) = (copies.cut.into_inner(), copies.dropped.into_inner());
    Ok(CleanCounts { written, cut, dropped })
}

/// The work on file after file.
struct CleanCopies<'s> {
    settings: &'s InputSettings,
    /// Whether something may be cut out of documents.
    cuts: bool,
    rows: JsonTextCut,
    /// Counts of documents.
    cut: AtomicU64,
    dropped: AtomicU64,
}

/// What is special about a file that was copied.
#[derive(Default)]
struct FileCopy {
    unreadable: Vec<RangeInclusive<u64>>,
    lost_signature: bool,
}

impl CleanCopies<'_> {
    /// Copies a file that holds documents, of which these go or are cut; `first` is the place of the first.
    fn write(
        &self,
        path: &Path,
        first: &Place,
        edits: impl Iterator<Item = (Place, Option<CutText>)> + Send,
        file: &mut FileCopy,
        to: &mut (dyn Write + Send),
    ) -> io::Result<u64> {
        let is_archive = first.member.is_some() || first.record.is_some();
        let column = self.settings.reading.fields.content();
        if self.cuts && !is_archive && !(first.offset.is_none() && column.starts_with('/')) {
            return match (first.offset, first.row) {
                (None, _) => self.cut_rows(path, column, edits, file, to),
                (Some(_), Some(_)) => self.cut_elements(path, first, edits, to),
                (Some(_), None) => self.cut_lines(path, first, edits, to),
            };
        }
        let mut dropped = edits.map(|(place, _)| {
            self.note(false);
            place
        });
        if first.member.is_some() {
            let mut captures = DroppedCaptures::default();
            dropped.try_for_each(|place| captures.push(&place))?;
            let rewrite = |archive: PackageArchive<'_>, to: &mut (dyn Write + Send)| {
                captures.copy(archive, to)
            };
            let copy = copy_package(path, &self.settings.reading, None, rewrite, to)?;
            file.lost_signature = copy.lost_signature;
            return Ok(copy.bytes);
        }
        if first.offset.is_none() {
            let rows = dropped.map(|place| place.row.ok_or_else(mixed_compression));
            let copied = copy_rows_without(path, rows, to)?;
            file.unreadable = copied.unreadable;
            return Ok(copied.bytes);
        }
        let wrapper = first.wrapper.as_deref();
        let stretches = dropped.map(|place| stretch(&place, first));
        // Elements of arrays have a row and a stretch.
        match first.row {
            Some(_) => copy_elements_without(path, wrapper, stretches, to),
            None => copy_without(path, wrapper, stretches, to),
        }
    }

    /// Copies a table.
    fn cut_rows(
        &self,
        path: &Path,
        column: &str,
        edits: impl Iterator<Item = (Place, Option<CutText>)> + Send,
        file: &mut FileCopy,
        to: &mut (dyn Write + Send),
    ) -> io::Result<u64> {
        let cut_before = self.cut.load(Ordering::Relaxed);
        let changes = edits.map(|(place, text)| {
            self.note(text.is_some());
            Ok((place.row.ok_or_else(mixed_compression)?, text.map(|text| text.left)))
        });
        let copied = copy_rows_changed(path, column, changes, to)?;
        if copied.keeps_texts {
            // Its rows went as a whole.
            let cut = self.cut.swap(cut_before, Ordering::Relaxed) - cut_before;
            self.dropped.fetch_add(cut, Ordering::Relaxed);
        }
        file.unreadable = copied.unreadable;
        Ok(copied.bytes)
    }

    /// Copies the array that a file is.
    fn cut_elements(
        &self,
        path: &Path,
        first: &Place,
        edits: impl Iterator<Item = (Place, Option<CutText>)>,
        to: &mut (dyn Write + Send),
    ) -> io::Result<u64> {
        let mut changes: Vec<(Range<u64>, Option<BytesChange<'_>>)> = Vec::new();
        for (place, text) in edits {
            // What has no UTF-8, a lone surrogate, cannot be cut, which is seen when it is too late.
            let text = text.filter(|text| !text.has_replacement);
            self.note(text.is_some());
            let change = text.map(|text| -> BytesChange<'_> {
                Box::new(move |row| self.rows.row(row, &text.removed).ok_or_else(changed))
            });
            changes.push((stretch(&place, first)?, change));
        }
        copy_elements_changed(path, first.wrapper.as_deref(), changes, to)
    }

    /// Copies lines.
    fn cut_lines<'c>(
        &'c self,
        path: &Path,
        first: &Place,
        edits: impl Iterator<Item = (Place, Option<CutText>)>,
        to: &mut (dyn Write + Send),
    ) -> io::Result<u64> {
        let changes = edits.map(|(place, text)| -> io::Result<StretchChange<'c>> {
            let change: BytesChange<'c> = Box::new(move |row| {
                let left = text.and_then(|text| self.rows.row(row, &text.removed));
                self.note(left.is_some());
                Ok(left.unwrap_or_default())
            });
            Ok((stretch(&place, first)?, change))
        });
        copy_changed(path, first.wrapper.as_deref(), changes, to)
    }

    /// Counts a document that is cut, or one that is left out.
    fn note(&self, is_cut: bool) {
        let count = if is_cut { &self.cut } else { &self.dropped };
        count.fetch_add(1, Ordering::Relaxed);
    }
}

/// The bytes of a document in its file, of which this is the first place.
fn stretch(place: &Place, first: &Place) -> io::Result<Range<u64>> {
    match (place.offset, place.length) {
        (Some(start), Some(length)) if place.wrapper == first.wrapper => Ok(start..start + length),
        _ => Err(mixed_compression()),
    }
}

fn changed() -> io::Error {
    let text = "the file changed while the job was running; rerun it";
    io::Error::new(io::ErrorKind::InvalidData, text)
}
