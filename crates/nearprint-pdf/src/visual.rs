//! From the order of the page to the order of reading, for lines with right-to-left letters.
//!
//! Files keep such lines in either order, so the order in the file is disregarded: glyphs are sorted by
//! position, which is the visual order, and the bidirectional reordering is undone.

use crate::glyphs::{GlyphText, TextPool};
use crate::script;

/// A glyph on its line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cluster {
    pub(crate) text: GlyphText,
    /// Extent along the line.
    pub(crate) start: f32,
    pub(crate) end: f32,
    pub(crate) across: f32,
    pub(crate) em: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Left,
    Right,
    Number,
    /// A character that belongs to a number when it stands between digits.
    Separator,
    Neutral,
    /// A mark of the character before it.
    Mark,
}

/// Brings a line's glyphs into reading order.
///
/// `right_to_left` is the direction of the paragraph; the line itself cannot tell it (`a ב` may be either).
pub(crate) fn sort_to_logical(line: &mut Vec<Cluster>, right_to_left: bool, pool: &TextPool) {
    let groups = group_marks(line, pool);
    let directions: Vec<Direction> = groups.iter().map(|g| direction(g[0].text, pool)).collect();
    let order = logical_order(&directions, right_to_left);
    line.clear();
    for index in order {
        line.extend_from_slice(&groups[index]);
    }
}

fn middle_of(cluster: &Cluster) -> f32 {
    cluster.start + (cluster.end - cluster.start) / 2.0
}

/// Bases with their marks, in visual order.
fn group_marks(line: &[Cluster], pool: &TextPool) -> Vec<Vec<Cluster>> {
    let is_mark = |c: &Cluster| direction(c.text, pool) == Direction::Mark;
    let mut groups: Vec<Vec<Cluster>> =
        line.iter().filter(|c| !is_mark(c)).map(|c| vec![*c]).collect();
    // By their middles: a narrow letter may be set so far under a wide one that it begins behind it.
    groups.sort_by(|a, b| middle_of(&a[0]).total_cmp(&middle_of(&b[0])));
    for mark in line.iter().filter(|c| is_mark(c)) {
        let middle = middle_of(mark);
        let distance = |g: &[Cluster]| {
            if direction(g[0].text, pool) == Direction::Neutral {
                return f32::INFINITY;
            }
            (g[0].start - middle).max(middle - g[0].end).max(0.0)
        };
        // Bases are sorted, so the nearest is beside the place where the mark would stand.
        let place = groups.partition_point(|g| middle_of(&g[0]) < middle);
        let nearest = (place.saturating_sub(3)..(place + 2).min(groups.len()))
            .min_by(|a, b| distance(&groups[*a]).total_cmp(&distance(&groups[*b])));
        match nearest {
            Some(index) => groups[index].push(*mark),
            None => groups.push(vec![*mark]),
        }
    }
    groups
}

/// Undoes the reordering of the bidirectional algorithm for one line of one paragraph direction.
fn logical_order(directions: &[Direction], right_to_left: bool) -> Vec<usize> {
    let resolved = resolve(directions, right_to_left);
    let mut order: Vec<usize> = (0..directions.len()).collect();
    if right_to_left {
        order.reverse();
        reverse_runs(&mut order, |i| resolved[i] != Direction::Right);
    } else {
        reverse_runs(&mut order, |i| resolved[i] != Direction::Left);
        reverse_runs(&mut order, |i| resolved[i] == Direction::Number);
    }
    order
}

