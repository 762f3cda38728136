//! The lines of a page's two columns, in the order of the file.

use crate::glyphs::{Glyph, PageGlyphs};
use crate::lines;
use crate::steps;
use std::ops::Range;

/// A forward gap of more ems than this ends a fragment: more than words are separated, less than columns.
const FRAGMENT_GAP: f32 = 0.8;
/// A step back of more ems than this, or off the baseline, begins another one.
const STEP_BACK: f32 = 0.2;
const BASELINE: f32 = 0.5;
/// Characters of a line's number, or of a mark beside it, apart from the line.
const MARK: usize = 3;
/// Lines that a column must have, at least, to be examined.
const MIN_LINES: usize = 4;
/// Share of the steps between the lines of the shorter column and the other's that are taken.
const ALTERNATING: f64 = 0.7;
/// One step in so many may lead up, as to the top of a formula.
const MAX_UP: usize = 20;

/// Glyphs on one baseline without a jump.
pub(super) struct Fragment {
    pub(super) range: Range<usize>,
    pub(super) start: f32,
    pub(super) end: f32,
    pub(super) across: f32,
    pub(super) em: f32,
}

/// The side of the gutter a fragment is on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
    /// It crosses the gutter.
    Both,
}

/// One line of one column.
pub(super) struct ColumnLine {
    pub(super) side: Side,
    pub(super) fragments: Range<usize>,
    /// The fragments without the line's number or another mark beside it, and their extent.
    pub(super) text: Range<usize>,
    pub(super) start: f32,
    pub(super) end: f32,
    pub(super) across: f32,
    pub(super) em: f32,
}

impl ColumnLine {
    pub(super) fn glyphs<'p>(&self, fragments: &[Fragment], page: &'p PageGlyphs) -> &'p [Glyph] {
        let of = &fragments[self.text.clone()];
        let (first, last) = (of.first().map(|f| f.range.start), of.last().map(|f| f.range.end));
        &page.glyphs[first.unwrap_or(0)..last.unwrap_or(0)]
    }
}

/// Divides the glyphs of a page; each belongs to a fragment. Those of another direction than the page's first stay with
/// what stands before them.
pub(super) fn fragments(page: &PageGlyphs) -> Vec<Fragment> {
    let mut fragments: Vec<Fragment> = Vec::new();
    let Some(first) = page.glyphs.first() else { return fragments };
    let direction = page.runs[first.run as usize].direction;
    let mut pen = 0.0;
    steps::count(page.glyphs.len());
    for (index, glyph) in page.glyphs.iter().enumerate() {
        let run = &page.runs[glyph.run as usize];
        let (along, across) = lines::project(glyph, direction);
        let last = fragments.last_mut();
        let other = run.direction != direction || !(along.is_finite() && across.is_finite());
        match last {
            Some(last) if other => last.range.end = index + 1,
            Some(last)
                if (across - last.across).abs() <= BASELINE * last.em.max(run.em)
                    && along - pen <= FRAGMENT_GAP * last.em.max(run.em)
                    && along - pen >= -STEP_BACK * last.em.max(run.em) =>
            {
                pen = along + glyph.advance;
                last.range.end = index + 1;
                last.end = last.end.max(pen);
                last.em = last.em.max(run.em);
            }
            _ => {
                pen = along + glyph.advance;
                let range = index..index + 1;
                fragments.push(Fragment { range, start: along, end: pen, across, em: run.em });
            }
        }
    }
    fragments
}

