//! SPEC section 3.2 and section 4: unassigned code points, decomposition, folding, the bound, composition; in one
//! pass, streaming.
//!
//! Two ways lead through it. Most code points are *quick*: alone they become one code point, and what stands around
//! them does not matter unless it is a mark or a vowel sign that moves or composes. The fast way appends them as they
//! come. Where something else comes, the text from the last starter on is taken back and given to the [`Machine`],
//! which is the standard's text word for word, until the next code point at which normalisation starts again.

mod decode;
mod machine;

use self::decode::{BLOCK, decode, decode_short, short_leads};
use self::machine::Machine;
use crate::classed_text::{ClassedText, End};
use crate::kernel::Level;
use crate::unicode::{Properties, class, compose};

/// Runs of non-starters that are longer than this are left to the machine, which counts exactly. With the marks that
/// a quick letter brings along (three at most) it stays below the machine's
/// [`LONGEST_RUN`](machine::LONGEST_RUN).
const LONGEST_QUICK_RUN: usize = 16;

/// Where so many bytes are ASCII, it pays to look for more of them.
const ASCII_RUN: usize = 16;

/// The class of U+4E00 to U+9FFF, letters of Han that stay as they are.
const HAN_CLASS: u8 = class::PAIR;

pub(crate) struct Normaliser {
    level: Level,
    machine: Machine,
}

/// Where the text could be taken up again: at the last starter that was appended.
struct Boundary {
    /// Its offset in the input.
    input: usize,
    /// Its offset in the output.
    output: usize,
    /// What was appended for it.
    starter: char,
    /// The combining class of what was appended last.
    trailing_class: u8,
    /// The number of non-starters appended after it.
    run: usize,
}

impl Boundary {
    /// Nothing was appended yet: only what starts again fits after it, since no combining class is as high.
    fn none(input: usize, output: usize) -> Self {
        Self { input, output, starter: '\0', trailing_class: u8::MAX, run: 0 }
    }

    #[inline(always)]
    fn at(input: usize, output: usize, starter: char, trailing_class: u8) -> Self {
        Self { input, output, starter, trailing_class, run: 0 }
    }

    /// Whether a quick code point that does not start again can be appended as it stands.
    fn fits(&self, c: char, properties: Properties) -> bool {
        let adjacent = self.run == 0 && self.trailing_class == 0;
        if properties.may_compose() && adjacent && compose(self.starter, c).is_some() {
            return false;
        }
        if properties.is_non_starter() {
            self.trailing_class <= properties.trailing_class()
                && self.run < LONGEST_QUICK_RUN
                && (!properties.may_compose() || adjacent)
        } else {
            // A starter cannot compose across the non-starters of a run.
            adjacent || self.run > 0
        }
    }
}

impl Normaliser {
    pub(crate) fn new(level: Level) -> Self {
        Self { level, machine: Machine::default() }
    }

    /// For the fingerprint: of more than `most` U+0345 in one run of non-starters only that many become letters.
    /// `most` must be greater than the longest word, so that they give no token either way; it bounds the memory.
    pub(crate) fn with_bounded_ypogegrammeni(level: Level, most: u64) -> Self {
        Self { level, machine: Machine::with_bounded_ypogegrammeni(most) }
    }

    /// Appends the normalised form of what is certain by now. `text` continues what was given before.
    pub(crate) fn push_str(&mut self, text: &str, out: &mut ClassedText) {
        let mut at = 0;
        while at < text.len() {
            if self.machine.is_busy() {
                at = self.push_slowly(text, at, out);
            } else {
                at = self.push_quickly(text, at, out);
            }
        }
    }

    /// Appends what is left at the end of the text.
    pub(crate) fn finish(&mut self, out: &mut ClassedText) {
        self.machine.flush(out);
    }

    /// Feeds the machine up to a code point at which normalisation starts again; returns its offset.
    fn push_slowly(&mut self, text: &str, from: usize, out: &mut ClassedText) -> usize {
        for (offset, c) in text[from..].char_indices() {
            if Properties::of(c).begins_anew() {
                self.machine.flush(out);
                return from + offset;
            }
            self.machine.push(c, out);
        }
        text.len()
    }

