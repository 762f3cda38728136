//! Mailboxes: the messages of a file in the form mbox, each a document.
//!
//! A message begins with a line `From `, at the start or after an empty line, and a header after it. Sentences begin
//! with this word too, in mailboxes that do not mark such lines with `>`. The rule is that of the extractor of mail,
//! which reads mailboxes inside of other documents.

use std::collections::VecDeque;

use crate::beginning::Beginning;
use crate::expansion::{Cost, Damage, Expansion};
use crate::lines::Lines;
use crate::{
    Content, Document, DocumentId, ErrorRecord, Place, Position, ReadSettings, ReasonCode, Source,
};

/// What the line begins with that begins a message.
const POSTMARK: &[u8] = b"From ";

/// Bytes of the longest name of a header.
const LONGEST_NAME: usize = 128;

/// Bytes of the longest line `From `, which is not part of the message.
const LONGEST_POSTMARK: u64 = 1024;

/// The media type of a message.
const MESSAGE: &str = "message/rfc822";

/// A file of messages. The line `From ` belongs to the place of a message, and is not part of the document.
pub(crate) struct Mbox {
    place: Place,
    lines: Lines<Expansion>,
    longest: u64,
    /// Lines that were read to find where a message ends.
    ahead: VecDeque<Line>,
    ended: bool,
}

/// A line that is kept while those after it are read.
struct Line {
    number: u64,
    offset: u64,
    length: u64,
    /// Its bytes without its end; none where it is longer than a message or a line `From ` may be.
    bytes: Option<Vec<u8>>,
}

impl Line {
    fn begins_message(&self) -> bool {
        self.bytes.as_deref().is_some_and(|bytes| bytes.starts_with(POSTMARK))
    }

    fn begins_header(&self) -> bool {
        self.bytes.as_deref().is_some_and(begins_with_header)
    }

    fn is_empty(&self) -> bool {
        self.bytes.as_deref().is_some_and(<[u8]>::is_empty)
    }
}

impl Mbox {
    pub(crate) fn new(place: Place, stream: Expansion, settings: &ReadSettings) -> Self {
        let place = Place { wrapper: stream.wrapper().map(Into::into), ..place };
        let longest = settings.max_bytes;
        let line = usize::try_from(longest.max(LONGEST_POSTMARK)).unwrap_or(usize::MAX);
        let lines = Lines::of_at_most(stream, line);
        Self { place, lines, longest, ahead: VecDeque::new(), ended: false }
    }

    /// The next line; `None` at the end.
    fn line(&mut self) -> Result<Option<Line>, Damage> {
        if let Some(line) = self.ahead.pop_front() {
            return Ok(Some(line));
        }
        let Some(line) = self.lines.next_charged().transpose()? else { return Ok(None) };
        let (number, offset, length) = (line.number, line.offset, line.length);
        Ok(Some(Line { number, offset, length, bytes: line.bytes.map(<[u8]>::to_vec) }))
    }

    /// The message after its first line: its bytes, none where there are too many, and how many of the file it takes.
    fn message(&mut self) -> Result<(Option<Vec<u8>>, u64), Damage> {
        let (mut message, mut length, mut is_after_empty) = (Some(Vec::new()), 0, false);
        while let Some(line) = self.line()? {
            if is_after_empty && line.begins_message() {
                let next = self.line()?;
                let is_message = next.as_ref().is_some_and(Line::begins_header);
                if let Some(next) = next {
                    self.ahead.push_front(next);
                }
                if is_message {
                    self.ahead.push_front(line);
                    break;
                }
            }
            is_after_empty = line.is_empty();
            length += line.length;
            let part = line.bytes.filter(|_| length <= self.longest);
            message = message.zip(part).map(|(mut message, part)| {
                message.extend_from_slice(&part);
                message.push(b'\n');
                message
            });
        }
        Ok((message, length))
    }

    /// The document whose first line is at `place`.
    fn document(&mut self, place: &mut Place) -> Result<Document, Damage> {
        let (message, length) = self.message()?;
        place.length = place.length.map(|first| first + length);
        let Some(message) = message else {
            let detail = format!("the message has more than {} bytes (max_bytes)", self.longest);
            return Err(Damage { reason: ReasonCode::TOO_LARGE, detail });
        };
        let id = DocumentId::new(place.to_string())
            .map_err(|bad| Damage { reason: ReasonCode::BAD_ID, detail: bad.to_string() })?;
        let mut document = Document::new(id, place.clone(), Content::Bytes(message));
        document.media_type = Some(MESSAGE.to_owned());
        Ok(document)
    }
}

impl Source for Mbox {
    fn next_document(&mut self) -> Option<Result<Document, ErrorRecord>> {
        if self.ended {
            return None;
        }
        let (number, offset) = self.lines.position();
        let mut place =
            Place { line: Some(number + 1), offset: Some(offset), ..self.place.clone() };
        let found = match self.line() {
            Ok(None) => return None,
            Ok(Some(first)) => {
                place = Place {
                    line: Some(first.number),
                    offset: Some(first.offset),
                    length: Some(first.length),
                    ..place
                };
                if first.begins_message() {
                    self.document(&mut place)
                } else {
                    self.ended = true;
                    let detail = "the mailbox does not begin with a line \"From \"".to_owned();
                    Err(Damage { reason: ReasonCode::BAD_FILE, detail })
                }
            }
            Err(damage) => Err(damage),
        };
        Some(found.map_err(|Damage { reason, detail }| {
            // What is too long is left out; behind damage there is nothing.
            self.ended |= ![ReasonCode::TOO_LARGE, ReasonCode::BAD_ID].contains(&reason);
            ErrorRecord { id: None, place, reason, detail: detail.into() }
        }))
    }

