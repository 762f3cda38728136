//! No blocks at all: every fingerprint with every other.

use super::{Node, Plan};
use crate::error::PlanError;

impl Plan {
    /// Compares every fingerprint with every other, 8 at a time where the processor can. The best for a
    /// few hundred fingerprints, and the last resort where the distance is too large for blocks.
    ///
    /// # Errors
    ///
    /// When the width is not 32, 64 or 128.
    pub fn brute_force(width: u32, k: u32) -> Result<Self, PlanError> {
        Self::checked(width, k, Node::Compare)
    }
}
