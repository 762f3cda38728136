//! A segment on disk: its file is opened at once, and read and checked block by block as queries need it.
//!
//! The bytes of a segment are below: where they are ([`layout`]), and how they are read ([`body`]) and written
//! ([`blocks`]). What they mean for a kind of fingerprint is the matter of [`crate::tables`].

pub(crate) mod blocks;
pub(crate) mod body;
pub(crate) mod layout;
pub(crate) mod rows;

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use nearprint::records::DocumentId;

use crate::IndexError;
use crate::segment::body::{Body, BodyState, read_at, unread};
use crate::segment::layout::{Array, DIGEST, HEAD, ID_GROUP, Layout, digest_of};
use crate::store::description::Description;

/// A body of no more bytes is read whole at the first query.
const READ_WHOLE: u64 = 4 << 20;

/// An open segment.
pub(crate) struct Segment {
    layout: Layout,
    places: Vec<Range<u64>>,
    body: Body,
    digest: u128,
}

/// A document that is within reach of a query.
pub(crate) struct SegmentMatch {
    /// The position of the query.
    pub(crate) query: usize,
    /// The number of the document in the segment.
    pub(crate) document: u32,
    pub(crate) distance: u32,
}

impl Segment {
    /// Opens the file that the store describes, of fingerprints of `width` bits.
    pub(crate) fn open(
        index: &Path,
        id: u128,
        width: u32,
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
        let is_it = layout.width == width
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
        Ok(Self { places: layout.places(), body, layout, digest: description.digest })
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The digest of the file.
    pub(crate) fn digest(&self) -> u128 {
        self.digest
    }

    /// Where an array is in the body.
    pub(crate) fn place(&self, array: Array) -> Range<u64> {
        self.places[self.layout.position(array)].clone()
    }

    /// Where some entries of an array are in the body; `None` where it has no such entries, as a damaged directory may
    /// say.
    pub(crate) fn entries(&self, array: Array, entries: Range<u64>) -> Option<Range<u64>> {
        let (count, size) = self.layout.shape(array);
        let start = self.place(array).start;
        (entries.start <= entries.end && entries.end <= count)
            .then(|| start + entries.start * size..start + entries.end * size)
    }

    /// The body, to be read piece by piece.
    pub(crate) fn body(&self) -> &Body {
        &self.body
    }

    /// The sequence numbers of documents, less the first of the segment.
    pub(crate) fn numbers(&self, documents: &[SegmentMatch]) -> Result<Vec<u32>, IndexError> {
        let mut numbers = vec![0; documents.len()];
        let start = self.place(Array::Numbers).start;
        self.with(|held, absent| {
            for (found, number) in documents.iter().zip(&mut numbers) {
                let at = start + 4 * u64::from(found.document);
                if held.has_all(at..at + 4, absent) {
                    *number = bytemuck::pod_read_unaligned(held.range(at..at + 4));
                }
            }
            Ok(())
        })?;
        Ok(numbers)
    }

    /// The ids of documents.
    pub(crate) fn ids(&self, documents: &[SegmentMatch]) -> Result<Vec<DocumentId>, IndexError> {
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
        let start = self.place(Array::Ids).start;
        let mut ids = Vec::with_capacity(documents.len());
        self.with(|held, absent| {
            ids.clear();
            for place in &places {
                let place = start + place.start..start + place.end;
                // Once something is absent, only what else is absent matters.
                if held.has_all(place.clone(), absent) && absent.is_empty() {
                    let id = std::str::from_utf8(held.range(place)).ok().map(DocumentId::new);
                    let id = id.and_then(Result::ok);
                    ids.push(id.ok_or_else(|| self.damaged("an id of it is none"))?);
                }
            }
            Ok(())
        })?;
        Ok(ids)
    }

    /// Sequence numbers and ids of some of its documents, in their order.
    pub(crate) fn documents(
        &self,
        documents: Range<u32>,
    ) -> Result<Vec<(u64, DocumentId)>, IndexError> {
        let all: Vec<_> =
            documents.map(|document| SegmentMatch { query: 0, document, distance: 0 }).collect();
        let numbers = self.numbers(&all)?.into_iter().map(|n| self.layout.first + u64::from(n));
        Ok(numbers.zip(self.ids(&all)?).collect())
    }

    /// Bytes of the body that are in memory.
    pub(crate) fn memory(&self) -> u64 {
        self.body.memory()
    }

    /// Reads and checks every block that was not read yet.
    pub(crate) fn read_all(&self) -> Result<(), IndexError> {
        self.body.read_all()
    }

    /// Reads everything where it is little.
    pub(crate) fn read_small(&self) -> Result<(), IndexError> {
        if self.layout.body() <= READ_WHOLE { self.read_all() } else { Ok(()) }
    }

    pub(crate) fn damaged(&self, detail: impl Into<String>) -> IndexError {
        IndexError::Tables { file: self.body.path().to_owned(), detail: detail.into() }
    }

    /// Refuses documents that the segment does not have.
    pub(crate) fn check(&self, documents: impl Iterator<Item = u32>) -> Result<(), IndexError> {
        match documents.max().is_some_and(|last| u64::from(last) >= self.layout.entries) {
            true => Err(self.damaged("its tables name a document that it does not have")),
            false => Ok(()),
        }
    }

    /// Does some work with the body, again and again, until it lacks no block of it.
    pub(crate) fn with(
        &self,
        mut work: impl FnMut(&BodyState, &mut BTreeSet<u32>) -> Result<(), IndexError>,
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
        held: &BodyState,
        array: Array,
        at: u64,
        absent: &mut BTreeSet<u32>,
    ) -> u64 {
        let start = self.place(array).start + at * N as u64;
        if !held.has_all(start..start + N as u64, absent) {
            return 0;
        }
        let bytes = held.range(start..start + N as u64);
        bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
    }

    /// Where the id of a document is among all ids.
    fn id_place(&self, held: &BodyState, document: u32, absent: &mut BTreeSet<u32>) -> Range<u64> {
        let at = u64::from(document);
        let group = self.entry::<8>(held, Array::IdGroups, at / ID_GROUP, absent);
        let start = match at % ID_GROUP {
            0 => 0,
            _ => self.entry::<4>(held, Array::IdEnds, at - 1, absent),
        };
        let end = self.entry::<4>(held, Array::IdEnds, at, absent);
        group.saturating_add(start)..group.saturating_add(end)
    }
}
