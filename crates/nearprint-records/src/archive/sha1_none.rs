//! SHA-1 in a build without the feature `archives`, which does not read the stored records that need it.

/// What a copy of a web archive lacks in this build.
pub(super) const MISSING: Option<&str> =
    Some("this build does not copy web archives: compile it with the feature \"archives\"");

/// Nothing, as no record is read.
#[derive(Clone, Default)]
pub(super) struct Sha1(());

impl Sha1 {
    /// Takes nothing.
    pub(super) fn update(&mut self, _: &[u8]) {}

    /// No digest.
    pub(super) fn finish(self) -> String {
        String::new()
    }
}
