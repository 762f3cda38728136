//! Globs in a build without the feature `directories`: refused.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use crate::BadGlob;

const REFUSAL: &str = "this build has no globs, which are of its feature \"directories\"";

/// Globs, of which there are none.
#[derive(Debug, Clone)]
pub(crate) struct Globs(Infallible);

impl Globs {
    pub(crate) fn new<G: AsRef<str>>(globs: &[G]) -> Result<Option<Self>, BadGlob> {
        globs.first().map_or(Ok(None), |glob| Err(BadGlob::new(glob.as_ref(), REFUSAL)))
    }

    pub(crate) fn matches(&self, _: &Path) -> bool {
        match self.0 {}
    }
}

/// Refuses a pattern.
pub(crate) fn matches_of(pattern: &Path) -> Result<Vec<PathBuf>, BadGlob> {
    Err(BadGlob::new(&pattern.to_string_lossy(), REFUSAL))
}
