//! Collections found, made, deleted, damaged and closed.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use nearprint::OnDuplicate;
use nearprint::fingerprint::Scheme;
use nearprint::records::DocumentId;
use nearprint_index::{Admission, StoredDocument};

use super::*;

fn open(root: &Path) -> Collections {
    let quarantine = Quarantine::new(root.with_file_name("quarantine"));
    Collections::open(root.to_owned(), Arc::new(quarantine), (9, Duration::ZERO)).unwrap()
}

fn names(collections: &Collections) -> Vec<String> {
    collections.descriptions(&Access::Machine).into_iter().map(|found| found.name).collect()
}

fn description(name: &str) -> Description {
    Description { name: name.to_owned(), texts: true, replay: None }
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
    let (kept, is_new) =
        collections.create(&Access::Machine, description("kept"), (Scheme::SD1, false)).unwrap();
    assert!(is_new);
    assert!(
        !collections.create(&Access::Machine, description("kept"), (Scheme::SD1, false)).unwrap().1
    );
    let other = collections
        .create(&Access::Machine, description("kept"), (Scheme::MD1, false))
        .map(|_| ())
        .unwrap_err();
    assert_eq!(other.kind, ProblemKind::CollectionExists);
    let (gone, _) =
        collections.create(&Access::Machine, description("gone"), (Scheme::MD1, false)).unwrap();
    let (first, path) = (Arc::downgrade(&gone), gone.directory().to_owned());
    collections.delete(&Access::Machine, "gone").unwrap();
    assert!(path.exists(), "a request still uses it");
    let (second, _) =
        collections.create(&Access::Machine, description("gone"), (Scheme::SD1, false)).unwrap();
    assert_ne!(second.directory(), path);
    drop(gone);
    assert!(first.upgrade().is_none() && !path.exists());
    collections.delete(&Access::Machine, "gone").unwrap();
    drop((kept, second, collections));
    fs::create_dir_all(root.join("half@7/index")).unwrap();
    fs::create_dir_all(root.join("something else")).unwrap();
    fs::write(root.join(ALIASES), "{").unwrap();
    let collections = open(&root);
    assert_eq!(names(&collections), ["kept"]);
    assert!(!root.join("half@7").exists() && root.join("something else").exists());
    assert!(directory.path().join("quarantine/half@7/index").is_dir());
    assert!(directory.path().join("quarantine").join(ALIASES).is_file());
    assert_eq!(collections.quarantine.notes().len(), 2);
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
        let made = collections.create(&Access::Machine, description(name), (Scheme::SD1, false));
        made.unwrap().0.directory().to_owned()
    };
    let [good, store, json, twice] = ["good", "store", "json", "twice"].map(create);
    drop(collections);
    let store_file = store.join("index/store.redb");
    let whole = fs::read(&store_file).unwrap();
    fs::write(&store_file, "random bytes").unwrap();
    fs::write(json.join(DESCRIPTION), "{").unwrap();
    // Neither is one under the name of another.
    let renamed = root.join("renamed@1");
    fs::create_dir_all(&renamed).unwrap();
    fs::copy(twice.join(DESCRIPTION), renamed.join(DESCRIPTION)).unwrap();
    let copy = root.join("twice@1");
    fs::create_dir_all(copy.join("index")).unwrap();
    fs::copy(twice.join(DESCRIPTION), copy.join(DESCRIPTION)).unwrap();
    let collections = open(&root);
    assert_eq!(names(&collections), ["good", "twice"]);
    assert!(directory.path().join("quarantine/twice@1/collection.json").exists());
    let damaged = collections.damaged(&Access::Machine);
    assert_eq!(
        damaged.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["json", "renamed", "store"]
    );
    let refused = collections.get(&Access::Machine, "store").map(|_| ()).unwrap_err();
    assert_eq!(refused.kind, ProblemKind::DamagedCollection);
    let again = collections.create(&Access::Machine, description("store"), (Scheme::SD1, false));
    assert_eq!(again.map(|_| ()).unwrap_err().kind, ProblemKind::DamagedCollection);
    // It comes back as soon as it can be opened.
    collections.tend(&|_| ());
    assert_eq!(collections.damaged(&Access::Machine).len(), 3);
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
    collections.suspect("good", "the disk is full");
    let damaged = collections.damaged(&Access::Machine);
    assert!(damaged.contains(&("good".to_owned(), "the disk is full".to_owned())));
    collections.tend(&|_| ());
    assert!(Arc::ptr_eq(&used, &collections.get(&Access::Machine, "good").unwrap()));
    let before = Arc::downgrade(&used);
    drop(used);
    collections.tend(&|_| ());
    assert!(before.upgrade().is_none());
    assert!(collections.get(&Access::Machine, "good").is_ok());
}

