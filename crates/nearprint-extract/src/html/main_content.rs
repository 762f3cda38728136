//! The main content of a page, for callers who want the article without what stands around it.
//!
//! It is lines of the page's text as it is without this setting, in their order, never more. First an element is
//! chosen, the first of these that is there and holds enough of the page, when what readers said is left aside:
//!
//! 1. the page's one `main`, or the one element with that role;
//! 2. its one outermost `article`: several are a list of articles;
//! 3. the smallest element that holds nearly all of the page's prose, which are lines long enough to be
//!    sentences and not made of links;
//! 4. inside that one, or inside the page, the element that is named as the body of an article.
//!
//! Where none does, it is the whole page. Then blocks inside it that are not its content are taken out ([`blocks`]),
//! more of them where the page says that it is an article ([`page_kind`]). The one heading of the first rank, where it
//! stands before the element, comes with it, since pages set it in a banner; but not that of an article, whose title is
//! metadata.

mod blocks;
mod lines;
mod page_kind;
mod words;

use std::ops::Range;

use self::blocks::Blocks;
use self::lines::Lines;
use self::page_kind::{PageKind, PageTypes};
use self::words::Names;
use super::element::Kind;
use super::tokenizer::Tag;
use crate::extraction::MainContent;

/// Percent of the page's prose that the smallest element must hold.
const NEARLY_ALL: usize = 80;
/// Percent of the page's prose, and of its text, under which an element is not believed to be its main content.
const LEAST: usize = 30;
/// Percent of the prose of the chosen element that the body of an article must hold.
const LEAST_OF_ARTICLE: usize = 15;
/// The same where the page does not say that it is an article.
const LEAST_OF_BODY: usize = 25;
/// Percent of prose under which what says that it is an article is a list.
const LEAST_PROSE: usize = 50;

/// Bytes of a heading, and of an id, that are compared.
const LONGEST_HEADING: usize = 256;

/// What an element's name or role says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Landmark {
    Main,
    Article,
    /// The heading of the first rank.
    Title,
    /// Any other heading.
    Heading,
    /// A list or an item of one.
    List,
    Preformatted,
    /// An `aside` or `footer`, inside an article.
    Margin,
    Quotation,
    Caption,
    Paragraph,
    /// A table and its parts, of which a cell may hold the main content: tables lay out pages.
    TablePart,
    Cell,
    /// Any other element that may hold the main content.
    Division,
    /// All else that makes up content and does not hold it.
    None,
}

impl Landmark {
    /// What a tag says about its element.
    fn of(kind: Kind, tag: Tag<'_>) -> Self {
        let is = |name: &str| tag.name.eq_ignore_ascii_case(name);
        match kind {
            Kind::Article if is("article") => Self::Article,
            Kind::Article => Self::Main,
            Kind::Heading if is("h1") => Self::Title,
            Kind::Heading => Self::Heading,
            Kind::List | Kind::Li => Self::List,
            Kind::Pre => Self::Preformatted,
            Kind::Aside | Kind::Footer => Self::Margin,
            Kind::P => Self::Paragraph,
            Kind::Block if is("blockquote") => Self::Quotation,
            Kind::Block if is("figcaption") => Self::Caption,
            Kind::Cell => Self::Cell,
            Kind::Table | Kind::TableGroup | Kind::Tr => Self::TablePart,
            Kind::Block | Kind::Unknown | Kind::Form => Self::Division,
            _ => Self::None,
        }
    }

    /// Whether such an element may hold the main content.
    fn may_hold_content(self) -> bool {
        matches!(
            self,
            Self::Main
                | Self::Article
                | Self::Quotation
                | Self::Caption
                | Self::Cell
                | Self::Division
        )
    }
}

/// Whether a tag begins a link; without an address it is an anchor, often one that is never closed.
pub(super) fn is_link(tag: Tag<'_>) -> bool {
    tag.name.eq_ignore_ascii_case("a")
        && tag.attributes().any(|(name, _)| name.eq_ignore_ascii_case("href"))
}

/// An open element: its place on the stack and what it will be.
#[derive(Debug)]
struct OpenElement<'a> {
    depth: usize,
    span: Span<'a>,
}

/// The bytes of an element in the text, of one that says something, and what is said about it.
#[derive(Debug)]
struct Span<'a> {
    bytes: Range<usize>,
    landmark: Landmark,
    /// What its class and its property say, and its id where that is not an anchor.
    names: Names,
    /// What its id says.
    id_names: Names,
    /// Whether it is a section of a text, by its element or as docutils names it.
    is_section: bool,
    /// The values of `class`, `id` and `itemprop`.
    values: [&'a str; 3],
}

