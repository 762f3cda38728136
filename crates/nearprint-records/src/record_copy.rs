//! A file once more, without some of its records or with others in their place: what is left is left byte for byte.

use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::Path;

use crate::CountingWriter;
use crate::ReadSettings;
use crate::archive::{StoredRecord, StoredRecords};
use crate::compressor::Compressor;
use crate::expansion::{Expansion, Raw};

/// Bytes read and written at once.
const AT_ONCE: usize = 1 << 18;

/// Copies a file to `to` without some of its records: `dropped` are the stretches that their places name, ascending.
/// `wrapper` is the compression that these places name, where stretches are counted in what the file expands to; the
/// copy is then compressed in the same way. Everything else stays as it is, byte for byte. Gives the bytes written;
/// takes some MiB of memory.
///
/// ```
/// # let directory = tempfile::tempdir().unwrap();
/// # let path = directory.path().join("rows.jsonl");
/// std::fs::write(&path, b"{\"id\": 1}\n{\"id\": 2}\n{\"id\": 3}\n")?;
/// let mut kept = Vec::new();
/// nearprint_records::copy_without(&path, None, [Ok(10..20)], &mut kept)?;
/// assert_eq!(kept, b"{\"id\": 1}\n{\"id\": 3}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Those of the files, of a damaged compressed file, and of `dropped`; if a stretch begins before the one before it
/// ends, or the file ends within or before one: it is then another than the one they were counted in.
pub fn copy_without(
    path: &Path,
    wrapper: Option<&str>,
    dropped: impl IntoIterator<Item = io::Result<Range<u64>>>,
    to: &mut (dyn Write + Send),
) -> io::Result<u64> {
    let edits = dropped
        .into_iter()
        .map(|stretch| stretch.map(|stretch| (stretch, Replacement(Vec::new()))));
    copy_edited(path, wrapper, edits, to)
}

/// What makes of the bytes of a stretch those that are written in their place.
pub type BytesChange<'c> = Box<dyn FnOnce(&[u8]) -> io::Result<Vec<u8>> + Send + 'c>;

/// A stretch of a file, and how it changes.
pub type StretchChange<'c> = (Range<u64>, BytesChange<'c>);

/// Copies a file to `to` with some of its stretches changed, ascending, as [`copy_without`] leaves them out. Takes the
/// memory of one stretch.
///
/// # Errors
/// As [`copy_without`], and those of the changes.
pub fn copy_changed<'c>(
    path: &Path,
    wrapper: Option<&str>,
    changes: impl IntoIterator<Item = io::Result<StretchChange<'c>>>,
    to: &mut (dyn Write + Send),
) -> io::Result<u64> {
    copy_edited(path, wrapper, changes, to)
}

/// Copies a WARC file to `to` with other records in the place of some: `edit` is asked about each whole record, and
/// gives what to write instead. Everything else stays as it is, byte for byte; records that are compressed one by one
/// are compressed so again. Gives the bytes written; takes the memory of one record's header and of a revisit's block.
///
/// # Errors
/// Those of the files; if some of the records replaced are compressed one by one and others together, and if the file
/// is no WARC file any more.
pub fn copy_records(
    path: &Path,
    settings: &ReadSettings,
    mut edit: impl FnMut(&StoredRecord) -> Option<Vec<u8>>,
    to: &mut (dyn Write + Send),
) -> io::Result<u64> {
    let records = StoredRecords::open(path, settings)?.ok_or_else(changed)?;
    let compression = records.compression();
    let mut edits =
        records.filter_map(|record| edit(&record).map(|bytes| (record.place, bytes))).peekable();
    let wrapper = edits.peek().and_then(|(place, _)| place.wrapper.clone());
    let edits = edits.map(|(place, bytes)| {
        let (Some(start), Some(length)) = (place.offset, place.length) else {
            return Err(changed());
        };
        if place.wrapper != wrapper {
            return Err(mixed_compression());
        }
        let mut bytes = bytes;
        if let (None, Some(_)) = (&wrapper, compression) {
            let mut packing = Compressor::new(compression, Vec::new())?;
            packing.write_all(&bytes)?;
            bytes = packing.finish()?;
        }
        Ok((start..start + length, Replacement(bytes)))
    });
    copy_edited(path, wrapper.as_deref(), edits, to)
}

