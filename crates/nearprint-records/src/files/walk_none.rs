//! Directories in a build without the feature `directories`: refused.

use std::path::PathBuf;

use super::{FileSettings, error};
use crate::{Document, ErrorRecord, ReasonCode};

/// A named directory, until it is refused.
pub(super) struct Walk(Option<PathBuf>);

impl Walk {
    pub(super) fn new(root: PathBuf, _: &FileSettings) -> Self {
        Self(Some(root))
    }

    pub(super) fn next(&mut self) -> Option<Result<Document, ErrorRecord>> {
        let detail = "is a directory, which this build does not read: compile it with the feature \"directories\"";
        self.0.take().map(|root| Err(error(&root, ReasonCode::NOT_A_FILE, detail.to_owned())))
    }
}