impl Span<'_> {
    /// Whether its id is an anchor, made of a heading: of its own, or that of the section that it is.
    fn has_anchor(&self, first_line: &str) -> bool {
        let letters = |text: &str| -> String {
            let all = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
            all.collect::<String>().trim_matches(|c: char| c.is_ascii_digit()).to_owned()
        };
        match self.landmark {
            Landmark::Title | Landmark::Heading => true,
            _ => {
                self.is_section
                    && first_line.len().max(self.values[1].len()) <= LONGEST_HEADING
                    && letters(self.values[1]) == letters(first_line)
            }
        }
    }

    /// Whether an author's markup made it, on a page of this kind. Lists of templates have names, except in articles;
    /// docutils names lists of short items simple.
    fn is_author_markup(&self, kind: PageKind) -> bool {
        let is_named = || self.values.iter().any(|value| !value.is_empty() && *value != "simple");
        match self.landmark {
            Landmark::Heading => true,
            Landmark::List => kind != PageKind::Article && !is_named(),
            _ => false,
        }
    }

    /// Its names without digits, which number things of one kind.
    fn name_tokens(&self) -> impl Iterator<Item = String> {
        self.values
            .iter()
            .flat_map(|value| value.split_ascii_whitespace())
            .map(|token| token.chars().filter(|c| !c.is_ascii_digit()).collect())
    }
}

/// Where the elements of a page lie in its text. All lengths are of the text so far, in bytes.
///
/// Every operation is constant time, amortised, as those of the stack are.
#[derive(Debug, Default)]
pub(super) struct Outline<'a> {
    open: Vec<OpenElement<'a>>,
    /// In the order of their ends.
    spans: Vec<Span<'a>>,
    /// In order; they do not overlap.
    links: Vec<Range<usize>>,
    link: Option<usize>,
    types: PageTypes,
}

impl<'a> Outline<'a> {
    /// An element begins, at this place of the stack.
    pub(super) fn open(&mut self, depth: usize, length: usize, kind: Kind, tag: Tag<'a>) {
        let mut landmark = Landmark::of(kind, tag);
        let (mut values, mut names, mut id_names) = ([""; 3], Names::default(), Names::default());
        if tag.has_attributes() {
            for (name, value) in tag.attributes() {
                let is = |known: &str| name.eq_ignore_ascii_case(known);
                let place = match name.len() {
                    5 if is("class") => 0,
                    2 if is("id") => 1,
                    8 if is("itemprop") => 2,
                    8 if is("itemtype") => {
                        value.split_ascii_whitespace().for_each(|kind| self.types.add(kind));
                        continue;
                    }
                    4 if is("role") && value.trim().eq_ignore_ascii_case("main") => {
                        landmark = Landmark::Main;
                        continue;
                    }
                    // A part of a text, such as a note (DPUB-ARIA).
                    4 if is("role") && value.trim().starts_with("doc-") => {
                        landmark = Landmark::None;
                        continue;
                    }
                    _ => continue,
                };
                values[place] = value;
                let of = if place == 1 { &mut id_names } else { &mut names };
                *of = of.with(Names::of(value));
            }
        }
        let is_section = tag.name.eq_ignore_ascii_case("section")
            || values[0].split_ascii_whitespace().any(|name| name == "section");
        let span = Span { bytes: length..length, landmark, names, id_names, is_section, values };
        self.open.push(OpenElement { depth, span });
    }

    /// A `meta` element.
    pub(super) fn meta(&mut self, tag: Tag<'_>) {
        self.types.meta(tag);
    }

