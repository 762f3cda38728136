//! Members of a compressed file, stepped through one by one.

use std::io::BufRead;

use super::compression::{begins_gzip, begins_skipped_zstd, begins_zstd};
use super::damage::Damage;
use super::gzip::GzipMembers;
use super::raw::Raw;
use super::window::Window;
use super::zstd::{LONGEST_HEADER, ZstdFrames};
use super::zstd_glance::LONGEST_BLOCK;
use super::{RATIO_FLOOR, check_ratio};

/// Bytes of a member that are expanded to see whether it may be one.
const GLANCE: usize = 64;

/// Bytes of the file that are examined for that: some of a member's, all of a block of zstd.
const GLANCED: usize = LONGEST_BLOCK + LONGEST_HEADER;

/// A file of members.
pub(super) struct Members {
    pub(super) raw: Raw,
    decoder: Decoder,
    pub(super) window: Window,
    /// Where the present member begins, in the file and in what it expands to.
    pub(super) began: (u64, u64),
    /// Whether the present member has not ended.
    pub(super) open: bool,
    /// Damage after what is at hand.
    pub(super) failed: Option<Damage>,
    /// Bytes that were read and expanded to see whether members begin where they seem to.
    pub(super) glanced: u64,
}

pub(super) enum Decoder {
    Gzip(Box<GzipMembers>),
    Zstd(Box<ZstdFrames>),
}

impl Members {
    pub(super) fn new(raw: Raw, decoder: Decoder) -> Self {
        let window = Window::default();
        Self { raw, decoder, window, began: (0, 0), open: false, failed: None, glanced: 0 }
    }

    /// Whether all of the present member was taken.
    pub(super) fn has_ended(&self) -> bool {
        !self.open && self.window.ahead().is_empty()
    }

    /// Expands more of the present member.
    pub(super) fn expand(&mut self, max_ratio: u64) -> Result<(), Damage> {
        if let Some(damage) = self.failed.take() {
            return Err(damage);
        }
        let before = self.window.ahead().len();
        let Self { raw, decoder, window, .. } = self;
        let ended = window.extend(|out| match decoder {
            Decoder::Gzip(members) => members.expand(raw, out),
            Decoder::Zstd(frames) => frames.expand(raw, out),
        });
        match ended {
            Ok(ended) => self.open = !ended,
            // What was expanded before is returned first.
            Err(damage) if self.window.ahead().len() > before => self.failed = Some(damage),
            Err(damage) => return Err(damage),
        }
        let packed = self.raw.position() - self.began.0;
        let expanded = self.window.position() + self.window.ahead().len() as u64 - self.began.1;
        check_ratio(packed, expanded, max_ratio)
    }

    /// Begins the next member; false at the end of the file.
    pub(super) fn advance(&mut self) -> Result<bool, Damage> {
        loop {
            let Self { raw, decoder, .. } = self;
            let head = raw.peek(8)?;
            match decoder {
                _ if head.is_empty() => return Ok(false),
                Decoder::Zstd(frames) if begins_skipped_zstd(head) => frames.skip(raw)?,
                Decoder::Gzip(_) if begins_gzip(head) => break,
                Decoder::Zstd(_) if begins_zstd(head) => break,
                // Padding of tapes and object stores.
                _ if head[0] == 0 => raw.consume(1),
                _ => {
                    let text = format!("no compressed data begins at byte {}", raw.position());
                    return Err(Damage::new(text));
                }
            }
        }
        self.raw.mark();
        let expanded = self.window.position() + self.window.ahead().len() as u64;
        self.began = (self.raw.position(), expanded);
        match &mut self.decoder {
            Decoder::Gzip(members) => members.open(&mut self.raw)?,
            Decoder::Zstd(frames) => frames.open(&mut self.raw)?,
        }
        self.open = true;
        Ok(true)
    }

    /// Goes to the next member that looks right; how many bytes are read again.
    pub(super) fn recover(
        &mut self,
        begins: impl Fn(&[u8]) -> bool,
        back: bool,
    ) -> Result<u64, Damage> {
        self.open = false;
        self.failed = None;
        let left = self.window.ahead().len();
        self.window.consume(left);
        // Where damage shows is often far after where it is.
        let far = if back { self.raw.rewind().unwrap_or(0) } else { 0 };
        if far > 0 {
            self.raw.consume(1);
        }
        loop {
            // Members that are found are expanded then, so that of sound ones as many are examined as there are.
            let (packed, expanded) = (self.raw.position(), self.window.position());
            let allowed =
                RATIO_FLOOR.saturating_add(packed.saturating_mul(8)).saturating_add(2 * expanded);
            let ahead = self.raw.peek(GLANCED)?;
            if ahead.is_empty() {
                return Ok(far);
            }
            let first = match self.decoder {
                Decoder::Gzip(_) => 0x1f,
                Decoder::Zstd(_) => 0x28,
            };
            match memchr::memchr(first, ahead) {
                None => {
                    let count = ahead.len();
                    self.raw.consume(count);
                }
                Some(0) => {
                    // Each of a million heads may seem to begin a member of 128 KiB.
                    let most = if self.glanced > allowed { 0 } else { GLANCED };
                    let glanced = &ahead[..ahead.len().min(most)];
                    let is_member = match &mut self.decoder {
                        Decoder::Gzip(_) if begins_gzip(glanced) => {
                            let (expanded, examined) = GzipMembers::glance(glanced, GLANCE as u64);
                            self.glanced += examined as u64;
                            begins(&expanded)
                        }
                        // With the dictionary that the file began with.
                        Decoder::Zstd(frames) if begins_zstd(glanced) => {
                            let glance = frames.glance(glanced, GLANCE, false);
                            let expanded = glance.map(|glance| glance.expanded).unwrap_or_default();
                            self.glanced += (LONGEST_HEADER + expanded.len()) as u64;
                            begins(&expanded)
                        }
                        _ => false,
                    };
                    if is_member {
                        return Ok(far);
                    }
                    self.raw.consume(1);
                }
                Some(count) => self.raw.consume(count),
            }
        }
    }
}
