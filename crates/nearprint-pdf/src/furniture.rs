//! Page furniture: running heads and feet, page numbers, watermarks.
//!
//! Furniture is known by repetition, never by words: a row at the edge of the page that comes back at the same
//! height with the same text (page numbers aside) and stands apart from the text, or a turned or very large line
//! that stands at the very same place on most pages. Documents of one or two pages have none that could be told. Pages
//! that show one slide step by step count as one.
//! Not known yet: side bars.

use crate::lines::Line;
use crate::slides;
use crate::steps;
use std::collections::HashMap;

/// Rows examined from the upper and from the lower edge.
const EDGE_ROWS: usize = 3;
/// Lines whose heights differ by no more ems than this are one row.
const SAME_ROW: f32 = 0.4;
/// Rows further apart than this many ems are not lines of one text.
const APART: f32 = 1.5;
/// Rows whose letters are so much larger than those of the text are titles, of slides for one, unless they stand on
/// most pages.
const TITLE: f32 = 1.15;
/// Share of the page, from either edge, in which rows can be running heads and feet.
const EDGE: f32 = 0.25;
/// Heights closer than this, in page units, are the same.
const SAME_HEIGHT: f32 = 3.0;
/// Rows whose text stands on so many pages at one height come back.
const MIN_REPEATS: usize = 2;
/// Heads come back within so many slides: on the next page, or on the next but one where left and right pages differ,
/// which an empty page or a full-page figure may stand between. Documents made of alike parts, as tests of fonts are,
/// have the same rows at the same heights part after part, and these are their text.
const SOON: usize = 3;
/// Texts repeated on fewer pages than this are not furniture.
const MIN_PAGES: usize = 3;
/// Share of the page, from either edge, in which lines the document marks as artifacts are furniture.
const MARGIN: f32 = 0.15;
/// Upright text larger than this many page units may be a watermark.
const WATERMARK_EM: f32 = 30.0;

/// Where no more than this share of the letters would be left, what comes back on the pages is their text: labels that
/// are printed, one on each sheet, pages of a sample.
const MIN_LEFT: f64 = 0.25;

/// Takes the furniture out of the pages. `heights` are the pages' heights.
pub(crate) fn remove(pages: &mut Vec<Vec<Line>>, heights: &[f32]) {
    let mut without = pages.clone();
    remove_all(&mut without, heights);
    if letters(&without) as f64 > MIN_LEFT * letters(pages) as f64 {
        *pages = without;
    }
}

/// Letters of all lines.
fn letters(pages: &[Vec<Line>]) -> usize {
    let of = |line: &Line| line.text.chars().filter(|c| c.is_alphabetic()).count();
    pages.iter().flatten().map(of).sum()
}

fn remove_all(pages: &mut [Vec<Line>], heights: &[f32]) {
    for (page, height) in pages.iter_mut().zip(heights) {
        page.retain(|line| !(line.artifact && at_margin(line, *height)));
    }
    let slides = slides::number(pages);
    let mut filled: Vec<usize> = (0..pages.len()).filter(|n| !pages[*n].is_empty()).collect();
    filled.dedup_by_key(|page| slides[*page]);
    if filled.len() < MIN_PAGES {
        return;
    }
    remove_watermarks(pages, &slides, filled.len());
    let title_em = TITLE * text_em(pages);
    for edge in [Edge::Top, Edge::Bottom] {
        remove_edge(pages, heights, edge, &slides, filled.len(), title_em);
    }
}

/// The size of the letters that most of the text is set in.
fn text_em(pages: &[Vec<Line>]) -> f32 {
    let mut sizes: Vec<(f32, usize)> =
        pages.iter().flatten().map(|line| (line.em, line.text.len())).collect();
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = sizes.iter().map(|(_, length)| length).sum::<usize>() / 2;
    let mut seen = 0;
    let middle = sizes.iter().find(|(_, length)| {
        seen += length;
        seen > half
    });
    middle.map_or(f32::INFINITY, |(em, _)| *em)
}

fn at_margin(line: &Line, height: f32) -> bool {
    !is_upright(line) || line.across < height * MARGIN || line.across > height * (1.0 - MARGIN)
}

