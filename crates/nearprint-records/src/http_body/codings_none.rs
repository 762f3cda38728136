//! The content codings of bodies in a build without the feature `archives`: refused, unless the bytes show that they
//! were undone before.

use super::{Refusal, unsupported};
use crate::ReasonCode;

/// Refuses a body with one coding.
pub(super) fn undone(
    coding: &str,
    bytes: Vec<u8>,
    _: u64,
    _: u64,
    _: bool,
) -> Result<Vec<u8>, Refusal> {
    let mark: &[u8] = match coding {
        "gzip" | "x-gzip" => &[0x1f, 0x8b, 8],
        "zstd" => &[0x28, 0xB5, 0x2F, 0xFD],
        // They have no mark.
        "deflate" | "br" => &[],
        other => return Err(unsupported(other)),
    };
    if !bytes.starts_with(mark) {
        return Ok(bytes);
    }
    let text = format!(
        "this build does not read bodies encoded by {coding}: compile it with the feature \"archives\""
    );
    Err((ReasonCode::from_static("unsupported-media"), text))
}
