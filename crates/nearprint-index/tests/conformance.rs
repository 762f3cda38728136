//! The index on disk gives the answers of every index, also after it was opened again, and to other readers.

mod support;

use nearprint::fingerprint::Fingerprint;
use nearprint::fingerprint::Scheme;
use nearprint::index::conformance;
use nearprint::records::DocumentId;
use nearprint::{
    DocumentView, Documents, Error, Filter, Index, IndexMatch, InsertCounts, InsertOutcome,
    NearCounts, NearDocument, NearRequest, OnDuplicate, Parts,
};
use nearprint_index::{DiskIndex, IfNew, IndexError, Settings, StoredDocument, StoredText};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

/// An index that is closed and opened again every few operations, and answers queries by a second handle that only
/// reads, as another process would.
struct ReopeningIndex {
    path: PathBuf,
    settings: Settings,
    state: Mutex<(Option<DiskIndex>, Option<DiskIndex>, u64)>,
}

impl ReopeningIndex {
    fn state(&self) -> MutexGuard<'_, (Option<DiskIndex>, Option<DiskIndex>, u64)> {
        let mut state = self.state.lock().expect("no panic before");
        state.2 += 1;
        if state.0.is_none() || state.2.is_multiple_of(37) {
            state.0 = None;
            state.0 = Some(DiskIndex::open(&self.path, self.settings.clone()).expect("an index"));
        }
        if state.1.is_none() || state.2.is_multiple_of(101) {
            let reader = DiskIndex::open_read_only(&self.path, self.settings.clone());
            state.1 = Some(reader.expect("an index"));
        }
        state
    }

    fn writer<T>(&self, work: impl FnOnce(&DiskIndex) -> T) -> T {
        work(self.state().0.as_ref().expect("open"))
    }

    fn reader<T>(&self, work: impl FnOnce(&DiskIndex) -> T) -> T {
        work(self.state().1.as_ref().expect("open"))
    }
}

impl Index for ReopeningIndex {
    fn insert(
        &self,
        id: &DocumentId,
        print: &Fingerprint,
        rule: OnDuplicate,
    ) -> Result<InsertOutcome, Error> {
        self.writer(|index| index.insert(id, print, rule))
    }
    fn insert_batch(
        &self,
        documents: &[(DocumentId, Fingerprint)],
        rule: OnDuplicate,
    ) -> Result<InsertCounts, Error> {
        self.writer(|index| index.insert_batch(documents, rule))
    }
    fn remove(&self, id: &DocumentId) -> Result<bool, Error> {
        self.writer(|index| index.remove(id))
    }
}

impl Documents for ReopeningIndex {
    fn scheme(&self) -> Scheme {
        self.writer(Documents::scheme)
    }
    fn len(&self) -> Result<u64, Error> {
        self.reader(Documents::len)
    }
    fn parts(&self) -> Parts {
        self.writer(Documents::parts)
    }
    fn check(&self, wanted: &Parts) -> Result<(), Error> {
        self.reader(|index| index.check(wanted))
    }
    fn visit(
        &self,
        wanted: &Parts,
        filter: &Filter,
        visit: &mut dyn FnMut(DocumentView) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        self.reader(|index| index.visit(wanted, filter, visit))
    }
    fn get(&self, id: &DocumentId, wanted: &Parts) -> Result<Option<DocumentView>, Error> {
        self.reader(|index| index.get(id, wanted))
    }
    fn near(
        &self,
        request: &NearRequest<'_>,
        take: &mut dyn FnMut(NearDocument) -> ControlFlow<()>,
    ) -> Result<NearCounts, Error> {
        let answers = |index: &DiskIndex| {
            let mut found = Vec::new();
            index.near(request, &mut |near| {
                found.push(near);
                ControlFlow::Continue(())
            })?;
            Ok::<_, Error>(found)
        };
        let read = self.reader(answers)?;
        assert_eq!(read, self.writer(answers)?, "the writer and a reader answer the same");
        let _ = read.into_iter().try_for_each(take);
        Ok(NearCounts::none())
    }
}

