//! Work that is cancelled ends with an error that says so, and leaves the index as it was.

mod support;

use nearprint::fingerprint::Scheme;
use nearprint::records::DocumentId;
use nearprint::{CancelFlag, Documents, Error, ErrorKind, Index, OnDuplicate};
use nearprint_index::{DiskIndex, IndexError, until_cancelled};

fn cancelled() -> CancelFlag {
    let flag = CancelFlag::new();
    flag.cancel();
    flag
}

fn documents(
    numbers: std::ops::Range<u64>,
) -> Vec<(DocumentId, nearprint::fingerprint::Fingerprint)> {
    let named = |number| DocumentId::new(format!("more-{number}")).expect("an id");
    numbers.map(|number| (named(number), support::print(number))).collect()
}

#[test]
fn cancelled_work_on_a_closed_index_changes_nothing() {
    let directory = support::directory();
    let path = directory.path().join("index");
    drop(support::filled(&path, 400));
    let before = support::table_files(&path);
    let ended =
        until_cancelled(&cancelled(), || DiskIndex::verify(&path, support::small()).map(drop));
    assert!(matches!(ended, Err(IndexError::Cancelled)), "{ended:?}");
    for change in [DiskIndex::rebuild, DiskIndex::compact] {
        let ended = until_cancelled(&cancelled(), || change(&path, support::small()));
        assert!(matches!(ended, Err(IndexError::Cancelled)), "{ended:?}");
    }
    // What no longer is cancelled is done.
    let found = DiskIndex::verify(&path, support::small()).expect("an index");
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    drop(DiskIndex::open(&path, support::small()).expect("an index"));
    assert_eq!(support::table_files(&path), before);
}

#[test]
fn cancelled_changes_are_not_made() {
    let directory = support::directory();
    let path = directory.path().join("index");
    let index = support::filled(&path, 400);
    let (count, copy) = (index.len().expect("a count"), directory.path().join("copy"));
    let mut seen = 0;
    let ends: [Result<(), Error>; 5] = until_cancelled(&cancelled(), || {
        [
            index.insert_batch(&documents(0..50), OnDuplicate::Refuse).map(drop),
            index
                .remove_batch(&documents(0..1).into_iter().map(|(id, _)| id).collect::<Vec<_>>())
                .map(drop),
            index.remove_where(&"a=b".parse().into_iter().collect()).map(drop),
            index.snapshot(&copy).map(drop),
            index.for_each(|_| {
                seen += 1;
                Ok(())
            }),
        ]
    });
    for ended in ends {
        let error = ended.expect_err("cancelled");
        assert_eq!(error.kind(), ErrorKind::Cancelled, "{error}");
    }
    assert_eq!((seen, copy.exists()), (0, false));
    assert_eq!(
        directory.path().read_dir().expect("a directory").count(),
        1,
        "no part of the copy is left"
    );
    assert_eq!(index.len().expect("a count"), count);
    // The same thread goes on.
    assert_eq!(
        index.insert_batch(&documents(0..50), OnDuplicate::Refuse).expect("inserted").added,
        50
    );
    assert_eq!(index.snapshot(&copy).expect("a copy"), count + 50);
}

#[test]
fn a_flag_that_is_set_meanwhile_ends_the_work() {
    let directory = support::directory();
    let path = directory.path().join("index");
    let index = support::filled(&path, 400);
    let (flag, mut seen) = (CancelFlag::new(), 0);
    let ended: Result<(), Error> = until_cancelled(&flag, || {
        index.for_each(|_| {
            seen += 1;
            if seen == 100 {
                flag.cancel();
            }
            Ok(())
        })
    });
    assert_eq!((seen, ended.expect_err("cancelled").kind()), (100, ErrorKind::Cancelled));
    assert_eq!(index.scheme(), Scheme::SD1);
}
