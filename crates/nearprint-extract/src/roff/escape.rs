//! Escapes in roff: fonts, sizes and motions vanish, special characters become themselves.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::flow::Flow;
use crate::work::Work;

/// Strings that the page defines.
#[derive(Debug)]
pub(super) struct Strings {
    values: HashMap<String, String>,
    /// Bytes that references to them may still expand to; none once there were more.
    left: Cell<Option<u64>>,
    work: Rc<Work>,
}

impl Strings {
    /// No strings; those to come may expand to `limit` bytes.
    pub(super) fn new(limit: u64, work: &Rc<Work>) -> Self {
        Self { values: HashMap::new(), left: Cell::new(Some(limit)), work: Rc::clone(work) }
    }

    /// Gives a string a value.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.values.insert(name.to_owned(), value.to_owned());
    }

    /// Puts more after the value of a string.
    pub(super) fn append(&mut self, name: &str, more: &str) {
        self.values.entry(name.to_owned()).or_default().push_str(more);
    }

    /// Whether too much was expanded.
    pub(super) fn is_exhausted(&self) -> bool {
        self.left.get().is_none()
    }

    /// The value of a string; none if it has none, or too much was expanded already.
    fn expand(&self, name: &str) -> Option<&str> {
        let left = self.left.get()?;
        let value = self.values.get(name)?;
        self.left.set(left.checked_sub(value.len() as u64 + 1));
        self.left.get()?;
        self.work.count(value.len() + 1);
        Some(value)
    }
}

/// Strings inside strings; deeper ones are left out.
const MAX_NESTING: u32 = 4;

/// Appends a line of text. Whether the next line follows without a blank (`\c`).
pub(super) fn set(line: &str, strings: &Strings, flow: &mut Flow) -> bool {
    set_nested(line, strings, flow, 0)
}

fn set_nested(line: &str, strings: &Strings, flow: &mut Flow, nesting: u32) -> bool {
    let mut continued = false;
    let mut rest = line;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        flow.text(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(kind) = rest.chars().next() else { break };
        rest = &rest[kind.len_utf8()..];
        match kind {
            '"' | '#' => return continued,
            'c' => continued = true,
            '-' => flow.text("-"),
            'e' | '\\' => flow.text("\\"),
            '\'' => flow.text("\u{B4}"),
            '`' => flow.text("`"),
            '_' => flow.text("_"),
            '.' => flow.text("."),
            ' ' | '~' | '0' | 't' => flow.space(),
            'p' => flow.line(),
            '(' | '[' => {
                let name = name_after(kind, &mut rest);
                special(name, flow);
            }
            'C' => {
                let name = quoted(&mut rest);
                special(name, flow);
            }
            'N' => {
                let code = quoted(&mut rest);
                if let Some(c) = code.parse().ok().and_then(char::from_u32) {
                    flow.character(c);
                }
            }
            '*' => {
                let name = name_of(&mut rest);
                if nesting < MAX_NESTING
                    && let Some(value) = strings.expand(name)
                {
                    set_nested(value, strings, flow, nesting + 1);
                }
            }
            'f' | 'F' | 'n' | 'g' | 'k' | 'm' | 'M' | 'V' | 'Y' => {
                name_of(&mut rest);
            }
            's' => size(&mut rest),
            'h' => {
                quoted(&mut rest);
                flow.space();
            }
            'o' => flow.text(quoted(&mut rest)),
            'A' | 'b' | 'B' | 'D' | 'H' | 'l' | 'L' | 'R' | 'S' | 'v' | 'w' | 'x' | 'X' | 'Z' => {
                quoted(&mut rest);
            }
            // Nothing on paper: no character, hyphenation, corrections, braces of conditions.
            '&' | '%' | ':' | '/' | ',' | '|' | '^' | '!' | '?' | '{' | '}' | 'a' | 'd' | 'r'
            | 'u' | 'z' | ')' => {}
            other => flow.character(other),
        }
    }
    flow.text(rest);
    continued
}

/// A name of one character, `(` and two, or brackets and any number.
fn name_of<'a>(rest: &mut &'a str) -> &'a str {
    let Some(first) = rest.chars().next() else { return "" };
    if matches!(first, '(' | '[') {
        *rest = &rest[1..];
        return name_after(first, rest);
    }
    // Increments of registers: `\n+x`.
    let sign = usize::from(matches!(first, '+' | '-'));
    let Some(name) = rest[sign..].chars().next() else { return "" };
    let end = sign + name.len_utf8();
    let name = &rest[sign..end];
    *rest = &rest[end..];
    name
}

