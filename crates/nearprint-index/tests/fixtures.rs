//! Indexes that earlier versions made are opened by this one.

mod support;

use std::path::Path;

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::DocumentId;
use nearprint::{Error, Index, IndexMatch, OnDuplicate};
use nearprint_index::{CaptureKey, CaptureRange, DiskIndex, Settings, StoredDocument};

/// A copy of a fixture, which tests may write to.
fn copied(version: &str, to: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(version);
    std::fs::create_dir(to.join("tables")).expect("a new directory");
    std::fs::copy(from.join("store.redb"), to.join("store.redb")).expect("a fixture");
    for file in support::table_files(&from) {
        let name = file.file_name().expect("a file");
        std::fs::copy(&file, to.join("tables").join(name)).expect("a fixture");
    }
}

/// What the version that made it exported.
fn exported(version: &str) -> Vec<(DocumentId, Fingerprint)> {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(version).join("documents.txt");
    let text = std::fs::read_to_string(file).expect("a fixture");
    let line = |line: &str| {
        let (print, id) = line.split_once('\t').expect("two columns");
        (DocumentId::new(id).expect("an id"), print.parse().expect("a fingerprint"))
    };
    text.lines().map(line).collect()
}

fn compare(index: &DiskIndex, expected: &[(DocumentId, Fingerprint)]) {
    let mut found = Vec::new();
    index
        .for_each(|document| {
            found.push((document.id, document.fingerprint));
            Ok::<_, Error>(())
        })
        .expect("an index");
    assert_eq!(found, expected);
    for (_, asked) in expected {
        let near = expected.iter().filter_map(|(id, print)| {
            let distance = asked.distance(print).expect("one scheme");
            (distance <= 3).then(|| IndexMatch { id: id.clone(), distance })
        });
        let mut near: Vec<_> = near.collect();
        near.sort_by(|a, b| a.distance.cmp(&b.distance).then_with(|| a.id.cmp(&b.id)));
        assert_eq!(index.query(asked, 3).expect("an index"), near);
    }
}

/// Makes the fixture of the format that this version writes, in the directory that the environment names.
#[test]
#[ignore = "it makes a fixture, and tests nothing"]
fn make_fixture() {
    let to = std::env::var("NEARPRINT_FIXTURE").expect("NEARPRINT_FIXTURE names a new directory");
    let settings = Settings::default().fresh(12).background(false);
    let index = DiskIndex::create(Path::new(&to), Scheme::SD1, settings).expect("a new directory");
    let id =
        |number: u64| DocumentId::new(format!("https://example.org/{number}?ü")).expect("an id");
    let insert = |numbers: std::ops::Range<u64>| {
        let documents: Vec<_> = numbers
            .map(|number| StoredDocument {
                extractor: Some("html/7".to_owned()),
                metadata: Some(format!(r#"{{"number":{number}}}"#)),
                capture: number.is_multiple_of(2).then(|| CaptureKey {
                    url_key: format!("org,example)/{}", number % 10),
                    date: Some(format!("202611{:02}000000", number % 30 + 1)),
                    payload_digest: Some(format!("sha1:{}", number % 4)),
                }),
                ..StoredDocument::new(id(number), support::print(number))
            })
            .collect();
        index.insert_documents(&documents, OnDuplicate::Refuse).expect("new ids");
    };
    insert(0..50);
    insert(50..60);
    assert_eq!(index.remove_batch(&[id(4), id(57)]).expect("an index"), 2);
    let mut lines = String::new();
    let line = |document: StoredDocument| {
        lines += &format!("{}\t{}\n", document.fingerprint, document.id);
        Ok::<_, Error>(())
    };
    index.for_each(line).expect("an index");
    std::fs::write(Path::new(&to).join("documents.txt"), lines).expect("a file");
}

#[test]
fn indexes_of_format_1_are_read_and_written() {
    let directory = support::directory();
    copied("v1", directory.path());
    let expected = exported("v1");
    assert_eq!(expected.len(), 58);
    let index = DiskIndex::open_read_only(directory.path(), Settings::default()).expect("format 1");
    compare(&index, &expected);
    let captures = index.captures(&CaptureRange::of_key_prefix(""), None, 99).expect("format 1");
    assert_eq!(captures.len(), 29);
    drop(index);
    let verified = DiskIndex::verify(directory.path(), Settings::default()).expect("format 1");
    assert!(verified.problems.is_empty() && verified.segments == 1, "{verified:?}");
    let index = support::open(directory.path());
    let (id, print) = (support::id(1000), support::print(1000));
    index.insert(&id, &print, OnDuplicate::Refuse).expect("format 1");
    let expected: Vec<_> = expected.into_iter().chain([(id, print)]).collect();
    compare(&index, &expected);
    drop(index);
    DiskIndex::rebuild(directory.path(), Settings::default()).expect("format 1");
    compare(&support::open(directory.path()), &expected);
}
