//! Optional content: which layers of the document are switched off when it is opened.
//!
//! Text in a layer that is off is not shown to a reader and is left out. Only the default configuration is
//! honoured; visibility expressions (`/VE`) are not.

use hayro_syntax::object::dict::keys::{BASE_STATE, D, OCGS, OCMD, OCPROPERTIES, OFF, ON, P, TYPE};
use hayro_syntax::object::{Array, Dict, Name, ObjectIdentifier};
use hayro_syntax::xref::XRef;
use std::collections::HashSet;

/// The layers that are off.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    off: HashSet<ObjectIdentifier>,
}

impl Layers {
    /// Reads the default configuration of the document.
    pub(crate) fn new(xref: &XRef) -> Self {
        Self::read(xref).unwrap_or_default()
    }

    fn read(xref: &XRef) -> Option<Self> {
        if !xref.has_optional_content_groups() {
            return None;
        }
        let catalog = xref.get::<Dict<'_>>(xref.root_id())?;
        let properties = catalog.get::<Dict<'_>>(OCPROPERTIES)?;
        let config = properties.get::<Dict<'_>>(D)?;
        let mut off = HashSet::new();
        if config.get::<Name<'_>>(BASE_STATE).is_some_and(|n| n.as_ref() == b"OFF") {
            off.extend(references(properties.get(OCGS)));
        }
        for id in references(config.get(ON)) {
            off.remove(&id);
        }
        off.extend(references(config.get(OFF)));
        Some(Self { off })
    }

    /// Whether no layer is off, so that nothing need be asked.
    pub(crate) fn all_visible(&self) -> bool {
        self.off.is_empty()
    }

    /// Whether content of the group or membership dictionary `entry` (stored under `key` of `owner`) is shown.
    pub(crate) fn shows(&self, owner: &Dict<'_>, key: &[u8]) -> bool {
        if self.all_visible() {
            return true;
        }
        let group = owner.get::<Dict<'_>>(key).unwrap_or_default();
        if group.get::<Name<'_>>(TYPE).is_some_and(|n| n.as_ref() == OCMD) {
            return self.shows_membership(&group);
        }
        owner.get_ref(key).is_none_or(|id| !self.off.contains(&id.into()))
    }

    fn shows_membership(&self, membership: &Dict<'_>) -> bool {
        let groups: Vec<_> = match membership.get::<Array<'_>>(OCGS) {
            Some(array) => references(Some(array)).collect(),
            None => membership.get_ref(OCGS).into_iter().map(Into::into).collect(),
        };
        if groups.is_empty() {
            return true;
        }
        let off = |id: &ObjectIdentifier| self.off.contains(id);
        match membership.get::<Name<'_>>(P).as_deref() {
            Some(b"AllOn") => !groups.iter().any(off),
            Some(b"AnyOff") => groups.iter().any(off),
            Some(b"AllOff") => groups.iter().all(off),
            _ => !groups.iter().all(off),
        }
    }
}

fn references<'a>(array: Option<Array<'a>>) -> impl Iterator<Item = ObjectIdentifier> + use<'a> {
    array
        .into_iter()
        .flat_map(|a| a.raw_iter())
        .filter_map(|item| item.as_obj_ref())
        .map(ObjectIdentifier::from)
}
