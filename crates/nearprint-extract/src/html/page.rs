//! One pass over a page: its elements opened and closed, its text taken or left out.

use memchr::memchr;

use super::element::{Element, Kind, Role};
use super::hocr;
use super::main_content::{self, Outline};
use super::stack::{Content, Name, Stack};
use super::superscripts;
use super::tokenizer::{Tag, Token, Tokenizer};
use super::visibility::{self, Mark, Marks};
use super::{Furniture, PageParts, PageText, Scripts, Syntax};
use crate::character_reference::{self as reference, Reference};
use crate::error::ExtractError;
use crate::flow::Flow;
use crate::job::Job;
use crate::superscript::Superscript;

/// A form with more text than this wraps content: whole pages are forms on some servers.
pub(super) const FORM_TEXT: usize = 1000;

/// One pass over a page.
pub(super) struct Page<'a> {
    syntax: Syntax,
    furniture: Furniture,
    scripts: Scripts,
    stack: Stack<'a>,
    flow: Flow,
    /// Whether the open form, or head or foot of the page, holds a heading, an article or the like.
    form_has_content: bool,
    /// Where the elements lie in the text, if that is wanted.
    outline: Option<Outline<'a>>,
    /// Whether the page says which of its elements are lines of print.
    has_lines: bool,
    superscript: Superscript,
    unread: Unread<'a>,
}

/// What of a page is for those without scripts, or for scripts, and was not read.
#[derive(Debug, Default)]
pub(super) struct Unread<'a> {
    /// Whether something is hidden until a script shows it.
    pub(super) is_veiled: bool,
    /// Whether something is for those without scripts.
    pub(super) has_noscript: bool,
    /// The structured data in JSON-LD.
    pub(super) structured: Vec<&'a str>,
}

impl<'a> Page<'a> {
    pub(super) fn new(syntax: Syntax, furniture: Furniture, wanted: PageParts) -> Self {
        Self {
            syntax,
            furniture,
            scripts: Scripts::Ignored,
            stack: Stack::new(),
            flow: Flow::new(),
            form_has_content: false,
            outline: (wanted == PageParts::TextAndOutline).then(Outline::default),
            has_lines: false,
            superscript: Superscript::default(),
            unread: Unread::default(),
        }
    }

    /// Reads what is for those without scripts, or what scripts would show.
    pub(super) fn with_scripts(self, scripts: Scripts) -> Self {
        Self { scripts, ..self }
    }

