//! Tokens of a text in blocks that are read alone: each has the part of the text that its tokens come from.
//!
//! A block begins with four variable-length numbers: where its part of the text begins, in bytes and in characters; the
//! bytes of that part; the number of tokens. After the part itself follow, for each token, how far it begins from the
//! one before, and its bytes in the text with its *form*: as in the text, as there in lower case, or another one, which
//! then follows. So a block is about a third longer than its text.

use std::io;
use std::ops::Range;

use nearprint_fingerprint::{PlacedToken, placed_tokens};

/// Tokens of a block; the last one of a text may have fewer.
pub(crate) const BLOCK: usize = 64;

/// The same bytes as in the text; the same in lower case; others.
const VERBATIM: u64 = 0;
const LOWER_CASE: u64 = 1;
const OTHER: u64 = 2;

/// A text as it is kept.
#[derive(Debug, Default)]
pub(crate) struct EncodedText {
    /// Its blocks one after the other.
    pub(crate) bytes: Vec<u8>,
    /// Where each ends.
    pub(crate) ends: Vec<usize>,
    /// The hashes of its tokens.
    pub(crate) hashes: Vec<u64>,
}

impl EncodedText {
    /// The tokens of a text, and its numbers if they count. O(n) time.
    pub(crate) fn new(text: &str, numbers: bool) -> Self {
        let mut encoder = Encoder { text, made: Self::default(), block: PendingBlock::default() };
        let (mut counted, mut characters) = (0, 0);
        placed_tokens(text, numbers, |token| {
            if encoder.block.places.len() == BLOCK {
                encoder.write(token.place.start);
            }
            if encoder.block.places.is_empty() {
                characters += text[counted..token.place.start].chars().count();
                counted = token.place.start;
                encoder.block.start = counted;
                encoder.block.characters = characters;
            }
            encoder.push(&token);
        });
        if !encoder.block.places.is_empty() {
            encoder.write(0);
        }
        encoder.made
    }
}

struct Encoder<'t> {
    text: &'t str,
    made: EncodedText,
    block: PendingBlock,
}

#[derive(Default)]
struct PendingBlock {
    /// Where its part of the text begins, in bytes and in characters.
    start: usize,
    characters: usize,
    places: Vec<Range<usize>>,
    /// The tokens one after the other, and where each ends.
    tokens: Vec<u8>,
    ends: Vec<usize>,
}

impl Encoder<'_> {
    fn push(&mut self, token: &PlacedToken<'_>) {
        self.block.places.push(token.place.clone());
        self.block.tokens.extend_from_slice(token.token);
        self.block.ends.push(self.block.tokens.len());
        self.made.hashes.push(token.hash);
    }

    /// Writes the block, whose part of the text goes on to the first token of the next one.
    fn write(&mut self, next: usize) {
        let block = &mut self.block;
        let end = block.places.last().map_or(next, |last| last.end.max(next));
        let out = &mut self.made.bytes;
        for number in [block.start, block.characters, end - block.start, block.places.len()] {
            write_number(out, number as u64);
        }
        out.extend_from_slice(&self.text.as_bytes()[block.start..end]);
        let (mut before, mut token_start) = (block.start, 0);
        for (place, &token_end) in block.places.iter().zip(&block.ends) {
            let token = &block.tokens[token_start..token_end];
            token_start = token_end;
            write_number(out, (place.start - before) as u64);
            before = place.start;
            let source = &self.text.as_bytes()[place.clone()];
            let lower = source.iter().map(u8::to_ascii_lowercase);
            let form = match () {
                () if token == source => VERBATIM,
                () if lower.eq(token.iter().copied()) => LOWER_CASE,
                () => OTHER,
            };
            write_number(out, (source.len() as u64) << 2 | form);
            if form == OTHER {
                write_number(out, token.len() as u64);
                out.extend_from_slice(token);
            }
        }
        self.made.ends.push(out.len());
        block.places.clear();
        block.tokens.clear();
        block.ends.clear();
    }
}

/// A block that was read.
#[derive(Debug, Default)]
pub(crate) struct TokenBlock {
    /// Where its part of the text begins, in bytes and in characters.
    start: usize,
    characters: usize,
    text: Vec<u8>,
    /// Places of tokens in that part.
    places: Vec<Range<usize>>,
    tokens: Vec<u8>,
    ends: Vec<usize>,
}

