//! Which extractor took a text.

use std::fmt;

/// An extractor with its version, which is another one whenever it may take another text out of the same document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExtractorVersion {
    /// The extractor.
    pub name: Box<str>,
    /// Its version.
    pub version: u32,
}

impl fmt::Display for ExtractorVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The name may come from a file of anybody's.
        write!(f, "{}/{}", self.name.escape_debug(), self.version)
    }
}
