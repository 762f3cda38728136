//! RTF to text: what its groups show, in the charset that its font or document names.

mod words;

use std::collections::HashMap;

use self::words::{Destination, Word};
use crate::charset::{Encoding, MACINTOSH, WINDOWS_1252};
use crate::error::{ExtractError, Reason};
use crate::flow::Flow;
use crate::job::Job;
use crate::letters;
use crate::superscript::{self, Position};

/// Whether bytes are RTF.
pub(crate) fn is_rtf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"{\\rtf")
}

/// Extracts RTF.
pub(crate) fn rtf(bytes: &[u8], job: &mut Job<'_>) -> Result<String, ExtractError> {
    if !is_rtf(bytes.trim_ascii_start()) {
        return Err(ExtractError::new(Reason::Damaged, "the document does not begin with {\\rtf"));
    }
    let mut document = Document {
        bytes,
        at: 0,
        flow: Flow::new(),
        groups: vec![Group {
            dropped: false,
            hidden: false,
            position: None,
            font: None,
            fallback: 1,
        }],
        fonts: HashMap::new(),
        font_table: None,
        encoding: WINDOWS_1252,
        pending: Vec::new(),
        high_surrogate: None,
        skip: 0,
        opened: None,
        optional: None,
    };
    document.read(job)?;
    if document.groups.len() > 1 {
        job.warn_of_missing_end("the document ends within a group, as one that was cut");
    }
    let text = document.flow.finish();
    if letters::may_be_lost(bytes.len(), &text) {
        job.work.charge(bytes.len())?;
        job.letters = letters::in_rtf(bytes);
    }
    Ok(text)
}

/// What a group inherits and may change.
#[derive(Debug, Clone, Copy)]
struct Group {
    /// Whether it is a destination that is not text.
    dropped: bool,
    hidden: bool,
    /// Where its characters stand, if not on the line.
    position: Option<Position>,
    font: Option<i32>,
    /// Characters that follow each `\u` for readers that do not know it.
    fallback: u8,
}

struct Document<'a> {
    bytes: &'a [u8],
    at: usize,
    flow: Flow,
    groups: Vec<Group>,
    /// Charsets of the fonts, by number.
    fonts: HashMap<i32, Encoding>,
    /// The group of the font table while it is open, and the font being described.
    font_table: Option<(usize, i32)>,
    encoding: Encoding,
    /// Bytes not decoded yet: a character may have two.
    pending: Vec<u8>,
    high_surrogate: Option<u16>,
    /// Fallback characters still to be skipped.
    skip: u8,
    /// The place after the brace that opened the innermost group, while nothing was closed since.
    opened: Option<usize>,
    /// The place after a `\\*` inside a group, whose control word is skipped if it follows there.
    optional: Option<usize>,
}

