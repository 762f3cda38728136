//! Numbers of lines in the margin, as manuscripts, laws and editions have them.
//!
//! A column of such numbers is recognised by what it is, not by words: numbers that stand alone on the baselines of the
//! text and rise by the same step from line to line, one under the other, with nothing else in their column, and that
//! count most of the lines of the page. The numbers of a list, a table or a listing are part of the text; they count a
//! few lines, on a few pages, and a document is only taken to have numbered lines where most of its pages do.

use crate::glyphs::{Glyph, PageGlyphs};
use crate::lines::Line;
use crate::steps;

/// Fewer pages with numbers are a table or a listing.
const MIN_PAGES: usize = 2;

/// Fewer numbers are not a column.
const MIN_NUMBERS: usize = 5;
/// Share of the baselines of a page that the numbers must count.
const COUNTED: f32 = 0.6;
/// A number stands so many ems apart from what is beside it.
const APART: f32 = 0.5;
/// Edges of a column's numbers differ by no more ems than this.
const ALIGNED: f32 = 0.35;
/// Digits of a number.
const MAX_DIGITS: usize = 5;
/// Baselines that differ by no more ems than this are one.
const SAME_LINE: f32 = 0.3;

/// A number that stands alone.
struct Number {
    value: u32,
    glyphs: std::ops::Range<usize>,
    start: f32,
    end: f32,
    baseline: f32,
    em: f32,
}

/// Takes the pages without numbers, where there are such, if most pages of the document are numbered.
pub(crate) fn take_out(pages: &mut [Vec<Line>], unnumbered: Vec<Option<Vec<Line>>>) {
    let numbered = unnumbered.iter().flatten().count();
    let filled = pages.iter().filter(|page| !page.is_empty()).count();
    if numbered < MIN_PAGES || numbered * 2 <= filled {
        return;
    }
    for (page, lines) in pages.iter_mut().zip(unnumbered) {
        if let Some(lines) = lines {
            *page = lines;
        }
    }
}

/// The page without the numbers of its lines; `None` if it has none.
pub(crate) fn without(page: &PageGlyphs) -> Option<PageGlyphs> {
    let numbers = numbers(page);
    if numbers.len() < MIN_NUMBERS {
        return None;
    }
    let lines = baselines(page);
    let mut dropped = vec![false; page.glyphs.len()];
    let mut found = false;
    // Numbers are set flush with the text they stand beside, on its left or its right.
    for edge in [|n: &Number| n.end, |n: &Number| n.start] {
        let mut sorted: Vec<&Number> = numbers.iter().collect();
        sorted.sort_by(|a, b| edge(a).total_cmp(&edge(b)));
        for column in sorted.chunk_by(|a, b| edge(b) - edge(a) <= ALIGNED * a.em.max(b.em)) {
            steps::count(column.len());
            if counts_lines(column, lines) && is_alone(column, page) {
                found = true;
                for number in column {
                    dropped[number.glyphs.clone()].fill(true);
                }
            }
        }
    }
    found.then(|| {
        let mut kept = dropped.iter().map(|dropped| !dropped);
        PageGlyphs {
            runs: page.runs.clone(),
            glyphs: page.glyphs.iter().copied().filter(|_| kept.next().unwrap_or(true)).collect(),
            ..*page
        }
    })
}

/// The numbers of upright text that stand alone in the order of the file.
fn numbers(page: &PageGlyphs) -> Vec<Number> {
    let mut numbers = Vec::new();
    let mut index = 0;
    steps::count(page.glyphs.len());
    while let Some(first) = page.glyphs.get(index) {
        let begin = index;
        index += 1;
        if !is_digit(first) || !is_upright(page, first) || page.runs[first.run as usize].field {
            continue;
        }
        while let Some(next) = page.glyphs.get(index)
            && is_digit(next)
            && follows(page, &page.glyphs[index - 1], next)
        {
            index += 1;
        }
        let before = begin.checked_sub(1).map(|i| &page.glyphs[i]);
        let joined = before.is_some_and(|before| follows(page, before, first))
            || page
                .glyphs
                .get(index)
                .is_some_and(|next| follows(page, &page.glyphs[index - 1], next));
        if joined || index - begin > MAX_DIGITS {
            continue;
        }
        let last = &page.glyphs[index - 1];
        let value = page.glyphs[begin..index]
            .iter()
            .filter_map(|glyph| glyph.text.as_char()?.to_digit(10))
            .fold(0, |value, digit| value * 10 + digit);
        numbers.push(Number {
            value,
            glyphs: begin..index,
            start: first.x,
            end: last.x + last.advance,
            baseline: first.y,
            em: page.runs[first.run as usize].em,
        });
    }
    numbers
}

fn is_digit(glyph: &Glyph) -> bool {
    glyph.text.as_char().is_some_and(|c| c.is_ascii_digit())
}

fn is_upright(page: &PageGlyphs, glyph: &Glyph) -> bool {
    page.runs.get(glyph.run as usize).is_some_and(|run| run.direction.0 > 0.98)
}

/// Whether a glyph stands close after another on its line.
fn follows(page: &PageGlyphs, before: &Glyph, after: &Glyph) -> bool {
    let em = page.runs.get(after.run as usize).map_or(0.0, |run| run.em);
    let gap = after.x - (before.x + before.advance);
    (after.y - before.y).abs() <= SAME_LINE * em && gap.abs() <= APART * em
}

/// How many baselines the upright text of a page has.
fn baselines(page: &PageGlyphs) -> usize {
    let mut heights: Vec<(f32, f32)> = Vec::new();
    steps::count(page.glyphs.len());
    for glyph in page.glyphs.iter().filter(|glyph| is_upright(page, glyph)) {
        let em = page.runs[glyph.run as usize].em;
        if heights.last().is_none_or(|(height, _)| (glyph.y - height).abs() > SAME_LINE * em) {
            heights.push((glyph.y, em));
        }
    }
    heights.sort_by(|a, b| a.0.total_cmp(&b.0));
    heights.dedup_by(|a, b| (a.0 - b.0).abs() <= SAME_LINE * a.1.max(b.1));
    heights.len()
}

/// Whether numbers rise by one step down the page and count most of its lines.
fn counts_lines(column: &[&Number], lines: usize) -> bool {
    if column.len() < MIN_NUMBERS {
        return false;
    }
    let mut down = column.to_vec();
    down.sort_by(|a, b| b.baseline.total_cmp(&a.baseline));
    let step = down[1].value.saturating_sub(down[0].value);
    let even = down.windows(2).all(|pair| pair[0].value + step == pair[1].value);
    step > 0 && even && (down.len() * step as usize) as f32 >= COUNTED * lines as f32
}

/// Whether nothing else stands in a column between its first and its last number.
fn is_alone(column: &[&Number], page: &PageGlyphs) -> bool {
    let low = |of: fn(&Number) -> f32| column.iter().map(|n| of(n)).fold(f32::INFINITY, f32::min);
    let high =
        |of: fn(&Number) -> f32| column.iter().map(|n| of(n)).fold(f32::NEG_INFINITY, f32::max);
    let (left, right) = (low(|n| n.start), high(|n| n.end));
    let (bottom, top) = (low(|n| n.baseline), high(|n| n.baseline));
    steps::count(page.glyphs.len());
    let own: usize = column.iter().map(|n| n.glyphs.len()).sum();
    let within = |glyph: &&Glyph| {
        glyph.x < right && glyph.x + glyph.advance > left && glyph.y >= bottom && glyph.y <= top
    };
    page.glyphs.iter().filter(within).count() == own
}
