//! The body of a file of tables in memory, as far as it was read.
//!
//! Blocks are copied into memory of the process, and each is compared with its checksum before anything in it is
//! used. A map of the file would save the copy, but a file truncated under a map ends the process, and what was
//! checked could change afterwards. Here both are errors that name the file.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use memmap2::{MmapMut, MmapOptions};
use twox_hash::XxHash3_64;

use crate::IndexError;
use crate::segment::layout::{BLOCK, HEAD, Layout};

/// A body that is read block by block.
pub(crate) struct Body {
    path: PathBuf,
    file: File,
    checksums: Vec<u64>,
    length: usize,
    held: RwLock<BodyState>,
}

/// What of a body is in memory.
pub(crate) struct BodyState {
    bytes: MmapMut,
    /// A bit for each block that was read and checked.
    present: Vec<u64>,
    /// The first block that holds no array of tables.
    tables_end: u32,
    /// Blocks that were not read: of those before `tables_end`, and of the others.
    absent: [u64; 2],
}

impl Body {
    /// The body of an open file, of which nothing was read yet.
    pub(crate) fn new(
        path: PathBuf,
        file: File,
        layout: &Layout,
        checksums: Vec<u64>,
    ) -> Result<Self, IndexError> {
        let (length, blocks) = (layout.body() as usize, layout.blocks());
        let bytes = MmapOptions::new().len(length.max(1)).no_reserve_swap().map_anon();
        let tables_end = layout.tables().div_ceil(BLOCK as u64);
        let held = BodyState {
            bytes: bytes.map_err(IndexError::io(&path))?,
            present: vec![0; blocks.div_ceil(64) as usize],
            tables_end: tables_end as u32,
            absent: [tables_end, blocks - tables_end],
        };
        Ok(Self { path, file, checksums, length, held: RwLock::new(held) })
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What is in memory, to be looked at.
    pub(crate) fn held(&self) -> RwLockReadGuard<'_, BodyState> {
        self.held.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads and checks every block that was not read yet.
    pub(crate) fn read_all(&self) -> Result<(), IndexError> {
        let absent = {
            let held = self.held();
            if held.absent == [0, 0] {
                return Ok(());
            }
            (0..self.checksums.len() as u32).filter(|&block| !held.has(block)).collect()
        };
        self.read(&absent)
    }

    /// Reads blocks and compares each with its checksum.
    pub(crate) fn read(&self, blocks: &BTreeSet<u32>) -> Result<(), IndexError> {
        if blocks.is_empty() {
            return Ok(());
        }
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        let BodyState { bytes, present, tables_end, absent } = &mut *held;
        let mut blocks = blocks.iter().copied().peekable();
        while let Some(first) = blocks.next() {
            let mut last = first;
            while blocks.next_if_eq(&(last + 1)).is_some() {
                last += 1;
            }
            let start = first as usize * BLOCK;
            let run = &mut bytes[start..((last as usize + 1) * BLOCK).min(self.length)];
            read_at(&self.file, (HEAD + start) as u64, run)
                .map_err(|error| unread(&self.path, error))?;
            for (block, content) in (first..).zip(run.chunks(BLOCK)) {
                self.check(block, content)?;
                let (word, bit) = (&mut present[block as usize / 64], 1 << (block % 64));
                absent[usize::from(block >= *tables_end)] -= u64::from(*word & bit == 0);
                *word |= bit;
            }
        }
        Ok(())
    }

    /// Copies the bytes of blocks from `first` on, read and checked where they are not in memory, and keeps none of
    /// them there: for what goes through much of a body and needs it once.
    pub(crate) fn copy(&self, first: u32, bytes: &mut [u8]) -> Result<(), IndexError> {
        let held = self.held();
        for (block, content) in (first..).zip(bytes.chunks_mut(BLOCK)) {
            let start = block as usize * BLOCK;
            let length = BLOCK.min(self.length - start);
            if held.has(block) {
                content.copy_from_slice(&held.bytes[start..][..content.len()]);
                continue;
            }
            let mut whole = [0; BLOCK];
            let whole = &mut whole[..length];
            read_at(&self.file, (HEAD + start) as u64, whole)
                .map_err(|error| unread(&self.path, error))?;
            self.check(block, whole)?;
            content.copy_from_slice(&whole[..content.len()]);
        }
        Ok(())
    }

    /// Compares every block of the file with its checksum, and keeps none in memory.
    pub(crate) fn check_file(&self) -> Result<(), IndexError> {
        let mut content = [0; BLOCK];
        for block in 0..self.checksums.len() {
            crate::cancellation::check()?;
            let start = block * BLOCK;
            let content = &mut content[..BLOCK.min(self.length - start)];
            read_at(&self.file, (HEAD + start) as u64, content)
                .map_err(|error| unread(&self.path, error))?;
            self.check(block as u32, content)?;
        }
        Ok(())
    }

    fn check(&self, block: u32, content: &[u8]) -> Result<(), IndexError> {
        if XxHash3_64::oneshot(content) == self.checksums[block as usize] {
            return Ok(());
        }
        let at = HEAD + block as usize * BLOCK;
        let detail = format!("the block at byte {at} is damaged");
        Err(IndexError::Tables { file: self.path.clone(), detail })
    }

    /// Bytes that are in memory.
    pub(crate) fn memory(&self) -> u64 {
        let absent: u64 = self.held().absent.iter().sum();
        let blocks = self.checksums.len() as u64;
        (blocks - absent) * BLOCK as u64 + blocks * 8
    }
}

impl BodyState {
    /// Some bytes; only those of blocks that were read mean something.
    pub(crate) fn range(&self, bytes: Range<u64>) -> &[u8] {
        &self.bytes[bytes.start as usize..bytes.end as usize]
    }

    /// Whether all blocks of tables are in memory.
    pub(crate) fn has_tables(&self) -> bool {
        self.absent[0] == 0
    }

    /// Whether all blocks of a range of bytes are in memory. Those that are not are added to `absent`.
    pub(crate) fn has_all(&self, bytes: Range<u64>, absent: &mut BTreeSet<u32>) -> bool {
        if bytes.is_empty() {
            return true;
        }
        let (first, last) = (bytes.start / BLOCK as u64, (bytes.end - 1) / BLOCK as u64);
        let mut all = true;
        for block in (first as u32..=last as u32).filter(|&block| !self.has(block)) {
            absent.insert(block);
            all = false;
        }
        all
    }

    fn has(&self, block: u32) -> bool {
        self.present[block as usize / 64] >> (block % 64) & 1 == 1
    }
}

pub(crate) fn unread(path: &Path, error: io::Error) -> IndexError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => IndexError::Tables {
            file: path.to_owned(),
            detail: "it was truncated while it was open".to_owned(),
        },
        _ => IndexError::io(path)(error),
    }
}

#[cfg(unix)]
pub(crate) fn read_at(file: &File, at: u64, bytes: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
pub(crate) fn read_at(file: &File, mut at: u64, mut bytes: &mut [u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, at)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        (at, bytes) = (at + read as u64, &mut bytes[read..]);
    }
    Ok(())
}
