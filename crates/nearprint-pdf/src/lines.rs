//! From glyphs to lines of text.
//!
//! Glyphs are taken in the order of the content stream. A *piece* is a stretch of them on one baseline without
//! a jump; a *line* is all consecutive pieces on one baseline, put in order of position. Positions are measured
//! along the direction of writing (`along`) and across it (`across`, growing against the line feed), so rotated
//! and vertical text is treated like any other.

use crate::glyphs::{Glyph, GlyphText, PageGlyphs, Run, TextPool};
use crate::overprint;
use crate::script::{self, Script};
use crate::steps;
use crate::syllables;
use crate::visual::{self, Cluster};

/// A baseline shift of more than this many ems begins a new line; raised and lowered indices stay below.
const LINE_SHIFT: f32 = 0.5;
/// A gap of more than this many ems is a space between words.
const WORD_GAP: f32 = 0.15;
/// Arabic letters join, so that a smaller gap shows, and spaces are narrow where lines are tight.
const CURSIVE_GAP: f32 = 0.09;
/// Between ideographs, which are set without spaces, only a gap as wide as a character is one.
const IDEOGRAPH_GAP: f32 = 0.75;
/// Between an ideograph and a letter typesetters put a quarter of an em that is not space.
const MIXED_GAP: f32 = 0.4;
/// A forward gap of more ems than this, or a step back of more than [`STEP_BACK`], ends a piece.
const PIECE_GAP: f32 = 1.0;
const STEP_BACK: f32 = 0.2;
/// From an accent the pen steps back no further than this many ems to the letter under it.
const ACCENT_STEP: f32 = 0.75;
/// Pieces further apart than this many ems are read in the order of the file.
const WIDE_GAP: f32 = 2.0;
/// Digits this much smaller than the word beside them and raised by this share of its size are the mark of a note
/// or of a sentence.
const MARK_SIZE: f32 = 0.85;
const MARK_RISE: f32 = 0.15;
/// Letters a word has before a raised digit is a note's mark and no exponent.
const MARKED_WORD: usize = 3;
/// Glyphs no wider than this many ems have no place of their own.
const MARK_WIDTH: f32 = 0.01;
/// How far, in ems, the middle of an accent may be from that of its letter, and from the letter itself.
const ACCENT_SHIFT: f32 = 0.3;
const ACCENT_BESIDE: f32 = 0.05;
/// Lines whose directions differ by more than this cosine are of different directions.
const SAME_DIRECTION: f32 = 0.985;

/// One line of a page.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// Unit vector of the direction of writing.
    pub(crate) direction: (f32, f32),
    /// Extent along the direction of writing.
    pub(crate) start: f32,
    pub(crate) end: f32,
    /// The baseline, across the direction of writing; smaller is further down the page.
    pub(crate) across: f32,
    /// Size of the largest glyphs.
    pub(crate) em: f32,
    /// All of it is marked as page furniture by the document.
    pub(crate) artifact: bool,
    /// Some of it is shown by a form field.
    pub(crate) field: bool,
}

struct Piece {
    range: std::ops::Range<usize>,
    start: f32,
    end: f32,
}

