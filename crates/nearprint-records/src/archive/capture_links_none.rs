//! Links between captures in a build without the feature `archives`, which reads no packages: there is no value of
//! them.

use super::Head;

/// See the build with the feature.
pub(crate) enum CaptureLinks {}

impl CaptureLinks {
    pub(super) fn note(&mut self, _: &Head) {
        match *self {}
    }
}