    /// Appends quick code points; returns the offset after what it took or gave to the machine.
    fn push_quickly(&mut self, text: &str, from: usize, out: &mut ClassedText) -> usize {
        let bytes = text.as_bytes();
        // No target of a quick code point is more than twice as long as that.
        let mut end = out.end(2 * (bytes.len() - from));
        let mut boundary = Boundary::none(from, end.len());
        let mut at = from;
        'quick: while at < bytes.len() {
            let lead = bytes[at];
            if lead < 0x80
                && bytes[at..].first_chunk::<ASCII_RUN>().is_some_and(|run| run.is_ascii())
            {
                let (run, last) = end.push_ascii(self.level, &bytes[at..]);
                at += run;
                boundary = Boundary::at(at - 1, end.len() - 1, char::from(last), 0);
                continue;
            }
            // Not for each blank between words of three bytes a letter.
            if matches!(lead, 0x80..0xE0)
                && let Some(mut leads) = short_leads(&bytes[at..])
            {
                while leads != 0 {
                    let place = at + leads.trailing_zeros() as usize;
                    leads &= leads - 1;
                    let (c, utf8, length) = decode_short(text, place);
                    if !append(c, utf8, length, place, &mut end, &mut boundary) {
                        at = place + length;
                        break 'quick;
                    }
                }
                at += BLOCK;
                // The last code point may have passed the block's end.
                at += usize::from(bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80));
                continue;
            }
            if matches!(lead, 0xE4..=0xE9) {
                let run = end.push_han(&bytes[at..], HAN_CLASS);
                if run > 0 {
                    at += run;
                    let (last, ..) = decode(text, at - 3);
                    boundary = Boundary::at(at - 3, end.len() - 3, last, 0);
                    continue;
                }
            }
            if matches!(lead, 0xE0..0xE3 | 0xEA..0xF0)
                && let Some((run, last)) = push_steady(&bytes[at..], &mut end)
            {
                let (starter, _, length) = decode(text, at + last);
                let trailing_class = Properties::of(starter).trailing_class();
                let output = end.len() - length;
                boundary = Boundary::at(at + last, output, starter, trailing_class);
                at += run;
                continue;
            }
            let (c, utf8, length) = decode(text, at);
            let fits = append(c, utf8, length, at, &mut end, &mut boundary);
            at += length;
            if !fits {
                break;
            }
        }
        // What stands after the last starter may change it: the machine takes over from there.
        out.set_len(boundary.output);
        for c in text[boundary.input..at].chars() {
            self.machine.push(c, out);
        }
        at
    }
}

/// Appends the code points of three bytes that `bytes` begins with, and blanks between them, as far as normalisation
/// starts again at them and leaves them as they are; returns the number of their bytes and the place of the last of
/// them.
#[inline(always)]
fn push_steady(bytes: &[u8], end: &mut End<'_>) -> Option<(usize, usize)> {
    let (mut appended, mut last) = (0, None);
    while let Some(&utf8) = bytes[appended..].first_chunk::<4>() {
        if utf8[0] == b' ' && utf8[1] & 0xF0 == 0xE0 {
            end.push_utf8(utf8, 1, 0);
            last = Some(appended);
            appended += 1;
            continue;
        }
        if utf8[0] & 0xF0 != 0xE0 {
            break;
        }
        let [a, b, c, _] = utf8.map(u32::from);
        let Some(c) = char::from_u32((a & 0xF) << 12 | (b & 0x3F) << 6 | c & 0x3F) else { break };
        let properties = Properties::of(c);
        if !properties.begins_anew() || !properties.is_unchanged() {
            break;
        }
        end.push_utf8(utf8, 3, properties.target_class());
        last = Some(appended);
        appended += 3;
    }
    last.map(|last| (appended, last))
}

/// Appends the code point at `at` of the input, unless it must be left to the machine: then returns false.
#[inline(always)]
fn append(
    c: char,
    utf8: [u8; 4],
    length: usize,
    at: usize,
    end: &mut End<'_>,
    boundary: &mut Boundary,
) -> bool {
    let properties = Properties::of(c);
    if properties.begins_anew() && properties.is_unchanged() {
        *boundary = Boundary::at(at, end.len(), c, properties.trailing_class());
        end.push_utf8(utf8, length, properties.target_class());
        return true;
    }
    if !properties.begins_anew() && (!properties.is_quick() || !boundary.fits(c, properties)) {
        return false;
    }
    let target = properties.target(c);
    if properties.is_non_starter() {
        boundary.run += 1;
        boundary.trailing_class = properties.trailing_class();
    } else {
        *boundary = Boundary::at(at, end.len(), target, properties.trailing_class());
    }
    let class = properties.target_class();
    // Few code points that change become digits.
    let is_apart = class & class::DIGIT != 0 && is_apart(c);
    end.push(target, if is_apart { class | class::APART } else { class });
    true
}

/// Whether the first digit that a code point becomes stands apart from digits before it: an exponent, a note mark, the
/// numerator of a fraction. No scheme sees that; units do, since 10² is not 102.
fn is_apart(c: char) -> bool {
    matches!(
        c,
        '\u{B2}' | '\u{B3}' | '\u{B9}' | '\u{BC}'..='\u{BE}' | '\u{2070}'..='\u{2079}' | '\u{2150}'..='\u{215F}' | '\u{2189}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn han_of_the_basic_plane_stays_as_it_is() {
        for c in '\u{4E00}'..='\u{9FFF}' {
            let properties = Properties::of(c);
            assert!(properties.begins_anew() && properties.is_unchanged(), "{c:?}");
            assert_eq!((properties.target_class(), properties.trailing_class()), (HAN_CLASS, 0));
        }
    }
}
