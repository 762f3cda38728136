//! Cuts out of the text of a JSON row: of the string that is the text some stretches go, and every other byte of the
//! row stays, escapes as they were written included.

use std::ops::Range;

use super::ObjectFields;
use crate::fields::Pointer;
use crate::{BadPointer, TableFields};

/// Cuts stretches out of the text of JSON rows.
///
/// ```
/// use nearprint_records::{JsonTextCut, TableFields};
///
/// let cut = JsonTextCut::new(&TableFields::default())?;
/// let row = br#"{"id": 1, "text": "Fog.\u0020Rain.\nFog."}"#;
/// let left = cut.row(row, &[4..10]).expect("it has a text of so many bytes");
/// assert_eq!(left, br#"{"id": 1, "text": "Fog.\nFog."}"#);
/// # Ok::<(), nearprint_records::BadPointer>(())
/// ```
#[derive(Debug, Clone)]
pub struct JsonTextCut {
    text: Pointer,
    /// What stands in the place of a stretch within a text, as it is written in JSON.
    between: String,
}

impl JsonTextCut {
    /// Cuts out of the field that these name as the text.
    ///
    /// # Errors
    /// Where its name begins with `/` and is not a pointer.
    pub fn new(fields: &TableFields) -> Result<Self, BadPointer> {
        Ok(Self { text: ObjectFields::new(fields)?.content, between: String::new() })
    }

    /// Puts these characters into the place of each stretch that has text of the row before and after it.
    #[must_use]
    pub fn joined_by(mut self, between: &str) -> Self {
        let written = serde_json::Value::from(between).to_string();
        self.between = written[1..written.len() - 1].to_owned();
        self
    }

    /// The row without these stretches of its text, which are in bytes of the text's value, in order. `None` where the
    /// row has no such text, or a stretch does not begin and end at characters of it. O(n) time.
    #[must_use]
    pub fn row(&self, row: &[u8], stretches: &[Range<usize>]) -> Option<Vec<u8>> {
        let row = std::str::from_utf8(row).ok()?;
        let mut scan = Scan { text: row, at: 0 };
        scan.text = row.strip_prefix('\u{FEFF}').unwrap_or(row);
        let before = row.len() - scan.text.len();
        let literal = scan.find(&self.text.0)?;
        let literal = literal.start + before..literal.end + before;
        let mut left = row[..literal.start].to_owned();
        self.cut_literal(&row[literal.clone()], stretches, &mut left)?;
        left.push_str(&row[literal.end..]);
        Some(left.into_bytes())
    }

    /// Appends a string as it is written, without stretches of its value.
    fn cut_literal(
        &self,
        literal: &str,
        stretches: &[Range<usize>],
        left: &mut String,
    ) -> Option<()> {
        // Where each character of the value begins in the literal and in the value.
        let (mut at, mut value, mut from) = (1, 0, 0);
        // Whether text stays before what is cut, and nothing was put behind it.
        let mut has_text = false;
        let mut bounds =
            stretches.iter().flat_map(|stretch| [stretch.start, stretch.end]).peekable();
        let mut is_cut = false;
        loop {
            while let Some(&bound) = bounds.peek()
                && bound <= value
            {
                if bound < value {
                    return None;
                }
                if is_cut {
                    if has_text && at < literal.len() - 1 {
                        left.push_str(&self.between);
                        has_text = false;
                    }
                } else {
                    left.push_str(&literal[from..at]);
                    has_text |= at > from.max(1);
                }
                (from, is_cut) = (at, !is_cut);
                bounds.next();
            }
            let rest = &literal[at..literal.len() - 1];
            if rest.is_empty() {
                break;
            }
            let (written, length) = character(rest)?;
            (at, value) = (at + written, value + length);
        }
        left.push_str(&literal[from..]);
        (bounds.next().is_none() && !is_cut).then_some(())
    }
}

/// The bytes that the next character takes as it is written, and of its UTF-8.
fn character(rest: &str) -> Option<(usize, usize)> {
    if !rest.starts_with('\\') {
        let length = rest.chars().next()?.len_utf8();
        return Some((length, length));
    }
    if rest.as_bytes().get(1) != Some(&b'u') {
        return Some((2, 1));
    }
    let unit = |at: usize| u32::from_str_radix(rest.get(at..at + 4)?, 16).ok();
    let first = unit(2)?;
    if !(0xD800..0xE000).contains(&first) {
        return Some((6, char::from_u32(first)?.len_utf8()));
    }
    // A lone surrogate has no UTF-8.
    let is_pair = first < 0xDC00 && rest.get(6..8) == Some("\\u");
    let second = unit(8).filter(|second| is_pair && (0xDC00..0xE000).contains(second));
    second.map(|_| (12, 4))
}

/// Walks over a row that is JSON; of one that is not, what it finds is of no use, and it ends all the same.
struct Scan<'t> {
    text: &'t str,
    at: usize,
}

