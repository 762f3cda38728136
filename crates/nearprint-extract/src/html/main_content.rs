//! The main content of a page, for callers who want the article without what stands around it.
//!
//! It is a stretch of the page's text as it is without this setting, never more: captions, tables and references
//! of the article stay. It is the text of the first of these elements that is there and holds enough of the page:
//!
//! 1. the page's one `main`, or the one element with that role;
//! 2. its one outermost `article`: several are a list of articles;
//! 3. the smallest element that holds nearly all of the page's prose, which are lines long enough to be
//!    sentences and not made of links.
//!
//! Where none does, it is the whole page. The one heading of the first rank, where it stands before that element,
//! comes with it: pages set it in a banner.

use std::ops::Range;

use super::element::Kind;
use super::tokenizer::Tag;
use crate::extraction::MainContent;

/// Bytes outside links from which a line is prose.
const PROSE: usize = 80;
/// The largest share of a line of prose that may be links: one in three.
const LINKED: usize = 3;
/// Percent of the page's prose that the smallest element must hold.
const NEARLY_ALL: usize = 80;
/// Percent of the page's prose, and of its text, under which an element is not believed to be its main content.
const LEAST: usize = 30;

/// What an element's name or role says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Landmark {
    Main,
    Article,
    /// The heading of the first rank.
    Title,
    /// Any other element that may hold the main content: a division, a cell of a table that lays out the page.
    Division,
    /// Paragraphs, lists and all that makes up content and does not hold it.
    None,
}

/// What a tag says about its element.
pub(super) fn landmark(kind: Kind, tag: Tag<'_>) -> Landmark {
    let is = |name: &str| tag.name.eq_ignore_ascii_case(name);
    let has_role = || {
        tag.attributes().any(|(name, value)| {
            name.eq_ignore_ascii_case("role") && value.trim().eq_ignore_ascii_case("main")
        })
    };
    if is("main") || (tag.has_attributes() && has_role()) {
        Landmark::Main
    } else if is("article") {
        Landmark::Article
    } else if is("h1") {
        Landmark::Title
    } else if matches!(kind, Kind::Block | Kind::Cell | Kind::Unknown | Kind::Form) {
        Landmark::Division
    } else {
        Landmark::None
    }
}

/// Whether a tag begins a link; without an address it is an anchor, often one that is never closed.
pub(super) fn is_link(tag: Tag<'_>) -> bool {
    tag.name.eq_ignore_ascii_case("a")
        && tag.attributes().any(|(name, _)| name.eq_ignore_ascii_case("href"))
}

/// An open element: its place on the stack and the length of the text before it.
#[derive(Debug)]
struct OpenElement {
    depth: usize,
    start: usize,
    landmark: Landmark,
}

/// The bytes of an element in the text, of one that says something.
#[derive(Debug)]
struct Span {
    bytes: Range<usize>,
    landmark: Landmark,
}

/// Where the elements of a page lie in its text. All lengths are of the text so far, in bytes.
///
/// Every operation is constant time, amortised, as those of the stack are.
#[derive(Debug, Default)]
pub(super) struct Outline {
    open: Vec<OpenElement>,
    /// In the order of their ends.
    spans: Vec<Span>,
    /// In order; they do not overlap.
    links: Vec<Range<usize>>,
    link: Option<usize>,
}

impl Outline {
    /// An element begins, at this place of the stack.
    pub(super) fn open(&mut self, depth: usize, length: usize, landmark: Landmark) {
        self.open.push(OpenElement { depth, start: length, landmark });
    }

    /// The stack is closed down to `depth`; `shortened` is the length that the text was cut to on the way.
    pub(super) fn close(&mut self, depth: usize, length: usize, shortened: Option<usize>) {
        if let Some(shortened) = shortened {
            self.forget(shortened);
        }
        while self.open.last().is_some_and(|opened| opened.depth >= depth) {
            let Some(OpenElement { start, landmark, .. }) = self.open.pop() else { return };
            if start < length && landmark != Landmark::None {
                self.spans.push(Span { bytes: start..length, landmark });
            }
        }
    }

    fn forget(&mut self, length: usize) {
        while self.spans.last().is_some_and(|span| span.bytes.end > length) {
            self.spans.pop();
        }
        while self.links.last().is_some_and(|link| link.end > length) {
            self.links.pop();
        }
        self.link = self.link.map(|start| start.min(length));
    }

