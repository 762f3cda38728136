//! What stands between tokens, read byte by byte: numbers, signs, addresses, pictographs, and what separates them.

use super::sign::{Sign, is_pictograph};
use super::{Number, Residue, Unit, UnitSink};
use crate::unicode::class::{APART, CUT, DIGIT};
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
    length: u32,
    is_loose: bool,
    is_arithmetic: bool,
    /// Whether all of them may end a name, and whether all only join words.
    are_suffix: bool,
    are_joints: bool,
    are_exclamations: bool,
    /// Whether a line begins with them, as an item of a list does.
    begin_line: bool,
    left: Operand,
    /// The same of any word or number.
    left_word: Operand,
    /// Whether white space has followed.
    is_over: bool,
}

/// Signs in a row from which on they are drawing: rules, boxes, arrows of plain text.
const DRAWING: u32 = 4;

impl PendingSigns {
    /// Whether they belong to a number or a token of one letter.
    fn count(&self, right: Operand) -> bool {
        if !self.is_arithmetic {
            return false;
        }
        if self.is_loose {
            return (self.left, right) != (Operand::None, Operand::None);
        }
        self.left == Operand::Touching
            || right == Operand::Touching
            || (self.left, right) == (Operand::Near, Operand::Near)
    }

    /// What they say where they do not.
    fn residue(&self, right: Operand) -> Option<Residue> {
        if self.begin_line || self.length >= DRAWING {
            return None;
        }
        match (self.left_word, right) {
            (Operand::Touching, Operand::Touching) if self.are_joints => None,
            (Operand::Touching, Operand::Touching) => Some(Residue::Operator),
            (Operand::Touching, _) if self.are_suffix => Some(Residue::Suffix),
            (Operand::Touching, _) if self.are_exclamations => None,
            (Operand::Touching, _) | (_, Operand::Touching) => Some(Residue::Operator),
            (Operand::Near, Operand::Near) => Some(Residue::Operator),
            _ => None,
        }
    }
}

/// An address on its way, byte by byte.
#[derive(Debug, Default)]
struct PendingAddress {
    hash: u64,
    length: u32,
    /// The hash up to the last byte that is not punctuation: a full stop after an address is none of it.
    solid: u64,
}

/// Whether an address begins with `http://` or `https://` makes no difference.
const SCHEMES: [u64; 2] = [hash_of(b"http://"), hash_of(b"https://")];

impl PendingAddress {
    fn push(&mut self, byte: u8) {
        self.hash = next(self.hash, byte.into());
        self.length += 1;
        if matches!(self.length, 7 | 8) && SCHEMES.contains(&self.hash) {
            self.hash = 0;
        }
        if !matches!(
            byte,
            b'.' | b','
                | b';'
                | b':'
                | b'!'
                | b'?'
                | b'\''
                | b'"'
                | b')'
                | b']'
                | b'}'
                | b'>'
                | b'/'
        ) {
            self.solid = self.hash;
        }
    }
}

/// What may go on.
#[derive(Debug, Default)]
enum Open {
    #[default]
    Nothing,
    /// Its digits so far, its hash not finished yet, and whether it is an exponent.
    Number(Number, bool),
    Signs(PendingSigns),
    Address(PendingAddress),
    Pictographs(u64),
}

/// What is open where reading goes on.
#[derive(Debug, Default)]
pub(super) struct Between {
    open: Open,
    /// How near a number or a token of one letter is, and how near any word is.
    left: Operand,
    left_word: Operand,
    /// Whether anything but white space has come since the line began.
    is_inside_line: bool,
    joint: Joint,
}

/// What stands between the last number and what comes now.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Joint {
    /// More than one ASCII character, or something else.
    #[default]
    Else,
    Nothing,
    One(u8),
}

