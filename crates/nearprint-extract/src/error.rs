//! Why a document gave no text: a closed list of reasons and one error that carries one of them.
//!
//! The codes are part of the wire format (a worker sends them, records keep them), so they are only ever
//! added to. What is merely worth knowing about a text that *was* obtained is a warning instead
//! ([`crate::WarningCode`]).

use std::fmt;

use crate::detail::one_line;

/// The kinds of failure. Written in kebab-case, e.g. `unsupported-media`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Reason {
    /// The document has no bytes, or nothing is left once its compression is undone.
    Empty,
    /// The content is of a kind no extractor reads (images, programs, unknown binaries).
    UnsupportedMedia,
    /// A document of text in the format that Microsoft's office programs had until 2007, which nothing here reads.
    LegacyOffice,
    /// The document was read in full and holds no text (a scan, an empty page).
    NoText,
    /// The document is encrypted and the password is missing or wrong.
    Encrypted,
    /// The content is damaged beyond what its extractor can read.
    Damaged,
    /// The document is longer than [`crate::Limits::max_input_bytes`].
    TooLarge,
    /// Elements, archives or compression layers are nested deeper than the limits allow.
    TooDeep,
    /// What is compressed or abbreviated expands beyond the limits.
    ExpansionLimit,
    /// The text is longer than [`crate::Limits::max_text_bytes`].
    TextLimit,
    /// The document has more pages than [`crate::Limits::max_pages`].
    PageLimit,
    /// The document, or one page or drawing of it, takes more work than the limits allow.
    WorkLimit,
    /// An element has more attributes than [`crate::Limits::max_attributes`].
    AttributeLimit,
    /// An archive has more entries than [`crate::Limits::max_parts`].
    PartLimit,
    /// The process that read the document died or ran out of time or memory.
    WorkerFailed,
}

impl Reason {
    /// Every reason, in the order of their declaration.
    pub const ALL: [Self; 15] = [
        Self::Empty,
        Self::UnsupportedMedia,
        Self::LegacyOffice,
        Self::NoText,
        Self::Encrypted,
        Self::Damaged,
        Self::TooLarge,
        Self::TooDeep,
        Self::ExpansionLimit,
        Self::TextLimit,
        Self::PageLimit,
        Self::WorkLimit,
        Self::AttributeLimit,
        Self::PartLimit,
        Self::WorkerFailed,
    ];

    /// The code as written in records.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::UnsupportedMedia => "unsupported-media",
            Self::LegacyOffice => "legacy-office",
            Self::NoText => "no-text",
            Self::Encrypted => "encrypted",
            Self::Damaged => "damaged",
            Self::TooLarge => "too-large",
            Self::TooDeep => "too-deep",
            Self::ExpansionLimit => "expansion-limit",
            Self::TextLimit => "text-limit",
            Self::PageLimit => "page-limit",
            Self::WorkLimit => "work-limit",
            Self::AttributeLimit => "attribute-limit",
            Self::PartLimit => "part-limit",
            Self::WorkerFailed => "worker-failed",
        }
    }

    /// Whether the same bytes, hints and limits may succeed another time.
    ///
    /// Everything decided by the bytes is final; only failures of the machine are worth a retry.
    #[must_use]
    pub fn is_retryable(self) -> bool {
        matches!(self, Self::WorkerFailed)
    }
}

/// The error of what this build does not read, which names the feature that it lacks.
pub(crate) fn not_compiled(what: &str, feature: &str) -> ExtractError {
    let detail =
        format!("this build does not read {what}: compile it with the feature \"{feature}\"");
    ExtractError::new(Reason::UnsupportedMedia, detail)
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A document that gave no text, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExtractError {
    reason: Reason,
    detail: String,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    unwrapped_sha256: Option<[u8; 32]>,
}

impl ExtractError {
    /// An error with its reason and a sentence naming the thing, the limit and the remedy: one line of at most 1 KiB,
    /// in which control characters are escaped.
    #[must_use]
    pub fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self { reason, detail: one_line(detail.into()), unwrapped_sha256: None }
    }

    /// The error of a document whose outer compression was undone, with the digest of what was left.
    pub(crate) fn of_unwrapped(self, unwrapped_sha256: Option<[u8; 32]>) -> Self {
        Self { unwrapped_sha256, ..self }
    }

    /// SHA-256 of the bytes that were left when outer compression was undone; none if there was none to undo, or that
    /// failed.
    #[must_use]
    pub fn unwrapped_sha256(&self) -> Option<[u8; 32]> {
        self.unwrapped_sha256
    }

    /// The kind of failure.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// What happened, for a person to read.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Whether the same call may succeed another time; see [`Reason::is_retryable`].
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.reason.is_retryable()
    }
}

impl fmt::Display for ExtractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason, self.detail)
    }
}

impl std::error::Error for ExtractError {}
