//! How many bytes the parser reads to find the objects of a document by searching the whole of it.
//!
//! Where a cross-reference is wrong, which a file can always arrange, the parser searches the file from its beginning.
//! It tries to read an object after each header and at each `<<`, and where one has no end it has read to a depth of
//! 512, or to the end of the file, before it continues after the beginning. A file of beginnings without ends takes the
//! square of its length. Here the same search is walked once, counting bytes and keeping nothing, and it is given up
//! where it has read each byte too often.

use memchr::memmem;

/// Depth at which the parser gives up an object.
const MAX_DEPTH: usize = 512;
/// Bytes that a search may take in any document.
const FLOOR: u64 = 64 << 20;
/// A search for a word reads so many bytes in the time in which one is parsed, at the least.
const FASTER: u64 = 8;

/// Whether the parser's search reads each byte no more than `times` times, on the average.
pub(crate) fn is_linear(document: &[u8], times: u64) -> bool {
    let allowed = FLOOR.max(times.saturating_mul(document.len() as u64));
    Search { data: document, at: 0, read: 0, allowed }.run().is_ok()
}

/// The search read more than it may.
struct TooMuch;

/// Whether something of the kind was there. It is `false` if the parser gives up, too.
type SearchResult = Result<bool, TooMuch>;

struct Search<'d> {
    data: &'d [u8],
    at: usize,
    /// Bytes read so far.
    read: u64,
    allowed: u64,
}

impl Search<'_> {
    fn run(mut self) -> Result<(), TooMuch> {
        while self.at < self.data.len() {
            let begin = self.at;
            if self.peek().is_some_and(|b| b.is_ascii_digit()) {
                if self.header()? {
                    let after = self.at;
                    self.blanks()?;
                    self.object(0)?;
                    self.at = after;
                    continue;
                }
            } else if self.data[begin..].starts_with(b"<<") {
                if self.dict(0)? {
                    self.object_stream(begin)?;
                    continue;
                }
            } else if self.peek().is_some_and(is_white_space) {
                self.skip_while(is_white_space)?;
                continue;
            }
            self.at = begin;
            self.skip_while(|b| !is_white_space(b))?;
        }
        Ok(())
    }

    /// A dictionary that the search has found is read once more, and if it is that of a stream of objects, so is the
    /// stream.
    fn object_stream(&mut self, begin: usize) -> Result<(), TooMuch> {
        let dict = &self.data[begin..self.at];
        self.charge(dict.len() as u64)?;
        if memmem::find(dict, b"ObjStm").is_none() {
            return Ok(());
        }
        let after = self.at;
        self.blanks()?;
        if self.tag(b"stream") {
            let rest = &self.data[self.at..];
            let end = memmem::find(rest, b"endstream").unwrap_or(rest.len());
            self.charge(end as u64 / FASTER)?;
        }
        self.at = after;
        Ok(())
    }

    /// An object inside others. A reference is three of them.
    fn object(&mut self, depth: usize) -> SearchResult {
        match self.peek() {
            Some(b'<') if self.data[self.at..].starts_with(b"<<") => self.dict(depth),
            Some(b'<') => {
                self.step()?;
                self.skip_while(|b| b.is_ascii_hexdigit() || is_white_space(b))?;
                Ok(self.tag(b">"))
            }
            Some(b'(') => self.literal(),
            Some(b'[') => self.array(depth),
            Some(b'/') => self.name(),
            Some(b'.' | b'+' | b'-' | b'0'..=b'9') => {
                self.step()?;
                self.skip_while(|b| b.is_ascii_digit() || matches!(b, b'-' | b'.'))?;
                Ok(true)
            }
            Some(b) if is_regular(b) => {
                self.skip_while(is_regular)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn dict(&mut self, depth: usize) -> SearchResult {
        if depth >= MAX_DEPTH {
            return Ok(false);
        }
        self.step()?;
        self.step()?;
        loop {
            self.blanks()?;
            if self.tag(b">>") {
                return Ok(true);
            }
            if self.name()? {
                self.blanks()?;
            }
            if !self.object(depth + 1)? {
                return Ok(false);
            }
        }
    }

    fn array(&mut self, depth: usize) -> SearchResult {
        if depth >= MAX_DEPTH {
            return Ok(false);
        }
        self.step()?;
        loop {
            self.blanks()?;
            if self.tag(b"]") {
                return Ok(true);
            }
            if !self.object(depth + 1)? {
                return Ok(false);
            }
        }
    }

    fn name(&mut self) -> SearchResult {
        if self.peek() != Some(b'/') {
            return Ok(false);
        }
        self.step()?;
        self.skip_while(is_regular)?;
        Ok(true)
    }

    fn literal(&mut self) -> SearchResult {
        let begin = self.at;
        let mut open = 0_u32;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'(' => open += 1,
                b')' => open -= 1,
                _ => {}
            }
            if open == 0 {
                break;
            }
        }
        self.at = self.at.min(self.data.len());
        self.charge((self.at - begin) as u64)?;
        Ok(open == 0)
    }

    /// The header of an object: two numbers and `obj`.
    fn header(&mut self) -> SearchResult {
        self.skip_while(|b| b.is_ascii_digit())?;
        self.blanks()?;
        if !self.peek().is_some_and(|b| b.is_ascii_digit()) {
            return Ok(false);
        }
        self.skip_while(|b| b.is_ascii_digit())?;
        self.blanks()?;
        Ok(self.tag(b"obj"))
    }

    /// White space and comments.
    fn blanks(&mut self) -> Result<(), TooMuch> {
        loop {
            self.skip_while(is_white_space)?;
            if self.peek() != Some(b'%') {
                return Ok(());
            }
            self.skip_while(|b| !matches!(b, b'\r' | b'\n'))?;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.data.get(self.at).copied()
    }

    fn step(&mut self) -> Result<(), TooMuch> {
        self.at += 1;
        self.charge(1)
    }

    fn tag(&mut self, tag: &[u8]) -> bool {
        let found = self.data.get(self.at..).is_some_and(|rest| rest.starts_with(tag));
        self.at += if found { tag.len() } else { 0 };
        found
    }

    fn skip_while(&mut self, of: impl Fn(u8) -> bool) -> Result<(), TooMuch> {
        let rest = self.data.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|b| !of(*b)).unwrap_or(rest.len());
        self.at += length;
        self.charge(length as u64)
    }

    fn charge(&mut self, bytes: u64) -> Result<(), TooMuch> {
        self.read += bytes;
        if self.read > self.allowed { Err(TooMuch) } else { Ok(()) }
    }
}

