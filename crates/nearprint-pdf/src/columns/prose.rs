//! Whether columns are prose, and how well their lines follow each other.

use super::column_lines::{ColumnLine, Fragment, below, by_side};
use super::evidence::Evidence;
use crate::glyphs::{Glyph, PageGlyphs, TextPool};
use crate::script;

/// Characters that the lines of a column have in the mean.
const MIN_CHARACTERS: usize = 20;
/// Lines that are so long, as a share of their column's width, are full.
const FULL: f32 = 0.75;
/// Share of the lines that are full in prose, justified or not.
const FULL_SHARE: f64 = 0.6;
/// Share of the lines that begin within a sentence, and of those that end with a sign, in prose.
const SMALL_SHARE: f64 = 0.4;
const SIGN_SHARE: f64 = 0.05;
/// Lines that begin and end so near the places of most others, in ems, are flush; in a justified column such is this
/// share.
const FLUSH: f32 = 0.5;
const FLUSH_SHARE: f64 = 0.5;
/// Lines further apart than this many ems do not follow each other.
const PARAGRAPH_STEP: f32 = 1.8;

/// Whether the lines of both columns are long, most reach from edge to edge, and they are of sentences: many begin
/// within one, and some end with a sign. In scripts without spaces the columns must be justified. Arabic verse is set
/// in two justified columns too, and is read across.
pub(super) fn is_prose(
    lines: &[ColumnLine],
    fragments: &[Fragment],
    page: &PageGlyphs,
    pool: &TextPool,
) -> bool {
    by_side(lines).iter().all(|column| {
        let left = column.iter().map(|line| line.start).fold(f32::INFINITY, f32::min);
        let right = column.iter().map(|line| line.end).fold(f32::NEG_INFINITY, f32::max);
        let full = |line: &&&ColumnLine| line.end - line.start >= FULL * (right - left);
        let glyphs = |line: &&ColumnLine| line.glyphs(fragments, page);
        let characters: usize = column.iter().map(|line| glyphs(line).len()).sum();
        let firsts = || column.iter().filter_map(|line| first(glyphs(line), pool));
        let small = firsts().filter(|c| c.is_lowercase()).count();
        let unspaced = firsts().filter(|c| script::is_unspaced(*c)).count();
        let signs = column.iter().filter_map(|line| last(glyphs(line), pool));
        let signs = signs.filter(|c| ".,;:?!-\u{2010}\u{ad}".contains(*c)).count();
        let share = |count: usize| count as f64 / column.len() as f64;
        share(column.iter().filter(full).count()) >= FULL_SHARE
            && characters >= MIN_CHARACTERS * column.len()
            && (share(small) >= SMALL_SHARE && share(signs) >= SIGN_SHARE
                || share(unspaced) >= FULL_SHARE && is_justified(column))
    })
}

/// Whether most lines begin and end where most others do.
fn is_justified(column: &[&ColumnLine]) -> bool {
    let median = |value: fn(&ColumnLine) -> f32| {
        let mut values: Vec<f32> = column.iter().map(|line| value(line)).collect();
        values.sort_by(f32::total_cmp);
        values[values.len() / 2]
    };
    let (start, end) = (median(|line| line.start), median(|line| line.end));
    let flush = column.iter().filter(|line| {
        let near = FLUSH * line.em;
        (line.start - start).abs() <= near && (line.end - end).abs() <= near
    });
    flush.count() as f64 >= FLUSH_SHARE * column.len() as f64
}

/// Counts how ends and beginnings of lines agree.
pub(super) fn gather(
    lines: &[ColumnLine],
    fragments: &[Fragment],
    page: &PageGlyphs,
    pool: &TextPool,
    evidence: &mut Evidence,
) {
    evidence.justified &= by_side(lines).iter().all(|column| is_justified(column));
    let link = |a: &ColumnLine, b: &ColumnLine| {
        agree(last(a.glyphs(fragments, page), pool), first(b.glyphs(fragments, page), pool))
    };
    for (upper, lower) in below(lines) {
        if upper.across - lower.across <= PARAGRAPH_STEP * upper.em.max(lower.em) {
            evidence.down.add(link(upper, lower));
        }
    }
    for pair in lines.windows(2).filter(|pair| pair[0].side != pair[1].side) {
        evidence.across.add(link(&pair[0], &pair[1]));
    }
}

fn first(glyphs: &[Glyph], pool: &TextPool) -> Option<char> {
    glyphs.iter().filter_map(|glyph| pool.base(glyph.text)).find(|c| *c != ' ')
}

/// The last character, quotation marks and brackets aside.
fn last(glyphs: &[Glyph], pool: &TextPool) -> Option<char> {
    let closing =
        |c: char| matches!(c, ' ' | '"' | '\'' | '\u{2019}' | '\u{201d}' | '»' | ')' | ']');
    glyphs.iter().rev().filter_map(|glyph| pool.base(glyph.text)).find(|c| !closing(*c))
}

/// Whether a line that ends in `last` is followed by one that begins with `first`; `None` if that cannot be told.
fn agree(last: Option<char>, first: Option<char>) -> Option<bool> {
    let (last, first) = (last?, first?);
    match last {
        '-' | '\u{2010}' | '\u{ad}' if first.is_alphanumeric() => Some(first.is_lowercase()),
        _ if !first.is_lowercase() && !first.is_uppercase() => None,
        '.' | '?' | '!' | ':' => Some(first.is_uppercase()),
        _ => Some(first.is_lowercase()),
    }
}
