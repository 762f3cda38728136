//! How many keys of resources the pages hold, counted before the parser makes them.
//!
//! The parser makes all pages when it is asked for one, and each page holds the keys of its dictionaries of resources,
//! some 80 bytes a key. Many pages may share a large dictionary. The parser's search for pages where there is no tree
//! is not counted here.

use crate::error::{Limit, PdfError};
use hayro_syntax::Pdf;
use hayro_syntax::object::dict::keys::{
    COLORSPACE, EXT_G_STATE, FONT, KIDS, PAGES, PATTERN, PROPERTIES, RESOURCES, SHADING, TYPE,
    XOBJECT,
};
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier};
use std::collections::{HashMap, HashSet};

/// Keys that the pages of any document may hold together, and bytes of the document for each one more.
const KEYS: u64 = 4_000_000;
const BYTES_PER_KEY: u64 = 10;
const PARTS: [&[u8]; 7] = [EXT_G_STATE, FONT, COLORSPACE, XOBJECT, PATTERN, SHADING, PROPERTIES];

/// Refuses a document of so many bytes whose pages would hold more keys than it may have.
pub(crate) fn admit(pdf: &Pdf, document: usize) -> Result<(), PdfError> {
    let xref = pdf.xref();
    let catalog = xref.get::<Dict<'_>>(xref.root_id());
    let Some(root) = catalog.and_then(|catalog| catalog.get::<Dict<'_>>(PAGES)) else {
        return Ok(());
    };
    let Some(kids) = root.get::<Array<'_>>(KIDS) else { return Ok(()) };
    let most = KEYS + document as u64 / BYTES_PER_KEY;
    let mut known = HashMap::new();
    let mut visited = HashSet::new();
    let mut held = 0_u64;
    let mut stack = vec![(kids.raw_iter(), keys_of_resources(&root, &mut known).unwrap_or(0))];
    while let Some((kids, inherited)) = stack.last_mut() {
        let inherited = *inherited;
        let Some(kid) = kids.next() else {
            stack.pop();
            continue;
        };
        let dict = match kid {
            MaybeRef::Ref(reference) => {
                let id = ObjectIdentifier::from(reference);
                if !visited.insert(id) {
                    continue;
                }
                xref.get::<Dict<'_>>(id)
            }
            MaybeRef::NotRef(Object::Dict(dict)) => Some(dict),
            MaybeRef::NotRef(_) => None,
        };
        let Some(dict) = dict else { continue };
        let keys = keys_of_resources(&dict, &mut known).unwrap_or(inherited);
        held = held.saturating_add(keys);
        if held > most {
            return Err(PdfError::LimitReached { limit: Limit::PageKeys, value: most });
        }
        let is_tree = dict.get::<Name<'_>>(TYPE).is_some_and(|name| name.as_ref() == PAGES);
        if is_tree && let Some(kids) = dict.get::<Array<'_>>(KIDS) {
            stack.push((kids.raw_iter(), keys));
        }
    }
    Ok(())
}

/// Keys of the resources of a page and of their parts, each object read once.
fn keys_of_resources(
    page: &Dict<'_>,
    known: &mut HashMap<(ObjectIdentifier, bool), u64>,
) -> Option<u64> {
    let id = page.get_ref(RESOURCES).map(ObjectIdentifier::from);
    if let Some(keys) = id.and_then(|id| known.get(&(id, true))) {
        return Some(*keys);
    }
    let resources = page.get::<Dict<'_>>(RESOURCES)?;
    let mut keys = resources.len() as u64;
    for part in PARTS {
        let id = resources.get_ref(part).map(ObjectIdentifier::from);
        let read = || resources.get::<Dict<'_>>(part).map_or(0, |dict| dict.len() as u64);
        keys += match id {
            Some(id) => *known.entry((id, false)).or_insert_with(read),
            None => read(),
        };
    }
    if let Some(id) = id {
        known.insert((id, true), keys);
    }
    Some(keys)
}