    /// A link begins; links do not nest.
    pub(super) fn link(&mut self, length: usize) {
        self.end_link(length);
        self.link = Some(length);
    }

    /// A link ends, if one is open.
    pub(super) fn end_link(&mut self, length: usize) {
        if let Some(start) = self.link.take()
            && start < length
        {
            self.links.push(start..length);
        }
    }

    /// The main content of the finished text, and how it was told.
    pub(super) fn choose(mut self, text: String) -> (String, MainContent) {
        self.end_link(text.len());
        self.close(0, text.len(), None);
        let prose = Prose::new(&text, &self.links);
        let page = 0..text.len();
        let enough = |bytes: &Range<usize>| {
            bytes.len() * 100 >= page.len() * LEAST
                && prose.within(bytes) * 100 >= prose.within(&page) * LEAST
        };
        let found = [
            (self.only(Landmark::Main), MainContent::MainElement),
            (self.only(Landmark::Article), MainContent::ArticleElement),
            (self.densest(&prose, &page), MainContent::DensestElement),
        ]
        .into_iter()
        .find_map(|(bytes, found)| Some((bytes.filter(&enough)?, found)));
        let Some((bytes, found)) = found else { return (text, MainContent::WholePage) };
        let mut chosen = String::new();
        if let Some(title) = self.title_before(&bytes) {
            chosen.push_str(text[title].trim());
            chosen.push('\n');
        }
        chosen.push_str(text[bytes].trim());
        chosen.push('\n');
        (chosen, found)
    }

    /// The one outermost element of this kind.
    fn only(&self, landmark: Landmark) -> Option<Range<usize>> {
        let mut found: Option<&Range<usize>> = None;
        // By their ends from the last, an outer element comes before those inside it.
        for span in self.spans.iter().rev().filter(|span| span.landmark == landmark) {
            match found {
                Some(outer) if span.bytes.start >= outer.start => {}
                Some(_) => return None,
                None => found = Some(&span.bytes),
            }
        }
        found.cloned()
    }

    /// The smallest element with nearly all of the prose.
    fn densest(&self, prose: &Prose, page: &Range<usize>) -> Option<Range<usize>> {
        let needed = prose.within(page) * NEARLY_ALL;
        self.spans
            .iter()
            .filter(|span| span.landmark != Landmark::Title)
            .map(|span| &span.bytes)
            .filter(|bytes| needed > 0 && prose.within(bytes) * 100 >= needed)
            .min_by_key(|bytes| bytes.len())
            .cloned()
    }

    /// The page's one heading of the first rank, if it stands before these bytes.
    fn title_before(&self, bytes: &Range<usize>) -> Option<Range<usize>> {
        self.only(Landmark::Title).filter(|title| title.end <= bytes.start)
    }
}

/// Which bytes of a text are prose.
#[derive(Debug)]
struct Prose {
    /// Of each line of prose, its bytes and how much prose stands before it.
    lines: Vec<(Range<usize>, usize)>,
    total: usize,
}

impl Prose {
    fn new(text: &str, links: &[Range<usize>]) -> Self {
        let (mut lines, mut total, mut at) = (Vec::new(), 0, 0);
        let mut links = links.iter().peekable();
        for line in text.split_inclusive('\n') {
            let bytes = at..at + line.trim_end_matches('\n').len();
            at += line.len();
            let mut linked = 0;
            while let Some(link) = links.peek() {
                linked += link.end.min(bytes.end).saturating_sub(link.start.max(bytes.start));
                if link.end > bytes.end {
                    break;
                }
                links.next();
            }
            if bytes.len() - linked >= PROSE && linked * LINKED <= bytes.len() {
                let length = bytes.len() - linked;
                lines.push((bytes, total));
                total += length;
            }
        }
        Self { lines, total }
    }

    /// Bytes of prose in the lines that lie wholly within these.
    fn within(&self, bytes: &Range<usize>) -> usize {
        let first = self.lines.partition_point(|(line, _)| line.start < bytes.start);
        let end = self.lines.partition_point(|(line, _)| line.end <= bytes.end);
        let before = |index: usize| self.lines.get(index).map_or(self.total, |(_, before)| *before);
        before(end).saturating_sub(before(first))
    }
}

#[cfg(test)]
mod tests;
