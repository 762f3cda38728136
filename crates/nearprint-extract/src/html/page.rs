//! One pass over a page: its elements opened and closed, its text taken or left out.

use memchr::memchr;

use super::element::{self, Kind, Role};
use super::hidden::{self, Mark};
use super::main_content::{self, Outline};
use super::reference::{self, Reference};
use super::stack::{Content, Name, Stack};
use super::tokenizer::{Tag, Token, Tokenizer};
use super::{Furniture, Read, Syntax, Wanted};
use crate::error::ExtractError;
use crate::flow::Flow;
use crate::job::Job;

/// A form with more text than this wraps content: whole pages are forms on some servers.
const FORM_TEXT: usize = 1000;

/// One pass over a page.
pub(super) struct Page {
    syntax: Syntax,
    furniture: Furniture,
    stack: Stack,
    flow: Flow,
    /// Whether the open form, or head or foot of the page, holds a heading, an article or the like.
    form_has_content: bool,
    /// Where the elements lie in the text, if that is wanted.
    outline: Option<Outline>,
}

impl Page {
    pub(super) fn new(syntax: Syntax, furniture: Furniture, wanted: Wanted) -> Self {
        Self {
            syntax,
            furniture,
            stack: Stack::new(),
            flow: Flow::new(),
            form_has_content: false,
            outline: (wanted == Wanted::TextAndOutline).then(Outline::default),
        }
    }

    pub(super) fn read<'a>(
        mut self,
        tokens: &mut Tokenizer<'a>,
        job: &Job<'_>,
    ) -> Result<Read, ExtractError> {
        while let Some(token) = tokens.next() {
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
        job.limits.check_text(self.flow.len())?;
        Ok(Read { text: self.flow.finish(), outline: self.outline })
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
                Reference::Text("\u{AD}") | Reference::Char('\u{AD}') => {}
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

    /// In XHTML, a CDATA section is text; the tokenizer sees it as a comment.
    fn comment(&mut self, comment: &str) {
        if self.syntax == Syntax::Xhtml
            && !self.stack.is_dropping()
            && let Some(text) =
                comment.strip_prefix("[CDATA[").and_then(|rest| rest.strip_suffix("]]"))
        {
            self.characters(text, self.stack.has(Kind::Pre));
        }
    }

    fn start<'a>(&mut self, tag: Tag<'a>, tokens: &mut Tokenizer<'a>) {
        let (kind, role) = element::of(tag.name);
        let mark = if tag.has_attributes() { hidden::mark(tag) } else { Mark::None };
        let empty = self.syntax == Syntax::Xhtml && tag.is_self_closing();
        self.imply_ends(kind, role);
        self.separate(kind, role);
        if let Some(outline) = &mut self.outline
            && main_content::is_link(tag)
        {
            outline.link(self.flow.len());
        }
        if matches!(kind, Kind::Article | Kind::Heading) || mark == Mark::Title {
            self.form_has_content = true;
        }
        match role {
            Role::Void | Role::Break => {}
            Role::Plaintext => {
                let rest = tokens.rest();
                if !self.stack.is_dropping() {
                    self.flow.preformatted(rest);
                }
            }
            Role::DroppedRaw => {
                if !empty {
                    tokens.raw_text(tag.name);
                }
            }
            _ if empty => {}
            _ => {
                let content = self.content(kind, role, mark);
                // Inline elements need no place on the stack unless something depends on their end.
                if role != Role::Inline || content == Content::Dropped || self.stack.is_dropping() {
                    if let Some(outline) = &mut self.outline
                        && content != Content::Dropped
                    {
                        let landmark = main_content::landmark(kind, tag);
                        outline.open(self.stack.depth(), self.flow.len(), landmark);
                    }
                    self.stack.push(Name::new(kind, tag.name), content);
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

    /// Whether the content of an element is part of the text.
    fn content(&mut self, kind: Kind, role: Role, mark: Mark) -> Content {
        if mark == Mark::Hidden || role == Role::Dropped {
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

    /// Closes the elements whose end tags HTML leaves out before this one.
    fn imply_ends(&mut self, kind: Kind, role: Role) {
        if element::closes_paragraph(role)
            && let Some(at) = self.stack.reach(Name::of_kind(Kind::P))
        {
            self.close(at);
        }
        let at = match kind {
            Kind::Li => self.stack.inside(Kind::Li, &[Kind::List, Kind::Table, Kind::Cell]),
            Kind::Dt => self.stack.inside(Kind::Dt, &[Kind::Dl, Kind::Table, Kind::Cell]),
            Kind::Cell => self.stack.inside(Kind::Cell, &[Kind::Table]),
            Kind::Tr => self
                .stack
                .inside(Kind::Tr, &[Kind::Table])
                .or_else(|| self.stack.inside(Kind::Cell, &[Kind::Table]))
                .or_else(|| self.stack.inside(Kind::Caption, &[Kind::Table])),
            Kind::TableGroup => self
                .stack
                .inside(Kind::TableGroup, &[Kind::Table])
                .or_else(|| self.stack.inside(Kind::Tr, &[Kind::Table]))
                .or_else(|| self.stack.inside(Kind::Caption, &[Kind::Table])),
            Kind::Ruby | Kind::RubyBase => self.stack.reach(Name::of_kind(Kind::Ruby)),
            _ => None,
        };
        if let Some(at) = at {
            self.close(at);
        }
    }

    fn end(&mut self, tag: Tag<'_>) {
        let (kind, role) = element::of(tag.name);
        self.separate(kind, role);
        if let Some(outline) = &mut self.outline
            && tag.name.eq_ignore_ascii_case("a")
        {
            outline.end_link(self.flow.len());
        }
        let name = Name::new(kind, tag.name);
        let at = match kind {
            // Parts of a table are closed through whatever is left open in its cells.
            Kind::Table | Kind::Tr | Kind::TableGroup | Kind::Cell | Kind::Caption => {
                self.stack.inside(kind, if kind == Kind::Table { &[] } else { &[Kind::Table] })
            }
            // Annotations may end with their ruby.
            Kind::RubyBase => self.stack.reach(Name::of_kind(Kind::Ruby)),
            _ => self.stack.reach(name),
        };
        if let Some(at) = at {
            self.close(at);
        }
    }

    fn close(&mut self, at: usize) {
        let Self { stack, flow, form_has_content, outline, .. } = self;
        let mut shortened = None;
        stack.close(at, |start, outer| {
            if !*form_has_content && flow.since(start).len() < FORM_TEXT {
                flow.truncate(start);
                shortened = Some(start);
            }
            *form_has_content |= outer;
        });
        if let Some(outline) = outline {
            outline.close(at, flow.len(), shortened);
        }
    }

    fn separate(&mut self, kind: Kind, role: Role) {
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
