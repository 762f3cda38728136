//! Revisits in a build without the feature `files`: there are no web archives, and no value of these types.

use nearprint_records::{DocumentId, Place};

/// See the build with the feature.
#[derive(Debug)]
pub(crate) enum Revisits {}

/// See the build with the feature.
pub(crate) struct RevisitCounts {
    pub(crate) revisits: u64,
    pub(crate) bytes: u64,
}

impl Revisits {
    pub(crate) fn is_archive(&self, _: &Place) -> bool {
        match *self {}
    }

    pub(crate) fn target(&self, _: &Place) -> Option<&DocumentId> {
        match *self {}
    }

    pub(crate) fn id(&self, _: &DocumentId) -> Option<DocumentId> {
        match *self {}
    }

    pub(crate) fn counts(&self) -> RevisitCounts {
        match *self {}
    }
}
