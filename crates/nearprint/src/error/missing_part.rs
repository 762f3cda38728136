//! What a collection does not keep.

use std::fmt;

/// A part of documents that a question needs and a collection does not keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MissingPart {
    /// The features that a verification compares.
    Features {
        /// The name of those that are kept, if there are any.
        kept: Option<String>,
        /// The name of those that are compared.
        wanted: String,
    },
    /// Another part, by its name.
    Other(&'static str),
}

impl fmt::Display for MissingPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Features { kept: None, .. } => f.write_str(
                "the features of the documents are not kept, so their texts cannot be compared",
            ),
            Self::Features { kept: Some(kept), wanted } => {
                write!(
                    f,
                    "the features {kept} of the documents are kept, and {wanted} are compared"
                )
            }
            Self::Other(name) => write!(f, "the {name} of the documents are not kept"),
        }
    }
}

impl std::error::Error for MissingPart {}
