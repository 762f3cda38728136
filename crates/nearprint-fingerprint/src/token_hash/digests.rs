//! The last 64 bits of digests, as hashes of custom schemes.

use md5::Md5;
use sha1::{Digest, Sha1};

/// Whether this build has them.
pub(crate) const COMPILED: bool = true;

/// The last 64 bits of MD5 (RFC 1321), the first byte the highest.
pub(super) fn md5(bytes: &[u8]) -> u64 {
    let digest: [u8; 16] = Md5::digest(bytes).into();
    u128::from_be_bytes(digest) as u64
}

/// The last 64 bits of SHA-1 (RFC 3174), the first byte the highest.
pub(super) fn sha1(bytes: &[u8]) -> u64 {
    let digest: [u8; 20] = Sha1::digest(bytes).into();
    digest[12..].iter().fold(0, |hash, &byte| hash << 8 | u64::from(byte))
}
