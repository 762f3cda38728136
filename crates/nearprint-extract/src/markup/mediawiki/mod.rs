//! MediaWiki: the text of a page without its markup.
//!
//! Pages use templates, which are other pages and are not read. Of a template its arguments without a name are text,
//! and of citations what a reference shows: authors, title, work, publisher, date. All others, names and functions of
//! the parser are not. Notes stand at the end.

mod braces;
mod brackets;
mod citations;
mod elements;
mod lines;
mod signs;

use self::braces::Braces;
use self::brackets::Bracket;
use self::elements::{Ends, Tag};
pub(crate) use self::signs::is_page;
pub(super) use self::signs::signs;
use super::front_matter::FrontMatter;
use crate::character_reference::{self as reference, Reference};
use crate::error::ExtractError;
use crate::flow::Flow;
use crate::job::Job;
use crate::limits::Limits;

/// Bytes of the names of templates and of the targets of links that are looked at.
const LONGEST_NAME: usize = 256;

/// Extracts MediaWiki.
pub(crate) fn mediawiki(text: &str, job: &mut Job<'_>) -> Result<String, ExtractError> {
    job.work.admit(text.len());
    job.work.charge(3 * text.len())?;
    // Generators of sites put metadata before pages of any markup.
    let metadata = FrontMatter::read(text);
    let mut titles: Vec<String> = metadata.iter().flat_map(FrontMatter::shown).collect();
    let text = metadata.map_or(text, |metadata| &text[metadata.length..]);
    // Many have their title a second time, as their first heading.
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    titles
        .retain(|title| !first.starts_with('=') || first.trim().trim_matches('=').trim() != title);
    let matched = Braces::of(text);
    let mut page = Page {
        text,
        at: 0,
        flow: Flow::new(),
        matched,
        ends: Ends::default(),
        open: Vec::new(),
        hidden: 0,
        tables: 0,
        is_header: false,
        is_gallery: false,
        is_alone: false,
        is_line_empty: true,
        heading_end: None,
        apostrophe: None,
        note: None,
        notes: Vec::new(),
        transcluded: None,
        limits: job.limits,
    };
    for title in titles {
        page.flow.text(&title);
        page.flow.line();
    }
    page.set()?;
    let Page { mut flow, notes, transcluded, .. } = page;
    if let Some(page) = transcluded {
        job.warn_of_include(&page);
    }
    for note in notes {
        flow.line();
        flow.preformatted(note.trim());
    }
    Ok(flow.finish())
}

/// A page being set.
struct Page<'a> {
    text: &'a str,
    at: usize,
    flow: Flow,
    /// Braces and brackets that have an end.
    matched: Braces,
    ends: Ends,
    open: Vec<Bracket>,
    /// Things that are open and not text.
    hidden: u32,
    /// Tables that are open.
    tables: u32,
    /// Whether the line is one of the cells of a header.
    is_header: bool,
    /// Whether lines are those of a gallery: a file and its caption.
    is_gallery: bool,
    /// Whether the line stands by itself.
    is_alone: bool,
    is_line_empty: bool,
    /// Where the signs after a heading begin.
    heading_end: Option<usize>,
    /// Where an apostrophe of the line stands before a mark of emphasis.
    apostrophe: Option<usize>,
    /// Where the text of the open note begins.
    note: Option<usize>,
    notes: Vec<String>,
    /// The first page that stands in its place as a whole.
    transcluded: Option<String>,
    limits: &'a Limits,
}

