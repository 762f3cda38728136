//! What an extractor is given besides the document, and where it leaves what it saw.

use std::rc::Rc;

use crate::detail::one_line;
use crate::extraction::{Hints, MainContent, Warning, WarningCode};
use crate::limits::Limits;
use crate::work::Work;

/// One extraction under way.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub(crate) hints: &'a Hints,
    pub(crate) limits: &'a Limits,
    /// What reading has cost so far.
    pub(crate) work: Rc<Work>,
    /// The media type found, where an extractor reads several and tells them apart.
    pub(crate) media_type: Option<&'static str>,
    /// Pages read, for paged media.
    pub(crate) pages: Option<u32>,
    /// How the main content of a page was told, where it was asked for.
    pub(crate) main_content: Option<MainContent>,
    /// SHA-256 of all text of a page with almost no words of its own.
    pub(crate) page_sha256: Option<[u8; 32]>,
    /// Whether a page of HTML says which of its elements are lines of print.
    pub(crate) has_lines: bool,
    /// Letters outside the markup of a document that is not a text itself, where its extractor has them counted.
    pub(crate) letters: u64,
    pub(crate) warnings: Vec<Warning>,
    /// Whether the end of the document is missing.
    pub(crate) is_incomplete: bool,
}

impl<'a> Job<'a> {
    pub(crate) fn new(hints: &'a Hints, limits: &'a Limits) -> Self {
        Self {
            hints,
            limits,
            work: Rc::new(Work::new(limits)),
            media_type: None,
            pages: None,
            main_content: None,
            page_sha256: None,
            has_lines: false,
            letters: 0,
            warnings: Vec::new(),
            is_incomplete: false,
        }
    }

    /// Records an observation, once for each kind: the first detail is kept.
    pub(crate) fn warn(&mut self, code: WarningCode, detail: impl Into<String>) {
        if self.warnings.iter().all(|w| w.code != code) {
            self.warnings.push(Warning { code, detail: one_line(detail.into()) });
        }
    }

    /// Records that the end of the document is missing.
    pub(crate) fn warn_of_missing_end(&mut self, detail: &str) {
        self.is_incomplete = true;
        self.warn(WarningCode::Recovered, detail);
    }

    /// Records that a part of the document is in another file. A text is made of its document's bytes alone: the same
    /// bytes beside other files, or out of an archive, give the same text.
    pub(crate) fn warn_of_include(&mut self, file: &str) {
        let file: String = file.chars().take(200).collect();
        self.warn(
            WarningCode::IncludesMissing,
            format!("parts in other files, such as {file:?}, were not read"),
        );
    }
}
