//! What is looked for, and within which memory.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::error::PassageError;

/// What is looked for, and within which memory. The memory and the directory make no difference to what is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassageSettings {
    /// Tokens of a shared passage, at least: 1 to 10,000. [default: 50]
    pub least_tokens: u32,
    /// Whether numbers count as tokens. If not, passages that differ in numbers alone are the same. [default: no]
    pub numbers: bool,
    /// Places at which a run of `least_tokens` tokens may be, at most, for its pairs to be reported one by one: 1 to
    /// 100,000. What is at more places is reported once, with all of them. [default: 1000]
    pub most_places: u32,
    /// Tokens between two runs of at least `least_tokens` in both documents, at most, for both to be one passage: 0 to
    /// 10,000. [default: 0, each run is a passage]
    pub most_gap: u32,
    /// Whether passages of two documents are reported; if not, only frequent ones. [default: yes]
    pub pairs: bool,
    /// Bytes of memory for texts and for sorting, about; what exceeds them is in temporary files. A search takes
    /// 1 MiB at least. [default: 1 GiB]
    pub memory: usize,
    /// The directory of temporary files, which have no names. [default: the system's]
    pub directory: PathBuf,
}

impl Default for PassageSettings {
    fn default() -> Self {
        Self {
            least_tokens: 50,
            numbers: false,
            most_places: 1000,
            most_gap: 0,
            pairs: true,
            memory: 1 << 30,
            directory: std::env::temp_dir(),
        }
    }
}

const LEAST_TOKENS: RangeInclusive<u32> = 1..=10_000;
const MOST_GAP: RangeInclusive<u32> = 0..=10_000;
const MOST_PLACES: RangeInclusive<u32> = 1..=100_000;

impl PassageSettings {
    pub(crate) fn check(&self) -> Result<(), PassageError> {
        if !LEAST_TOKENS.contains(&self.least_tokens) {
            return Err(PassageError::Setting("least_tokens", "must be 1 to 10000"));
        }
        if !MOST_PLACES.contains(&self.most_places) {
            return Err(PassageError::Setting("most_places", "must be 1 to 100000"));
        }
        if !MOST_GAP.contains(&self.most_gap) {
            return Err(PassageError::Setting("most_gap", "must be 0 to 10000"));
        }
        Ok(())
    }
}