#[test]
fn the_index_on_disk_conforms() {
    for (seed, scheme) in (0..).zip(conformance::schemes()) {
        for settings in [support::small(), support::small().fresh(1), Settings::default()] {
            let directory = support::directory();
            let index = DiskIndex::create(&directory.path().join("index"), scheme, settings);
            conformance::check(&index.expect("a new index"), support::operations(), seed);
        }
    }
}

#[test]
fn it_conforms_when_merged_in_the_background() {
    for scheme in support::SCHEMES {
        let directory = support::directory();
        let settings = support::small().fresh(3).background(true);
        let index = DiskIndex::create(directory.path(), scheme, settings).expect("a new index");
        conformance::check(&index, support::operations(), 77);
    }
}

#[test]
fn it_conforms_when_opened_again_and_read_by_others() {
    for (seed, scheme) in (100..).zip(conformance::schemes()) {
        let directory = support::directory();
        let path = directory.path().join("index");
        let settings = support::small();
        drop(DiskIndex::create(&path, scheme, settings.clone()).expect("a new index"));
        let index = ReopeningIndex { path: path.clone(), settings, state: Mutex::default() };
        conformance::check(&index, support::operations(), seed);
        drop(index);
        let verified = DiskIndex::verify(&path, support::small()).expect("an index");
        assert!(verified.problems.is_empty(), "{:?}", verified.problems);
        DiskIndex::compact(&path, support::small()).expect("a whole index");
        let verified = DiskIndex::verify(&path, support::small()).expect("an index");
        assert!(verified.problems.is_empty(), "{:?}", verified.problems);
    }
}

#[test]
fn segments_of_all_sizes_are_exact_for_every_distance() {
    let simhashes: Vec<u32> = (0..=13).chain([64]).collect();
    are_exact(Scheme::SD1, 20_000, &simhashes);
    // Within 63 by bands, beyond by all sketches.
    are_exact(Scheme::MD1, 7_000, &[0, 1, 5, 20, 40, 60, 62, 63, 64, 65, 80, 100, 127, 128]);
}

fn are_exact(scheme: Scheme, documents: u64, distances: &[u32]) {
    let directory = support::directory();
    let index = support::filled_with(directory.path(), scheme, documents);
    for number in (0..documents).step_by(3) {
        if number < 3000 {
            assert!(index.remove(&support::id(number)).expect("an index"));
        }
    }
    index.merge_segments().expect("a whole index");
    let there = |number: &u64| !(*number < 3000 && number.is_multiple_of(3));
    for &k in distances {
        let asked = support::print_of(scheme, 1_000_000 + u64::from(k));
        let mut expected: Vec<IndexMatch> = (0..documents)
            .filter(there)
            .filter_map(|number| {
                let distance = asked.distance(&support::print_of(scheme, number));
                let distance = distance.expect("one scheme");
                (distance <= k).then(|| IndexMatch { id: support::id(number), distance })
            })
            .collect();
        expected.sort_by_key(|near| near.distance);
        assert_eq!(index.query(&asked, k).expect("a whole index"), expected, "within {k}");
    }
    let found = index.statistics().expect("an index");
    let living = documents - 1000;
    let counted = found.entries - found.removed + found.fresh;
    assert_eq!((found.documents, counted), (living, living));
    assert!((1..=10).contains(&found.segments), "{found:?}");
}

