//! What printers and terminals were told: line ends, form feeds, escape sequences, overstrikes.

use std::borrow::Cow;

use memchr::memmem;

use crate::flow;

const BACKSPACE: char = '\u{8}';
const BELL: char = '\u{7}';
const ESCAPE: char = '\u{1B}';
/// The one-character form of `ESC [`.
const CSI: char = '\u{9B}';
const CSI_BYTES: &[u8] = "\u{9B}".as_bytes();

/// Bytes that are examined together for whether there is anything to resolve.
const CHUNK: usize = 64;

/// The text as it would stand on paper.
pub(super) fn resolve(text: &str) -> Cow<'_, str> {
    let has_csi = !text.is_ascii() && memmem::find(text.as_bytes(), CSI_BYTES).is_some();
    let Some(mut plain) = up_to_special(text, has_csi) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    let mut chars = Chars(text);
    loop {
        out.push_str(&chars.0[..plain]);
        chars.0 = &chars.0[plain..];
        match chars.next() {
            Some('\r') => {
                // A lone return ends a line too: old Macintosh files have no other.
                chars.next_if(|c| c == '\n');
                out.push('\n');
            }
            Some('\u{B}' | '\u{C}') => out.push('\n'),
            Some('\u{E}' | '\u{F}' | BELL) => {}
            Some(ESCAPE) => escape(&mut chars),
            Some(CSI) => control_sequence(&mut chars),
            Some(BACKSPACE) => {
                let mut columns = 1;
                while chars.next_if(|c| c == BACKSPACE) {
                    columns += 1;
                }
                overstrike(&mut out, columns, &mut chars);
            }
            Some(c) => out.push(c),
            None => return Cow::Owned(out),
        }
        plain = up_to_special(chars.0, has_csi).unwrap_or(chars.0.len());
    }
}

/// The bytes before the first character that may be an instruction, if there is one. Where `has_csi`, that is each
/// whose first byte is that of [`CSI`], too.
fn up_to_special(text: &str, has_csi: bool) -> Option<usize> {
    let first = if has_csi { CSI_BYTES[0] } else { ESCAPE as u8 };
    let is_special = |b: &u8| matches!(b, 7 | 8 | 0xB..=0xF | 0x1B) | (*b == first);
    // Whole chunks, without a way out between two bytes, so that many are examined in one step.
    let any = |chunk: &[u8]| chunk.iter().fold(false, |any, b| any | is_special(b));
    let bytes = text.as_bytes();
    let chunk = bytes.chunks(CHUNK).position(any)? * CHUNK;
    bytes[chunk..].iter().position(is_special).map(|at| chunk + at)
}

/// What is left of a text.
struct Chars<'a>(&'a str);

impl Chars<'_> {
    fn next(&mut self) -> Option<char> {
        let mut chars = self.0.chars();
        let next = chars.next();
        self.0 = chars.as_str();
        next
    }

    fn peek(&self) -> Option<char> {
        self.0.chars().next()
    }

    /// Passes over the next character if it is such a one.
    fn next_if(&mut self, is: impl FnOnce(char) -> bool) -> bool {
        let passes = self.peek().is_some_and(is);
        if passes {
            self.next();
        }
        passes
    }
}

/// Skips what follows an escape character.
fn escape(chars: &mut Chars<'_>) {
    match chars.peek() {
        Some('[') => {
            chars.next();
            control_sequence(chars);
        }
        Some(']') => operating_system_command(chars),
        // Intermediate bytes, then a final one: character sets and the like.
        Some(' '..='/') => {
            while chars.next_if(|c| (' '..='/').contains(&c)) {}
            chars.next_if(|c| ('0'..='~').contains(&c));
        }
        Some('0'..='~') => {
            chars.next();
        }
        _ => {}
    }
}

/// Parameters, intermediates and the final character of a control sequence.
fn control_sequence(chars: &mut Chars<'_>) {
    while chars.next_if(|c| ('0'..='?').contains(&c)) {}
    while chars.next_if(|c| (' '..='/').contains(&c)) {}
    chars.next_if(|c| ('@'..='~').contains(&c));
}

/// A window title or a hyperlink, up to its terminator, but never past the line.
fn operating_system_command(chars: &mut Chars<'_>) {
    while let Some(c) = chars.peek().filter(|c| *c != '\n') {
        chars.next();
        if c == BELL {
            return;
        }
        if c == ESCAPE {
            chars.next_if(|c| c == '\\');
            return;
        }
    }
}

/// Takes back what `columns` backspaces go over, and sets what is printed over it: bold is a letter twice,
/// underlining a letter and `_` in either order.
fn overstrike(out: &mut String, columns: usize, chars: &mut Chars<'_>) {
    let mut under = Vec::new();
    let mut width = 0;
    while width < columns
        && let Some(c) = out.chars().next_back().filter(|c| *c != '\n')
    {
        out.pop();
        width += if flow::is_wide(c) { 2 } else { 1 };
        under.push(c);
    }
    while let Some(below) = under.pop() {
        let above = chars.peek().filter(|c| !matches!(*c, '\n' | BACKSPACE | ESCAPE));
        if above.is_some() {
            chars.next();
        }
        out.push(above.filter(|c| !matches!(c, '_' | ' ')).unwrap_or(below));
    }
}
