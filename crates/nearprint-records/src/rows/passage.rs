//! A passage of one of two texts, or of both: part of `nearprint/comparison/1` and `nearprint/pair/1`.

use std::io::{self, Write};

/// Words of a passage that its line shows: of a longer one the first 30 and the last 10.
const SHOWN: usize = 40;
const SHOWN_OF_END: usize = 10;

/// Which of two texts have a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum FoundIn {
    /// Both.
    Both,
    /// Only the first.
    OnlyA,
    /// Only the second.
    OnlyB,
}

impl FoundIn {
    /// Its name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::OnlyA => "only-a",
            Self::OnlyB => "only-b",
        }
    }
}

/// A passage that two texts share, or that one of them has alone.
///
/// Text form: `WHERE TAB WORD-IN-A TAB WORD-IN-B TAB WORDS TAB TEXT`, WHERE being `both`, `only-a` or `only-b`, and a
/// number of the other text empty; of a text of more than 40 words the first 30 and the last 10.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PassageRow {
    /// Which of the texts have it.
    #[cfg_attr(feature = "json", serde(rename = "in"))]
    pub found_in: FoundIn,
    /// The number of its first word in the first text, from 1; `None` if that has not got it.
    pub a: Option<u64>,
    /// The same in the second text.
    pub b: Option<u64>,
    /// Its words.
    pub words: u64,
    /// Its text, of one in both as in the first; white space is one space.
    pub text: String,
}

impl PassageRow {
    /// A passage of both texts, by the numbers of its first word in them.
    #[must_use]
    pub fn both(a: usize, b: usize, words: usize, text: String) -> Self {
        Self {
            found_in: FoundIn::Both,
            a: Some(a as u64),
            b: Some(b as u64),
            words: words as u64,
            text,
        }
    }

    /// A passage of the first text only.
    #[must_use]
    pub fn only_a(a: usize, words: usize, text: String) -> Self {
        Self { found_in: FoundIn::OnlyA, a: Some(a as u64), b: None, words: words as u64, text }
    }

    /// A passage of the second text only.
    #[must_use]
    pub fn only_b(b: usize, words: usize, text: String) -> Self {
        Self { found_in: FoundIn::OnlyB, a: None, b: Some(b as u64), words: words as u64, text }
    }

    /// Writes its line, with something in front.
    ///
    /// # Errors
    /// Those of `out`.
    pub(crate) fn write_line(&self, before: &str, out: &mut dyn Write) -> io::Result<()> {
        let place = |place: Option<u64>| place.map(|place| place.to_string()).unwrap_or_default();
        let (a, b, words) = (place(self.a), place(self.b), self.words);
        let name = self.found_in.name();
        writeln!(out, "{before}{name}\t{a}\t{b}\t{words}\t{}", self.shown())
    }

    /// The text as far as a line shows it. Control characters would break lines, or a terminal.
    fn shown(&self) -> String {
        shown(self.text.split(' ').collect())
    }
}

/// Words as far as a line shows them.
pub(super) fn shown(words: Vec<&str>) -> String {
    let text = if words.len() > SHOWN {
        let (first, last) = (SHOWN - SHOWN_OF_END, words.len() - SHOWN_OF_END);
        format!("{} […] {}", words[..first].join(" "), words[last..].join(" "))
    } else {
        words.join(" ")
    };
    text.replace(char::is_control, "\u{fffd}")
}