#[test]
fn only_new_documents_are_inserted_where_that_is_asked() {
    let directory = support::directory();
    let index =
        DiskIndex::create(directory.path(), Scheme::SD1, support::small()).expect("an index");
    let document = |id: &str, print: &str| {
        let id = DocumentId::new(id).expect("an id");
        StoredDocument::new(id, print.parse().expect("a fingerprint"))
    };
    let fog = document("fog", "sd1:aerukz4jvpg66");
    let near = document("near", "sd1:aerukz4jvpg6y");
    let refuse = OnDuplicate::Refuse;
    let inserted = index.insert_if_new(&fog, 3, refuse).expect("an index");
    assert_eq!(inserted, IfNew::Inserted(InsertOutcome::Added));
    let expected = IndexMatch { id: fog.id.clone(), distance: 2 };
    assert_eq!(
        index.insert_if_new(&near, 3, refuse).expect("an index"),
        IfNew::Near(vec![expected])
    );
    assert_eq!(index.len().expect("an index"), 1);
    let added = index.insert_if_new(&near, 1, refuse).expect("an index");
    assert_eq!(added, IfNew::Inserted(InsertOutcome::Added));
    let again = index.insert_if_new(&fog, 1, OnDuplicate::Replace).expect("an index");
    assert_eq!(again, IfNew::Inserted(InsertOutcome::Replaced));
}

