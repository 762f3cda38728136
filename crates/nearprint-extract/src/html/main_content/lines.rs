//! The lines of a page's text: how much of each is in links, which are prose, which are kept.

use std::ops::Range;

/// Bytes outside links from which a line is prose.
const PROSE: usize = 80;
/// The largest share of a line of prose that may be links: one in three.
const LINKED: usize = 3;

/// Bytes of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Bytes {
    pub(super) all: usize,
    pub(super) linked: usize,
    pub(super) prose: usize,
}

impl Bytes {
    pub(super) fn unlinked(self) -> usize {
        self.all - self.linked
    }

    fn add(&mut self, more: Self) {
        self.all += more.all;
        self.linked += more.linked;
        self.prose += more.prose;
    }

    fn since(self, before: Self) -> Self {
        Self {
            all: self.all - before.all,
            linked: self.linked - before.linked,
            prose: self.prose - before.prose,
        }
    }
}

/// The lines of a text.
#[derive(Debug)]
pub(super) struct Lines<'t> {
    text: &'t str,
    /// Where each line begins.
    starts: Vec<usize>,
    bytes: Vec<Bytes>,
    kept: Vec<bool>,
    /// What stands before each line and after the last, of the lines that were kept at the last [`Self::sum`].
    sums: Vec<Bytes>,
}

impl<'t> Lines<'t> {
    /// The lines of a text and the links in it, which are in order and do not overlap.
    pub(super) fn new(text: &'t str, links: &[Range<usize>]) -> Self {
        let (mut starts, mut bytes, mut at) = (Vec::new(), Vec::new(), 0);
        let mut links = links.iter().peekable();
        for line in text.split_inclusive('\n') {
            let (start, end) = (at, at + line.trim_end_matches('\n').len());
            at += line.len();
            let mut linked = 0;
            while let Some(link) = links.peek() {
                linked += link.end.min(end).saturating_sub(link.start.max(start));
                if link.end > end {
                    break;
                }
                links.next();
            }
            let all = end - start;
            let is_prose = all - linked >= PROSE && linked * LINKED <= all;
            starts.push(start);
            bytes.push(Bytes { all, linked, prose: if is_prose { all - linked } else { 0 } });
        }
        let mut lines =
            Self { text, kept: vec![true; starts.len()], starts, bytes, sums: Vec::new() };
        lines.sum();
        lines
    }

    pub(super) fn count(&self) -> usize {
        self.starts.len()
    }

    pub(super) fn text(&self, line: usize) -> &'t str {
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        self.text[self.starts[line]..end].trim_end_matches('\n')
    }

    pub(super) fn bytes(&self, line: usize) -> Bytes {
        self.bytes[line]
    }

    pub(super) fn is_kept(&self, line: usize) -> bool {
        self.kept[line]
    }

    /// The lines that begin within these bytes.
    pub(super) fn within(&self, bytes: &Range<usize>) -> Range<usize> {
        let first = self.starts.partition_point(|start| *start < bytes.start);
        let end = self.starts.partition_point(|start| *start < bytes.end);
        first..end.max(first)
    }

    /// What these lines have, of those that were kept at the last [`Self::sum`].
    pub(super) fn of(&self, lines: &Range<usize>) -> Bytes {
        self.sums[lines.end].since(self.sums[lines.start])
    }

    /// What these lines have, of those that are kept now.
    pub(super) fn kept_of(&self, lines: &Range<usize>) -> Bytes {
        let mut sum = Bytes::default();
        for line in lines.clone().filter(|line| self.kept[*line]) {
            sum.add(self.bytes[line]);
        }
        sum
    }

    pub(super) fn drop(&mut self, lines: Range<usize>) {
        self.kept[lines].fill(false);
    }

    pub(super) fn keep_only(&mut self, lines: &Range<usize>) {
        self.kept[..lines.start].fill(false);
        self.kept[lines.end..].fill(false);
    }

    /// Counts the lines that are kept.
    pub(super) fn sum(&mut self) {
        self.sums.clear();
        let mut sum = Bytes::default();
        self.sums.push(sum);
        for (bytes, kept) in self.bytes.iter().zip(&self.kept) {
            if *kept {
                sum.add(*bytes);
            }
            self.sums.push(sum);
        }
    }
}
