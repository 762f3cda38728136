//! Underscores that are drawn and not shown: TeX sets `\_` as a short rule on the baseline.
//!
//! Only rules beside a letter are taken, so that lines under a word, of a fraction, a table or a form are none: a rule
//! counts when the next glyph follows it on its baseline without a gap, as an underscore within or at the beginning of
//! a name has it, and when the glyph before it does not stand on it, as a letter does whose underline tells it from
//! another in transliterations.

use crate::glyphs::{Glyph, GlyphText, PageGlyphs};
use crate::steps;

/// Length of an underscore in ems; TeX's is 0.3.
const LENGTHS: std::ops::RangeInclusive<f32> = 0.15..=0.75;
/// An underscore is at most so thick, in ems.
const THICKNESS: f32 = 0.12;
/// How far from the baseline an underscore's middle may be, in ems, below and above.
const BELOW: f32 = 0.3;
const ABOVE: f32 = 0.1;
/// The glyph after an underscore begins within so many ems of its end.
const NEAR: std::ops::RangeInclusive<f32> = -0.08..=0.2;
/// Share of a rule that the glyph before it covers where it is a line under this glyph.
const UNDERLINED: f32 = 0.5;
/// Rules kept until the next glyph: names begin with two underscores, hardly with more than eight.
const MAX_PENDING: usize = 8;

/// A straight bar on the page: the middles of its ends, and its thickness.
#[derive(Debug, Clone, Copy)]
struct Rule {
    from: (f32, f32),
    to: (f32, f32),
    thickness: f32,
}

/// The path under construction and the rules drawn since the last glyph.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    at: Option<(f32, f32)>,
    line: Option<Rule>,
    rectangle: Option<Rule>,
    /// Parts of the path; only paths of a single part are rules.
    parts: u32,
    pending: Vec<Rule>,
}

impl Rules {
    pub(crate) fn move_to(&mut self, point: (f32, f32)) {
        self.at = Some(point);
    }

    pub(crate) fn line_to(&mut self, point: (f32, f32)) {
        self.parts += 1;
        if let Some(from) = self.at.replace(point) {
            self.line = Some(Rule { from, to: point, thickness: 0.0 });
        }
    }

    pub(crate) fn curve_to(&mut self) {
        // Two parts: whatever else the path has, it is not a rule.
        self.parts += 2;
    }

    /// Adds a rectangle, given by two opposite corners.
    pub(crate) fn rectangle(&mut self, a: (f32, f32), b: (f32, f32)) {
        self.parts += 1;
        let (width, height) = ((b.0 - a.0).abs(), (b.1 - a.1).abs());
        let middle = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
        self.rectangle = Some(if width >= height {
            Rule { from: (a.0, middle.1), to: (b.0, middle.1), thickness: height }
        } else {
            Rule { from: (middle.0, a.1), to: (middle.0, b.1), thickness: width }
        });
    }

    pub(crate) fn fill(&mut self) {
        if self.parts == 1 {
            self.keep(self.rectangle);
        }
        self.end_path();
    }

    pub(crate) fn stroke(&mut self, thickness: f32) {
        if self.parts == 1 {
            self.keep(self.line.map(|line| Rule { thickness, ..line }));
        }
        self.end_path();
    }

    pub(crate) fn end_path(&mut self) {
        (self.at, self.line, self.rectangle, self.parts) = (None, None, None, 0);
    }

    fn keep(&mut self, rule: Option<Rule>) {
        if self.pending.len() == MAX_PENDING {
            steps::count(MAX_PENDING);
            self.pending.remove(0);
        }
        self.pending.extend(rule);
    }

    /// Puts the rules that are underscores before `next`, which is about to be added to the page.
    pub(crate) fn before(&mut self, next: &Glyph, page: &mut PageGlyphs) {
        if self.pending.is_empty() {
            return;
        }
        let Some(run) = page.runs.get(next.run as usize).copied() else { return };
        let project = |(x, y): (f32, f32)| {
            (x * run.direction.0 + y * run.direction.1, y * run.direction.0 - x * run.direction.1)
        };
        let (mut start, baseline) = project((next.x, next.y));
        let before = page.glyphs.last().filter(|glyph| glyph.run == next.run).map(|glyph| {
            let begin = project((glyph.x, glyph.y)).0;
            (begin, begin + glyph.advance)
        });
        let underlines = |low: f32, high: f32| {
            before.is_some_and(|(begin, end)| {
                high.min(end) - low.max(begin) > UNDERLINED * (high - low)
            })
        };
        let mut found = 0;
        for rule in self.pending.iter().rev() {
            steps::count(1);
            let (a, b) = (project(rule.from), project(rule.to));
            let (low, high) = (a.0.min(b.0), a.0.max(b.0));
            let across = (a.1 + b.1) / 2.0 - baseline;
            let is_underscore = LENGTHS.contains(&((high - low) / run.em))
                && rule.thickness <= THICKNESS * run.em
                && (a.1 - b.1).abs() <= THICKNESS * run.em
                && across >= -BELOW * run.em
                && across <= ABOVE * run.em
                && NEAR.contains(&((start - high) / run.em))
                && !underlines(low, high);
            if !is_underscore {
                break;
            }
            start = low;
            found += 1;
        }
        let first = self.pending.len() - found;
        for rule in &self.pending[first..] {
            let begin =
                if project(rule.from).0 <= project(rule.to).0 { rule.from } else { rule.to };
            // On the baseline of the word, whatever the rule's own height.
            let up = project((next.x, next.y)).1 - project(begin).1;
            page.glyphs.push(Glyph {
                text: GlyphText::from_char('_'),
                run: next.run,
                x: begin.0 - up * run.direction.1,
                y: begin.1 + up * run.direction.0,
                advance: (project(rule.to).0 - project(rule.from).0).abs(),
            });
        }
        self.pending.clear();
    }
}
