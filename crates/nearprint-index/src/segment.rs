//! A segment on disk: its file is opened at once, and read and checked block by block as queries need it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::Path;

use nearprint::records::DocumentId;
use nearprint::search::{FingerprintWord, Match, Presence, SegmentArray, SegmentArrays};
use twox_hash::XxHash3_128;

use crate::IndexError;
use crate::body::{Body, Held, read_at, unread};
use crate::description::Description;
use crate::layout::{ARRAYS, Array, DIGEST, HEAD, ID_GROUP, Layout, position};

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
    layout: Layout,
    places: [Range<u64>; ARRAYS],
    body: Body,
    word: std::marker::PhantomData<W>,
}

/// A document of a segment that is within the distance of a query.
pub(crate) struct Found {
    /// The position of the query.
    pub(crate) query: usize,
    /// The number of the document in the segment.
    pub(crate) document: u32,
    pub(crate) distance: u32,
}

impl<W: Word> Segment<W> {
    /// Opens the file that the store describes.
    pub(crate) fn open(
        index: &Path,
        id: u128,
        description: &Description,
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
        let checksums = checksums.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
        let body = Body::new(path, file, &layout, checksums)?;
        Ok(Self { places: layout.places(), body, layout, word: std::marker::PhantomData })
    }

    /// All documents within `k` of each query, removed ones among them, in no order.
    pub(crate) fn near(&self, asked: &[W], k: u32) -> Result<Vec<Found>, IndexError> {
        if self.layout.body() <= READ_WHOLE {
            self.read_all()?;
        }
        let mut found = Vec::new();
        self.with(|held, absent| {
            found.clear();
            let mut checking = Checking {
                segment: self,
                held,
                absent,
                all: held.has_tables(),
                contradicts: false,
            };
            let arrays = self.tables(held)?;
            let _ = arrays.query_batch(asked, k, &mut checking, &mut |query, near: Match| {
                found.push(Found { query, document: near.document, distance: near.distance });
                ControlFlow::Continue(())
            });
            match checking.contradicts {
                true => Err(self.damaged("its directory points beyond its fingerprints")),
                false => Ok(()),
            }
        })?;
        if found.iter().any(|found| u64::from(found.document) >= self.layout.entries) {
            return Err(self.damaged("its tables name a document that it does not have"));
        }
        Ok(found)
    }

    /// The sequence numbers of documents, less the first of the segment.
    pub(crate) fn numbers(&self, documents: &[Found]) -> Result<Vec<u32>, IndexError> {
        let mut numbers = vec![0; documents.len()];
        self.with(|held, absent| {
            for (found, number) in documents.iter().zip(&mut numbers) {
                *number = self.number(held, found.document, absent);
            }
            Ok(())
        })?;
        Ok(numbers)
    }

    /// The ids of documents.
    pub(crate) fn ids(&self, documents: &[Found]) -> Result<Vec<DocumentId>, IndexError> {
        let mut places = vec![0..0; documents.len()];
        self.with(|held, absent| {
            for (found, place) in documents.iter().zip(&mut places) {
                *place = self.id_place(held, found.document, absent);
            }
            Ok(())
        })?;
        let size = self.layout.id_bytes;
        if places.iter().any(|place| place.start > place.end || place.end > size) {
            return Err(self.damaged("its ids do not fit together"));
        }
        let start = self.places[position(Array::Ids)].start;
        let mut ids = Vec::with_capacity(documents.len());
        self.with(|held, absent| {
            ids.clear();
            for place in &places {
                let place = start + place.start..start + place.end;
                // Once something is absent, only what else is absent matters.
                if held.has_all(place.clone(), absent) && absent.is_empty() {
                    let bytes = &held.bytes()[place.start as usize..place.end as usize];
                    let id = std::str::from_utf8(bytes).ok().map(DocumentId::new);
                    let id = id.and_then(Result::ok);
                    ids.push(id.ok_or_else(|| self.damaged("an id of it is none"))?);
                }
            }
            Ok(())
        })?;
        Ok(ids)
    }

    /// Bytes of the body that are in memory.
    pub(crate) fn memory(&self) -> u64 {
        self.body.memory()
    }