/// What comes into the place of a stretch.
trait Edit {
    /// Reads the stretch, and writes what comes into its place; returns whether it was whole.
    fn apply(
        self,
        length: u64,
        from: &mut impl Read,
        buffer: &mut [u8],
        to: &mut (impl Write + ?Sized),
    ) -> io::Result<bool>;
}

/// Bytes, whatever the stretch has.
struct Replacement(Vec<u8>);

impl Edit for Replacement {
    fn apply(
        self,
        length: u64,
        from: &mut impl Read,
        buffer: &mut [u8],
        to: &mut (impl Write + ?Sized),
    ) -> io::Result<bool> {
        let passed = pass(from, buffer, length, |_| Ok(()))?;
        to.write_all(&self.0)?;
        Ok(passed == length)
    }
}

impl Edit for BytesChange<'_> {
    fn apply(
        self,
        length: u64,
        from: &mut impl Read,
        buffer: &mut [u8],
        to: &mut (impl Write + ?Sized),
    ) -> io::Result<bool> {
        let mut stretch = Vec::new();
        let passed = pass(from, buffer, length, |bytes| {
            stretch.extend_from_slice(bytes);
            Ok(())
        })?;
        if passed < length {
            return Ok(false);
        }
        to.write_all(&self(&stretch)?)?;
        Ok(true)
    }
}

fn copy_edited<E: Edit>(
    path: &Path,
    wrapper: Option<&str>,
    edits: impl IntoIterator<Item = io::Result<(Range<u64>, E)>>,
    to: &mut (dyn Write + Send),
) -> io::Result<u64> {
    let Some(wrapper) = wrapper else {
        let mut to = CountingWriter::new(to);
        copy(File::open(path)?, &mut to, edits)?;
        return Ok(to.bytes());
    };
    let from = expansion(path)?;
    if from.compression().is_none_or(|found| found.name() != wrapper) {
        return Err(changed());
    }
    packed_again(from, to, |from, to| copy(from, to, edits))
}

/// The error of a file of whose records some are compressed separately and others together: none of them can be left
/// out or replaced.
#[must_use]
pub fn mixed_compression() -> io::Error {
    io::Error::new(
        io::ErrorKind::Unsupported,
        "some of its records are compressed separately and others together; compress each \
            separately, or none",
    )
}

