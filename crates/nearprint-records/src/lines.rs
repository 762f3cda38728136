//! Lines of a file with their numbers and offsets, in bounded memory however long a line is.

use std::io::{self, BufRead};

use crate::expansion::{Cost, Damage, Expansion};
use crate::row_charset::RowCharset;

/// The longest line of a file of fingerprints, in bytes without its end: 1 MiB, far above any row of ours.
pub(crate) const LONGEST_LINE: usize = 1 << 20;

/// A line and where it begins.
pub(crate) struct Line<'a> {
    /// Counted from 1.
    pub(crate) number: u64,
    /// Bytes before it.
    pub(crate) offset: u64,
    /// Bytes of it with its end.
    pub(crate) length: u64,
    /// Its bytes in UTF-8, without LF or CR LF; `None` if there are more than allowed, which are skipped.
    pub(crate) bytes: Option<&'a [u8]>,
    /// Whether it ends with CR LF.
    pub(crate) has_cr: bool,
}

/// Reads lines into one buffer.
pub(crate) struct Lines<R> {
    reader: R,
    charset: RowCharset,
    /// The line read last as it is stored, with its end.
    buffer: Vec<u8>,
    /// Bytes of it without its end, and whether this is CR LF.
    content: usize,
    has_cr: bool,
    /// The same in UTF-8, without its end, where it is stored in another charset.
    decoded: Vec<u8>,
    longest: usize,
    number: u64,
    offset: u64,
    /// Whether the line read last is no longer than allowed.
    fits: bool,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self::of_at_most(reader, LONGEST_LINE)
    }

    /// Lines of at most `longest` bytes without their ends.
    pub(crate) fn of_at_most(reader: R, longest: usize) -> Self {
        Self {
            reader,
            charset: RowCharset::UTF_8,
            buffer: Vec::new(),
            content: 0,
            has_cr: false,
            decoded: Vec::new(),
            longest,
            number: 0,
            offset: 0,
            fits: true,
        }
    }

    /// The same of what is stored in another charset. Lengths and offsets are those of the bytes as they are stored.
    pub(crate) fn in_charset(self, charset: RowCharset) -> Self {
        Self { charset, ..self }
    }

    pub(crate) fn charset(&self) -> RowCharset {
        self.charset
    }

    /// The place of the line read last: its number, and the offset after it.
    pub(crate) fn position(&self) -> (u64, u64) {
        (self.number, self.offset)
    }

    /// Continues after so many lines and bytes: the reader stands there.
    pub(crate) fn go_on(&mut self, number: u64, offset: u64) {
        (self.number, self.offset) = (number, offset);
    }

    /// The line read last in UTF-8, where it was no longer than allowed.
    pub(crate) fn last(&self) -> &[u8] {
        if self.charset.is_utf8() { &self.buffer[..self.content] } else { &self.decoded }
    }

    /// The length of the line read last without its end, as it is stored, and whether this is CR LF.
    fn content(&self) -> (usize, bool) {
        let unit = self.charset.unit();
        let before = |end: usize, byte: u8| {
            let at = end.checked_sub(unit)?;
            self.charset.is_unit(&self.buffer[at..end], byte).then_some(at)
        };
        let length = self.buffer.len();
        let end = before(length, b'\n');
        let content = end.unwrap_or(length);
        before(content, b'\r').map_or((content, false), |at| (at, end.is_some()))
    }

    /// What is read.
    pub(crate) fn reader(&mut self) -> &mut R {
        &mut self.reader
    }

    pub(crate) fn next(&mut self) -> Option<io::Result<Line<'_>>> {
        self.buffer.clear();
        let start = self.offset;
        let (mut fits, mut ended, mut before) = (true, false, None);
        while !ended {
            let available = match self.reader.fill_buf() {
                Ok([]) if self.offset == start => return None,
                Ok([]) => break,
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Some(Err(error)),
            };
            let end = self.charset.line_end(available, self.offset, before);
            let part = &available[..end.unwrap_or(available.len())];
            let used = part.len();
            // Its end, which may be CR LF, is not part of the line.
            fits = fits
                && self.buffer.len() + used <= self.longest.saturating_add(2 * self.charset.unit());
            if fits {
                self.buffer.extend_from_slice(part);
            } else {
                // The rest of the line may take hours: what is of no use is not held as long.
                self.buffer = Vec::new();
            }
            before = part.last().copied();
            self.reader.consume(used);
            self.offset += used as u64;
            ended = end.is_some();
        }
        self.number += 1;
        (self.content, self.has_cr) = self.content();
        self.fits = fits && self.content <= self.longest;
        if self.fits && !self.charset.is_utf8() {
            let mut decoded = std::mem::take(&mut self.decoded);
            let stored = &self.buffer[..self.content];
            self.fits = self.charset.decode(stored, &mut decoded, self.longest);
            self.decoded = decoded;
        }
        Some(Ok(self.last_line(start)))
    }

    /// The line read last, which began at `offset`.
    fn last_line(&self, offset: u64) -> Line<'_> {
        let bytes = self.fits.then(|| self.last());
        let has_cr = self.has_cr;
        Line { number: self.number, offset, length: self.offset - offset, bytes, has_cr }
    }
}