impl Scan<'_> {
    /// The string to which names and numbers of elements lead. Of a name that an object has twice the last counts.
    fn find(&mut self, names: &[String]) -> Option<Range<usize>> {
        self.blanks();
        let Some((name, rest)) = names.split_first() else {
            let start = self.at;
            return (self.byte()? == b'"').then(|| self.string()).flatten().map(|end| start..end);
        };
        let is_object = match self.byte()? {
            b'{' => true,
            b'[' => false,
            _ => return None,
        };
        self.at += 1;
        let (mut found, mut number) = (None, 0_usize);
        loop {
            self.blanks();
            if matches!(self.byte()?, b'}' | b']') {
                return found;
            }
            let is_named = if is_object {
                let start = self.at;
                let end = self.string()?;
                let key: String = serde_json::from_str(&self.text[start..end]).ok()?;
                self.blanks();
                self.at += 1;
                key == *name
            } else {
                number += 1;
                (number - 1).to_string() == *name
            };
            let start = self.at;
            if is_named {
                found = self.find(rest);
                self.at = start;
            }
            self.value()?;
            self.blanks();
            if self.byte()? == b',' {
                self.at += 1;
            }
        }
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.byte().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Passes over a string, and returns its end.
    fn string(&mut self) -> Option<usize> {
        if self.byte()? != b'"' {
            return None;
        }
        self.at += 1;
        loop {
            match self.byte()? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(self.at)
    }

    /// Passes over a value.
    fn value(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            self.blanks();
            match self.byte()? {
                b'"' => drop(self.string()?),
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                b',' | b':' if depth > 0 => self.at += 1,
                b',' | b':' => return None,
                _ => {
                    let rest = &self.text.as_bytes()[self.at..];
                    let is_end = |byte: &u8| b",:]}\" \t\r\n".contains(byte);
                    self.at += rest.iter().position(is_end).unwrap_or(rest.len());
                }
            }
            if depth == 0 {
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(row: &str, field: &str, stretches: &[Range<usize>]) -> Option<String> {
        let fields = TableFields { text: Some(field.to_owned()), ..TableFields::default() };
        let left = JsonTextCut::new(&fields).unwrap().row(row.as_bytes(), stretches)?;
        Some(String::from_utf8(left).unwrap())
    }

    #[test]
    #[expect(clippy::single_range_in_vec_init, reason = "lists of ranges, some of one")]
    fn a_blank_line_is_where_something_was_cut_between_two_pieces() {
        let rows = JsonTextCut::new(&TableFields::default()).unwrap().joined_by("\n\n");
        for (stretches, wanted) in [
            (vec![2..4], r#"{"text":"ab\n\nef"}"#),
            (vec![0..2, 4..6], r#"{"text":"cd"}"#),
            (vec![0..1, 2..3, 4..6], r#"{"text":"b\n\nd"}"#),
            (vec![], r#"{"text":"abcdef"}"#),
        ] {
            let left = rows.row(br#"{"text":"abcdef"}"#, &stretches).unwrap();
            assert_eq!(String::from_utf8(left).unwrap(), wanted);
        }
    }

    #[test]
    #[expect(clippy::single_range_in_vec_init, reason = "lists of ranges, some of one")]
    fn stretches_go_and_all_else_stays() {
        for (row, field, stretches, wanted) in [
            (r#"{"text":"abcdef"}"#, "text", vec![1..3], r#"{"text":"adef"}"#),
            (r#"{"text":"abcdef"}"#, "text", vec![0..2, 4..6], r#"{"text":"cd"}"#),
            (r#"{"text":"abc"}"#, "text", vec![0..3], r#"{"text":""}"#),
            (r#"{"text":"abc"}"#, "text", vec![0..1, 1..2], r#"{"text":"c"}"#),
            // Escapes stay as they were written, of one byte, of several and in pairs.
            (
                r#" { "n": [1, {"text": "x"}], "text" : "\u00e9\n\ud83d\ude00z\"é" , "a":-1.5e3 } "#,
                "text",
                vec![2..7],
                r#" { "n": [1, {"text": "x"}], "text" : "\u00e9z\"é" , "a":-1.5e3 } "#,
            ),
            // The last of two counts, as when it is read.
            (
                r#"{"text":"one","te\u0078t":"two"}"#,
                "text",
                vec![0..1],
                r#"{"text":"one","te\u0078t":"wo"}"#,
            ),
            (r#"{"a":[0,{"b":"xyz"},"b"]}"#, "/a/1/b", vec![1..2], r#"{"a":[0,{"b":"xz"},"b"]}"#),
            ("\u{FEFF}{\"text\":\"abc\"}\r\n", "text", vec![1..2], "\u{FEFF}{\"text\":\"ac\"}\r\n"),
            (r#"{"text":"abc"}"#, "text", vec![], r#"{"text":"abc"}"#),
        ] {
            assert_eq!(cut(row, field, &stretches).as_deref(), Some(wanted), "{row}");
        }
        for (row, stretches) in [
            (r#"{"text":"abc"}"#, vec![2..4]),
            (r#"{"text":"é"}"#, vec![1..2]),
            (r#"{"text":"\ud800x"}"#, vec![1..2]),
            (r#"{"text":7}"#, vec![0..1]),
            (r#"{"other":"abc"}"#, vec![0..1]),
            (r#"{"text":"abc"#, vec![0..1]),
            (r#"{"text":"ab\"#, vec![0..1]),
            (r#"{"x"}"#, vec![0..1]),
            (r#"{,,"text":"a"}"#, vec![0..1]),
            ("", vec![0..1]),
            ("[[[[", vec![0..1]),
        ] {
            assert_eq!(cut(row, "text", &stretches), None, "{row}");
        }
    }
}
