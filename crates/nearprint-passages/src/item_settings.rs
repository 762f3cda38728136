//! How items are looked for.

use crate::item_words::ItemWords;

/// How items are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemSettings {
    /// Tokens of a run of an item that shows that a text has it. An item with fewer is looked for as a whole.
    pub least_tokens: u32,
    /// Tokens of an item, at least, to be looked for at all.
    pub shortest: u32,
    /// Tokens of an item and its answer, at least, to be looked for.
    pub shortest_with_answer: u32,
    /// Different ones of these, at least.
    pub least_different: u32,
    /// Items that have a run in common, at most, for it to say that a text has one of them; what more have is their
    /// form, such as the instructions before every question.
    pub most_items: usize,
    /// What items and texts are divided into.
    pub words: ItemWords,
    /// Tokens after the question within which its answer must begin.
    pub answer_within: u32,
}

impl Default for ItemSettings {
    /// Runs of 13 tokens with numbers, or items of 5 to 12 as a whole; answers within 50 tokens.
    fn default() -> Self {
        Self {
            least_tokens: 13,
            shortest: 5,
            shortest_with_answer: 0,
            least_different: 0,
            // Of 25,819 items of MMLU, GSM8K and AGIEval, 1,000 have one form.
            most_items: 100,
            words: ItemWords::Tokens { numbers: true },
            answer_within: 50,
        }
    }
}
