//! Bytes to text. Being written.
mod extraction;
pub use extraction::{Extraction, ExtractionRecord, Hints, Warning, WarningCode};
