//! From the order of the page to the order of reading, for lines with right-to-left letters.
//!
//! Files keep such lines in either order, so the order in the file is disregarded: glyphs are sorted by
//! position, which is the visual order, and the bidirectional reordering is undone.

use crate::glyphs::{GlyphText, TextPool};
use crate::script;
use crate::steps;

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
    steps::count(line.len());
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

/// Which letter a mark belongs to, by the order in which a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The letter drawn before it: letters are drawn in reading order.
    Before,
    /// The letter drawn after it: text was shaped and then reversed, marks and all.
    After,
}

/// A mark stands on a letter when its middle is no more than this many ems beside it.
const BESIDE: f32 = 0.05;

/// Bases with their marks, in visual order.
fn group_marks(line: &[Cluster], pool: &TextPool) -> Vec<Vec<Cluster>> {
    let directions: Vec<Direction> = line.iter().map(|c| direction(c.text, pool)).collect();
    let mut groups: Vec<(usize, Vec<Cluster>)> = (0..line.len())
        .filter(|index| directions[*index] != Direction::Mark)
        .map(|index| (index, vec![line[index]]))
        .collect();
    // By their middles: a narrow letter may be set so far under a wide one that it begins after it.
    groups.sort_by(|a, b| middle_of(&a.1[0]).total_cmp(&middle_of(&b.1[0])));
    let mut marks: Vec<usize> =
        (0..line.len()).filter(|index| directions[*index] == Direction::Mark).collect();
    if marks.is_empty() {
        return groups.into_iter().map(|(_, group)| group).collect();
    }
    let neighbours = Neighbours::new(&directions);
    let owner = neighbours.owner(line, &marks);
    if owner == Some(Owner::After) {
        // The last one drawn is the first one read.
        marks.reverse();
    }
    let mut places = vec![0; line.len()];
    for (place, (index, _)) in groups.iter().enumerate() {
        places[*index] = place;
    }
    for mark in marks {
        let told = owner.and_then(|owner| neighbours.of(mark, owner)).map(|index| places[index]);
        match told.or_else(|| nearest(&groups, &line[mark], pool)) {
            Some(place) => groups[place].1.push(line[mark]),
            None => groups.push((mark, vec![line[mark]])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The group whose base is nearest to a mark. Bases are sorted, so it is beside the place where the mark would stand.
fn nearest(groups: &[(usize, Vec<Cluster>)], mark: &Cluster, pool: &TextPool) -> Option<usize> {
    let middle = middle_of(mark);
    let distance = |place: &usize| {
        let base = &groups[*place].1[0];
        if direction(base.text, pool) == Direction::Neutral {
            return f32::INFINITY;
        }
        (base.start - middle).max(middle - base.end).max(0.0)
    };
    let place = groups.partition_point(|(_, group)| middle_of(&group[0]) < middle);
    steps::count(5);
    (place.saturating_sub(3)..(place + 2).min(groups.len()))
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// The letters drawn before and after each glyph.
struct Neighbours {
    before: Vec<Option<usize>>,
    after: Vec<Option<usize>>,
}

impl Neighbours {
    fn new(directions: &[Direction]) -> Self {
        let is_letter = |index: &usize| directions[*index] == Direction::Right;
        // The last letter of those met so far.
        let met = |last: &mut Option<usize>, index: usize| {
            let seen = *last;
            *last = Some(index).filter(is_letter).or(seen);
            Some(seen)
        };
        let before = (0..directions.len()).scan(None, met).collect();
        let mut after: Vec<_> = (0..directions.len()).rev().scan(None, met).collect();
        after.reverse();
        Self { before, after }
    }

    fn of(&self, mark: usize, owner: Owner) -> Option<usize> {
        match owner {
            Owner::Before => self.before[mark],
            Owner::After => self.after[mark],
        }
    }

    /// How the line is drawn, where that is plain: nearly all marks stand on the letter before them, or after.
    fn owner(&self, line: &[Cluster], marks: &[usize]) -> Option<Owner> {
        let stand_on = |owner: Owner| {
            let stands = |mark: &&usize| {
                self.of(**mark, owner).is_some_and(|index| {
                    let (base, middle) = (&line[index], middle_of(&line[**mark]));
                    let beside = BESIDE * base.em;
                    middle >= base.start - beside && middle <= base.end + beside
                })
            };
            marks.iter().filter(stands).count()
        };
        let (before, after) = (stand_on(Owner::Before), stand_on(Owner::After));
        let owner = if before > after { Owner::Before } else { Owner::After };
        (before != after && before.max(after) * 4 >= marks.len() * 3).then_some(owner)
    }
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
        steps::count(end - i);
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
                steps::count(end - i);
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
        steps::count(end - i);
        order[i..end].reverse();
        i = end.max(i + 1);
    }
}

fn direction(text: GlyphText, pool: &TextPool) -> Direction {
    let Some(c) = pool.base(text) else { return Direction::Neutral };
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
    fn marks_keep_the_letters_they_were_drawn_with() {
        let pool = TextPool::default();
        let cluster = |c: char, start: f32, end: f32| Cluster {
            text: GlyphText::from_char(c),
            start,
            end,
            across: 0.0,
            em: 1.0,
        };
        // Yod, then nun with tsere and munah, which stands under the yod; then pe with sheva.
        let drawn = [
            ('\u{5d9}', 0.0, 0.35),
            ('\u{5a3}', 0.2, 0.2),
            ('\u{5b5}', 0.5, 0.5),
            ('\u{5e0}', 0.35, 0.7),
            ('\u{5b0}', 1.0, 1.0),
            ('\u{5e4}', 0.7, 1.3),
            ('\u{5b7}', 1.6, 1.6),
            ('\u{5dc}', 1.3, 1.9),
        ];
        let read = "\u{5dc}\u{5b7}\u{5e4}\u{5b0}\u{5e0}\u{5b5}\u{5a3}\u{5d9}";
        let text = |mut line: Vec<Cluster>| {
            sort_to_logical(&mut line, true, &pool);
            line.iter().filter_map(|c| c.text.as_char()).collect::<String>()
        };
        assert_eq!(text(drawn.map(|(c, start, end)| cluster(c, start, end)).to_vec()), read);
        let reversed = drawn.iter().rev().map(|&(c, start, end)| cluster(c, start, end));
        assert_eq!(text(reversed.collect()), read);
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
