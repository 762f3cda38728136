//! Why a document has no fingerprint: the code that records carry.
//!
//! Extraction has its own closed list of reasons, and this crate does not know it; what both share is that a reason
//! is a code of lower-case words and that some reasons are findings about the document, not failures.

use std::borrow::Cow;
use std::fmt;

/// A code such as `no-text`, as written in records. The whole list is in docs/FORMAT.md.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ReasonCode(pub(crate) Cow<'static, str>);

/// The codes that are this crate's and the pipeline's own, each written once.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal;)*) => {
        impl ReasonCode {
            $($(#[$doc])* pub const $name: Self = Self(Cow::Borrowed($code));)*

            /// Every code of the pipeline's own. Those of extraction come on top of them.
            pub const OWN: &[Self] = &[$(Self::$name),*];
        }
    };
}

codes! {
    /// The file or stream could not be opened or read.
    UNREADABLE = "unreadable";
    /// What was named is a device, a pipe or a socket.
    NOT_A_FILE = "not-a-file";
    /// The name cannot be an id.
    BAD_ID = "bad-id";
    /// A line of a file of fingerprints is not one.
    BAD_LINE = "bad-line";
    /// A binary file of fingerprints is damaged, or not one that this build reads.
    BAD_FILE = "bad-file";
    /// A link leads to a directory that holds it.
    LINK_LOOP = "link-loop";
    /// Damaged beyond what can be read.
    DAMAGED = "damaged";
    /// Something compressed holds more than allowed.
    EXPANSION_LIMIT = "expansion-limit";
    /// Reading takes more steps than allowed.
    WORK_LIMIT = "work-limit";
    /// The document is longer than allowed.
    TOO_LARGE = "too-large";
    /// Another path to a file that was read already: it is not read again.
    SAME_FILE = "same-file";
    /// The document has the bytes of an earlier one and was not extracted again: what became of that one holds for it.
    SAME_BYTES = "same-bytes";
    /// There is text, but no token in it (SPEC 7: no tokens, no fingerprint).
    NO_TOKENS = "no-tokens";
    /// A revisit refers to a capture that is not there.
    UNKNOWN_TARGET = "unknown-target";
    /// A package lacks what its format requires.
    INCOMPLETE = "incomplete";
    /// Revisits in a package refer to captures that are not in it.
    UNRESOLVED = "unresolved";
    /// There is no process to read the document in: it may succeed another time.
    WORKER_UNAVAILABLE = "worker-unavailable";
    /// A fault of nearprint itself, which ought to be reported.
    INTERNAL = "internal";
}

impl ReasonCode {
    /// A code from another crate's closed list.
    #[must_use]
    pub const fn from_static(code: &'static str) -> Self {
        Self(Cow::Borrowed(code))
    }

    /// The code.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether something went wrong, so that the run as a whole is not a full success.
    ///
    /// Some codes are findings instead: the document was read, and there is nothing to fingerprint in it (`empty`,
    /// `no-text`, `no-tokens`) or it is not a text document at all (`unsupported-media`); or an earlier document says
    /// all about it (`same-file`, `same-bytes`); or a package was read as far as it goes (`incomplete`, `unresolved`).
    #[must_use]
    pub fn is_failure(&self) -> bool {
        !matches!(
            self.as_str(),
            "empty"
                | "no-text"
                | "no-tokens"
                | "unsupported-media"
                | "same-file"
                | "same-bytes"
                | "incomplete"
                | "unresolved"
        )
    }
}

impl fmt::Display for ReasonCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scan_is_a_finding_and_a_broken_disk_a_failure() {
        assert!(!ReasonCode::NO_TOKENS.is_failure());
        assert!(!ReasonCode::from_static("no-text").is_failure());
        assert!(ReasonCode::UNREADABLE.is_failure());
        assert!(ReasonCode::from_static("something-new").is_failure());
    }
}