    /// Reads and checks every block that was not read yet.
    pub(crate) fn read_all(&self) -> Result<(), IndexError> {
        self.body.read_all()
    }

    /// Looks at the whole segment: calls `compare` with its arrays, and the sequence number and the id of each of its
    /// documents, once every block was read and checked.
    pub(crate) fn whole<T>(
        &self,
        compare: impl FnOnce(SegmentArrays<'_, W>, &[(u64, DocumentId)]) -> T,
    ) -> Result<T, IndexError> {
        self.read_all()?;
        let all: Vec<_> = (0..self.layout.entries as u32)
            .map(|document| Found { query: 0, document, distance: 0 })
            .collect();
        let numbers = self.numbers(&all)?.into_iter().map(|n| self.layout.first + u64::from(n));
        let documents: Vec<_> = numbers.zip(self.ids(&all)?).collect();
        Ok(compare(self.tables(&self.body.held())?, &documents))
    }

    pub(crate) fn damaged(&self, detail: impl Into<String>) -> IndexError {
        IndexError::Tables { file: self.body.path().to_owned(), detail: detail.into() }
    }

    /// Does some work with the body, again and again, until it lacks no block of it.
    fn with(
        &self,
        mut work: impl FnMut(&Held, &mut BTreeSet<u32>) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        loop {
            let mut absent = BTreeSet::new();
            work(&self.body.held(), &mut absent)?;
            if absent.is_empty() {
                return Ok(());
            }
            self.body.read(&absent)?;
        }
    }

    /// An entry of an array of numbers of `N` bytes; 0 where it is absent.
    fn entry<const N: usize>(
        &self,
        held: &Held,
        array: Array,
        at: u64,
        absent: &mut BTreeSet<u32>,
    ) -> u64 {
        let start = self.places[position(array)].start + at * N as u64;
        if !held.has_all(start..start + N as u64, absent) {
            return 0;
        }
        let bytes = &held.bytes()[start as usize..][..N];
        bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
    }

    fn number(&self, held: &Held, document: u32, absent: &mut BTreeSet<u32>) -> u32 {
        self.entry::<4>(held, Array::Numbers, u64::from(document), absent) as u32
    }

    /// Where the id of a document is among all ids.
    fn id_place(&self, held: &Held, document: u32, absent: &mut BTreeSet<u32>) -> Range<u64> {
        let at = u64::from(document);
        let group = self.entry::<8>(held, Array::IdGroups, at / ID_GROUP, absent);
        let start = match at % ID_GROUP {
            0 => 0,
            _ => self.entry::<4>(held, Array::IdEnds, at - 1, absent),
        };
        let end = self.entry::<4>(held, Array::IdEnds, at, absent);
        group.saturating_add(start)..group.saturating_add(end)
    }

    fn tables<'b>(&self, held: &'b Held) -> Result<SegmentArrays<'b, W>, IndexError> {
        let bytes = |array: SegmentArray| {
            let place = &self.places[position(Array::Table(array))];
            &held.bytes()[place.start as usize..place.end as usize]
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
}

/// What a query may read, and what it lacked.
struct Checking<'b, W> {
    segment: &'b Segment<W>,
    held: &'b Held,
    absent: &'b mut BTreeSet<u32>,
    /// Whether all tables are in memory.
    all: bool,
    contradicts: bool,
}

impl<W> Presence for Checking<'_, W> {
    #[inline]
    fn has(&mut self, array: SegmentArray, entries: Range<usize>) -> bool {
        let array = Array::Table(array);
        let (count, size) = self.segment.layout.shape(array);
        let (start, end) = (entries.start as u64, entries.end as u64);
        if start > end || end > count {
            self.contradicts = true;
            return false;
        }
        if self.all || start == end {
            return true;
        }
        let place = self.segment.places[position(array)].start;
        self.held.has_all(place + start * size..place + end * size, self.absent)
    }
}

/// The digest of a file with this head and these checksums.
pub(crate) fn digest_of(head: &[u8; HEAD], checksums: &[u8]) -> u128 {
    let mut hasher = XxHash3_128::new();
    hasher.write(head);
    hasher.write(checksums);
    hasher.finish_128()
}