/// The lines of a page, in content order.
pub(crate) fn lines(page: &PageGlyphs, pool: &TextPool) -> Vec<Line> {
    let mut builder = Builder {
        page,
        pool,
        lines: Vec::new(),
        pieces: Vec::new(),
        clusters: Vec::new(),
        right_to_left_page: None,
    };
    let mut open: Option<Open> = None;
    steps::count(page.glyphs.len());
    for (index, glyph) in page.glyphs.iter().enumerate() {
        let run = &page.runs[glyph.run as usize];
        let (mut along, mut across) = project(glyph, run.direction);
        if !(along.is_finite() && across.is_finite()) {
            continue;
        }
        if let Some(line) = &mut open {
            let em = line.em.max(run.em);
            let reflected = is_reflected(run.direction, line.direction);
            if reflected {
                (along, across) = project(glyph, line.direction);
                along -= glyph.advance;
            }
            let same = reflected
                && (across - line.across).abs() <= LINE_SHIFT * em
                && (along - line.pen).abs() <= PIECE_GAP * em
                && line.artifact == run.artifact
                || dot(line.direction, run.direction) > SAME_DIRECTION
                    && (across - line.across).abs() <= LINE_SHIFT * em
                    && line.artifact == run.artifact;
            if same && pool.base(glyph.text).is_some_and(script::is_combining) {
                // A mark stands on its letter wherever it is drawn from, and the pen is where it was.
                continue;
            }
            if same {
                let gap = along - line.pen;
                let back = gap < -STEP_BACK * em && !builder.composes(index, gap / em);
                if gap > PIECE_GAP * em || back {
                    builder.close_piece(line, index);
                    line.piece_start = index;
                    line.start = along;
                    line.end = along;
                }
                line.pen = along + glyph.advance;
                line.start = line.start.min(along);
                line.end = line.end.max(line.pen);
                if run.em > line.em * 0.8 {
                    line.across = across;
                    line.em = em;
                }
                continue;
            }
            builder.close_line(line, index);
            if reflected {
                (along, across) = project(glyph, run.direction);
            }
        }
        open = Some(Open {
            direction: run.direction,
            artifact: run.artifact,
            across,
            em: run.em,
            pen: along + glyph.advance,
            piece_start: index,
            start: along,
            end: along + glyph.advance,
        });
    }
    if let Some(line) = &mut open {
        builder.close_line(line, page.glyphs.len());
    }
    builder.lines
}

struct Open {
    direction: (f32, f32),
    artifact: bool,
    across: f32,
    em: f32,
    /// Where the pen stands after the last glyph.
    pen: f32,
    piece_start: usize,
    start: f32,
    end: f32,
}

/// What stands before a glyph on its line.
#[derive(Clone, Copy)]
struct Before<'c> {
    letter: &'c Cluster,
    /// The last glyph without Unicode after the letter. What it means nobody knows: a sign, a space that its font does
    /// not name, a letter. It divides words where the gap that it leaves is one.
    unknown: Option<&'c Cluster>,
}

impl<'c> Before<'c> {
    fn new(letter: &'c Cluster) -> Self {
        Self { letter, unknown: None }
    }

    /// The gap before a glyph that begins at `start`, its accent counted.
    fn gap(&self, glyph: &Cluster, start: f32, right_to_left: bool) -> f32 {
        let behind = |before: &Cluster| {
            if right_to_left {
                (before.start - glyph.end).max(start - before.end)
            } else if start < before.start - WIDE_GAP * before.em.max(glyph.em) {
                f32::INFINITY
            } else {
                start - before.end
            }
        };
        behind(self.letter).max(self.unknown.map_or(f32::NEG_INFINITY, behind))
    }
}

struct Builder<'p> {
    page: &'p PageGlyphs,
    pool: &'p TextPool,
    lines: Vec<Line>,
    pieces: Vec<Piece>,
    clusters: Vec<Cluster>,
    /// Whether most letters of the page run from right to left; asked only when one does.
    right_to_left_page: Option<bool>,
}