/// Has `work` rewrite a file, of which it reads what is in it: where the file is compressed as a whole that is
/// undone before and done again after. Gives the bytes written.
///
/// # Errors
/// Those of the file, of `to` and of `work`.
pub fn rewritten(
    path: &Path,
    to: &mut (dyn Write + Send),
    work: impl FnOnce(&mut (dyn Read + Send), &mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<u64> {
    packed_again(expansion(path)?, to, work)
}

/// What a file expands to. What was read before is read again: its ratio was examined then.
pub(crate) fn expansion(path: &Path) -> io::Result<Expansion> {
    Ok(Expansion::new(Raw::new(Box::new(File::open(path)?)), u64::MAX))
}

fn packed_again(
    mut from: Expansion,
    to: &mut (dyn Write + Send),
    work: impl FnOnce(&mut (dyn Read + Send), &mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<u64> {
    let mut to = CountingWriter::new(to);
    let mut packing = Compressor::new(from.compression(), &mut to)?;
    work(&mut from, &mut packing)?;
    packing.finish()?;
    Ok(to.bytes())
}

pub(crate) fn changed() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "the file changed while the job was running; rerun it",
    )
}

fn copy<E: Edit>(
    mut from: impl Read,
    to: &mut (impl Write + ?Sized),
    edits: impl IntoIterator<Item = io::Result<(Range<u64>, E)>>,
) -> io::Result<()> {
    let mut buffer = vec![0; AT_ONCE];
    let mut at = 0;
    for edit in edits {
        let (Range { start, end }, edit) = edit?;
        if start < at || end < start {
            return Err(changed());
        }
        let kept = pass(&mut from, &mut buffer, start - at, |bytes| to.write_all(bytes))?;
        if kept < start - at || !edit.apply(end - start, &mut from, &mut buffer, to)? {
            return Err(changed());
        }
        at = end;
    }
    pass(&mut from, &mut buffer, u64::MAX, |bytes| to.write_all(bytes))?;
    Ok(())
}

/// Reads so many bytes, or as many as there are, and hands them on.
fn pass(
    from: &mut impl Read,
    buffer: &mut [u8],
    most: u64,
    mut take: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<u64> {
    let mut left = most;
    while left > 0 {
        let room = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        match from.read(&mut buffer[..room]) {
            Ok(0) => break,
            Ok(read) => {
                take(&buffer[..read])?;
                left -= read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(most - left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expansion::Compression;
    use proptest::prelude::*;

    fn copied(from: &[u8], dropped: &[Range<u64>]) -> io::Result<Vec<u8>> {
        let mut to = Vec::new();
        copy(
            from,
            &mut to,
            dropped.iter().cloned().map(|stretch| Ok((stretch, Replacement(Vec::new())))),
        )?;
        Ok(to)
    }

    proptest! {
        #[test]
        fn what_is_not_dropped_is_copied(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            mut ends in prop::collection::vec(0usize..200, 0..8),
        ) {
            ends.iter_mut().for_each(|end| *end = (*end).min(bytes.len()));
            ends.sort_unstable();
            ends.truncate(ends.len() / 2 * 2);
            let dropped: Vec<_> = ends.chunks(2).map(|pair| pair[0] as u64..pair[1] as u64).collect();
            let wanted: Vec<u8> = (0..bytes.len())
                .filter(|&at| !dropped.iter().any(|stretch| stretch.contains(&(at as u64))))
                .map(|at| bytes[at])
                .collect();
            prop_assert_eq!(copied(&bytes, &dropped).unwrap(), wanted);
        }
    }

    #[test]
    fn a_file_that_changed_is_an_error() {
        #[expect(clippy::single_range_in_vec_init, reason = "lists of ranges, some of one")]
        for dropped in [vec![2..7], vec![6..7], vec![3..4, 2..3]] {
            assert!(copied(b"12345", &dropped).is_err(), "{dropped:?}");
        }
        #[expect(clippy::single_range_in_vec_init, reason = "a list of one range")]
        let nothing = copied(b"12345", &[0..5]).unwrap();
        assert_eq!(nothing, b"");
    }

    #[test]
    fn what_was_compressed_is_compressed_again() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        let rows: Vec<u8> =
            (0..9_000u32).flat_map(|n| format!("{n:04} row\n").into_bytes()).collect();
        let all = [Compression::Gzip, Compression::Bzip2, Compression::Xz, Compression::Zstd];
        for compression in all {
            let packed = |bytes: &[u8]| {
                let mut packing = Compressor::new(Some(compression), Vec::new()).unwrap();
                packing.write_all(bytes).unwrap();
                packing.finish().unwrap()
            };
            std::fs::write(&path, packed(&rows)).unwrap();
            let mut kept = Vec::new();
            let name = compression.name();
            let written =
                copy_without(&path, Some(name), [Ok(0..9), Ok(27..36)], &mut kept).unwrap();
            let mut found = Vec::new();
            Expansion::new(Raw::new(Box::new(io::Cursor::new(kept.clone()))), u64::MAX)
                .read_to_end(&mut found)
                .unwrap();
            assert_eq!(written, kept.len() as u64);
            assert_eq!(found, [&rows[9..27], &rows[36..]].concat(), "{name}");
            assert!(copy_without(&path, Some("other"), [], &mut Vec::new()).is_err());
        }
    }
}
