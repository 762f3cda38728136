//! The texts of documents, kept so that they can be shown, compared and verified.
//!
//! | tag | part of a value |
//! |---|---|
//! | 24 | the text in UTF-8 |
//! | 25 | in its place, the length of the text and the text as a frame of zstd, if that is shorter |
//! | 26 | the stretches of the text that are the main content of a page: the first byte of each, counted from the end of the one before, and its length |
//!
//! Numbers are groups of 7 bits, as the lengths of [`parts`](crate::store::parts). Records do not have texts, so that
//! whoever reads records does not read texts.

use std::cell::RefCell;
use std::ops::Range;

use nearprint::TextParts;
use redb::{ReadOnlyTable, ReadTransaction, ReadableTable, ReadableTableMetadata};
use zstd::bulk::{Compressor, Decompressor};

use crate::IndexError;
use crate::store::TEXTS;
use crate::store::parts::{Parts, PreparedValue, put_number, take_number};
use crate::store::source::Source;

const TEXT: u8 = 24;
const COMPRESSED: u8 = 25;
const MAIN_CONTENT: u8 = 26;

/// How much zstd tries: more gains little on texts, and takes the time of the thread that adds them.
const LEVEL: i32 = 1;

/// Bytes of the longest text that is kept.
const LONGEST: usize = 1 << 30;

/// The text of a document, as an index keeps it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredText {
    /// The text.
    pub text: String,
    /// The bytes that are the main content of a page, in order; none where that is the whole text.
    pub main_content: Vec<Range<usize>>,
}

thread_local! {
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// A text as a frame of zstd; `None` where that is not shorter.
fn compressed(text: &str) -> Option<Vec<u8>> {
    let frame = COMPRESSOR.with_borrow_mut(|compressor| {
        let compressor = match compressor {
            Some(compressor) => compressor,
            None => compressor.insert(Compressor::new(LEVEL).ok()?),
        };
        compressor.compress(text.as_bytes()).ok()
    });
    frame.filter(|frame| frame.len() + 5 < text.len())
}

/// The bytes of a frame, which are this many.
fn decompressed(frame: &[u8], length: usize) -> Option<Vec<u8>> {
    let bytes = DECOMPRESSOR.with_borrow_mut(|decompressor| {
        let decompressor = match decompressor {
            Some(decompressor) => decompressor,
            None => decompressor.insert(Decompressor::new().ok()?),
        };
        decompressor.decompress(frame, length).ok()
    });
    bytes.filter(|bytes| bytes.len() == length)
}

impl StoredText {
    /// The text that was made of a document, with where its main content is.
    #[must_use]
    pub fn of_made(made: TextParts) -> Option<Self> {
        let main_content = made.main_content.unwrap_or_default();
        made.text.map(|text| Self { text, main_content })
    }

    /// The main content alone; the whole text where there is nothing around it.
    #[must_use]
    pub fn main_text(self) -> String {
        let pieces: Option<Vec<_>> =
            self.main_content.iter().map(|range| self.text.get(range.clone())).collect();
        match pieces {
            Some(pieces) if !pieces.is_empty() => pieces.join("\n"),
            _ => self.text,
        }
    }

    /// Refuses main content that does not lie in the text, one stretch after the other, and texts that are too long.
    pub(crate) fn check(&self) -> Result<(), IndexError> {
        let mut end = 0;
        let is_inside = self.main_content.iter().all(|range| {
            let follows = range.start >= end && self.text.get(range.clone()).is_some();
            end = range.end;
            follows
        });
        let detail = match () {
            () if !is_inside => "the main content is not in the text".to_owned(),
            () if self.text.len() > LONGEST => {
                let bytes = self.text.len();
                format!("the text has {bytes} bytes, {LONGEST} are allowed")
            }
            () => return Ok(()),
        };
        Err(IndexError::Metadata { detail })
    }

    /// The text as a value of the store.
    pub(crate) fn prepare(&self) -> PreparedValue {
        let mut value = PreparedValue::new();
        match compressed(&self.text) {
            Some(frame) => {
                let mut part = Vec::with_capacity(frame.len() + 5);
                put_number(&mut part, self.text.len() as u64);
                part.extend(frame);
                value.put(COMPRESSED, &part);
            }
            None => value.put(TEXT, self.text.as_bytes()),
        }
        if !self.main_content.is_empty() {
            let (mut part, mut end) = (Vec::new(), 0);
            for range in &self.main_content {
                put_number(&mut part, (range.start - end) as u64);
                put_number(&mut part, range.len() as u64);
                end = range.end;
            }
            value.put(MAIN_CONTENT, &part);
        }
        value
    }

    /// The text of a value; `None` where it is damaged.
    pub(crate) fn of_parts(parts: Parts<'_>) -> Option<Self> {
        let text = match parts.tagged([TEXT, COMPRESSED, MAIN_CONTENT])? {
            [Some(text), None, _] => text.to_vec(),
            [None, Some(part), _] => {
                let (length, frame) = take_number(part)?;
                let length = usize::try_from(length).ok().filter(|length| *length <= LONGEST)?;
                decompressed(frame, length)?
            }
            _ => return None,
        };
        let text = String::from_utf8(text).ok()?;
        let [_, _, stretches] = parts.tagged([TEXT, COMPRESSED, MAIN_CONTENT])?;
        let mut rest = stretches.unwrap_or_default();
        let (mut main_content, mut end) = (Vec::new(), 0);
        while !rest.is_empty() {
            let (gap, after) = take_number(rest)?;
            let (length, after) = take_number(after)?;
            let start = usize::try_from(gap).ok()?.checked_add(end)?;
            end = usize::try_from(length).ok()?.checked_add(start)?;
            main_content.push(start..end);
            rest = after;
        }
        let found = Self { text, main_content };
        found.check().is_ok().then_some(found)
    }
}

/// The text of the document of a sequence number, whose record says that it has one.
pub(crate) fn read(
    source: &Source,
    table: &impl ReadableTable<u64, &'static [u8]>,
    sequence: u64,
) -> Result<StoredText, IndexError> {
    let store = &source.store;
    let value = store.tried(table.get(sequence))?;
    let parts = value.as_ref().and_then(|value| Parts::of(sequence, value.value()));
    let text = parts.and_then(StoredText::of_parts);
    text.ok_or_else(|| store.damaged(format!("the text of document number {sequence} is damaged")))
}

/// The texts of an index in one state of its store.
pub(crate) struct TextTable<'s> {
    source: &'s Source,
    table: ReadOnlyTable<u64, &'static [u8]>,
}

