//! SPEC [13.14]: the further identifiers that `cut=identifiers` cuts from a text after section 5.
//!
//! All patterns are of visible ASCII characters, and what decides a match is short: at most [`LONGEST_HEAD`] bytes,
//! after which some match go on to the next character that is not visible. So every place at which a match may begin
//! is examined once, and a place waits only if less text than that is certain. O(n) time, no memory of its own.

use crate::classed_text::ClassedText;
use crate::unicode::class;

/// Labels of a host before its last one, at most.
const MOST_LABELS: usize = 8;
/// Bytes of a label.
const LONGEST_LABEL: usize = 63;
/// Bytes of the first part of an absolute path.
const LONGEST_PART: usize = 255;
/// Bytes of the name after `ark:` or `hdl:`.
const LONGEST_AUTHORITY: usize = 64;
/// Digits of a digest in hexadecimal, from MD5's to SHA-512's.
const DIGEST: std::ops::RangeInclusive<usize> = 32..=128;

/// A head of a match is never longer: a host of nine labels with a port.
#[cfg(test)]
const LONGEST_HEAD: usize = (MOST_LABELS + 1) * (LONGEST_LABEL + 1) + 6;

/// Cuts identifiers from a text that section 5 was applied to, as far as that is certain.
#[derive(Default)]
pub(crate) struct IdentifierCutter {
    /// The first byte that has not been examined.
    position: usize,
    /// The byte before it; 0 where that is not visible, or was cut by section 5.
    before: u8,
    /// Whether a match goes on there, up to the next byte that is not visible.
    open: bool,
}

/// A match: the byte after its head, and whether it goes on from there.
#[derive(Clone, Copy)]
struct Match {
    end: usize,
    goes_on: bool,
}

/// What a look at some place gives: nothing where it depends on text that is not there yet.
type Look = Option<Option<Match>>;

impl IdentifierCutter {
    /// Cuts the matches that begin before `certain`, up to which the text does not change any more. Returns the
    /// same for the text after these cuts; `ends` says that nothing follows the text, of which then all is certain.
    pub(crate) fn advance(&mut self, text: &mut ClassedText, certain: usize, ends: bool) -> usize {
        while self.position < certain {
            let view = View { text, certain, ends };
            let byte = view.visible(self.position);
            if self.open {
                self.open = byte != 0;
                let step = usize::from(self.open);
                text.cut(self.position..self.position + step);
                self.before = byte;
                self.position += step;
                continue;
            }
            let found = match byte {
                0 => None,
                _ if is_alphanumeric(self.before) => None,
                _ => match view.look(self.position, self.before) {
                    Some(found) => found,
                    None => return self.position,
                },
            };
            match found {
                Some(found) => {
                    self.before = view.visible(found.end - 1);
                    text.cut(self.position..found.end);
                    self.position = found.end;
                    self.open = found.goes_on;
                }
                None => {
                    self.before = byte;
                    self.position += 1;
                }
            }
        }
        self.position
    }

    /// The first `bytes` bytes of the text, which must have been certain, were removed.
    pub(crate) fn removed(&mut self, bytes: usize) {
        debug_assert!(bytes <= self.position);
        self.position -= bytes;
    }
}

/// A text that section 5 was applied to, up to where that is certain.
struct View<'a> {
    text: &'a ClassedText,
    certain: usize,
    ends: bool,
}

