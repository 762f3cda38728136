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
//! The number differs each time a collection is created, so that requests which still use a deleted one never meet its
//! successor. What cannot be opened is damaged, and tried again from time to time; the others answer. A directory
//! without `collection.json` is what a crash left, or a copy, and goes to the quarantine, as do older ones of the same
//! name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::SystemTime;

use nearprint::fingerprint::Scheme;
use nearprint::records::{FinishedFile, durability};

use crate::access::Access;
use crate::collection::{Collection, DESCRIPTION, Description};
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::quarantine::Quarantine;

/// The file of aliases.
pub(crate) const ALIASES: &str = "aliases.json";

/// Names of collections by further names.
type Aliases = BTreeMap<String, String>;

/// The longest name, in characters.
const LONGEST_NAME: usize = 64;

/// The collections of a directory.
pub(crate) struct Collections {
    directory: PathBuf,
    all: RwLock<BTreeMap<String, Arc<Collection>>>,
    /// Those that cannot be opened, by name.
    damaged: RwLock<BTreeMap<String, DamagedCollection>>,
    /// Those whose disk failed while they were used.
    suspects: Mutex<BTreeSet<String>>,
    /// Further names of collections.
    aliases: RwLock<Aliases>,
    quarantine: Arc<Quarantine>,
    /// One is created or deleted at a time.
    changing: Mutex<()>,
}

/// A collection that cannot be opened, and why.
#[derive(Clone)]
pub(crate) struct DamagedCollection {
    pub(crate) directory: PathBuf,
    pub(crate) detail: String,
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> Problem {
    let path = path.display().to_string();
    move |error| Problem::new(ProblemKind::Storage, format!("{path}: {error}"))
}

/// Makes sure that a directory's entries are on the disk.
pub(crate) fn sync(directory: &Path) -> Result<(), Problem> {
    durability::sync_names(directory).map_err(failed(directory))
}

/// Writes a file so that it is complete or absent, and on the disk.
pub(crate) fn write_whole(directory: &Path, name: &str, bytes: &[u8]) -> Result<(), Problem> {
    let path = directory.join(name);
    let written = FinishedFile::create(&path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.finish()
    });
    written.map_err(failed(&path))
}

/// Refuses what cannot be the name of a collection.
pub(crate) fn check_name(name: &str) -> Result<(), Problem> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let fits = (1..=LONGEST_NAME).contains(&name.len())
        && name.bytes().all(|byte| is_plain(byte) || b"-_".contains(&byte))
        && name.bytes().next().is_some_and(is_plain);
    match fits {
        true => Ok(()),
        false => Err(Problem::invalid(
            "?name",
            "a name has 1 to 64 of the characters a to z, 0 to 9, - and _, and begins with a letter or digit",
        )),
    }
}

