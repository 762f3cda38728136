//! Writing a segment: built from documents of the store, on the disk before the store names it.

use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use nearprint::records::durability;
use twox_hash::XxHash3_64;

use crate::IndexError;
use crate::description::Description;
use crate::layout::{Array, BLOCK, ID_GROUP, Layout};
use crate::rows::Rows;
use crate::segment::digest_of;
use crate::table_print::TablePrint;

/// Writes the segment of the documents of a range of sequence numbers, which spans less than 2^32, as file number
/// `file`. On return it is on the disk.
pub(crate) fn write<P: TablePrint>(
    (index, id): (&Path, u128),
    file: u64,
    (first, end): (u64, u64),
    rows: &dyn Rows,
) -> Result<Description, IndexError> {
    let path = Description::path_of(index, file);
    let failed = || IndexError::io(&path);
    let out =
        OpenOptions::new().write(true).create(true).truncate(true).open(&path).map_err(failed())?;
    let (layout, digest) =
        write_to::<P, _>((BufWriter::with_capacity(1 << 20, &out), &path), (id, first), rows)?;
    out.sync_all().map_err(failed())?;
    let tables = Description::directory(index);
    durability::sync_names(&tables).map_err(IndexError::io(&tables))?;
    let (entries, length) = (layout.entries, layout.length());
    Ok(Description { file, first, end, entries, removed: 0, removed_digest: 0, length, digest })
}

/// Writes the segment of an index whose documents are counted from `first` to anything, which errors name by a path.
/// Returns its digest, too.
pub(crate) fn write_to<P: TablePrint, O: Write>(
    (out, path): (O, &Path),
    (index, first): (u128, u64),
    rows: &dyn Rows,
) -> Result<(Layout, u128), IndexError> {
    let (mut ids, mut collected) = (Ids::default(), P::Accumulator::default());
    rows.visit(&mut |row| {
        ids.add((row.sequence - first) as u32, row.id.len() as u64);
        P::collect(&mut collected, P::of_bytes(row.fingerprint));
        Ok(())
    })?;
    let entries = ids.numbers.len() as u64;
    let invalid = |error| {
        let error = io::Error::new(io::ErrorKind::InvalidInput, error);
        IndexError::io(path)(error)
    };
    let built = P::build(collected, entries).map_err(invalid)?;
    let (bits, distinct) = P::shape(&built);
    let id_bytes = ids.bytes;
    let layout = Layout { width: P::WIDTH, bits, entries, distinct, first, index, id_bytes };
    let mut blocks = Blocks::new((out, path), &layout)?;
    P::write(&built, &layout, rows, &mut blocks)?;
    blocks.array(Array::Numbers, &layout, bytemuck::cast_slice(&ids.numbers))?;
    blocks.array(Array::IdGroups, &layout, bytemuck::cast_slice(&ids.groups))?;
    blocks.array(Array::IdEnds, &layout, bytemuck::cast_slice(&ids.ends))?;
    // Ids may take more memory than all the rest: they come from the rows again.
    blocks.begin(Array::Ids, &layout)?;
    rows.visit(&mut |row| blocks.write(row.id.as_bytes()))?;
    let digest = blocks.end(&layout)?;
    Ok((layout, digest))
}

/// Numbers of documents, and where their ids are.
#[derive(Default)]
struct Ids {
    numbers: Vec<u32>,
    groups: Vec<u64>,
    ends: Vec<u32>,
    bytes: u64,
}

impl Ids {
    fn add(&mut self, number: u32, bytes: u64) {
        if (self.numbers.len() as u64).is_multiple_of(ID_GROUP) {
            self.groups.push(self.bytes);
        }
        self.bytes += bytes;
        let group = self.groups.last().map_or(0, |group| *group);
        self.ends.push((self.bytes - group) as u32);
        self.numbers.push(number);
    }
}

/// The body on its way to a file, in blocks, with their checksums.
pub(crate) struct Blocks<'p, O: Write> {
    out: O,
    /// What errors name.
    path: &'p Path,
    block: Vec<u8>,
    checksums: Vec<u8>,
    length: u64,
}

impl<'p, O: Write> Blocks<'p, O> {
    fn new((mut out, path): (O, &'p Path), layout: &Layout) -> Result<Self, IndexError> {
        out.write_all(&layout.head()).map_err(IndexError::io(path))?;
        Ok(Self { out, path, block: Vec::new(), checksums: Vec::new(), length: 0 })
    }

    /// Writes a whole array.
    pub(crate) fn array(
        &mut self,
        array: Array,
        layout: &Layout,
        bytes: &[u8],
    ) -> Result<(), IndexError> {
        self.begin(array, layout)?;
        self.write(bytes)
    }

    /// Goes on to where an array begins.
    pub(crate) fn begin(&mut self, array: Array, layout: &Layout) -> Result<(), IndexError> {
        let before = layout.places()[layout.position(array)].start - self.length;
        self.write(&[0; 64][..before as usize])
    }

    pub(crate) fn write(&mut self, mut bytes: &[u8]) -> Result<(), IndexError> {
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

    fn end_block(&mut self) -> Result<(), IndexError> {
        if !self.block.is_empty() {
            self.checksums.extend(XxHash3_64::oneshot(&self.block).to_le_bytes());
            self.out.write_all(&self.block).map_err(IndexError::io(self.path))?;
            self.block.clear();
        }
        Ok(())
    }

    /// Writes what follows the body, and returns the digest of the file.
    fn end(mut self, layout: &Layout) -> Result<u128, IndexError> {
        self.end_block()?;
        let digest = digest_of(&layout.head(), &self.checksums);
        let Self { mut out, path, checksums, .. } = self;
        let written = out.write_all(&checksums).and_then(|()| out.write_all(&digest.to_le_bytes()));
        written.and_then(|()| out.flush()).map_err(IndexError::io(path))?;
        Ok(digest)
    }
}
