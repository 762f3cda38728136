//! AsciiDoc: attributes, macros, delimited blocks, cross references.

mod quotation;

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

use self::quotation::Quotation;
use super::blocks::{Blocks, is_rule};
use super::ends::{Ends, LONGEST};
use super::{ENOUGH, inline};
use crate::line_search::lines_with;
use crate::work::Work;

/// How many things a text has that only AsciiDoc has.
pub(super) fn signs(head: &str) -> u32 {
    let mut signs = if has_header(head) { ENOUGH } else { 0 };
    for (_, line) in lines_with(head, "[") {
        let line = line.trim_end();
        signs += 3 * u32::from(is_block_macro(line) || is_anchor(line) || is_style(line));
        signs += 2 * inline_macros(line);
    }
    if signs == 0 {
        return 0;
    }
    let mut others = 0;
    for line in head.lines() {
        let line = line.trim_end();
        others += u32::from(title(line).is_some_and(|(level, _)| level <= 6));
        others += u32::from(attribute(line).is_some());
    }
    signs + others.min(signs + 3)
}

/// Whether a text begins with a document's title, and attributes beside it or a section below it say that it is one.
fn has_header(head: &str) -> bool {
    let mut lines = head.lines().map(str::trim_end).peekable();
    let mut attributes = false;
    while let Some(line) =
        lines.next_if(|l| l.is_empty() || is_comment(l) || attribute(l).is_some())
    {
        attributes |= attribute(line).is_some();
    }
    // Wikis set such signs on both sides of a title.
    let is_title = |line: &str, of: usize| {
        title(line).is_some_and(|(level, text)| level == of && !text.ends_with('='))
    };
    lines.next().is_some_and(|line| is_title(line, 1))
        && (attributes
            || lines.by_ref().take_while(|l| !l.is_empty()).any(|l| attribute(l).is_some())
            || lines.any(|line| is_title(line, 2)))
}

/// The level of a title, counted from 1, and its text.
fn title(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|b| *b == b'=').count();
    let text = line[level..].strip_prefix(' ')?.trim();
    (level > 0).then_some((level, text))
}

fn is_comment(line: &str) -> bool {
    line.starts_with("//") && !line.starts_with("///")
}

/// How many macros with a target stand on a line.
fn inline_macros(line: &str) -> u32 {
    const NAMES: [&str; 5] = ["link:", "xref:", "linkgit:", "footnote:", "kbd:"];
    // A target ends at a blank or a bracket, and only one with arguments counts.
    let targets = line.split_inclusive([' ', ']', '[']).filter_map(|part| part.strip_suffix('['));
    let named = targets.filter(|target| target.contains(':'));
    named
        .map(|target| NAMES.map(|name| target.matches(name).count() as u32).iter().sum::<u32>())
        .sum()
}

/// The name of a macro that stands on a line of its own.
fn is_block_macro(line: &str) -> bool {
    const NAMES: [&str; 9] =
        ["ifdef", "ifndef", "ifeval", "endif", "include", "image", "video", "audio", "toc"];
    line.ends_with(']')
        && line
            .split_once("::")
            .is_some_and(|(name, rest)| NAMES.contains(&name) && rest.contains('['))
}

/// The file whose content is put instead of this line, in blocks that are shown as they are, too.
pub(super) fn include(line: &str) -> Option<&str> {
    let (file, attributes) = line.strip_prefix("include::")?.split_once('[')?;
    (!file.is_empty() && attributes.trim_end().ends_with(']')).then_some(file)
}

fn is_anchor(line: &str) -> bool {
    let inside = line.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]"));
    // Links of wikis look like it, to pages of several words or names of spaces.
    inside.is_some_and(|inside| {
        let id = inside.split(',').next().unwrap_or("");
        !id.contains([' ', '|', '#', ':'])
    })
}

/// `[source,c]` and the like.
fn is_style(line: &str) -> bool {
    const NAMES: [&str; 16] = [
        "source",
        "verse",
        "quote",
        "NOTE",
        "TIP",
        "WARNING",
        "IMPORTANT",
        "CAUTION",
        "listing",
        "literal",
        "horizontal",
        "options",
        "cols",
        "role",
        "discrete",
        "example",
    ];
    line.strip_prefix('[').and_then(|l| l.strip_suffix(']')).is_some_and(|inside| {
        let name = inside.split([',', '=', '%', '.', '#']).next().unwrap_or("");
        NAMES.contains(&name) || inside.starts_with(['.', '#', '%'])
    })
}

