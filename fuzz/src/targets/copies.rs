//! Files written again without some of their records or rows: what is left is what was kept.

use std::env;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

use nearprint_records::{Container, TableFields, copy_records, copy_without};
use nearprint_tables::copy_rows_without;

use super::readers;
use super::table;

/// A file for as long as a target runs: copies are made of files, not of bytes.
struct OnDisk(PathBuf);

impl OnDisk {
    fn of(bytes: &[u8]) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("nearprint-fuzz-{}-{number}", process::id()));
        fs::write(&path, bytes).expect("room for a temporary file");
        Self(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for OnDisk {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The first byte says which records are left out, and of which kind the file is; the rest is the file.
pub fn record_copy(data: &[u8]) {
    let Some((&choice, bytes)) = data.split_first() else { return };
    let container =
        [Container::Warc, Container::Arc, Container::JsonLines][usize::from(choice % 3)];
    let is_dropped = |at: usize| choice >> 2 >> (at % 6) & 1 == 1;
    let file = OnDisk::of(bytes);

    let mut nothing_edited = Vec::new();
    let unchanged = copy_records(file.path(), &readers::settings(), |_| None, &mut nothing_edited);
    assert!(unchanged.is_err() || nothing_edited == bytes, "a copy without changes differs");

    let found = readers::read(bytes, container);
    // Behind damage records are looked for, and what is looked for is shorter in the copy.
    let Ok(documents) = found.into_iter().collect::<Result<Vec<_>, _>>() else { return };
    let wrapper = documents.first().and_then(|document| document.place.wrapper.clone());
    let (mut stretches, mut kept): (Vec<Range<u64>>, _) = (Vec::new(), Vec::new());
    for (at, document) in documents.into_iter().enumerate() {
        let place = &document.place;
        let (Some(start), Some(length)) = (place.offset, place.length) else { return };
        if place.wrapper != wrapper {
            return;
        }
        if is_dropped(at) {
            stretches.push(start..start + length);
        } else {
            kept.push(readers::told(document).1);
        }
    }
    let mut copy = Vec::new();
    let dropped = stretches.into_iter().map(Ok);
    copy_without(file.path(), wrapper.as_deref(), dropped, &mut copy).expect("its own places");
    let left = readers::read(&copy, container).into_iter();
    let left: Vec<_> = left.map(|found| readers::told(found.expect("kept whole")).1).collect();
    assert_eq!(left, kept);
}

/// The first byte says which rows are left out; the rest is a program as of the target `table`.
pub fn row_copy(data: &[u8]) {
    let Some((&choice, program)) = data.split_first() else { return };
    let (bytes, is_parquet) = table::changed_table(program);
    let fields = TableFields::default();
    let rows = table::read(&bytes, is_parquet, &fields);
    let is_dropped = |at: usize| choice >> (at % 8) & 1 == 1;
    let dropped = || (0..rows.len()).filter(|&at| is_dropped(at)).map(|at| Ok(at as u64 + 1));

    let file = OnDisk::of(&bytes);
    let (mut copy, mut again) = (Vec::new(), Vec::new());
    let one = copy_rows_without(file.path(), dropped().collect::<Vec<_>>(), &mut copy);
    let other = copy_rows_without(file.path(), dropped().collect::<Vec<_>>(), &mut again);
    match (one, other) {
        (Ok(one), Ok(other)) => {
            assert_eq!((&one, &copy), (&other, &again), "another copy of the same rows");
            assert_eq!(one.bytes, copy.len() as u64);
            if one.unreadable.is_empty() && rows.iter().all(Result::is_ok) {
                let kept = rows.iter().enumerate().filter(|&(at, _)| !is_dropped(at));
                let kept: Vec<_> = kept.map(|(_, row)| row.clone()).collect();
                assert_eq!(table::read(&copy, is_parquet, &fields), kept);
            }
        }
        (one, other) => {
            assert_eq!(one.is_err(), other.is_err(), "another outcome of the same bytes");
        }
    }
}
