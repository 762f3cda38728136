//! The elements of a JSON array, found one by one without reading the whole: where each begins and ends.
//!
//! Only brackets, commas and strings are looked at. Whether an element is JSON is for its parser to say.

use std::io::BufRead;

use crate::ReasonCode;
use crate::expansion::Damage;

/// One element.
pub(super) struct Element<'a> {
    /// Bytes before it.
    pub(super) offset: u64,
    /// Bytes of it.
    pub(super) length: u64,
    /// Its bytes; `None` if there are more than allowed, which are skipped.
    pub(super) bytes: Option<&'a [u8]>,
}

/// Reads the elements of the array that a file is.
pub(super) struct Elements<R> {
    reader: R,
    buffer: Vec<u8>,
    longest: usize,
    offset: u64,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the bracket that opens the array.
    Outside,
    /// Before the first element, or the end.
    Opened,
    /// After an element.
    Between,
    /// After the bracket that closes the array, or after damage.
    Ended,
}

/// How far the bytes of an element were looked at.
#[derive(Default)]
struct Scan {
    depth: u64,
    in_string: bool,
    is_escaped: bool,
}

impl Scan {
    /// Bytes of these that belong to the element, and whether it ends with them.
    fn part(&mut self, bytes: &[u8]) -> (usize, bool) {
        let mut at = 0;
        while at < bytes.len() {
            if self.in_string {
                if std::mem::take(&mut self.is_escaped) {
                    at += 1;
                    continue;
                }
                match memchr::memchr2(b'"', b'\\', &bytes[at..]) {
                    None => return (bytes.len(), false),
                    Some(far) => {
                        at += far;
                        self.is_escaped = bytes[at] == b'\\';
                        self.in_string = self.is_escaped;
                    }
                }
            } else {
                match bytes[at] {
                    b'"' => self.in_string = true,
                    b'{' | b'[' => self.depth += 1,
                    b'}' | b']' if self.depth > 0 => self.depth -= 1,
                    b']' | b',' if self.depth == 0 => return (at, true),
                    _ => {}
                }
            }
            at += 1;
        }
        (bytes.len(), false)
    }
}

impl<R: BufRead> Elements<R> {
    /// The elements of at most `longest` bytes.
    pub(super) fn new(reader: R, longest: usize) -> Self {
        Self { reader, buffer: Vec::new(), longest, offset: 0, state: State::Outside }
    }

    pub(super) fn reader(&mut self) -> &mut R {
        &mut self.reader
    }

    /// Bytes before what is read next.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The next element; after damage, such as the end of the file before that of the array, there is none.
    pub(super) fn next(&mut self) -> Option<Result<Element<'_>, Damage>> {
        if self.state == State::Ended {
            return None;
        }
        match self.find() {
            Ok(None) => None,
            Ok(Some((offset, length, fits))) => {
                let bytes = fits.then_some(&self.buffer[..]);
                Some(Ok(Element { offset, length, bytes }))
            }
            Err(damage) => {
                self.state = State::Ended;
                Some(Err(damage))
            }
        }
    }

    /// Where the next element is, and whether it is no longer than allowed.
    fn find(&mut self) -> Result<Option<(u64, u64, bool)>, Damage> {
        if self.state == State::Outside {
            // A mark of order may begin the file.
            while self.skip_one(b"\xEF\xBB\xBF \n\r\t")? {}
            if !self.skip_one(b"[")? {
                return Err(self.damage("it does not begin with a bracket"));
            }
            self.state = State::Opened;
        }
        while self.skip_one(b" \n\r\t")? {}
        if self.state == State::Between && self.skip_one(b",")? {
            while self.skip_one(b" \n\r\t")? {}
        } else if self.skip_one(b"]")? {
            self.state = State::Ended;
            while self.skip_one(b" \n\r\t")? {}
            return match self.byte()? {
                None => Ok(None),
                Some(_) => Err(self.damage("something follows its end")),
            };
        }
        self.state = State::Between;
        self.element().map(Some)
    }

    fn element(&mut self) -> Result<(u64, u64, bool), Damage> {
        self.buffer.clear();
        let (start, mut scan, mut fits) = (self.offset, Scan::default(), true);
        loop {
            let available = self.reader.fill_buf()?;
            if available.is_empty() {
                return Err(self.damage("the file ends before the array does"));
            }
            let (used, ended) = scan.part(available);
            fits = fits && self.buffer.len() + used <= self.longest;
            if fits {
                self.buffer.extend_from_slice(&available[..used]);
            } else {
                // The rest of the element may take hours: what is of no use is not held as long.
                self.buffer = Vec::new();
            }
            self.reader.consume(used);
            self.offset += used as u64;
            if ended {
                break;
            }
        }
        let length = self.offset - start;
        let trailing = self.buffer.len() - self.buffer.trim_ascii_end().len();
        self.buffer.truncate(self.buffer.len() - trailing);
        Ok((start, length - trailing as u64, fits))
    }

    /// The next byte, which stays where it is.
    fn byte(&mut self) -> Result<Option<u8>, Damage> {
        Ok(self.reader.fill_buf()?.first().copied())
    }

    /// Skips the next byte where it is one of these.
    fn skip_one(&mut self, of: &[u8]) -> Result<bool, Damage> {
        let found = self.byte()?.is_some_and(|byte| of.contains(&byte));
        if found {
            self.reader.consume(1);
            self.offset += 1;
        }
        Ok(found)
    }

    fn damage(&self, what: &str) -> Damage {
        let detail = format!("the JSON array is damaged at byte {}: {what}", self.offset);
        Damage { reason: ReasonCode::DAMAGED, detail }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn read(text: &str, buffer: usize) -> (Vec<String>, Option<String>) {
        let mut elements = Elements::new(BufReader::with_capacity(buffer, text.as_bytes()), 12);
        let mut found = Vec::new();
        while let Some(element) = elements.next() {
            match element {
                Ok(Element { offset, length, bytes }) => {
                    let (from, to) = (offset as usize, (offset + length) as usize);
                    let stored = &text[from..to];
                    if let Some(bytes) = bytes {
                        assert_eq!(stored.as_bytes(), bytes);
                    }
                    found.push(if bytes.is_some() { stored.into() } else { "long".to_owned() });
                }
                Err(damage) => return (found, Some(damage.detail)),
            }
        }
        (found, None)
    }

    #[test]
    fn elements_are_found_wherever_what_is_read_ends() {
        for buffer in [1, 2, 3, 64] {
            for (text, wanted, damage) in [
                ("[]", &[][..], None),
                (" [ ] \n", &[], None),
                ("[{\"a\":1} , {}\n,3]\n", &["{\"a\":1}", "{}", "3"], None),
                (r#"["a\"]","\\",[[1],2]]"#, &[r#""a\"]""#, r#""\\""#, "[[1],2]"], None),
                ("[1234567890123,1]", &["long", "1"], None),
                ("[1,2", &["1"], Some("the file ends")),
                ("[1,", &["1"], Some("the file ends")),
                ("[{\"a\":\"", &[], Some("the file ends")),
                ("[", &[], Some("the file ends")),
                ("[1] 2", &["1"], Some("something follows")),
                ("1", &[], Some("does not begin")),
            ] {
                let (found, error) = read(text, buffer);
                assert_eq!(found, wanted, "{text}");
                assert_eq!(error.is_some(), damage.is_some(), "{text}: {error:?}");
                assert!(error.unwrap_or_default().contains(damage.unwrap_or("")), "{text}");
            }
        }
    }
}
