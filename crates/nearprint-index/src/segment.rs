//! A segment on disk: its file is opened at once, and read and checked block by block as queries need it.
//!
//! Blocks are copied into memory of the process, and each is compared with its checksum before anything in it is
//! used. A map of the file would save the copy, but a file truncated under a map ends the process, and what was
//! checked could change afterwards. Here both are errors that name the file.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use memmap2::{MmapMut, MmapOptions};
use nearprint::search::{FingerprintWord, Match, Presence, SegmentArray, SegmentArrays};
use twox_hash::{XxHash3_64, XxHash3_128};

use crate::IndexError;
use crate::description::Description;
use crate::layout::{BLOCK, DIGEST, HEAD, Layout, position};

/// A body of no more bytes is read whole at the first query.
const READ_WHOLE: u64 = 4 << 20;

/// Words of a segment.
pub(crate) trait Word: FingerprintWord + bytemuck::Pod {
    /// The word of a fingerprint, which is no wider.
    fn of(word: u128) -> Self;
}

impl Word for u32 {
    fn of(word: u128) -> Self {
        word as Self
    }
}

impl Word for u64 {
    fn of(word: u128) -> Self {
        word as Self
    }
}

impl Word for u128 {
    fn of(word: u128) -> Self {
        word
    }
}

/// An open segment.
pub(crate) struct Segment<W> {
    path: PathBuf,
    file: File,
    pub(crate) description: Description,
    layout: Layout,
    places: [Range<u64>; 7],
    checksums: Vec<u64>,
    body: RwLock<Body>,
    word: std::marker::PhantomData<W>,
}

/// The body as far as it was read.
struct Body {
    bytes: MmapMut,
    /// A bit for each block that was read and checked.
    present: Vec<u64>,
    /// Blocks that were not.
    absent: u64,
}

impl<W: Word> Segment<W> {
    /// Opens the file that the store describes.
    pub(crate) fn open(
        index: &Path,
        id: u128,
        description: Description,
    ) -> Result<Self, IndexError> {
        let path = description.path(index);
        let damaged = |detail: String| IndexError::Tables { file: path.clone(), detail };
        let file = File::open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => damaged("the file is missing".to_owned()),
            _ => IndexError::io(&path)(error),
        })?;
        let length = file.metadata().map_err(IndexError::io(&path))?.len();
        if length != description.length {
            let detail = format!("it has {length} bytes, not {}", description.length);
            return Err(damaged(detail));
        }
        let read = |at: u64, bytes: &mut [u8]| {
            read_at(&file, at, bytes).map_err(|error| unread(&path, error))
        };
        let mut head = [0; HEAD];
        read(0, &mut head)?;
        let layout = Layout::of_head(&head).map_err(damaged)?;
        let is_it = layout.width == W::WIDTH
            && layout.index == id
            && layout.first == description.first
            && layout.entries == description.entries
            && layout.length() == length;
        if !is_it {
            return Err(damaged("these are not the tables that the store names".to_owned()));
        }
        let mut end = vec![0; length as usize - HEAD - layout.body() as usize];
        read(HEAD as u64 + layout.body(), &mut end)?;
        let (checksums, digest) = end.split_at(end.len() - DIGEST);
        if digest_of(&head, checksums).to_le_bytes() != digest
            || digest != description.digest.to_le_bytes()
        {
            return Err(damaged("its checksums do not fit it".to_owned()));
        }
        let (checksums, _) = checksums.as_chunks::<8>();
        let bytes =
            MmapOptions::new().len(layout.body().max(1) as usize).no_reserve_swap().map_anon();
        let blocks = layout.blocks();
        Ok(Self {
            body: RwLock::new(Body {
                bytes: bytes.map_err(IndexError::io(&path))?,
                present: vec![0; blocks.div_ceil(64) as usize],
                absent: blocks,
            }),
            checksums: checksums.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect(),
            places: layout.places(),
            layout,
            description,
            file,
            path,
            word: std::marker::PhantomData,
        })
    }

    /// Hands every match within `k` to `found`: the position of its query, the sequence number, the distance.
    pub(crate) fn query_batch(
        &self,
        asked: &[W],
        k: u32,
        found: &mut dyn FnMut(usize, u64, u32),
    ) -> Result<(), IndexError> {
        if self.layout.body() <= READ_WHOLE {
            self.read_all()?;
        }
        let mut matches = Vec::new();
        loop {
            matches.clear();
            let absent = {
                let body = self.body.read().unwrap_or_else(PoisonError::into_inner);
                let mut checking = Checking::new(&self.layout, &self.places, &body);
                let arrays = self.arrays(&body)?;
                let _ = arrays.query_batch(asked, k, &mut checking, &mut |query, near: Match| {
                    matches.push((query, near));
                    ControlFlow::Continue(())
                });
                if checking.contradicts {
                    return Err(self.damaged("its directory points beyond its fingerprints"));
                }
                checking.absent
            };
            if absent.is_empty() {
                break;
            }
            self.read_blocks(&absent)?;
        }
        for (query, near) in matches {
            found(query, self.description.first + u64::from(near.document), near.distance);
        }
        Ok(())
    }

    /// Bytes of the body that are in memory.
    pub(crate) fn memory(&self) -> u64 {
        let body = self.body.read().unwrap_or_else(PoisonError::into_inner);
        (self.layout.blocks() - body.absent) * BLOCK as u64 + self.checksums.len() as u64 * 8
    }

    /// Reads and checks every block that was not read yet.
    pub(crate) fn read_all(&self) -> Result<(), IndexError> {
        let absent = {
            let body = self.body.read().unwrap_or_else(PoisonError::into_inner);
            if body.absent == 0 {
                return Ok(());
            }
            (0..self.layout.blocks() as u32).filter(|&block| !body.has(block)).collect()
        };
        self.read_blocks(&absent)
    }

    /// Looks at the whole segment: calls `compare` with its arrays once every block was read and checked.
    pub(crate) fn whole<T>(
        &self,
        compare: impl FnOnce(SegmentArrays<'_, W>) -> T,
    ) -> Result<T, IndexError> {
        self.read_all()?;
        let body = self.body.read().unwrap_or_else(PoisonError::into_inner);
        Ok(compare(self.arrays(&body)?))
    }

    pub(crate) fn damaged(&self, detail: impl Into<String>) -> IndexError {
        IndexError::Tables { file: self.path.clone(), detail: detail.into() }
    }

    fn arrays<'b>(&self, body: &'b Body) -> Result<SegmentArrays<'b, W>, IndexError> {
        let bytes = |array: SegmentArray| {
            let place = &self.places[position(array)];
            &body.bytes[place.start as usize..place.end as usize]
        };
        let [first, second, third] =
            [0, 1, 2].map(|table| bytemuck::cast_slice(bytes(SegmentArray::Fingerprints(table))));
        let directories =
            [0, 1, 2].map(|table| bytemuck::cast_slice(bytes(SegmentArray::Directory(table))));
        let documents = bytemuck::cast_slice(bytes(SegmentArray::Documents));
        let arrays =
            SegmentArrays::new(self.layout.bits, [first, second, third], directories, documents);
        arrays.ok_or_else(|| self.damaged("its arrays do not fit together"))
    }

    /// Reads blocks and compares each with its checksum.
    fn read_blocks(&self, blocks: &BTreeSet<u32>) -> Result<(), IndexError> {
        let mut body = self.body.write().unwrap_or_else(PoisonError::into_inner);
        let Body { bytes, present, absent } = &mut *body;
        let end = self.layout.body() as usize;
        let mut blocks = blocks.iter().copied().peekable();
        while let Some(first) = blocks.next() {
            let mut last = first;
            while blocks.next_if_eq(&(last + 1)).is_some() {
                last += 1;
            }
            let start = first as usize * BLOCK;
            let run = &mut bytes[start..((last as usize + 1) * BLOCK).min(end)];
            read_at(&self.file, (HEAD + start) as u64, run)
                .map_err(|error| unread(&self.path, error))?;
            for (block, content) in (first..).zip(run.chunks(BLOCK)) {
                if XxHash3_64::oneshot(content) != self.checksums[block as usize] {
                    let at = HEAD + block as usize * BLOCK;
                    let detail = format!("the block at byte {at} is damaged");
                    return Err(self.damaged(detail));
                }
                let (word, bit) = (&mut present[block as usize / 64], 1 << (block % 64));
                *absent -= u64::from(*word & bit == 0);
                *word |= bit;
            }
        }
        Ok(())
    }
}

