//! What is made of documents: the choices every operation shares.

use nearprint_extract::{Hints, Limits};
use nearprint_fingerprint::Scheme;

/// What a [`Pipeline`](crate::Pipeline) does to its documents. All of it decides results; what they may cost is in
/// [`EngineSettings`](crate::EngineSettings). None of these limits is a clock. (What a worker may use is one, and
/// the last resort: a document that reaches it has an error that may be gone another time, never a shorter text.)
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// By which rules fingerprints are made. Default `sd1`.
    pub scheme: Scheme,
    /// What the caller knows of all documents; overrules what comes with a single one. Default nothing.
    pub hints: Hints,
    /// What one document may cost. Default [`Limits::default`].
    pub limits: Limits,
    /// Whether the least certain bits of simhashes are noted too. Default no.
    pub weak_bits: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            scheme: Scheme::SD1,
            hints: Hints::default(),
            limits: Limits::default(),
            weak_bits: false,
        }
    }
}
