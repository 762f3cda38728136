//! Writing a segment: built from documents of the store, on the disk before the store names it.

use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use nearprint::records::durability;

use crate::IndexError;
use crate::segment::blocks::Blocks;
use crate::segment::layout::{Array, ID_GROUP, Layout};
use crate::store::description::Description;
use crate::store::rows::Rows;
use crate::tables::table_print::TablePrint;

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
