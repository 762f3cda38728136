//! Training data without the documents that have items of a test, in the form it came in.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use nearprint_records::{
    DocumentId, PackageArchive, Place, Source, copy_elements_without, copy_package, copy_without,
    escape, mixed_compression,
};

use crate::questions::deduplication::DroppedCaptures;
use crate::table_files::copy_rows_without;
use crate::{InputSettings, InputSource, KeptError, KeptWriter, WrittenCounts};

/// Writes files without some of their documents: of files that hold many everything else, byte for byte, of tables by
/// its values; files that are documents themselves are copied or not. `files` are those of the input, and `settings`
/// how they were read; of several documents with one id all are left out.
///
/// # Errors
/// Where a file cannot be read any more or has changed, or the output cannot be written; nothing appears then.
pub fn write_without(
    documents: &HashSet<DocumentId>,
    mut writing: KeptWriter<'_>,
    files: impl IntoIterator<Item = PathBuf>,
    settings: &InputSettings,
) -> Result<WrittenCounts, KeptError> {
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
            std::iter::from_fn(|| source.next_document())
                .flatten()
                .find(|document| documents.contains(&document.id))
                .map(|document| document.place)
        };
        let mut dropped = std::iter::from_fn(next).peekable();
        let first = dropped.peek().cloned();
        if first.as_ref().is_some_and(is_file) {
            continue;
        }
        writing.copy(&name, &path, |to| {
            let Some(first) = first else { return copy_without(&path, None, [], to) };
            if first.member.is_some() {
                let mut captures = DroppedCaptures::default();
                dropped.by_ref().try_for_each(|place| captures.push(&place))?;
                let rewrite = |archive: PackageArchive<'_>, to: &mut (dyn Write + Send)| {
                    captures.copy(archive, to)
                };
                let copy = copy_package(&path, &settings.reading, None, rewrite, to)?;
                unsigned.extend(copy.lost_signature.then(|| name.as_str().into()));
                return Ok(copy.bytes);
            }
            if first.offset.is_none() {
                let rows = dropped.map(|place| place.row.ok_or_else(mixed_compression));
                let copied = copy_rows_without(&path, rows, to)?;
                unreadable
                    .extend(copied.unreadable.into_iter().map(|rows| (name.as_str().into(), rows)));
                return Ok(copied.bytes);
            }
            let wrapper = first.wrapper.as_deref();
            let stretches = dropped.map(|place| match (place.offset, place.length) {
                (Some(start), Some(length)) if place.wrapper.as_deref() == wrapper => {
                    Ok(start..start + length)
                }
                _ => Err(mixed_compression()),
            });
            // Elements of arrays have a row and a stretch.
            match first.row {
                Some(_) => copy_elements_without(&path, wrapper, stretches, to),
                None => copy_without(&path, wrapper, stretches, to),
            }
        })?;
    }
    let mut written = writing.finish()?;
    written.unreadable_rows = unreadable;
    written.unsigned = unsigned;
    Ok(written)
}

/// Whether a document is a file itself.
fn is_file(place: &Place) -> bool {
    place.offset.is_none() && place.row.is_none() && place.member.is_none()
}
