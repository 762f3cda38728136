//! All collections of a server: a directory for each, found again when the server starts.
//!
//! ```text
//! DIRECTORY/
//! ├── server.lock              held by the server
//! ├── collections/
//! │   ├── NAME@NUMBER/
//! │   │   ├── collection.json  name and settings: written last, removed first
//! │   │   └── index/           docs/INDEX.md
//! │   └── aliases.json         further names of collections
//! └── jobs/
//! ```
//! Only some of them are open at a time ([`opening`]): each takes files and memory, and there may be thousands.
//!
//! The number differs each time a collection is created, so that requests which still use a deleted one never meet its
//! successor. What cannot be opened is damaged, and tried again from time to time; the others answer. A directory
//! without `collection.json` is what a crash left, or a copy, and goes to the quarantine, as do older ones of the same
//! name.

mod aliases;
mod creation;
mod files;
mod opening;
mod recovery;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use crate::access::Access;
use crate::collection::{Collection, CollectionSummary, DESCRIPTION, Description};
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::quarantine::Quarantine;

use files::failed;
use opening::Slot;

pub(crate) use files::{check_name, numbered, sync, write_whole};

/// The file of aliases.
pub(crate) const ALIASES: &str = "aliases.json";

/// Names of collections by further names.
type Aliases = BTreeMap<String, String>;

/// The longest name, in characters.
const LONGEST_NAME: usize = 64;

/// The collections of a directory.
pub(crate) struct Collections {
    directory: PathBuf,
    all: RwLock<BTreeMap<String, Slot>>,
    /// Those that cannot be opened, by name.
    damaged: RwLock<BTreeMap<String, DamagedCollection>>,
    /// Those whose disk failed while they were used, and what it said.
    suspects: Mutex<BTreeMap<String, String>>,
    /// Further names of collections.
    aliases: RwLock<Aliases>,
    quarantine: Arc<Quarantine>,
    /// One is created or deleted at a time.
    changing: Mutex<()>,
    /// How many are open at the same time, and how long a request waits for its turn.
    most_open: usize,
    wait: Duration,
    /// Uses of collections so far: who was used last has the highest number.
    uses: AtomicU64,
    /// One is opened or closed at a time.
    opening: Mutex<()>,
}

/// A collection that cannot be opened, and why.
#[derive(Clone)]
pub(crate) struct DamagedCollection {
    pub(crate) directory: PathBuf,
    pub(crate) detail: String,
}

impl Collections {
    /// Opens all collections of a directory. What is not one, or an older one of a name, goes to the quarantine.
    ///
    /// All are opened, so that what is damaged is known, and the last ones stay open.
    pub(crate) fn open(
        directory: PathBuf,
        quarantine: Arc<Quarantine>,
        (most_open, wait): (usize, Duration),
    ) -> Result<Self, Problem> {
        fs::create_dir_all(&directory).map_err(failed(&directory))?;
        let mut newest: BTreeMap<String, (u128, PathBuf)> = BTreeMap::new();
        for entry in fs::read_dir(&directory).map_err(failed(&directory))? {
            let path = entry.map_err(failed(&directory))?.path();
            let Some((name, number)) = numbered(&path) else { continue };
            if !path.join(DESCRIPTION).exists() {
                quarantine.take(&path, "it has no collection.json")?;
                continue;
            }
            // A crash may come after a restored collection is whole, and before the one that it replaces is gone: the
            // newer one stays.
            let entry = newest.entry(name.to_owned()).or_insert_with(|| (number, path.clone()));
            if entry.1 != path {
                let older = match entry.0 < number {
                    true => std::mem::replace(entry, (number, path)).1,
                    false => path,
                };
                quarantine.take(&older, "there is a newer directory of this name")?;
            }
        }
        let file = directory.join(ALIASES);
        let aliases = match fs::read(&file) {
            Ok(bytes) => match serde_json::from_slice(&bytes) {
                Ok(aliases) => aliases,
                Err(error) => {
                    quarantine.take(&file, &format!("it cannot be read as aliases: {error}"))?;
                    Aliases::new()
                }
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Aliases::new(),
            Err(error) => return Err(failed(&file)(error)),
        };
        let collections = Self {
            directory,
            all: RwLock::default(),
            damaged: RwLock::default(),
            suspects: Mutex::default(),
            aliases: RwLock::new(aliases),
            quarantine,
            changing: Mutex::default(),
            most_open: most_open.max(1),
            wait,
            uses: AtomicU64::new(0),
            opening: Mutex::default(),
        };
        for (name, (_, path)) in newest {
            collections.add(name, path)?;
        }
        Ok(collections)
    }

    /// What all collections are that somebody may use, by name; whether they are open makes no difference. One that
    /// cannot be read is among those that are damaged instead: it takes nothing away from the others.
    pub(crate) fn summaries(&self, access: &Access) -> Vec<CollectionSummary> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        let covered = all.iter().filter(|(name, _)| access.covers(name));
        let found: Vec<Slot> = covered.map(|(_, slot)| slot.clone()).collect();
        drop(all);
        let summary = |slot: Slot| {
            let name = slot.description().name.clone();
            slot.into_summary().map_err(|problem| self.suspect(&name, &problem.detail)).ok()
        };
        found.into_iter().filter_map(summary).collect()
    }

    /// What the files of all collections say of them that somebody may use, by name.
    pub(crate) fn descriptions(&self, access: &Access) -> Vec<Description> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        let covered = all.iter().filter(|(name, _)| access.covers(name));
        covered.map(|(_, slot)| slot.description().clone()).collect()
    }

    /// How many are open at the same time.
    pub(crate) fn most_open(&self) -> usize {
        self.most_open
    }

    /// The number of collections.
    pub(crate) fn count(&self) -> usize {
        self.all.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The collection of a name, for somebody who may use it. It may have to be opened, from the disk.
    pub(crate) fn get(&self, access: &Access, name: &str) -> Result<Arc<Collection>, Problem> {
        let own = self.own_name(access, name)?;
        self.opened(&own)
    }

    /// The same without waiting: `None` where it has to be opened.
    pub(crate) fn get_open(
        &self,
        access: &Access,
        name: &str,
    ) -> Result<Option<Arc<Collection>>, Problem> {
        let own = self.own_name(access, name)?;
        self.found_open(&own)
    }

    /// The name of a collection that has this name or this alias.
    pub(crate) fn own_name(&self, access: &Access, name: &str) -> Result<String, Problem> {
        access.check_collection(name)?;
        let aliases = self.aliases.read().unwrap_or_else(PoisonError::into_inner);
        let own = aliases.get(name).cloned().unwrap_or_else(|| name.to_owned());
        drop(aliases);
        // An alias is a name, and not a right.
        access.check_collection(&own)?;
        Ok(own)
    }

    /// What is said of a collection that is not among those that can be opened.
    fn missing(&self, name: &str) -> Problem {
        let damaged = self.damaged.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(DamagedCollection { detail, .. }) = damaged.get(name) {
            let detail = format!("the collection {name} cannot be opened: {detail}");
            return Problem::new(ProblemKind::DamagedCollection, detail);
        }
        let shown: String = name.chars().take(LONGEST_NAME).collect();
        let detail = format!("there is no collection {}", shown.escape_debug());
        Problem::new(ProblemKind::UnknownCollection, detail)
    }
}
