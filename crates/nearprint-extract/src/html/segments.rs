//! Pages that React streams: parts that were late follow the page, hidden, and scripts beside them move each to its
//! place, `<div hidden id="S:0">` to `<template id="B:0">`, or to `P:0` inside another part. What stands there until
//! then goes, up to the comment `/$`.
//!
//! They are moved here in the same way, so that a page as it was fetched has the text that its readers see, and parts
//! whose place is a menu are furniture as the rest of the menu is. A part whose place is not there stays as it is.

use std::collections::HashMap;
use std::ops::Range;

use memchr::memmem;

use super::element::{Element, Role};
use super::tokenizer::{Tag, Token, Tokenizer};
use super::visibility::SegmentId;
use crate::error::ExtractError;
use crate::job::Job;

/// A place that waits for a part.
#[derive(Debug)]
struct Place<'t> {
    id: SegmentId<'t>,
    element: Range<usize>,
    /// Where what stands there until then ends.
    end: usize,
}

/// A part that follows the page.
#[derive(Debug)]
struct Part {
    element: Range<usize>,
    content: Range<usize>,
    is_moved: bool,
}

/// A page with its parts at their places; `None` if no part has one. Takes time and memory in proportion to the page.
pub(super) fn moved(text: &str, job: &Job<'_>) -> Result<Option<String>, ExtractError> {
    if !may_have_parts(text.as_bytes()) {
        return Ok(None);
    }
    job.work.admit(text.len());
    let mut stream = Stream::default();
    stream.find(text, job)?;
    Ok(stream.moved(text))
}

/// Whether there is a place, and an id such as a part has. Nearly all pages are ruled out by this.
fn may_have_parts(text: &[u8]) -> bool {
    let is_id = |at: usize| {
        let digits = text[at..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        digits > 0 && matches!(text.get(at + digits), Some(b'"' | b'\''))
    };
    memmem::find(text, b"<template").is_some()
        && memmem::find_iter(text, b"S:").any(|at| is_id(at + 2))
}

/// The places and parts of a page, each in their order.
#[derive(Debug, Default)]
struct Stream<'t> {
    places: Vec<Place<'t>>,
    parts: Vec<Part>,
    by_id: HashMap<SegmentId<'t>, usize>,
}