/// `:name: value`
fn attribute(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.strip_prefix(':')?.split_once(':')?;
    let name = name.trim_matches('!');
    let valid = name.starts_with(|c: char| c.is_alphanumeric())
        && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
        && (value.is_empty() || value.starts_with(' '));
    valid.then(|| (name, value.trim()))
}

/// The text without its markup; none if its attributes expand to more than `limit` bytes.
pub(super) fn strip(text: &str, limit: u64, work: &Work) -> Option<String> {
    work.count(2 * text.len());
    let attributes = Attributes {
        values: text.lines().filter_map(attribute).collect(),
        left: Cell::new(Some(limit)),
    };
    let mut blocks = Blocks::new(|paragraph: &str| {
        let paragraph = without_underscores(paragraph, work);
        strip_inline(&Ends::new(&paragraph, work), &attributes, 0)
    });
    // The delimiter of the block that is shown as it is, or not at all.
    let mut literal: Option<&str> = None;
    let mut dropped: Option<&str> = None;
    let mut quotation: Option<Quotation<'_>> = None;
    for line in text.lines() {
        let line = line.trim_end();
        if literal.or(dropped).is_none()
            && let Some(ended) = quotation.take_if(|open| open.ends_with(line))
        {
            blocks.end();
            blocks.text(ended.source());
            blocks.end();
            continue;
        }
        if let Some(delimiter) = literal.or(dropped) {
            if line == delimiter {
                (literal, dropped) = (None, None);
            } else if literal.is_some() && include(line).is_none() {
                blocks.raw(line);
            }
            continue;
        }
        if is_rule(line) {
            let length = blocks.last_line().chars().count();
            let underlines = length > 0 && length.abs_diff(line.len()) <= 3;
            blocks.end();
            match line.as_bytes()[0] {
                _ if underlines => {}
                b'-' | b'.' if line.len() >= 4 => literal = Some(line),
                b'/' | b'+' if line.len() >= 4 => dropped = Some(line),
                _ => {}
            }
            continue;
        }
        quotation = Quotation::read(line).or(quotation);
        let brackets = line.starts_with('[') && line.ends_with(']') && !line[1..].contains(' ');
        if is_comment(line)
            || attribute(line).is_some()
            || is_block_macro(line)
            || is_anchor(line)
            || is_style(line)
            || brackets
        {
            blocks.end();
            continue;
        }
        if let Some((_, text)) = title(line) {
            blocks.end();
            blocks.text(text.trim_end_matches('=').trim_end());
            blocks.end();
            continue;
        }
        if let Some(title) = line.strip_prefix('.')
            && title.starts_with(|c: char| c.is_alphanumeric())
        {
            blocks.end();
            blocks.text(title);
            blocks.end();
            continue;
        }
        // What continues a list item is a plus on a line of its own.
        blocks.text(if line == "+" { "" } else { line });
    }
    if let Some(open) = quotation {
        blocks.end();
        blocks.text(open.source());
    }
    let text = blocks.finish();
    attributes.left.get().map(|_| text)
}

/// The text with the underscores away that emphasise a phrase, or two of them a part of a word. Those of names stay, as
/// does all between backticks.
fn without_underscores<'a>(text: &'a str, work: &Work) -> Cow<'a, str> {
    let ends = Ends::new(text, work);
    let mut phrases = None;
    let mut out = String::new();
    let (mut from, mut at) = (0, 0);
    while let Some(found) = memchr::memchr2(b'_', b'`', &text.as_bytes()[at..]) {
        at += found;
        let (before, rest) = (&text[..at], &text[at..]);
        if let Some(after) = rest.strip_prefix('`') {
            at += ends.up_to(after, "`").map_or(1, |code| code.len() + 2);
            continue;
        }
        let marks = rest.bytes().take_while(|b| *b == b'_').count();
        let phrases = phrases.get_or_insert_with(|| {
            work.count(text.len());
            PhraseEnds::of(text)
        });
        match emphasised(before, &rest[marks..], marks, phrases) {
            Some(phrase) => {
                out.push_str(&text[from..at]);
                out.push_str(phrase);
                at += phrase.len() + 2 * marks;
                from = at;
            }
            None => at += marks,
        }
    }
    if from == 0 {
        return text.into();
    }
    out.push_str(&text[from..]);
    out.into()
}

