//! Where what an annotation shows stands among the glyphs of a page's content.
//!
//! Layout reads glyphs in the order of the file, and annotations are not part of that order. What each shows is put
//! after the text on its left; else before the text on its right, as the caption of a check box; else after the text
//! close above it, as the label of a box; else after the row above; else before all. Work is linear, but for sorting.

use crate::glyphs::{Glyph, PageGlyphs};
use crate::lines::project;
use crate::steps;
use std::ops::Range;

/// A forward gap of more ems than this, or a step back of more than [`STEP_BACK`], ends a stretch.
const GAP: f32 = 1.0;
const STEP_BACK: f32 = 0.2;
/// Baselines that differ by no more ems than this are one.
const SAME_LINE: f32 = 0.6;
/// Baselines that differ by no more page units than this are sorted together.
const ROW: f32 = 1.0;
/// Rows examined beside a block, and above it.
const NEAR_ROWS: usize = 16;
/// The label of a box stands no more ems above its upper edge than this.
const LABEL: f32 = 1.5;
/// The cosine of the largest angle of upright text.
const UPRIGHT: f32 = 0.985;

/// Consecutive glyphs on one baseline without a jump.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    /// The first glyph, and the one after the last.
    first: usize,
    end: usize,
    start: f32,
    stop: f32,
    baseline: f32,
}

/// A block of glyphs that is to be put among those before it.
struct Block {
    glyphs: Range<usize>,
    start: f32,
    stop: f32,
    baseline: f32,
    /// The upper and the lower edge of the annotation.
    edges: (f32, f32),
    em: f32,
    /// Index of the glyph it is put before.
    place: usize,
}

/// Puts blocks of glyphs, which come after the first `content` glyphs, where they stand among these. Each is given with
/// the heights of its upper and its lower edge.
pub(crate) fn insert(
    page: &mut PageGlyphs,
    content: usize,
    blocks: Vec<(Range<usize>, (f32, f32))>,
) {
    if blocks.is_empty() {
        return;
    }
    let rows = Rows::new(page, content);
    let mut blocks: Vec<Block> = blocks
        .into_iter()
        .map(|(glyphs, edges)| rows.placed(page, glyphs, edges, content))
        .collect();
    // Blocks at one place follow each other as they are read: row by row, from the left.
    blocks.sort_by(|a, b| a.place.cmp(&b.place).then(b.baseline.total_cmp(&a.baseline)));
    let mut rest = &mut blocks[..];
    while let Some(first) = rest.first() {
        let (place, lowest) = (first.place, first.baseline - SAME_LINE * first.em);
        let row = rest.iter().take_while(|b| b.place == place && b.baseline >= lowest).count();
        let (row, others) = rest.split_at_mut(row.max(1));
        steps::count(row.len());
        row.sort_by(|a, b| a.start.total_cmp(&b.start));
        rest = others;
    }
    steps::count(page.glyphs.len());
    let mut ordered = Vec::with_capacity(page.glyphs.len());
    let mut done = 0;
    for block in &blocks {
        ordered.extend_from_slice(&page.glyphs[done..block.place]);
        ordered.extend_from_slice(&page.glyphs[block.glyphs.clone()]);
        done = block.place;
    }
    ordered.extend_from_slice(&page.glyphs[done..content]);
    page.glyphs = ordered;
}

/// The upright text of a page, by height: rows from the top, each from the left.
struct Rows(Vec<Vec<Stretch>>);

impl Rows {
    fn new(page: &PageGlyphs, content: usize) -> Self {
        let mut stretches: Vec<Stretch> = Vec::new();
        steps::count(content);
        for (index, glyph) in page.glyphs[..content].iter().enumerate() {
            let Some((start, baseline, em)) = upright(page, glyph) else { continue };
            let stop = start + glyph.advance;
            match stretches.last_mut() {
                Some(open)
                    if open.end == index
                        && (baseline - open.baseline).abs() <= SAME_LINE * em
                        && (-STEP_BACK * em..=GAP * em).contains(&(start - open.stop)) =>
                {
                    open.end = index + 1;
                    open.stop = open.stop.max(stop);
                }
                _ => {
                    stretches.push(Stretch { first: index, end: index + 1, start, stop, baseline });
                }
            }
        }
        stretches.sort_by(|a, b| b.baseline.total_cmp(&a.baseline));
        let mut rows: Vec<Vec<Stretch>> = Vec::new();
        for stretch in stretches {
            match rows.last_mut() {
                Some(row) if row[0].baseline - stretch.baseline <= ROW => row.push(stretch),
                _ => rows.push(vec![stretch]),
            }
        }
        for row in &mut rows {
            row.sort_by(|a, b| a.start.total_cmp(&b.start));
        }
        Self(rows)
    }

