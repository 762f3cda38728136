//! SPEC section 3.2 and section 4 word for word, a code point at a time.

use super::is_apart;
use crate::classed_text::ClassedText;
use crate::unicode::{Properties, class, class_of, combining_class, compose, decompose, folding};

/// SPEC [4.4].
pub(super) const LONGEST_RUN: usize = 30;

/// U+0345, the non-starter that folds to a letter: of the highest combining class, so it sorts after all others.
const YPOGEGRAMMENI: char = '\u{345}';

/// Normalisation by the letter, a code point at a time, in memory bounded by SPEC [4.4].
pub(super) struct Machine {
    /// The run of non-starters of the decomposed text [4.1], without U+0345: the first [`LONGEST_RUN`] in canonical
    /// order. Those after them are dropped by [4.4] whatever follows.
    run: Vec<(u8, char)>,
    /// The number of U+0345 of that run.
    ypogegrammeni: u64,
    most_ypogegrammeni: u64,
    /// The number of non-starters since the last starter of the folded text, as [4.4] counts.
    kept: usize,
    /// The starter to compose with, and the non-starters after it in canonical order [4.5].
    starter: Option<char>,
    marks: Vec<(u8, char)>,
    /// Whether the starter is a digit that stands apart from those before it, and whether the next one is.
    is_apart: bool,
    next_is_apart: bool,
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
            is_apart: false,
            next_is_apart: false,
        }
    }
}

impl Machine {
    /// Of more than `most` U+0345 in one run of non-starters only that many become letters.
    pub(super) fn with_bounded_ypogegrammeni(most: u64) -> Self {
        Self { most_ypogegrammeni: most, ..Self::default() }
    }

    /// Whether anything is held back.
    pub(super) fn is_busy(&self) -> bool {
        self.starter.is_some()
            || !self.run.is_empty()
            || !self.marks.is_empty()
            || self.ypogegrammeni > 0
            || self.kept > 0
    }

    /// [3.2] and [4.1].
    pub(super) fn push(&mut self, c: char, out: &mut ClassedText) {
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
        self.next_is_apart = is_apart(c);
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
        self.is_apart = std::mem::take(&mut self.next_is_apart);
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
        if let Some(c) = self.starter.take() {
            let apart = if self.is_apart { class::APART } else { 0 };
            out.push(c, class_of(c) | apart);
        }
        for (_, mark) in self.marks.drain(..) {
            out.push(mark, class_of(mark));
        }
    }

    /// Appends all that is held back: the text ends, or what follows starts again.
    pub(super) fn flush(&mut self, out: &mut ClassedText) {
        self.close_run(out);
        self.compose_marks();
        self.emit(out);
        self.kept = 0;
    }
}

/// Inserts after the entries of the same or a lower class: canonical order is stable.
fn insert_in_order(marks: &mut Vec<(u8, char)>, class: u8, c: char) {
    let at = marks.partition_point(|&(other, _)| other <= class);
    marks.insert(at, (class, c));
}
