//! Bytes of a stream from which one may look ahead, and go back to a mark that is not too far back.

use std::io::{self, Read};

/// Bytes added at once.
const STEP: usize = 128 << 10;

/// Bytes after which a mark is given up: far above an ordinary record, far below what hurts.
const KEPT: usize = 16 << 20;

/// The part of a stream that is at hand.
#[derive(Debug, Default)]
pub(super) struct Window {
    bytes: Vec<u8>,
    /// Index of the first byte that is not taken yet.
    at: usize,
    /// Index to go back to.
    mark: Option<usize>,
    /// Bytes of the stream before the first one here.
    base: u64,
}

impl Window {
    /// Nothing at hand of a stream of which so many bytes were taken.
    pub(super) fn at(base: u64) -> Self {
        Self { base, ..Self::default() }
    }

    /// What is at hand and not taken.
    pub(super) fn ahead(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// Bytes of the stream that were taken.
    pub(super) fn position(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Takes so many bytes of those at hand.
    pub(super) fn consume(&mut self, count: usize) {
        self.at = (self.at + count).min(self.bytes.len());
        if self.mark.is_some_and(|mark| self.at - mark > KEPT) {
            self.mark = None;
        }
    }

    /// Remembers where the stream is.
    pub(super) fn mark(&mut self) {
        self.mark = Some(self.at);
    }

    /// Goes back to the mark, where what follows it is still here; how far.
    pub(super) fn rewind(&mut self) -> Option<u64> {
        let mark = self.mark.take()?;
        let far = self.at - mark;
        self.at = mark;
        Some(far as u64)
    }

    /// Has `add` append bytes.
    pub(super) fn extend<R>(&mut self, add: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        let keep = self.mark.unwrap_or(self.at);
        // Only where it moves fewer bytes than it frees, so that moving never costs more than reading.
        if keep == self.bytes.len() || keep > STEP.max(self.bytes.len() / 2) {
            self.bytes.drain(..keep);
            self.at -= keep;
            self.mark = self.mark.map(|_| 0);
            self.base += keep as u64;
        }
        add(&mut self.bytes)
    }

    /// Reads on; whether there was something.
    /// The same by one read, so that no more is waited for than there is: of streams that come piece by piece.
    pub(super) fn read_some(&mut self, source: &mut dyn Read) -> io::Result<bool> {
        self.extend(|bytes| {
            let before = bytes.len();
            bytes.resize(before + STEP, 0);
            let read = loop {
                match source.read(&mut bytes[before..]) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    read => break read,
                }
            };
            bytes.truncate(before + read.as_ref().map_or(0, |&read| read));
            Ok(read? > 0)
        })
    }

    pub(super) fn read_from(&mut self, source: &mut dyn Read) -> io::Result<bool> {
        self.extend(|bytes| {
            let before = bytes.len();
            source.take(STEP as u64).read_to_end(bytes)?;
            Ok(bytes.len() > before)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_may_look_ahead_and_go_back() {
        let stream: Vec<u8> = (0..1_000_000u32).map(|n| (n % 251) as u8).collect();
        let (mut source, mut window) = (&stream[..], Window::default());
        let mut taken = 0usize;
        while window.read_from(&mut source).unwrap() {
            let ahead = window.ahead().len();
            assert_eq!(window.ahead(), &stream[taken..taken + ahead]);
            window.mark();
            window.consume(ahead / 3);
            assert_eq!(window.rewind(), Some(ahead as u64 / 3));
            assert_eq!(window.position(), taken as u64);
            window.consume(ahead / 3);
            taken += ahead / 3;
            // What was read is not kept for ever.
            assert!(window.bytes.len() < 3 * (STEP + window.ahead().len()));
        }
        assert_eq!(window.ahead(), &stream[taken..]);
    }

    #[test]
    fn a_mark_far_behind_is_given_up() {
        let stream = vec![7; KEPT + 3 * STEP];
        let (mut source, mut window) = (&stream[..], Window::default());
        window.mark();
        while window.read_from(&mut source).unwrap() {
            window.consume(window.ahead().len());
        }
        assert_eq!(window.rewind(), None);
        assert_eq!(window.position(), stream.len() as u64);
        assert!(window.bytes.len() <= KEPT + 2 * STEP);
    }
}
