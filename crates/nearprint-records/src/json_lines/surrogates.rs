//! Lone surrogates in lines of JSON: half a pair of escapes, such as `\ud800` alone.
//!
//! Programs of JavaScript, Java and Python write them, and no text in UTF-8 can hold one. The standard takes each for a
//! space (SPEC [3.2]). In an id each stays itself: its three bytes, as UTF-8 would have them, are written by the rule
//! for bytes that are not UTF-8, and so is all else in the id, so that the rule leads back.
//!
//! The parser refuses such a line. Then the line is written with a mark in the place of each, and what comes out of it
//! is resolved.

use crate::row::Field;
use crate::work::Work;

/// Noncharacters, which no text is meant to hold: the first that a line does not have is its mark.
const MARKS: std::ops::RangeInclusive<char> = '\u{FDD0}'..='\u{FDEF}';

/// Line with a mark in the place of each lone surrogate.
pub(super) struct MarkedLine {
    pub(super) line: Vec<u8>,
    mark: char,
}

/// The line with a mark and four digits in the place of each lone surrogate; `None` if it has none, or all marks
/// itself.
pub(super) fn marked(line: &[u8], work: &mut Work) -> Option<MarkedLine> {
    memchr::memchr2(b'd', b'D', line)?;
    let mark = MARKS.into_iter().find(|&mark| {
        work.count(2 * line.len() as u64);
        !has(line, mark)
    })?;
    work.count(2 * line.len() as u64);
    let (mut out, mut copied, mut at) = (Vec::new(), 0, 0);
    while let Some(next) = memchr::memchr(b'\\', &line[at..]) {
        at += next;
        let Some(unit) = escaped_unit(&line[at..]) else {
            // Some other escape, of two bytes.
            at = line.len().min(at + 2);
            continue;
        };
        let behind = &line[at + 6..];
        let is_high = matches!(unit, 0xD800..=0xDBFF);
        let is_pair = is_high && matches!(escaped_unit(behind), Some(0xDC00..=0xDFFF));
        // Where the line ends before it shows, it may be a pair.
        let is_cut = is_high && behind.len() < 6 && !behind.contains(&b'"');
        if !is_pair && !is_cut && matches!(unit, 0xD800..=0xDFFF) {
            out.extend_from_slice(&line[copied..at]);
            out.extend_from_slice(format!("{mark}{unit:04x}").as_bytes());
            copied = at + 6;
        }
        at += if is_pair { 12 } else { 6 };
    }
    if copied == 0 {
        return None;
    }
    out.extend_from_slice(&line[copied..]);
    Some(MarkedLine { line: out, mark })
}

/// Whether a line has a character, as it is or escaped.
fn has(line: &[u8], mark: char) -> bool {
    let code = u32::from(mark);
    memchr::memmem::find(line, mark.encode_utf8(&mut [0; 4]).as_bytes()).is_some()
        || memchr::memmem::find_iter(line, b"\\u")
            .any(|at| escaped_unit(&line[at..]).map(u32::from) == Some(code))
}

/// The number of the escape that begins here, where it is one of a code unit.
fn escaped_unit(escape: &[u8]) -> Option<u16> {
    let digits = escape.strip_prefix(b"\\u")?.get(..4)?;
    // A sign is not a digit.
    let is_number = digits.iter().all(u8::is_ascii_hexdigit);
    u16::from_str_radix(std::str::from_utf8(digits).ok().filter(|_| is_number)?, 16).ok()
}

impl MarkedLine {
    /// A field of the document: a space for each lone surrogate.
    pub(super) fn text(&self, field: Field) -> Field {
        let Field::Text(text) = field else { return field };
        let mut parts = text.split(self.mark);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            out.push(' ');
            out.push_str(part.get(4..).unwrap_or_default());
        }
        Field::Text(out)
    }

    /// The field of the id: where it has a lone surrogate, its bytes escaped.
    pub(super) fn id(&self, field: Field) -> Field {
        let Field::Text(text) = field else { return field };
        if !text.contains(self.mark) {
            return Field::Text(text);
        }
        let mut parts = text.split(self.mark);
        let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
        for part in parts {
            let (digits, rest) = part.split_at_checked(4).unwrap_or_default();
            let unit = u16::from_str_radix(digits, 16).unwrap_or_default();
            // Surrogates take three bytes: 1110xxxx 10xxxxxx 10xxxxxx.
            let [high, low] = unit.to_be_bytes();
            let middle = ((high & 15) << 2) | (low >> 6);
            bytes.extend([0xE0 | (high >> 4), 0x80 | middle, 0x80 | (low & 63)]);
            bytes.extend_from_slice(rest.as_bytes());
        }
        Field::Text(crate::escape(&bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(line: &str) -> Option<(String, String)> {
        let marked = marked(line.as_bytes(), &mut Work::default())?;
        let value: String = serde_json::from_slice(&marked.line).unwrap();
        let of = |field| match field {
            Field::Text(text) => text,
            other => panic!("{other:?}"),
        };
        let field = || Field::Text(value.clone());
        Some((of(marked.text(field())), of(marked.id(field()))))
    }

    #[test]
    fn lone_ones_are_spaces_in_texts_and_bytes_in_ids() {
        for (line, expected) in [
            (r#""\ud800x""#, Some((" x", r"\xed\xa0\x80x"))),
            (r#""a\uDFFF""#, Some(("a ", r"a\xed\xbf\xbf"))),
            (
                r#""\ud83d\ud83d\ude00\ude00""#,
                Some((" \u{1F600} ", "\\xed\\xa0\\xbd\u{1F600}\\xed\\xb8\\x80")),
            ),
            (r#""\udc00\ud800""#, Some(("  ", r"\xed\xb0\x80\xed\xa0\x80"))),
            (r#""\ud800\n\\""#, Some((" \n\\", r"\xed\xa0\x80\n\\"))),
            (r#""\ud800\u0041""#, Some((" A", r"\xed\xa0\x80A"))),
            // The first mark is taken.
            ("\"\u{FDD0}d800\\ud800\"", Some(("\u{FDD0}d800 ", "\u{FDD0}d800\\xed\\xa0\\x80"))),
            (r#""\uFdD0\ud800""#, Some(("\u{FDD0} ", "\u{FDD0}\\xed\\xa0\\x80"))),
            // No escape of a code unit, a pair, and what ends before it shows.
            (r#""\\ud800x""#, None),
            (r#""\ud83d\ude00""#, None),
            (r#""\ud83d\ude"#, None),
            (r#""\ud83d"#, None),
            (r#""\u+800 \u00e9 d""#, None),
            ("\"x\\", None),
        ] {
            let found = text(line);
            let expected = expected.map(|(text, id)| (text.to_owned(), id.to_owned()));
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn the_rule_leads_back_from_ids() {
        let (_, id) = text(r#""a\\x\ud800\udfff\ud83d b""#).unwrap();
        let bytes = crate::unescape(&id).unwrap();
        assert_eq!(bytes, b"a\\x\xf0\x90\x8f\xbf\xed\xa0\xbd b");
    }
}
