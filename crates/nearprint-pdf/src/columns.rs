//! Two columns that a file writes back and forth: a line of the left one, a line of the right one, and so on.
//!
//! Such a page looks like a table, whose rows are to be read across. What tells it from one is that it is prose: lines
//! in both columns reach from edge to edge, and sentences and words continue from a line to the one below it, not to
//! the one beside it. [`read_by_column`] puts the glyphs of such a page in the order of columns and says how well its
//! lines follow each other in either order; [`put_in_order`] decides from all pages of a document. A file that writes
//! one column after the other never comes here: its order is kept as it is.

mod column_lines;
mod evidence;
mod prose;

pub(crate) use self::evidence::Evidence;

use self::column_lines::{Side, column_lines, fragments, gutter, is_back_and_forth};
use self::evidence::{Order, judge};
use self::prose::{gather, is_prose};
use crate::glyphs::{PageGlyphs, TextPool};
use crate::lines::Line;
use crate::steps;

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

/// The glyphs of a page with its columns one after the other, where the file writes them back and forth and they look
/// like prose; with how well the lines agree in either order.
pub(crate) fn read_by_column(page: &PageGlyphs, pool: &TextPool) -> Option<(PageGlyphs, Evidence)> {
    let fragments = fragments(page);
    let gutter = gutter(&fragments)?;
    let lines = column_lines(&fragments, gutter);
    let mut order: Vec<usize> = (0..lines.len()).collect();
    let mut evidence = Evidence { justified: true, ..Evidence::default() };
    let mut found = false;
    let mut first = 0;
    steps::count(lines.len());
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
        steps::count(lines[line].fragments.len());
        for fragment in &fragments[lines[line].fragments.clone()] {
            glyphs.extend_from_slice(&page.glyphs[fragment.range.clone()]);
        }
    }
    Some((PageGlyphs { runs: page.runs.clone(), glyphs, ..*page }, evidence))
}
