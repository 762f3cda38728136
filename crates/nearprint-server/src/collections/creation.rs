//! Collections come and go: created, made from snapshots, deleted.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use std::time::SystemTime;

use nearprint::fingerprint::Scheme;

use super::files::{failed, remove_description};
use super::opening::Slot;
use super::{Collections, check_name, numbered, sync, write_whole};
use crate::access::Access;
use crate::collection::{Collection, DESCRIPTION, Description};
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;

impl Collections {
    /// Creates a collection; returns whether it is new. One of the same settings may be there already.
    pub(crate) fn create(
        &self,
        access: &Access,
        description: Description,
        (scheme, features): (Scheme, bool),
    ) -> Result<(Arc<Collection>, bool), Problem> {
        check_name(&description.name)?;
        access.check_collection(&description.name)?;
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        self.check_no_alias(&description.name)?;
        let there = match self.opened(&description.name) {
            Ok(there) => Some(there),
            Err(problem) if problem.kind == ProblemKind::UnknownCollection => None,
            Err(problem) => return Err(problem),
        };
        if let Some(there) = there {
            let keeps_features = there.index.keeps_features();
            // Where captures are replayed is another matter: it can be changed.
            let is_replayed_so =
                description.replay.is_none() || description.replay == there.replay();
            if (there.scheme(), keeps_features, there.description.texts)
                == (scheme, features, description.texts)
                && is_replayed_so
            {
                return Ok((there, false));
            }
            let detail = format!(
                "the collection {} has the scheme {}, {} texts and {} features{}",
                description.name,
                there.scheme(),
                if there.keeps_texts() { "keeps" } else { "does not keep" },
                if keeps_features { "keeps" } else { "does not keep" },
                if is_replayed_so {
                    ""
                } else {
                    ", and its captures are replayed elsewhere (PATCH changes it)"
                }
            );
            return Err(Problem::new(ProblemKind::CollectionExists, detail));
        }
        self.make(description, (scheme, features), |_| Ok(())).map(|collection| (collection, true))
    }

    /// Makes a collection that `fill` fills before anybody sees it; one of the same name is replaced. Nothing has
    /// changed where that fails.
    fn make(
        &self,
        description: Description,
        (scheme, features): (Scheme, bool),
        fill: impl FnOnce(&Collection) -> Result<(), Problem>,
    ) -> Result<Arc<Collection>, Problem> {
        let name = description.name.clone();
        let opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        self.make_room()?;
        drop(opening);
        let directory = self.new_directory(&name)?;
        let written = serde_json::to_vec(&description).unwrap_or_default();
        let collection =
            Arc::new(Collection::create(directory.clone(), description, (scheme, features))?);
        let filled = fill(&collection)
            .and_then(|()| write_whole(&directory, DESCRIPTION, &written))
            .and_then(|()| sync(&self.directory));
        if let Err(problem) = filled {
            collection.delete();
            return Err(problem);
        }
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        let old = self.insert(name, &collection);
        old.map_or(Ok(()), Slot::remove)?;
        self.put_aside(&collection.description.name)?;
        Ok(collection)
    }

    /// Moves a damaged collection to the quarantine; whether there was one.
    pub(super) fn put_aside(&self, name: &str) -> Result<bool, Problem> {
        let mut damaged = self.damaged.write().unwrap_or_else(PoisonError::into_inner);
        let Some(found) = damaged.get(name) else { return Ok(false) };
        self.quarantine.take(&found.directory, &found.detail)?;
        damaged.remove(name);
        Ok(true)
    }

    /// Makes a collection from something that fills it. One of the same name is replaced if `replace` says so.
    pub(crate) fn restore(
        &self,
        access: &Access,
        description: Description,
        (scheme, features): (Scheme, bool),
        replace: bool,
        fill: impl FnOnce(&Collection) -> Result<(), Problem>,
    ) -> Result<Arc<Collection>, Problem> {
        check_name(&description.name)?;
        access.check_collection(&description.name)?;
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        self.check_no_alias(&description.name)?;
        let is_damaged = !replace && self.is_damaged_one(&description.name);
        if is_damaged {
            return Err(self.missing(&description.name));
        }
        if !replace && self.directory_of(&description.name).is_some() {
            let detail = format!("there is a collection {}", description.name);
            let problem = Problem::new(ProblemKind::CollectionExists, detail);
            return Err(problem.with_remedy("say ?replace, and it is replaced"));
        }
        // A snapshot does not know where captures are replayed; the collection it replaces does.
        let there = self.opened(&description.name).ok().and_then(|there| there.replay());
        let description = Description { replay: there, ..description };
        self.make(description, (scheme, features), fill)
    }

    fn new_directory(&self, name: &str) -> Result<PathBuf, Problem> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        // Later than that of a collection which it replaces, whatever the clock says.
        let there = self.directory_of(name);
        let there = there.as_deref().and_then(numbered);
        let mut number = now.as_millis().max(there.map_or(0, |(_, number)| number + 1));
        loop {
            let directory = self.directory.join(format!("{name}@{number}"));
            match fs::create_dir(&directory) {
                Ok(()) => return Ok(directory),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(failed(&directory)(error)),
            }
        }
    }

    /// Deletes a collection. Requests that use it at the moment end as if it was there. One that is damaged goes to the
    /// quarantine.
    pub(crate) fn delete(&self, access: &Access, name: &str) -> Result<(), Problem> {
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        self.check_no_alias(name)?;
        access.check_collection(name)?;
        let aliases = self.aliases.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((alias, _)) = aliases.iter().find(|(_, of)| *of == name) {
            let detail = format!("the alias {alias} names the collection {name}");
            let problem = Problem::new(ProblemKind::AliasConflict, detail);
            return Err(
                problem.with_remedy("remove the alias before, or let it name another collection")
            );
        }
        drop(aliases);
        if self.put_aside(name)? {
            return Ok(());
        }
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = self.slot(name)?;
        remove_description(slot.directory())?;
        self.all.write().unwrap_or_else(PoisonError::into_inner).remove(name);
        slot.remove()
    }
}
