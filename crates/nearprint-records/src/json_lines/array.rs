//! Documents that are the objects of one JSON array.

mod elements;

use std::io::{self, BufRead};
use std::ops::Range;

use elements::{Element, Elements};

use super::{ObjectFields, missing_in, object};

use crate::beginning::Beginning;
use crate::expansion::{Damage, Expansion};
use crate::{
    Container, Document, ErrorRecord, MissingField, Place, ReadSettings, ReasonCode, Source,
};

/// Times that the bytes of an element are looked at: its end, its white space, its copy.
const LOOKS: usize = 3;

/// A file that is one array of objects.
///
/// An element that is not an object, or lacks its text, is one error record. An array that is not closed is an error
/// record after its last whole element, because its end is known.
pub(crate) struct JsonArray {
    place: Place,
    elements: Elements<Expansion>,
    wanted: ObjectFields,
    longest: u64,
    rows: u64,
    ended: bool,
}

impl JsonArray {
    pub(crate) fn new(
        place: Place,
        stream: Expansion,
        wanted: ObjectFields,
        settings: &ReadSettings,
    ) -> Self {
        let place = Place { wrapper: stream.wrapper().map(Into::into), ..place };
        let longest = settings.max_bytes;
        let limit = usize::try_from(longest).unwrap_or(usize::MAX);
        let elements = Elements::new(stream, limit);
        Self { place, elements, wanted, longest, rows: 0, ended: false }
    }
}

impl Source for JsonArray {
    fn next_document(&mut self) -> Option<Result<Document, ErrorRecord>> {
        if self.ended {
            return None;
        }
        self.rows += 1;
        let mut place = Place {
            row: Some(self.rows),
            offset: Some(self.elements.offset()),
            ..self.place.clone()
        };
        let refused = |place, Damage { reason, detail }| {
            Some(Err(ErrorRecord { id: None, place, reason, detail: detail.into() }))
        };
        let (found, length) = match self.elements.next()? {
            Ok(Element { offset, length, bytes: None }) => {
                (place.offset, place.length) = (Some(offset), Some(length));
                let text = format!("the element has more than {} bytes (max_bytes)", self.longest);
                let damage = Damage { reason: ReasonCode::TOO_LARGE, detail: text };
                return refused(place, damage);
            }
            Ok(Element { offset, length, bytes: Some(bytes) }) => {
                (place.offset, place.length) = (Some(offset), Some(length));
                (object(&self.wanted, place.clone(), bytes, "element"), bytes.len())
            }
            Err(damage) => {
                self.ended = true;
                return refused(place, damage);
            }
        };
        if let Err(damage) = self.elements.reader().charge(length.saturating_mul(LOOKS)) {
            self.ended = true;
            return refused(place, damage);
        }
        Some(found)
    }
}

/// Whether what begins so is an array of which the first element is an object with the field of the text, or any object
/// where the field is named.
pub(crate) fn begins(beginning: &Beginning, settings: &ReadSettings) -> bool {
    let Ok(wanted) = ObjectFields::new(&settings.fields) else { return false };
    let is_named = settings.fields.text.is_some() || settings.fields.html.is_some();
    opened(&beginning.bytes).is_some_and(|rest| match whole(beginning).next() {
        Some(first) => wanted.has_content(&first, is_named, true),
        None => wanted.has_content(rest, is_named, false),
    })
}

/// Whether it looks like rows though none has the field with the text: two objects or more, and nothing else.
pub(crate) fn are_rows(beginning: &Beginning) -> bool {
    let mut objects = 0;
    opened(&beginning.bytes).is_some()
        && whole(beginning).all(|element| {
            objects += 1;
            element.starts_with(b"{")
        })
        && objects > 1
}

/// Whether it looks like an array of texts: two or more, and nothing else.
pub(crate) fn are_strings(beginning: &Beginning) -> bool {
    let mut strings = 0;
    whole(beginning).all(|element| {
        strings += 1;
        element.starts_with(b"\"")
    }) && strings > 1
}

/// The first array in an object, where neither an object nor a field `content` is before it.
pub(crate) fn within_object<'t>(text: &'t [u8], content: &str) -> Option<&'t [u8]> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text).trim_ascii_start();
    let rest = text.strip_prefix(b"{")?;
    let (mut in_string, mut is_escaped) = (false, false);
    let at = rest.iter().position(|&byte| {
        let was_escaped = std::mem::take(&mut is_escaped);
        match byte {
            b'"' if !was_escaped => in_string = !in_string,
            b'\\' => is_escaped = in_string && !was_escaped,
            _ => {}
        }
        !in_string && b"[{}".contains(&byte)
    })?;
    let (before, array) = rest.split_at(at);
    let field = format!("\"{content}\"");
    (array[0] == b'[' && memchr::memmem::find(before, field.as_bytes()).is_none()).then_some(array)
}

/// A field that none of the first elements has.
pub(crate) fn missing(beginning: &Beginning, settings: &ReadSettings) -> Option<MissingField> {
    missing_in(whole(beginning), Container::JsonArray, &settings.fields)
}

/// What follows the bracket of an array of objects: the first object.
fn opened(head: &[u8]) -> Option<&[u8]> {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let rest = head.strip_prefix(b"[")?.trim_ascii_start();
    rest.starts_with(b"{").then_some(rest)
}

/// The elements that are at hand as a whole.
fn whole(beginning: &Beginning) -> impl Iterator<Item = Vec<u8>> {
    let mut elements = Elements::new(&beginning.bytes[..], usize::MAX);
    std::iter::from_fn(move || Some(elements.next()?.ok()?.bytes?.to_vec()))
}