impl Between {
    /// Reads normalised text that is part of no token, with its classes.
    #[inline]
    pub(super) fn read(&mut self, text: &[u8], classes: &[u8], sink: &mut impl UnitSink) {
        let mut at = 0;
        while at < text.len() {
            let (first, class) = (text[at], classes[at]);
            // What most tokens have between them.
            if first == b' ' {
                self.blank(sink);
                at += 1;
                continue;
            }
            if class == CUT {
                self.address(first, sink);
                at += 1;
                continue;
            }
            let (c, length) =
                if first < 0x80 { (char::from(first), 1) } else { decode(&text[at..]) };
            at += length;
            if class & DIGIT != 0 {
                self.digit(digit(c), class & APART != 0, sink);
            } else if let Some(sign) = Sign::of(c) {
                self.sign(c, sign, sink);
            } else if c.is_whitespace() {
                self.blank(sink);
                if c == '\n' {
                    (self.left_word, self.is_inside_line) = (Operand::None, false);
                }
            } else {
                self.other(c, sink);
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
            self.close(near(&text[..first_end]), Operand::Touching, sink);
        }
        sink.tokens(text, hashes);
        self.left = near(&text[last_start..]);
        (self.left_word, self.is_inside_line) = (Operand::Touching, true);
        self.joint = Joint::Else;
    }

    /// Nothing follows.
    pub(super) fn end(&mut self, sink: &mut impl UnitSink) {
        self.close(Operand::None, Operand::None, sink);
    }

    fn digit(&mut self, value: u8, is_apart: bool, sink: &mut impl UnitSink) {
        let continues =
            matches!(self.open, Open::Number(_, is_exponent) if is_exponent == is_apart);
        if !continues {
            self.close(Operand::Touching, Operand::Touching, sink);
            let joint = if let Joint::One(joint) = self.joint { joint } else { 0 };
            self.joint = Joint::Else;
            self.open = Open::Number(Number { joint, ..Number::default() }, is_apart);
            self.is_inside_line = true;
        }
        if let Open::Number(number, _) = &mut self.open {
            number.hash = next(number.hash, value.into());
            number.value = number.value.saturating_mul(10).saturating_add(value.into());
            number.digits = number.digits.saturating_add(1);
        }
    }

    fn sign(&mut self, c: char, sign: Sign, sink: &mut impl UnitSink) {
        let joint = self.joint_with(c);
        if c == '\u{2044}'
            && let Open::Number(_, is_exponent) = &mut self.open
        {
            // The numerator of a fraction.
            *is_exponent = false;
        }
        match &mut self.open {
            Open::Signs(signs) if !signs.is_over => {
                // Dashes of any length are one dash.
                if !(sign.value == '-' && signs.hash == next(0, '-'.into())) {
                    signs.hash = next(signs.hash, sign.value.into());
                }
                signs.length += 1;
                signs.is_loose |= sign.is_loose;
                signs.is_arithmetic |= sign.is_arithmetic;
                signs.are_suffix &= sign.is_suffix();
                signs.are_joints &= sign.is_joint();
                signs.are_exclamations &= sign.value == '!';
            }
            _ => {
                self.close(Operand::None, Operand::None, sink);
                self.open = Open::Signs(PendingSigns {
                    hash: next(0, sign.value.into()),
                    length: 1,
                    is_loose: sign.is_loose,
                    is_arithmetic: sign.is_arithmetic,
                    are_suffix: sign.is_suffix(),
                    are_joints: sign.is_joint(),
                    are_exclamations: sign.value == '!',
                    begin_line: !self.is_inside_line,
                    left: std::mem::take(&mut self.left),
                    left_word: std::mem::take(&mut self.left_word),
                    is_over: false,
                });
                self.is_inside_line = true;
            }
        }
        self.joint = joint;
    }

    fn address(&mut self, byte: u8, sink: &mut impl UnitSink) {
        if !matches!(self.open, Open::Address(_)) {
            self.close(Operand::None, Operand::None, sink);
            (self.left, self.left_word) = (Operand::None, Operand::None);
            self.open = Open::Address(PendingAddress::default());
            (self.joint, self.is_inside_line) = (Joint::Else, true);
        }
        if let Open::Address(address) = &mut self.open {
            address.push(byte);
        }
    }

    /// Punctuation and all else.
    fn other(&mut self, c: char, sink: &mut impl UnitSink) {
        let joint = self.joint_with(c);
        let is_pictograph = is_pictograph(c);
        match &mut self.open {
            Open::Pictographs(hash) if is_pictograph => *hash = next(*hash, c.into()),
            _ => {
                self.close(Operand::None, Operand::None, sink);
                self.left = Operand::None;
                // An operator behind a closing bracket is near what that closes: `f(a) + g(b)`.
                self.left_word = match self.left_word {
                    Operand::Near | Operand::Touching if ends_operand(c) => Operand::Near,
                    _ => Operand::None,
                };
                if is_pictograph {
                    self.open = Open::Pictographs(next(0, c.into()));
                }
            }
        }
        (self.joint, self.is_inside_line) = (joint, true);
    }

    /// What stands after the last number with a character that is not a digit, not a blank and not part of no word.
    fn joint_with(&self, c: char) -> Joint {
        let follows = self.joint == Joint::Nothing || matches!(self.open, Open::Number(_, false));
        if follows && c.is_ascii() { Joint::One(c as u8) } else { Joint::Else }
    }

    #[inline(always)]
    pub(super) fn blank(&mut self, sink: &mut impl UnitSink) {
        match &mut self.open {
            Open::Nothing => {}
            Open::Signs(signs) => {
                signs.is_over = true;
                self.joint = Joint::Else;
                return;
            }
            _ => self.close(Operand::None, Operand::None, sink),
        }
        self.joint = Joint::Else;
        if self.left == Operand::Touching {
            self.left = Operand::Near;
        }
        if self.left_word == Operand::Touching {
            self.left_word = Operand::Near;
        }
    }

    /// Whether something may go on.
    #[inline(always)]
    fn is_open(&self) -> bool {
        !matches!(self.open, Open::Nothing)
    }

    /// Something else begins here: passes on what is open. `right` says whether it can be what signs belong to, `word`
    /// whether it is a word or a number.
    #[inline]
    fn close(&mut self, right: Operand, word: Operand, sink: &mut impl UnitSink) {
        match std::mem::take(&mut self.open) {
            Open::Nothing => {}
            Open::Number(number, false) => {
                sink.unit(Unit::Number(Number { hash: mixed(number.hash), ..number }));
                (self.left, self.left_word) = (Operand::Touching, Operand::Touching);
                self.joint = Joint::Nothing;
            }
            Open::Number(number, true) => {
                sink.unit(Unit::Residue(Residue::Exponent, mixed(number.hash)));
                (self.left, self.left_word) = (Operand::Touching, Operand::Touching);
            }
            Open::Signs(signs) => {
                let near = |operand| match operand {
                    Operand::Touching if signs.is_over => Operand::Near,
                    operand => operand,
                };
                if signs.count(near(right)) {
                    sink.unit(Unit::Sign(mixed(signs.hash)));
                } else if let Some(residue) = signs.residue(near(word)) {
                    sink.unit(Unit::Residue(residue, mixed(signs.hash)));
                }
                (self.left, self.left_word) = (Operand::None, Operand::None);
            }
            Open::Address(address) if address.solid != 0 => {
                sink.unit(Unit::Residue(Residue::Address, mixed(address.solid)));
            }
            Open::Address(_) => {}
            Open::Pictographs(hash) => sink.unit(Unit::Residue(Residue::Pictograph, mixed(hash))),
        }
    }
}

/// Whether a character closes what a word or number ended.
fn ends_operand(c: char) -> bool {
    matches!(c, ')' | ']' | '}' | '"' | '\'')
}

/// The hash of ASCII bytes.
const fn hash_of(bytes: &[u8]) -> u64 {
    let (mut hash, mut at) = (0, 0);
    while at < bytes.len() {
        hash = next(hash, bytes[at] as u64);
        at += 1;
    }
    hash
}

/// The hash of a name.
pub(super) fn name(bytes: impl Iterator<Item = u8>) -> u64 {
    mixed(bytes.fold(0, |hash, byte| next(hash, byte.into())))
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

const fn next(hash: u64, value: u64) -> u64 {
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