/// Turned or very large lines with the same text at the same place on most pages: watermarks. Upright lines of
/// ordinary size stay, as forms and tables have them on every page.
fn remove_watermarks(pages: &mut [Vec<Line>], slides: &[usize], filled: usize) {
    let may_be = |line: &Line| !line.field && (!is_upright(line) || line.em > WATERMARK_EM);
    let place = |line: &Line| {
        let round = |v: f32| (v / SAME_HEIGHT).round() as i32;
        (round(line.start), round(line.across))
    };
    let mut counts: HashMap<(String, (i32, i32)), (usize, usize)> = HashMap::new();
    for (page, &number) in pages.iter().zip(slides) {
        for line in page.iter().filter(|line| may_be(line)) {
            let entry = counts.entry((line.text.clone(), place(line))).or_insert((0, usize::MAX));
            if entry.1 != number {
                *entry = (entry.0 + 1, number);
            }
        }
    }
    counts.retain(|_, (count, _)| *count >= MIN_PAGES.max(filled.div_ceil(2)));
    if counts.is_empty() {
        return;
    }
    for page in pages {
        page.retain(|line| {
            !may_be(line) || !counts.contains_key(&(line.text.clone(), place(line)))
        });
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edge {
    Top,
    Bottom,
}

/// The lines of a page on one height near an edge.
struct Row {
    page: usize,
    lines: Vec<usize>,
    across: f32,
    em: f32,
    key: String,
    numbers: Vec<i64>,
    /// Distance to the next row inward, in ems of the row.
    gap: f32,
}

/// Removes the outermost rows, as often as the next ones turn out to be furniture too.
fn remove_edge(
    pages: &mut [Vec<Line>],
    heights: &[f32],
    edge: Edge,
    slides: &[usize],
    filled: usize,
    title_em: f32,
) {
    for removed_rows in 0..EDGE_ROWS {
        let rows: Vec<Row> = pages
            .iter()
            .zip(heights)
            .enumerate()
            .filter_map(|(number, (page, height))| {
                let row = outermost(number, page, edge, EDGE_ROWS - removed_rows)?;
                // Answers in a form are its text, wherever they come back.
                if row.lines.iter().any(|line| page[*line].field) {
                    return None;
                }
                let from_edge = if edge == Edge::Top { height - row.across } else { row.across };
                (from_edge < height * EDGE).then_some(row)
            })
            .collect();
        let firsts: Vec<bool> = rows
            .iter()
            .enumerate()
            .map(|(index, row)| index == 0 || slides[rows[index - 1].page] != slides[row.page])
            .collect();
        let returns = returns(&rows, &firsts, slides);
        // Of each slide one row is counted.
        let counted = || rows.iter().zip(&returns).zip(&firsts).filter(|(_, first)| **first);
        let heads_at = counted().filter(|((_, returns), _)| **returns == Returns::Soon);
        let heads_at = Heights::new(heads_at.map(|((row, _), _)| row.across));
        let all = Heights::new(counted().map(|((row, _), _)| row.across));
        let mut repeats: HashMap<&str, usize> = HashMap::new();
        for (row, _) in rows.iter().zip(&firsts).filter(|(_, first)| **first) {
            *repeats.entry(&row.key).or_default() += 1;
        }
        let mut removed = false;
        for (index, row) in rows.iter().enumerate() {
            // Heads name the section, so that a head may come back on few pages; but that most pages have a row
            // at this very height, and many of these rows come back, no first line of a text does.
            let peers = heads_at.near(row.across);
            if peers < MIN_PAGES || peers * 3 < filled || all.near(row.across) * 2 < filled {
                continue;
            }
            if row.em > title_em && repeats.get(row.key.as_str()).is_none_or(|n| n * 2 <= filled) {
                continue;
            }
            if returns[index] != Returns::Never || row.gap > APART {
                removed = true;
                let mut gone = row.lines.iter().peekable();
                let mut number = 0;
                steps::count(pages[row.page].len());
                pages[row.page].retain(|_| {
                    number += 1;
                    gone.next_if_eq(&&(number - 1)).is_none()
                });
            }
        }
        if !removed {
            return;
        }
    }
}

/// Heights on the page, sorted, to count those near one.
struct Heights(Vec<f32>);

impl Heights {
    fn new(heights: impl Iterator<Item = f32>) -> Self {
        let mut sorted: Vec<f32> = heights.collect();
        sorted.sort_by(f32::total_cmp);
        Self(sorted)
    }

    fn near(&self, height: f32) -> usize {
        let low = self.0.partition_point(|h| *h < height - SAME_HEIGHT);
        self.0.partition_point(|h| *h <= height + SAME_HEIGHT) - low
    }
}

/// Whether a row comes back at the same height on other slides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Returns {
    Never,
    /// Further away than heads do.
    Later,
    /// As heads do, or with its page's number.
    Soon,
}

/// Which rows come back. `firsts` are the first rows of slides.
fn returns(rows: &[Row], firsts: &[bool], slides: &[usize]) -> Vec<Returns> {
    // Slides are in order, as pages are.
    let mut by_key: HashMap<&str, Vec<(usize, f32)>> = HashMap::new();
    let mut offsets: HashMap<i64, usize> = HashMap::new();
    let offset = |row: &Row, number: &i64| number - slides[row.page] as i64;
    for (row, _) in rows.iter().zip(firsts).filter(|(_, first)| **first) {
        by_key.entry(&row.key).or_default().push((slides[row.page], row.across));
        for number in &row.numbers {
            *offsets.entry(offset(row, number)).or_default() += 1;
        }
    }
    let all: HashMap<&str, Heights> = by_key
        .iter()
        .map(|(key, places)| (*key, Heights::new(places.iter().map(|(_, across)| *across))))
        .collect();
    rows.iter()
        .map(|row| {
            let numbered = row
                .numbers
                .iter()
                .any(|number| offsets.get(&offset(row, number)).is_some_and(|n| *n >= MIN_PAGES));
            let slide = slides[row.page];
            let soon = by_key.get(row.key.as_str()).is_some_and(|places| {
                let first = places.partition_point(|(other, _)| other + SOON < slide);
                let mut near =
                    places[first..].iter().take_while(|(other, _)| *other <= slide + SOON);
                near.any(|(other, across)| {
                    steps::count(1);
                    *other != slide && (across - row.across).abs() <= SAME_HEIGHT
                })
            });
            let same = all.get(row.key.as_str()).map_or(0, |heights| heights.near(row.across));
            match () {
                () if numbered || soon => Returns::Soon,
                () if same >= MIN_REPEATS => Returns::Later,
                () => Returns::Never,
            }
        })
        .collect()
}

/// The outermost row of a page, if it is one of at most `depth` rows that stand apart from the rest.
///
/// The text itself has no such gap near its edge, so a table whose head is repeated on each page keeps it.
fn outermost(number: usize, page: &[Line], edge: Edge, depth: usize) -> Option<Row> {
    let outward = |line: &Line| if edge == Edge::Top { line.across } else { -line.across };
    let mut upright: Vec<usize> = (0..page.len()).filter(|i| is_upright(&page[*i])).collect();
    upright.sort_by(|a, b| outward(&page[*b]).total_cmp(&outward(&page[*a])));
    let first = &page[*upright.first()?];
    let mut gaps = upright.windows(2).map(|pair| {
        let (outer, inner) = (&page[pair[0]], &page[pair[1]]);
        (outward(outer) - outward(inner)) / outer.em.max(inner.em)
    });
    let mut rows = 1;
    let mut gap_of_first = f32::INFINITY;
    let apart = loop {
        let Some(gap) = gaps.next() else { break true };
        if gap <= SAME_ROW {
            continue;
        }
        if rows == 1 {
            gap_of_first = gap;
        }
        if gap > APART {
            break true;
        }
        rows += 1;
        if rows > depth {
            break false;
        }
    };
    if !apart {
        return None;
    }
    let mut row = Row {
        page: number,
        lines: Vec::new(),
        across: first.across,
        em: first.em,
        key: String::new(),
        numbers: Vec::new(),
        gap: gap_of_first,
    };
    steps::count(page.len());
    for (index, line) in page.iter().enumerate().filter(|(_, line)| is_upright(line)) {
        if (first.across - line.across).abs() <= SAME_ROW * first.em {
            row.lines.push(index);
            push_key(&line.text, &mut row);
        }
    }
    Some(row)
}

/// Adds a line's text with its page numbers taken out, so that only they may differ from page to page.
///
/// A line of many numbers is a row of a table, and its numbers are its text.
fn push_key(text: &str, row: &mut Row) {
    let number_of = |word: &str| page_number(word.trim_matches(|c: char| !c.is_alphanumeric()));
    let few = text.split_whitespace().filter(|word| number_of(word).is_some()).count() <= 3;
    steps::count(text.len());
    row.key.push('|');
    for word in text.split_whitespace() {
        match number_of(word).filter(|_| few) {
            Some(number) => {
                row.numbers.push(number);
                row.key.push('#');
            }
            None => row.key.push_str(word),
        }
        row.key.push(' ');
    }
}

/// The value of a word that may number a page: decimal or lower-case roman.
fn page_number(word: &str) -> Option<i64> {
    if word.is_empty() || word.len() > 8 {
        return None;
    }
    if word.bytes().all(|b| b.is_ascii_digit()) {
        return word.parse().ok();
    }
    let mut value = 0;
    let mut last = 0;
    for digit in word.bytes().rev() {
        let digit = match digit {
            b'i' => 1,
            b'v' => 5,
            b'x' => 10,
            b'l' => 50,
            b'c' => 100,
            _ => return None,
        };
        value += if digit < last { -digit } else { digit };
        last = last.max(digit);
    }
    Some(value)
}

fn is_upright(line: &Line) -> bool {
    line.direction.0 > 0.98
}

#[cfg(test)]
mod tests {
    use super::page_number;

    #[test]
    fn page_numbers_are_decimal_or_roman() {
        for (word, value) in [
            ("12", Some(12)),
            ("iv", Some(4)),
            ("xxviii", Some(28)),
            ("", None),
            ("iron", None),
            ("1a", None),
            ("123456789", None),
        ] {
            assert_eq!(page_number(word), value, "{word}");
        }
    }
}
