//! What a zstd file expands to at first, to detect what it holds.
//!
//! The first frame of a file may have a GB, and its first block 128 KiB, compressed; frames without content may come
//! before. The decoder gives no byte before it has filled a frame's window, which has some MiB as a rule: so the frame
//! is ended after the blocks examined.

use ruzstd::decoding::BlockDecodingStrategy;

use super::Damage;
use super::compression::{begins_skipped_zstd, begins_zstd};
use super::raw::Raw;
use super::zstd::{
    LONGEST_DICTIONARY, LONGEST_HEADER, ZstdFrames, check_dictionary_length, names_dictionary,
};
use crate::ReasonCode;

/// Bytes of the file that are examined, at first: enough for a block of any size, and for small frames before it.
const AHEAD: usize = 256 << 10;

/// Bytes of the file that are examined (<=): the longest dictionary, and what is after it.
const FARTHEST: usize = LONGEST_DICTIONARY + (1 << 20);

/// Bytes that a block takes (<=), with its header and a checksum.
pub(super) const LONGEST_BLOCK: usize = (128 << 10) + 8;

/// A last block without content, and a checksum, which is not compared here.
const END: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

/// What the frames at the beginning of some bytes expand to.
pub(super) struct Glance {
    pub(super) expanded: Vec<u8>,
    /// Bytes of the frames at the beginning that have no content; they may end after those examined.
    empty: u64,
    /// Whether there is no more because the bytes end.
    is_cut: bool,
}

impl ZstdFrames {
    /// What a file expands to at first: `limit` bytes or more, fewer where it holds fewer or is damaged. Frames without
    /// content that it begins with may be taken off it.
    pub(super) fn first(raw: &mut Raw, limit: usize) -> Result<Vec<u8>, Damage> {
        let (mut frames, mut wanted) = (Self::new(), AHEAD);
        loop {
            let begins_file = raw.position() == 0;
            let head = raw.peek(wanted)?;
            let is_whole = head.len() < wanted;
            let Glance { expanded, empty, is_cut } = frames.glance(head, limit, begins_file)?;
            if is_whole || !is_cut {
                return Ok(expanded);
            }
            if expanded.is_empty() && empty > 0 && !frames.has_dictionary() {
                raw.skip(empty)?;
            } else if wanted < FARTHEST {
                wanted = FARTHEST.min(2 * wanted);
            } else if expanded.is_empty() {
                return Err(Damage::new(format!(
                    "the zstd data has no content within the first {FARTHEST} bytes; decompress \
                        it first (zstd -d)"
                )));
            } else {
                return Ok(expanded);
            }
        }
    }

    /// What the frames that begin `bytes`, of which the end may be missing, expand to: `limit` bytes or some more,
    /// where there are as many.
    ///
    /// Damage ends it without an error: whoever reads the file meets it again. What the decoder was at is lost.
    pub(super) fn glance(
        &mut self,
        bytes: &[u8],
        limit: usize,
        begins_file: bool,
    ) -> Result<Glance, Damage> {
        let mut glance = Glance { expanded: Vec::new(), empty: 0, is_cut: false };
        let mut at = 0;
        while glance.expanded.len() < limit {
            let rest = bytes.get(at..).unwrap_or_default();
            if rest.len() < LONGEST_HEADER {
                glance.is_cut = true;
            }
            if begins_skipped_zstd(rest) {
                let Some(length) = Self::skipped_length(rest) else { break };
                let whole = usize::try_from(length).unwrap_or(usize::MAX).saturating_add(8);
                if at == 0 && begins_file && Self::begins_dictionary(rest) {
                    check_dictionary_length(length)?;
                    let Some(dictionary) = rest.get(8..whole) else {
                        glance.is_cut = true;
                        break;
                    };
                    self.use_dictionary(dictionary)?;
                }
                at = at.saturating_add(whole);
            } else if begins_zstd(rest) {
                let Some(length) = self.glance_frame(rest, limit, &mut glance)? else { break };
                at += length;
            } else if rest.first() == Some(&0) {
                at += 1;
            } else {
                break;
            }
            if glance.expanded.is_empty() {
                glance.empty = at as u64;
            }
            glance.is_cut = false;
        }
        Ok(glance)
    }

    /// Appends what a frame expands to, up to `limit` bytes or some more; how long it is, where all of it was expanded.
    fn glance_frame(
        &mut self,
        frame: &[u8],
        limit: usize,
        glance: &mut Glance,
    ) -> Result<Option<usize>, Damage> {
        let mut rest = frame;
        match self.open_frame(&mut rest, names_dictionary(frame)) {
            Ok(()) => {}
            Err(damage) if damage.reason != ReasonCode::DAMAGED => return Err(damage),
            Err(_) => return Ok(None),
        }
        let wanted = limit.saturating_sub(glance.expanded.len()).max(1);
        let strategy = BlockDecodingStrategy::UptoBytes(wanted);
        let decoded = self.decoder.decode_blocks(&mut rest, strategy);
        let is_whole = decoded.is_ok() && self.decoder.is_finished();
        if !is_whole {
            glance.is_cut = decoded.is_err() && rest.len() < LONGEST_BLOCK;
            // What was expanded before damage or the end can be had all the same.
            let _ = self.decoder.decode_blocks(&END[..], BlockDecodingStrategy::All);
        }
        self.decoder.collect_to_writer(&mut glance.expanded)?;
        Ok(is_whole.then(|| frame.len() - rest.len()))
    }
}
