//! How much the parser reads when a content stream names something.
//!
//! An object is read each time it is asked for, and a stream of two bytes an operator can ask for a large one again and
//! again. Fonts and drawings that are found are counted by their dictionaries. Here is the size of what is found to be
//! something else, and of conditions on layers; objects that others refer to are read once to learn it.

use hayro_syntax::object::dict::keys::OCGS;
use hayro_syntax::object::{Array, Dict, Object, ObjectIdentifier};
use hayro_syntax::page::Resources;
use std::collections::HashMap;

#[derive(Debug, Default)]
pub(crate) struct Lookups {
    /// Bytes of objects, by their numbers.
    known: HashMap<ObjectIdentifier, usize>,
}

impl Lookups {
    /// Bytes of the entry `key` of a dictionary, and of the groups that it lists.
    pub(crate) fn size(&mut self, dict: &Dict<'_>, key: &[u8]) -> usize {
        let Some(id) = dict.get_ref(key).map(ObjectIdentifier::from) else {
            return size_of(dict, key);
        };
        *self.known.entry(id).or_insert_with(|| size_of(dict, key))
    }
}

fn size_of(dict: &Dict<'_>, key: &[u8]) -> usize {
    match dict.get::<Object<'_>>(key) {
        Some(Object::Dict(found)) => {
            found.data().len()
                + found.get::<Array<'_>>(OCGS).map_or(0, |groups| groups.data().len())
        }
        Some(Object::Array(found)) => found.data().len(),
        Some(Object::String(found)) => found.as_bytes().len(),
        Some(Object::Stream(found)) => found.dict().data().len(),
        _ => 0,
    }
}

/// Bytes of the dictionaries in resources, all of which are read when a drawing is begun.
pub(crate) fn size_of_resources(resources: &Resources<'_>) -> usize {
    [
        &resources.ext_g_states,
        &resources.fonts,
        &resources.properties,
        &resources.color_spaces,
        &resources.x_objects,
        &resources.patterns,
        &resources.shadings,
    ]
    .map(|dict| dict.data().len())
    .iter()
    .sum()
}
