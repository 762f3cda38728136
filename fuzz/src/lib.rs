//! The fuzz targets as functions: what a target does with its bytes, and what must hold for any bytes.
//!
//! `fuzz_targets/` has an executable for each, for libFuzzer; the replay in `make test` calls the same functions.

pub mod targets;
