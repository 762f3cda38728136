//! Inline markup of reStructuredText as its renderings show it: emphasis, literals, roles, references, substitutions.

use super::marks::{self, Close, Closings};
use super::substitutions::Substitutions;
use crate::superscript::{self, Position};
use crate::work::Work;

/// A paragraph without its markup.
pub(super) fn strip(text: &str, substitutions: &Substitutions<'_>, work: &Work) -> String {
    let closings = Closings::new(text, work);
    let mut phrases = Phrases { text, closings, substitutions, out: String::new(), at: 0, read: 0 };
    phrases.out.reserve(text.len());
    while let Some(length) = text[phrases.at..].find(['\\', '`', '|', '_', ':', '[', '*']) {
        phrases.copy(length);
        if !phrases.markup() {
            phrases.copy(1);
        }
    }
    phrases.copy(text.len() - phrases.at);
    phrases.out
}

struct Phrases<'a> {
    text: &'a str,
    closings: Closings<'a>,
    substitutions: &'a Substitutions<'a>,
    out: String,
    /// What is before this is done.
    at: usize,
    /// Where the last markup ended.
    read: usize,
}

impl<'a> Phrases<'a> {
    /// Takes the next bytes as text.
    fn copy(&mut self, length: usize) {
        self.out.push_str(&self.text[self.at..self.at + length]);
        self.at += length;
    }

    /// The next bytes are markup.
    fn skip(&mut self, length: usize) -> bool {
        self.at += length;
        self.read = self.at;
        true
    }

    /// The character before a place, as markup sees it: the text begins again where other markup ended.
    fn before(&self, at: usize) -> Option<char> {
        self.text[self.read..at].chars().next_back()
    }

    /// Whether markup begins here, whose content is `length` bytes from here.
    fn begins(&self, length: usize) -> bool {
        marks::begins(self.before(self.at), self.text[self.at + length..].chars().next())
    }

    /// The content of markup that begins here with so many bytes, and the length of all of it.
    fn content(&self, close: Close, open: usize) -> Option<(&'a str, &'a str, usize)> {
        if !self.begins(open) {
            return None;
        }
        let from = self.at + open;
        let content = self.closings.content(close, from)?;
        let end = from + content.len() + close.mark().len();
        let tail = close.tail(&self.text[end..])?;
        Some((content, &self.text[end..end + tail], end + tail - self.at))
    }

    /// Reads what the next character begins, if it is markup.
    fn markup(&mut self) -> bool {
        let rest = &self.text[self.at..];
        match rest.as_bytes()[0] {
            b'\\' => self.escape(),
            b'*' if rest.starts_with("**") => self.emphasis(Close::Strong),
            b'*' => self.emphasis(Close::Emphasis),
            b'`' if rest.starts_with("``") => match self.content(Close::Literal, 2) {
                Some((code, _, length)) => {
                    self.out.push_str(code);
                    self.skip(length)
                }
                None => false,
            },
            b'`' => self.phrase(1),
            b':' => {
                let name = marks::simple_name(&rest[1..]);
                name > 0 && rest[1 + name..].starts_with(":`") && self.phrase(name + 3)
            }
            b'|' => self.substitution(),
            b'[' => self.note(rest),
            _ if rest.starts_with("_`") => match self.content(Close::Phrase, 2) {
                Some((name, _, length)) => {
                    push_unescaped(name, &mut self.out);
                    self.skip(length)
                }
                None => false,
            },
            _ => self.reference(rest),
        }
    }

    /// An escaped blank is nothing.
    fn escape(&mut self) -> bool {
        let next = self.text[self.at + 1..].chars().next();
        self.out.extend(next.filter(|c| !c.is_whitespace()));
        self.at += 1 + next.map_or(0, char::len_utf8);
        true
    }

    fn emphasis(&mut self, close: Close) -> bool {
        let open = close.mark().len();
        let Some((content, _, length)) = self.content(close, open) else {
            // Both stars of a pair are text then.
            self.copy(open - 1);
            return false;
        };
        push_unescaped(content, &mut self.out);
        self.skip(length)
    }

    /// Interpreted text or a reference, after its role, if there is one.
    fn phrase(&mut self, open: usize) -> bool {
        let Some((phrase, tail, length)) = self.content(Close::Phrase, open) else { return false };
        let role = if open > 1 { &self.text[self.at + 1..self.at + open - 2] } else { tail };
        let out = &mut self.out;
        let titled = phrase.trim_end().ends_with('>') && phrase.contains('<');
        match &*role.trim_matches(':').to_ascii_lowercase() {
            // What these show is the title of their target, which is elsewhere.
            "ref" | "doc" | "numref" | "eq" | "cite" | "std:ref" | "std:doc" if !titled => {}
            "sub" | "subscript" => push_shifted(phrase, Position::Below, out),
            "sup" | "superscript" => push_shifted(phrase, Position::Above, out),
            role => {
                if !titled && matches!(role, "pep" | "rfc") {
                    out.push_str(&role.to_uppercase());
                    out.push(' ');
                }
                push_unescaped(shown(phrase), out);
            }
        }
        self.skip(length)
    }

    fn substitution(&mut self) -> bool {
        let Some((name, _, length)) = self.content(Close::Substitution, 1) else { return false };
        // One that is not defined is an error, and shown as it is written.
        let Some(text) = self.substitutions.expand(name) else { return false };
        self.out.push_str(text);
        self.skip(length)
    }

    /// A reference to a footnote, of which nothing is text, or to a citation, which shows its label.
    fn note(&mut self, rest: &str) -> bool {
        let label = match rest.as_bytes().get(1) {
            Some(b'#') => 1 + marks::simple_name(&rest[2..]),
            Some(b'*') => 1,
            _ => marks::simple_name(&rest[1..]),
        };
        let end = 1 + label;
        let is_note = label > 0 && rest[end..].starts_with("]_") && self.begins(1);
        if !is_note || !marks::ends(&rest[end + 2..]) {
            return false;
        }
        let citation =
            rest[1..end].contains(|c: char| c.is_alphabetic()) && !rest[1..].starts_with('#');
        if citation {
            self.out.push_str(&rest[..=end]);
        }
        self.skip(end + 2)
    }

    /// `name_`
    fn reference(&mut self, rest: &str) -> bool {
        let marks = marks::reference_marks(rest);
        if marks == 0 {
            return false;
        }
        let Some(name) = marks::simple_name_before(&self.text[self.read..self.at]) else {
            return false;
        };
        let start = self.read + name;
        marks::begins(self.before(start), self.text[start..].chars().next()) && self.skip(marks)
    }
}

/// What is seen of `text <target>`, `~module.name` and `!name`.
fn shown(phrase: &str) -> &str {
    let text = match phrase.rfind('<') {
        Some(at) if phrase.trim_end().ends_with('>') && at > 0 => phrase[..at].trim_end(),
        _ => phrase,
    };
    match text.strip_prefix('~') {
        Some(path) => path.rsplit('.').next().unwrap_or(path),
        None => text.trim_start_matches('!'),
    }
}

/// Backslashes before characters are not seen, nor blanks after them.
fn push_unescaped(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let next = rest[at + 1..].chars().next();
        out.extend(next.filter(|c| !c.is_whitespace()));
        rest = &rest[at + 1 + next.map_or(0, char::len_utf8)..];
    }
    out.push_str(rest);
}

fn push_shifted(text: &str, position: Position, out: &mut String) {
    let continues = out.chars().next_back().is_some_and(superscript::is_base);
    match position.characters(text).filter(|_| continues) {
        Some(shifted) => out.push_str(&shifted),
        None => push_unescaped(text, out),
    }
}
