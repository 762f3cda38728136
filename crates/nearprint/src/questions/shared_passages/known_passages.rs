//! Passages that are known, such as a site's boilerplate, and texts without them.

use std::borrow::Cow;
use std::io::{self, BufRead};
use std::ops::Range;

use nearprint_passages::{ItemIndex, ItemSettings, ItemWords};
use serde_json::Value;

/// Tokens of a run of a passage that is left out; a passage with fewer is left out as a whole.
const RUN: u32 = 50;

/// Passages that are left out of texts.
///
/// Tokens decide: case, layout and punctuation make no difference. Numbers are tokens only of passages that were listed
/// so ([`Boilerplate`](crate::Boilerplate)). A run of at least 50 tokens of a passage goes wherever it is, or all of a
/// passage that has fewer.
///
/// ```
/// use nearprint::KnownPassages;
///
/// let known = KnownPassages::new(["All rights reserved. No part of this page may be copied."]);
/// let text = "Fog came in.\nALL RIGHTS RESERVED: no part\nof this page may be copied.\nIt left.";
/// assert_eq!(known.without(text), "Fog came in.\n.\nIt left.");
/// assert_eq!(known.without("No part of this page."), "No part of this page.");
/// ```
#[derive(Debug)]
pub struct KnownPassages {
    /// Those without numbers, and those with them.
    indexes: [ItemIndex; 2],
}

impl KnownPassages {
    /// The passages that these texts are, without numbers. O(n log n) time in their tokens.
    #[must_use]
    pub fn new<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Self {
        Self::with_numbers(texts, false)
    }

    /// The passages that these texts are; if `numbers` is true, numbers are tokens of them. O(n log n) time in their
    /// tokens.
    #[must_use]
    pub fn with_numbers<T: AsRef<str>>(texts: impl IntoIterator<Item = T>, numbers: bool) -> Self {
        let mut known = Self::empty();
        texts.into_iter().for_each(|text| known.push(text.as_ref(), numbers));
        known.finished()
    }

    fn empty() -> Self {
        let index = |numbers| {
            ItemIndex::new(ItemSettings {
                least_tokens: RUN,
                shortest: 1,
                words: ItemWords::Tokens { numbers },
                ..ItemSettings::default()
            })
        };
        Self { indexes: [false, true].map(index) }
    }

    fn push(&mut self, text: &str, numbers: bool) {
        self.indexes[usize::from(numbers)].push(text, None);
    }

    fn finished(mut self) -> Self {
        self.indexes.iter_mut().for_each(ItemIndex::finish);
        self
    }

    /// The passages of lines of JSON objects, each with the passage as its `text`, and `numbers`: true if numbers are
    /// tokens of it, as `nearprint passages boilerplate --json` writes them.
    ///
    /// # Errors
    /// Where a line cannot be read, or is not such an object; it names the line.
    pub fn read(lines: impl BufRead) -> io::Result<Self> {
        let mut known = Self::empty();
        for (line, number) in lines.lines().zip(1_u64..) {
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            let row: Option<Value> = serde_json::from_str(&line).ok();
            let field = |name| row.as_ref().and_then(|row: &Value| row.get(name));
            match field("text").and_then(Value::as_str) {
                Some(text) => known.push(text, field("numbers") == Some(&Value::Bool(true))),
                None => {
                    let detail = format!("line {number} is not a JSON object with a \"text\"");
                    return Err(io::Error::new(io::ErrorKind::InvalidData, detail));
                }
            }
        }
        Ok(known.finished())
    }

    /// The number of passages.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.indexes.iter().map(ItemIndex::len).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.indexes.iter().all(ItemIndex::is_empty)
    }

    /// The text without the passages: from the first character of each up to the end of its last token. O(n log n)
    /// time.
    #[must_use]
    pub fn without<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let known = self.indexes.iter().filter(|index| !index.is_empty());
        let mut found: Vec<Range<usize>> = known.flat_map(|index| index.stretches(text)).collect();
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        found.sort_unstable_by_key(|stretch| stretch.start);
        let (mut left, mut at) = (String::with_capacity(text.len()), 0);
        for Range { start, end } in found {
            if start > at {
                left.push_str(&text[at..start]);
            }
            at = at.max(end);
        }
        left.push_str(&text[at..]);
        Cow::Owned(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_go_wherever_they_are() {
        let long: Vec<String> = (0..120).map(|n| format!("w{}", "a".repeat(n))).collect();
        let known = KnownPassages::new([long.join(" "), "One short notice only".to_owned()]);
        let run = |range: std::ops::Range<usize>| long[range].join("\n");
        for (text, wanted) in [
            (format!("a {} b", run(0..120)), "a  b".to_owned()),
            (format!("a {} b", run(30..80)), "a  b".to_owned()),
            (format!("a {} b", run(30..79)), format!("a {} b", run(30..79))),
            (format!("{} {}", run(0..70), run(20..90)), " ".to_owned()),
            ("so: one SHORT notice, only!".to_owned(), "so: !".to_owned()),
            ("one short notice".to_owned(), "one short notice".to_owned()),
            (String::new(), String::new()),
        ] {
            assert_eq!(known.without(&text), wanted);
        }
        assert_eq!(KnownPassages::new([""]).without("a b"), "a b");
    }

    #[test]
    fn what_many_passages_have_goes_as_well() {
        let notice: Vec<String> = (0..60).map(|n| format!("w{}", "a".repeat(n))).collect();
        let forms = (0..200).map(|n| format!("{} form{}", notice.join(" "), "b".repeat(n)));
        let known = KnownPassages::new(forms);
        assert_eq!(known.without(&format!("a {} b", notice.join("\n"))), "a  b");
        let known = KnownPassages::new(std::iter::repeat_n("one short notice only", 101));
        assert_eq!(known.without("so: one SHORT notice, only!"), "so: !");
    }

    #[test]
    fn numbers_are_tokens_of_passages_that_were_listed_so() {
        let lines = "{\"text\":\"Open Mon 9 to 17\",\"numbers\":true}\n{\"text\":\"Call 1 2 3 now\"}\n\
                     {\"text\":\"7 8 9\",\"numbers\":true}";
        let known = KnownPassages::read(lines.as_bytes()).unwrap();
        assert_eq!(known.len(), 3);
        for (text, wanted) in [
            ("Site. Open Mon 9 to 17.", "Site. ."),
            ("Site. Open Mon 10 to 12.", "Site. Open Mon 10 to 12."),
            ("So call 4 now! 7, 8, 9.", "So ! ."),
        ] {
            assert_eq!(known.without(text), wanted);
        }
    }

    #[test]
    fn lines_that_are_no_passages_are_named() {
        let read = |text: &str| KnownPassages::read(text.as_bytes()).map(|known| known.len());
        assert_eq!(read("{\"text\":\"a b\"}\n\n{\"n\":1,\"text\":\"c\"}").unwrap(), 2);
        for text in ["{\"text\":\"a\"}\n{\"other\":1}", "{\"text\":\"a\"}\nplain", "\n[1]"] {
            assert!(read(text).unwrap_err().to_string().starts_with("line 2 "), "{text}");
        }
    }
}