#[test]
fn what_is_stored_about_documents_comes_back() {
    let directory = support::directory();
    let settings = support::small().texts(true);
    let index = DiskIndex::create(directory.path(), Scheme::SD1, settings).expect("an index");
    let mut document = StoredDocument::new(support::id(1), support::print(1));
    let text =
        StoredText { text: "Fog came in at noon.".to_owned(), main_content: vec![4..8, 9..11] };
    document.extractor = Some("html/7".to_owned());
    document.text = Some(text.clone());
    document.metadata = Some(r#"{"host":"example.org"}"#.to_owned());
    index.insert_documents(std::slice::from_ref(&document), OnDuplicate::Refuse).expect("new");
    assert_eq!(index.document(&document.id).expect("an index"), Some(document.clone()));
    assert_eq!(index.document(&support::id(2)).expect("an index"), None);
    assert_eq!(index.text(&document.id).expect("an index"), Some(text));
    let without = StoredDocument { text: None, ..document.clone() };
    assert_eq!(index.document_record(&document.id).expect("an index"), Some(without.clone()));
    assert!(index.wanted().text && index.wanted().main_content && index.keeps_texts());
    let seen = Cell::new(0);
    index
        .for_each(|found| {
            seen.set(seen.get() + 1);
            assert_eq!(found, without);
            Ok::<_, Error>(())
        })
        .expect("an index");
    assert_eq!(seen.get(), 1);
    let outside = StoredText { main_content: vec![0..1, 1..99], ..StoredText::default() };
    let outside = StoredDocument { text: Some(outside), ..document.clone() };
    let error = index.insert_documents(&[outside], OnDuplicate::Replace).expect_err("outside");
    assert!(error.to_string().contains("main content"), "{error}");
    let long = StoredDocument { metadata: Some("x".repeat(1 << 17)), ..document };
    let error = index.insert_documents(&[long], OnDuplicate::Replace).expect_err("too long");
    assert!(error.to_string().contains("65536"), "{error}");
}

#[test]
fn a_snapshot_is_the_state_in_which_it_was_begun() {
    let directory = support::directory();
    let index = support::filled(&directory.path().join("index"), 500);
    index.remove(&support::id(3)).expect("an index");
    let copy = directory.path().join("copy");
    assert_eq!(index.snapshot(&copy).expect("a whole index"), 499);
    assert!(index.snapshot(&copy).is_err(), "it is there");
    index.remove(&support::id(4)).expect("an index");
    let copied = support::open(&copy);
    assert_eq!(copied.len().expect("an index"), 499);
    assert_eq!(print_of(&copied, 4), Some(support::print(4)));
    assert_eq!(print_of(&copied, 3), None);
    let names: Vec<_> = std::fs::read_dir(directory.path()).expect("a directory").collect();
    assert_eq!(names.len(), 2, "nothing is left over");
}

#[test]
fn what_a_killed_snapshot_left_is_removed_by_the_next() {
    let directory = support::directory();
    let index = support::filled(&directory.path().join("index"), 50);
    let part = |name: &str| directory.path().join(name);
    // Of a process that is gone, of one that still copies, and of another name.
    drop(support::filled(&part("copy.77.part"), 20));
    let _copying = support::filled(&part("copy.78.part"), 20);
    drop(support::filled(&part("copy.old.part"), 20));
    index.snapshot(&part("copy")).expect("a whole index");
    let there =
        ["copy.77.part", "copy.78.part", "copy.old.part", "copy"].map(|name| part(name).exists());
    assert_eq!(there, [false, true, true, true]);
}

#[test]
fn indexes_that_cannot_be_opened_say_why() {
    let directory = support::directory();
    let path = directory.path().join("index");
    let error = DiskIndex::open(&path, Settings::default()).expect_err("nothing is there");
    assert!(matches!(error, IndexError::NotAnIndex { .. }), "{error}");
    assert!(!path.exists(), "looking makes nothing");
    let index = support::filled(&path, 20);
    let error = DiskIndex::open(&path, Settings::default()).expect_err("it is open");
    let name = format!("process {}", std::process::id());
    assert!(matches!(&error, IndexError::Held { holder, .. } if holder.contains(&name)), "{error}");
    let error =
        DiskIndex::create(&path, Scheme::SD1, Settings::default()).expect_err("it is there");
    assert!(matches!(error, IndexError::Exists { .. }), "{error}");
    drop(index);
    let reader = DiskIndex::open_read_only(&path, Settings::default()).expect("an index");
    let error = reader.remove(&support::id(1)).expect_err("only for reading").to_string();
    assert!(error.contains("reading only"), "{error}");
    drop(reader);
    std::fs::write(path.join("store.redb"), b"").expect("a file");
    let error = DiskIndex::open_read_only(&path, Settings::default()).expect_err("it is empty");
    assert!(error.to_string().contains("store.redb"), "{error}");
}

#[test]
fn threads_share_one_index_while_segments_are_merged() {
    support::SCHEMES.into_iter().for_each(threads_share);
}

fn threads_share(scheme: Scheme) {
    let directory = support::directory();
    let settings = support::small().fresh(16).background(true);
    let index = DiskIndex::create(directory.path(), scheme, settings).expect("a new index");
    std::thread::scope(|scope| {
        for thread in 0..8u64 {
            let index = &index;
            scope.spawn(move || {
                for number in 0..60u64 {
                    let number = thread * 1000 + number;
                    let (id, print) = (support::id(number), support::print_of(scheme, number));
                    index.insert(&id, &print, OnDuplicate::Refuse).expect("a new id");
                    // Replaced at once: at no time is there neither, nor both.
                    index.insert(&id, &print, OnDuplicate::Replace).expect("an index");
                    let found = index.query(&print, 0).expect("an index");
                    let times = found.iter().filter(|near| near.id == id).count();
                    assert_eq!(times, 1, "a change is visible");
                    if number % 3 == 0 {
                        assert!(index.remove(&id).expect("an index"));
                        let found = index.query(&print, 0).expect("an index");
                        assert!(found.iter().all(|near| near.id != id), "it is removed");
                    }
                }
            });
        }
        let index = &index;
        scope.spawn(move || {
            // A document that is replaced all the time is found by every query.
            let (id, print) = (support::id(999_999), support::print_of(scheme, 999_999));
            index.insert(&id, &print, OnDuplicate::Refuse).expect("a new id");
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    for _ in 0..200 {
                        index.insert(&id, &print, OnDuplicate::Replace).expect("an index");
                    }
                });
                for _ in 0..200 {
                    let found = index.query(&print, 0).expect("an index");
                    assert_eq!(found.iter().filter(|near| near.id == id).count(), 1);
                }
            });
        });
    });
    assert_eq!(index.len().expect("an index"), 8 * 40 + 1);
    drop(index);
    let verified = DiskIndex::verify(directory.path(), support::small()).expect("an index");
    assert!(verified.problems.is_empty(), "{:?}", verified.problems);
}

fn print_of(index: &DiskIndex, number: u64) -> Option<Fingerprint> {
    let found = index.get(&support::id(number), &Parts::default()).expect("an index");
    found.map(|document| document.fingerprint)
}
