//! Whether the beginning of a file is rows of JSON, and which of the fields asked for none of them has.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};

use super::pick::pick;
use crate::beginning::{Beginning, looked_for};
use crate::fields::Pointer;
use crate::row::Field;
use crate::{Container, MissingField, TableFields, escape};

/// Whether it looks like rows though none has the field with the text: two objects or more, or one in a file that is
/// called so.
pub(crate) fn are_rows(beginning: &Beginning) -> bool {
    let mut objects = 0;
    for line in beginning.lines().filter(|line| !line.trim_ascii().is_empty()) {
        if serde_json::from_slice::<Names>(line).is_err() {
            return false;
        }
        objects += 1;
    }
    objects > 1 || (objects == 1 && ["jsonl", "ndjson"].contains(&&*beginning.ending))
}

/// Whether it is two objects or more, wherever they begin, and nothing else.
pub(crate) fn are_objects(beginning: &Beginning) -> bool {
    let text = beginning.text();
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let mut objects = 0;
    for object in serde_json::Deserializer::from_slice(text).into_iter::<Names>() {
        match object {
            Ok(_) => objects += 1,
            Err(error) if error.is_eof() && !beginning.is_whole => break,
            Err(_) => return false,
        }
    }
    objects > 1
}

/// A field that none of the rows has.
pub(crate) fn missing(beginning: &Beginning, fields: &TableFields) -> Option<MissingField> {
    missing_in(beginning.lines(), Container::JsonLines, fields)
}

/// A field that none of the objects has.
pub(crate) fn missing_in(
    objects: impl Iterator<Item = impl AsRef<[u8]>>,
    container: Container,
    fields: &TableFields,
) -> Option<MissingField> {
    let wanted = looked_for(fields);
    // A name that is not a pointer is refused by whoever reads the rows.
    let pointers: Vec<Pointer> =
        wanted.iter().map(|(_, name)| Pointer::new(name)).collect::<Result<_, _>>().ok()?;
    let mut has = vec![false; pointers.len()];
    let (mut rows, mut there) = (0, Vec::new());
    for object in objects {
        let object = object.as_ref();
        // What is not an object is an error record of its own.
        let Ok(Names(names)) = serde_json::from_slice(object) else { continue };
        rows += 1;
        let (found, _) = pick(object, &pointers.iter().collect::<Vec<_>>());
        for (has, field) in has.iter_mut().zip(found) {
            *has |= field != Field::Missing;
        }
        if has.iter().all(|has| *has) {
            return None;
        }
        for name in names {
            if there.len() < MissingField::NAMED && !there.contains(&name) {
                there.push(name);
            }
        }
    }
    if rows == 0 {
        // One row that is longer than what was examined.
        return None;
    }
    let at = has.iter().position(|has| !has)?;
    let (purpose, field) = wanted[at];
    let there = there.iter().map(|name| escape(name.as_bytes())).collect();
    Some(MissingField { container, field: field.to_owned(), purpose, rows: Some(rows), there })
}

/// The names of an object's fields.
struct Names(Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Gather)
    }
}

struct Gather;

impl<'de> Visitor<'de> for Gather {
    type Value = Names;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Names, A::Error> {
        let mut names = Vec::new();
        while let Some((name, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
            if names.len() < MissingField::NAMED {
                names.push(name);
            }
        }
        Ok(Names(names))
    }
}