#[test]
fn those_that_were_used_last_are_open_and_others_are_opened() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("collections");
    let quarantine = Arc::new(Quarantine::new(directory.path().join("quarantine")));
    let few = |root: &Path| {
        Collections::open(root.to_owned(), Arc::clone(&quarantine), (2, Duration::ZERO)).unwrap()
    };
    let collections = few(&root);
    let all: Vec<String> = (0..5).map(|n| format!("c{n}")).collect();
    let create =
        |name: &str| collections.create(&Access::Machine, description(name), (Scheme::SD1, false));
    let fill = |name: &str| {
        let found = collections.get(&Access::Machine, name).unwrap();
        let print = "sd1:aerukz4jvpg66".parse().unwrap();
        let document = StoredDocument::new(DocumentId::new(name).unwrap(), print);
        found.put(&[document], OnDuplicate::Refuse, Admission::All).unwrap();
    };
    for name in &all {
        create(name).unwrap();
        fill(name);
    }
    let open = |collections: &Collections| -> Vec<String> {
        let is_open = |name: &&String| {
            collections.get_open(&Access::Machine, name).is_ok_and(|found| found.is_some())
        };
        all.iter().filter(is_open).cloned().collect()
    };
    assert_eq!(open(&collections), ["c3", "c4"]);
    // Whatever is open, all are there, with their numbers.
    let documents = |collections: &Collections| -> Vec<u64> {
        let found = collections.summaries(&Access::Machine);
        found.iter().map(|summary| summary.row.documents).collect()
    };
    assert_eq!(documents(&collections), [1; 5]);
    // Of these two, the one that was used last stays.
    let first = collections.get(&Access::Machine, "c3").unwrap();
    drop(first);
    let third = collections.get(&Access::Machine, "c0").unwrap();
    assert_eq!(open(&collections), ["c0", "c3"]);
    let other = collections.get(&Access::Machine, "c3").unwrap();
    // Both are in use.
    let refused = collections.get(&Access::Machine, "c1").map(|_| ()).unwrap_err();
    assert_eq!(refused.kind, ProblemKind::Overloaded);
    assert_eq!(create("new").map(|_| ()).unwrap_err().kind, ProblemKind::Overloaded);
    drop(third);
    assert_eq!(documents(&collections), [1; 5]);
    fill("c1");
    drop(other);
    // One that is closed can be deleted, made again, and be damaged.
    collections.delete(&Access::Machine, "c4").unwrap();
    assert!(fs::read_dir(&root).unwrap().count() == 4 && documents(&collections) == [1; 4]);
    let path = collections.directory_of("c2").unwrap();
    fs::write(path.join("index/store.redb"), "random bytes").unwrap();
    let refused = collections.get(&Access::Machine, "c2").map(|_| ()).unwrap_err();
    assert_eq!(refused.kind, ProblemKind::DamagedCollection);
    assert_eq!(collections.damaged(&Access::Machine).len(), 1);
    drop(collections);
    let collections = few(&root);
    assert_eq!(names(&collections), ["c0", "c1", "c3"]);
    assert_eq!((documents(&collections), open(&collections).len()), (vec![1; 3], 2));
}
