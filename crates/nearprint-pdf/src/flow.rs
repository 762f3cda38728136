//! From lines to running text: paragraphs, words broken at line ends, scripts set without spaces.

use crate::homoglyphs;
use crate::hyphens::{self, Break, Vocabulary};
use crate::korean::BrokenWords;
use crate::lines::Line;
use crate::script;
use crate::steps;
use crate::urls;

/// A step down of more ems than this begins a new paragraph.
const PARAGRAPH_STEP: f32 = 1.8;
/// A line reaches the right margin when no more than this many ems are left of the widest neighbour.
const FULL_LINE: f32 = 1.3;

/// Joins the lines of all pages.
pub(crate) fn join(pages: &[Vec<Line>]) -> String {
    let lines: Vec<(usize, &Line)> =
        pages.iter().enumerate().flat_map(|(n, page)| page.iter().map(move |l| (n, l))).collect();
    let vocabulary = Vocabulary::new(lines.iter().map(|(_, line)| line.text.as_str()));
    let korean = BrokenWords::new(lines.iter().map(|(_, line)| line.text.as_str()));
    let mut out = String::with_capacity(lines.iter().map(|(_, l)| l.text.len() + 1).sum());
    for (index, (page, line)) in lines.iter().enumerate() {
        steps::count(line.text.len());
        if let Some((previous_page, _)) = index.checked_sub(1).map(|i| lines[i]) {
            let same_page = previous_page == *page;
            match hyphens::at_line_end(&out, &line.text, &vocabulary) {
                Break::Word { hyphen_bytes } => out.truncate(out.len() - hyphen_bytes),
                Break::Compound => {}
                Break::None if same_page && continues(&lines, index) => {
                    let joins = joins_without_space(&out, &line.text)
                        || urls::goes_on(&out, &line.text)
                        || korean.is_broken(&lines[index - 1].1.text, &line.text);
                    if !joins || !is_full(&lines, index - 1) {
                        out.push('\n');
                    }
                }
                Break::None => out.push_str("\n\n"),
            }
        }
        out.push_str(&line.text);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    hyphens::resolve_soft_hyphens(&mut out);
    homoglyphs::resolve(out)
}

/// Whether line `index` follows the one before it within a paragraph.
fn continues(lines: &[(usize, &Line)], index: usize) -> bool {
    let (before, line) = (lines[index - 1].1, lines[index].1);
    let step = before.across - line.across;
    let em = before.em.max(line.em);
    let turned =
        before.direction.0 * line.direction.0 + before.direction.1 * line.direction.1 < 0.9;
    !turned
        && step > 0.0
        && step <= PARAGRAPH_STEP * em
        && before.em.min(line.em) > 0.8 * em
        && line.start < before.end
}

/// Scripts without spaces break lines anywhere, so nothing stands between the lines of a paragraph.
fn joins_without_space(before: &str, after: &str) -> bool {
    let unspaced = |c: Option<char>| c.is_some_and(script::is_unspaced);
    unspaced(before.chars().next_back()) && unspaced(after.chars().next())
}

/// Whether a line reaches as far as its neighbours do.
fn is_full(lines: &[(usize, &Line)], index: usize) -> bool {
    let line = lines[index].1;
    let neighbours = &lines[index.saturating_sub(2)..(index + 3).min(lines.len())];
    steps::count(neighbours.len());
    let widest = neighbours
        .iter()
        .filter(|(page, l)| *page == lines[index].0 && l.start < line.end && l.end > line.start)
        .map(|(_, l)| l.end)
        .fold(line.end, f32::max);
    widest - line.end <= FULL_LINE * line.em
}
