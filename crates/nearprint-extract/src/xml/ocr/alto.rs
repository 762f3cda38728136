//! ALTO: words are attributes of `String`, within lines of blocks. Margins hold running heads and page numbers.

use super::super::attributes::attribute;
use super::Reader;
use crate::character_reference::resolved;
use crate::flow;

/// What stands between the text so far and the next word.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    /// The last word goes on.
    Joined,
    /// Another word, without a blank where its script has none.
    #[default]
    Word,
    Space,
    /// The next line of a block, which goes on in the same word where its script has no blanks.
    Line,
    Block,
}

#[derive(Debug, Default)]
pub(super) struct Alto {
    out: String,
    gap: Gap,
    /// Whether the last word is broken and was written as a whole: its second part is not text.
    is_whole: bool,
    /// Margins that are open.
    margins: u32,
}

impl Reader for Alto {
    fn start(&mut self, name: &str, attributes: &str) {
        match name {
            "TopMargin" | "BottomMargin" | "LeftMargin" | "RightMargin" => self.margins += 1,
            "String" if self.margins == 0 => self.word(attributes),
            "SP" => self.widen(Gap::Space),
            // The hyphen is not a part of the word that goes on in the next line.
            "HYP" if self.margins == 0 && !self.is_whole => self.gap = Gap::Joined,
            _ => {}
        }
    }

    fn text(&mut self, _: &str) {}

    fn end(&mut self, name: &str) {
        match name {
            "TopMargin" | "BottomMargin" | "LeftMargin" | "RightMargin" => {
                self.margins = self.margins.saturating_sub(1);
            }
            "TextLine" => self.widen(Gap::Line),
            "TextBlock" => self.widen(Gap::Block),
            _ => {}
        }
    }

    fn finish(self: Box<Self>) -> String {
        self.out
    }

    fn len(&self) -> usize {
        self.out.len()
    }
}

impl Alto {
    /// What is between two words is what is widest, unless the first goes on.
    fn widen(&mut self, gap: Gap) {
        if self.gap != Gap::Joined {
            self.gap = self.gap.max(gap);
        }
    }

    fn word(&mut self, attributes: &str) {
        let given = |name| attribute(attributes, name).unwrap_or("");
        let (part, whole) = (given("SUBS_TYPE"), given("SUBS_CONTENT"));
        // Both parts of a broken word name the whole of it.
        if part == "HypPart2" && std::mem::take(&mut self.is_whole) {
            self.gap = Gap::Word;
            return;
        }
        self.is_whole = part == "HypPart1" && !whole.is_empty();
        let word = resolved(if self.is_whole { whole } else { given("CONTENT") });
        let word = word.trim();
        if word.is_empty() {
            return;
        }
        if !self.out.is_empty() {
            match self.gap {
                Gap::Joined => {}
                Gap::Word | Gap::Line if flow::joins_lines(&self.out, word) => {}
                Gap::Word | Gap::Space => self.out.push(' '),
                Gap::Line => self.out.push('\n'),
                Gap::Block => self.out.push_str("\n\n"),
            }
        }
        self.out.push_str(word);
        self.gap = Gap::Word;
    }
}
