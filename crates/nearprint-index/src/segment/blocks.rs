//! The body of a segment on its way to a file: array after array, in blocks of which each gets a checksum.

use std::io::Write;
use std::path::Path;

use twox_hash::XxHash3_64;

use crate::IndexError;
use crate::segment::layout::{Array, BLOCK, Layout, digest_of};

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
    /// Begins a file with its head.
    pub(crate) fn new((mut out, path): (O, &'p Path), layout: &Layout) -> Result<Self, IndexError> {
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
    pub(crate) fn end(mut self, layout: &Layout) -> Result<u128, IndexError> {
        self.end_block()?;
        let digest = digest_of(&layout.head(), &self.checksums);
        let Self { mut out, path, checksums, .. } = self;
        let written = out.write_all(&checksums).and_then(|()| out.write_all(&digest.to_le_bytes()));
        written.and_then(|()| out.flush()).map_err(IndexError::io(path))?;
        Ok(digest)
    }
}