impl<'s> TextTable<'s> {
    /// `None` where the index keeps none.
    pub(crate) fn open(
        source: &'s Source,
        at: &ReadTransaction,
    ) -> Result<Option<Self>, IndexError> {
        if !source.keeps_texts {
            return Ok(None);
        }
        let table = source.store.tried(at.open_table(TEXTS))?;
        Ok(Some(Self { source, table }))
    }

    /// The text of the document of a sequence number, whose record says that it has one.
    pub(crate) fn get(&self, sequence: u64) -> Result<StoredText, IndexError> {
        read(self.source, &self.table, sequence)
    }

    pub(crate) fn len(&self) -> Result<u64, IndexError> {
        self.source.store.tried(self.table.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts() -> Vec<StoredText> {
        let text = |text: &str, ends: &[(usize, usize)]| StoredText {
            text: text.to_owned(),
            main_content: ends.iter().map(|&(start, end)| start..end).collect(),
        };
        let long = "The fog came in at noon. ".repeat(200);
        vec![
            text("", &[]),
            text("Nebel über", &[(0, 5), (6, 11)]),
            text(&long, &[(25, 50), (50, 75), (1000, 5000)]),
        ]
    }

    #[test]
    fn texts_come_back_with_their_main_content() {
        for text in texts() {
            let mut value = text.prepare();
            assert!(value.len() < 200, "long texts are compressed");
            let bytes = value.sealed(3).to_vec();
            assert_eq!(Parts::of(3, &bytes).and_then(StoredText::of_parts), Some(text));
            assert!(Parts::of(4, &bytes).is_none(), "the text of another document");
            for bit in 0..bytes.len() * 8 {
                let mut hurt = bytes.clone();
                hurt[bit / 8] ^= 1 << (bit % 8);
                assert!(Parts::of(3, &hurt).is_none(), "bit {bit}");
            }
        }
    }

    #[test]
    fn stretches_lie_in_their_text_in_order() {
        let of = |ends: &[(usize, usize)]| StoredText {
            text: "Nebel über".to_owned(),
            main_content: ends.iter().map(|&(start, end)| start..end).collect(),
        };
        for good in [&[][..], &[(0, 5)], &[(0, 5), (6, 11)], &[(0, 0), (0, 11)]] {
            assert!(of(good).check().is_ok(), "{good:?}");
        }
        for bad in [&[(0, 12)][..], &[(7, 8)], &[(6, 11), (0, 5)], &[(0, 5), (4, 6)], &[(5, 2)]] {
            assert!(of(bad).check().is_err(), "{bad:?}");
        }
        assert_eq!(of(&[(0, 2), (6, 11)]).main_text(), "Ne\nüber");
    }

    #[test]
    fn a_value_that_contradicts_itself_is_refused() {
        for parts in [
            &[][..],
            &[(TEXT, &b"a"[..]), (COMPRESSED, b"b")],
            &[(TEXT, b"\xff")],
            &[(COMPRESSED, b"\x01x")],
            &[(COMPRESSED, b"\xff\xff\xff\xff\xff\xff\x01")],
            &[(TEXT, b"ab"), (MAIN_CONTENT, &[1])],
            &[(TEXT, b"ab"), (MAIN_CONTENT, &[1, 2])],
        ] {
            let mut value = PreparedValue::new();
            parts.iter().for_each(|(tag, part)| value.put(*tag, part));
            assert_eq!(StoredText::of_parts(value.parts()), None, "{parts:?}");
        }
    }
}
