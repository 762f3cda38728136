//! What stands between tokens, read byte by byte: numbers, signs, and what separates them.

use super::sign::Sign;
use super::{Unit, UnitSink};
use crate::unicode::class::{CUT, DIGIT};
use crate::unicode::class_of;

/// An odd number with bits all over, by which hashes of numbers and signs go on.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// How near a number or a token of one letter is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Operand {
    /// There is none.
    #[default]
    None,
    /// With white space between.
    Near,
    /// Side by side.
    Touching,
}

/// Adjacent signs of which it is not known yet whether they count.
#[derive(Debug)]
struct PendingSigns {
    hash: u64,
    is_loose: bool,
    left: Operand,
    /// Whether white space has followed.
    is_over: bool,
}

impl PendingSigns {
    fn counts(&self, right: Operand) -> bool {
        if self.is_loose {
            return (self.left, right) != (Operand::None, Operand::None);
        }
        self.left == Operand::Touching
            || right == Operand::Touching
            || (self.left, right) == (Operand::Near, Operand::Near)
    }
}

/// What is open where reading goes on.
#[derive(Debug, Default)]
pub(super) struct Between {
    /// The hash of the number's digits so far.
    number: Option<u64>,
    signs: Option<PendingSigns>,
    left: Operand,
}

impl Between {
    /// Reads normalised text that is part of no token, with its classes.
    #[inline]
    pub(super) fn read(&mut self, text: &[u8], classes: &[u8], sink: &mut impl UnitSink) {
        let mut at = 0;
        while at < text.len() {
            let (first, class) = (text[at], classes[at]);
            // What most tokens have between them.
            if first == b' ' || class == CUT {
                self.blank(sink);
                at += 1;
                continue;
            }
            let (c, length) =
                if first < 0x80 { (char::from(first), 1) } else { decode(&text[at..]) };
            at += length;
            if class & DIGIT != 0 {
                self.digit(digit(c), sink);
            } else if let Some(sign) = Sign::of(c) {
                self.sign(sign, sink);
            } else if c.is_whitespace() {
                self.blank(sink);
            } else {
                self.close(Operand::None, sink);
                self.left = Operand::None;
            }
        }
    }

    /// Passes on tokens with a single space between each two: the first ends at `first_end` of their text, the last
    /// begins at `last_start`.
    #[inline(always)]
    pub(super) fn tokens(
        &mut self,
        text: &[u8],
        [first_end, last_start]: [usize; 2],
        hashes: &[u64],
        sink: &mut impl UnitSink,
    ) {
        let near = |token| if is_one_letter(token) { Operand::Touching } else { Operand::None };
        if self.is_open() {
            self.close(near(&text[..first_end]), sink);
        }
        sink.tokens(text, hashes);
        self.left = near(&text[last_start..]);
    }

    /// Nothing follows.
    pub(super) fn end(&mut self, sink: &mut impl UnitSink) {
        self.close(Operand::None, sink);
    }

    fn digit(&mut self, value: u8, sink: &mut impl UnitSink) {
        if self.number.is_none() {
            self.close(Operand::Touching, sink);
        }
        self.number = Some(next(self.number.unwrap_or(0), value.into()));
    }

    fn sign(&mut self, sign: Sign, sink: &mut impl UnitSink) {
        self.close_number(sink);
        match &mut self.signs {
            Some(signs) if !signs.is_over => {
                signs.hash = next(signs.hash, sign.value.into());
                signs.is_loose |= sign.is_loose;
            }
            _ => {
                self.close(Operand::None, sink);
                let left = std::mem::take(&mut self.left);
                let hash = next(0, sign.value.into());
                self.signs =
                    Some(PendingSigns { hash, is_loose: sign.is_loose, left, is_over: false });
            }
        }
    }

    #[inline(always)]
    pub(super) fn blank(&mut self, sink: &mut impl UnitSink) {
        if self.is_open() {
            self.close_number(sink);
        }
        match &mut self.signs {
            Some(signs) => signs.is_over = true,
            None if self.left == Operand::Touching => self.left = Operand::Near,
            None => {}
        }
    }

    /// Whether a number or a sign may go on.
    #[inline(always)]
    fn is_open(&self) -> bool {
        self.number.is_some() || self.signs.is_some()
    }

    /// Something else begins here: passes on what is open. `right` says whether it can be what signs belong to.
    #[inline]
    fn close(&mut self, right: Operand, sink: &mut impl UnitSink) {
        self.close_number(sink);
        if let Some(signs) = self.signs.take() {
            let near = right != Operand::None && signs.is_over;
            if signs.counts(if near { Operand::Near } else { right }) {
                sink.unit(Unit::Sign(mixed(signs.hash)));
            }
            self.left = Operand::None;
        }
    }

    #[inline]
    fn close_number(&mut self, sink: &mut impl UnitSink) {
        if let Some(hash) = self.number.take() {
            sink.unit(Unit::Number(mixed(hash)));
            self.left = Operand::Touching;
        }
    }
}

/// Of digits in a row the decimal values, whatever the script: they begin at zero, and scripts have ten or several
/// times ten in a row.
fn digit(c: char) -> u8 {
    if c.is_ascii() {
        return c as u8 - b'0';
    }
    let before = (1..).map_while(|steps| char::from_u32(c as u32 - steps));
    (before.take_while(|&c| class_of(c) & DIGIT != 0).count() % 10) as u8
}

fn next(hash: u64, value: u64) -> u64 {
    hash.wrapping_add(value + 1).wrapping_mul(STEP)
}

/// The finish of SPEC [11.1], so that every bit of the hash depends on all of the digits.
fn mixed(hash: u64) -> u64 {
    let mut hash = hash ^ hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}

#[cfg(test)]
pub(super) fn hash(values: impl Iterator<Item = u64>) -> u64 {
    mixed(values.fold(0, next))
}

#[cfg(test)]
pub(super) fn number(digits: impl Iterator<Item = u8>) -> u64 {
    hash(digits.map(u64::from))
}

#[inline(always)]
fn is_one_letter(token: &[u8]) -> bool {
    token.len() == 1 || token.len() <= 4 && token[1..].iter().all(|byte| byte & 0xC0 == 0x80)
}

/// The code point that a text begins with, and its bytes.
fn decode(text: &[u8]) -> (char, usize) {
    let length = match text[0] {
        0..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0.. => 4,
    };
    let c = text.get(..length).and_then(|utf8| std::str::from_utf8(utf8).ok());
    // Normalised text is well-formed.
    c.and_then(|c| c.chars().next()).map_or((char::REPLACEMENT_CHARACTER, 1), |c| (c, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_script_have_their_value() {
        let mut scripts = 0;
        for c in ('\u{80}'..=char::MAX).filter(|&c| class_of(c) & DIGIT != 0) {
            let before = char::from_u32(c as u32 - 1).is_some_and(|c| class_of(c) & DIGIT != 0);
            if !before {
                scripts += 1;
                let count = (c..).take_while(|&c| class_of(c) & DIGIT != 0).count();
                assert!(count.is_multiple_of(10), "{c:?}");
                assert_eq!((digit(c), digit((c..).nth(7).unwrap())), (0, 7));
            }
        }
        assert!(scripts > 50);
    }
}
