//! Computes fingerprints of texts by the schemes of the nearprint standard, stage by stage.
//!
//! The standard (`spec/SPEC.md`) promises that *the same text and the same scheme id give the same fingerprint, on any
//! machine, in any language*. This crate keeps that promise: it has no I/O, threads, clock or randomness, and uses only
//! the pinned Unicode tables of the standard.
//!
//! - [`Scheme`]: the rules. [`Scheme::SD1`] and [`Scheme::SL1`] give 8 bytes that are compared by Hamming distance,
//!   [`Scheme::MD1`] and [`Scheme::WD1`] sketches of 256 bytes that estimate similarity. Any [`CustomScheme`] can be
//!   declared in addition.
//! - [`Fingerprinter`]: text to [`FingerprintOutcome`], streaming, in bounded memory; [`fingerprint()`] for a text in
//!   memory.
//! - [`Fingerprint`]: a value with its scheme, which can be printed, parsed and compared.
//! - [`placed_tokens`]: tokens with their places in the text.
//! - [`stages`]: the standard's stages one by one, for explanations and for comparing implementations.
//!
//! ```
//! use nearprint_fingerprint::{Scheme, fingerprint};
//!
//! let one = fingerprint(Scheme::SD1, "The quick brown fox jumps over the lazy dog.");
//! let other = fingerprint(Scheme::SD1, "the quick brown fox (jumps) over the LAZY dog 42");
//! let (one, other) = (one.fingerprint().unwrap(), other.fingerprint().unwrap());
//! assert_eq!(one.distance(other), Ok(0));
//! assert_eq!(one.to_string(), "sd1:qmlse5xc6xczc");
//! ```
//!
//! Features only add: `serde` (schemes and fingerprints as strings), `vectors` (the standard's vectors, embedded, and
//! a function that runs them).
//!
//! The extraction of text from documents is in `nearprint-extract`, the search for pairs in `nearprint-search`.

mod base32;
mod base64;
mod classed_text;
mod counters;
mod custom_features;
mod custom_tokens;
mod cuts;
mod element_hash;
mod features;
mod fingerprint;
mod fingerprinter;
mod identifiers;
mod kernel;
mod log_counters;
mod lookup3;
mod normalise;
mod notation;
mod one_pass;
mod placed_tokens;
mod repair;
mod scheme;
mod seomoz;
mod similarity;
mod sketch;
pub mod stages;
mod term_frequencies;
mod token_hash;
mod tokeniser;
mod unicode;
mod units;
#[cfg(feature = "vectors")]
pub mod vectors;
mod whitespace;
mod words;

pub use custom_features::{feature_frequencies, feature_hashes};
pub use fingerprint::{Fingerprint, UnlikeSchemes};
pub use fingerprinter::{FingerprintOutcome, Fingerprinter, fingerprint, fingerprint_by, tokens};
pub use notation::{ParseExchangeError, ParseFingerprintError};
pub use one_pass::fingerprint_and_units;
pub use placed_tokens::{PlacedToken, placed_tokens};
pub use scheme::custom::{CustomError, CustomScheme};
pub use scheme::idf::{IdfDigest, IdfTable, IdfTableError};
pub use scheme::stop_lists::{StopDigest, StopWords, StopWordsError};
pub use scheme::{Family, Features, Scheme, TokenHash, UnknownScheme, Weight};
pub use units::{Number, Residue, Unit, UnitSink, units};