impl Builder<'_> {
    /// Whether a glyph is the letter under the accent drawn just before it.
    fn composes(&self, index: usize, gap: f32) -> bool {
        let text = |index: usize| self.page.glyphs[index].text.as_char();
        gap >= -ACCENT_STEP
            && text(index).is_some_and(char::is_alphabetic)
            && index > 0
            && text(index - 1).and_then(script::combining_form).is_some()
    }

    fn close_piece(&mut self, line: &Open, until: usize) {
        if until > line.piece_start {
            self.pieces.push(Piece {
                range: line.piece_start..until,
                start: line.start,
                end: line.end,
            });
        }
    }

    fn close_line(&mut self, line: &Open, until: usize) {
        self.close_piece(line, until);
        if self.pieces.is_empty() {
            return;
        }
        let start = self.pieces.iter().map(|p| p.start).fold(f32::INFINITY, f32::min);
        let end = self.pieces.iter().map(|p| p.end).fold(f32::NEG_INFINITY, f32::max);
        steps::count(self.pieces.len());
        if self.pieces.len() > 1 {
            self.pieces.sort_by(|a, b| a.start.total_cmp(&b.start));
            self.drop_shadows(line.em);
            keep_columns(&mut self.pieces, line.em);
        }
        let field = self.shows_field();
        let text = self.write(line);
        self.pieces.clear();
        if !text.is_empty() {
            self.lines.push(Line {
                text,
                direction: line.direction,
                start,
                end,
                across: line.across,
                em: line.em,
                artifact: line.artifact,
                field,
            });
        }
    }

    /// Whether a form field shows some of the line.
    fn shows_field(&self) -> bool {
        let Self { page, pieces, .. } = self;
        page.has_fields
            && pieces.iter().any(|piece| {
                steps::count(piece.range.len());
                page.glyphs[piece.range.clone()].iter().any(|g| page.runs[g.run as usize].field)
            })
    }

    /// Takes out pieces printed again over themselves, a little displaced, to look bold or to cast a shadow.
    fn drop_shadows(&mut self, em: f32) {
        let glyphs = &self.page.glyphs;
        let same_text = |a: &Piece, b: &Piece| {
            steps::count(a.range.len());
            let texts = |p: &Piece| glyphs[p.range.clone()].iter().map(|g| g.text);
            a.range.len() == b.range.len() && texts(a).eq(texts(b))
        };
        self.pieces.dedup_by(|later, kept| {
            (later.start - kept.start).abs() < 0.3 * em
                && (later.end - kept.end).abs() < 0.3 * em
                && later.range.len() > 1
                && same_text(later, kept)
        });
    }

    /// The text of the line's pieces.
    fn write(&mut self, line: &Open) -> String {
        self.clusters.clear();
        let (mut right_to_left, mut syllabic) = (false, false);
        for piece in &self.pieces {
            steps::count(piece.range.len());
            for glyph in &self.page.glyphs[piece.range.clone()] {
                let (mut along, across) = project(glyph, line.direction);
                if !along.is_finite() {
                    continue;
                }
                let Run { em, direction, .. } = self.page.runs[glyph.run as usize];
                if is_reflected(direction, line.direction) {
                    along -= glyph.advance;
                }
                let cluster = Cluster {
                    text: glyph.text,
                    start: along,
                    end: along + glyph.advance,
                    across,
                    em,
                };
                if overprint::is_reprint(self.clusters.last(), &cluster) {
                    continue;
                }
                if let Some(base) = self.pool.base(glyph.text) {
                    right_to_left |= script::is_right_to_left(base);
                    syllabic |= syllables::may_be_out_of_order(base);
                }
                self.clusters.push(cluster);
            }
        }
        overprint::drop_spaces(&mut self.clusters, right_to_left);
        if right_to_left {
            let paragraph = *self
                .right_to_left_page
                .get_or_insert_with(|| is_right_to_left_page(self.page, self.pool));
            visual::sort_to_logical(&mut self.clusters, paragraph, self.pool);
            // Sorting has brought together what was printed over each other.
            self.clusters.dedup_by(|later, kept| {
                let reprint = overprint::is_reprint(Some(kept), later);
                if reprint {
                    kept.start = later.start;
                }
                reprint
            });
        } else if syllabic {
            syllables::sort_to_logical(&mut self.clusters, self.pool);
        }
        let mut text = self.join(right_to_left);
        if syllabic {
            syllables::put_right(&mut text);
        }
        text
    }

    fn join(&self, right_to_left: bool) -> String {
        let mut out = String::with_capacity(self.clusters.len() + self.clusters.len() / 4);
        let mut previous: Option<Before<'_>> = None;
        let mut skip_until = 0;
        steps::count(self.clusters.len());
        for (index, cluster) in self.clusters.iter().enumerate() {
            if index < skip_until {
                continue;
            }
            if cluster.text == GlyphText::NOTHING {
                // A stroke that lengthens the first letter of a word has the gap before it.
                if right_to_left
                    && previous.is_some_and(|before| {
                        before.gap(cluster, cluster.start, true)
                            > WORD_GAP * before.letter.em.max(cluster.em)
                    })
                {
                    push_space(&mut out);
                }
                previous = Some(Before::new(cluster));
                continue;
            }
            if cluster.text == GlyphText::MISSING {
                if let Some(before) = &mut previous {
                    before.unknown = Some(cluster);
                }
                continue;
            }
            if cluster.text.as_char() == Some(' ') {
                push_space(&mut out);
                previous = Some(Before::new(cluster));
                continue;
            }
            if self.pool.base(cluster.text).is_some_and(script::is_combining) {
                self.pool.append(cluster.text, &mut out);
                continue;
            }
            if !right_to_left && previous.is_some_and(|before| is_mark_on(before.letter, cluster)) {
                self.pool.append(cluster.text, &mut out);
                continue;
            }
            // A spacing accent printed over a letter, as old TeX fonts compose them, is one character with it.
            let mark = cluster.text.as_char().and_then(script::combining_form);
            let base = mark.and(self.clusters.get(index + 1)).filter(|next| {
                stands_over(cluster, next) && next.text.as_char().is_some_and(char::is_alphabetic)
            });
            if let Some(before) = previous {
                let start = base.map_or(cluster.start, |b| b.start.min(cluster.start));
                let em = before.letter.em.max(cluster.em);
                if before.gap(cluster, start, right_to_left)
                    > self.threshold(before.letter, cluster) * em
                    || is_mark(before.letter, cluster, &out)
                {
                    push_space(&mut out);
                }
            }
            if let (Some(mark), Some(next)) = (mark, base) {
                out.extend(next.text.as_char().map(script::dotted));
                out.push(mark);
                previous = Some(Before::new(next));
                skip_until = index + 2;
                continue;
            }
            if let (Some(mark), Some(before)) = (mark, previous)
                && stands_over(cluster, before.letter)
                && out.chars().next_back().is_some_and(char::is_alphabetic)
            {
                out.push(mark);
                continue;
            }
            match mark.and(cluster.text.as_char()) {
                // What is left over no letter was typed as a sign: TeX has these signs from its accents.
                Some('\u{2c6}') => out.push('^'),
                Some('\u{2dc}') => out.push('~'),
                _ => self.pool.append(cluster.text, &mut out),
            }
            previous = Some(Before::new(cluster));
        }
        let trimmed = out.trim_end_matches(' ').len();
        out.truncate(trimmed);
        out
    }

    fn threshold(&self, before: &Cluster, after: &Cluster) -> f32 {
        let of = |c: &Cluster| self.pool.base(c.text).map_or(Script::Other, script::of);
        match (of(before), of(after)) {
            (Script::Ideographic, Script::Ideographic) => IDEOGRAPH_GAP,
            (Script::Ideographic, _) | (_, Script::Ideographic) => MIXED_GAP,
            (Script::Cursive, Script::Cursive) => CURSIVE_GAP,
            _ => WORD_GAP,
        }
    }
}