impl<'t> Stream<'t> {
    fn find(&mut self, text: &'t str, job: &Job<'_>) -> Result<(), ExtractError> {
        // The part that is open, and how many elements are open in it that are named as it is.
        let mut part: Option<(SegmentId<'t>, Range<usize>, usize)> = None;
        let mut place: Option<(SegmentId<'t>, usize)> = None;
        // Of each boundary that is open, the place at its beginning.
        let mut boundaries: Vec<Option<usize>> = Vec::new();
        let (mut tokens, mut start) = (Tokenizer::new(text), 0);
        while let Some(token) = tokens.next() {
            let end = tokens.place();
            job.work.charge(end - start)?;
            match token {
                Token::Start(tag) if is(tag, "div") => match &mut part {
                    Some((_, _, depth)) => *depth += 1,
                    None => part = SegmentId::of_part(tag).map(|id| (id, start..end, 0)),
                },
                Token::Start(tag) if is(tag, "template") => {
                    place = SegmentId::of_place(tag).map(|id| (id, start));
                }
                Token::Start(tag) if Element::named(tag.name).role == Role::DroppedRaw => {
                    tokens.raw_text(tag.name);
                }
                Token::End(tag) if is(tag, "div") => match part.take() {
                    Some((id, begin, 0)) => {
                        self.by_id.entry(id).or_insert(self.parts.len());
                        self.parts.push(Part {
                            element: begin.start..end,
                            content: begin.end..start,
                            is_moved: false,
                        });
                    }
                    Some((id, begin, depth)) => part = Some((id, begin, depth - 1)),
                    None => {}
                },
                Token::End(tag) if is(tag, "template") => {
                    if let Some((id, begin)) = place.take() {
                        if let Some(boundary @ None) = boundaries.last_mut() {
                            *boundary = Some(self.places.len());
                        }
                        self.places.push(Place { id, element: begin..end, end });
                    }
                }
                Token::Comment("$" | "$?" | "$!" | "$~") => boundaries.push(None),
                Token::Comment("/$") => {
                    if let Some(Some(place)) = boundaries.pop() {
                        self.places[place].end = start;
                    }
                }
                _ => {}
            }
            start = end;
        }
        Ok(())
    }

    fn moved(mut self, text: &str) -> Option<String> {
        let mut page = String::with_capacity(text.len());
        // What is still to be written, the next last.
        let whole = 0..text.len();
        let mut pieces = vec![whole];
        while let Some(Range { start, end }) = pieces.pop() {
            let place = self.places.partition_point(|place| place.element.start < start);
            let part = self.parts.partition_point(|part| part.element.start < start);
            let place = self.places.get(place).filter(|place| place.element.start < end);
            let part = self.parts.get(part).filter(|part| part.element.start < end);
            match (place, part) {
                (Some(place), part)
                    if part.is_none_or(|part| place.element.start < part.element.start) =>
                {
                    let part = self.by_id.get(&place.id).map(|number| &mut self.parts[*number]);
                    if let Some(part) = part.filter(|part| !part.is_moved) {
                        part.is_moved = true;
                        page.push_str(&text[start..place.element.start]);
                        pieces.push(place.end.max(place.element.end).min(end)..end);
                        pieces.push(part.content.clone());
                    } else {
                        let after = place.element.end.min(end);
                        page.push_str(&text[start..after]);
                        pieces.push(after..end);
                    }
                }
                (_, Some(part)) => {
                    page.push_str(&text[start..part.element.start]);
                    pieces.push(part.element.end.min(end)..end);
                }
                _ => page.push_str(&text[start..end]),
            }
        }
        if !self.parts.iter().any(|part| part.is_moved) {
            return None;
        }
        for part in self.parts.iter().filter(|part| !part.is_moved) {
            page.push_str(&text[part.element.clone()]);
        }
        Some(page)
    }
}

fn is(tag: Tag<'_>, name: &str) -> bool {
    tag.name.eq_ignore_ascii_case(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extraction::Hints;
    use crate::limits::Limits;

    fn page(text: &str) -> Option<String> {
        let (hints, limits) = (Hints::default(), Limits::default());
        moved(text, &Job::new(&hints, &limits)).unwrap()
    }

    #[test]
    fn parts_stand_at_their_places() {
        for (before, after) in [
            (
                "<main><!--$?--><template id=\"B:0\"></template>Wait<!--/$--></main>\
                 <div hidden id=\"S:0\"><div>Fog</div></div><script>$RC(\"B:0\",\"S:0\")</script>",
                Some(
                    "<main><!--$?--><div>Fog</div><!--/$--></main><script>$RC(\"B:0\",\"S:0\")</script>",
                ),
            ),
            // A part inside another one, which came before it.
            (
                "<p><template id=\"B:0\"></template></p><div hidden id=\"S:1\">noon</div>\
                 <div hidden id=\"S:0\">at <template id=\"P:1\"></template></div>",
                Some("<p>at noon</p>"),
            ),
            // Boundaries inside what goes; with a prefix.
            (
                "<!--$?--><template id=\"aB:1f\"></template><!--$-->Wait<!--/$-->!<!--/$-->.<div hidden id=\"aS:1f\">x</div>",
                Some("<!--$?-->x<!--/$-->."),
            ),
            // Those without a place stay hidden, behind the page.
            (
                "<template id=\"B:0\"></template><div hidden id=\"S:3\">y</div><div hidden id=\"S:0\">x</div>.",
                Some("x.<div hidden id=\"S:3\">y</div>"),
            ),
            // In each other, in a script, not hidden, not closed, of another prefix: nothing to move.
            ("<div hidden id=\"S:0\"><template id=\"P:0\"></template></div>", None),
            (
                "<script><template id=\"B:0\"></template></script><div hidden id=\"S:0\">x</div>",
                None,
            ),
            ("<template id=\"B:0\"></template><div id=\"S:0\">x</div>", None),
            ("<template id=\"B:0\"></template><div hidden id=\"S:0\">x", None),
            ("<template id=\"B:0\"></template><div hidden id=\"aS:0\">x</div>", None),
            ("<template id=\"B:0\"><div hidden id=\"S:0\">x</div>", None),
            ("<p>S:0\" and no place", None),
        ] {
            assert_eq!(page(before).as_deref(), after, "{before}");
        }
    }

    #[test]
    fn pages_that_are_cut_lose_no_part() {
        let whole = "<p><template id=\"B:0\"></template></p><!--$?--><div hidden id=\"S:1\">noon<!--/$--></div>\
                     <div hidden id=\"S:0\">fog <template id=\"P:1\"></template></div>";
        for at in 0..whole.len() {
            for cut in [&whole[..at], &whole[at..]] {
                let page = page(cut).unwrap_or(cut.to_owned());
                for word in ["noon", "fog"] {
                    assert_eq!(page.contains(word), cut.contains(word), "{cut}\n{page}");
                }
            }
        }
    }
}
