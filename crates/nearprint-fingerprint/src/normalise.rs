//! SPEC section 3.2 and section 4: unassigned code points, decomposition, folding, the bound, composition; in one
//! pass, streaming.
//!
//! Two ways lead through it. Most code points are *quick*: alone they become one code point, and what stands around
//! them does not matter unless it is a mark or a vowel sign that moves or composes. The fast way appends them as they
//! come. Where something else comes, the text from the last starter on is taken back and given to the [`Machine`],
//! which is the standard's text word for word, until the next code point at which normalisation begins anew.

use crate::classed_text::{ClassedText, End};
use crate::kernel::Level;
use crate::unicode::{Properties, class, class_of, combining_class, compose, decompose, folding};

/// SPEC [4.4].
const LONGEST_RUN: usize = 30;

/// Runs of non-starters that are longer than this are left to the machine, which counts exactly. With the marks that
/// a quick letter brings along (three at most) it stays below [`LONGEST_RUN`].
const LONGEST_QUICK_RUN: usize = 16;

/// Where so many octets are ASCII, it pays to look for more of them.
const ASCII_RUN: usize = 16;

/// Octets whose code points are found together by a mask.
const BLOCK: usize = 32;

/// With so many code points in a block, most of them are ASCII.
const MANY: u32 = 25;

/// The class of U+4E00 to U+9FFF, letters of Han that stay as they are.
const HAN_CLASS: u8 = class::PAIR;

/// U+0345, the non-starter that folds to a letter: of the highest combining class, so it sorts behind all others.
const YPOGEGRAMMENI: char = '\u{345}';

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
    /// The number of non-starters appended behind it.
    run: usize,
}

impl Boundary {
    /// Nothing was appended yet: only what begins anew fits behind it, since no combining class is as high.
    fn none(input: usize, output: usize) -> Self {
        Self { input, output, starter: '\0', trailing_class: u8::MAX, run: 0 }
    }

    #[inline(always)]
    fn at(input: usize, output: usize, starter: char, trailing_class: u8) -> Self {
        Self { input, output, starter, trailing_class, run: 0 }
    }

    /// Whether a quick code point that does not begin anew can be appended as it stands.
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
        Self { level, machine: Machine { most_ypogegrammeni: most, ..Machine::default() } }
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

    /// Feeds the machine up to a code point at which normalisation begins anew; returns its offset.
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

    /// Appends quick code points; returns the offset behind what it took or gave to the machine.
    fn push_quickly(&mut self, text: &str, from: usize, out: &mut ClassedText) -> usize {
        let octets = text.as_bytes();
        // No target of a quick code point is more than twice as long as that.
        let mut end = out.end(2 * (octets.len() - from));
        let mut boundary = Boundary::none(from, end.len());
        let mut at = from;
        'quick: while at < octets.len() {
            let lead = octets[at];
            if lead < 0x80
                && octets[at..].first_chunk::<ASCII_RUN>().is_some_and(|run| run.is_ascii())
            {
                let (run, last) = end.push_ascii(self.level, &octets[at..]);
                at += run;
                boundary = Boundary::at(at - 1, end.len() - 1, char::from(last), 0);
                continue;
            }
            // Not for each blank between words of three octets a letter.
            if matches!(lead, 0x80..0xE0)
                && let Some(mut leads) = short_leads(&octets[at..])
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
                at += usize::from(octets.get(at).is_some_and(|octet| octet & 0xC0 == 0x80));
                continue;
            }
            if matches!(lead, 0xE4..=0xE9) {
                let run = end.push_han(&octets[at..], HAN_CLASS);
                if run > 0 {
                    at += run;
                    let (last, ..) = decode(text, at - 3);
                    boundary = Boundary::at(at - 3, end.len() - 3, last, 0);
                    continue;
                }
            }
            if matches!(lead, 0xE0..0xE3 | 0xEA..0xF0)
                && let Some((run, last)) = push_steady(&octets[at..], &mut end)
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
        // What stands behind the last starter may change it: the machine takes over from there.
        out.set_len(boundary.output);
        for c in text[boundary.input..at].chars() {
            self.machine.push(c, out);
        }
        at
    }
}

