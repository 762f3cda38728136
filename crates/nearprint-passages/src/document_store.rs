//! The tokens and texts of all documents: what runs are compared on, and what rows show.

use std::io;
use std::ops::Range;
use std::path::Path;

use crate::byte_log::ByteLog;
use crate::error::PassageError;
use crate::rows::TextPlace;
use crate::temporary_file::TemporaryFile;
use crate::token_block::{BLOCK, EncodedText, TokenBlock};

/// Tokens of a document, at most: places are sorted in 32 bits, their differences with a sign.
pub(crate) const MOST_TOKENS: usize = (1 << 31) - 1;

/// Bytes of a document that are read of a file when it is opened, at most.
const READ: u64 = 16 * 1024;

/// Bytes of a number in a record.
const NUMBER: u64 = 8;

/// Documents, by their numbers from 0.
///
/// The record of one is the number of its tokens, where each of its blocks ends, counted from the first one, and its
/// blocks. So one read of a file is enough for a block of a short document, and two are for one of a long document.
#[derive(Debug)]
pub(crate) struct DocumentStore {
    /// The records of all documents, one after the other.
    records: ByteLog,
    /// Where each begins, and where the last one ends once all are readable.
    starts: ByteLog,
    count: u32,
}

impl DocumentStore {
    /// An empty store that keeps about `memory` bytes in memory.
    pub(crate) fn new(memory: usize, directory: &Path) -> Self {
        let [records, starts] = shares(memory);
        Self {
            records: ByteLog::new(records, directory),
            starts: ByteLog::new(starts, directory),
            count: 0,
        }
    }

    /// An empty store that is saved in two files: its records, and where they begin.
    pub(crate) fn saved(memory: usize, paths: [&Path; 2]) -> io::Result<Self> {
        let [records, starts] = shares(memory);
        Ok(Self {
            records: ByteLog::saved(records, paths[0])?,
            starts: ByteLog::saved(starts, paths[1])?,
            count: 0,
        })
    }

    /// The store of so many documents that two files have.
    pub(crate) fn open(memory: usize, files: [TemporaryFile; 2], count: u32) -> io::Result<Self> {
        let [records, starts] = shares(memory);
        let [in_records, in_starts] = files;
        Ok(Self {
            records: ByteLog::open(records, in_records)?,
            starts: ByteLog::open(starts, in_starts)?,
            count,
        })
    }

    /// The files of a store that is saved.
    pub(crate) fn files(&self) -> Option<[&TemporaryFile; 2]> {
        Some([self.records.file()?, self.starts.file()?])
    }

    /// The number of documents.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// Adds a document, and returns its number.
    pub(crate) fn push(&mut self, text: &EncodedText) -> Result<u32, PassageError> {
        let number = self.count;
        if text.hashes.len() > MOST_TOKENS {
            return Err(PassageError::LongDocument(number));
        }
        self.count = number.checked_add(1).ok_or(PassageError::ManyDocuments)?;
        self.starts.append_number(self.records.len())?;
        let numbers = std::iter::once(text.hashes.len()).chain(text.ends.iter().copied());
        let head: Vec<u8> = numbers.flat_map(|number| (number as u64).to_le_bytes()).collect();
        self.records.append(&[&head, &text.bytes])?;
        Ok(number)
    }

    /// Makes all documents readable. No document is added after that.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.records.flush()?;
        self.starts.append_number(self.records.len())?;
        self.starts.flush()
    }

    /// Something that reads documents, one at a time.
    pub(crate) fn reader(&self) -> DocumentReader<'_> {
        DocumentReader {
            store: self,
            document: None,
            record: 0..0,
            start: Vec::new(),
            tokens: 0,
            block: TokenBlock::default(),
            read: None,
            scratch: Vec::new(),
        }
    }
}

/// Reads the tokens of one document; the block that was read last is at hand. Its buffers are used again for the next
/// document.
pub(crate) struct DocumentReader<'s> {
    store: &'s DocumentStore,
    /// The document that is open.
    document: Option<u32>,
    /// Where its record is.
    record: Range<u64>,
    /// What its record begins with, if that is in the file.
    start: Vec<u8>,
    tokens: usize,
    block: TokenBlock,
    /// The number of the block that was read.
    read: Option<usize>,
    scratch: Vec<u8>,
}