/// The phrase that begins after so many underscores and ends before as many.
fn emphasised<'a>(
    before: &str,
    after: &'a str,
    marks: usize,
    ends: &PhraseEnds,
) -> Option<&'a str> {
    // Addresses and code have underscores after these.
    let may_follow = |c: char| !c.is_alphanumeric() && !";:}/\\".contains(c);
    if marks > 2
        || marks == 1 && !before.chars().next_back().is_none_or(may_follow)
        || after.starts_with(char::is_whitespace)
    {
        return None;
    }
    let start = before.len() + marks;
    let ends = &ends.of[marks - 1][usize::from(ends.is_odd(start))];
    // One that begins here is none of its own.
    let end = ends.get(ends.partition_point(|end| *end <= start))? - start;
    (end < LONGEST).then(|| &after[..end])
}

/// Where underscores may end an emphasised phrase. One that begins outside code ends outside of what has begun since.
struct PhraseEnds {
    /// Places of one underscore and of two, each of those before which there is an even number of backticks, and odd.
    of: [[Vec<usize>; 2]; 2],
    /// Places of backticks.
    ticks: Vec<usize>,
}

impl PhraseEnds {
    fn of(text: &str) -> Self {
        let mut ends = Self { of: Default::default(), ticks: Vec::new() };
        let mut at = 0;
        while let Some(found) = memchr::memchr2(b'_', b'`', &text.as_bytes()[at..]) {
            at += found;
            if text.as_bytes()[at] == b'`' {
                ends.ticks.push(at);
                at += 1;
                continue;
            }
            let marks = text[at..].bytes().take_while(|b| *b == b'_').count();
            let rest = &text[at + marks..];
            let is_end = marks <= 2
                && !text[..at].ends_with(char::is_whitespace)
                && (marks == 2 || !rest.starts_with(char::is_alphanumeric));
            if is_end {
                ends.of[marks - 1][ends.ticks.len() % 2].push(at);
            }
            at += marks;
        }
        ends
    }

    /// Whether there is an odd number of backticks before this place.
    fn is_odd(&self, at: usize) -> bool {
        self.ticks.partition_point(|tick| *tick < at) % 2 == 1
    }
}

/// The attributes of a document.
struct Attributes<'a> {
    values: HashMap<&'a str, &'a str>,
    /// Bytes that references to them may still expand to; none once there were more.
    left: Cell<Option<u64>>,
}

impl<'a> Attributes<'a> {
    fn is_declared(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// The value of one that is declared; empty if too much was expanded already.
    fn expand(&self, name: &str) -> &'a str {
        let value = self.values.get(name).copied().unwrap_or_default();
        self.left.set(self.left.get().and_then(|left| left.checked_sub(value.len() as u64)));
        if self.left.get().is_some() { value } else { "" }
    }
}

/// Attributes inside attributes; deeper ones are left out.
const MAX_NESTING: u32 = 4;

/// Macros inside macros of which it is known what they show; deeper ones are text.
const MAX_SHOWN_NESTING: u32 = 8;

fn strip_inline(ends: &Ends<'_>, attributes: &Attributes<'_>, nesting: u32) -> String {
    let text = ends.text();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['{', '[', '<', '(', '&', ':']) {
        let start = text.len() - rest.len();
        out.push_str(&inline::without_stars(text, start..start + at));
        rest = &rest[at..];
        let length = special(rest, ends, attributes, nesting, &mut out);
        rest = &rest[length..];
    }
    out.push_str(&inline::without_stars(text, text.len() - rest.len()..text.len()));
    out
}