impl<'a> Page<'a> {
    fn set(&mut self) -> Result<(), ExtractError> {
        let start = self.text.len() - self.text.trim_start().len();
        let first = self.text.get(start..start + 9);
        if first.is_some_and(|word| word.eq_ignore_ascii_case("#redirect")) {
            self.at = start + 9;
        } else {
            self.begin_line();
        }
        while self.at < self.text.len() {
            let bytes = &self.text.as_bytes()[self.at..];
            let length = bytes.iter().position(|byte| is_special(*byte)).unwrap_or(bytes.len());
            if length > 0 {
                let text = &self.text[self.at..self.at + length];
                self.at += length;
                self.put(text);
                continue;
            }
            self.special();
            self.limits.check_depth(self.open.len() + self.tables as usize)?;
            self.limits.check_text(self.flow.len())?;
        }
        Ok(())
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Deals with the sign that comes next.
    fn special(&mut self) {
        let rest = self.rest();
        if self.heading_end == Some(self.at) {
            self.at += rest.bytes().take_while(|byte| *byte == b'=').count();
            self.heading_end = None;
            return;
        }
        let taken = match rest.as_bytes()[0] {
            b'\n' => {
                self.at += 1;
                self.end_line();
                self.begin_line();
                return;
            }
            b'\'' if self.apostrophe == Some(self.at) => None,
            b'\'' => emphasis(rest),
            b'_' => behaviour(rest),
            b'~' => Some(rest.bytes().take_while(|byte| *byte == b'~').count())
                .filter(|count| (3..=5).contains(count)),
            b'<' => self.tag(rest),
            b'&' => return self.reference(rest),
            _ => self.bracket(rest),
        };
        match taken {
            Some(length) => self.at += length,
            None => {
                self.at += 1;
                self.put(&rest[..1]);
            }
        }
    }

    /// Text, or part of a name.
    fn put(&mut self, text: &str) {
        self.is_line_empty &= text.trim_ascii().is_empty();
        if let Some(name) = self.open.last_mut().and_then(Bracket::name) {
            if name.len() + text.len() <= LONGEST_NAME {
                name.push_str(text);
            }
        } else if self.hidden == 0 {
            self.flow.text(text);
        }
    }

    fn reference(&mut self, rest: &str) {
        match reference::read(rest) {
            Some((found, length)) if rest.as_bytes()[length - 1] == b';' => {
                self.at += length;
                match found {
                    Reference::Text(text) => self.put(text),
                    Reference::Char(c) => self.put(c.encode_utf8(&mut [0; 4])),
                }
            }
            _ => {
                self.at += 1;
                self.put("&");
            }
        }
    }

    /// Deals with the tag, comment or element without markup that comes next; gives its length.
    fn tag(&mut self, rest: &'a str) -> Option<usize> {
        let tag = elements::read(self.text, self.at, &mut self.ends)?;
        match tag {
            Tag::Comment(_) | Tag::Dropped(_) => {}
            Tag::Plain(content, _) => self.put(&reference::resolved(content)),
            Tag::Preformatted(content, _) | Tag::Source(content, _) => {
                if self.hidden == 0 {
                    self.flow.line();
                    match tag {
                        Tag::Source(..) => self.flow.preformatted(content),
                        _ => self.flow.preformatted(&reference::resolved(content)),
                    }
                    self.flow.line();
                }
                self.is_line_empty = false;
            }
            Tag::Note(_) => self.note = self.note.or(Some(self.flow.len())),
            Tag::NoteEnd(_) => {
                if let Some(start) = self.note.take() {
                    let note = self.flow.lift(start);
                    if !note.trim().is_empty() {
                        self.notes.push(note);
                    }
                }
            }
            Tag::Gallery(is_open, _) => {
                self.is_gallery = is_open;
                self.separate(Flow::line);
            }
            Tag::Block(_) => self.separate(Flow::line),
            Tag::Cell(_) => self.separate(Flow::cell),
            Tag::Inline(_) => {}
        }
        let length = tag.length();
        debug_assert!(length <= rest.len());
        Some(length)
    }

    /// Sets what follows apart, if it is text.
    fn separate(&mut self, by: impl FnOnce(&mut Flow)) {
        if self.hidden == 0 {
            by(&mut self.flow);
        }
    }

    /// Takes away the text since the flow had this length. A note that begins in it goes with it.
    fn lift(&mut self, start: usize) -> String {
        self.note = self.note.filter(|note| *note <= start);
        self.flow.lift(start)
    }
}

/// Bytes that may be more than text.
fn is_special(byte: u8) -> bool {
    matches!(
        byte,
        b'\n' | b'\'' | b'_' | b'~' | b'<' | b'&' | b'[' | b']' | b'{' | b'}' | b'|' | b'=' | b'!'
    )
}

/// The length of the marks of emphasis that a text begins with; of four one is an apostrophe.
fn emphasis(rest: &str) -> Option<usize> {
    let count = rest.bytes().take_while(|byte| *byte == b'\'').count();
    match count {
        0 | 1 | 4 => None,
        count => Some(count),
    }
}

/// The length of a switch such as `__NOTOC__`.
fn behaviour(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix("__")?;
    let length = inside.bytes().take(LONGEST_NAME).take_while(u8::is_ascii_uppercase).count();
    (length > 2 && inside[length..].starts_with("__")).then_some(length + 4)
}

#[cfg(test)]
mod tests;
