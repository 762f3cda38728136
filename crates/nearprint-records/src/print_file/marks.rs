//! Which fingerprints of a binary file are short: a bit for each.

use std::io::{self, Write};

/// Which fingerprints of a binary file the standard calls short (SPEC [7.5]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShortMarks {
    bits: Vec<u8>,
}

impl ShortMarks {
    pub(super) fn new(bits: Vec<u8>) -> Self {
        Self { bits }
    }

    /// Whether the fingerprint at a position is short.
    ///
    /// # Panics
    /// Where there is no such fingerprint.
    #[must_use]
    pub fn get(&self, position: usize) -> bool {
        self.bits[position / 8] >> (position % 8) & 1 == 1
    }
}

/// Bytes of the marks of so many fingerprints.
pub(super) fn bytes_of(count: u64) -> u64 {
    count.div_ceil(8)
}

/// Whether bits are set that no fingerprint has.
pub(super) fn has_spare_bits(bits: &[u8], count: u64) -> bool {
    let used = count % 8;
    used != 0 && bits.last().is_some_and(|&last| last >> used != 0)
}

/// Marks on their way out, eight at a time.
pub(super) struct MarkWriter<W> {
    out: W,
    byte: u8,
    count: u64,
}

impl<W: Write> MarkWriter<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, byte: 0, count: 0 }
    }

    pub(super) fn push(&mut self, short: bool) -> io::Result<()> {
        self.byte |= u8::from(short) << (self.count % 8);
        self.count += 1;
        if self.count.is_multiple_of(8) {
            self.out.write_all(&[std::mem::take(&mut self.byte)])?;
        }
        Ok(())
    }

    /// What was written to, with the last byte.
    pub(super) fn finish(mut self) -> io::Result<W> {
        if !self.count.is_multiple_of(8) {
            self.out.write_all(&[self.byte])?;
        }
        Ok(self.out)
    }
}
