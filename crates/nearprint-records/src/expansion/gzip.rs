//! Members of gzip, one after the other, by RFC 1952.
//!
//! The members are stepped through here, and not by a reader of whole files, because an archive's records are
//! members: where one begins and ends is a record's place, and a damaged one costs itself only.

use std::io::{BufRead, Read};

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::Damage;
use super::raw::Raw;

/// Bytes expanded at once, at first and at most: members of archives are small, and room for each is cleared before.
const STEPS: [usize; 2] = [8 << 10, 128 << 10];

/// Bytes of a member's header (<=): names and comments in it have no bound of their own.
const LONGEST_HEADER: usize = 64 << 10;

/// One member at a time; what it works with serves all of them.
pub(super) struct GzipMembers {
    inflate: Decompress,
    crc: Crc,
    /// Bytes of the present member that are expanded next.
    step: usize,
}

impl GzipMembers {
    pub(super) fn new() -> Self {
        Self { inflate: Decompress::new(false), crc: Crc::new(), step: STEPS[0] }
    }

    /// What members that begin here, of which the end may be missing, expand to: `limit` bytes, where there are as
    /// many. And how many bytes were examined for that.
    pub(super) fn glance(bytes: &[u8], limit: u64) -> (Vec<u8>, usize) {
        let (mut out, mut rest) = (Vec::new(), bytes);
        // What could be expanded before the end will do.
        let decoder = flate2::bufread::MultiGzDecoder::new(&mut rest);
        let _ = decoder.take(limit).read_to_end(&mut out);
        (out, bytes.len() - rest.len())
    }

    /// Reads a member's header.
    pub(super) fn open(&mut self, raw: &mut Raw) -> Result<(), Damage> {
        let cut = || Damage::new("the gzip data ends within the header of a member");
        let head = raw.peek(10)?;
        if head.len() < 10 {
            return Err(cut());
        }
        let flags = head[3];
        let mut length = 10;
        if flags & 4 != 0 {
            let head = raw.peek(length + 2)?;
            let extra = head.get(length..length + 2).ok_or_else(cut)?;
            length += 2 + usize::from(u16::from_le_bytes([extra[0], extra[1]]));
        }
        // Name and comment, each ending with NUL.
        for flag in [8, 16] {
            if flags & flag != 0 {
                let head = raw.peek(length + LONGEST_HEADER)?;
                let text = head.get(length..).ok_or_else(cut)?;
                let end = text.iter().take(LONGEST_HEADER).position(|&byte| byte == 0);
                length += end.ok_or_else(cut)? + 1;
            }
        }
        if flags & 2 != 0 {
            length += 2;
        }
        if raw.peek(length)?.len() < length {
            return Err(cut());
        }
        raw.consume(length);
        self.inflate.reset(false);
        self.crc.reset();
        self.step = STEPS[0];
        Ok(())
    }

    /// Expands the next bytes onto `out`; true at the end of the member, whose checksum has been compared.
    pub(super) fn expand(&mut self, raw: &mut Raw, out: &mut Vec<u8>) -> Result<bool, Damage> {
        let begin = out.len();
        out.resize(begin + self.step, 0);
        self.step = STEPS[1].min(2 * self.step);
        let mut end = begin;
        let status = loop {
            let input = raw.peek(1)?;
            if input.is_empty() {
                out.truncate(end);
                return Err(Damage::new("the gzip data ends within a member"));
            }
            let (read, written) = (self.inflate.total_in(), self.inflate.total_out());
            let status = self.inflate.decompress(input, &mut out[end..], FlushDecompress::None);
            // Both are of one call, which is given far fewer bytes than usize holds.
            let read = (self.inflate.total_in() - read) as usize;
            let written = (self.inflate.total_out() - written) as usize;
            raw.consume(read);
            end += written;
            match status {
                Ok(Status::StreamEnd) => break Ok(true),
                Ok(_) if end == out.len() => break Ok(false),
                Ok(_) if read == 0 && written == 0 => {
                    break Err(Damage::new(
                        "the gzip data is damaged: it cannot be expanded further",
                    ));
                }
                Ok(_) => {}
                Err(error) => break Err(Damage::new(format!("the gzip data is damaged: {error}"))),
            }
        };
        out.truncate(end);
        self.crc.update(&out[begin..]);
        if !status? {
            return Ok(false);
        }
        let trailer = raw.peek(8)?;
        let Some(trailer) = trailer.first_chunk::<8>() else {
            return Err(Damage::new("the gzip data ends within a member"));
        };
        let [a, b, c, d, e, f, g, h] = *trailer;
        let fits = u32::from_le_bytes([a, b, c, d]) == self.crc.sum()
            && u32::from_le_bytes([e, f, g, h]) == self.crc.amount();
        raw.consume(8);
        if !fits {
            return Err(Damage::new("a member of the gzip data does not match its checksum"));
        }
        Ok(true)
    }
}
