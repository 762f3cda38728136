//! What printers and terminals were told: line ends, form feeds, escape sequences, overstrikes.

use std::borrow::Cow;

use memchr::memmem;

use crate::flow;

const BACKSPACE: char = '\u{8}';
const BELL: char = '\u{7}';
const ESCAPE: char = '\u{1B}';
/// The one-character form of `ESC [`.
const CSI: char = '\u{9B}';
const CSI_OCTETS: &[u8] = "\u{9B}".as_bytes();

/// The text as it would stand on paper.
pub(super) fn resolve(text: &str) -> Cow<'_, str> {
    // Whole chunks, without a way out between two octets, so that many are looked at in one step.
    let special = |chunk: &[u8]| {
        chunk.iter().fold(false, |any, b| any | matches!(b, 7 | 8 | 0xB..=0xF | 0x1B))
    };
    let octets = text.as_bytes();
    if !octets.chunks(4096).any(special) && memmem::find(octets, CSI_OCTETS).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                // A lone return ends a line too: old Macintosh files have no other.
                chars.next_if_eq(&'\n');
                out.push('\n');
            }
            '\u{B}' | '\u{C}' => out.push('\n'),
            '\u{E}' | '\u{F}' | BELL => {}
            ESCAPE => escape(&mut chars),
            CSI => control_sequence(&mut chars),
            BACKSPACE => {
                let mut columns = 1;
                while chars.next_if_eq(&BACKSPACE).is_some() {
                    columns += 1;
                }
                overstrike(&mut out, columns, &mut chars);
            }
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

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
            while chars.next_if(|c| (' '..='/').contains(c)).is_some() {}
            chars.next_if(|c| ('0'..='~').contains(c));
        }
        Some('0'..='~') => {
            chars.next();
        }
        _ => {}
    }
}

/// Parameters, intermediates and the final character of a control sequence.
fn control_sequence(chars: &mut Chars<'_>) {
    while chars.next_if(|c| ('0'..='?').contains(c)).is_some() {}
    while chars.next_if(|c| (' '..='/').contains(c)).is_some() {}
    chars.next_if(|c| ('@'..='~').contains(c));
}

/// A window title or a hyperlink, up to its terminator, but never past the line.
fn operating_system_command(chars: &mut Chars<'_>) {
    while let Some(c) = chars.next_if(|c| *c != '\n') {
        if c == BELL {
            return;
        }
        if c == ESCAPE {
            chars.next_if_eq(&'\\');
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
        match chars.next_if(|c| *c != '\n' && *c != BACKSPACE && *c != ESCAPE) {
            Some('_' | ' ') | None => out.push(below),
            Some(above) => out.push(above),
        }
    }
}
