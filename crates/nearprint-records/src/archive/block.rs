//! Blocks of records, which end where their headers say.

use super::trouble::{Fault, Then, compressed, malformed};
use super::{Archive, Head, LOOK};
use crate::expansion::Damage;

/// Line ends after a record (<=).
const MOST_BLANKS: usize = 16;

impl Archive {
    /// Reads a record's block, and makes sure that it ends there; `None` if it is skipped.
    pub(super) fn block(&mut self, head: &Head) -> Result<Option<Vec<u8>>, Fault> {
        let kept = head.is_document && head.length <= self.settings.max_bytes;
        let mut block = Vec::new();
        self.parts_of_block(head, |part| {
            if kept {
                block.extend_from_slice(part);
            }
        })?;
        Ok(kept.then_some(block))
    }

    /// Hands on a record's block as it is read, and makes sure that the record ends there.
    pub(super) fn parts_of_block(
        &mut self,
        head: &Head,
        mut take: impl FnMut(&[u8]),
    ) -> Result<(), Fault> {
        let mut left = head.length;
        while left > 0 {
            let ahead = self.stream.peek(1).map_err(compressed)?;
            if ahead.is_empty() {
                self.go_on_in_next_member(head.length - left, head.length)?;
                continue;
            }
            let part = &ahead[..ahead.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
            take(part);
            let count = part.len();
            self.stream.take(count);
            self.stream.charge(count).map_err(compressed)?;
            left -= count as u64;
        }
        let mut blanks = 0;
        loop {
            let is_arc = self.is_arc;
            let ahead = self.stream.peek(1).map_err(compressed)?;
            match ahead.first() {
                Some(b'\r' | b'\n') if blanks < MOST_BLANKS => {
                    self.stream.take(1);
                    blanks += 1;
                }
                None => break,
                Some(_) => {
                    let ahead = self.stream.peek(LOOK).map_err(compressed)?;
                    // The next record may be cut within its first line.
                    let rest_of_line = ahead.len() < LOOK && !ahead.contains(&b'\n');
                    let (begins, looked) = Self::begins_by(is_arc, ahead);
                    self.stream.charge(looked).map_err(compressed)?;
                    if begins || rest_of_line {
                        break;
                    }
                    let text = format!(
                        "the record does not end after the {} bytes that its header states",
                        head.length
                    );
                    return Err(malformed(text));
                }
            }
        }
        Ok(())
    }

    /// Continues with a block in the next compressed member, where that is not a record of its own.
    fn go_on_in_next_member(&mut self, found: u64, promised: u64) -> Result<(), Fault> {
        let text = || format!("the record is truncated: it has {found} of {promised} bytes");
        if !self.stream.advance().map_err(compressed)? {
            return Err(malformed(text()));
        }
        if Self::begins(self.is_arc, self.stream.peek(LOOK).map_err(compressed)?) {
            return Err((Damage::new(text()), Then::Here));
        }
        Ok(())
    }
}