fn is_white_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 12 | b'\r' | b' ')
}

fn is_regular(byte: u8) -> bool {
    !is_white_space(byte)
        && !matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

#[cfg(test)]
mod tests {
    use super::is_linear;

    /// Beginnings without ends, each of which the parser would read to its depth or to the end of the file.
    #[test]
    fn searches_beyond_linear_time_are_found() {
        for unit in [
            "1 0 obj <<",
            "<</A ",
            "1 0 obj [ ",
            "1 0 obj ( ",
            "1 % ",
            "<< ( ",
            "<</A (x ",
            "<</Type/ObjStm>>stream ",
        ] {
            let document = unit.repeat(6_000_000 / unit.len());
            assert!(!is_linear(document.as_bytes(), 16), "{unit}");
        }
    }

    #[test]
    fn sound_documents_are_searched_in_linear_time() {
        for unit in [
            "1 0 obj << /Type /Page /Kids [1 0 R 2 0 R] /S (a (b) \\) c) /H <00ff> >> endobj\n",
            "1 0 obj << /Length 9 >> stream\n(((((((<<[[\nendstream endobj\n",
            "1 0 obj << /Type /ObjStm >> stream\nxxxxxxx\nendstream endobj\n",
            "% comment\n",
            "0000000000 65535 f \n",
            "[[[[[[[[ ]]]]]]]] << << >> >>",
            "\u{0}\u{1}(<\u{7f}",
        ] {
            let document = unit.repeat(8_000_000 / unit.len());
            assert!(is_linear(document.as_bytes(), 4), "{unit}");
        }
        assert!(is_linear(b"", 0));
    }
}