/// Puts what stands far apart on one line back into the order of the file, which is the order of reading: a label
/// at the right margin may come first.
fn keep_columns(pieces: &mut [Piece], em: f32) {
    let mut end = f32::NEG_INFINITY;
    let mut column = 0;
    let mut firsts: Vec<usize> = Vec::new();
    let mut columns = Vec::with_capacity(pieces.len());
    for piece in pieces.iter() {
        if piece.start - end > WIDE_GAP * em {
            firsts.push(piece.range.start);
            column = firsts.len() - 1;
        }
        firsts[column] = firsts[column].min(piece.range.start);
        columns.push(column);
        end = end.max(piece.end);
    }
    if firsts.is_sorted() {
        return;
    }
    let mut columns = columns.into_iter();
    // The sort is stable, so that a column keeps the order of its pieces.
    pieces.sort_by_cached_key(|_| columns.next().and_then(|c| firsts.get(c).copied()));
}

/// Whether a digit is the raised mark of a note after a word, or a digit or letter that of a note or a sentence before
/// its first word.
fn is_mark(before: &Cluster, after: &Cluster, written: &str) -> bool {
    let digit = |c: &Cluster| c.text.as_char().is_some_and(|c| c.is_ascii_digit());
    let letter = |c: &Cluster| c.text.as_char().is_some_and(char::is_alphabetic);
    let raised = |mark: &Cluster, word: &Cluster| {
        mark.em < MARK_SIZE * word.em && mark.across - word.across > MARK_RISE * word.em
    };
    if digit(after) && raised(after, before) {
        let word = written.chars().rev().take_while(|c| c.is_alphabetic());
        return word.take(MARKED_WORD).count() == MARKED_WORD;
    }
    if !letter(after) || !raised(before, after) {
        return false;
    }
    // Marks are small letters; a raised capital belongs to a formula.
    let small = before.text.as_char().is_some_and(|c| c.is_ascii_lowercase());
    let mut ahead = written.chars().rev();
    let ahead = if small { ahead.nth(1) } else { ahead.find(|c| !c.is_ascii_digit()) };
    (small || digit(before)) && ahead.is_none_or(|c| c == ' ')
}

