//! Stretches of a stream that were searched and do not have what was looked for.
//!
//! What is looked for at the end of a header may never come: in a header that arrives byte by byte, or in a file of
//! nothing but first lines of headers. If each search started again at the beginning, time would grow with the square
//! of the length.

use std::ops::RangeInclusive;

/// Bytes of the longest thing that is looked for, a line end and the beginning of a record, without the last one.
const OVERLAP: u64 = 8;

/// Stretch of a stream that was searched last.
#[derive(Debug)]
pub(super) struct SearchedStretch {
    /// Positions in the stream.
    stretch: RangeInclusive<u64>,
    /// Bytes that were looked at and not taken to account, each as often as it was.
    work: usize,
}

impl Default for SearchedStretch {
    fn default() -> Self {
        Self { stretch: 0..=0, work: 0 }
    }
}

impl SearchedStretch {
    /// What `find` finds in bytes that begin at `position`, which was not found before. Only the bytes that were not
    /// searched before are passed to it.
    ///
    /// The same thing has to be looked for each time, and it may not be longer than nine bytes.
    pub(super) fn find(
        &mut self,
        position: u64,
        bytes: &[u8],
        find: impl Fn(&[u8]) -> Option<usize>,
    ) -> Option<usize> {
        let (begin, end) = (*self.stretch.start(), *self.stretch.end());
        let known = if self.stretch.contains(&position) { end - position } else { 0 };
        let known = usize::try_from(known.saturating_sub(OVERLAP)).unwrap_or(usize::MAX);
        let known = known.min(bytes.len());
        let found = find(&bytes[known..]).map(|at| known + at);
        self.work += found.unwrap_or(bytes.len()) - known;
        if found.is_none() {
            let searched = position + bytes.len() as u64;
            self.stretch = match self.stretch.contains(&position) {
                true => begin..=end.max(searched),
                false => position..=searched,
            };
        }
        found
    }

    /// Takes to account the bytes that were looked at, each as often as it was.
    pub(super) fn take_work(&mut self) -> usize {
        std::mem::take(&mut self.work)
    }
}

#[cfg(test)]
mod tests {
    use super::super::warc::{head_end, record_head_end};
    use super::*;

    /// The same end is found wherever what was searched before ended.
    #[test]
    fn ends_over_the_edge_are_found() {
        for end in [&b"\r\n\r\n"[..], b"\n\n", b"\n\r\n"] {
            let text = [b"WARC/1.0\r\nA: b", end, b"rest\n\n"].concat();
            let wanted = head_end(&text);
            for first in 0..=text.len() {
                for second in first..=text.len() {
                    let mut searched = SearchedStretch::default();
                    let found = [first, second, text.len()]
                        .into_iter()
                        .find_map(|length| searched.find(0, &text[..length], head_end));
                    assert_eq!(found, wanted, "{end:?} {first} {second}");
                }
            }
        }
    }

    /// So is the beginning of another record.
    #[test]
    fn beginnings_over_the_edge_are_found() {
        let text = b"WARC/1.0\r\nA: b\nWARC/1.1\n\n";
        for first in 0..=text.len() {
            let mut searched = SearchedStretch::default();
            let found = [first, text.len()]
                .into_iter()
                .find_map(|length| searched.find(0, &text[..length], record_head_end));
            assert_eq!(found, Some(15), "{first}");
        }
    }

    /// Headers that begin within what was searched are not searched a second time; others are.
    #[test]
    fn bytes_are_searched_once() {
        let text = b"WARC/1.0\r\n".repeat(100);
        let mut searched = SearchedStretch::default();
        for at in (0..text.len()).step_by(10) {
            assert_eq!(searched.find(at as u64, &text[at..], head_end), None);
        }
        let work = searched.take_work();
        assert!(work < 2 * text.len(), "{work}");
        assert_eq!(searched.find(5_000, b"ab\n\n", head_end), Some(4));
    }
}
