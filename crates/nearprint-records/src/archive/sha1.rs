//! SHA-1 as indexers of web archives compute and write it.

use data_encoding::BASE32;
use sha1::Digest;

/// What a copy of a web archive lacks in this build, where it lacks anything.
pub(super) const MISSING: Option<&str> = None;

/// The digest of bytes that come in parts.
#[derive(Clone, Default)]
pub(super) struct Sha1(sha1::Sha1);

impl Sha1 {
    /// Takes the next bytes.
    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// `sha1:` and base 32.
    pub(super) fn finish(self) -> String {
        format!("sha1:{}", BASE32.encode(&self.0.finalize()))
    }
}
