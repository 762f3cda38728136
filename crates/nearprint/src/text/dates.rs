//! Which numbers of a text are a date, a time of day, or how long something took: pages differ in these without saying
//! anything else.
//!
//! Forms are recognised without the names of months, so in every language that writes numbers so: `2024-03-12`,
//! `12.03.2024`, `12/3/2024`, `12 March 2024`, `12 de marzo de 2024`, `March 12, 2024`, `12:30:05`, `0.03 s`.

use nearprint_fingerprint::Number;

/// What stands between numbers that are one: `1,000`, `3.14`, `1'000`.
const GROUP_JOINTS: [u8; 3] = [b'.', b',', b'\''];

/// The fewest letters of the name of a month, or of a short form of it.
const MONTH_LETTERS: usize = 3;

/// Whether a number and the one before it are one.
pub(crate) fn continues_group(number: &Number) -> bool {
    GROUP_JOINTS.contains(&number.joint)
}

/// Whether the words between two numbers may be the name of a month, by their hashes and the letters of the last one:
/// none in `March 12, 1995`, one in `12 March 1995` but not in `12 of 1995`, three in `12 de marzo de 1995`.
pub(crate) fn may_name_month(words: &[u64], letters: usize) -> bool {
    match words {
        [] => true,
        [_] => letters >= MONTH_LETTERS,
        [before, _, after] => before == after,
        _ => false,
    }
}

/// The code points of the last of some tokens with spaces between them.
pub(crate) fn last_letters(tokens: &[u8]) -> usize {
    let last = tokens.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    last.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

/// A number that came before.
#[derive(Debug, Clone, Copy, Default)]
struct EarlierNumber {
    value: u32,
    digits: u32,
    joint: u8,
}

impl EarlierNumber {
    fn is_year(self) -> bool {
        self.digits == 4 && (1900..=2100).contains(&self.value)
    }

    fn is_within(self, least: u32, most: u32) -> bool {
        self.digits <= 2 && (least..=most).contains(&self.value)
    }
}

/// Reads the numbers of a text in order.
#[derive(Debug, Default)]
pub(crate) struct DateReader {
    /// The last two, the latest first.
    before: [EarlierNumber; 2],
}

impl DateReader {
    /// Takes a number; `may_name_month` says whether the words since the number before it may be the name of a month.
    /// Returns how many of the last numbers, this one included, are known by it as a date or time.
    pub(crate) fn push(&mut self, number: &Number, may_name_month: bool) -> usize {
        let Number { value, digits, joint, .. } = *number;
        let last = EarlierNumber { value, digits, joint };
        let [middle, first] = self.before;
        self.before = [last, middle];
        match last.joint {
            b':' if last.digits == 2 && last.is_within(0, 59) && middle.is_within(0, 59) => {
                if middle.joint == b':' {
                    3
                } else {
                    2
                }
            }
            b'-' | b'.' | b'/' if middle.joint == last.joint => {
                let begins = first.is_year() && middle.is_within(1, 12) && last.is_within(1, 31);
                let ends = last.is_year() && first.is_within(1, 31) && middle.is_within(1, 31);
                if begins || ends { 3 } else { 0 }
            }
            0 if may_name_month && last.is_year() && middle.is_within(1, 31) => 2,
            _ => 0,
        }
    }

    /// Whether the last numbers are a part of one, as in `0.03`.
    pub(crate) fn is_fraction(&self) -> bool {
        let [last, middle] = self.before;
        last.joint == b'.' && (middle.value, middle.digits) == (0, 1)
    }

    /// Begins another text.
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }
}
