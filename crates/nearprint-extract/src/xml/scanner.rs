//! XML's markup as slices of the input, forgiving of damage.
//!
//! It reads what a conforming parser reads of a well-formed document. Of others it reads on where such a
//! parser must stop, for a text with one bare ampersand is still a text: what cannot be markup is text.
//! There is no tree, and nothing is expanded; references stay in the text.

use memchr::{memchr, memchr2, memmem};

use crate::work::Work;

/// One piece of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Character data; references are not yet resolved.
    Text(&'a str),
    /// The content of a CDATA section.
    Verbatim(&'a str),
    /// A start tag: name, attributes, and whether it is an end tag at once.
    Start { name: &'a str, attributes: &'a str, empty: bool },
    /// An end tag.
    End { name: &'a str },
    /// A document type declaration, with its internal subset.
    Doctype(&'a str),
}

/// Reads pieces from a text; comments and processing instructions are skipped.
#[derive(Debug)]
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    damaged: bool,
    /// Whether a document type declaration has no end: one search of the rest says so of all.
    endless_doctype: bool,
    /// Whether `<name/text/` is an element, as in SGML.
    has_short_tags: bool,
    /// Elements of SGML whose content has no tags but their own end.
    raw_names: &'static [&'static str],
    /// The element whose text ends at the next slash.
    short_element: Option<&'a str>,
    /// The element without tags that has just begun.
    raw_element: Option<&'a str>,
    /// Bytes that were looked at and not passed over.
    looked: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            damaged: false,
            endless_doctype: false,
            has_short_tags: false,
            raw_names: &[],
            short_element: None,
            raw_element: None,
            looked: 0,
        }
    }

    /// Reads SGML from here on: `<name/text/` is an element, and elements of these names have no tags in them.
    pub(super) fn read_sgml(&mut self, raw_names: &'static [&'static str]) {
        self.has_short_tags = true;
        self.raw_names = raw_names;
    }

    /// Bytes looked at so far, those that were looked at again included.
    pub(super) fn looked(&self) -> usize {
        self.at + self.looked
    }

    /// Whether anything was found so far that well-formed XML does not have.
    pub(crate) fn is_damaged(&self) -> bool {
        self.damaged
    }

    /// Takes `length` bytes of the rest, then `skip` more that are the markup's end.
    fn take(&mut self, from: usize, length: usize, skip: usize) -> &'a str {
        let start = self.at + from;
        let end = start + length;
        self.at = (end + skip).min(self.text.len());
        &self.text[start..end]
    }

    /// Content that begins `from` bytes from here and ends before `end`; all the rest if it never does.
    fn until(&mut self, from: usize, end: &str) -> &'a str {
        let rest = &self.text[self.at + from..];
        let found = match end.as_bytes() {
            // The end of nearly all: no searcher has to be made for one byte.
            [byte] => memchr(*byte, rest.as_bytes()),
            end => memmem::find(rest.as_bytes(), end),
        };
        match found {
            Some(length) => self.take(from, length, end.len()),
            None => {
                self.damaged = true;
                self.take(from, rest.len(), 0)
            }
        }
    }

    fn start_tag(&mut self) -> Option<Piece<'a>> {
        let rest = &self.text[self.at + 1..];
        if self.has_short_tags {
            let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
            if rest[length..].starts_with('/') && !rest[length..].starts_with("/>") {
                let name = self.take(1, length, 1);
                self.short_element = Some(name);
                return Some(Piece::Start { name, attributes: "", empty: false });
            }
        }
        let Some(end) = tag_end(rest.as_bytes()) else {
            self.damaged = true;
            self.looked += 1 + memchr(b'<', rest.as_bytes()).unwrap_or(rest.len());
            return None;
        };
        let inside = self.take(1, end, 1);
        let (inside, empty) = match inside.strip_suffix('/') {
            Some(inside) => (inside, true),
            None => (inside, false),
        };
        let length = inside.bytes().position(is_blank).unwrap_or(inside.len());
        let name = &inside[..length];
        if !empty && self.raw_names.iter().any(|raw| raw.eq_ignore_ascii_case(name)) {
            self.raw_element = Some(name);
        }
        Some(Piece::Start { name: &inside[..length], attributes: &inside[length..], empty })
    }

    /// The content of an element without tags: all up to its end.
    fn raw_content(&mut self, name: &str) -> &'a str {
        let rest = &self.text[self.at..];
        let mut ends = memmem::find_iter(rest.as_bytes(), b"</").filter(|at| {
            let after = rest.as_bytes().get(at + 2..at + 2 + name.len());
            after.is_some_and(|after| after.eq_ignore_ascii_case(name.as_bytes()))
        });
        let length = ends.next().unwrap_or(rest.len());
        self.take(0, length, 0)
    }

    /// The text of a short element, or its end.
    fn short_content(&mut self, name: &'a str) -> Option<Piece<'a>> {
        let rest = &self.text.as_bytes()[self.at..];
        match memchr2(b'/', b'<', rest) {
            Some(0) if rest[0] == b'/' => {
                self.at += 1;
                self.short_element = None;
                Some(Piece::End { name })
            }
            Some(length) if rest[length] == b'/' => Some(Piece::Text(self.take(0, length, 0))),
            // Another element is not a part of a short one.
            found => {
                self.looked += found.unwrap_or(rest.len());
                self.short_element = None;
                None
            }
        }
    }

    fn doctype(&mut self) -> &'a str {
        let rest = &self.text[self.at + 9..];
        let end = if self.endless_doctype { None } else { doctype_end(rest.as_bytes()) };
        match end {
            Some(length) => self.take(9, length, 1),
            None => {
                if !self.endless_doctype {
                    self.looked += rest.len();
                }
                self.endless_doctype = true;
                self.damaged = true;
                self.until(9, ">")
            }
        }
    }
}