fn name_after<'a>(opening: char, rest: &mut &'a str) -> &'a str {
    let (name, after) = if opening == '[' {
        rest.split_once(']').unwrap_or((rest, ""))
    } else {
        let end = rest.char_indices().nth(2).map_or(rest.len(), |(at, _)| at);
        rest.split_at(end)
    };
    *rest = after;
    name
}

/// An argument between two of the same character.
fn quoted<'a>(rest: &mut &'a str) -> &'a str {
    let Some(quote) = rest.chars().next() else { return "" };
    let body = &rest[quote.len_utf8()..];
    let (inside, after) = body.split_once(quote).unwrap_or((body, ""));
    *rest = after;
    inside
}

fn size(rest: &mut &str) {
    match rest.chars().next() {
        Some('[') => {
            // The size may be that of a register, which has brackets too.
            let mut open = 0u32;
            let end = rest.find(|c| {
                open = match c {
                    '[' => open + 1,
                    ']' => open - 1,
                    _ => open,
                };
                open == 0
            });
            *rest = end.map_or("", |end| &rest[end + 1..]);
        }
        Some('\'') => *rest = rest[1..].split_once('\'').map_or("", |(_, after)| after),
        Some('(') => *rest = rest.get(3..).unwrap_or(""),
        _ => {
            let signed = rest.trim_start_matches(['+', '-']);
            let digits = signed.bytes().take(2).take_while(u8::is_ascii_digit).count();
            // Two digits are a size only up to 39; an increment has one.
            let two = digits == 2
                && rest.len() == signed.len()
                && matches!(signed.as_bytes()[0], b'1'..=b'3');
            *rest = &signed[if two { 2 } else { digits.min(1) }..];
        }
    }
}

/// Appends a special character by its name.
fn special(name: &str, flow: &mut Flow) {
    if let Some(code) = name.strip_prefix('u')
        && code.len() >= 4
    {
        for code in code.split('_') {
            if let Some(c) = u32::from_str_radix(code, 16).ok().and_then(char::from_u32) {
                flow.character(c);
            }
        }
        return;
    }
    match SPECIAL.binary_search_by_key(&name, |row| row.0) {
        Ok(at) => flow.text(SPECIAL[at].1),
        Err(_) => match accented(name) {
            Some(text) => flow.text(&text),
            None => flow.space(),
        },
    }
}

/// A letter with an accent: the accent's sign and the letter, as a letter and a combining mark.
fn accented(name: &str) -> Option<String> {
    let mut chars = name.chars();
    let (accent, letter, None) = (chars.next()?, chars.next()?, chars.next()) else { return None };
    if accent == '*' {
        return GREEK.iter().find(|row| row.0 == letter).map(|row| row.1.to_string());
    }
    let mark = match accent {
        '\'' => '\u{301}',
        '`' => '\u{300}',
        '^' => '\u{302}',
        '~' => '\u{303}',
        ':' => '\u{308}',
        ',' => '\u{327}',
        'v' => '\u{30C}',
        _ => return None,
    };
    letter.is_ascii_alphabetic().then(|| String::from_iter([letter, mark]))
}

/// Special characters that are letters, digits' neighbours or punctuation, by name in byte order. All
/// others separate words.
static SPECIAL: [(&str, &str); 60] = [
    ("!I", "Į"),
    ("+-", "±"),
    (",C", "Ç"),
    (",c", "ç"),
    ("->", "→"),
    ("-D", "Ð"),
    ("-d", "đ"),
    (".i", "ı"),
    ("/L", "Ł"),
    ("/O", "Ø"),
    ("/l", "ł"),
    ("/o", "ø"),
    ("12", "½"),
    ("14", "¼"),
    ("34", "¾"),
    ("<-", "←"),
    ("AE", "Æ"),
    ("Cs", "¤"),
    ("Do", "$"),
    ("Eu", "€"),
    ("Fc", "»"),
    ("Fi", "ffi"),
    ("Fl", "ffl"),
    ("Fo", "«"),
    ("IJ", "Ĳ"),
    ("OE", "Œ"),
    ("Po", "£"),
    ("Sd", "ð"),
    ("TP", "Þ"),
    ("Tp", "þ"),
    ("Ye", "¥"),
    ("ae", "æ"),
    ("aq", "'"),
    ("at", "@"),
    ("bu", "•"),
    ("co", "©"),
    ("cq", "’"),
    ("ct", "¢"),
    ("de", "°"),
    ("dq", "\""),
    ("em", "—"),
    ("en", "–"),
    ("ff", "ff"),
    ("fi", "fi"),
    ("fl", "fl"),
    ("ga", "`"),
    ("ha", "^"),
    ("hy", "‐"),
    ("ij", "ĳ"),
    ("lq", "“"),
    ("mu", "×"),
    ("oA", "Å"),
    ("oa", "å"),
    ("oe", "œ"),
    ("oq", "‘"),
    ("rg", "®"),
    ("rq", "”"),
    ("rs", "\\"),
    ("ss", "ß"),
    ("ti", "~"),
];

