//! What is computed from the text of one document, and from two of them: digests, features, measures, passages.
//!
//! Nothing here reads documents or keeps many of them.

pub(crate) mod comparison;
pub(crate) mod dates;
pub(crate) mod differences;
pub(crate) mod duplicate_rule;
pub(crate) mod elements;
pub(crate) mod layout_digest;
pub(crate) mod named_scheme;
pub(crate) mod one_pass;
pub(crate) mod packed_features;
pub(crate) mod passages;
#[cfg(feature = "files")]
pub(crate) mod plain_text;
pub(crate) mod refused_pairs;
pub(crate) mod similar_texts;
pub(crate) mod text_digests;
pub(crate) mod text_features;
pub(crate) mod text_measure;
pub(crate) mod text_verification;
pub(crate) mod verification;
pub(crate) mod word_counts;
