//! Which collections are open: those that were used last. Others are opened when somebody wants them.
//!
//! Each open collection takes files and memory. Where as many are open as may be, the one is closed that nobody has
//! used for the longest time, and nobody uses now. What is asked of all collections, as their numbers of documents, is
//! written down of one when it is closed: nothing changes it until it is opened again.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::files::{in_directory, remove_description};
use super::{Collections, DamagedCollection};
use crate::collection::{Collection, CollectionSummary, Description};
use crate::problem::Problem;

/// How long to wait until it is looked again whether somebody has ended to use a collection.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// Whether one more collection may be open.
enum Room {
    Enough,
    /// Not before this one is closed.
    Close(String, Arc<Collection>),
    AllInUse,
}

/// A collection of the directory.
#[derive(Clone)]
pub(super) enum Slot {
    Open {
        collection: Arc<Collection>,
        /// The number of its last use.
        used: Arc<AtomicU64>,
    },
    Closed {
        directory: PathBuf,
        summary: Arc<CollectionSummary>,
    },
}

impl Slot {
    pub(super) fn description(&self) -> &Description {
        match self {
            Self::Open { collection, .. } => &collection.description,
            Self::Closed { summary, .. } => &summary.description,
        }
    }

    pub(super) fn directory(&self) -> &Path {
        match self {
            Self::Open { collection, .. } => collection.directory(),
            Self::Closed { directory, .. } => directory,
        }
    }

    /// Why nothing can be changed, where it is open for reading alone. Such a collection is not closed.
    pub(super) fn read_only(&self) -> Option<&str> {
        match self {
            Self::Open { collection, .. } => collection.read_only(),
            Self::Closed { .. } => None,
        }
    }

    pub(super) fn into_summary(self) -> Result<CollectionSummary, Problem> {
        match self {
            Self::Open { collection, .. } => collection.summary(),
            Self::Closed { summary, .. } => Ok(CollectionSummary::clone(&summary)),
        }
    }

    /// Its directory, once it is closed; the slot itself where somebody uses it.
    pub(super) fn into_unused(self) -> Result<PathBuf, Self> {
        match self {
            Self::Open { collection, used } => match Arc::try_unwrap(collection) {
                Ok(collection) => Ok(collection.directory().to_owned()),
                Err(collection) => Err(Self::Open { collection, used }),
            },
            Self::Closed { directory, .. } => Ok(directory),
        }
    }

    /// Lets its directory go, with its last user. Without a description, it is none.
    pub(super) fn remove(self) -> Result<(), Problem> {
        remove_description(self.directory())?;
        match self {
            Self::Open { collection, .. } => collection.delete(),
            // What cannot be removed now goes to the quarantine when the server starts the next time.
            Self::Closed { directory, .. } => drop(std::fs::remove_dir_all(directory)),
        }
        Ok(())
    }
}

impl Collections {
    /// The slot of a collection.
    pub(super) fn slot(&self, name: &str) -> Result<Slot, Problem> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        all.get(name).cloned().ok_or_else(|| self.missing(name))
    }

    /// The directory of a collection, if there is one.
    pub(super) fn directory_of(&self, name: &str) -> Option<PathBuf> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        all.get(name).map(|slot| slot.directory().to_owned())
    }

    /// A collection that is open, noted as used; `None` where it is not.
    pub(super) fn found_open(&self, name: &str) -> Result<Option<Arc<Collection>>, Problem> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        match all.get(name) {
            Some(Slot::Open { collection, used }) => {
                used.store(self.next_use(), Ordering::Relaxed);
                Ok(Some(Arc::clone(collection)))
            }
            Some(Slot::Closed { .. }) => Ok(None),
            None => Err(self.missing(name)),
        }
    }

    /// A collection, which is opened if it is not.
    pub(super) fn opened(&self, name: &str) -> Result<Arc<Collection>, Problem> {
        if let Some(found) = self.found_open(name)? {
            return Ok(found);
        }
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = self.found_open(name)? {
            return Ok(found);
        }
        self.make_room()?;
        let directory = self.slot(name)?.directory().to_owned();
        match in_directory(&directory) {
            Ok(collection) => {
                let collection = Arc::new(collection);
                self.insert(name.to_owned(), &collection);
                Ok(collection)
            }
            Err(Problem { detail, .. }) => {
                let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
                let mut damaged = self.damaged.write().unwrap_or_else(PoisonError::into_inner);
                all.remove(name);
                damaged.insert(name.to_owned(), DamagedCollection { directory, detail });
                drop((all, damaged));
                Err(self.missing(name))
            }
        }
    }

    /// Adds what is in a directory when the server starts.
    pub(super) fn add(&self, name: String, directory: PathBuf) -> Result<(), Problem> {
        self.make_room()?;
        match in_directory(&directory) {
            Ok(collection) => drop(self.insert(name, &Arc::new(collection))),
            Err(Problem { detail, .. }) => {
                let damaged = DamagedCollection { directory, detail };
                self.damaged.write().unwrap_or_else(PoisonError::into_inner).insert(name, damaged);
            }
        }
        Ok(())
    }

    /// Notes a collection as open, and returns what was there before.
    pub(super) fn insert(&self, name: String, collection: &Arc<Collection>) -> Option<Slot> {
        let collection = Arc::clone(collection);
        let used = Arc::new(AtomicU64::new(self.next_use()));
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        all.insert(name, Slot::Open { collection, used })
    }

    /// How many are open.
    pub(crate) fn open_count(&self) -> usize {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        all.values().filter(|slot| matches!(slot, Slot::Open { .. })).count()
    }

    fn next_use(&self) -> u64 {
        self.uses.fetch_add(1, Ordering::Relaxed)
    }

    /// Closes collections until one more may be open; refused where all of them stay in use. `opening` is held.
    pub(super) fn make_room(&self) -> Result<(), Problem> {
        let late = Instant::now() + self.wait;
        loop {
            match self.room() {
                Room::Enough => return Ok(()),
                Room::Close(name, collection) => self.close_unused(name, collection),
                Room::AllInUse if Instant::now() >= late => {
                    let detail =
                        format!("{} collections are in use, which is the limit", self.most_open);
                    return Err(Problem::overloaded(detail));
                }
                Room::AllInUse => thread::sleep(LOOK_AGAIN),
            }
        }
    }

    /// Closes a collection, unless somebody came for it. One that cannot be read is damaged from now on.
    fn close_unused(&self, name: String, collection: Arc<Collection>) {
        let summary = match collection.summary() {
            Ok(summary) => Arc::new(summary),
            Err(problem) => {
                drop(collection);
                return self.close(&name, problem.detail);
            }
        };
        let directory = collection.directory().to_owned();
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        // It is held here and in its slot.
        if Arc::strong_count(&collection) == 2 {
            let closed = all.insert(name, Slot::Closed { directory, summary });
            drop(all);
            drop((closed, collection));
        }
    }

    /// Whether one more may be open, and else what has to be closed.
    fn room(&self) -> Room {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        let mut open = 0;
        let mut least: Option<(u64, &String, &Arc<Collection>)> = None;
        for (name, slot) in &*all {
            let Slot::Open { collection, used } = slot else { continue };
            open += 1;
            let used = used.load(Ordering::Relaxed);
            let is_free = Arc::strong_count(collection) == 1 && collection.read_only().is_none();
            if is_free && least.is_none_or(|(other, ..)| used < other) {
                least = Some((used, name, collection));
            }
        }
        match least {
            _ if open < self.most_open => Room::Enough,
            Some((_, name, collection)) => Room::Close(name.clone(), Arc::clone(collection)),
            None => Room::AllInUse,
        }
    }
}
