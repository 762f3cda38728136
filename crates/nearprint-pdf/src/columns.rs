//! Two columns that a file writes back and forth: a line of the left one, a line of the right one, and so on.
//!
//! Such a page looks like a table, whose rows are to be read across. What tells it from one is that it is prose:
//! lines in both columns reach from edge to edge, and sentences and words go on from a line to the one below it, not to the
//! one beside it. [`read_by_column`] puts the glyphs of such a page in the order of columns and says how well its lines
//! follow one another in either order; [`put_in_order`] decides from all pages of a document. A file that writes one column
//! after the other never comes here: its order is kept as it is.

use crate::glyphs::{Glyph, PageGlyphs, TextPool};
use crate::lines::{self, Line};
use crate::script;
use std::ops::Range;

/// A forward gap of more ems than this ends a fragment: more than words are set apart, less than columns.
const FRAGMENT_GAP: f32 = 0.8;
/// A step back of more ems than this, or off the baseline, begins another one.
const STEP_BACK: f32 = 0.2;
const BASELINE: f32 = 0.5;
/// Characters of a line's number, or of a mark beside it, apart from the line.
const MARK: usize = 3;
/// Lines that a column must have, at least, to be looked at.
const MIN_LINES: usize = 4;
/// Characters that the lines of a column have in the mean.
const MIN_CHARACTERS: usize = 20;
/// Share of the steps between the lines of the shorter column and the other's that are taken.
const ALTERNATING: f64 = 0.7;
/// Lines that are so long, as a share of their column's width, are full.
const FULL: f32 = 0.75;
/// Share of the lines that are full in prose, justified or not.
const FULL_SHARE: f64 = 0.6;
/// Share of the lines that begin within a sentence, and of those that end with a sign, in prose.
const SMALL_SHARE: f64 = 0.4;
const SIGN_SHARE: f64 = 0.05;
/// Lines that begin and end so near the places of most others, in ems, are flush; in a justified column such is this share.
const FLUSH: f32 = 0.5;
const FLUSH_SHARE: f64 = 0.5;
/// One step in so many may lead up, as to the top of a formula.
const MAX_UP: usize = 20;
/// Lines further apart than this many ems do not follow one another.
const PARAGRAPH_STEP: f32 = 1.8;

/// How often the end of a line and the beginning of another agree: a sentence that has ended and a capital, a comma and a
/// small letter, a hyphen and a small letter.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Tally {
    agree: u32,
    differ: u32,
}

impl Tally {
    fn add(&mut self, agree: Option<bool>) {
        match agree {
            Some(true) => self.agree += 1,
            Some(false) => self.differ += 1,
            None => {}
        }
    }

    fn sum(self, other: Self) -> Self {
        Self { agree: self.agree + other.agree, differ: self.differ + other.differ }
    }

    fn all(self) -> f64 {
        f64::from(self.agree + self.differ)
    }

    fn share(self) -> f64 {
        f64::from(self.agree) / self.all().max(1.0)
    }
}

/// How the lines of two columns follow one another when they are read down and when they are read across, and what makes
/// them prose.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Evidence {
    down: Tally,
    across: Tally,
    /// Every column looked at has most of its lines flush with both of its edges.
    justified: bool,
}

/// What to do with pages that are written back and forth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Their columns are read one after the other.
    ByColumn,
    /// They stay as the file has them.
    Unsure,
}

/// Links between lines in either order, in all of a document, below which nothing is decided.
const MIN_LINKS: f64 = 16.0;
/// Share of the links down that agree in prose.
const PROSE: f64 = 0.8;
/// How many standard deviations the share of agreeing links down must be above that across, where the columns are not
/// justified. No table has cells of long lines that are.
const DEVIATIONS: f64 = 3.0;

/// A page in the order of its columns.
pub(crate) struct ByColumn {
    pub(crate) lines: Vec<Line>,
    /// The same without the numbers of its lines, where it has such.
    pub(crate) unnumbered: Option<Vec<Line>>,
    pub(crate) evidence: Evidence,
}

/// Takes pages in the order of their columns, where the document's pages together show that this is how they are read.
/// Returns how many stay as they are and may be meant so.
pub(crate) fn put_in_order(
    pages: &mut [Vec<Line>],
    unnumbered: &mut [Option<Vec<Line>>],
    by_column: Vec<Option<ByColumn>>,
) -> u32 {
    let order = judge(by_column.iter().flatten().map(|page| page.evidence));
    let mut unsure = 0;
    for (page, found) in by_column.into_iter().enumerate() {
        match found {
            Some(found) if order == Order::ByColumn && found.evidence.allows() => {
                pages[page] = found.lines;
                unnumbered[page] = found.unnumbered;
            }
            Some(_) => unsure += 1,
            None => {}
        }
    }
    unsure
}

/// Decides for a document from the evidence of its pages.
fn judge(pages: impl Iterator<Item = Evidence>) -> Order {
    let sum = pages.reduce(|a, b| Evidence {
        down: a.down.sum(b.down),
        across: a.across.sum(b.across),
        justified: a.justified && b.justified,
    });
    let Some(Evidence { down, across, justified }) = sum else { return Order::Unsure };
    if down.all() < MIN_LINKS || across.all() < MIN_LINKS || down.share() < PROSE {
        return Order::Unsure;
    }
    let (lead, pooled) = (down.share() - across.share(), down.sum(across).share());
    let variance = pooled * (1.0 - pooled) * (1.0 / down.all() + 1.0 / across.all());
    if (justified && lead > 0.0) || lead > DEVIATIONS * variance.sqrt() {
        Order::ByColumn
    } else {
        Order::Unsure
    }
}