fn is_right_to_left_page(page: &PageGlyphs, pool: &TextPool) -> bool {
    let letters =
        || page.glyphs.iter().filter_map(|g| pool.base(g.text)).filter(|c| c.is_alphabetic());
    let right = letters().filter(|c| script::is_right_to_left(*c)).count();
    right * 2 > letters().count()
}

fn push_space(out: &mut String) {
    if !out.is_empty() && !out.ends_with(' ') {
        out.push(' ');
    }
}

/// Whether a glyph without width stands on the one before it, as vowel signs of Indic scripts and of Thai do wherever
/// the pen is: the gap after it is that after its letter.
fn is_mark_on(before: &Cluster, mark: &Cluster) -> bool {
    mark.end - mark.start <= MARK_WIDTH * mark.em
        && (before.start..=before.end).contains(&mark.start)
        && mark.text.as_char().is_none_or(|c| script::combining_form(c).is_none())
}

/// Whether an accent is printed over a letter: its middle is over the letter, or a little beside one that is slanted.
fn stands_over(accent: &Cluster, letter: &Cluster) -> bool {
    let em = accent.em.max(letter.em);
    let middle = (accent.start + accent.end) / 2.0;
    let distance = (middle - (letter.start + letter.end) / 2.0).abs();
    let beside = (letter.start - middle).max(middle - letter.end);
    distance < ACCENT_SHIFT * em
        && beside <= ACCENT_BESIDE * em
        && accent.start < letter.end
        && letter.start < accent.end
}

pub(crate) fn project(glyph: &Glyph, direction: (f32, f32)) -> (f32, f32) {
    (glyph.x * direction.0 + glyph.y * direction.1, glyph.y * direction.0 - glyph.x * direction.1)
}

/// Whether a run is drawn backwards on its line, as the second letter of XeTeX's name is.
fn is_reflected(run: (f32, f32), line: (f32, f32)) -> bool {
    dot(run, line) < -SAME_DIRECTION
}

fn dot(a: (f32, f32), b: (f32, f32)) -> f32 {
    a.0 * b.0 + a.1 * b.1
}