impl DocumentReader<'_> {
    /// Turns to a document, unless it is open.
    pub(crate) fn open(&mut self, document: u32) -> io::Result<()> {
        if self.document == Some(document) {
            return Ok(());
        }
        (self.document, self.read) = (None, None);
        let [start, end] = self.store.starts.two_numbers(u64::from(document))?;
        self.record = start..end;
        self.start.clear();
        if !self.store.records.has_in_memory(end) {
            self.store.records.read(start..end.min(start + READ), &mut self.start)?;
        }
        // It was made of 31 bits.
        self.tokens = self.number(0)? as usize;
        self.document = Some(document);
        Ok(())
    }

    /// A range of bytes of its record.
    fn bytes(&mut self, range: Range<u64>) -> io::Result<&[u8]> {
        if range.end <= self.start.len() as u64 {
            // So it fits.
            return Ok(&self.start[range.start as usize..range.end as usize]);
        }
        let Range { start, end } = self.record;
        // What an altered file says may be anywhere.
        let is_within = range.start <= range.end && range.end <= end - start;
        let range =
            is_within.then(|| start + range.start..start + range.end).ok_or_else(missing)?;
        self.store.records.read(range, &mut self.scratch)
    }

    /// A number that its record begins with.
    fn number(&mut self, at: u64) -> io::Result<u64> {
        let bytes = self.bytes(at * NUMBER..(at + 1) * NUMBER)?;
        bytes.first_chunk().map(|bytes| u64::from_le_bytes(*bytes)).ok_or_else(missing)
    }

    /// The number of its tokens.
    pub(crate) fn tokens(&self) -> usize {
        self.tokens
    }

    /// A token by its number.
    #[inline]
    pub(crate) fn token(&mut self, number: usize) -> io::Result<&[u8]> {
        self.load(number / BLOCK)?;
        self.block.token(number % BLOCK).ok_or_else(missing)
    }

    #[inline]
    fn load(&mut self, block: usize) -> io::Result<()> {
        if self.read != Some(block) { self.load_block(block) } else { Ok(()) }
    }

    fn load_block(&mut self, block: usize) -> io::Result<()> {
        self.read = None;
        let blocks = self.tokens.div_ceil(BLOCK) as u64;
        if block as u64 >= blocks {
            return Err(missing());
        }
        // The first number is that of the tokens, and the first block begins after all numbers.
        let first = (blocks + 1) * NUMBER;
        let start = if block == 0 { 0 } else { self.number(block as u64)? };
        let end = self.number(block as u64 + 1)?;
        let range = first.saturating_add(start)..first.saturating_add(end);
        // Apart from the buffers, of which one has the bytes.
        let mut read = std::mem::take(&mut self.block);
        let result = self.bytes(range).and_then(|bytes| read.read(bytes));
        self.block = read;
        result?;
        self.read = Some(block);
        Ok(())
    }

    /// The place in the text of a run of tokens, which is not empty.
    pub(crate) fn place(&mut self, run: &Range<usize>) -> io::Result<TextPlace> {
        let first = self.token_place(run.start)?.start;
        let first_character = self.block.characters_before(first);
        let last = self.token_place(run.end - 1)?.end;
        let last_character = self.block.characters_before(last);
        Ok(TextPlace {
            start_byte: first as u64,
            end_byte: last as u64,
            start_character: first_character as u64,
            end_character: last_character as u64,
        })
    }

    fn token_place(&mut self, number: usize) -> io::Result<Range<usize>> {
        self.load(number / BLOCK)?;
        self.block.place(number % BLOCK).ok_or_else(missing)
    }

    /// The text of a run of tokens, which is not empty, as it is in the document.
    pub(crate) fn text(&mut self, run: &Range<usize>) -> io::Result<String> {
        let range = self.token_place(run.start)?.start..self.token_place(run.end - 1)?.end;
        let (mut text, mut at) = (Vec::with_capacity(range.len()), range.start);
        for block in run.start / BLOCK..=(run.end - 1) / BLOCK {
            self.load(block)?;
            text.extend_from_slice(self.block.text(&(at..range.end)));
            at = self.block.end().min(range.end);
        }
        // It is what was given, cut at characters.
        String::from_utf8(text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }
}

/// The bytes of memory for records, and for where they begin: whole numbers.
fn shares(memory: usize) -> [usize; 2] {
    let starts = memory / 128 * 8;
    [memory - starts, starts]
}

fn missing() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a temporary file of passages was changed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_read_from_memory_and_from_files() {
        let texts = ["", "one two", &"Größe 日本のテスト and fog ".repeat(100), "...", "x"];
        for memory in [0, 4_000, 1 << 20] {
            let mut store = DocumentStore::new(memory, &std::env::temp_dir());
            for text in &texts {
                store.push(&EncodedText::new(text, true)).unwrap();
            }
            store.finish().unwrap();
            assert_eq!(store.count(), 5);
            let mut long = store.reader();
            long.open(2).unwrap();
            assert_eq!(long.tokens(), 800);
            for run in [0..800, 0..1, 799..800, 60..70, 62..64, 64..128, 100..500] {
                let place = long.place(&run).unwrap();
                let bytes = place.start_byte as usize..place.end_byte as usize;
                let text = long.text(&run).unwrap();
                assert_eq!(text, &texts[2][bytes.clone()]);
                assert_eq!(texts[2][..bytes.start].chars().count() as u64, place.start_character);
                assert_eq!(texts[2][..bytes.end].chars().count() as u64, place.end_character);
                let mut tokens = 0;
                nearprint_fingerprint::placed_tokens(&text, true, |_| tokens += 1);
                assert_eq!(tokens, run.len());
            }
            long.open(1).unwrap();
            assert_eq!(long.token(1).unwrap(), b"two");
            assert!(long.token(2).is_err());
            long.open(3).unwrap();
            assert_eq!(long.tokens(), 0);
        }
    }
}