/// Scanner of a part of a document that counts what it looks at as work. Where that is more than there may be, the
/// pieces end, and the next check of the work is the error.
#[derive(Debug)]
pub(crate) struct MeteredScanner<'a, 'w> {
    scanner: Scanner<'a>,
    work: &'w Work,
}

impl<'a, 'w> MeteredScanner<'a, 'w> {
    pub(crate) fn new(text: &'a str, work: &'w Work) -> Self {
        work.admit(text.len());
        Self { scanner: Scanner::new(text), work }
    }

    /// As [`Scanner::is_damaged`].
    pub(crate) fn is_damaged(&self) -> bool {
        self.scanner.is_damaged()
    }
}

impl<'a> Iterator for MeteredScanner<'a, '_> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if self.work.is_exhausted() {
            return None;
        }
        let before = self.scanner.looked();
        let piece = self.scanner.next();
        self.work.count(self.scanner.looked() - before);
        piece
    }
}

impl<'a> Iterator for Scanner<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if let Some(name) = self.raw_element.take() {
            let content = self.raw_content(name);
            if !content.is_empty() {
                return Some(Piece::Text(content));
            }
        }
        if let Some(name) = self.short_element
            && let Some(piece) = self.short_content(name)
        {
            return Some(piece);
        }
        let mut text_from = self.at;
        loop {
            let rest = &self.text[self.at..];
            let bytes = rest.as_bytes();
            let Some(open) = memchr(b'<', bytes) else {
                self.at = self.text.len();
                let text = &self.text[text_from..];
                return (!text.is_empty()).then_some(Piece::Text(text));
            };
            if is_markup(&bytes[open..]) {
                let text = &self.text[text_from..self.at + open];
                self.at += open;
                if !text.is_empty() {
                    return Some(Piece::Text(text));
                }
            } else {
                self.damaged = true;
                self.at += open + 1;
                continue;
            }
            let rest = &self.text[self.at..];
            match rest.as_bytes()[1] {
                b'/' => {
                    let name = self.until(2, ">");
                    self.damaged |= name.is_empty();
                    return Some(Piece::End { name: name.trim_ascii_end() });
                }
                b'?' => {
                    self.until(2, "?>");
                }
                b'!' if rest.starts_with("<!--") => {
                    self.until(4, "-->");
                }
                b'!' if rest.starts_with("<![CDATA[") => {
                    return Some(Piece::Verbatim(self.until(9, "]]>")));
                }
                b'!' if rest.len() >= 9
                    && rest.as_bytes()[..9].eq_ignore_ascii_case(b"<!DOCTYPE") =>
                {
                    self.damaged |= !rest.starts_with("<!DOCTYPE");
                    return Some(Piece::Doctype(self.doctype()));
                }
                b'!' => {
                    self.damaged = true;
                    self.until(2, ">");
                }
                _ => match self.start_tag() {
                    Some(piece) => return Some(piece),
                    // A tag that never ends: its `<` was a character.
                    None => {
                        text_from = self.at;
                        self.at += 1;
                        continue;
                    }
                },
            }
            text_from = self.at;
        }
    }
}

fn is_blank(b: u8) -> bool {
    matches!(b, b' ' | b'\n' | b'\t' | b'\r')
}

/// Whether what begins with `<` is markup.
fn is_markup(bytes: &[u8]) -> bool {
    let name = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b':') || *b >= 0x80;
    match bytes.get(1) {
        Some(b'/') => bytes.get(2).is_some_and(|b| name(b) || *b == b'>'),
        Some(b'!' | b'?') => true,
        Some(b) => name(b),
        None => false,
    }
}

