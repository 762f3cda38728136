//! Numbers and structures in the compact protocol of Thrift, as far as heads and footers of Parquet are counted before
//! the library reads them. It keeps nothing of what it goes past, and believes no length.

use std::io::{self, Read};

/// Structures and lists, one inside another (<=).
const DEEPEST: usize = 32;

/// Kinds of values that are looked at.
pub(crate) const BINARY: u8 = 8;
pub(crate) const LIST: u8 = 9;
pub(crate) const STRUCTURE: u8 = 12;

/// Reads values one after the other; `None` is given where the bytes end too early or are no Thrift.
pub(crate) struct CompactReader<R> {
    bytes: R,
    /// How many bytes were read.
    pub(crate) read: u64,
}

impl<R: Read> CompactReader<R> {
    pub(crate) fn new(bytes: R) -> Self {
        Self { bytes, read: 0 }
    }

    /// The next field of a structure, by the number of the one before: its number and the kind of its value; kind 0 is
    /// the end of the structure.
    pub(crate) fn field(&mut self, last: i64) -> Option<(i64, u8)> {
        let byte = self.byte()?;
        let kind = byte & 0xF;
        if kind == 0 {
            return Some((last, 0));
        }
        let number = match i64::from(byte >> 4) {
            0 => self.number()?,
            more => last.checked_add(more)?,
        };
        Some((number, kind))
    }

    /// How many elements a list has, and their kind.
    pub(crate) fn list(&mut self) -> Option<(u64, u8)> {
        let byte = self.byte()?;
        let count = match byte >> 4 {
            15 => self.varint()?,
            count => count.into(),
        };
        Some((count, byte & 0xF))
    }

    /// Goes past a value, which lies in so many structures.
    pub(crate) fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        match kind {
            1 | 2 => Some(()),
            3 => self.skip_bytes(1),
            4..=6 => self.number().map(|_| ()),
            7 => self.skip_bytes(8),
            BINARY => self.binary().map(|_| ()),
            LIST | 10 => {
                let (count, kind) = self.list()?;
                (0..count).try_for_each(|_| self.skip_element(kind, depth))
            }
            11 => self.skip_map(depth),
            STRUCTURE => {
                let mut number = 0;
                loop {
                    let kind;
                    (number, kind) = self.field(number)?;
                    if kind == 0 {
                        return Some(());
                    }
                    self.skip(kind, depth + 1)?;
                }
            }
            13 => self.skip_bytes(16),
            _ => None,
        }
    }

    /// Goes past an element of a list: truth values have a byte of their own there.
    fn skip_element(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            1 | 2 => self.skip_bytes(1),
            kind => self.skip(kind, depth + 1),
        }
    }

    fn skip_map(&mut self, depth: usize) -> Option<()> {
        let count = self.varint()?;
        if count == 0 {
            return Some(());
        }
        let kinds = self.byte()?;
        (0..count).try_for_each(|_| {
            self.skip_element(kinds >> 4, depth)?;
            self.skip_element(kinds & 0xF, depth)
        })
    }

    /// Goes past a string, and returns its length.
    pub(crate) fn binary(&mut self) -> Option<u64> {
        let length = self.varint()?;
        self.skip_bytes(length)?;
        Some(length)
    }

    /// A signed number.
    pub(crate) fn number(&mut self) -> Option<i64> {
        let number = self.varint()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for place in 0..10 {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F).checked_shl(place * 7)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn byte(&mut self) -> Option<u8> {
        let mut byte = [0];
        self.bytes.read_exact(&mut byte).ok()?;
        self.read += 1;
        Some(byte[0])
    }

    fn skip_bytes(&mut self, length: u64) -> Option<()> {
        let skipped = io::copy(&mut self.bytes.by_ref().take(length), &mut io::sink());
        self.read = self.read.saturating_add(length);
        (skipped.ok()? == length).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_kind_are_skipped() {
        for (kind, bytes) in [
            (1, &[][..]),
            (3, &[9]),
            (5, &[0xAC, 2]),
            (7, &[0; 8]),
            (BINARY, &[2, b'x', b'y']),
            (LIST, &[0x25, 2, 4]),
            (LIST, &[0x21, 1, 2]),
            (LIST, &[0xF3, 3, 7, 7, 7]),
            (11, &[0]),
            (11, &[1, 0x85, 1, b'k', 4]),
            (STRUCTURE, &[0x15, 2, 0x1C, 0x15, 4, 0, 0x08, 40, 1, b'x', 0]),
            (13, &[0; 16]),
        ] {
            let mut reader = CompactReader::new(bytes);
            assert_eq!(reader.skip(kind, 0), Some(()), "{kind} {bytes:?}");
            assert_eq!(reader.read, bytes.len() as u64, "{kind} {bytes:?}");
            if let Some(shorter) = bytes.len().checked_sub(1) {
                let cut = CompactReader::new(&bytes[..shorter]).skip(kind, 0);
                assert_eq!(cut, None, "{kind} {bytes:?}");
            }
        }
    }

    #[test]
    fn lists_in_lists_have_an_end_and_lengths_are_not_believed() {
        let deep = [0x1C; 2 * DEEPEST];
        assert_eq!(CompactReader::new(&deep[..]).skip(STRUCTURE, 0), None);
        let long = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1];
        assert_eq!(CompactReader::new(&long[..]).skip(BINARY, 0), None);
        let list = [&[0xFC][..], &long].concat();
        assert_eq!(CompactReader::new(&list[..]).skip(LIST, 0), None);
    }
}
