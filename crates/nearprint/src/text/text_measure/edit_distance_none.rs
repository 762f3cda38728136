//! The edit distance in a build without the feature `edits`: its measure is refused by name, so none is computed.

use super::TextSimilarity;

/// Whether this build has it.
pub(super) const COMPILED: bool = false;

/// Nothing is bounded.
pub(super) const MOST_STEPS: u64 = 0;

/// Nothing is bounded.
pub(crate) const MOST_STEPS_OF_MANY: u64 = 0;

/// Nothing is known of two texts.
pub(super) fn similarity(_: &[char], _: &[char], at_least: f64, _: u64) -> TextSimilarity {
    TextSimilarity::Below(at_least)
}

/// No characters are looked at.
pub(super) fn characters(_: &str) -> Vec<char> {
    Vec::new()
}