/// The stretches of a file to leave out so that what is left is an array without the elements `dropped`: with each the
/// comma before it, or where nothing is kept before it, what follows up to the next one. `changed` is the error of a
/// file that is another than before.
pub(crate) fn stretches_without(
    from: impl BufRead,
    dropped: impl IntoIterator<Item = io::Result<Range<u64>>>,
    changed: fn() -> io::Error,
) -> impl Iterator<Item = io::Result<Range<u64>>> {
    let mut elements = Elements::new(from, 0);
    let mut dropped = dropped.into_iter();
    let mut next = dropped.next();
    // The end of the element before, whether any before is kept, and where what is dropped began if none is.
    let (mut before, mut is_kept, mut open) = (None, false, None);
    std::iter::from_fn(move || {
        while next.is_some() || open.is_some() {
            if let Some(Err(error)) = next.take_if(|next| next.is_err()) {
                return Some(Err(error));
            }
            let Some(Ok(Element { offset: start, length, .. })) = elements.next() else {
                // All of them are dropped.
                let all = open.take().zip(before).filter(|_| next.is_none());
                return Some(all.map(|(start, end)| start..end).ok_or_else(changed));
            };
            let last = before.replace(start + length);
            match &next {
                Some(Ok(place)) if place.start == start => {
                    next = dropped.next();
                    if is_kept {
                        return Some(Ok(last.unwrap_or(start)..start + length));
                    }
                    open.get_or_insert(start);
                }
                Some(Ok(place)) if place.start < start => return Some(Err(changed())),
                _ => {
                    is_kept = true;
                    if let Some(begun) = open.take() {
                        return Some(Ok(begun..start));
                    }
                }
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Content;
    use crate::expansion::Raw;

    fn read(text: &str) -> Vec<Result<String, String>> {
        let stream =
            Expansion::new(Raw::new(Box::new(io::Cursor::new(text.as_bytes().to_vec()))), 300);
        let settings = ReadSettings { max_bytes: 40, ..ReadSettings::default() };
        let place = Place { file: "f".into(), ..Place::default() };
        let wanted = ObjectFields::new(&settings.fields).unwrap();
        let mut array = JsonArray::new(place, stream, wanted, &settings);
        std::iter::from_fn(|| array.next_document())
            .map(|found| match found {
                Ok(Document { id, place, content: Content::Text(content), .. }) => {
                    let (at, length) = (place.offset.unwrap(), place.length.unwrap());
                    let stored = &text[at as usize..(at + length) as usize];
                    assert!(stored.starts_with('{') && stored.ends_with('}'), "{stored}");
                    Ok(format!("{id} {content}"))
                }
                Ok(other) => panic!("{other:?}"),
                Err(error) => Err(format!("{} {error}", error.reason)),
            })
            .collect()
    }

    #[test]
    fn objects_of_an_array_are_documents() {
        let found = read(
            "[{\"id\":\"a\",\"text\":\"Fog\"},\n {\"text\":\"Rain\"}, 7,\n{\"text\":\"[,]\"}\n]\n",
        );
        assert_eq!(found[0], Ok("a Fog".to_owned()));
        assert_eq!(found[1], Ok("f#2 Rain".to_owned()));
        assert!(found[2].as_ref().unwrap_err().starts_with("bad-line f#3: the element is not"));
        assert_eq!(found[3..], [Ok("f#4 [,]".to_owned())]);
    }

    #[test]
    fn an_array_that_was_cut_says_so_wherever_it_was() {
        let text = "[{\"id\":\"a\",\"text\":\"Fog\"}, {\"text\":\"Rain\"}]";
        let whole = read(text);
        assert!(whole.iter().all(Result::is_ok));
        for length in 0..text.len() {
            let cut = read(&text[..length]);
            let error = cut.last().unwrap().as_ref().unwrap_err();
            assert!(error.starts_with("damaged f#"), "{length}: {error}");
            assert_eq!(cut[..cut.len() - 1], whole[..cut.len() - 1]);
        }
    }

    #[test]
    fn what_is_left_of_an_array_is_one() {
        let changed = || io::Error::other("it changed");
        let text = "[ {\"a\":0} ,{\"a\":1},\n{\"a\":2}\n, {\"a\":3} ]\n";
        let mut elements = Elements::new(text.as_bytes(), usize::MAX);
        let mut places = Vec::new();
        while let Some(Ok(Element { offset, length, .. })) = elements.next() {
            places.push(offset..offset + length);
        }
        for chosen in 0..16u32 {
            let is_dropped = |at: &usize| chosen & 1 << at != 0;
            let dropped = (0..4).filter(is_dropped).map(|at| Ok(places[at].clone()));
            let dropped: Vec<io::Result<Range<u64>>> = dropped.collect();
            let (mut left, mut at) = (String::new(), 0);
            for stretch in stretches_without(text.as_bytes(), dropped, changed) {
                let Range { start, end } = stretch.unwrap();
                assert!(start >= at as u64 && end > start, "{chosen}");
                left += &text[at..start as usize];
                at = end as usize;
            }
            left += &text[at..];
            let kept: Vec<serde_json::Value> = serde_json::from_str(&left).unwrap();
            let kept: Vec<_> = kept.iter().map(|element| element["a"].as_u64().unwrap()).collect();
            let wanted: Vec<_> = (0..4).filter(|at| !is_dropped(&(*at as usize))).collect();
            assert_eq!(kept, wanted, "{chosen:b}: {left}");
        }
        let found = stretches_without(text.as_bytes(), [Ok(3..5)], changed).next().unwrap();
        assert!(found.is_err());
    }
}
