//! Sorted runs of a file, merged by a thread of their own: whoever reads the records has them while others are merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use crate::temporary_file::TemporaryFile;

/// Records that a thread gives together, at most, and how many times that it is ahead.
const CHUNK: usize = 16 * 1024;
const AHEAD: usize = 2;

/// Bytes of a run that are read together, at most.
const LONGEST_READ: usize = 4 << 20;

/// Runs that are merged.
pub(crate) struct RecordMerge<const N: usize> {
    readers: Vec<RunReader>,
    heap: BinaryHeap<Reverse<([u64; N], usize)>>,
    /// Records that are given together.
    chunk: usize,
}

impl<const N: usize> RecordMerge<N> {
    /// A merge of the runs at these places of a file, within about `memory` bytes.
    pub(crate) fn new(
        file: &Arc<TemporaryFile>,
        places: &[Range<u64>],
        memory: usize,
    ) -> io::Result<Self> {
        let size = size_of::<[u64; N]>();
        let buffer = (memory / places.len().max(1)).clamp(size, LONGEST_READ) / size * size;
        let reader = |place: &Range<u64>| RunReader {
            file: Arc::clone(file),
            rest: place.clone(),
            bytes: Vec::new(),
            at: 0,
            buffer,
        };
        let mut merge = Self {
            readers: places.iter().map(reader).collect(),
            heap: BinaryHeap::new(),
            chunk: (memory / size / 8).clamp(64, CHUNK),
        };
        for number in 0..merge.readers.len() {
            if let Some(record) = merge.readers[number].next()? {
                merge.heap.push(Reverse((record, number)));
            }
        }
        Ok(merge)
    }

    pub(crate) fn next(&mut self) -> io::Result<Option<[u64; N]>> {
        let Some(mut least) = self.heap.peek_mut() else { return Ok(None) };
        let Reverse((record, number)) = *least;
        match self.readers[number].next()? {
            Some(next) => *least = Reverse((next, number)),
            None => drop(std::collections::binary_heap::PeekMut::pop(least)),
        }
        Ok(Some(record))
    }

    /// Sends all records, then an empty chunk.
    fn send(mut self, chunks: &SyncSender<io::Result<Vec<[u64; N]>>>) {
        loop {
            let mut chunk = Vec::with_capacity(self.chunk);
            let filled = loop {
                match self.next() {
                    Ok(Some(record)) if chunk.len() + 1 < self.chunk => chunk.push(record),
                    Ok(last) => {
                        chunk.extend(last);
                        break Ok(chunk);
                    }
                    Err(error) => break Err(error),
                }
            };
            let is_last = filled.as_ref().map_or(true, Vec::is_empty);
            // Whoever read them may have ended.
            if chunks.send(filled).is_err() || is_last {
                return;
            }
        }
    }
}

/// A merge that a thread does ahead.
pub(crate) struct MergeThread<const N: usize> {
    chunks: Receiver<io::Result<Vec<[u64; N]>>>,
    chunk: std::vec::IntoIter<[u64; N]>,
    is_end: bool,
}

impl<const N: usize> MergeThread<N> {
    pub(crate) fn start(merge: RecordMerge<N>) -> io::Result<Self> {
        let (sender, chunks) = sync_channel(AHEAD);
        std::thread::Builder::new().name("merge".to_owned()).spawn(move || merge.send(&sender))?;
        Ok(Self { chunks, chunk: Vec::new().into_iter(), is_end: false })
    }

    pub(crate) fn next(&mut self) -> io::Result<Option<[u64; N]>> {
        let next = self.chunk.next();
        if next.is_some() || self.is_end {
            return Ok(next);
        }
        let chunk = self.chunks.recv().map_err(io::Error::other)??;
        self.is_end = chunk.is_empty();
        self.chunk = chunk.into_iter();
        Ok(self.chunk.next())
    }
}

struct RunReader {
    file: Arc<TemporaryFile>,
    rest: Range<u64>,
    bytes: Vec<u8>,
    at: usize,
    buffer: usize,
}

impl RunReader {
    fn next<const N: usize>(&mut self) -> io::Result<Option<[u64; N]>> {
        if self.at == self.bytes.len() {
            let more = (self.rest.end - self.rest.start).min(self.buffer as u64);
            if more == 0 {
                return Ok(None);
            }
            self.bytes.resize(more as usize, 0);
            self.file.read(&mut self.bytes, self.rest.start)?;
            self.rest.start += more;
            self.at = 0;
        }
        let mut record = [0; N];
        for number in &mut record {
            // Buffers have whole records.
            let bytes = self.bytes[self.at..].first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
            *number = u64::from_le_bytes(*bytes);
            self.at += 8;
        }
        Ok(Some(record))
    }
}
