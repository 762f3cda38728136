//! Passages that are known, such as a site's boilerplate, and texts without them.

use std::borrow::Cow;
use std::io::{self, BufRead};

use nearprint_passages::{ItemIndex, ItemSettings, ItemWords};
use serde_json::Value;

/// Tokens of a run of a passage that is left out; a passage with fewer is left out as a whole.
const RUN: u32 = 50;

/// Passages that are left out of texts.
///
/// Tokens decide, without numbers, as by default for [`Boilerplate`](crate::Boilerplate): case, layout and punctuation
/// make no difference. A run of at least 50 tokens of a passage goes wherever it is, or all of a passage that has
/// fewer.
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
    index: ItemIndex,
}

impl KnownPassages {
    /// The passages that these texts are. O(n log n) time in their tokens.
    #[must_use]
    pub fn new<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Self {
        let mut index = ItemIndex::new(ItemSettings {
            least_tokens: RUN,
            shortest: 1,
            words: ItemWords::Tokens { numbers: false },
            ..ItemSettings::default()
        });
        for text in texts {
            index.push(text.as_ref(), None);
        }
        index.finish();
        Self { index }
    }

    /// The passages of lines of JSON objects, each with the passage as its `text`, as `nearprint passages boilerplate
    /// --json` writes them.
    ///
    /// # Errors
    /// Where a line cannot be read, or is not such an object; it names the line.
    pub fn read(lines: impl BufRead) -> io::Result<Self> {
        let mut texts = Vec::new();
        for (line, number) in lines.lines().zip(1_u64..) {
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            let row: Option<Value> = serde_json::from_str(&line).ok();
            match row.as_ref().and_then(|row| row.get("text")?.as_str()) {
                Some(text) => texts.push(text.to_owned()),
                None => {
                    let detail = format!("line {number} is not a JSON object with a \"text\"");
                    return Err(io::Error::new(io::ErrorKind::InvalidData, detail));
                }
            }
        }
        Ok(Self::new(texts))
    }

    /// The number of passages.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.index.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The text without the passages: from the first character of each up to the end of its last token. O(n) time, but
    /// for what the passages have in common.
    #[must_use]
    pub fn without<'t>(&self, text: &'t str) -> Cow<'t, str> {
        // They come in order.
        let found = self.index.matches(text);
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let (mut left, mut at) = (String::with_capacity(text.len()), 0);
        for place in found.iter().map(|found| found.place) {
            let (start, end) = (place.start_byte as usize, place.end_byte as usize);
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
    fn lines_that_are_no_passages_are_named() {
        let read = |text: &str| KnownPassages::read(text.as_bytes()).map(|known| known.len());
        assert_eq!(read("{\"text\":\"a b\"}\n\n{\"n\":1,\"text\":\"c\"}").unwrap(), 2);
        for text in ["{\"text\":\"a\"}\n{\"other\":1}", "{\"text\":\"a\"}\nplain", "\n[1]"] {
            assert!(read(text).unwrap_err().to_string().starts_with("line 2 "), "{text}");
        }
    }
}
