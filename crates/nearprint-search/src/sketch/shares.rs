//! How a join of sketches shares out its memory.

use super::SKETCH_POSITIONS;
use super::distinct::DIGESTING;
use crate::error::SearchError;

/// Bands of which values are taken in one pass over sketches that are not in memory.
pub(super) const MOST_TOGETHER: usize = 8;

/// Bytes for each document that stay: a bit, and for one that equals another its name and the other's.
const STAYING: u64 = 9;

/// Bytes for each document while a band's values are sorted: names, sorted values and places, buckets; each band's
/// values come on top.
const SORTING: u64 = 4 + 12 + 8;

/// Bytes of a value.
const VALUE: u64 = 8;

/// Bytes for each sketch of a load: itself, its name, its place in the order of reading.
const LOADED: u64 = (2 * SKETCH_POSITIONS + 4 + 8) as u64;

/// The least memory beside what stays.
const LEAST: u64 = 4 << 20;

/// How a join uses its memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shares {
    /// Passes that find the equal sketches.
    pub(super) digests: u64,
    /// Bands of which values are taken in a pass: one where there are several parts.
    pub(super) together: usize,
    /// Parts in which a band's values are sorted.
    pub(super) parts: u64,
    /// Sketches of a load.
    pub(super) load: usize,
}

impl Shares {
    pub(super) fn of(
        documents: u64,
        memory: Option<u64>,
        in_memory: bool,
    ) -> Result<Self, SearchError> {
        let Some(allowed) = memory else {
            let together = if in_memory { 1 } else { MOST_TOGETHER };
            return Ok(Self { digests: 1, together, parts: 1, load: 1 << 20 });
        };
        let needed = documents * STAYING + LEAST;
        if allowed < needed {
            return Err(SearchError::MemoryTooSmall { needed, allowed });
        }
        let free = allowed - documents * STAYING;
        let (for_values, load) = if in_memory { (free, 0) } else { (free / 2, free / 2 / LOADED) };
        let each = (for_values / documents.max(1)).saturating_sub(SORTING) / VALUE;
        let most = if in_memory { 1 } else { MOST_TOGETHER as u64 };
        Ok(Self {
            digests: (documents * DIGESTING).div_ceil(free).max(1),
            together: each.clamp(1, most) as usize,
            parts: (documents * (SORTING + VALUE)).div_ceil(for_values).max(1),
            load: load as usize,
        })
    }
}
