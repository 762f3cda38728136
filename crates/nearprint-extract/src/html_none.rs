//! HTML in a build without the features that read it: no document is one.

use crate::error::{ExtractError, not_compiled};
use crate::job::Job;

/// What an HTML page says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageHead {
    /// Its title; `None`.
    pub title: Option<String>,
    /// The language that its root element states; `None`.
    pub language: Option<String>,
}

/// What an HTML page says about itself: nothing.
#[must_use]
pub fn page_head(_: &[u8], _: Option<&str>) -> PageHead {
    PageHead::default()
}

/// Whether HTML has an element of this name.
pub(crate) fn is_element(_: &str) -> bool {
    false
}

/// Whether an element separates words.
pub(crate) fn is_block_element(_: &str) -> bool {
    false
}

/// Refuses a page in a message.
pub(crate) fn part(_: &str, _: &mut Job<'_>) -> Result<String, ExtractError> {
    Err(not_compiled("HTML", "markup"))
}
