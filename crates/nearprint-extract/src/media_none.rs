//! Media in a build without the feature that reads them: recognised, and refused.

use crate::error::{ExtractError, not_compiled};
use crate::job::Job;

/// Refuses a text in markup.
#[cfg(not(feature = "markup"))]
pub(crate) fn markup(_: &str, _: &mut Job<'_>) -> Result<String, ExtractError> {
    Err(not_compiled("markup: HTML, XML, TeX, roff, Markdown and others", "markup"))
}

/// Refuses RTF.
#[cfg(not(feature = "charsets"))]
pub(crate) fn rtf(_: &[u8], _: &mut Job<'_>) -> Result<String, ExtractError> {
    Err(not_compiled("RTF", "charsets"))
}

/// Refuses mail.
#[cfg(not(feature = "charsets"))]
pub(crate) fn mail(_: &[u8], _: &mut Job<'_>) -> Result<String, ExtractError> {
    Err(not_compiled("mail", "charsets"))
}
