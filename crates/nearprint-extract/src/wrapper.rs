//! Compression around a document: recognised by its first bytes, undone layer by layer, within limits.
//!
//! Archives of several documents are not wrappers; they have extractors of their own.

use std::io::Read;

use flate2::bufread::GzDecoder;

use crate::error::{ExtractError, Reason};
use crate::limits::Limits;

/// A compression format that holds one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapper {
    Gzip,
}

impl Wrapper {
    /// The wrapper that `bytes` begin with.
    pub(crate) fn sniff(bytes: &[u8]) -> Option<Self> {
        match bytes {
            // The third byte is the method; deflate (8) is the only one ever defined.
            [0x1f, 0x8b, 8, ..] => Some(Self::Gzip),
            _ => None,
        }
    }

    /// The name kept in records.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
        }
    }

    /// Undoes this layer.
    pub(crate) fn unwrap(self, bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, ExtractError> {
        match self {
            Self::Gzip => gunzip(bytes, limits),
        }
    }
}

/// All members of a gzip file, one after the other. What follows the last member and is none itself
/// (padding of tapes and object stores) is ignored, as gzip itself does.
fn gunzip(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, ExtractError> {
    let mut out = Vec::new();
    let mut rest = bytes;
    loop {
        let mut member = GzDecoder::new(rest);
        read_within(&mut member, bytes.len(), &mut out, limits, "gzip")?;
        rest = member.into_inner();
        if Wrapper::sniff(rest) != Some(Wrapper::Gzip) {
            return Ok(out);
        }
    }
}

/// Reads all of `source` onto `out`, checking the limits on the way and not at the end, so that a bomb
/// costs no more memory than the limit.
pub(crate) fn read_within(
    source: &mut impl Read,
    packed: usize,
    out: &mut Vec<u8>,
    limits: &Limits,
    what: &str,
) -> Result<(), ExtractError> {
    const STEP: u64 = 1 << 20;
    loop {
        let before = out.len();
        source.by_ref().take(STEP).read_to_end(out).map_err(|error| {
            ExtractError::new(
                Reason::Damaged,
                format!("the {what} data is damaged after {} bytes: {error}", out.len()),
            )
        })?;
        limits.check_expansion(packed as u64, out.len() as u64)?;
        if out.len() == before {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn members_are_joined_and_padding_is_ignored() {
        let mut file = gzip(b"one ");
        file.extend(gzip(b"two"));
        file.extend([0; 512]);
        assert_eq!(gunzip(&file, &Limits::default()).unwrap(), b"one two");
    }

    #[test]
    fn a_cut_member_is_damage_not_a_shorter_document() {
        let file = gzip(&b"some text that is long enough to be cut ".repeat(50));
        let error = gunzip(&file[..file.len() - 12], &Limits::default()).unwrap_err();
        assert_eq!(error.reason(), Reason::Damaged);
    }

    #[test]
    fn bombs_meet_the_size_and_the_ratio() {
        let bomb = gzip(&vec![b'a'; 20 << 20]);
        let error = gunzip(&bomb, &Limits::default()).unwrap_err();
        assert_eq!(error.reason(), Reason::ExpansionLimit);
        assert!(error.detail().contains("ratio"), "{error}");
        let small = Limits { max_expanded_bytes: 1000, ..Limits::default() };
        let error = gunzip(&bomb, &small).unwrap_err();
        assert!(error.detail().contains("max_expanded_bytes"), "{error}");
    }
}
