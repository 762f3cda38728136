//! Writing a segment: built from documents of the store, on the disk before the store names it.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use nearprint::search::{QuerySegment, SegmentArray};
use twox_hash::XxHash3_64;

use crate::IndexError;
use crate::description::Description;
use crate::layout::{Array, BLOCK, ID_GROUP, Layout, position};
use crate::rows::Rows;
use crate::segment::{Word, digest_of};

/// Writes the segment of the documents of a range of sequence numbers, which spans less than 2^32, as file number
/// `file`. On return it is on the disk.
pub(crate) fn write<W: Word>(
    (index, id): (&Path, u128),
    file: u64,
    (first, end): (u64, u64),
    rows: &dyn Rows,
) -> Result<Description, IndexError> {
    let path = Description::path_of(index, file);
    let failed = || IndexError::io(&path);
    let mut documents = Documents::<W>::default();
    rows.visit(&mut |row| {
        documents.add((row.sequence - first) as u32, W::of(row.word), row.id.len() as u64);
        Ok(())
    })?;
    let Documents { prints, numbers, id_groups, id_ends, id_bytes } = documents;
    let entries: Vec<u32> = (0..prints.len() as u32).collect();
    let built = QuerySegment::build(&prints, &entries).map_err(|error| {
        failed()(io::Error::new(io::ErrorKind::InvalidInput, error.to_string()))
    })?;
    drop((prints, entries));
    let arrays = built.arrays();
    let layout = Layout {
        width: W::WIDTH,
        bits: arrays.bits(),
        entries: arrays.len() as u64,
        distinct: arrays.fingerprints(1).len() as u64,
        first,
        index: id,
        id_bytes,
    };
    let out =
        OpenOptions::new().write(true).create(true).truncate(true).open(&path).map_err(failed())?;
    let mut blocks = Blocks::new(&out, &layout).map_err(failed())?;
    for array in Layout::arrays() {
        let bytes: &[u8] = match array {
            Array::Table(SegmentArray::Directory(table)) => {
                bytemuck::cast_slice(arrays.directory(table))
            }
            Array::Table(SegmentArray::Fingerprints(table)) => {
                bytemuck::cast_slice(arrays.fingerprints(table))
            }
            Array::Table(SegmentArray::Documents) => bytemuck::cast_slice(arrays.documents()),
            Array::Numbers => bytemuck::cast_slice(&numbers),
            Array::IdGroups => bytemuck::cast_slice(&id_groups),
            Array::IdEnds => bytemuck::cast_slice(&id_ends),
            // Ids may take more memory than all the rest: they come from the store again.
            Array::Ids => &[],
        };
        blocks.begin(array, &layout).and_then(|()| blocks.write(bytes)).map_err(failed())?;
    }
    rows.visit(&mut |row| blocks.write(row.id.as_bytes()).map_err(failed()))?;
    let digest = blocks.end(&layout).map_err(failed())?;
    out.sync_all().map_err(failed())?;
    sync_directory(&Description::directory(index))?;
    let (entries, length) = (layout.entries, layout.length());
    Ok(Description { file, first, end, entries, removed: 0, removed_digest: 0, length, digest })
}

/// What a segment is made of, but for the ids.
#[derive(Default)]
struct Documents<W> {
    prints: Vec<W>,
    numbers: Vec<u32>,
    id_groups: Vec<u64>,
    id_ends: Vec<u32>,
    id_bytes: u64,
}

impl<W> Documents<W> {
    fn add(&mut self, number: u32, print: W, id_bytes: u64) {
        if (self.prints.len() as u64).is_multiple_of(ID_GROUP) {
            self.id_groups.push(self.id_bytes);
        }
        self.id_bytes += id_bytes;
        let group = self.id_groups.last().map_or(0, |group| *group);
        self.id_ends.push((self.id_bytes - group) as u32);
        self.numbers.push(number);
        self.prints.push(print);
    }
}

/// The body on its way to a file, in blocks, with their checksums.
struct Blocks<'f> {
    out: BufWriter<&'f File>,
    block: Vec<u8>,
    checksums: Vec<u8>,
    length: u64,
}

impl<'f> Blocks<'f> {
    fn new(out: &'f File, layout: &Layout) -> io::Result<Self> {
        let mut out = BufWriter::with_capacity(1 << 20, out);
        out.write_all(&layout.head())?;
        Ok(Self { out, block: Vec::new(), checksums: Vec::new(), length: 0 })
    }

    /// Goes on to where an array begins.
    fn begin(&mut self, array: Array, layout: &Layout) -> io::Result<()> {
        let before = (layout.places()[position(array)].start - self.length) as usize;
        self.write(&[0; 64][..before])
    }

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

    /// Writes what follows the body, and returns the digest of the file.
    fn end(mut self, layout: &Layout) -> io::Result<u128> {
        self.end_block()?;
        self.out.write_all(&self.checksums)?;
        let digest = digest_of(&layout.head(), &self.checksums);
        self.out.write_all(&digest.to_le_bytes())?;
        self.out.flush()?;
        Ok(digest)
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