impl TokenBlock {
    /// Reads a block into this one.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.places.clear();
        self.tokens.clear();
        self.ends.clear();
        self.text.clear();
        self.parse(bytes).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidData, "a temporary file of passages was changed")
        })
    }

    fn parse(&mut self, mut bytes: &[u8]) -> Option<()> {
        let rest = &mut bytes;
        self.start = read_number(rest)?;
        self.characters = read_number(rest)?;
        let length = read_number(rest)?;
        let count = read_number(rest)?;
        self.text.extend_from_slice(rest.split_off(..length)?);
        let mut at = 0usize;
        for _ in 0..count {
            at = at.checked_add(read_number(rest)?)?;
            let code = read_number(rest)?;
            let end = at.checked_add(code >> 2)?;
            let source = self.text.get(at..end)?;
            match (code & 3) as u64 {
                VERBATIM => self.tokens.extend_from_slice(source),
                LOWER_CASE => self.tokens.extend(source.iter().map(u8::to_ascii_lowercase)),
                _ => {
                    let length = read_number(rest)?;
                    self.tokens.extend_from_slice(rest.split_off(..length)?);
                }
            }
            self.places.push(at..end);
            self.ends.push(self.tokens.len());
        }
        Some(())
    }

    /// A token of the block by its number in it.
    pub(crate) fn token(&self, number: usize) -> Option<&[u8]> {
        let end = *self.ends.get(number)?;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.tokens.get(start..end)
    }

    /// The place of a token in the text, in bytes.
    pub(crate) fn place(&self, number: usize) -> Option<Range<usize>> {
        let place = self.places.get(number)?;
        Some(self.start + place.start..self.start + place.end)
    }

    /// How many characters of the text are before a byte of this part of it.
    pub(crate) fn characters_before(&self, byte: usize) -> usize {
        let part = self.text.get(..byte.saturating_sub(self.start)).unwrap_or(&self.text);
        // Each character has one byte that does not continue another.
        self.characters + part.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
    }

    /// The part of a range of bytes of the text that this block has.
    pub(crate) fn text(&self, range: &Range<usize>) -> &[u8] {
        let from = range.start.saturating_sub(self.start).min(self.text.len());
        let to = range.end.saturating_sub(self.start).min(self.text.len());
        &self.text[from..to.max(from)]
    }

    /// Where its part of the text ends, in bytes.
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Writes a number in 7 bits a byte, the lowest first.
fn write_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.split_off_first()?;
        number |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return usize::try_from(number).ok();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_the_tokens_of_the_text_and_their_places() {
        let text = " Größe 12 and FOG; ﬁles 日本のテスト, ㌢ x. ".repeat(40);
        for numbers in [false, true] {
            let encoded = EncodedText::new(&text, numbers);
            let mut wanted = Vec::new();
            placed_tokens(&text, numbers, |token| {
                wanted.push((token.token.to_vec(), token.place, token.hash));
            });
            assert_eq!(encoded.ends.len(), wanted.len().div_ceil(BLOCK));
            let mut block = TokenBlock::default();
            for (number, (token, place, hash)) in wanted.iter().enumerate() {
                let ends = &encoded.ends;
                let start = (number / BLOCK).checked_sub(1).map_or(0, |before| ends[before]);
                block.read(&encoded.bytes[start..ends[number / BLOCK]]).unwrap();
                assert_eq!(block.token(number % BLOCK), Some(&token[..]));
                assert_eq!(block.place(number % BLOCK).as_ref(), Some(place));
                assert_eq!(block.text(place), text[place.clone()].as_bytes());
                assert_eq!(block.characters_before(place.end), text[..place.end].chars().count());
                assert_eq!(encoded.hashes[number], *hash);
            }
        }
    }

    #[test]
    fn damaged_blocks_are_errors() {
        let encoded = EncodedText::new("Größe and FOG; ﬁles 日本のテスト", false);
        let mut block = TokenBlock::default();
        for cut in 0..encoded.bytes.len() {
            assert!(block.read(&encoded.bytes[..cut]).is_err());
        }
        for at in 0..encoded.bytes.len() {
            let mut bytes = encoded.bytes.clone();
            bytes[at] ^= 0xFF;
            let _ = block.read(&bytes);
        }
    }
}
