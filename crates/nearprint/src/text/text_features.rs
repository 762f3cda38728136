//! What of a text is compared with others: its words, its elements (numbers, signs and the like), and digests by which
//! equal texts are known.

use nearprint_search::{Measure, WeightedFeature};

use crate::text::one_pass::features;
use crate::text::text_digests::TextDigests;

/// What [`Verification::features`](crate::Verification::features) takes of a text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextFeatures {
    /// Word 3-shingles, or for the cosine words with their weights, in ascending order without repetition.
    pub words: Vec<WeightedFeature>,
    /// The elements: each number, sign, address, picture, exponent and name, by its place among the words, itself with
    /// the two units before it, itself and its kind; or for the cosine alone with its weight; in ascending order
    /// without repetition.
    pub numbers: Vec<WeightedFeature>,
    /// By which equal texts are known.
    pub digests: TextDigests,
}

/// Features of words only, of no text.
impl From<Vec<WeightedFeature>> for TextFeatures {
    fn from(words: Vec<WeightedFeature>) -> Self {
        Self { words, ..Self::default() }
    }
}

impl TextFeatures {
    /// Of a text, for a measure.
    pub(crate) fn of(text: &str, measure: Measure) -> Self {
        features(text, measure).unpack()
    }

    /// Whether there is nothing to compare.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}
