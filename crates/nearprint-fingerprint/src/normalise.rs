//! SPEC section 3.2 and section 4: unassigned code points, decomposition, folding, the bound, composition; in one
//! pass, streaming.
//!
//! Two ways lead through it. Most code points are *quick*: alone they become one code point, and what stands around
//! them does not matter unless it is a mark or a vowel sign that moves or composes. The fast way appends them as they
//! come. Where something else comes, the text from the last starter on is taken back and given to the [`Machine`],
//! which is the standard's text word for word, until the next code point at which normalisation begins anew.

use crate::classed_text::{ClassedText, class_in_text};
use crate::unicode::{Properties, combining_class, compose, decompose, folding};

/// SPEC [4.4].
const LONGEST_RUN: usize = 30;

/// Runs of non-starters that are longer than this are left to the machine, which counts exactly. With the marks that
/// a quick letter brings along (three at most) it stays below [`LONGEST_RUN`].
const LONGEST_QUICK_RUN: usize = 16;

/// U+0345, the non-starter that folds to a letter: of the highest combining class, so it sorts behind all others.
const YPOGEGRAMMENI: char = '\u{345}';

#[derive(Default)]
pub(crate) struct Normaliser {
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

impl Normaliser {
    /// For the fingerprint: of more than `most` U+0345 in one run of non-starters only that many become letters.
    /// `most` must be greater than the longest word, so that they give no token either way; it bounds the memory.
    pub(crate) fn with_bounded_ypogegrammeni(most: u64) -> Self {
        Self { machine: Machine { most_ypogegrammeni: most, ..Machine::default() } }
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
            let properties = Properties::of(c);
            let begins_anew =
                properties.is_quick() && !properties.is_non_starter() && !properties.may_compose();
            if begins_anew {
                self.machine.flush(out);
                return from + offset;
            }
            self.machine.push(c, out);
        }
        text.len()
    }

    /// Appends quick code points; returns the offset behind what it took or gave to the machine.
    fn push_quickly(&mut self, text: &str, from: usize, out: &mut ClassedText) -> usize {
        out.reserve(text.len() - from);
        let octets = text.as_bytes();
        let mut at = from;
        let mut boundary: Option<Boundary> = None;
        while at < octets.len() {
            if octets[at].is_ascii() {
                let run = ascii_prefix(&octets[at..]);
                out.push_ascii(&octets[at..at + run]);
                at += run;
                boundary = Some(Boundary {
                    input: at - 1,
                    output: out.len() - 1,
                    starter: char::from(out.text()[out.len() - 1]),
                    trailing_class: 0,
                    run: 0,
                });
                continue;
            }
            // `at` is at a code point's first octet, so there is one.
            let Some(c) = text[at..].chars().next() else { break };
            let properties = Properties::of(c);
            if properties.is_quick() && fits_behind(c, properties, boundary.as_ref()) {
                if properties.is_non_starter() {
                    out.push(c, properties.target_class());
                    if let Some(boundary) = &mut boundary {
                        boundary.trailing_class = properties.trailing_class();
                        boundary.run += 1;
                    }
                } else {
                    let starter = properties.target(c);
                    boundary = Some(Boundary {
                        input: at,
                        output: out.len(),
                        starter,
                        trailing_class: properties.trailing_class(),
                        run: 0,
                    });
                    let class = if starter.is_ascii() {
                        class_in_text(starter)
                    } else {
                        properties.target_class()
                    };
                    out.push(starter, class);
                }
                at += c.len_utf8();
                continue;
            }
            at += c.len_utf8();
            break;
        }
        // What stands behind the last starter may change it: the machine takes over from there.
        let resume = match boundary {
            Some(boundary) => {
                out.truncate(boundary.output);
                boundary.input
            }
            None => from,
        };
        for c in text[resume..at].chars() {
            self.machine.push(c, out);
        }
        at
    }
}

/// Whether a quick code point can be appended as it stands behind the boundary and its run.
#[inline]
fn fits_behind(c: char, properties: Properties, boundary: Option<&Boundary>) -> bool {
    let passive = !properties.is_non_starter() && !properties.may_compose();
    if passive {
        return true;
    }
    let Some(boundary) = boundary else { return false };
    let adjacent = boundary.run == 0 && boundary.trailing_class == 0;
    if properties.may_compose() && adjacent && compose(boundary.starter, c).is_some() {
        return false;
    }
    if properties.is_non_starter() {
        boundary.trailing_class <= properties.trailing_class()
            && boundary.run < LONGEST_QUICK_RUN
            && (!properties.may_compose() || adjacent)
    } else {
        // A starter cannot compose across the non-starters of a run.
        adjacent || boundary.run > 0
    }
}

/// The number of ASCII octets at the start.
#[inline]
fn ascii_prefix(octets: &[u8]) -> usize {
    const BLOCK: usize = 64;
    let mut at = 0;
    for block in octets.chunks_exact(BLOCK) {
        // Without an early exit this becomes vector code.
        if block.iter().fold(0, |all, octet| all | octet) >= 0x80 {
            break;
        }
        at += BLOCK;
    }
    at + octets[at..].iter().take_while(|octet| octet.is_ascii()).count()
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
            out.push(c, class_in_text(c));
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