/// Where the `>` of a tag is; quoted values may hold others, but no `<`. Where quotes do not match, the
/// first `>` is the end. None if what began with `<` was not a tag.
///
/// No search goes past the next `<`, so a text of nothing but open tags takes linear time.
fn tag_end(bytes: &[u8]) -> Option<usize> {
    let first = memchr2(b'>', b'<', bytes)?;
    let mut at = 0;
    let mut end = first;
    while let Some(quote) = memchr2(b'"', b'\'', &bytes[at..end]).map(|n| at + n) {
        let closed = memchr2(bytes[quote], b'<', &bytes[quote + 1..]).map(|n| quote + 1 + n);
        let Some(close) = closed.filter(|close| bytes[*close] == bytes[quote]) else {
            end = first;
            break;
        };
        at = close + 1;
        if at > end {
            let Some(next) = memchr2(b'>', b'<', &bytes[at..]) else {
                end = first;
                break;
            };
            end = at + next;
        }
    }
    (bytes[end] == b'>').then_some(end)
}

/// Where the `>` of a document type declaration is: after its subset in brackets, outside of quotes and
/// comments.
fn doctype_end(bytes: &[u8]) -> Option<usize> {
    let (mut at, mut subset) = (0, false);
    loop {
        match *bytes.get(at)? {
            b'>' if !subset => return Some(at),
            b'[' => subset = true,
            b']' => subset = false,
            quote @ (b'"' | b'\'') => at += 1 + memchr(quote, &bytes[at + 1..])?,
            b'<' if bytes[at..].starts_with(b"<!--") => {
                at += 4 + memmem::find(&bytes[at + 4..], b"-->")? + 2;
            }
            b'<' if bytes[at..].starts_with(b"<?") => {
                at += 2 + memmem::find(&bytes[at + 2..], b"?>")? + 1;
            }
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> (String, bool) {
        let mut scanner = Scanner::new(text);
        let mut out = String::new();
        for piece in &mut scanner {
            out += &match piece {
                Piece::Text(t) => format!("[{t}]"),
                Piece::Verbatim(t) => format!("{{{t}}}"),
                Piece::Start { name, attributes, empty } => {
                    format!("<{name}{attributes}{}>", if empty { "/" } else { "" })
                }
                Piece::End { name } => format!("</{name}>"),
                Piece::Doctype(t) => format!("!{t}!"),
            };
        }
        (out, scanner.is_damaged())
    }

    #[test]
    fn well_formed_markup() {
        for (text, expected) in [
            ("<a>b</a >", "<a>[b]</a>"),
            ("<a x='>' y=\"'>\"/>b", "<a x='>' y=\"'>\"/>[b]"),
            ("<a\n/>", "<a\n/>"),
            ("a<!-- < > -- -->b<?p <x> ?>c", "[a][b][c]"),
            ("<![CDATA[<a>]]]]>", "{<a>]]}"),
            (
                "<!DOCTYPE a [<!ENTITY b \"]>\"><!-- ' --><?p ' ?>]><c/>",
                "! a [<!ENTITY b \"]>\"><!-- ' --><?p ' ?>]!<c/>",
            ),
            ("<é>ü</é>", "<é>[ü]</é>"),
        ] {
            assert_eq!(show(text), (expected.to_owned(), false), "{text}");
        }
    }

    #[test]
    fn damage_is_text() {
        for (text, expected) in [
            ("a < b", "[a < b]"),
            ("a <3 </4> b", "[a <3 </4> b]"),
            ("<a>b <c d='e", "<a>[b ][<c d='e]"),
            ("<a><!-- b", "<a>"),
            ("<![CDATA[a", "{a}"),
            ("<!DOCTYPE a [<b>c", "! a [<b![c]"),
        ] {
            assert_eq!(show(text), (expected.to_owned(), true), "{text}");
        }
    }

    #[test]
    fn short_tags_of_sgml() {
        let show = |text| {
            let mut scanner = Scanner::new(text);
            scanner.read_sgml(&["verb"]);
            let shown = scanner.by_ref().map(|piece| match piece {
                Piece::Text(text) => format!("[{text}]"),
                Piece::Start { name, empty, .. } => {
                    format!("<{name}{}>", if empty { "/" } else { "" })
                }
                Piece::End { name } => format!("</{name}>"),
                piece => format!("{piece:?}"),
            });
            shown.collect::<String>()
        };
        for (text, expected) in [
            ("a <tt/b c/ d", "[a ]<tt>[b c]</tt>[ d]"),
            ("<tt//<em/b/", "<tt></tt><em>[b]</em>"),
            ("<br/>a<tt>b/c</tt>", "<br/>[a]<tt>[b/c]</tt>"),
            ("<tt/a<b>c/d", "<tt>[a]<b>[c/d]"),
            ("<tt/a", "<tt>[a]"),
            ("<verb>a <b/c/ <d> </e></VERB><tt/f/", "<verb>[a <b/c/ <d> </e>]</VERB><tt>[f]</tt>"),
            ("<verb></verb>", "<verb></verb>"),
            ("<verb>a", "<verb>[a]"),
            ("<b>c</>d", "<b>[c]</>[d]"),
        ] {
            assert_eq!(show(text), expected, "{text}");
        }
    }
}