/// Times that the readers of rows look at the bytes of a line: its end, its white space or its copy, its values.
const LOOKS: usize = 3;

impl Lines<Expansion> {
    /// The next line, once what looking at it takes was charged.
    pub(crate) fn next_charged(&mut self) -> Option<Result<Line<'_>, Damage>> {
        let start = self.offset;
        if let Err(error) = self.next()? {
            return Some(Err(error.into()));
        }
        let length = self.offset - start;
        let looked = usize::try_from(length).unwrap_or(usize::MAX).saturating_mul(LOOKS);
        if let Err(damage) = self.reader.charge(looked) {
            return Some(Err(damage));
        }
        Some(Ok(self.last_line(start)))
    }

    /// What reading has cost.
    pub(crate) fn cost(&self) -> Cost {
        self.reader.cost()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn read(text: &[u8], buffer: usize) -> Vec<(u64, u64, Option<usize>)> {
        let mut lines = Lines::new(BufReader::with_capacity(buffer, text));
        let mut found = Vec::new();
        while let Some(line) = lines.next() {
            let line = line.unwrap();
            found.push((line.number, line.offset, line.bytes.map(<[u8]>::len)));
        }
        found
    }

    #[test]
    fn lines_end_with_lf_cr_lf_or_the_file() {
        for buffer in [1, 2, 64] {
            assert_eq!(read(b"", buffer), []);
            assert_eq!(
                read(b"ab\n\r\nabc\r\nd", buffer),
                [(1, 0, Some(2)), (2, 3, Some(0)), (3, 5, Some(3)), (4, 10, Some(1))]
            );
        }
    }

    #[test]
    fn lines_of_utf16_are_found_wherever_what_is_read_ends() {
        // U+0A0A and U+010A have the byte of a line feed, and end no line.
        let text = "\u{FEFF}ab\r\n\u{A0A}\u{10A}\u{A00}\n\nd";
        for (label, bytes) in [
            ("utf-16le", text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
            ("utf-16be", text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        ] {
            for buffer in [1, 2, 3, 5, 64] {
                let reader = BufReader::with_capacity(buffer, &bytes[..]);
                let charset = RowCharset::of(&bytes, Some(label));
                let mut lines = Lines::new(reader).in_charset(charset);
                let mut found = Vec::new();
                while let Some(line) = lines.next() {
                    let Line { offset, length, bytes, has_cr, .. } = line.unwrap();
                    let text = std::str::from_utf8(bytes.unwrap()).unwrap().to_owned();
                    found.push((offset, length, text, has_cr));
                }
                let wanted = [
                    (0, 10, "\u{FEFF}ab", true),
                    (10, 8, "\u{A0A}\u{10A}\u{A00}", false),
                    (18, 2, "", false),
                    (20, 2, "d", false),
                ];
                let wanted = wanted.map(|(at, length, text, cr)| (at, length, text.to_owned(), cr));
                assert_eq!(found, wanted, "{label} {buffer}");
            }
        }
    }

    /// A line of gigabytes is held as long as it may be one, and not while the rest of it passes.
    #[test]
    fn a_line_too_long_is_not_held() {
        struct Endless(u64, usize);
        impl std::io::Read for Endless {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                unreachable!("`Lines` reads from the buffer")
            }
        }
        impl BufRead for Endless {
            fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
                let left = usize::try_from(self.0).unwrap_or(usize::MAX);
                Ok(&[b'x'; 1 << 16][..left.min(self.1)])
            }

            fn consume(&mut self, count: usize) {
                self.0 -= count as u64;
            }
        }
        let mut lines = Lines::of_at_most(Endless(8 << 30, 1 << 16), 1 << 20);
        let line = lines.next().unwrap().unwrap();
        assert_eq!((line.length, line.bytes), (8 << 30, None));
        assert_eq!(lines.buffer.capacity(), 0);
        assert!(lines.next().is_none());
    }

    #[test]
    fn lines_too_long_are_passed_over() {
        let mut text = vec![b'x'; LONGEST_LINE];
        text.push(b'\n');
        text.extend(vec![b'x'; LONGEST_LINE + 1]);
        text.extend(b"\nab");
        let after = 2 * LONGEST_LINE as u64 + 3;
        assert_eq!(
            read(&text, 4096),
            [(1, 0, Some(LONGEST_LINE)), (2, LONGEST_LINE as u64 + 1, None), (3, after, Some(2))]
        );
    }
}
