//! Which part of a text each part of its normalised form comes from.
//!
//! Normalisation is local: it starts again at most code points. So a text is a sequence of *even* parts, whose
//! normalised form has as many bytes in each code point, and *clusters*, which are normalised as a whole. A place in
//! the normalised text begins where the cluster of its first byte begins, and ends where that of its last byte ends.

use std::ops::Range;

use crate::classed_text::ClassedText;
use crate::kernel::Level;
use crate::normalise::Normaliser;
use crate::unicode::{Properties, combining_class, decompose, folding};

/// Letters U+03B9 that one run of U+0345 can leave: more than the longest word has.
const MOST_YPOGEGRAMMENI: u64 = 1024;

/// Non-starters after a starter that are looked at one by one; longer runs are a cluster.
const LONGEST_EVEN_RUN: usize = 16;

/// A part of the normalised text and where it comes from.
#[derive(Clone, Copy)]
struct Segment {
    /// Where it begins in the normalised text and in the source.
    normalised: usize,
    source: usize,
    /// Whether both have the same bytes in each of its code points.
    is_even: bool,
}

/// The parts of one text.
pub(super) struct SourceMap {
    normaliser: Normaliser,
    segments: Vec<Segment>,
}

impl Default for SourceMap {
    fn default() -> Self {
        let normaliser = Normaliser::with_bounded_ypogegrammeni(Level::best(), MOST_YPOGEGRAMMENI);
        Self { normaliser, segments: Vec::new() }
    }
}

impl SourceMap {
    /// Appends the normalised form of `part` to `text`, which is empty, and keeps where each part of it comes from.
    pub(super) fn normalise(&mut self, part: &str, text: &mut ClassedText) {
        self.segments.clear();
        let mut even_from = 0;
        let mut at = 0;
        let mut run = EvenRun::at(0);
        while let Some(ascii) = ascii_end(part, at) {
            if ascii > at {
                at = ascii;
                run = EvenRun::at(at - 1);
                run.is_begun = true;
            }
            let Some(c) = part[at..].chars().next() else { break };
            let next = at + c.len_utf8();
            if run.takes(c, at) {
                at = next;
                continue;
            }
            let cluster = if begins_anew(c) || !run.is_begun { at } else { run.starter };
            self.push_even(text, part, even_from..cluster);
            let rest = part[next..].char_indices();
            let end = rest.into_iter().find(|&(_, c)| begins_anew(c));
            at = end.map_or(part.len(), |(behind, _)| next + behind);
            self.push_segment(text, part, cluster..at, false);
            even_from = at;
            run = EvenRun::at(at);
        }
        self.push_even(text, part, even_from..part.len());
        let end = Segment { normalised: text.len(), source: part.len(), is_even: true };
        self.segments.push(end);
    }

    /// What looks places up. Each is behind the one before.
    pub(super) fn places(&self) -> Places<'_> {
        Places { segments: &self.segments, first: 0, last: 0 }
    }

    fn push_even(&mut self, text: &mut ClassedText, part: &str, place: Range<usize>) {
        if !place.is_empty() {
            self.push_segment(text, part, place, true);
        }
    }

    fn push_segment(
        &mut self,
        text: &mut ClassedText,
        part: &str,
        place: Range<usize>,
        is_even: bool,
    ) {
        self.segments.push(Segment { normalised: text.len(), source: place.start, is_even });
        self.normaliser.push_str(&part[place], text);
        // Normalisation starts again with what follows.
        self.normaliser.finish(text);
    }
}

/// Whether normalisation starts again at a code point: alone it becomes a starter that composes with nothing before it,
/// and what follows.
fn begins_anew(c: char) -> bool {
    let properties = Properties::of(c);
    // An unassigned code point becomes a space.
    if properties.begins_anew() || properties.is_unassigned() {
        return true;
    }
    let first = |c: char| {
        let mut first = None;
        decompose(c, |part| first = first.or(Some(part)));
        first.unwrap_or(c)
    };
    let decomposed = first(c);
    // U+0345 is a non-starter that folds to a letter.
    if combining_class(decomposed) != 0 {
        return false;
    }
    let folded = match folding(decomposed) {
        Some(mut mapping) => mapping.next(),
        None => Some(decomposed),
    };
    folded.is_some_and(|folded| Properties::of(first(folded)).begins_anew())
}

/// The end of the ASCII bytes from `at` on; `None` at the end of the text.
#[inline]
fn ascii_end(text: &str, at: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[at..];
    let mut ascii = 0;
    while bytes[ascii..].first_chunk::<16>().is_some_and(|chunk| chunk.is_ascii()) {
        ascii += 16;
    }
    ascii += bytes[ascii..].iter().take_while(|byte| byte.is_ascii()).count();
    (!bytes.is_empty()).then_some(at + ascii)
}

/// The end of a part of which each code point is normalised by itself to as many bytes as it has.
struct EvenRun {
    /// Where the last code point begins at which normalisation starts again.
    starter: usize,
    is_begun: bool,
    /// Of what came last.
    combining_class: u8,
    non_starters: usize,
}

impl EvenRun {
    fn at(starter: usize) -> Self {
        Self { starter, is_begun: false, combining_class: 0, non_starters: 0 }
    }

    /// Continues with a code point, unless it ends the part.
    fn takes(&mut self, c: char, at: usize) -> bool {
        let properties = Properties::of(c);
        if properties.begins_anew() {
            if !properties.is_unchanged() && properties.target(c).len_utf8() != c.len_utf8() {
                return false;
            }
            *self = Self {
                starter: at,
                is_begun: true,
                combining_class: properties.trailing_class(),
                non_starters: 0,
            };
            return true;
        }
        // A mark that stays behind what it follows, as those of Thai and Devanagari do.
        let stays = self.is_begun
            && properties.is_quick()
            && properties.is_non_starter()
            && !properties.may_compose()
            && properties.is_unchanged()
            && self.combining_class <= properties.trailing_class()
            && self.non_starters < LONGEST_EVEN_RUN;
        if stays {
            self.combining_class = properties.trailing_class();
            self.non_starters += 1;
        }
        stays
    }
}

/// The places in the source of places in the normalised text, whose starts and ends ascend.
pub(super) struct Places<'s> {
    segments: &'s [Segment],
    first: usize,
    last: usize,
}

impl Places<'_> {
    /// The place in the source of a place in the normalised text.
    pub(super) fn of(&mut self, place: &Range<usize>) -> Range<usize> {
        advance(self.segments, &mut self.first, place.start);
        advance(self.segments, &mut self.last, place.end.saturating_sub(1));
        let first = self.segments[self.first];
        let start = match first.is_even {
            true => first.source + (place.start - first.normalised),
            false => first.source,
        };
        let last = self.segments[self.last];
        let end = match last.is_even {
            true => last.source + (place.end - last.normalised),
            // The last segment of all is even.
            false => self.segments[self.last + 1].source,
        };
        start..end
    }
}

/// Moves to the last segment that begins at `place` or before it.
fn advance(segments: &[Segment], current: &mut usize, place: usize) {
    while segments.get(*current + 1).is_some_and(|next| next.normalised <= place) {
        *current += 1;
    }
}
