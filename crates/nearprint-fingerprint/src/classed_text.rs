//! Normalised text with the class of each byte beside it: what the stages after normalisation work on.
//!
//! One byte of class for each byte of text (those of one code point are alike) makes cuts and words a matter of
//! bit masks: no stage decodes UTF-8 a second time, a cut is a run of classes set to 0, and ASCII, Cyrillic and
//! Devanagari words are found by the same loop.

use std::ops::Range;

use crate::kernel::{BLOCK, Kernel, Level, Work};
use crate::unicode::class;

/// Bytes after the content that may be written and read, never meaningfully: so a code point is stored as four bytes
/// at once, and a token is read as whole words.
const SLACK: usize = 16;

#[derive(Default)]
pub(crate) struct ClassedText {
    /// Storage: the content is the first `len` bytes of both. They are of equal length.
    text: Vec<u8>,
    classes: Vec<u8>,
    len: usize,
    /// A hash of what was left out of its middle.
    left_out: u64,
}

impl ClassedText {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The memory of the text; the classes take as much again.
    pub(crate) fn capacity(&self) -> usize {
        self.text.capacity()
    }

    pub(crate) fn text(&self) -> &[u8] {
        &self.text[..self.len]
    }

    /// The text and some bytes after it that mean nothing.
    pub(crate) fn storage(&self) -> &[u8] {
        &self.text
    }

    pub(crate) fn classes(&self) -> &[u8] {
        &self.classes[..self.len]
    }

    /// Appends a code point of this class.
    #[inline]
    pub(crate) fn push(&mut self, c: char, class: u8) {
        let mut end = self.end(4);
        end.push(c, class);
        self.len = end.len;
    }

    /// The end of the text, to append up to `room` bytes to; [`Self::set_len`] takes its length over.
    #[inline]
    pub(crate) fn end(&mut self, room: usize) -> End<'_> {
        let needed = self.len + room + SLACK;
        if self.text.len() < needed {
            self.grow(needed);
        }
        let last = if self.len > 0 { self.classes[self.len - 1] } else { 0 };
        End { text: &mut self.text, classes: &mut self.classes, len: self.len, last }
    }

    #[cold]
    fn grow(&mut self, needed: usize) {
        let size = needed.max(self.text.len() * 2);
        self.text.resize(size, 0);
        self.classes.resize(size, 0);
    }

    /// Makes the content what it is up to `len`, which must be within what was appended.
    #[inline]
    pub(crate) fn set_len(&mut self, len: usize) {
        assert!(len <= self.text.len());
        self.len = len;
    }

    /// The block of classes at `from`, with zeros after `limit`, and how many of its bytes lie before that.
    #[inline(always)]
    pub(crate) fn block(&self, from: usize, limit: usize) -> ([u8; BLOCK], usize) {
        let rest = &self.classes()[from..limit];
        match rest.first_chunk() {
            Some(block) => (*block, BLOCK),
            None => {
                let mut block = [0; BLOCK];
                block[..rest.len()].copy_from_slice(rest);
                (block, rest.len())
            }
        }
    }

    /// Leaves bytes out that no stage needs; a comparison of whole texts still sees that they were there.
    pub(crate) fn leave_out(&mut self, range: Range<usize>) {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        self.left_out = self.text[range.clone()].iter().fold(self.left_out, |hash, &byte| {
            hash.wrapping_add(u64::from(byte) + 1).wrapping_mul(STEP)
        });
        self.remove(range);
    }

    /// A hash of all that was left out; 0 if nothing was.
    pub(crate) fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Begins another text.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.left_out = 0;
    }

    /// Makes these bytes separate.
    pub(crate) fn cut(&mut self, range: Range<usize>) {
        self.classes[range].fill(class::CUT);
    }

    /// Removes bytes; what is after them moves forward.
    pub(crate) fn remove(&mut self, range: Range<usize>) {
        self.text.copy_within(range.end..self.len, range.start);
        self.classes.copy_within(range.end..self.len, range.start);
        self.len -= range.len();
    }
}

/// Where bytes are appended: a value of its own, so that the loop over code points keeps it in registers.
pub(crate) struct End<'a> {
    text: &'a mut [u8],
    classes: &'a mut [u8],
    len: usize,
    /// The class of the last byte: reading it back would make each code point wait for the one before.
    last: u8,
}

