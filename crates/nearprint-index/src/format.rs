//! The version of the format of an index: of its store and of its files of tables together.
//!
//! docs/INDEX.md states the format. The version is written into the header of each index, and errors name it.

/// The version of the format that this program reads and writes.
pub const FORMAT_VERSION: u32 = 2;