/// Gives neutrals the direction of their surroundings; separators within a number belong to it.
fn resolve(directions: &[Direction], right_to_left: bool) -> Vec<Direction> {
    use Direction::{Left, Neutral, Number, Right, Separator};
    let base = if right_to_left { Right } else { Left };
    let mut resolved = directions.to_vec();
    for (i, slot) in resolved.iter_mut().enumerate() {
        if *slot == Separator {
            let number =
                |j: Option<usize>| j.and_then(|j| directions.get(j)).is_some_and(|d| *d == Number);
            *slot = if number(i.checked_sub(1)) && number(Some(i + 1)) { Number } else { Neutral };
        }
    }
    // Numbers next to Latin letters are part of the Latin text, whichever way the paragraph runs.
    let mut i = 0;
    while i < resolved.len() {
        if resolved[i] != Neutral {
            i += 1;
            continue;
        }
        let end =
            resolved[i..].iter().position(|d| *d != Neutral).map_or(resolved.len(), |n| i + n);
        let before = i.checked_sub(1).map_or(base, |j| resolved[j]);
        let after = resolved.get(end).copied().unwrap_or(base);
        let fill = match (before, after) {
            (Right | Number, Right | Number) if !right_to_left => Right,
            (Left | Number, Left | Number)
                if right_to_left && (before == Left || after == Left) =>
            {
                Left
            }
            _ => base,
        };
        resolved[i..end].fill(fill);
        i = end;
    }
    if !right_to_left {
        // A number is left-to-right text unless right-to-left text touches it.
        let mut i = 0;
        while i < resolved.len() {
            if resolved[i] == Number {
                let end = resolved[i..]
                    .iter()
                    .position(|d| *d != Number)
                    .map_or(resolved.len(), |n| i + n);
                let right = |d: Option<&Direction>| d == Some(&Right);
                let touches = (i > 0 && right(resolved.get(i - 1))) || right(resolved.get(end));
                if !touches {
                    resolved[i..end].fill(Left);
                }
                i = end;
            } else {
                i += 1;
            }
        }
    }
    resolved
}

fn reverse_runs(order: &mut [usize], in_run: impl Fn(usize) -> bool) {
    let mut i = 0;
    while i < order.len() {
        let end = order[i..].iter().position(|&x| !in_run(x)).map_or(order.len(), |n| i + n);
        order[i..end].reverse();
        i = end.max(i + 1);
    }
}

fn direction(text: GlyphText, pool: &TextPool) -> Direction {
    let Some(c) = text.as_char().or_else(|| pool.long(text)?.chars().next()) else {
        return Direction::Neutral;
    };
    match c {
        '0'..='9' | '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}' => Direction::Number,
        '.' | ',' | ':' | '/' | '\u{66b}' | '\u{66c}' => Direction::Separator,
        _ if script::is_combining(c) => Direction::Mark,
        _ if script::is_right_to_left(c) => Direction::Right,
        _ if c.is_alphabetic() => Direction::Left,
        _ => Direction::Neutral,
    }
}

#[cfg(test)]
mod tests {
    use super::{Cluster, sort_to_logical};
    use crate::glyphs::{GlyphText, TextPool};

    /// Each character of `visual` stands one em right of the one before.
    fn logical(visual: &str, right_to_left: bool) -> String {
        let pool = TextPool::default();
        let mut x = 0.0;
        let mut line: Vec<Cluster> = visual
            .chars()
            .map(|c| {
                let width = if crate::script::is_combining(c) { 0.0 } else { 1.0 };
                let start = if width == 0.0 { x - 0.5 } else { x };
                x += width;
                Cluster {
                    text: GlyphText::from_char(c),
                    start,
                    end: start + width,
                    across: 0.0,
                    em: 1.0,
                }
            })
            .collect();
        sort_to_logical(&mut line, right_to_left, &pool);
        let mut out = String::new();
        for cluster in line {
            pool.append(cluster.text, &mut out);
        }
        out
    }

    #[test]
    fn reading_order_is_restored() {
        for (visual, expected) in [
            ("םולש", "שלום"),
            ("םלוע םולש", "שלום עולם"),
            ("2024 תנש", "שנת 2024"),
            ("3.14 אוה ךרעה", "הערך הוא 3.14"),
            ("Rust תפש", "שפת Rust"),
            ("Rust 2.0 beta תפש", "שפת Rust 2.0 beta"),
            ("the word םולש is Hebrew", "the word שלום is Hebrew"),
            ("the words םלוע םולש are", "the words שלום עולם are"),
            ("in 2024 the תנש", "in 2024 the שנת"),
        ] {
            let right_to_left = !expected.starts_with(['t', 'i']);
            assert_eq!(logical(visual, right_to_left), expected, "{visual}");
        }
    }
}