impl End<'_> {
    /// The length of the text with what was appended.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Appends a code point of this class.
    #[inline(always)]
    pub(crate) fn push(&mut self, c: char, class: u8) {
        let mut utf8 = [0; 4];
        let length = c.encode_utf8(&mut utf8).len();
        self.push_utf8(utf8, length, class);
    }

    /// Appends a code point of this class, given as its bytes and anything after them. A mark after a pair
    /// letter, or after another such mark, becomes part of its pair run here (SPEC [6.2]); cuts cannot change that,
    /// since matches are ASCII and pair letters are not.
    #[inline(always)]
    pub(crate) fn push_utf8(&mut self, utf8: [u8; 4], length: usize, class: u8) {
        // Without a branch: where marks come cannot be foreseen.
        let joins = class & class::MARK != 0 && self.last & class::PAIR != 0;
        let class = if joins { class::PAIR | class::MARK } else { class };
        let to = self.len..self.len + 4;
        self.text[to.clone()].copy_from_slice(&utf8);
        self.classes[to].copy_from_slice(&[class; 4]);
        self.len += length;
        self.last = class;
    }

    /// Appends the code points U+4E00 to U+9FFF that `bytes` begins with, which are letters of one class that nothing
    /// changes, and returns the number of their bytes. There must be room for the first.
    #[inline(always)]
    pub(crate) fn push_han(&mut self, bytes: &[u8], class: u8) -> usize {
        let mut appended = 0;
        while let Some(&[first, second, third, _]) = bytes[appended..].first_chunk() {
            // U+4E00 is E4 B8 80, U+9FFF is E9 BF BF.
            if !(0xE4B8..=0xE9BF).contains(&u16::from_be_bytes([first, second])) {
                break;
            }
            let to = self.len..self.len + 4;
            self.text[to.clone()].copy_from_slice(&[first, second, third, 0]);
            self.classes[to].copy_from_slice(&[class; 4]);
            self.len += 3;
            appended += 3;
        }
        if appended > 0 {
            self.last = class;
        }
        appended
    }

    /// Appends the ASCII bytes that `bytes` begins with in lower case, with their classes; returns their number and
    /// the last of them. There must be one.
    #[inline(always)]
    pub(crate) fn push_ascii(&mut self, level: Level, bytes: &[u8]) -> (usize, u8) {
        let (text, classes) = (&mut self.text[self.len..], &mut self.classes[self.len..]);
        let appended = take_ascii(level, bytes, text, classes);
        self.len += appended;
        self.last = self.classes[self.len - 1];
        (appended, self.text[self.len - 1])
    }
}

/// Not inlined: its vector constants would crowd the registers of the loop over code points.
#[inline(never)]
fn take_ascii(level: Level, bytes: &[u8], text: &mut [u8], classes: &mut [u8]) -> usize {
    level.run(TakeAscii { bytes, text, classes })
}

struct TakeAscii<'a> {
    bytes: &'a [u8],
    text: &'a mut [u8],
    classes: &'a mut [u8],
}

impl Work for TakeAscii<'_> {
    type Output = usize;

    #[inline(always)]
    fn run(self, kernel: impl Kernel) -> usize {
        let Self { bytes, text, classes } = self;
        let mut taken = 0;
        while let (Some(block), Some(text), Some(classes)) = (
            bytes[taken..].first_chunk(),
            text[taken..].first_chunk_mut(),
            classes[taken..].first_chunk_mut(),
        ) {
            let others = kernel.fold_ascii(block, text, classes);
            taken += others.trailing_zeros() as usize;
            if others != 0 {
                return taken;
            }
        }
        let rest = &bytes[taken..];
        let rest = &rest[..rest.len().min(BLOCK - 1)];
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        let (mut folded, mut classed) = ([0; BLOCK], [0; BLOCK]);
        let others = kernel.fold_ascii(&block, &mut folded, &mut classed);
        let last = taken + rest.len().min(others.trailing_zeros() as usize);
        text[taken..last].copy_from_slice(&folded[..last - taken]);
        classes[taken..last].copy_from_slice(&classed[..last - taken]);
        last
    }
}
