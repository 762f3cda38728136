//! Writing a segment: built from documents of the store, on the disk before the store names it.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use nearprint::fingerprint::Scheme;
use nearprint::search::{QuerySegment, SegmentArray, SegmentArrays};
use redb::ReadableTable;
use twox_hash::XxHash3_64;

use crate::IndexError;
use crate::description::Description;
use crate::layout::{BLOCK, Layout};
use crate::record::{RecordView, damaged};
use crate::segment::{Word, digest_of};
use crate::store::Store;

/// Fingerprints with their sequence numbers, as they come from the store.
pub(crate) type Words<'w> = &'w mut dyn Iterator<Item = Result<(u64, u128), IndexError>>;

/// The fingerprints of a range of sequence numbers.
pub(crate) fn words<'t>(
    store: &'t Store,
    documents: &'t impl ReadableTable<u64, &'static [u8]>,
    scheme: Scheme,
    (first, end): (u64, u64),
) -> Result<impl Iterator<Item = Result<(u64, u128), IndexError>> + 't, IndexError> {
    let rows = store.tried(documents.range(first..end))?;
    Ok(rows.map(move |row| {
        let (sequence, record) = store.tried(row)?;
        let sequence = sequence.value();
        let view = RecordView::of(scheme, sequence, record.value());
        let view = view.ok_or_else(|| store.damaged(damaged(sequence)))?;
        Ok((sequence, view.word()))
    }))
}

/// Writes the segment of the fingerprints of a range of sequence numbers, which spans less than 2^32, as file number
/// `file`. On return it is on the disk.
pub(crate) fn write<W: Word>(
    (index, id): (&Path, u128),
    file: u64,
    (first, end): (u64, u64),
    words: Words<'_>,
) -> Result<Description, IndexError> {
    let path = Description::path_of(index, file);
    let failed = || IndexError::io(&path);
    let (mut prints, mut documents) = (Vec::new(), Vec::new());
    for row in words {
        let (sequence, word) = row?;
        prints.push(W::of(word));
        documents.push((sequence - first) as u32);
    }
    let built = QuerySegment::build(&prints, &documents).map_err(|error| {
        failed()(io::Error::new(io::ErrorKind::InvalidInput, error.to_string()))
    })?;
    let arrays = built.arrays();
    let layout = Layout {
        width: W::WIDTH,
        bits: arrays.bits(),
        entries: arrays.len() as u64,
        distinct: arrays.fingerprints(1).len() as u64,
        first,
        index: id,
    };
    let out =
        OpenOptions::new().write(true).create(true).truncate(true).open(&path).map_err(failed())?;
    let digest = write_all(&layout, arrays, &out).map_err(failed())?;
    out.sync_all().map_err(failed())?;
    sync_directory(&Description::directory(index))?;
    let entries = layout.entries;
    Ok(Description { file, first, end, entries, removed: 0, length: layout.length(), digest })
}

fn write_all<W: Word>(
    layout: &Layout,
    arrays: SegmentArrays<'_, W>,
    out: &File,
) -> io::Result<u128> {
    let head = layout.head();
    let mut out = Blocks {
        out: BufWriter::with_capacity(1 << 20, out),
        block: Vec::new(),
        checksums: Vec::new(),
        length: 0,
    };
    out.out.write_all(&head)?;
    for (array, place) in Layout::arrays().into_iter().zip(layout.places()) {
        let bytes: &[u8] = match array {
            SegmentArray::Directory(table) => bytemuck::cast_slice(arrays.directory(table)),
            SegmentArray::Fingerprints(table) => bytemuck::cast_slice(arrays.fingerprints(table)),
            SegmentArray::Documents => bytemuck::cast_slice(arrays.documents()),
        };
        let before = (place.start - out.length) as usize;
        out.write(&[0; 64][..before])?;
        out.write(bytes)?;
    }
    out.end_block()?;
    let Blocks { mut out, checksums, .. } = out;
    out.write_all(&checksums)?;
    let digest = digest_of(&head, &checksums);
    out.write_all(&digest.to_le_bytes())?;
    out.flush()?;
    Ok(digest)
}

/// Blocks on their way to a file, with their checksums.
struct Blocks<W> {
    out: W,
    block: Vec<u8>,
    checksums: Vec<u8>,
    length: u64,
}

impl<W: Write> Blocks<W> {
    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        self.length += bytes.len() as u64;
        while !bytes.is_empty() {
            let (now, rest) = bytes.split_at(bytes.len().min(BLOCK - self.block.len()));
            self.block.extend_from_slice(now);
            bytes = rest;
            if self.block.len() == BLOCK {
                self.end_block()?;
            }
        }
        Ok(())
    }

    fn end_block(&mut self) -> io::Result<()> {
        if !self.block.is_empty() {
            self.checksums.extend(XxHash3_64::oneshot(&self.block).to_le_bytes());
            self.out.write_all(&self.block)?;
            self.block.clear();
        }
        Ok(())
    }
}

/// Brings the names in a directory to the disk.
pub(crate) fn sync_directory(directory: &Path) -> Result<(), IndexError> {
    #[cfg(unix)]
    {
        let open = File::open(directory).map_err(IndexError::io(directory))?;
        open.sync_all().map_err(IndexError::io(directory))?;
    }
    #[cfg(not(unix))]
    let _ = directory;
    Ok(())
}
