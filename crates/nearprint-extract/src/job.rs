//! What an extractor is given besides the document, and where it leaves what it saw.

use crate::extraction::{Hints, MainContent, Warning, WarningCode};
use crate::limits::Limits;

/// One extraction under way.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub(crate) hints: &'a Hints,
    pub(crate) limits: &'a Limits,
    /// Pages read, for paged media.
    pub(crate) pages: Option<u32>,
    /// How the main content of a page was told, where it was asked for.
    pub(crate) main_content: Option<MainContent>,
    pub(crate) warnings: Vec<Warning>,
}

impl<'a> Job<'a> {
    pub(crate) fn new(hints: &'a Hints, limits: &'a Limits) -> Self {
        Self { hints, limits, pages: None, main_content: None, warnings: Vec::new() }
    }

    /// Records an observation, once for each kind: the first detail is kept.
    pub(crate) fn warn(&mut self, code: WarningCode, detail: impl Into<String>) {
        if self.warnings.iter().all(|w| w.code != code) {
            self.warnings.push(Warning { code, detail: detail.into() });
        }
    }
}
