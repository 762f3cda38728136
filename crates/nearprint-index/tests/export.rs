//! An export has everything that an index stores, and one that was cut or changed is refused.

mod support;

use nearprint::Filter;
use nearprint::fingerprint::Scheme;
use nearprint::{Error, OnDuplicate};
use nearprint_index::{DiskIndex, ExportHead, IndexedLine, IndexedLines, StoredDocument};
use support::load::Load;

/// An index with features and texts, and its export.
fn exported(path: &std::path::Path) -> (DiskIndex, Vec<u8>) {
    let settings = support::small().features(true).texts(true);
    let index = DiskIndex::create(path, Scheme::SD1, settings).expect("a new index");
    let load = Load::of(&index);
    let documents: Vec<_> = (0..40).map(|number| load.document(number, number)).collect();
    index.insert_documents(&documents, OnDuplicate::Refuse).expect("new ids");
    let mut lines = Vec::new();
    assert_eq!(index.export(&Filter::default(), &mut lines).expect("an index"), 40);
    (index, lines)
}

/// The documents of an export; `None` if it is not whole.
fn read(lines: &[u8]) -> Option<Vec<StoredDocument>> {
    let mut lines = IndexedLines::new("export", lines);
    let documents = lines.by_ref().filter_map(|line| match line.ok()? {
        IndexedLine::Document(document) => Some(*document),
        IndexedLine::Capture(_) => None,
    });
    let documents: Vec<_> = documents.collect();
    lines.is_whole().then_some(documents)
}

#[test]
fn an_export_gives_back_everything_that_is_stored() {
    let directory = support::directory();
    let (index, lines) = exported(&directory.path().join("index"));
    assert!(IndexedLines::<&[u8]>::is_begun_by(&lines));
    let mut head = IndexedLines::new("export", &lines[..]);
    let features = index.header().features.clone();
    let expected = ExportHead { scheme: "sd1".to_owned(), features, texts: true };
    assert_eq!(head.head(), Ok(Some(&expected)));
    let mut all = Vec::new();
    let visited = index.for_each_whole(|document| {
        all.push(document);
        Ok::<_, Error>(())
    });
    visited.expect("an index");
    assert!(all.iter().any(|document| document.text.is_some() && document.features.is_some()));
    assert_eq!(read(&lines), Some(all));
    let mut some = Vec::new();
    let filter: Filter = ["crawl=2026-01".parse().expect("a condition")].into_iter().collect();
    let count = index.export(&filter, &mut some).expect("an index");
    assert!((1..40).contains(&count));
    assert_eq!(read(&some).map(|documents| documents.len() as u64), Some(count));
}

#[test]
fn an_export_that_was_cut_or_changed_is_not_whole() {
    let directory = support::directory();
    let (_index, lines) = exported(&directory.path().join("index"));
    for length in (0..lines.len()).step_by(211).chain([lines.len() - 1]) {
        let mut cut = IndexedLines::new("export", &lines[..length]);
        let is_refused = cut.by_ref().any(|line| line.is_err());
        assert!(!cut.is_whole() && (is_refused || length == 0), "{length} bytes");
    }
    for at in (0..lines.len()).step_by(307) {
        let mut changed = lines.clone();
        changed[at] ^= 1;
        assert_eq!(read(&changed), None, "byte {at}");
    }
    assert_eq!(read(&[&lines[..], b"\n"].concat()), None);
}