    pub(super) fn read(
        mut self,
        tokens: &mut Tokenizer<'a>,
        job: &Job<'_>,
    ) -> Result<PageText<'a>, ExtractError> {
        self.has_lines = job.has_lines;
        let mut read = tokens.place();
        while let Some(token) = tokens.next() {
            job.work.charge(tokens.place() - read)?;
            read = tokens.place();
            match token {
                Token::Text(text) => self.text(text),
                Token::Start(tag) => {
                    let count = || tag.attributes().count();
                    job.limits.check_attributes(tag.attribute_source(), count)?;
                    self.start(tag, tokens);
                    job.limits.check_depth(self.stack.depth())?;
                    job.limits.check_text(self.flow.len())?;
                }
                Token::End(tag) => self.end(tag),
                Token::Comment(comment) => self.comment(comment),
                Token::Doctype(_) => {}
            }
        }
        job.work.charge(tokens.place() - read)?;
        job.limits.check_text(self.flow.len())?;
        Ok(PageText { text: self.flow.finish(), outline: self.outline, unread: self.unread })
    }

    fn text(&mut self, text: &str) {
        if self.stack.is_dropping() {
            return;
        }
        let preformatted = self.stack.has(Kind::Pre);
        let mut rest = text;
        while let Some(at) = memchr(b'&', rest.as_bytes()) {
            let Some((reference, length)) = reference::read(&rest[at..]) else {
                self.characters(&rest[..=at], preformatted);
                rest = &rest[at + 1..];
                continue;
            };
            self.characters(&rest[..at], preformatted);
            match reference {
                // A soft hyphen is where a word may be broken, not a character of it.
                Reference::Text("\u{AD}") | Reference::Char('\u{AD}') if !self.has_lines => {}
                Reference::Text(text) => self.flow.text(text),
                Reference::Char(c) => self.flow.character(c),
            }
            rest = &rest[at + length..];
        }
        self.characters(rest, preformatted);
    }

    fn characters(&mut self, text: &str, preformatted: bool) {
        if preformatted {
            self.flow.preformatted(text);
        } else {
            self.flow.text(text);
        }
    }

    /// In XHTML and in formulas, a CDATA section is text; the tokenizer sees it as a comment.
    fn comment(&mut self, comment: &str) {
        if (self.syntax == Syntax::Xhtml || self.stack.foreign().is_some())
            && !self.stack.is_dropping()
            && let Some(text) =
                comment.strip_prefix("[CDATA[").and_then(|rest| rest.strip_suffix("]]"))
        {
            self.characters(text, self.stack.has(Kind::Pre));
        }
    }

    fn start(&mut self, tag: Tag<'a>, tokens: &mut Tokenizer<'a>) {
        let name = self.name(tag);
        let Element { kind, role, .. } = name.element;
        let marks =
            if tag.has_attributes() { visibility::marks(tag.attributes()) } else { Marks::NONE };
        let mark = if self.has_lines && hocr::is_margin(tag) {
            Mark::Hidden
        } else {
            self.mark(role, marks)
        };
        if self.end_select(kind, tag) {
            return;
        }
        self.imply_ends(name, tag);
        let foreign = self.stack.foreign().is_some() || name.element.begins_foreign();
        let empty = (foreign || self.syntax == Syntax::Xhtml) && tag.is_self_closing();
        self.separate(name.element);
        if self.stack.foreign().is_some() {
            let is_empty = empty || role == Role::Void;
            self.superscript.begin_in_math(tag.name, is_empty, &self.flow);
        } else {
            superscripts::begin(&mut self.superscript, tag, name.element, &self.flow);
        }
        if self.has_lines && hocr::is_line(tag) && !self.stack.is_dropping() {
            self.flow.scanned_line();
        }
        if let Some(outline) = &mut self.outline
            && main_content::is_link(tag)
        {
            outline.link(self.flow.len());
        }
        if matches!(kind, Kind::Article | Kind::Heading) || mark == Mark::Title {
            self.form_has_content = true;
        }
        match role {
            Role::Void | Role::Break => {
                if let Some(outline) = &mut self.outline
                    && tag.name.eq_ignore_ascii_case("meta")
                {
                    outline.meta(tag);
                }
            }
            Role::Plaintext => {
                let rest = tokens.rest();
                if !self.stack.is_dropping() {
                    self.flow.preformatted(rest);
                }
            }
            // The titles and scripts of a drawing hold markup.
            Role::DroppedRaw if !foreign => {
                if !empty {
                    let raw = tokens.raw_text(tag.name);
                    self.leave_unread(tag, raw);
                }
            }
            _ if empty => {}
            _ => {
                let content = self.content(kind, role, mark);
                // Inline elements need no place on the stack unless something depends on their end.
                if role != Role::Inline
                    || kind == Kind::Math
                    || content == Content::Dropped
                    || self.stack.is_dropping()
                {
                    if let Some(outline) = &mut self.outline
                        && content != Content::Dropped
                    {
                        outline.open(self.stack.depth(), self.flow.len(), kind, tag);
                    }
                    self.stack.push(name, content);
                }
                if tag.name.eq_ignore_ascii_case("xmp") {
                    let raw = tokens.raw_text(tag.name);
                    if !self.stack.is_dropping() {
                        self.flow.preformatted(raw);
                    }
                }
            }
        }
    }

    /// The element of a tag: `noscript` is a block like any other to those without scripts.
    fn name(&self, tag: Tag<'a>) -> Name<'a> {
        let mut name = Name::new(tag.name);
        if self.scripts == Scripts::Absent && is_noscript(tag) {
            name.element.role = Role::Block;
        }
        name
    }

    /// What a tag says about its content, by what scripts do to it.
    fn mark(&mut self, role: Role, marks: Marks) -> Mark {
        self.unread.is_veiled |= marks.is_veiled;
        let is_shown =
            self.scripts == Scripts::Done && marks.mark != Mark::Furniture && role != Role::Inline;
        if is_shown { marks.mark } else { marks.without_scripts() }
    }

    /// Remembers content that is not markup, if it may have text of the page.
    fn leave_unread(&mut self, tag: Tag<'a>, raw: &'a str) {
        if self.stack.is_dropping() || raw.is_empty() {
            return;
        }
        if is_noscript(tag) {
            self.unread.has_noscript = true;
        } else if tag.name.eq_ignore_ascii_case("script") && is_structured(tag) {
            self.unread.structured.push(raw);
        }
    }

    /// Whether the content of an element is part of the text.
    fn content(&mut self, kind: Kind, role: Role, mark: Mark) -> Content {
        if mark == Mark::Hidden || matches!(role, Role::Dropped | Role::DroppedRaw) {
            return Content::Dropped;
        }
        if self.furniture == Furniture::Kept {
            return Content::Kept;
        }
        let dropped = match role {
            Role::Landmark => true,
            Role::OuterLandmark => mark != Mark::Note && !self.stack.has(Kind::Article),
            Role::Form => return self.begin_form(),
            // Rows of tables have such names, too.
            _ if kind == Kind::Block && mark == Mark::Margin && !self.stack.has(Kind::Article) => {
                return self.begin_form();
            }
            _ => false,
        };
        if dropped || (mark == Mark::Furniture && role != Role::Inline) {
            Content::Dropped
        } else {
            Content::Kept
        }
    }

    fn begin_form(&mut self) -> Content {
        let outer = std::mem::replace(&mut self.form_has_content, false);
        Content::Form { start: self.flow.len(), outer }
    }

    /// Closes the elements whose end tags HTML leaves out before this one, or that cannot hold it.
    fn imply_ends(&mut self, name: Name<'a>, tag: Tag<'a>) {
        let Element { kind, .. } = name.element;
        if let Some(at) = self.stack.foreign()
            && (name.element.ends_foreign() || is_coloured_font(tag))
        {
            self.close(at);
        }
        if name.element.closes_paragraph() {
            self.end_paragraph();
            // Annotations hold no blocks: this one was left open, and the page continues.
            if let Some(at) = self.stack.reach_kind(Kind::Ruby) {
                self.close(at);
            }
        }
        let stack = &self.stack;
        let at = match kind {
            Kind::Li => stack.inside(Kind::Li, &[Kind::List, Kind::Table, Kind::Cell]),
            Kind::Dt => stack.inside(Kind::Dt, &[Kind::Dl, Kind::Table, Kind::Cell]),
            Kind::Heading => stack.top(Kind::Heading),
            // A table outside the cells of another one is not part of it.
            Kind::Table => stack.inside(Kind::Table, &[Kind::Cell, Kind::Caption]),
            Kind::Cell => stack
                .inside(Kind::Cell, &[Kind::Table])
                .or_else(|| stack.inside(Kind::Caption, &[Kind::Table]))
                .or_else(|| stack.inside(Kind::ColumnGroup, &[Kind::Table])),
            Kind::Tr => stack
                .inside(Kind::Tr, &[Kind::Table])
                .or_else(|| stack.inside(Kind::Cell, &[Kind::Table]))
                .or_else(|| stack.inside(Kind::Caption, &[Kind::Table]))
                .or_else(|| stack.inside(Kind::ColumnGroup, &[Kind::Table])),
            Kind::TableGroup | Kind::ColumnGroup | Kind::Caption => stack
                .inside(Kind::TableGroup, &[Kind::Table])
                .or_else(|| stack.inside(Kind::Tr, &[Kind::Table]))
                .or_else(|| stack.inside(Kind::Caption, &[Kind::Table]))
                .or_else(|| stack.inside(Kind::ColumnGroup, &[Kind::Table])),
            Kind::Ruby | Kind::RubyBase => stack.reach_kind(Kind::Ruby),
            Kind::Button => stack.reach_kind(Kind::Button),
            // A link ends where the next one begins.
            Kind::Inline if tag.name.eq_ignore_ascii_case("a") => {
                self.end_inline(name);
                None
            }
            _ => None,
        };
        if let Some(at) = at {
            self.close(at);
        }
    }

    /// Closes a menu of choices before what cannot be in it; `true` if that is all that the tag does.
    fn end_select(&mut self, kind: Kind, tag: Tag<'_>) -> bool {
        let Some(at) = self.stack.inside(Kind::Select, &[]) else { return false };
        let ends = match kind {
            Kind::Select => true,
            // Of the table around it: tables have no place inside.
            Kind::Table | Kind::TableGroup | Kind::Tr | Kind::Cell | Kind::Caption => {
                self.stack.has(Kind::Table)
                    && self.stack.inside(Kind::Select, &[Kind::Table]).is_some()
            }
            Kind::Void | Kind::Raw => ["input", "keygen", "textarea"]
                .iter()
                .any(|name| tag.name.eq_ignore_ascii_case(name)),
            _ => false,
        };
        if ends {
            self.close(at);
        }
        kind == Kind::Select
    }

    /// Closes the paragraph that is open here. Buttons keep the one around them open.
    fn end_paragraph(&mut self) {
        let paragraph = self.stack.inside(Kind::P, &[Kind::Button]);
        if let Some(at) = paragraph.filter(|at| self.stack.reach_kind(Kind::P) == Some(*at)) {
            self.close(at);
        }
    }

    fn end(&mut self, tag: Tag<'a>) {
        let name = self.name(tag);
        let Element { kind, .. } = name.element;
        if let Some(at) = self.stack.foreign()
            && (kind == Kind::P || tag.name.eq_ignore_ascii_case("br"))
        {
            self.close(at);
        }
        self.separate(name.element);
        if self.stack.foreign().is_some() {
            self.superscript.end_in_math(&mut self.flow);
        } else {
            superscripts::end(&mut self.superscript, tag, name.element, &mut self.flow);
        }
        if let Some(outline) = &mut self.outline
            && tag.name.eq_ignore_ascii_case("a")
        {
            outline.end_link(self.flow.len());
        }
        if let Some(foreign) = self.stack.foreign()
            && let Some(at) = self.stack.find(name).filter(|at| *at >= foreign)
        {
            // In drawings and formulas every end tag closes what it names.
            self.close(at);
            return;
        }
        let stack = &self.stack;
        let at = match kind {
            // Parts of a table are closed through whatever is left open in its cells.
            Kind::Table => stack.find(name),
            Kind::Tr | Kind::TableGroup | Kind::ColumnGroup | Kind::Cell | Kind::Caption => {
                stack.named_inside(name, &[Kind::Table])
            }
            // The end of one heading is that of another rank's, too.
            Kind::Heading => stack.reach_kind(Kind::Heading),
            Kind::Li => stack.reach(name).filter(|_| stack.inside(kind, &[Kind::List]).is_some()),
            Kind::P => {
                self.end_paragraph();
                None
            }
            Kind::RubyBase => {
                // Annotations may end with their ruby.
                if tag.name.eq_ignore_ascii_case("ruby")
                    && let Some(at) = stack.reach_kind(Kind::Ruby)
                {
                    self.close(at);
                }
                self.end_inline(name);
                None
            }
            // Whatever stands in a menu of choices, its end ends it.
            Kind::Select | Kind::Template => stack.find(name),
            _ if name.element.is_special() => stack.reach(name),
            _ => {
                self.end_inline(name);
                None
            }
        };
        if let Some(at) = at {
            self.close(at);
        }
    }

    /// Ends an element that may begin in one block and end in another: blocks inside it stay open.
    fn end_inline(&mut self, name: Name<'a>) {
        match self.stack.reach(name) {
            Some(at) if self.stack.has_special_inside(at) => self.stack.end_alone(at),
            Some(at) => self.close(at),
            None => {}
        }
    }

    fn close(&mut self, at: usize) {
        let Self { stack, flow, form_has_content, outline, .. } = self;
        let mut shortened = None;
        stack.close(at, |start, outer| {
            if !*form_has_content && flow.since(start).len() < FORM_TEXT {
                // In an element that is out there is nothing to take away, and words continue across it.
                if flow.len() > start {
                    flow.truncate(start);
                }
                shortened = Some(start);
            }
            *form_has_content |= outer;
        });
        if let Some(outline) = outline {
            outline.close(at, flow.len(), shortened);
        }
    }

    fn separate(&mut self, element: Element) {
        let Element { kind, role, .. } = element;
        if self.stack.is_dropping() {
            return;
        }
        match role {
            Role::Inline | Role::Void | Role::DroppedRaw => {}
            Role::Dropped => {
                if kind != Kind::Ruby {
                    self.flow.space();
                }
            }
            Role::Cell => self.flow.cell(),
            _ => self.flow.line(),
        }
    }
}

fn is_noscript(tag: Tag<'_>) -> bool {
    tag.name.eq_ignore_ascii_case("noscript")
}

/// Whether a `script` holds structured data instead of a program.
fn is_structured(tag: Tag<'_>) -> bool {
    tag.attributes().any(|(name, value)| {
        let kind = value.split(';').next().unwrap_or("").trim();
        name.eq_ignore_ascii_case("type") && kind.eq_ignore_ascii_case("application/ld+json")
    })
}

/// Whether a `font` says how its text looks; one that does not may be part of a drawing.
fn is_coloured_font(tag: Tag<'_>) -> bool {
    tag.name.eq_ignore_ascii_case("font")
        && tag.attributes().any(|(name, _)| {
            ["color", "face", "size"].iter().any(|known| name.eq_ignore_ascii_case(known))
        })
}
