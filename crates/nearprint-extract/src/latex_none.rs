//! LaTeX in a build without the feature `markup`: refused.

use crate::error::{ExtractError, not_compiled};
use crate::job::Job;

/// Refuses a part of another document.
pub(crate) fn fragment(_: &str, _: &Job<'_>) -> Result<String, ExtractError> {
    Err(not_compiled("LaTeX", "markup"))
}
