//! Indexes that earlier versions made are refused by name, and are left as they are.

mod support;

use std::path::Path;

use nearprint_index::{DiskIndex, IndexError, Settings};

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

#[test]
fn an_index_of_format_1_is_refused_with_the_version_that_made_it() {
    let directory = support::directory();
    copied("v1", directory.path());
    let settings = Settings::default;
    let refused = [
        DiskIndex::open_read_only(directory.path(), settings()).map(drop),
        DiskIndex::open(directory.path(), settings()).map(drop),
        DiskIndex::rebuild(directory.path(), settings()),
        DiskIndex::verify(directory.path(), settings()).map(drop),
    ];
    for refused in refused {
        let error = refused.expect_err("format 1");
        assert!(matches!(error, IndexError::OtherFormat { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains("made by version 0.1.0 and has format version 1"), "{text}");
    }
}