    /// The stack is closed down to `depth`; `shortened` is the length that the text was cut to on the way.
    pub(super) fn close(&mut self, depth: usize, length: usize, shortened: Option<usize>) {
        if let Some(shortened) = shortened {
            self.forget(shortened);
        }
        while self.open.last().is_some_and(|opened| opened.depth >= depth) {
            let Some(OpenElement { mut span, .. }) = self.open.pop() else { return };
            if span.bytes.start < length {
                span.bytes.end = length;
                self.spans.push(span);
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

    /// The main content of the finished text, and how it was told; `structured` is the page's JSON-LD.
    pub(super) fn choose(mut self, text: String, structured: &[&str]) -> (String, MainContent) {
        self.end_link(text.len());
        self.close(0, text.len(), None);
        for json in structured {
            self.types.structured(json);
        }
        self.spans.reverse();
        let mut lines = Lines::new(&text, &self.links);
        let lines_of: Vec<_> = self.spans.iter().map(|span| lines.within(&span.bytes)).collect();
        let count = lines.count();
        for (span, lines_of) in self.spans.iter_mut().zip(&lines_of) {
            // What readers said is at the end, and may have a heading.
            let may_be_comments =
                span.id_names.any(Names::COMMENT) && lines.of(&(lines_of.end..count)).prose == 0;
            if lines_of.is_empty()
                || may_be_comments
                || !span.has_anchor(lines.text(lines_of.start))
            {
                span.names = span.names.with(span.id_names);
            }
        }
        let whole = 0..lines.count();
        let kind = self.types.kind();
        let mut blocks = Blocks {
            spans: &self.spans,
            lines_of: &lines_of,
            lines: &mut lines,
            root: whole.clone(),
            kind,
        };
        blocks.drop_comments();
        blocks.lines.sum();
        let choice = Choice { spans: &self.spans, lines_of: &lines_of, lines: blocks.lines, kind };
        let (mut root, mut found) =
            choice.element().unwrap_or((whole.clone(), MainContent::WholePage));
        if let Some(body) = choice.body(&root) {
            (root, found) = (body, MainContent::BodyElement);
        }
        blocks.lines.keep_only(&root);
        blocks.root = root.clone();
        let all = blocks.lines.of(&root);
        if kind == PageKind::Article && all.prose * 100 < all.all * LEAST_PROSE {
            blocks.kind = PageKind::Other;
        }
        blocks.drop_the_rest();
        let takes_title = blocks.kind != PageKind::Article;
        if !root.clone().any(|line| lines.is_kept(line)) {
            return (text, MainContent::WholePage);
        }
        let mut chosen = String::new();
        if let Some(title) = self.only_title().filter(|title| {
            takes_title
                && root.start > 0
                && lines.within(&(title.end..text.len())).start <= root.start
        }) {
            chosen.push_str(text[title].trim());
            chosen.push('\n');
        }
        for line in root.filter(|line| lines.is_kept(*line)) {
            chosen.push_str(lines.text(line));
            chosen.push('\n');
        }
        if found == MainContent::WholePage && chosen.len() < text.len() {
            found = MainContent::RemainingBlocks;
        }
        (chosen, found)
    }

    /// The page's one heading of the first rank.
    fn only_title(&self) -> Option<Range<usize>> {
        let mut titles = self.spans.iter().filter(|span| span.landmark == Landmark::Title);
        titles.next().filter(|_| titles.next().is_none()).map(|span| span.bytes.clone())
    }
}

/// The choice of the element whose lines are the main content.
struct Choice<'p, 'a, 't> {
    spans: &'p [Span<'a>],
    lines_of: &'p [Range<usize>],
    lines: &'p Lines<'t>,
    kind: PageKind,
}

impl Choice<'_, '_, '_> {
    fn element(&self) -> Option<(Range<usize>, MainContent)> {
        [
            (self.only(Landmark::Main), MainContent::MainElement),
            (self.only(Landmark::Article), MainContent::ArticleElement),
            (self.densest(), MainContent::DensestElement),
        ]
        .into_iter()
        .find_map(|(lines, found)| Some((lines.filter(|lines| self.is_enough(lines))?, found)))
    }

    fn is_enough(&self, lines: &Range<usize>) -> bool {
        let (of, page) = (self.lines.of(lines), self.lines.of(&(0..self.lines.count())));
        // Some pages of an article are links for the most part.
        let (text, all) = if self.kind == PageKind::Article {
            (of.unlinked(), page.unlinked())
        } else {
            (of.all, page.all)
        };
        text * 100 >= all * LEAST && of.prose * 100 >= page.prose * LEAST
    }

    /// The outermost elements, with text, of which this holds, from the last.
    fn outermost(
        &self,
        within: &Range<usize>,
        is_wanted: impl Fn(&Span<'_>) -> bool,
    ) -> Vec<(usize, Range<usize>)> {
        let mut found: Vec<(usize, Range<usize>)> = Vec::new();
        for (number, (span, lines)) in self.spans.iter().zip(self.lines_of).enumerate() {
            if !lines.is_empty()
                && lines.start >= within.start
                && lines.end <= within.end
                && found.last().is_none_or(|(_, last)| lines.start < last.start)
                && is_wanted(span)
            {
                found.push((number, lines.clone()));
            }
        }
        found
    }

    /// The one outermost element of this kind.
    fn only(&self, landmark: Landmark) -> Option<Range<usize>> {
        let mut found = self.outermost(&(0..self.lines.count()), |span| span.landmark == landmark);
        found.pop().filter(|_| found.is_empty()).map(|(_, lines)| lines)
    }

    /// The smallest element with nearly all of the prose.
    fn densest(&self) -> Option<Range<usize>> {
        let needed = self.lines.of(&(0..self.lines.count())).prose * NEARLY_ALL;
        self.spans
            .iter()
            .zip(self.lines_of)
            .filter(|(span, _)| span.landmark.may_hold_content())
            .map(|(_, lines)| lines)
            .filter(|lines| needed > 0 && self.lines.of(lines).prose * 100 >= needed)
            .min_by_key(|lines| self.lines.of(lines).all)
            .cloned()
    }

    /// The one element inside these lines that is named as the body of an article.
    fn body(&self, root: &Range<usize>) -> Option<Range<usize>> {
        if !matches!(self.kind, PageKind::Article | PageKind::Other) {
            return None;
        }
        let bodies = self.outermost(root, |span| span.names.any(Names::BODY));
        let prose = |lines: &Range<usize>| self.lines.of(lines).prose;
        let (number, body) = bodies.iter().max_by_key(|(_, lines)| prose(lines))?;
        let most = prose(body);
        // Several are a list of articles.
        if bodies.iter().filter(|(_, lines)| prose(lines) * 3 > most).count() != 1 {
            return None;
        }
        let least = match self.kind {
            PageKind::Article if self.spans[*number].names.any(Names::ARTICLE_BODY) => 0,
            PageKind::Article => LEAST_OF_ARTICLE,
            _ => LEAST_OF_BODY,
        };
        (most * 100 > prose(root) * least).then(|| body.clone())
    }
}

#[cfg(test)]
mod tests;
