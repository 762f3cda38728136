//! Glyphs printed over others: spaces that no reader sees, letters printed twice to look bold.

use crate::glyphs::GlyphText;
use crate::script;
use crate::steps;
use crate::visual::Cluster;

/// Share of a space that must be printed over for it to be none.
const COVERED: f32 = 0.85;
/// Spaces no wider than this many ems divide no words where letters run from right to left: they are drawn for
/// characters that keep marks or letters apart.
const NARROW: f32 = 0.06;
/// A space narrower than this many ems has nothing to be printed over.
const MIN_SPACE: f32 = 0.02;
/// Letters and the strokes that lengthen them touch where no more than this many ems are between them.
const TOUCHING: f32 = 0.05;
/// Extents examined on either side of a space: more than can stand over one.
const NEIGHBOURS: usize = 4;

/// Takes out spaces that letters are printed over: some producers draw a zero-width non-joiner so, and spaces beside
/// the strokes by which Arabic letters are lengthened.
pub(crate) fn drop_spaces(clusters: &mut Vec<Cluster>, right_to_left: bool) {
    steps::count(clusters.len());
    if !clusters.iter().any(is_space) {
        return;
    }
    let extents = if right_to_left { extents(clusters) } else { Vec::new() };
    let dropped: Vec<bool> = clusters
        .iter()
        .enumerate()
        .map(|(index, cluster)| {
            let covers = |(start, end): (f32, f32)| {
                let shared = cluster.end.min(end) - cluster.start.max(start);
                shared > COVERED * (cluster.end - cluster.start) && shared > MIN_SPACE * cluster.em
            };
            if !is_space(cluster) {
                false
            } else if right_to_left && cluster.end - cluster.start <= NARROW * cluster.em {
                true
            } else if right_to_left {
                let place = extents.partition_point(|(start, _)| *start < cluster.start);
                let near =
                    place.saturating_sub(NEIGHBOURS)..(place + NEIGHBOURS).min(extents.len());
                steps::count(near.len());
                extents[near].iter().any(|extent| covers(*extent))
            } else {
                let next = clusters.get(index + 1).filter(|next| !is_space(next));
                next.is_some_and(|next| covers((next.start, next.end)))
            }
        })
        .collect();
    let mut dropped = dropped.into_iter();
    clusters.retain(|_| !dropped.next().unwrap_or_default());
}

/// Where letters stand on a line, whatever their order; a letter and the strokes that lengthen it are one extent.
fn extents(clusters: &[Cluster]) -> Vec<(f32, f32)> {
    let is_letter =
        |c: &&Cluster| !is_space(c) && c.text.as_char().is_none_or(|c| !script::is_combining(c));
    let mut letters: Vec<&Cluster> = clusters.iter().filter(is_letter).collect();
    letters.sort_by(|a, b| a.start.total_cmp(&b.start));
    let mut extents: Vec<(f32, f32)> = Vec::with_capacity(letters.len());
    let mut before_is_stroke = false;
    for letter in letters {
        let is_stroke = letter.text == GlyphText::NOTHING;
        match extents.last_mut() {
            Some((_, end))
                if (is_stroke || before_is_stroke)
                    && letter.start - *end <= TOUCHING * letter.em =>
            {
                *end = end.max(letter.end);
            }
            _ => extents.push((letter.start, letter.end)),
        }
        before_is_stroke = is_stroke;
    }
    extents
}

fn is_space(cluster: &Cluster) -> bool {
    cluster.text.as_char() == Some(' ')
}

/// Whether a glyph is the one before it printed again, a hair apart.
pub(crate) fn is_reprint(before: Option<&Cluster>, glyph: &Cluster) -> bool {
    before.is_some_and(|b| {
        b.text == glyph.text
            && b.text.as_char().is_none_or(|c| c != ' ')
            && (b.start - glyph.start).abs() < 0.1 * glyph.em
            && (b.across - glyph.across).abs() < 0.1 * glyph.em
            && glyph.end - glyph.start > 0.15 * glyph.em
    })
}