impl View<'_> {
    /// The byte at a place that is certain; 0 if it is not visible ASCII or was cut.
    fn visible(&self, at: usize) -> u8 {
        let byte = self.text.text()[at];
        let visible = byte.is_ascii_graphic() && self.text.classes()[at] != class::CUT;
        if visible { byte } else { 0 }
    }

    /// The same at any place; nothing where it is not certain, 0 after the end.
    fn at(&self, at: usize) -> Option<u8> {
        if at < self.certain {
            return Some(self.visible(at));
        }
        self.ends.then_some(0)
    }

    /// The place after a name, if it is here.
    fn name(&self, mut at: usize, name: &[u8]) -> Option<Option<usize>> {
        for &byte in name {
            if self.at(at)? != byte {
                return Some(None);
            }
            at += 1;
        }
        Some(Some(at))
    }

    /// The place after the longest run of such bytes, at most one more than `most`.
    fn run(&self, from: usize, most: usize, is: fn(u8) -> bool) -> Option<usize> {
        let mut at = from;
        while at - from <= most && is(self.at(at)?) {
            at += 1;
        }
        Some(at)
    }

    /// The same for so many bytes exactly; nothing where there are fewer, or where one more follows.
    fn exactly(&self, from: usize, bytes: usize, is: fn(u8) -> bool) -> Option<Option<usize>> {
        let end = self.run(from, bytes, is)?;
        Some((end - from == bytes).then_some(end))
    }

    /// The match that begins at `from`, after `before`, which is neither a letter nor a digit: of the first pattern
    /// that matches.
    fn look(&self, from: usize, before: u8) -> Look {
        let first = self.visible(from);
        if let Some(found) = self.named(from, first)? {
            return Some(Some(found));
        }
        // What could continue a host, a path or an address to the left.
        if !matches!(before, b'.' | b'/' | b'_' | b'@' | b'~' | b'-') {
            if let Some(found) = self.host(from)? {
                return Some(Some(found));
            }
            if let Some(found) = self.path(from, first)? {
                return Some(Some(found));
            }
        }
        if let Some(found) = self.drive(from, first)? {
            return Some(Some(found));
        }
        let end = match self.uuid(from)? {
            None => match self.digest(from)? {
                None => match self.orcid(from)? {
                    None => self.pmc(from, first)?,
                    found => found,
                },
                found => found,
            },
            found => found,
        };
        let Some(end) = end else { return Some(None) };
        let whole = !is_alphanumeric(self.at(end)?);
        Some(whole.then_some(Match { end, goes_on: false }))
    }

    /// `(ark:/?|hdl:)[0-9a-z.-]{1,64}/[!-~]*` or `swh:[0-9]{1,3}:[!-~]*`
    fn named(&self, from: usize, first: u8) -> Look {
        let authority = match first {
            b'a' => match self.name(from, b"ark:")? {
                Some(at) => Some(at + usize::from(self.at(at)? == b'/')),
                None => None,
            },
            b'h' => self.name(from, b"hdl:")?,
            b's' => {
                let Some(at) = self.name(from, b"swh:")? else { return Some(None) };
                let end = self.run(at, 3, is_digit)?;
                let whole = (1..=3).contains(&(end - at)) && self.at(end)? == b':';
                return Some(whole.then_some(Match { end: end + 1, goes_on: true }));
            }
            _ => None,
        };
        let Some(at) = authority else { return Some(None) };
        let end = self.run(at, LONGEST_AUTHORITY, |byte| is_label(byte) || byte == b'.')?;
        let whole = (1..=LONGEST_AUTHORITY).contains(&(end - at)) && self.at(end)? == b'/';
        Some(whole.then_some(Match { end: end + 1, goes_on: true }))
    }

    /// `([0-9a-z-]{1,63}\.){1,8}[a-z]{2,63}(:[0-9]{1,5})?/[!-~]*`
    fn host(&self, from: usize) -> Look {
        let mut start = from;
        for before in 0..=MOST_LABELS {
            let end = self.run(start, LONGEST_LABEL, is_label)?;
            if !(1..=LONGEST_LABEL).contains(&(end - start)) {
                return Some(None);
            }
            match self.at(end)? {
                b'.' => start = end + 1,
                after @ (b'/' | b':') => {
                    let last = &self.text.text()[start..end];
                    if before == 0 || end - start < 2 || !last.iter().all(u8::is_ascii_lowercase) {
                        return Some(None);
                    }
                    if after == b'/' {
                        return Some(Some(Match { end: end + 1, goes_on: true }));
                    }
                    let port = self.run(end + 1, 5, is_digit)?;
                    let whole = (1..=5).contains(&(port - end - 1)) && self.at(port)? == b'/';
                    return Some(whole.then_some(Match { end: port + 1, goes_on: true }));
                }
                _ => return Some(None),
            }
        }
        Some(None)
    }

    /// `(/[0-9a-z._+~@%=-]{1,255}|~|\.{1,2})/\.{0,2}[0-9a-z_/][!-~]*`
    fn path(&self, from: usize, first: u8) -> Look {
        let end = match first {
            b'/' => {
                let end = self.run(from + 1, LONGEST_PART, is_part)?;
                if !(1..=LONGEST_PART).contains(&(end - from - 1)) {
                    return Some(None);
                }
                end
            }
            b'~' => from + 1,
            b'.' => from + 1 + usize::from(self.at(from + 1)? == b'.'),
            _ => return Some(None),
        };
        if self.at(end)? != b'/' {
            return Some(None);
        }
        let name = self.run(end + 1, 2, |byte| byte == b'.')?;
        let after = self.at(name)?;
        let whole = name - end <= 3 && (is_word(after) || after == b'/');
        Some(whole.then_some(Match { end: name + 1, goes_on: true }))
    }

    /// `[a-z]:[/\\][0-9a-z_][!-~]*`
    fn drive(&self, from: usize, first: u8) -> Look {
        if !first.is_ascii_lowercase() || self.at(from + 1)? != b':' {
            return Some(None);
        }
        let whole = matches!(self.at(from + 2)?, b'/' | b'\\') && is_word(self.at(from + 3)?);
        Some(whole.then_some(Match { end: from + 4, goes_on: true }))
    }

    /// `[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`
    fn uuid(&self, from: usize) -> Option<Option<usize>> {
        let Some(mut end) = self.exactly(from, 8, is_hexadecimal)? else { return Some(None) };
        for digits in [4, 4, 4, 12] {
            if self.at(end)? != b'-' {
                return Some(None);
            }
            match self.exactly(end + 1, digits, is_hexadecimal)? {
                Some(next) => end = next,
                None => return Some(None),
            }
        }
        Some(Some(end))
    }

    /// `[0-9a-f]{32,128}`
    fn digest(&self, from: usize) -> Option<Option<usize>> {
        let end = self.run(from, *DIGEST.end(), is_hexadecimal)?;
        Some(DIGEST.contains(&(end - from)).then_some(end))
    }

    /// `([0-9]{4}-){3}[0-9]{3}[0-9x]`
    fn orcid(&self, from: usize) -> Option<Option<usize>> {
        let mut at = from;
        for _ in 0..3 {
            match self.exactly(at, 4, is_digit)? {
                Some(end) if self.at(end)? == b'-' => at = end + 1,
                _ => return Some(None),
            }
        }
        let end = self.run(at, 4, is_digit)?;
        Some(match end - at {
            4 => Some(end),
            3 if self.at(end)? == b'x' => Some(end + 1),
            _ => None,
        })
    }

    /// `pmc[0-9]{3,10}`
    fn pmc(&self, from: usize, first: u8) -> Option<Option<usize>> {
        if first != b'p' {
            return Some(None);
        }
        let Some(at) = self.name(from, b"pmc")? else { return Some(None) };
        let end = self.run(at, 10, is_digit)?;
        Some((3..=10).contains(&(end - at)).then_some(end))
    }
}

