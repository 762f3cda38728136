//! Damaged, truncated and missing files: an error that names the file, or the right answer; never a crash, never a
//! wrong answer. Tables are made again from the store.

mod support;

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;
use std::path::Path;

use nearprint::fingerprint::{Family, Scheme};
use nearprint::{Documents, Error, IndexMatch, OnDuplicate};
use nearprint_index::{DiskIndex, StoredDocument, StoredText};

/// Answers to some queries, from buckets of tables and from all documents.
fn answers(index: &DiskIndex) -> Result<Vec<Vec<IndexMatch>>, Error> {
    let scheme = index.scheme();
    let asked: Vec<_> = (0..50).map(|number| support::print_of(scheme, number + 7000)).collect();
    let (near, far) = match scheme.family() {
        Family::Simhash => (3, 20),
        _ => (50, 70),
    };
    let mut all = index.query_batch(&asked, near)?;
    all.extend(index.query_batch(&asked[..3], far)?);
    Ok(all)
}

fn opened(path: &Path) -> Result<Vec<Vec<IndexMatch>>, Error> {
    answers(&DiskIndex::open_read_only(path, support::small())?)
}

fn flip(file: &Path, at: u64) {
    let open = OpenOptions::new().read(true).write(true).open(file).expect("a file");
    let mut byte = [0];
    open.read_exact_at(&mut byte, at).expect("a byte");
    open.write_all_at(&[byte[0] ^ 0x10], at).expect("a byte");
}

#[test]
fn every_damaged_byte_of_tables_is_named_and_repaired() {
    // Files of sketches are some twenty times as large.
    for (scheme, step) in support::SCHEMES.into_iter().zip([61, 1201]) {
        every_damaged_byte(scheme, step);
    }
}

fn every_damaged_byte(scheme: Scheme, step: usize) {
    let directory = support::directory();
    let path = directory.path().join("index");
    drop(support::filled_with(&path, scheme, 400));
    let expected = opened(&path).expect("a whole index");
    for file in support::table_files(&path) {
        let length = file.metadata().expect("a file").len();
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        for at in (0..length).step_by(step).chain(length - 20..length) {
            flip(&file, at);
            match opened(&path) {
                Err(error) => {
                    let text = error.to_string();
                    assert!(text.contains(&name) && text.contains("rebuild"), "byte {at}: {text}");
                }
                // A byte between two arrays, or of one that these queries do not need.
                Ok(found) => assert_eq!(found, expected, "byte {at}"),
            }
            let verified = DiskIndex::verify(&path, support::small()).expect("an index");
            assert!(!verified.problems.is_empty(), "byte {at} of {name} is damaged");
            flip(&file, at);
        }
        for length in (0..length).step_by(step + 36) {
            let whole = std::fs::read(&file).expect("a file");
            std::fs::write(&file, &whole[..length as usize]).expect("a file");
            let error = opened(&path).expect_err("truncated").to_string();
            assert!(error.contains(&name) && error.contains("rebuild"), "{error}");
            std::fs::write(&file, &whole).expect("a file");
        }
    }
    assert_eq!(opened(&path).expect("as it was"), expected);
    let files = support::table_files(&path);
    flip(&files[0], 200);
    std::fs::remove_file(&files[files.len() - 1]).expect("a file");
    assert!(opened(&path).is_err());
    DiskIndex::rebuild(&path, support::small()).expect("the store is whole");
    assert_eq!(opened(&path).expect("repaired"), expected);
    let verified = DiskIndex::verify(&path, support::small()).expect("an index");
    assert!(verified.problems.is_empty() && verified.documents == 400, "{verified:?}");
}

#[test]
fn a_file_truncated_while_it_is_open_is_an_error() {
    let directory = support::directory();
    let path = directory.path().join("index");
    let index = support::filled(&path, 400);
    drop(index);
    // Opened, but nothing read yet.
    let index = DiskIndex::open_read_only(&path, support::small()).expect("a whole index");
    for file in support::table_files(&path) {
        OpenOptions::new().write(true).open(&file).expect("a file").set_len(200).expect("shorter");
    }
    let error = answers(&index).expect_err("truncated").to_string();
    assert!(error.contains("truncated") && error.contains("rebuild"), "{error}");
}

#[test]
fn the_tables_of_another_index_are_refused() {
    let directory = support::directory();
    let (path, other) = (directory.path().join("index"), directory.path().join("other"));
    drop(support::filled(&path, 400));
    drop(support::filled(&other, 400));
    let (files, others) = (support::table_files(&path), support::table_files(&other));
    std::fs::copy(&others[0], &files[0]).expect("a copy");
    let error = opened(&path).expect_err("it is another's").to_string();
    assert!(error.contains("not the tables that the store names"), "{error}");
}

