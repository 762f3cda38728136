//! Text to fingerprint: the schemes of the nearprint standard, stage by stage.
//!
//! The standard (`spec/SPEC.md`) promises that *the same text and the same scheme id give the same fingerprint, on
//! any machine, in any language*. This crate keeps that promise: no I/O, no threads, no clock, no randomness, and
//! no Unicode data but the pinned tables of the standard.
//!
//! - [`Scheme`]: which rules; [`Scheme::SD1`] is the standard's first.
//! - [`Fingerprint`]: a value with its scheme; it prints, parses and compares.
//!
//! How text is taken out of documents is not here (`nearprint-extract`), nor is the search for pairs
//! (`nearprint-search`).

mod fingerprint;
mod notation;
mod scheme;

pub use fingerprint::{Fingerprint, UnlikeSchemes};
pub use notation::{ParseExchangeError, ParseFingerprintError};
pub use scheme::{Family, Features, Scheme, TokenHash, UnknownScheme, Weight};
