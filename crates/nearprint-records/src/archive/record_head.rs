//! Headers of records, which may be long and lie in several compressed members.

use super::trouble::{Fault, Then, compressed, malformed};
use super::{Archive, Head, LONGEST_HEADER, LOOK, arc, warc};
use crate::expansion::Damage;

impl Archive {
    /// Reads a record's header, up to and with the line that ends it.
    pub(super) fn head(&mut self) -> Result<Head, Fault> {
        let length = self.head_length()?;
        let bytes = &self.stream.ahead()[..length];
        let head = if self.is_arc { arc::head(bytes) } else { warc::head(bytes) };
        let head = head.map_err(malformed)?;
        self.stream.take(length);
        self.stream.charge(length).map_err(compressed)?;
        Ok(head)
    }

    /// Bytes of a record's header, all of which are at hand then.
    pub(super) fn head_length(&mut self) -> Result<usize, Fault> {
        let length = self.searched_head_length();
        let looked = self.no_line.take_work() + self.no_head.take_work();
        self.stream.charge(looked).map_err(compressed)?;
        length
    }

    fn searched_head_length(&mut self) -> Result<usize, Fault> {
        let mut wanted = LOOK;
        loop {
            let position = self.stream.position();
            let ahead = self.stream.peek(wanted).map_err(compressed)?;
            if ahead.len() < wanted && self.no_line.find(position, ahead, arc::head_end).is_none() {
                // Not even a line: it may continue in the next member.
                let count = ahead.len();
                self.continue_header(count)?;
                wanted = wanted.max(count + 1);
                continue;
            }
            if !Self::begins(self.is_arc, ahead) {
                let shown = crate::escape(&ahead[..ahead.len().min(40)]);
                return Err(malformed(format!("expected a record, found \"{shown}\"")));
            }
            let end = match self.is_arc {
                true => self.no_line.find(position, ahead, arc::head_end),
                false => self.no_head.find(position, ahead, warc::record_head_end),
            };
            match end {
                Some(length) if !self.is_arc && !warc::is_whole(&ahead[..length]) => {
                    return Err(malformed("another record begins within the header of the record"));
                }
                Some(length) => return Ok(length),
                None if ahead.len() < wanted => {
                    let count = ahead.len();
                    self.continue_header(count)?;
                    wanted = wanted.max(count + 1);
                }
                None if wanted >= LONGEST_HEADER => {
                    let text =
                        format!("the header of the record has more than {LONGEST_HEADER} bytes");
                    return Err(malformed(text));
                }
                None => wanted = LONGEST_HEADER,
            }
        }
    }

    /// Continues with a header of which `count` bytes are there in the next compressed member, where that is not a
    /// record of its own.
    fn continue_header(&mut self, count: usize) -> Result<(), Fault> {
        let text = "the file ends within the header of a record";
        if !self.stream.advance().map_err(compressed)? {
            return Err(malformed(text));
        }
        let ahead = self.stream.peek(count + LOOK).map_err(compressed)?;
        if Self::begins(self.is_arc, ahead.get(count..).unwrap_or_default()) {
            self.stream.take(count);
            return Err((Damage::new("the record is truncated within its header"), Then::Here));
        }
        Ok(())
    }
}
