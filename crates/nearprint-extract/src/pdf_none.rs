//! PDF in a build without the feature `pdf`: recognised, and refused.

use crate::error::{ExtractError, not_compiled};
use crate::job::Job;

/// Refuses PDF.
pub(crate) fn pdf(_: &[u8], _: &mut Job<'_>) -> Result<String, ExtractError> {
    Err(not_compiled("PDF", "pdf"))
}