impl Evidence {
    /// Whether a page by itself speaks for reading down, or at least not against it.
    fn allows(self) -> bool {
        self.down.share() >= self.across.share()
    }
}

/// Glyphs on one baseline without a jump.
struct Fragment {
    range: Range<usize>,
    start: f32,
    end: f32,
    across: f32,
    em: f32,
}

/// The side of the gutter a fragment is on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
    /// It crosses the gutter.
    Both,
}

/// One line of one column.
struct ColumnLine {
    side: Side,
    fragments: Range<usize>,
    /// The fragments without the line's number or another mark beside it, and their extent.
    text: Range<usize>,
    start: f32,
    end: f32,
    across: f32,
    em: f32,
}

impl ColumnLine {
    fn glyphs<'p>(&self, fragments: &[Fragment], page: &'p PageGlyphs) -> &'p [Glyph] {
        let of = &fragments[self.text.clone()];
        let (first, last) = (of.first().map(|f| f.range.start), of.last().map(|f| f.range.end));
        &page.glyphs[first.unwrap_or(0)..last.unwrap_or(0)]
    }
}

/// The glyphs of a page with its columns one after the other, where the file writes them back and forth and they look like
/// prose; with how well the lines agree in either order.
pub(crate) fn read_by_column(page: &PageGlyphs, pool: &TextPool) -> Option<(PageGlyphs, Evidence)> {
    let fragments = fragments(page);
    let gutter = gutter(&fragments)?;
    let lines = column_lines(&fragments, gutter);
    let mut order: Vec<usize> = (0..lines.len()).collect();
    let mut evidence = Evidence { justified: true, ..Evidence::default() };
    let mut found = false;
    let mut first = 0;
    for section in lines.chunk_by(|a, b| a.side != Side::Both && b.side != Side::Both) {
        if is_back_and_forth(section) && is_prose(section, &fragments, page, pool) {
            found = true;
            gather(section, &fragments, page, pool, &mut evidence);
            let leading = section[0].side;
            order[first..first + section.len()].sort_by_key(|line| lines[*line].side != leading);
        }
        first += section.len();
    }
    if !found {
        return None;
    }
    let mut glyphs = Vec::with_capacity(page.glyphs.len());
    for line in order {
        for fragment in &fragments[lines[line].fragments.clone()] {
            glyphs.extend_from_slice(&page.glyphs[fragment.range.clone()]);
        }
    }
    Some((PageGlyphs { runs: page.runs.clone(), glyphs, ..*page }, evidence))
}

/// Divides the glyphs of a page; each belongs to a fragment. Those of another direction than the page's first stay with
/// what stands before them.
fn fragments(page: &PageGlyphs) -> Vec<Fragment> {
    let mut fragments: Vec<Fragment> = Vec::new();
    let Some(first) = page.glyphs.first() else { return fragments };
    let direction = page.runs[first.run as usize].direction;
    let mut pen = 0.0;
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

/// The middle of the empty band that divides a page: there are as many lines on its less occupied side as can be, and then
/// as few as can be across it. Numbers of lines and other marks are no lines.
fn gutter(fragments: &[Fragment]) -> Option<f32> {
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
        while starts.get(before).is_some_and(|start| start < end) {
            before += 1;
        }
        let Some(next) = starts.get(before) else { break };
        let (left, right) = (index + 1, starts.len() - before);
        // More have begun than have ended where some go on.
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

fn column_lines(fragments: &[Fragment], gutter: f32) -> Vec<ColumnLine> {
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
fn is_back_and_forth(lines: &[ColumnLine]) -> bool {
    let turns = lines.windows(2).filter(|pair| pair[0].side != pair[1].side).count();
    let shorter = by_side(lines).iter().map(Vec::len).min().unwrap_or(0);
    // A column that goes on below the other's end has no more turns.
    if shorter < MIN_LINES || (turns as f64) < ALTERNATING * (2 * shorter - 1) as f64 {
        return false;
    }
    let (steps, up) = below(lines).into_iter().fold((0, 0), |(steps, up), (upper, lower)| {
        (steps + 1, up + usize::from(lower.across >= upper.across))
    });
    up * MAX_UP <= steps
}

/// Each line with the one that comes after it in its column.
fn below(lines: &[ColumnLine]) -> Vec<(&ColumnLine, &ColumnLine)> {
    let columns = by_side(lines);
    columns.iter().flat_map(|column| column.windows(2).map(|pair| (pair[0], pair[1]))).collect()
}

/// The lines of each column.
fn by_side(lines: &[ColumnLine]) -> [Vec<&ColumnLine>; 2] {
    [Side::Left, Side::Right].map(|side| lines.iter().filter(|line| line.side == side).collect())
}

/// Whether the lines of both columns are long, most reach from edge to edge, and they are of sentences: many begin within
/// one, and some end with a sign. In scripts without spaces the columns must be
/// justified. Arabic verse is set in two justified columns too, and is read across.
fn is_prose(
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
fn gather(
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

/// Whether a line that ends in `last` is followed by one that begins with `first`; `None` where that cannot be told.
fn agree(last: Option<char>, first: Option<char>) -> Option<bool> {
    let (last, first) = (last?, first?);
    match last {
        '-' | '\u{2010}' | '\u{ad}' if first.is_alphanumeric() => Some(first.is_lowercase()),
        _ if !first.is_lowercase() && !first.is_uppercase() => None,
        '.' | '?' | '!' | ':' => Some(first.is_uppercase()),
        _ => Some(first.is_lowercase()),
    }
}
