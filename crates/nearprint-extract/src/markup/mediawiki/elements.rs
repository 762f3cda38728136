//! Comments, tags of HTML and of extensions. A name in angle brackets that is none of these is text.

use std::ops::Range;

/// A tag or an element, with its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag<'a> {
    Comment(usize),
    /// An element that is not text.
    Dropped(usize),
    /// An element whose content has no markup.
    Plain(&'a str, usize),
    /// The same, and its line breaks count.
    Preformatted(&'a str, usize),
    /// The same, and its references are not resolved.
    Source(&'a str, usize),
    /// The beginning of a note.
    Note(usize),
    NoteEnd(usize),
    /// The beginning or the end of a gallery.
    Gallery(bool, usize),
    Block(usize),
    Cell(usize),
    Inline(usize),
}

impl Tag<'_> {
    pub(super) fn length(self) -> usize {
        match self {
            Self::Comment(length)
            | Self::Dropped(length)
            | Self::Plain(_, length)
            | Self::Preformatted(_, length)
            | Self::Source(_, length)
            | Self::Note(length)
            | Self::NoteEnd(length)
            | Self::Gallery(_, length)
            | Self::Block(length)
            | Self::Cell(length)
            | Self::Inline(length) => length,
        }
    }
}

/// What becomes of the content of an element that has no markup in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Raw {
    Plain,
    Preformatted,
    Source,
    Dropped,
}

/// Elements without markup in them, and comments, which are the last.
const RAW: [(&str, &str, Raw); 20] = [
    ("nowiki", "</nowiki", Raw::Plain),
    ("math", "</math", Raw::Plain),
    ("ce", "</ce", Raw::Plain),
    ("chem", "</chem", Raw::Plain),
    ("pre", "</pre", Raw::Preformatted),
    ("source", "</source", Raw::Source),
    ("syntaxhighlight", "</syntaxhighlight", Raw::Source),
    ("includeonly", "</includeonly", Raw::Dropped),
    ("templatedata", "</templatedata", Raw::Dropped),
    ("timeline", "</timeline", Raw::Dropped),
    ("score", "</score", Raw::Dropped),
    ("graph", "</graph", Raw::Dropped),
    ("imagemap", "</imagemap", Raw::Dropped),
    ("hiero", "</hiero", Raw::Dropped),
    ("mapframe", "</mapframe", Raw::Dropped),
    ("maplink", "</maplink", Raw::Dropped),
    ("style", "</style", Raw::Dropped),
    ("rt", "</rt", Raw::Dropped),
    ("rp", "</rp", Raw::Dropped),
    ("!--", "-->", Raw::Dropped),
];

/// Which of these have no further end in the page: each is looked for once in vain.
#[derive(Debug, Default)]
pub(super) struct Ends {
    missing: [bool; RAW.len()],
}

/// An element without markup.
struct Element {
    raw: Raw,
    content: Range<usize>,
    end: usize,
}

/// The length of the comment or of the element without markup that begins at this place.
pub(super) fn raw(text: &str, at: usize, ends: &mut Ends) -> Option<usize> {
    element(text, at, ends).map(|element| element.end - at)
}

fn element(text: &str, at: usize, ends: &mut Ends) -> Option<Element> {
    let rest = &text[at + 1..];
    let number = match rest.starts_with("!--") {
        true => RAW.len() - 1,
        false => {
            let name = name(rest)?;
            RAW.iter().position(|(known, ..)| known.eq_ignore_ascii_case(name))?
        }
    };
    let (begin, end, raw) = RAW[number];
    let is_comment = begin == "!--";
    let inside = if is_comment {
        at + 4
    } else {
        let length = tag_length(&text[at..])?;
        if text[..at + length].ends_with("/>") {
            return Some(Element { raw, content: at..at, end: at + length });
        }
        at + length
    };
    if ends.missing[number] {
        return None;
    }
    let Some(length) = memchr::memmem::find(&text.as_bytes()[inside..], end.as_bytes()) else {
        ends.missing[number] = true;
        return None;
    };
    let content = inside..inside + length;
    let close = content.end;
    let end = if is_comment {
        close + 3
    } else {
        close + tag_length(&text[close..]).unwrap_or(end.len())
    };
    Some(Element { raw, content, end })
}

/// The name that a tag begins with, after its bracket.
fn name(rest: &str) -> Option<&str> {
    let length = rest.bytes().take(16).take_while(u8::is_ascii_alphanumeric).count();
    (length > 0 && rest.as_bytes()[0].is_ascii_alphabetic()).then(|| &rest[..length])
}

/// The length of the tag that a text begins with: up to the bracket that ends it, with no other before that.
fn tag_length(text: &str) -> Option<usize> {
    let inside = &text.as_bytes()[1..];
    let end = memchr::memchr2(b'<', b'>', inside)?;
    (inside[end] == b'>').then_some(end + 2)
}

/// The tag, comment or element that begins at this place; none where it is text.
pub(super) fn read<'a>(text: &'a str, at: usize, ends: &mut Ends) -> Option<Tag<'a>> {
    if let Some(element) = element(text, at, ends) {
        let (length, content) = (element.end - at, &text[element.content]);
        return Some(match element.raw {
            Raw::Plain => Tag::Plain(content, length),
            Raw::Preformatted => Tag::Preformatted(content, length),
            Raw::Source => Tag::Source(content, length),
            Raw::Dropped if text[at..].starts_with("<!--") => Tag::Comment(length),
            Raw::Dropped => Tag::Dropped(length),
        });
    }
    let rest = &text[at..];
    let inside = &rest[1..];
    let (is_end, inside) = match inside.strip_prefix('/') {
        Some(inside) => (true, inside),
        None => (false, inside),
    };
    let name = name(inside)?.to_ascii_lowercase();
    let is_known = |length: usize| {
        let after = &inside[name.len()..];
        after.starts_with([' ', '\t', '\n', '/', '>']).then_some(length)
    };
    let length = tag_length(rest).and_then(is_known)?;
    let is_closed = rest[..length].ends_with("/>");
    Some(match &*name {
        "ref" if is_end => Tag::NoteEnd(length),
        "ref" if is_closed => Tag::Inline(length),
        "ref" => Tag::Note(length),
        "gallery" => Tag::Gallery(!is_end, length),
        "div" | "p" | "br" | "hr" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "table" | "tr"
        | "li" | "ul" | "ol" | "dl" | "dt" | "dd" | "blockquote" | "center" | "caption"
        | "poem" | "pre" | "section" | "references" => Tag::Block(length),
        "td" | "th" => Tag::Cell(length),
        "b" | "bdi" | "bdo" | "del" | "i" | "ins" | "u" | "font" | "big" | "small" | "sub"
        | "sup" | "cite" | "code" | "em" | "s" | "strike" | "strong" | "tt" | "var" | "ruby"
        | "rb" | "rt" | "rp" | "rtc" | "span" | "abbr" | "dfn" | "kbd" | "samp" | "data"
        | "time" | "mark" | "wbr" | "q" | "noinclude" | "onlyinclude" | "includeonly"
        | "nowiki" | "tvar" | "translate" | "languages" | "templatestyles" | "indicator"
        | "inputbox" | "source" | "syntaxhighlight" | "math" | "noeditsection" | "thead"
        | "tbody" => Tag::Inline(length),
        _ => return None,
    })
}