#[test]
fn a_damaged_text_is_an_error_or_the_right_text() {
    let directory = support::directory();
    let path = directory.path().join("index");
    let settings = support::small().texts(true);
    let index = DiskIndex::create(&path, Scheme::SD1, settings.clone()).expect("a new index");
    let text = |number: u64| StoredText {
        text: format!("page {number} ").repeat(1 + number as usize * 9),
        main_content: vec![0..4, 5..6],
    };
    let document = |number| StoredDocument {
        text: Some(text(number)),
        ..StoredDocument::new(support::id(number), support::print(number))
    };
    let documents: Vec<_> = (0..20).map(document).collect();
    index.insert_documents(&documents, OnDuplicate::Refuse).expect("new ids");
    drop(index);
    let file = path.join("store.redb");
    let read = || {
        let index = DiskIndex::open_read_only(&path, support::small())?;
        (0..20).map(|number| index.text(&support::id(number))).collect::<Result<Vec<_>, Error>>()
    };
    let expected: Vec<_> = (0..20).map(|number| Some(text(number))).collect();
    assert_eq!(read().expect("a whole index"), expected);
    let (mut found, mut wrong) = (0, Vec::new());
    std::panic::set_hook(Box::new(|_| {}));
    for at in (0..file.metadata().expect("a file").len()).step_by(397) {
        flip(&file, at);
        match read() {
            // A flipped bit in a page of ids may hide one, which `verify` finds.
            Ok(texts) if !texts.iter().flatten().eq(expected.iter().flatten()) => {
                let verified = DiskIndex::verify(&path, support::small());
                let is_found = verified.is_ok_and(|verified| !verified.problems.is_empty());
                if texts.iter().flatten().any(|text| !expected.contains(&Some(text.clone())))
                    || !is_found
                {
                    wrong.push(at);
                }
            }
            Ok(_) => {}
            Err(_) => found += 1,
        }
        flip(&file, at);
    }
    let _ = std::panic::take_hook();
    assert!(wrong.is_empty(), "wrong texts with these bytes damaged: {wrong:?}");
    assert!(found > 0, "some bytes are those of texts");
}

/// A damaged page of the store may hide rows: files of tables, whose documents no query finds then, and documents,
/// which are not listed then.
#[test]
fn rows_that_the_store_lost_are_found() {
    type Rows = redb::TableDefinition<'static, u64, &'static [u8]>;
    for (table, is_first, found) in [
        ("segments", true, "in no file of tables"),
        ("documents", false, "documents of the"),
        ("documents", true, "documents of the"),
    ] {
        let directory = support::directory();
        let path = directory.path().join("index");
        drop(support::filled(&path, 100));
        if table == "documents" {
            DiskIndex::compact(&path, support::small()).expect("a whole index");
        }
        let database = redb::Database::open(path.join("store.redb")).expect("a store");
        let change = database.begin_write().expect("a transaction");
        {
            let mut rows = change.open_table(Rows::new(table)).expect("a table");
            let lost = if is_first { rows.pop_first() } else { rows.pop_last() };
            lost.expect("a table").expect("a row");
        }
        change.commit().expect("a change");
        drop(database);
        let verified = DiskIndex::verify(&path, support::small()).expect("an index");
        let problems: Vec<String> = verified.problems.iter().map(ToString::to_string).collect();
        assert!(problems.iter().any(|problem| problem.contains(found)), "{table}: {problems:?}");
    }
}

/// Makes an index of seven documents with all parts, and changes its header.
fn with_header(path: &Path, change: impl FnOnce(&mut redb::Table<'_, &'static str, &'static str>)) {
    type Header = redb::TableDefinition<'static, &'static str, &'static str>;
    let settings = support::small().features(true).texts(true);
    let index = DiskIndex::create(path, Scheme::MD1, settings).expect("a new index");
    let load = support::load::Load::of(&index);
    let documents: Vec<_> = (0..7).map(|number| load.document(number, 1)).collect();
    index.insert_documents(&documents, OnDuplicate::Refuse).expect("new ids");
    drop(index);
    let database = redb::Database::open(path.join("store.redb")).expect("a store");
    let transaction = database.begin_write().expect("a transaction");
    change(&mut transaction.open_table(Header::new("header")).expect("a table"));
    transaction.commit().expect("a change");
}

/// A bit of a name in the header makes an index of another one that keeps less; here of one from before there were
/// checksums of headers.
#[test]
fn parts_that_the_header_lost_are_found() {
    let directory = support::directory();
    for (name, found) in
        [("features", "which the header does not name"), ("texts", "documents that have one")]
    {
        let path = directory.path().join(name);
        with_header(&path, |header| {
            for lost in [name, "checksum"] {
                assert!(header.remove(lost).expect("a table").is_some());
            }
        });
        let verified = DiskIndex::verify(&path, support::small()).expect("an index");
        let problems: Vec<String> = verified.problems.iter().map(ToString::to_string).collect();
        assert!(problems.iter().any(|problem| problem.contains(found)), "{name}: {problems:?}");
    }
}

/// A bit makes another scheme of the one in the header, and every fingerprint would be of that.
#[test]
fn a_header_that_was_changed_is_refused() {
    let directory = support::directory();
    for (name, other) in [("scheme", Some("wd1")), ("created-by", Some("0.1.1")), ("texts", None)] {
        let path = directory.path().join(name);
        with_header(&path, |header| {
            let before = match other {
                Some(other) => header.insert(name, other),
                None => header.remove(name),
            };
            assert!(before.expect("a table").is_some());
        });
        for refused in [
            DiskIndex::open_read_only(&path, support::small()).map(drop),
            DiskIndex::open(&path, support::small()).map(drop),
            DiskIndex::verify(&path, support::small()).map(drop),
        ] {
            let error = refused.expect_err(name).to_string();
            assert!(error.contains("its header does not have its checksum"), "{name}: {error}");
        }
    }
}
