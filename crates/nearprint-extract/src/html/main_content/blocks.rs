//! What stands inside the chosen element and is not its content: blocks are taken out by counted rules.
//!
//! A rule names blocks by what they are called ([`super::words`]), by their share of links, or by what repeats. It
//! takes the outermost ones that hold little of the prose, and takes none where less than half of the prose would be
//! left: then the page is of another kind than the rule is for. All rules are linear in the page.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::lines::{Bytes, Lines};
use super::page_kind::PageKind;
use super::words::Names;
use super::{Landmark, Span};

/// Percent of the prose that a rule must leave.
const LEFT: usize = 50;
/// The same of an article, of which readers may have said much more than it does.
const LEFT_OF_ARTICLE: usize = 5;
/// The same of a discussion without the remarks on its messages.
const LEFT_OF_DISCUSSION: usize = 60;
/// The same of a product without its reviews.
const LEFT_OF_PRODUCT: usize = 20;
/// Percent of the prose that the messages of a discussion hold.
const MESSAGES: usize = 90;
/// Bytes from which a line that repeats another is not content: pages have parts twice, for wide and narrow screens,
/// and messages quote others.
const REPEATED: usize = 90;
/// The same of discussions and products.
const SHORT_REPEATED: usize = 40;
/// Percent of a line in a paragraph of an article from which links make it a reference to another page.
const ALL_LINKED: usize = 80;
/// Bytes of prose from which links are counted on pages that do not say that they are articles.
const MUCH_PROSE: usize = 2_000;

/// The page whose blocks are judged.
#[derive(Debug)]
pub(super) struct Blocks<'p, 'a, 't> {
    /// Parents before their children.
    pub(super) spans: &'p [Span<'a>],
    /// Of each the lines that it holds whole.
    pub(super) lines_of: &'p [Range<usize>],
    pub(super) lines: &'p mut Lines<'t>,
    /// The lines of the chosen element.
    pub(super) root: Range<usize>,
    pub(super) kind: PageKind,
}

