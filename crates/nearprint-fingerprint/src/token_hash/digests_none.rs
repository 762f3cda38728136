//! Digests in a build without the feature `digests`: declarations that name one are refused, so none is asked for.

/// Whether this build has them.
pub(crate) const COMPILED: bool = false;

/// No scheme that is declared hashes by it.
pub(super) fn md5(_: &[u8]) -> u64 {
    0
}

pub(super) use md5 as sha1;