/// `[a-z0-9]`
fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

/// `[0-9a-z_]`
fn is_word(byte: u8) -> bool {
    is_alphanumeric(byte) || byte == b'_'
}

/// `[0-9]`
fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

/// `[0-9a-f]`
fn is_hexadecimal(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// `[0-9a-z-]`
fn is_label(byte: u8) -> bool {
    is_alphanumeric(byte) || byte == b'-'
}

/// `[0-9a-z._+~@%=-]`
fn is_part(byte: u8) -> bool {
    is_label(byte) || matches!(byte, b'.' | b'_' | b'+' | b'~' | b'@' | b'%' | b'=')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unicode::class_of;

    /// The text with a space for each part that is cut, where so many bytes become certain at once.
    fn cut(text: &str, step: usize) -> String {
        let mut classed = ClassedText::default();
        text.chars().for_each(|c| classed.push(c, class_of(c)));
        let mut cutter = IdentifierCutter::default();
        let mut waiting = 0;
        for certain in (0..text.len()).step_by(step) {
            let done = cutter.advance(&mut classed, certain, false);
            waiting = waiting.max(certain - done);
        }
        assert!(waiting <= LONGEST_HEAD, "{waiting} bytes wait");
        assert_eq!(cutter.advance(&mut classed, text.len(), true), text.len());
        let kept = text.bytes().zip(classed.classes());
        let kept = kept.map(|(byte, &class)| if class == class::CUT { b' ' } else { byte });
        String::from_utf8(kept.collect()).unwrap()
    }

    #[test]
    fn what_waits_is_bounded_and_pieces_change_nothing() {
        let long_host = format!("{}org/x y", "a-1.".repeat(8));
        let labels = format!("{} z", format!("{}.", "b".repeat(63)).repeat(40));
        let slashes = format!("{} /a{}/b z", "/".repeat(5000), "c".repeat(300));
        let hexadecimal = format!("{}/{} z", "0123456789abcdef".repeat(9), "f".repeat(128));
        let tail = format!("(swh:1:{}) 日本/usr/lib。pmc12345678901 pmc123", "~".repeat(3000));
        for text in [long_host, labels, slashes, hexadecimal, tail] {
            let whole = cut(&text, text.len());
            for step in [1, 7, 64] {
                assert_eq!(cut(&text, step), whole, "{text:.40}");
            }
        }
    }

    #[test]
    fn only_what_is_an_identifier_is_cut() {
        for (text, wanted) in [
            ("fog/rain and/or noon", "fog/rain and/or noon"),
            ("at e.g./i.e. 12/2024", "at e.g./i.e. 12/2024"),
            ("an hdl:ldl ratio", "an hdl:ldl ratio"),
            ("see /bat/ and /t/ or /d/.", "see /bat/ and /t/ or /d/."),
            ("in ~/fog now", "in       now"),
        ] {
            assert_eq!(cut(text, 3), wanted);
        }
    }
}
