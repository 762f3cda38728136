//! Lines of a file with their numbers and offsets, in bounded memory however long a line is.

use std::io::{self, BufRead};

use crate::expansion::{Cost, Damage, Expansion};

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
    /// Its bytes without LF or CR LF; `None` if there are more than allowed, which are skipped.
    pub(crate) bytes: Option<&'a [u8]>,
}

/// Reads lines into one buffer.
pub(crate) struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
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
        Self { reader, buffer: Vec::new(), longest, number: 0, offset: 0, fits: true }
    }

    /// The place of the line read last: its number, and the offset after it.
    pub(crate) fn position(&self) -> (u64, u64) {
        (self.number, self.offset)
    }

    /// Continues after so many lines and bytes: the reader stands there.
    pub(crate) fn go_on(&mut self, number: u64, offset: u64) {
        (self.number, self.offset) = (number, offset);
    }

    /// The line read last, where it was no longer than allowed.
    pub(crate) fn last(&self) -> &[u8] {
        self.buffer.strip_suffix(b"\r").unwrap_or(&self.buffer)
    }

    /// What is read.
    pub(crate) fn reader(&mut self) -> &mut R {
        &mut self.reader
    }

    pub(crate) fn next(&mut self) -> Option<io::Result<Line<'_>>> {
        self.buffer.clear();
        let start = self.offset;
        let (mut fits, mut ended) = (true, false);
        while !ended {
            let available = match self.reader.fill_buf() {
                Ok([]) if self.offset == start => return None,
                Ok([]) => break,
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Some(Err(error)),
            };
            let end = memchr::memchr(b'\n', available);
            let part = &available[..end.unwrap_or(available.len())];
            let used = part.len() + usize::from(end.is_some());
            // One byte more than fits, for the CR that is not part of the line.
            fits = fits && self.buffer.len() + part.len() <= self.longest.saturating_add(1);
            if fits {
                self.buffer.extend_from_slice(part);
            } else {
                // The rest of the line may take hours: what is of no use is not held as long.
                self.buffer = Vec::new();
            }
            self.reader.consume(used);
            self.offset += used as u64;
            ended = end.is_some();
        }
        self.number += 1;
        self.fits = fits && self.last().len() <= self.longest;
        Some(Ok(self.last_line(start)))
    }

    /// The line read last, which began at `offset`.
    fn last_line(&self, offset: u64) -> Line<'_> {
        let bytes = self.fits.then(|| self.last());
        Line { number: self.number, offset, length: self.offset - offset, bytes }
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