static GREEK: [(char, char); 49] = [
    ('A', 'Α'),
    ('B', 'Β'),
    ('C', 'Ξ'),
    ('D', 'Δ'),
    ('E', 'Ε'),
    ('F', 'Φ'),
    ('G', 'Γ'),
    ('H', 'Θ'),
    ('I', 'Ι'),
    ('K', 'Κ'),
    ('L', 'Λ'),
    ('M', 'Μ'),
    ('N', 'Ν'),
    ('O', 'Ο'),
    ('P', 'Π'),
    ('Q', 'Ψ'),
    ('R', 'Ρ'),
    ('S', 'Σ'),
    ('T', 'Τ'),
    ('U', 'Υ'),
    ('W', 'Ω'),
    ('X', 'Χ'),
    ('Y', 'Η'),
    ('Z', 'Ζ'),
    ('a', 'α'),
    ('b', 'β'),
    ('c', 'ξ'),
    ('d', 'δ'),
    ('e', 'ε'),
    ('f', 'φ'),
    ('g', 'γ'),
    ('h', 'θ'),
    ('i', 'ι'),
    ('k', 'κ'),
    ('l', 'λ'),
    ('m', 'μ'),
    ('n', 'ν'),
    ('o', 'ο'),
    ('p', 'π'),
    ('q', 'ψ'),
    ('r', 'ρ'),
    ('s', 'σ'),
    ('t', 'τ'),
    ('u', 'υ'),
    ('w', 'ω'),
    ('x', 'χ'),
    ('y', 'η'),
    ('z', 'ζ'),
    ('V', 'ς'),
];

/// The arguments of a request: words, or quoted text in which two quotes are one.
pub(super) fn arguments(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() && !rest.starts_with("\\\"") {
        let mut word = String::new();
        if let Some(quoted) = rest.strip_prefix('"') {
            rest = quoted;
            while let Some(at) = rest.find('"') {
                word += &rest[..at];
                rest = &rest[at + 1..];
                match rest.strip_prefix('"') {
                    Some(more) => {
                        word.push('"');
                        rest = more;
                        continue;
                    }
                    None => break,
                }
            }
            if !quoted.contains('"') {
                word = quoted.to_owned();
                rest = "";
            }
        } else {
            let mut end = rest.len();
            let mut escaped = false;
            for (at, c) in rest.char_indices() {
                if !escaped && (c == ' ' || c == '\t') {
                    end = at;
                    break;
                }
                escaped = c == '\\' && !escaped;
            }
            word += &rest[..end];
            rest = &rest[end..];
        }
        found.push(word);
        rest = rest.trim_start();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_in_order() {
        assert!(SPECIAL.is_sorted_by_key(|row| row.0));
    }

    #[test]
    fn arguments_are_words_or_quoted() {
        assert_eq!(arguments("a \"b \"\"c\"\" d\" e\\ f \\\" g"), ["a", "b \"c\" d", "e\\ f"]);
        assert_eq!(arguments("\"open end"), ["open end"]);
    }

    #[test]
    fn escapes() {
        for (line, expected) in [
            ("\\fBbold\\fP\\f[I]x\\f(CWy", "boldxy"),
            ("a\\-b\\&.c \\(em d\\[u00E9]", "a-b.c — dé"),
            ("\\s-1AB\\s0C\\s12D\\s[10]E", "ABCDE"),
            ("\\(:aé\\[~n]\\(*a\\(ss", "a\u{308}én\u{303}αß"),
            ("a\\h'2n'b\\v'1'c\\w'x'd", "a bcd"),
            ("text\\\" comment", "text"),
            ("\\*(Xx\\*Y\\*[Xx]", "valueyvalue"),
            ("\\n(.g\\n+xend", "end"),
        ] {
            let work = Rc::new(Work::new(&crate::Limits::default()));
            let mut strings = Strings::new(1000, &work);
            strings.set("Xx", "value");
            strings.set("Y", "\\fBy");
            let mut flow = Flow::new();
            set(line, &strings, &mut flow);
            assert_eq!(flow.finish().trim_end(), expected, "{line}");
        }
    }
}
