//! HTML and XHTML to text: the text of `body` without what is not the document.
//!
//! Out: `nav`, and `header`, `footer` and `aside` outside `article` and `main`; forms and controls; menus and
//! dialogs; what is hidden; the same by ARIA role; `script`, `style`, `template`, `noscript`, `svg`; the
//! title, which is metadata; alternative texts; ruby annotations. In: all else, captions, tables, quotations,
//! notes and reference lists among it.

mod element;
mod entities;
mod hidden;
mod main_content;
pub(crate) mod reference;
mod stack;
pub(crate) mod tokenizer;

use memchr::memchr;

use self::element::{Kind, Role};
use self::hidden::Mark;
use self::main_content::Outline;
use self::reference::Reference;
use self::stack::{Content, Name, Stack};
use self::tokenizer::{Tag, Token, Tokenizer};
use crate::error::ExtractError;
use crate::extraction::{MainContent, WarningCode};
use crate::flow::Flow;
use crate::job::Job;
use crate::sniff;

/// A form with more text than this wraps content: whole pages are forms on some servers.
const FORM_TEXT: usize = 1000;

/// Words under which a page may have lost its text with its furniture.
const SCANTY_WORDS: usize = 30;

/// The same in bytes, for scripts without spaces.
const SCANTY_BYTES: usize = 400;

/// How many times its text a page must have in all for its furniture to be kept.
const SCANTY_SHARE: usize = 8;

/// Whether furniture (navigation, banners, forms) is part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Furniture {
    Dropped,
    Kept,
}

/// Whether tags are read as XML: `<script/>` has no content there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Syntax {
    Html,
    Xhtml,
}

/// Extracts HTML.
pub(crate) fn html(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    document(text, Syntax::Html, job)
}

/// Extracts XHTML that is served as XML.
pub(crate) fn xhtml(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    document(text, Syntax::Xhtml, job)
}

/// Extracts HTML that is a part of another document.
pub(crate) fn part(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    Ok(extract(text, Syntax::Html, Wanted::Text, job)?.text)
}

/// Extracts XHTML that is a part of another document.
pub(crate) fn xhtml_part(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    Ok(extract(text, Syntax::Xhtml, Wanted::Text, job)?.text)
}

fn document(text: &str, syntax: Syntax, job: &mut Job<'_>) -> Result<String, ExtractError> {
    if !job.hints.main_content {
        return Ok(extract(text, syntax, Wanted::Text, job)?.text);
    }
    let Read { text, outline } = extract(text, syntax, Wanted::TextAndOutline, job)?;
    let (text, found) = match outline {
        Some(outline) => outline.choose(text),
        None => (text, MainContent::WholePage),
    };
    job.main_content = Some(found);
    Ok(text)
}

/// What is wanted of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Text,
    TextAndOutline,
}

/// The text of a page and where its elements lie in it, where that is wanted and the text is not all furniture.
struct Read {
    text: String,
    outline: Option<Outline>,
}

fn extract(
    text: &str,
    syntax: Syntax,
    wanted: Wanted,
    job: &mut Job<'_>,
) -> Result<Read, ExtractError> {
    let text = sniff::after_content_type(text);
    let mut tokens = Tokenizer::new(text);
    let mut found = Page::new(syntax, Furniture::Dropped, wanted).read(&mut tokens, job)?;
    if tokens.is_unclosed() && is_scanty(&found.text) {
        let read = Page::new(syntax, Furniture::Dropped, wanted);
        let more = read.read(&mut Tokenizer::forgiving(text), job)?;
        if !is_scanty(&more.text) {
            job.warn(
                WarningCode::Recovered,
                "a comment that is never closed was ended at its first `>`",
            );
            found = more;
        }
    }
    if !is_scanty(&found.text) {
        return Ok(found);
    }
    // A page that is all furniture, or marks itself as such by mistake, is better than no page.
    let all = Page::new(syntax, Furniture::Kept, Wanted::Text);
    let all = all.read(&mut Tokenizer::new(text), job)?;
    if found.text.len().saturating_mul(SCANTY_SHARE) < all.text.len()
        && all.text.chars().any(char::is_alphabetic)
    {
        job.warn(
            WarningCode::FurnitureKept,
            "the page has no text outside its navigation, or next to none",
        );
        return Ok(all);
    }
    Ok(found)
}

/// Whether a text has so few words that something may have gone wrong.
fn is_scanty(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(SCANTY_WORDS).count() < SCANTY_WORDS && text.len() < SCANTY_BYTES
}

/// Whether HTML has an element of this name.
pub(crate) fn is_element(name: &str) -> bool {
    element::of(name).0 != Kind::Unknown
}

/// Whether an element separates words.
pub(crate) fn is_block_element(name: &str) -> bool {
    !matches!(element::of(name).1, Role::Inline | Role::Void)
}

/// One pass over a page.
struct Page {
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
    fn new(syntax: Syntax, furniture: Furniture, wanted: Wanted) -> Self {
        Self {
            syntax,
            furniture,
            stack: Stack::new(),
            flow: Flow::new(),
            form_has_content: false,
            outline: (wanted == Wanted::TextAndOutline).then(Outline::default),
        }
    }

    fn read<'a>(mut self, tokens: &mut Tokenizer<'a>, job: &Job<'_>) -> Result<Read, ExtractError> {
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

#[cfg(test)]
mod conformance;
#[cfg(test)]
mod tests;