    fn position(&self) -> Option<Position> {
        let (line, offset) = match self.ahead.front() {
            Some(next) => (next.number - 1, next.offset),
            None => self.lines.position(),
        };
        let is_plain = self.place.wrapper.is_none() && !self.ended;
        let Cost { work, .. } = self.lines.cost();
        is_plain.then(|| Position { offset, line, work, ..Position::default() })
    }

    fn go_on(&mut self, position: &Position) -> bool {
        let &Position { offset, line, .. } = position;
        let gone = self.place.wrapper.is_none()
            && self.lines.reader().go_on((offset, offset), Cost { reread: 0, work: position.work });
        if gone {
            self.ahead.clear();
            self.lines.go_on(line, offset);
        }
        gone
    }
}

/// Whether a file begins as a mailbox: a line `From ` with the time of a delivery, and a header after it. A file that
/// is known to be one message is a document, and no mailbox.
pub(crate) fn begins(beginning: &Beginning) -> bool {
    let mut lines = beginning.bytes.split(|&byte| byte == b'\n');
    let is_mailbox =
        lines.next().is_some_and(is_postmark) && lines.next().is_some_and(begins_with_header);
    if !is_mailbox || !beginning.is_whole {
        return is_mailbox;
    }
    let mut is_after_empty = false;
    let mut lines = beginning.lines().skip(1).peekable();
    while let Some(line) = lines.next() {
        let is_next = is_after_empty && line.starts_with(POSTMARK);
        if is_next && lines.peek().is_some_and(|line| begins_with_header(line)) {
            return true;
        }
        is_after_empty = line.is_empty() || line == b"\r";
    }
    false
}

/// Whether a line is `From `, a sender and a time.
fn is_postmark(line: &[u8]) -> bool {
    let digit = |byte: &u8| byte.is_ascii_digit();
    let is_time = |w: &[u8]| w[2] == b':' && [0, 1, 3, 4].iter().all(|at| digit(&w[*at]));
    line.starts_with(POSTMARK) && line.windows(5).any(is_time)
}

/// Whether bytes begin with the name of a header and a colon.
fn begins_with_header(bytes: &[u8]) -> bool {
    let name = bytes.iter().take(LONGEST_NAME).take_while(|b| b.is_ascii_graphic() && **b != b':');
    let length = name.count();
    length > 0 && bytes.get(length) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expansion::Raw;

    const TWO: &str = "From a@b Mon Jan  2 08:00:00 2023\nFrom: a\n\nOne\n\nFrom here on\nTwo\n\n\
                       From c@d Tue Jan  3 08:00:00 2023\r\nSubject: S\r\n\r\nThree\r\n";

    fn mailbox(text: &str, longest: u64) -> Mbox {
        let stream =
            Expansion::new(Raw::new(Box::new(std::io::Cursor::new(text.as_bytes().to_vec()))), 300);
        let settings = ReadSettings { max_bytes: longest, ..ReadSettings::default() };
        Mbox::new(Place { file: "f".into(), ..Place::default() }, stream, &settings)
    }

    fn read(text: &str, longest: u64) -> Vec<Result<String, String>> {
        let mut mailbox = mailbox(text, longest);
        std::iter::from_fn(|| mailbox.next_document())
            .map(|found| match found {
                Ok(document) => {
                    let place = &document.place;
                    let (at, length) = (place.offset.unwrap(), place.length.unwrap());
                    assert!(text[at as usize..(at + length) as usize].starts_with("From "));
                    let id = document.id.as_str().to_owned();
                    let bytes = document.into_bytes(1000).unwrap();
                    Ok(format!("{id} {}", String::from_utf8(bytes).unwrap()))
                }
                Err(error) => Err(format!("{} {error}", error.reason)),
            })
            .collect()
    }

    #[test]
    fn messages_are_documents() {
        let wanted = [
            "f:1 From: a\n\nOne\n\nFrom here on\nTwo\n\n".to_owned(),
            "f:9 Subject: S\n\nThree\n".to_owned(),
        ];
        assert_eq!(read(TWO, 1000), wanted.map(Ok));
        let short = read(TWO, 25);
        assert!(short[0].as_ref().unwrap_err().starts_with("too-large f:1: "), "{short:?}");
        assert!(short[1].is_ok(), "{short:?}");
        let other = read("Fog\n", 1000);
        assert!(other[0].as_ref().unwrap_err().starts_with("bad-file f:1: "), "{other:?}");
    }

    #[test]
    fn mailboxes_are_told_by_their_first_lines() {
        let settings = ReadSettings::default();
        let begins_so = |text: &str, is_whole| {
            let mut beginning = Beginning::of_head(text.as_bytes(), &settings);
            beginning.is_whole = is_whole;
            begins(&beginning)
        };
        assert!(begins_so(TWO, true) && begins_so(TWO, false));
        let one = &TWO[..TWO.rfind("From c").unwrap()];
        assert!(!begins_so(one, true) && begins_so(one, false));
        for text in ["From here at noon\nSubject: x\n", "From a Mon 08:00\nFog came in\n", "Fog"] {
            assert!(!begins_so(text, false), "{text}");
        }
    }
}