impl Collections {
    /// Opens all collections of a directory. What is not one, or an older one of a name, goes to the quarantine.
    pub(crate) fn open(directory: PathBuf, quarantine: Arc<Quarantine>) -> Result<Self, Problem> {
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
        let (mut all, mut damaged) = (BTreeMap::new(), BTreeMap::new());
        for (name, (_, path)) in newest {
            match opened(&path) {
                Ok(collection) => drop(all.insert(name, Arc::new(collection))),
                Err(Problem { detail, .. }) => {
                    damaged.insert(name, DamagedCollection { directory: path, detail });
                }
            }
        }
        let file = directory.join(ALIASES);
        let aliases = match fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map_err(|error| failed(&file)(io::Error::other(error)))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Aliases::new(),
            Err(error) => return Err(failed(&file)(error)),
        };
        Ok(Self {
            directory,
            all: RwLock::new(all),
            damaged: RwLock::new(damaged),
            suspects: Mutex::default(),
            aliases: RwLock::new(aliases),
            quarantine,
            changing: Mutex::default(),
        })
    }

    /// All collections that somebody may use, by name.
    pub(crate) fn all(&self, access: &Access) -> Vec<Arc<Collection>> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        let covered = all.iter().filter(|(name, _)| access.covers(name));
        covered.map(|(_, found)| Arc::clone(found)).collect()
    }

    /// Those that cannot be opened, by name, of those that somebody may use.
    pub(crate) fn damaged(&self, access: &Access) -> Vec<(String, DamagedCollection)> {
        let damaged = self.damaged.read().unwrap_or_else(PoisonError::into_inner);
        let covered = damaged.iter().filter(|(name, _)| access.covers(name));
        covered.map(|(name, found)| (name.clone(), found.clone())).collect()
    }

    /// Notes that the disk failed a request to this collection: it is opened again by the next [`tend`](Self::tend).
    pub(crate) fn suspect(&self, name: &str) {
        let aliases = self.aliases.read().unwrap_or_else(PoisonError::into_inner);
        let name = aliases.get(name).map_or(name, String::as_str).to_owned();
        drop(aliases);
        if self.all.read().unwrap_or_else(PoisonError::into_inner).contains_key(&name) {
            self.suspects.lock().unwrap_or_else(PoisonError::into_inner).insert(name);
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
            let read_only = all.iter().filter(|(_, found)| found.read_only().is_some());
            again.extend(read_only.map(|(name, _)| name.clone()));
        }
        for name in again {
            self.close(&name);
        }
        for (name, DamagedCollection { directory, detail }) in self.damaged(&Access::Machine) {
            let found = opened(&directory);
            let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
            let mut damaged = self.damaged.write().unwrap_or_else(PoisonError::into_inner);
            match found {
                Ok(collection) => {
                    if collection.read_only().is_none() {
                        tell(&format!("the collection {name} is open again"));
                    }
                    all.insert(name.clone(), Arc::new(collection));
                    damaged.remove(&name);
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
    fn close(&self, name: &str) {
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        let mut damaged = self.damaged.write().unwrap_or_else(PoisonError::into_inner);
        let Some(collection) = all.remove(name) else { return };
        match Arc::try_unwrap(collection) {
            Ok(collection) => {
                let directory = collection.directory().to_owned();
                let detail = collection.read_only().unwrap_or("its disk failed").to_owned();
                damaged.insert(name.to_owned(), DamagedCollection { directory, detail });
            }
            Err(collection) => {
                if collection.read_only().is_none() {
                    self.suspects
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .insert(name.to_owned());
                }
                all.insert(name.to_owned(), collection);
            }
        }
    }

    /// The number of those that cannot be opened, or not be written to.
    pub(crate) fn damaged_count(&self) -> usize {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        let read_only = all.values().filter(|found| found.read_only().is_some()).count();
        drop(all);
        read_only + self.damaged.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether there is any.
    pub(crate) fn is_damaged(&self) -> bool {
        self.damaged_count() > 0
    }

    /// The number of collections.
    pub(crate) fn count(&self) -> usize {
        self.all.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The collection of a name, for somebody who may use it.
    pub(crate) fn get(&self, access: &Access, name: &str) -> Result<Arc<Collection>, Problem> {
        access.check_collection(name)?;
        let found = self.find(name)?;
        // An alias is a name, and not a right.
        access.check_collection(&found.description.name)?;
        Ok(found)
    }

    fn find(&self, name: &str) -> Result<Arc<Collection>, Problem> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        let aliases = self.aliases.read().unwrap_or_else(PoisonError::into_inner);
        let found = all.get(name).or_else(|| all.get(aliases.get(name)?));
        found.cloned().ok_or_else(|| {
            let own = aliases.get(name).map_or(name, String::as_str);
            let damaged = self.damaged.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(DamagedCollection { detail, .. }) = damaged.get(own) {
                let detail = format!("the collection {own} cannot be opened: {detail}");
                return Problem::new(ProblemKind::DamagedCollection, detail);
            }
            let shown: String = name.chars().take(LONGEST_NAME).collect();
            let detail = format!("there is no collection {}", shown.escape_debug());
            Problem::new(ProblemKind::UnknownCollection, detail)
        })
    }

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
        let there = match self.find(&description.name) {
            Err(problem) if problem.kind == ProblemKind::DamagedCollection => return Err(problem),
            there => there,
        };
        if let Ok(there) = there {
            let keeps_features = there.index.keeps_features();
            if (there.scheme(), keeps_features, &there.description)
                == (scheme, features, &description)
            {
                return Ok((there, false));
            }
            let detail = format!(
                "the collection {} has the scheme {}, {} texts and {} features",
                description.name,
                there.scheme(),
                if there.keeps_texts() { "keeps" } else { "does not keep" },
                if keeps_features { "keeps" } else { "does not keep" }
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
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        let old = all.insert(name, Arc::clone(&collection));
        drop(all);
        old.map_or(Ok(()), |old| remove(&old))?;
        self.put_aside(&collection.description.name)?;
        Ok(collection)
    }

    /// Moves a damaged collection to the quarantine; whether there was one.
    fn put_aside(&self, name: &str) -> Result<bool, Problem> {
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
        let is_there = match self.find(&description.name) {
            Err(problem) if problem.kind == ProblemKind::DamagedCollection && !replace => {
                return Err(problem);
            }
            there => there.is_ok(),
        };
        if !replace && is_there {
            let detail = format!("there is a collection {}", description.name);
            let problem = Problem::new(ProblemKind::CollectionExists, detail);
            return Err(problem.with_remedy("say ?replace, and it is replaced"));
        }
        self.make(description, (scheme, features), fill)
    }

    fn check_no_alias(&self, name: &str) -> Result<(), Problem> {
        match self.aliases.read().unwrap_or_else(PoisonError::into_inner).get(name) {
            None => Ok(()),
            Some(of) => {
                let detail = format!("{name} is an alias of the collection {of}");
                Err(Problem::new(ProblemKind::AliasConflict, detail))
            }
        }
    }

    /// All aliases that somebody may use, with the names of their collections.
    pub(crate) fn aliases(&self, access: &Access) -> Vec<(String, String)> {
        let aliases = self.aliases.read().unwrap_or_else(PoisonError::into_inner);
        let covered = aliases.iter().filter(|(alias, _)| access.covers(alias));
        covered.map(|(alias, name)| (alias.clone(), name.clone())).collect()
    }

    /// Lets an alias name a collection from now on; returns whether the alias is new.
    pub(crate) fn set_alias(
        &self,
        access: &Access,
        alias: &str,
        name: &str,
    ) -> Result<bool, Problem> {
        check_name(alias)?;
        access.check_collection(alias)?;
        access.check_collection(name)?;
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        if all.contains_key(alias) {
            let detail = format!("there is a collection {alias}");
            return Err(Problem::new(ProblemKind::AliasConflict, detail));
        }
        if !all.contains_key(name) {
            drop(all);
            // An alias of an alias would be another one tomorrow.
            let shown: String = name.chars().take(LONGEST_NAME).collect();
            let detail = format!("there is no collection {}", shown.escape_debug());
            return Err(Problem::new(ProblemKind::UnknownCollection, detail));
        }
        drop(all);
        self.change_aliases(|aliases| aliases.insert(alias.to_owned(), name.to_owned()).is_none())
    }

    /// Removes an alias; its collection stays.
    pub(crate) fn remove_alias(&self, access: &Access, alias: &str) -> Result<(), Problem> {
        access.check_collection(alias)?;
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.change_aliases(|aliases| aliases.remove(alias).is_some())? {
            return Ok(());
        }
        let shown: String = alias.chars().take(LONGEST_NAME).collect();
        let detail = format!("there is no alias {}", shown.escape_debug());
        Err(Problem::new(ProblemKind::UnknownCollection, detail))
    }

    /// Changes the aliases, on the disk before anybody sees it.
    fn change_aliases<T>(&self, change: impl FnOnce(&mut Aliases) -> T) -> Result<T, Problem> {
        let mut aliases = self.aliases.read().unwrap_or_else(PoisonError::into_inner).clone();
        let changed = change(&mut aliases);
        let bytes = serde_json::to_vec(&aliases).unwrap_or_default();
        write_whole(&self.directory, ALIASES, &bytes)?;
        *self.aliases.write().unwrap_or_else(PoisonError::into_inner) = aliases;
        Ok(changed)
    }

    fn new_directory(&self, name: &str) -> Result<PathBuf, Problem> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        // Later than that of a collection which it replaces, whatever the clock says.
        let there = self.find(name).ok();
        let there = there.as_ref().and_then(|there| numbered(there.directory()));
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
        let collection = self.find(name)?;
        let file = collection.directory().join(DESCRIPTION);
        fs::remove_file(&file).map_err(failed(&file))?;
        self.all.write().unwrap_or_else(PoisonError::into_inner).remove(name);
        remove(&collection)
    }
}

/// The collection in a directory.
fn opened(path: &Path) -> Result<Collection, Problem> {
    let file = path.join(DESCRIPTION);
    let bytes = fs::read(&file).map_err(failed(&file))?;
    let description: Description =
        serde_json::from_slice(&bytes).map_err(|error| failed(&file)(io::Error::other(error)))?;
    Collection::open(path.to_owned(), description)
}

/// Lets the directory of a collection go with its last user. Without a description, it is none.
fn remove(collection: &Collection) -> Result<(), Problem> {
    let file = collection.directory().join(DESCRIPTION);
    match fs::remove_file(&file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(&file)(error)),
        _ => sync(collection.directory())?,
    }
    collection.delete();
    Ok(())
}

/// The name and number of a collection's directory; `None` for everything else.
pub(crate) fn numbered(path: &Path) -> Option<(&str, u128)> {
    let (name, number) = path.file_name()?.to_str()?.split_once('@')?;
    check_name(name).ok()?;
    Some((name, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(root: &Path) -> Collections {
        let quarantine = Quarantine::new(root.with_file_name("quarantine"));
        Collections::open(root.to_owned(), Arc::new(quarantine)).unwrap()
    }

    fn description(name: &str) -> Description {
        Description { name: name.to_owned(), texts: true }
    }

    #[test]
    fn names_are_plain() {
        for name in ["a", "crawl-2026_11", "7", &"x".repeat(64)] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in ["", "A", "-a", "_", "a b", "a/b", "..", "a@1", "é", "a\0", &"x".repeat(65)] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn collections_are_found_again_and_leavings_are_not() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("collections");
        let collections = open(&root);
        let (kept, is_new) = collections
            .create(&Access::Machine, description("kept"), (Scheme::SD1, false))
            .unwrap();
        assert!(is_new);
        assert!(
            !collections
                .create(&Access::Machine, description("kept"), (Scheme::SD1, false))
                .unwrap()
                .1
        );
        let other = collections
            .create(&Access::Machine, description("kept"), (Scheme::MD1, false))
            .map(|_| ())
            .unwrap_err();
        assert_eq!(other.kind, ProblemKind::CollectionExists);
        let (gone, _) = collections
            .create(&Access::Machine, description("gone"), (Scheme::MD1, false))
            .unwrap();
        let (first, path) = (Arc::downgrade(&gone), gone.directory().to_owned());
        collections.delete(&Access::Machine, "gone").unwrap();
        assert!(path.exists(), "a request still uses it");
        let (second, _) = collections
            .create(&Access::Machine, description("gone"), (Scheme::SD1, false))
            .unwrap();
        assert_ne!(second.directory(), path);
        drop(gone);
        assert!(first.upgrade().is_none() && !path.exists());
        collections.delete(&Access::Machine, "gone").unwrap();
        drop((kept, second, collections));
        fs::create_dir_all(root.join("half@7/index")).unwrap();
        fs::create_dir_all(root.join("something else")).unwrap();
        let collections = open(&root);
        let names: Vec<_> = collections
            .all(&Access::Machine)
            .iter()
            .map(|found| found.description.name.clone())
            .collect();
        assert_eq!(names, ["kept"]);
        assert!(!root.join("half@7").exists() && root.join("something else").exists());
        assert!(directory.path().join("quarantine/half@7/index").is_dir());
        assert_eq!(collections.quarantine.notes().len(), 1);
        assert_eq!(
            collections.get(&Access::Machine, "gone").map(|_| ()).unwrap_err().kind,
            ProblemKind::UnknownCollection
        );
    }

    #[test]
    fn what_cannot_be_opened_is_damaged_and_others_answer() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("collections");
        let collections = open(&root);
        let create = |name| {
            let made =
                collections.create(&Access::Machine, description(name), (Scheme::SD1, false));
            made.unwrap().0.directory().to_owned()
        };
        let [good, store, json, twice] = ["good", "store", "json", "twice"].map(create);
        drop(collections);
        let store_file = store.join("index/store.redb");
        let whole = fs::read(&store_file).unwrap();
        fs::write(&store_file, "random bytes").unwrap();
        fs::write(json.join(DESCRIPTION), "{").unwrap();
        let copy = root.join("twice@1");
        fs::create_dir_all(copy.join("index")).unwrap();
        fs::copy(twice.join(DESCRIPTION), copy.join(DESCRIPTION)).unwrap();
        let collections = open(&root);
        let names = |found: Vec<Arc<Collection>>| -> Vec<String> {
            found.iter().map(|found| found.description.name.clone()).collect()
        };
        assert_eq!(names(collections.all(&Access::Machine)), ["good", "twice"]);
        assert!(directory.path().join("quarantine/twice@1/collection.json").exists());
        let damaged = collections.damaged(&Access::Machine);
        assert_eq!(
            damaged.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            ["json", "store"]
        );
        let refused = collections.get(&Access::Machine, "store").map(|_| ()).unwrap_err();
        assert_eq!(refused.kind, ProblemKind::DamagedCollection);
        let again =
            collections.create(&Access::Machine, description("store"), (Scheme::SD1, false));
        assert_eq!(again.map(|_| ()).unwrap_err().kind, ProblemKind::DamagedCollection);
        // It comes back as soon as it can be opened.
        collections.tend(&|_| ());
        assert_eq!(collections.damaged(&Access::Machine).len(), 2);
        fs::write(&store_file, whole).unwrap();
        let told = Mutex::new(Vec::new());
        collections.tend(&|note| told.lock().unwrap().push(note.to_owned()));
        assert_eq!(*told.lock().unwrap(), ["the collection store is open again"]);
        assert!(collections.get(&Access::Machine, "store").is_ok());
        // Deleting keeps what could not be opened.
        collections.delete(&Access::Machine, "json").unwrap();
        let name = json.file_name().unwrap();
        assert!(directory.path().join("quarantine").join(name).exists() && good.exists());
        // One whose disk failed is opened again once nobody uses it.
        let used = collections.get(&Access::Machine, "good").unwrap();
        collections.suspect("good");
        collections.tend(&|_| ());
        assert!(Arc::ptr_eq(&used, &collections.get(&Access::Machine, "good").unwrap()));
        let before = Arc::downgrade(&used);
        drop(used);
        collections.tend(&|_| ());
        assert!(before.upgrade().is_none());
        assert!(collections.get(&Access::Machine, "good").is_ok());
    }
}