/// Appends the code points of three octets that `octets` begins with, and blanks between them, as far as normalisation begins anew
/// at them and leaves them as they are; returns the number of their octets and the place of the last of them.
#[inline(always)]
fn push_steady(octets: &[u8], end: &mut End<'_>) -> Option<(usize, usize)> {
    let (mut appended, mut last) = (0, None);
    while let Some(&utf8) = octets[appended..].first_chunk::<4>() {
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
    end.push(target, properties.target_class());
    true
}

/// The places of code points in the block at the start, where all of them are of one or two octets and many of two.
///
/// In such scripts words end too often and too irregularly for a branch on the length of each code point.
#[inline(always)]
fn short_leads(octets: &[u8]) -> Option<u64> {
    // With the octets behind that let the last code point be stored as four.
    let block = octets.get(..BLOCK + 3)?;
    let mut leads = 0;
    let mut long = 0;
    for (i, octets) in block[..BLOCK].as_chunks::<8>().0.iter().enumerate() {
        let octets = u64::from_le_bytes(*octets);
        // 10xxxxxx continues a code point; 111xxxxx begins one of three or four octets.
        let lead = ((!octets >> 7) | (octets >> 6)) & 0x0101_0101_0101_0101;
        leads |= (lead.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
        long |= octets & octets << 1 & octets << 2 & 0x8080_8080_8080_8080;
    }
    (long == 0 && leads.count_ones() < MANY).then_some(leads)
}

/// [`decode`] for code points of one or two octets.
#[inline(always)]
fn decode_short(text: &str, at: usize) -> (char, [u8; 4], usize) {
    if let Some(&utf8) = text.as_bytes()[at..].first_chunk::<4>() {
        let [a, b, ..] = utf8.map(u32::from);
        let is_long = a >= 0x80;
        let code_point = if is_long { (a & 0x1F) << 6 | b & 0x3F } else { a };
        if let Some(c) = char::from_u32(code_point) {
            return (c, utf8, 1 + usize::from(is_long));
        }
    }
    last_of(text, at)
}

/// The code point at `at`, its octets with what is behind them, and their number.
#[inline(always)]
fn decode(text: &str, at: usize) -> (char, [u8; 4], usize) {
    if let Some(&utf8) = text.as_bytes()[at..].first_chunk::<4>() {
        let [a, b, c, d] = utf8.map(u32::from);
        let (b, c, d) = (b & 0x3F, c & 0x3F, d & 0x3F);
        let (code_point, length) = match a {
            0..0x80 => (a, 1),
            0x80..0xE0 => ((a & 0x1F) << 6 | b, 2),
            0xE0..0xF0 => ((a & 0xF) << 12 | b << 6 | c, 3),
            0xF0.. => ((a & 7) << 18 | b << 12 | c << 6 | d, 4),
        };
        if let Some(c) = char::from_u32(code_point) {
            return (c, utf8, length);
        }
    }
    last_of(text, at)
}

/// The same near the end of the text.
#[cold]
fn last_of(text: &str, at: usize) -> (char, [u8; 4], usize) {
    // `at` is a boundary before the end, so there is a code point.
    let c = text[at..].chars().next().unwrap_or_default();
    let mut utf8 = [0; 4];
    let length = c.encode_utf8(&mut utf8).len();
    (c, utf8, length)
}

/// Normalisation by the letter, a code point at a time, in memory bounded by SPEC [4.4].
struct Machine {
    /// The run of non-starters of the decomposed text [4.1], without U+0345: the first [`LONGEST_RUN`] in canonical
    /// order. Those behind them are dropped by [4.4] whatever follows.
    run: Vec<(u8, char)>,
    /// The number of U+0345 of that run.
    ypogegrammeni: u64,
    most_ypogegrammeni: u64,
    /// The number of non-starters since the last starter of the folded text, as [4.4] counts.
    kept: usize,
    /// The starter to compose with, and the non-starters behind it in canonical order [4.5].
    starter: Option<char>,
    marks: Vec<(u8, char)>,
}

impl Default for Machine {
    fn default() -> Self {
        Self {
            run: Vec::new(),
            ypogegrammeni: 0,
            most_ypogegrammeni: u64::MAX,
            kept: 0,
            starter: None,
            marks: Vec::new(),
        }
    }
}

impl Machine {
    fn is_busy(&self) -> bool {
        self.starter.is_some()
            || !self.run.is_empty()
            || !self.marks.is_empty()
            || self.ypogegrammeni > 0
            || self.kept > 0
    }

    /// [3.2] and [4.1].
    fn push(&mut self, c: char, out: &mut ClassedText) {
        if Properties::of(c).is_unassigned() {
            return self.push_decomposed(' ', out);
        }
        decompose(c, |part| self.push_decomposed(part, out));
    }

    fn push_decomposed(&mut self, c: char, out: &mut ClassedText) {
        match combining_class(c) {
            0 => {
                self.close_run(out);
                self.push_folded(c, out);
            }
            _ if c == YPOGEGRAMMENI => self.ypogegrammeni += 1,
            class => {
                insert_in_order(&mut self.run, class, c);
                self.run.truncate(LONGEST_RUN);
            }
        }
    }

    /// The run's canonical order is certain now; of its non-starters only U+0345 has a folding.
    fn close_run(&mut self, out: &mut ClassedText) {
        let mut run = std::mem::take(&mut self.run);
        for (class, c) in run.drain(..) {
            self.push_bounded(c, class, out);
        }
        self.run = run;
        for _ in 0..std::mem::take(&mut self.ypogegrammeni).min(self.most_ypogegrammeni) {
            self.push_folded(YPOGEGRAMMENI, out);
        }
    }

    /// [4.2] and [4.3].
    fn push_folded(&mut self, c: char, out: &mut ClassedText) {
        match folding(c) {
            None => self.push_bounded(c, combining_class(c), out),
            Some(mapping) => {
                for c in mapping {
                    self.push_bounded(c, combining_class(c), out);
                }
            }
        }
    }

    /// [4.4].
    fn push_bounded(&mut self, c: char, class: u8, out: &mut ClassedText) {
        if class == 0 {
            self.kept = 0;
        } else if self.kept == LONGEST_RUN {
            return;
        } else {
            self.kept += 1;
        }
        // Mappings are composed; NFC begins by decomposing them.
        decompose(c, |part| self.push_for_composition(part, out));
    }

    /// [4.5].
    fn push_for_composition(&mut self, c: char, out: &mut ClassedText) {
        let class = combining_class(c);
        if class != 0 {
            return insert_in_order(&mut self.marks, class, c);
        }
        self.compose_marks();
        if let (Some(starter), true) = (self.starter, self.marks.is_empty())
            && let Some(composite) = compose(starter, c)
        {
            self.starter = Some(composite);
            return;
        }
        self.emit(out);
        self.starter = Some(c);
    }

    /// Composes the starter with those of its marks that are not blocked, and keeps the others.
    fn compose_marks(&mut self) {
        let Some(mut starter) = self.starter else { return };
        let mut last_kept = 0;
        self.marks.retain(|&(class, c)| {
            // In canonical order a mark is blocked only by one of its own class.
            if class != last_kept
                && let Some(composite) = compose(starter, c)
            {
                starter = composite;
                return false;
            }
            last_kept = class;
            true
        });
        self.starter = Some(starter);
    }

    fn emit(&mut self, out: &mut ClassedText) {
        let marks = self.marks.drain(..).map(|(_, mark)| mark);
        for c in self.starter.take().into_iter().chain(marks) {
            out.push(c, class_of(c));
        }
    }

    /// Appends all that is held back: the text ends, or what follows begins anew.
    fn flush(&mut self, out: &mut ClassedText) {
        self.close_run(out);
        self.compose_marks();
        self.emit(out);
        self.kept = 0;
    }
}

/// Inserts behind the entries of the same or a lower class: canonical order is stable.
fn insert_in_order(marks: &mut Vec<(u8, char)>, class: u8, c: char) {
    let at = marks.partition_point(|&(other, _)| other <= class);
    marks.insert(at, (class, c));
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