impl Blocks<'_, '_, '_> {
    /// Takes out what readers said, before the element is chosen. It follows what it is said of: readers may have said
    /// more than an article does, but not where next to nothing stands before them.
    pub(super) fn drop_comments(&mut self) {
        if self.kind == PageKind::Discussion {
            return;
        }
        let comments = self.found_where(97, |span, _, _| span.names.any(Names::COMMENT));
        let Some(first) = comments.last() else { return };
        let prose = |lines: &Range<usize>| self.lines.of(lines).prose;
        let stands_before = prose(&(self.root.start..first.start));
        let is_after_an_article = self.kind == PageKind::Article
            && stands_before * 100 >= prose(&self.root) * LEFT_OF_ARTICLE;
        let left = if is_after_an_article { LEFT_OF_ARTICLE } else { LEFT };
        self.drop_found(comments, left);
    }

    /// Takes out all else that is not content of the chosen element.
    pub(super) fn drop_the_rest(&mut self) {
        let all = self.lines.of(&self.root);
        let kind = self.kind;
        let is_article = kind == PageKind::Article;
        match kind {
            PageKind::Discussion => {
                self.drop_where(90, LEFT_OF_DISCUSSION, |span, _, _| {
                    span.names.any(Names::COMMENT)
                });
                self.keep_messages();
            }
            PageKind::Product => {
                self.drop_where(50, LEFT_OF_PRODUCT, |span, _, _| span.names.any(Names::REVIEW));
            }
            PageKind::Article | PageKind::Other => {}
        }
        self.drop_where(50, LEFT, |span, _, _| span.landmark == Landmark::Margin);
        self.drop_where(25, LEFT, |span, _, _| {
            span.names.any(Names::SIDE)
                && span.landmark != Landmark::Quotation
                && !span.names.any(Names::EMBEDDED)
        });
        if is_article {
            self.drop_where(25, LEFT, |span, bytes, _| {
                span.names.any(Names::ARTICLE_SIDE)
                    || (bytes.prose == 0 && span.names.any(Names::LABEL))
            });
        }
        let counts_links = if is_article {
            all.prose * 2 > all.all
        } else {
            all.prose * 3 > all.all * 2 && all.prose > MUCH_PROSE
        };
        if counts_links {
            self.drop_where(50, LEFT, |span, bytes, all| {
                bytes.linked * 3 > bytes.all * 2
                    && bytes.prose * 10 < all.prose
                    && !matches!(span.landmark, Landmark::Paragraph | Landmark::TablePart)
                    && !span.is_author_markup(kind)
            });
        }
        if is_article {
            self.drop_where(50, LEFT, |span, _, _| {
                span.landmark == Landmark::Caption || span.names.any(Names::CAPTION)
            });
            self.drop_linked_paragraphs();
        }
        self.drop_repetitions();
        if is_article {
            self.drop_head();
        }
    }

    /// Takes out the outermost blocks of which this holds, if each has less than `most` percent of the prose and
    /// `left` percent of it are left.
    fn drop_where(
        &mut self,
        most: usize,
        left: usize,
        is_out: impl Fn(&Span<'_>, Bytes, Bytes) -> bool,
    ) {
        let found = self.found_where(most, is_out);
        self.drop_found(found, left);
    }

    /// The outermost blocks of which this holds and that have less than `most` percent of the prose, from the last.
    fn found_where(
        &self,
        most: usize,
        is_out: impl Fn(&Span<'_>, Bytes, Bytes) -> bool,
    ) -> Vec<Range<usize>> {
        let all = self.lines.of(&self.root);
        let mut found: Vec<Range<usize>> = Vec::new();
        for (span, lines) in self.spans.iter().zip(self.lines_of) {
            // From the last to the first, parents before children.
            let is_inside = found.last().is_some_and(|last| lines.start >= last.start);
            if is_inside
                || lines.is_empty()
                || lines.start < self.root.start
                || lines.end > self.root.end
                || *lines == self.root
            {
                continue;
            }
            let bytes = self.lines.of(lines);
            let is_large = if all.prose > 0 {
                bytes.prose * 100 >= all.prose * most
            } else {
                bytes.all * 5 >= all.all * 2
            };
            if !is_large && is_out(span, bytes, all) {
                found.push(lines.clone());
            }
        }
        found
    }

    /// Takes out blocks, if `left` percent of the prose are left.
    fn drop_found(&mut self, found: Vec<Range<usize>>, left: usize) {
        let all = self.lines.of(&self.root);
        let before = self.lines.kept_of(&self.root).prose;
        let gone: usize = found.iter().map(|lines| self.lines.kept_of(lines).prose).sum();
        if (before - gone) * 100 >= all.prose * left {
            found.into_iter().for_each(|lines| self.lines.drop(lines));
        }
    }

    /// Keeps the messages of a discussion alone, without who wrote them when: the blocks of one name that are least
    /// in all and hold nearly all of the prose.
    fn keep_messages(&mut self) {
        struct Same {
            last: usize,
            count: usize,
            bytes: usize,
            prose: usize,
        }
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let mut all: Vec<Same> = Vec::new();
        for (span, lines) in self.spans.iter().zip(self.lines_of) {
            if lines.is_empty()
                || lines.start < self.root.start
                || lines.end > self.root.end
                || !self.lines.is_kept(lines.start)
            {
                continue;
            }
            let bytes = self.lines.of(lines);
            for name in span.name_tokens() {
                let number = *numbers.entry(name).or_insert(all.len());
                if number == all.len() {
                    all.push(Same { last: usize::MAX, count: 0, bytes: 0, prose: 0 });
                }
                let same = &mut all[number];
                if lines.end <= same.last {
                    same.last = lines.start;
                    same.count += 1;
                    same.bytes += bytes.all;
                    same.prose += bytes.prose;
                }
            }
        }
        let prose = self.lines.kept_of(&self.root).prose;
        let messages = all
            .iter()
            .enumerate()
            .filter(|(_, same)| same.count >= 2 && same.prose * 100 >= prose * MESSAGES)
            .min_by_key(|(_, same)| same.bytes)
            .map(|(number, _)| number);
        let Some(messages) = messages.filter(|_| prose > 0) else { return };
        // What lies between them, from the last to the first.
        let mut end = self.root.end;
        for (span, lines) in self.spans.iter().zip(self.lines_of) {
            if lines.is_empty() || lines.end > end || lines.start < self.root.start {
                continue;
            }
            if self.lines.is_kept(lines.start)
                && span.name_tokens().any(|name| numbers.get(&name) == Some(&messages))
            {
                self.lines.drop(lines.end..end);
                end = lines.start;
            }
        }
        self.lines.drop(self.root.start..end);
    }

    /// Takes out the paragraphs of an article that are links to other pages.
    fn drop_linked_paragraphs(&mut self) {
        let mut before = usize::MAX;
        for (span, lines) in self.spans.iter().zip(self.lines_of) {
            if span.landmark != Landmark::Paragraph || lines.start >= before {
                continue;
            }
            before = lines.start;
            for line in lines.clone() {
                let bytes = self.lines.bytes(line);
                if bytes.linked * 100 > bytes.all * ALL_LINKED {
                    self.lines.drop(line..line + 1);
                }
            }
        }
    }

    fn drop_repetitions(&mut self) {
        let least = match self.kind {
            PageKind::Discussion | PageKind::Product => SHORT_REPEATED,
            PageKind::Article | PageKind::Other => REPEATED,
        };
        let mut seen = HashSet::new();
        let is_code = self.lines_of_code();
        for (line, is_code) in self.root.clone().zip(is_code) {
            if !is_code
                && self.lines.is_kept(line)
                && self.lines.bytes(line).all >= least
                && !seen.insert(self.lines.text(line))
            {
                self.lines.drop(line..line + 1);
            }
        }
    }

    /// Which lines of the root are preformatted. Those of messages are not counted: they quote the code of others.
    fn lines_of_code(&self) -> Vec<bool> {
        let mut is_code = vec![false; self.root.len()];
        if self.kind != PageKind::Discussion {
            let spans = self.spans.iter().zip(self.lines_of);
            let mut before = usize::MAX;
            for (_, lines) in spans.filter(|(span, _)| span.landmark == Landmark::Preformatted) {
                // One in another one is part of it.
                if lines.start >= before {
                    continue;
                }
                before = lines.start;
                let within =
                    |line: usize| line.clamp(self.root.start, self.root.end) - self.root.start;
                is_code[within(lines.start)..within(lines.end)].fill(true);
            }
        }
        is_code
    }

    /// Takes out what stands in an article before its first prose, down to its title, which is metadata.
    fn drop_head(&mut self) {
        let is_prose =
            |line: &usize| self.lines.is_kept(*line) && self.lines.bytes(*line).prose > 0;
        let Some(first) = self.root.clone().find(is_prose) else { return };
        let titles = self.spans.iter().zip(self.lines_of);
        let end = titles
            .filter(|(span, lines)| span.landmark == Landmark::Title && !lines.is_empty())
            .map(|(_, lines)| lines.end)
            .filter(|end| *end > self.root.start && *end <= first)
            .max();
        if let Some(end) = end {
            self.lines.drop(self.root.start..end);
        }
    }
}
