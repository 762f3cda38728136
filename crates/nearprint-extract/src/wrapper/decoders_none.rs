//! Compression in a build without the feature `archives`: recognised, and refused.

use super::Wrapper;
use crate::error::{ExtractError, not_compiled};
use crate::limits::Limits;

/// Refuses a compressed document.
pub(super) fn unwrap(
    wrapper: Wrapper,
    _: &[u8],
    _: usize,
    _: &Limits,
) -> Result<Vec<u8>, ExtractError> {
    Err(not_compiled(&format!("documents compressed by {}", wrapper.name()), "archives"))
}