impl Document<'_> {
    fn group(&mut self) -> &mut Group {
        // The outermost group is never removed.
        let last = self.groups.len() - 1;
        &mut self.groups[last]
    }

    fn read(&mut self, job: &Job<'_>) -> Result<(), ExtractError> {
        let mut read = 0;
        while let Some(byte) = self.bytes.get(self.at).copied() {
            self.at += 1;
            match byte {
                b'{' => {
                    self.flush();
                    self.skip = 0;
                    let inherited = *self.group();
                    self.groups.push(inherited);
                    self.opened = Some(self.at);
                    job.limits.check_depth(self.groups.len())?;
                }
                b'}' => {
                    self.flush();
                    self.skip = 0;
                    if self.groups.len() > 1 {
                        self.groups.pop();
                    }
                    self.opened = None;
                    if self.font_table.is_some_and(|(depth, _)| self.groups.len() < depth) {
                        self.font_table = None;
                    }
                }
                b'\\' => self.control(),
                b'\r' | b'\n' => {}
                _ => self.byte(byte),
            }
            job.limits.check_text(self.flow.len())?;
            job.work.charge(self.at - read)?;
            read = self.at;
        }
        self.flush();
        Ok(())
    }

    fn shows(&mut self) -> bool {
        let group = self.group();
        !group.dropped && !group.hidden
    }

    fn byte(&mut self, byte: u8) {
        if self.skip > 0 {
            self.skip -= 1;
        } else if self.shows() {
            self.pending.push(byte);
        }
    }

    /// Decodes what is pending, in the charset of the font.
    fn flush(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let font = self.group().font;
        let encoding = font.and_then(|number| self.fonts.get(&number)).copied();
        let encoding = encoding.unwrap_or(self.encoding);
        let mut pending = std::mem::take(&mut self.pending);
        let (text, _) = encoding.decode(&pending);
        self.write(&text);
        pending.clear();
        self.pending = pending;
    }

    /// Appends text that is shown, with the characters of its position.
    fn write(&mut self, text: &str) {
        let position = self.group().position;
        let small = position
            .filter(|_| self.flow.end_of_word(superscript::is_base).is_some())
            .and_then(|position| position.characters(text));
        self.flow.text(small.as_deref().unwrap_or(text));
    }

    /// A control word or symbol, after its backslash.
    fn control(&mut self) {
        let is_optional = self.optional.take().is_some_and(|place| place + 1 == self.at);
        let rest = &self.bytes[self.at..];
        let length = rest.iter().take_while(|b| b.is_ascii_alphabetic()).count();
        if length == 0 {
            self.symbol();
            return;
        }
        let name = &rest[..length];
        let digits = &rest[length..];
        let sign = usize::from(digits.first() == Some(&b'-'));
        let count = digits[sign..].iter().take_while(|b| b.is_ascii_digit()).count();
        let number = (count > 0).then(|| {
            let value = digits[sign..sign + count]
                .iter()
                .fold(0i32, |n, d| n.saturating_mul(10).saturating_add(i32::from(d - b'0')));
            if sign == 1 { -value } else { value }
        });
        self.at += length + if count > 0 { sign + count } else { 0 };
        if self.bytes.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        if is_optional {
            return;
        }
        if self.skip > 0 && name != b"u" {
            self.skip -= 1;
            return;
        }
        self.word(words::word(name), number);
    }

    fn symbol(&mut self) {
        let Some(symbol) = self.bytes.get(self.at).copied() else { return };
        self.at += 1;
        match symbol {
            b'\'' => {
                let digits = self.bytes.get(self.at..self.at + 2);
                let code = digits
                    .and_then(|two| std::str::from_utf8(two).ok())
                    .and_then(|two| u8::from_str_radix(two, 16).ok());
                if let Some(code) = code {
                    self.at += 2;
                    self.byte(code);
                }
            }
            b'\\' | b'{' | b'}' => self.byte(symbol),
            b'~' => self.show("\u{A0}"),
            b'_' => self.show("\u{2011}"),
            b'\r' | b'\n' => self.line(),
            // A destination that a reader may skip if it does not know it: all of its group. Those that are text are
            // known, and change this. Inside a group the mark concerns its control word only.
            b'*' if self.begins_group() => self.group().dropped = true,
            b'*' => self.optional = Some(self.at),
            // Soft hyphens, and marks of index entries.
            _ => {}
        }
    }

    /// Whether the symbol that was just read is the first of its group.
    fn begins_group(&self) -> bool {
        let before = self.opened.map(|opened| &self.bytes[opened..self.at - 2]);
        before.is_some_and(|bytes| bytes.iter().all(u8::is_ascii_whitespace))
    }

    fn show(&mut self, text: &str) {
        self.flush();
        if self.shows() {
            self.flow.text(text);
        }
    }

    fn line(&mut self) {
        self.flush();
        if self.shows() {
            self.flow.line();
        }
    }

    fn word(&mut self, word: Word, number: Option<i32>) {
        match word {
            Word::Line => self.line(),
            Word::Cell => {
                self.flush();
                if self.shows() {
                    self.flow.cell();
                }
            }
            Word::Text(text) => self.show(text),
            Word::Space => self.show(" "),
            Word::Unicode => {
                if let Some(number) = number {
                    self.unicode(number);
                }
            }
            Word::Fallback => self.group().fallback = number.unwrap_or(1).clamp(0, 255) as u8,
            Word::Hidden => {
                self.flush();
                self.group().hidden = number != Some(0);
            }
            Word::Position(position) => {
                self.flush();
                self.group().position = position.filter(|_| number != Some(0));
            }
            Word::Plain => {
                self.flush();
                self.group().hidden = false;
                self.group().position = None;
            }
            Word::Destination(Destination::Dropped) => {
                self.flush();
                self.group().dropped = true;
            }
            Word::Destination(Destination::Text) => {
                self.flush();
                // The group around it decides whether it is seen.
                let outer = self.groups.len().checked_sub(2).and_then(|n| self.groups.get(n));
                self.group().dropped = outer.is_some_and(|outer| outer.dropped);
                self.group().position = None;
                if !self.group().dropped {
                    self.flow.line();
                }
            }
            Word::FontTable => {
                self.group().dropped = true;
                self.font_table = Some((self.groups.len(), 0));
            }
            Word::Font => {
                self.flush();
                let number = number.unwrap_or(0);
                match &mut self.font_table {
                    Some((_, font)) => *font = number,
                    None => self.group().font = Some(number),
                }
            }
            Word::Charset => {
                if let (Some((_, font)), Some(encoding)) =
                    (self.font_table, number.and_then(words::charset))
                {
                    self.fonts.entry(font).or_insert(encoding);
                }
            }
            Word::Codepage => {
                if let Some(encoding) = number.and_then(words::codepage) {
                    self.encoding = encoding;
                }
            }
            Word::Mac => self.encoding = MACINTOSH,
            Word::Binary => {
                let length = usize::try_from(number.unwrap_or(0)).unwrap_or(0);
                self.at = self.at.saturating_add(length).min(self.bytes.len());
            }
            Word::Nothing => {}
        }
    }

    /// `\uN`: one unit of UTF-16, then characters for readers that do not know it.
    fn unicode(&mut self, number: i32) {
        self.flush();
        self.skip = self.group().fallback;
        if !self.shows() {
            return;
        }
        // Negative numbers are units above 0x7FFF.
        let unit = (number & 0xFFFF) as u16;
        let pair = match self.high_surrogate.take() {
            Some(high) => char::decode_utf16([high, unit]).next(),
            None if (0xD800..0xDC00).contains(&unit) => {
                self.high_surrogate = Some(unit);
                return;
            }
            None => char::decode_utf16([unit]).next(),
        };
        let c = pair.and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER);
        if c.is_whitespace() {
            self.flow.space();
        } else {
            self.write(c.encode_utf8(&mut [0; 4]));
        }
    }
}

#[cfg(test)]
mod tests;
