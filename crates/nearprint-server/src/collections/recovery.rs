//! Collections that cannot be used, or not be written to, and how they come back.

use std::sync::{Arc, PoisonError};

use super::files::in_directory;
use super::{Collections, DamagedCollection};
use crate::access::Access;

impl Collections {
    /// Those that cannot be opened, or whose disk failed since they were, by name with the reason, of those that
    /// somebody may use.
    pub(crate) fn damaged(&self, access: &Access) -> Vec<(String, String)> {
        let suspects = self.suspects.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = suspects.clone();
        drop(suspects);
        let damaged = self.damaged.read().unwrap_or_else(PoisonError::into_inner);
        all.extend(damaged.iter().map(|(name, found)| (name.clone(), found.detail.clone())));
        drop(damaged);
        all.into_iter().filter(|(name, _)| access.covers(name)).collect()
    }

    /// Notes that the disk failed a request to this collection, and what it said: it is opened again by the next
    /// [`tend`](Self::tend).
    pub(crate) fn suspect(&self, name: &str, detail: &str) {
        let aliases = self.aliases.read().unwrap_or_else(PoisonError::into_inner);
        let name = aliases.get(name).map_or(name, String::as_str).to_owned();
        drop(aliases);
        if self.all.read().unwrap_or_else(PoisonError::into_inner).contains_key(&name) {
            let mut suspects = self.suspects.lock().unwrap_or_else(PoisonError::into_inner);
            suspects.entry(name).or_insert_with(|| detail.to_owned());
        }
    }

    /// Opens what is suspect, damaged or read-only again; what came of it goes to `tell`. A store that met an error of
    /// the disk refuses everything until it is opened again.
    pub(crate) fn tend(&self, tell: &dyn Fn(&str)) {
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut again =
            std::mem::take(&mut *self.suspects.lock().unwrap_or_else(PoisonError::into_inner));
        {
            let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
            for (name, slot) in &*all {
                if let Some(why) = slot.read_only() {
                    again.insert(name.clone(), why.to_owned());
                }
            }
        }
        for (name, why) in again {
            self.close(&name, why);
        }
        let damaged = self.damaged.read().unwrap_or_else(PoisonError::into_inner).clone();
        for (name, DamagedCollection { directory, detail }) in damaged {
            let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
            if self.make_room().is_err() {
                return;
            }
            let found = in_directory(&directory);
            let mut damaged = self.damaged.write().unwrap_or_else(PoisonError::into_inner);
            match found {
                Ok(collection) => {
                    if collection.read_only().is_none() {
                        tell(&format!("the collection {name} is open again"));
                    }
                    // Until it is there, it is damaged: nobody finds neither.
                    drop(damaged);
                    self.insert(name.clone(), &Arc::new(collection));
                    self.damaged.write().unwrap_or_else(PoisonError::into_inner).remove(&name);
                }
                Err(problem) => {
                    if problem.detail != detail {
                        tell(&problem.detail);
                    }
                    damaged.insert(name, DamagedCollection { directory, detail: problem.detail });
                }
            }
        }
    }

    /// Takes a collection away until it is opened again. Where a request uses it, it stays, and its turn comes later.
    pub(super) fn close(&self, name: &str, why: String) {
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        let mut damaged = self.damaged.write().unwrap_or_else(PoisonError::into_inner);
        let Some(slot) = all.remove(name) else { return };
        match slot.into_unused() {
            Ok(directory) => {
                let found = DamagedCollection { directory, detail: why };
                damaged.insert(name.to_owned(), found);
            }
            Err(slot) => {
                if slot.read_only().is_none() {
                    let mut suspects = self.suspects.lock().unwrap_or_else(PoisonError::into_inner);
                    suspects.insert(name.to_owned(), why);
                }
                all.insert(name.to_owned(), slot);
            }
        }
    }

    /// Whether a collection cannot be opened.
    pub(super) fn is_damaged_one(&self, name: &str) -> bool {
        self.damaged.read().unwrap_or_else(PoisonError::into_inner).contains_key(name)
    }

    /// Those that can only be read, by name, with the reason; of those that somebody may use.
    pub(crate) fn read_only(&self, access: &Access) -> Vec<(String, String)> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        let covered = all.iter().filter(|(name, _)| access.covers(name));
        covered
            .filter_map(|(name, slot)| Some((name.clone(), slot.read_only()?.to_owned())))
            .collect()
    }

    /// The number of those that cannot be opened, or not be written to.
    pub(crate) fn damaged_count(&self) -> usize {
        self.read_only(&Access::Machine).len() + self.damaged(&Access::Machine).len()
    }
}
