//! What others wrote, as a terminal shows it: names of files, ids, arguments. Characters that a terminal obeys instead
//! of showing them are written as escapes, so that a name can neither color, move nor reorder what is around it.

use std::borrow::Cow;
use std::ffi::OsString;

/// A message with all that a terminal would obey as escapes. Line ends and tabs stay: messages have some of their own.
pub(crate) fn message(text: &str) -> Cow<'_, str> {
    let is_obeyed =
        |c: char| reorders(c) || (c.is_control() && !matches!(c, '\n' | '\t')) || is_separator(c);
    escaped(text, is_obeyed)
}

/// Results with the characters that reorder a line as escapes. Their other control characters are escaped where they
/// are made, and colors are their own.
pub(crate) fn results(bytes: &[u8]) -> Cow<'_, [u8]> {
    // All of them begin so.
    let begins = |pair: &[u8]| matches!(pair, [0xE2, 0x80 | 0x81]);
    if !bytes.windows(2).any(begins) {
        return bytes.into();
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return bytes.into() };
    match escaped(text, reorders) {
        Cow::Borrowed(text) => text.as_bytes().into(),
        Cow::Owned(text) => text.into_bytes().into(),
    }
}

/// A cell of a table with the characters that reorder a line as escapes.
pub(crate) fn cell(text: &str) -> Cow<'_, str> {
    escaped(text, reorders)
}

/// Arguments as the parser's messages may repeat them; none if they may as they are.
pub(crate) fn arguments(arguments: &[OsString]) -> Option<Vec<OsString>> {
    let shown: Vec<OsString> = arguments
        .iter()
        .map(|argument| message(&argument.to_string_lossy()).replace('\n', "\\n").into())
        .collect();
    (shown != arguments).then_some(shown)
}

fn escaped(text: &str, is_obeyed: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_obeyed) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_obeyed(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out.into()
}

fn is_separator(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// Whether a character changes the order of those around it: embeddings, overrides and isolates. Marks of direction
/// are letters without a shape, and are found in names of right-to-left scripts.
fn reorders(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_terminals_obey_is_shown() {
        for (text, shown) in [
            ("plain äöü שלום\n\tx", "plain äöü שלום\n\tx"),
            ("a\x1b[31mb\x07\x7f\r", "a\\u{1b}[31mb\\u{7}\\u{7f}\\u{d}"),
            ("exe.\u{202e}txt\u{2066}\u{9b}", "exe.\\u{202e}txt\\u{2066}\\u{9b}"),
            ("a\u{200f}b", "a\u{200f}b"),
        ] {
            assert_eq!(message(text), shown);
        }
    }

    #[test]
    fn results_keep_their_colors() {
        let line = "\x1b[1m0\x1b[0m\ta\u{202e}b\n";
        assert_eq!(*results(line.as_bytes()), *b"\x1b[1m0\x1b[0m\ta\\u{202e}b\n");
        assert!(matches!(results("a\u{2014}\n".as_bytes()), Cow::Borrowed(_)));
    }

    #[test]
    fn arguments_are_repeated_as_they_are_if_they_may_be() {
        assert_eq!(arguments(&["a".into(), "ä b".into()]), None);
        let shown = arguments(&["a".into(), "\x1b[2J".into()]).unwrap();
        assert_eq!(shown, ["a", "\\u{1b}[2J"]);
    }
}
