//! What stands within lines of AsciiDoc: attributes, references, anchors and macros.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;

use super::lines::attribute;
use crate::markup::ends::Ends;
use crate::markup::inline;

/// The attributes of a document.
pub(super) struct Attributes<'a> {
    values: HashMap<&'a str, &'a str>,
    /// Bytes that references to them may still expand to; none once there were more.
    left: Cell<Option<u64>>,
}

impl<'a> Attributes<'a> {
    /// The attributes that lines of a text declare, which may expand to so many bytes.
    pub(super) fn of(text: &'a str, limit: u64) -> Self {
        Self { values: text.lines().filter_map(attribute).collect(), left: Cell::new(Some(limit)) }
    }

    /// Whether references to them expanded to no more than they may.
    pub(super) fn are_within_limit(&self) -> bool {
        self.left.get().is_some()
    }

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

pub(super) fn strip_inline(ends: &Ends<'_>, attributes: &Attributes<'_>, nesting: u32) -> String {
    let text = ends.text();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['{', '[', '<', '(', '&', ':', '$']) {
        let start = text.len() - rest.len();
        out.push_str(&without_stars(text, start..start + at));
        rest = &rest[at..];
        let length = special(rest, ends, attributes, nesting, &mut out);
        rest = &rest[length..];
    }
    out.push_str(&without_stars(text, text.len() - rest.len()..text.len()));
    out
}

/// A part of a text with emphasis marks (`*`, `**`) away: those that touch something.
fn without_stars(text: &str, part: Range<usize>) -> Cow<'_, str> {
    let before = text[..part.start].chars().next_back();
    let after = text[part.end..].chars().next();
    let text = &text[part];
    if !text.contains('*') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('*') {
        out.push_str(&rest[..at]);
        let stars = rest[at..].bytes().take_while(|b| *b == b'*').count();
        let next = rest[at + stars..].chars().next().or(after);
        let spaced = |c: Option<char>| c.is_none_or(char::is_whitespace);
        if spaced(out.chars().next_back().or(before)) && spaced(next) {
            out.push_str(&rest[at..at + stars]);
        }
        rest = &rest[at + stars..];
    }
    out.push_str(rest);
    out.into()
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
                    // What is not known stands for something: it joins no words.
                    _ if after[name.len() + 1..].starts_with(char::is_alphanumeric)
                        && out.ends_with(char::is_alphanumeric) =>
                    {
                        out.push(' ');
                    }
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
        // Nothing between these is markup.
        b'$' => {
            if let Some(text) = after.strip_prefix('$')
                && let Some(text) = ends.up_to(text, "$$")
            {
                out.push_str(text);
                return text.len() + 4;
            }
            out.push('$');
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