/// The middle of the empty band that divides a page: there are as many lines on its less occupied side as can be, and
/// then as few as can be across it. Numbers of lines and other marks are not lines.
pub(super) fn gutter(fragments: &[Fragment]) -> Option<f32> {
    let sorted = |value: fn(&Fragment) -> f32| {
        let long = fragments.iter().filter(|fragment| fragment.range.len() > MARK);
        let mut values: Vec<f32> = long.map(value).collect();
        values.sort_by(f32::total_cmp);
        values
    };
    let (starts, ends, ems) = (sorted(|f| f.start), sorted(|f| f.end), sorted(|f| f.em));
    let em = *ems.get(ems.len() / 2)?;
    let mut best: Option<(usize, usize, f32)> = None;
    let mut before = 0;
    for (index, end) in ends.iter().enumerate() {
        steps::count(1);
        while starts.get(before).is_some_and(|start| start < end) {
            steps::count(1);
            before += 1;
        }
        let Some(next) = starts.get(before) else { break };
        let (left, right) = (index + 1, starts.len() - before);
        // More have begun than have ended where some continue.
        let crossing = before.saturating_sub(left);
        let is_better = best.is_none_or(|(lines, across, _)| {
            left.min(right) > lines || left.min(right) == lines && crossing < across
        });
        if next - end >= FRAGMENT_GAP * em && is_better {
            best = Some((left.min(right), crossing, (end + next) / 2.0));
        }
    }
    best.filter(|(lines, ..)| *lines >= MIN_LINES).map(|(.., gutter)| gutter)
}

pub(super) fn column_lines(fragments: &[Fragment], gutter: f32) -> Vec<ColumnLine> {
    let mut lines: Vec<ColumnLine> = Vec::new();
    for (index, fragment) in fragments.iter().enumerate() {
        let side = match (fragment.start < gutter, fragment.end > gutter) {
            (true, true) => Side::Both,
            (true, false) => Side::Left,
            _ => Side::Right,
        };
        match lines.last_mut() {
            Some(line)
                if line.side == side
                    && (line.across - fragment.across).abs()
                        <= BASELINE * line.em.max(fragment.em) =>
            {
                line.fragments.end = index + 1;
                line.em = line.em.max(fragment.em);
            }
            _ => lines.push(ColumnLine {
                side,
                fragments: index..index + 1,
                text: 0..0,
                start: f32::INFINITY,
                end: f32::NEG_INFINITY,
                across: fragment.across,
                em: fragment.em,
            }),
        }
    }
    for line in &mut lines {
        steps::count(line.fragments.len());
        line.text = without_marks(&fragments[line.fragments.clone()], line.fragments.start);
        for fragment in &fragments[line.text.clone()] {
            line.start = line.start.min(fragment.start);
            line.end = line.end.max(fragment.end);
        }
    }
    lines
}

/// The fragments of a line, numbered from `start`, without those at its ends that are no longer than a number.
fn without_marks(fragments: &[Fragment], start: usize) -> Range<usize> {
    let long = |fragment: &Fragment| fragment.range.len() > MARK;
    match (fragments.iter().position(long), fragments.iter().rposition(long)) {
        (Some(first), Some(last)) => start + first..start + last + 1,
        _ => start..start + fragments.len(),
    }
}

/// Whether lines go from one column to the other nearly every time, and down in both.
pub(super) fn is_back_and_forth(lines: &[ColumnLine]) -> bool {
    let turns = lines.windows(2).filter(|pair| pair[0].side != pair[1].side).count();
    let shorter = by_side(lines).iter().map(Vec::len).min().unwrap_or(0);
    // A column that continues below the other's end has no more turns.
    if shorter < MIN_LINES || (turns as f64) < ALTERNATING * (2 * shorter - 1) as f64 {
        return false;
    }
    let (steps, up) = below(lines).into_iter().fold((0, 0), |(steps, up), (upper, lower)| {
        (steps + 1, up + usize::from(lower.across >= upper.across))
    });
    up * MAX_UP <= steps
}

/// Each line with the one that comes after it in its column.
pub(super) fn below(lines: &[ColumnLine]) -> Vec<(&ColumnLine, &ColumnLine)> {
    let columns = by_side(lines);
    columns.iter().flat_map(|column| column.windows(2).map(|pair| (pair[0], pair[1]))).collect()
}

/// The lines of each column.
pub(super) fn by_side(lines: &[ColumnLine]) -> [Vec<&ColumnLine>; 2] {
    [Side::Left, Side::Right].map(|side| lines.iter().filter(|line| line.side == side).collect())
}