    /// A block with the place it is put at; one that is not upright comes after the content.
    fn placed(
        &self,
        page: &PageGlyphs,
        glyphs: Range<usize>,
        edges: (f32, f32),
        content: usize,
    ) -> Block {
        steps::count(glyphs.len());
        let first = page.glyphs[glyphs.clone()].iter().find_map(|glyph| upright(page, glyph));
        let Some((start, baseline, em)) = first else {
            let (start, stop, baseline) = (0.0, 0.0, f32::NEG_INFINITY);
            return Block { glyphs, start, stop, baseline, edges, em: 0.0, place: content };
        };
        let stops = page.glyphs[glyphs.clone()]
            .iter()
            .filter_map(|glyph| upright(page, glyph).map(|(start, ..)| start + glyph.advance));
        let stop = stops.fold(start, f32::max);
        let mut block = Block { glyphs, start, stop, baseline, edges, em, place: 0 };
        block.place = self.beside(page, &block).or_else(|| self.above(&block)).unwrap_or(0);
        block
    }

    /// After the nearest text on the left of its first line, else of its other height, else before the text on its
    /// right.
    fn beside(&self, page: &PageGlyphs, block: &Block) -> Option<usize> {
        let (top, bottom) = (SAME_LINE * block.em, -SAME_LINE * block.em);
        let level = self.between(block.baseline + top, block.baseline + bottom);
        let (mut left, mut right): (Option<Stretch>, Option<Stretch>) = (None, None);
        for row in level.iter().take(NEAR_ROWS) {
            steps::count(1);
            let next = row.partition_point(|stretch| stretch.start <= block.start);
            let before = next.checked_sub(1).map(|index| row[index]);
            left = before.filter(|b| left.is_none_or(|a| a.start < b.start)).or(left);
            let after = row.get(next).copied();
            right = after.filter(|b| right.is_none_or(|a| b.start < a.start)).or(right);
        }
        let others = self.between(block.edges.0, block.edges.1);
        let left = left.or_else(|| {
            others.iter().take(NEAR_ROWS).find_map(|row| {
                steps::count(1);
                let next = row.partition_point(|stretch| stretch.start <= block.start);
                next.checked_sub(1).map(|index| row[index])
            })
        });
        left.map(|stretch| end_of(page, &stretch, block)).or(right.map(|stretch| stretch.first))
    }

    /// The rows from one height down to another.
    fn between(&self, top: f32, bottom: f32) -> &[Vec<Stretch>] {
        let from = self.0.partition_point(|row| row[0].baseline > top);
        let to = self.0.partition_point(|row| row[0].baseline >= bottom);
        self.0.get(from..to).unwrap_or_default()
    }

    /// After the text close above that shares some of the width, else after the row above.
    fn above(&self, block: &Block) -> Option<usize> {
        let below = self.0.partition_point(|row| row[0].baseline > block.baseline);
        let over = |row: &[Stretch]| {
            steps::count(1);
            let index = row.partition_point(|stretch| stretch.start < block.stop).checked_sub(1)?;
            (row[index].stop > block.start).then_some(row[index].end)
        };
        let close = block.edges.0.max(block.baseline + block.em) + LABEL * block.em;
        let nearest = || self.0[..below].iter().rev();
        let labels = nearest().take_while(|row| row[0].baseline <= close).take(NEAR_ROWS);
        labels.into_iter().find_map(|row| over(row)).or_else(|| {
            let row = nearest().next()?;
            row.last().map(|stretch| stretch.end)
        })
    }
}

/// The end of a stretch that begins on the left of a block; where the block stands on a gap within it, or on signs that
/// are to be filled in, its place is there.
fn end_of(page: &PageGlyphs, stretch: &Stretch, block: &Block) -> usize {
    let glyphs = &page.glyphs[stretch.first..stretch.end];
    let under = glyphs.partition_point(|glyph| project(glyph, (1.0, 0.0)).0 < block.start);
    let is_gap = |glyph: &Glyph| matches!(glyph.text.as_char(), Some(' ' | '_' | '.' | '\u{2026}'));
    if glyphs.get(under).is_some_and(is_gap) { stretch.first + under } else { stretch.end }
}

/// Position, baseline and size of a glyph of upright text that is not an artifact.
fn upright(page: &PageGlyphs, glyph: &Glyph) -> Option<(f32, f32, f32)> {
    let run = page.runs.get(glyph.run as usize)?;
    let (start, baseline) = project(glyph, (1.0, 0.0));
    let sound = start.is_finite() && baseline.is_finite() && glyph.advance.is_finite();
    (run.direction.0 > UPRIGHT && !run.artifact && sound).then_some((start, baseline, run.em))
}