fn special<'a>(
    rest: &'a str,
    ends: &Ends<'a>,
    attributes: &Attributes<'_>,
    nesting: u32,
    out: &mut String,
) -> usize {
    let after = &rest[1..];
    match rest.as_bytes()[0] {
        b'{' => {
            if let Some(name) = ends.up_to(after, "}").filter(|n| is_name(n)) {
                match (attributes.is_declared(name), builtin(name)) {
                    (true, _) if nesting < MAX_NESTING => {
                        let value = Ends::new(attributes.expand(name), ends.work());
                        out.push_str(&strip_inline(&value, attributes, nesting + 1));
                    }
                    (false, Some(text)) => out.push_str(text),
                    _ => {}
                }
                return name.len() + 2;
            }
            out.push('{');
        }
        b'[' => {
            if after.starts_with('[')
                && let Some(anchor) = ends.up_to(after, "]]")
            {
                return anchor.len() + 3;
            }
            // `[role]#text#`
            if let Some(role) = ends.up_to(after, "]")
                && rest[role.len() + 2..].starts_with('#')
                && !role.contains([' ', '\n'])
            {
                return role.len() + 3;
            }
            out.push('[');
        }
        b'<' => {
            if after.starts_with('<')
                && let Some(reference) = ends.up_to(&after[1..], ">>")
            {
                if let Some((_, text)) = reference.split_once(',') {
                    out.push_str(text.trim());
                }
                return reference.len() + 4;
            }
            out.push('<');
        }
        b'(' => {
            if after.starts_with("((")
                && let Some(term) = ends.up_to(&after[2..], ")))")
            {
                return term.len() + 6;
            }
            out.push('(');
        }
        b':' => {
            if let Some(length) = inline_macro(after, ends, attributes, nesting, out) {
                return length + 1;
            }
            out.push(':');
        }
        _ => return inline::push_reference(rest, out),
    }
    1
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}

/// The rest of a macro whose name was written to `out` already, after its colon; gives the length.
fn inline_macro<'a>(
    after: &'a str,
    ends: &Ends<'a>,
    attributes: &Attributes<'_>,
    nesting: u32,
    out: &mut String,
) -> Option<usize> {
    let start = out
        .rfind(|c: char| !c.is_ascii_alphanumeric())
        .map_or(0, |at| at + out[at..].chars().next().map_or(1, char::len_utf8));
    let name = out[start..].to_owned();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let target = ends.up_to_any(after, "[ \n")?;
    let arguments = ends.bracketed(&after[target.len()..], '[', ']')?;
    // What is not a macro is read again as text, and so is what is inside it.
    if !is_shown(&name) && (target.is_empty() || nesting >= MAX_NESTING)
        || nesting >= MAX_SHOWN_NESTING
    {
        return None;
    }
    let text = strip_inline(&Ends::new(arguments, ends.work()), attributes, nesting + 1);
    let text = text.trim_end_matches('^');
    let length = target.len() + arguments.len() + 2;
    let shown = match name.as_str() {
        "http" | "https" | "ftp" | "irc" | "mailto" | "link" | "file" => {
            // Named arguments follow a text, or stand alone.
            let text = text.split(",window=").next().unwrap_or("");
            if text.is_empty() || text.contains("=\"") {
                target.to_owned()
            } else {
                text.to_owned()
            }
        }
        "xref" | "kbd" | "btn" | "pass" | "stem" | "latexmath" | "asciimath" | "abbr" => {
            text.to_owned()
        }
        "footnote" | "footnoteref" => format!(" {text} "),
        "image" | "icon" | "video" | "audio" | "indexterm" | "anchor" | "indexterm2" => {
            String::new()
        }
        "menu" => format!("{target} {text}"),
        // A macro of the document's own, as for references to manual pages.
        _ => format!("{target}({text})"),
    };
    out.truncate(start);
    out.push_str(&shown);
    Some(length)
}

/// Whether a macro is one of those that [`inline_macro`] knows what to show of.
fn is_shown(name: &str) -> bool {
    matches!(
        name,
        "http"
            | "https"
            | "ftp"
            | "irc"
            | "mailto"
            | "link"
            | "file"
            | "xref"
            | "kbd"
            | "btn"
            | "pass"
            | "stem"
            | "latexmath"
            | "asciimath"
            | "abbr"
            | "footnote"
            | "footnoteref"
            | "image"
            | "icon"
            | "video"
            | "audio"
            | "indexterm"
            | "anchor"
            | "indexterm2"
            | "menu"
    )
}

/// Attributes that every document has.
fn builtin(name: &str) -> Option<&'static str> {
    Some(match name {
        "nbsp" | "sp" => " ",
        "plus" => "+",
        "cpp" => "C++",
        "asterisk" => "*",
        "caret" => "^",
        "tilde" => "~",
        "backslash" => "\\",
        "startsb" => "[",
        "endsb" => "]",
        "lt" => "<",
        "gt" => ">",
        "amp" => "&",
        "apos" => "'",
        "quot" => "\"",
        "vbar" => "|",
        _ => return None,
    })
}
