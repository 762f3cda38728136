//! The declaration of a scheme: a row of the standard's table, or what a custom scheme gives.

use super::custom::CustomScheme;
use super::idf::IdfTable;
use super::rules::{Family, Features, TokenHash, Weight};
use super::stop_lists::StopWords;

/// All that is to be known of a scheme.
#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) id: &'static str,
    /// Of a custom scheme, its declaration as text.
    pub(crate) name: &'static str,
    pub(crate) features: Features,
    pub(crate) weight: Weight,
    pub(crate) token_hash: TokenHash,
    pub(crate) family: Family,
    pub(crate) positions: u32,
    pub(crate) bytes: usize,
    pub(crate) close: u32,
    pub(crate) loose: u32,
    pub(crate) default: u32,
    pub(crate) short_below: u64,
    pub(crate) custom: Option<CustomScheme>,
    /// What a custom scheme multiplies its weights by.
    pub(crate) idf: Option<&'static IdfTable>,
    /// The user's stop list that a custom scheme names.
    pub(crate) stop_words: Option<&'static StopWords>,
}