impl Body {
    fn has(&self, block: u32) -> bool {
        self.present[block as usize / 64] >> (block % 64) & 1 == 1
    }
}

/// What a query may read, and what it lacked.
struct Checking<'b> {
    layout: &'b Layout,
    places: &'b [Range<u64>; 7],
    body: &'b Body,
    absent: BTreeSet<u32>,
    contradicts: bool,
}

impl<'b> Checking<'b> {
    fn new(layout: &'b Layout, places: &'b [Range<u64>; 7], body: &'b Body) -> Self {
        Self { layout, places, body, absent: BTreeSet::new(), contradicts: false }
    }
}

impl Presence for Checking<'_> {
    #[inline]
    fn has(&mut self, array: SegmentArray, entries: Range<usize>) -> bool {
        let (count, size) = self.layout.shape(array);
        let (start, end) = (entries.start as u64, entries.end as u64);
        if start > end || end > count {
            self.contradicts = true;
            return false;
        }
        if self.body.absent == 0 || start == end {
            return true;
        }
        let place = self.places[position(array)].start;
        let first = (place + start * size) / BLOCK as u64;
        let last = (place + end * size - 1) / BLOCK as u64;
        let mut all = true;
        for block in first as u32..=last as u32 {
            if !self.body.has(block) {
                self.absent.insert(block);
                all = false;
            }
        }
        all
    }
}

/// The digest of a file with this head and these checksums.
pub(crate) fn digest_of(head: &[u8; HEAD], checksums: &[u8]) -> u128 {
    let mut hasher = XxHash3_128::new();
    hasher.write(head);
    hasher.write(checksums);
    hasher.finish_128()
}

fn unread(path: &Path, error: io::Error) -> IndexError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => IndexError::Tables {
            file: path.to_owned(),
            detail: "it was truncated while it was open".to_owned(),
        },
        _ => IndexError::io(path)(error),
    }
}

#[cfg(unix)]
fn read_at(file: &File, at: u64, bytes: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_at(file: &File, mut at: u64, mut bytes: &mut [u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, at)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        (at, bytes) = (at + read as u64, &mut bytes[read..]);
    }
    Ok(())
}
