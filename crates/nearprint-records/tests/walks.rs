//! Walks of random trees: every file once, in the order of the bytes of the paths, whatever the names.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use nearprint_records::{FileSettings, FileSource, Selection};
use proptest::prelude::*;

/// Names that sort differently with and without a slash after them, and some that are not text.
fn name() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop::sample::select(b"ab-./\t\n\xffA0".to_vec());
    prop::collection::vec(byte, 1..4).prop_map(|mut name| {
        name.retain(|&byte| byte != b'/');
        // Not `.` and `..`, and never hidden.
        name.insert(0, b'x');
        name
    })
}

fn paths() -> impl Strategy<Value = Vec<PathBuf>> {
    let path = prop::collection::vec(name(), 1..4)
        .prop_map(|names| names.into_iter().map(OsString::from_vec).collect::<PathBuf>());
    prop::collection::vec(path, 0..30)
}

/// Makes what can be made: a path below another file cannot.
fn make(root: &Path, paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut made = Vec::new();
    for path in paths {
        let path = root.join(path);
        let place = path.parent().unwrap();
        if !path.exists()
            && std::fs::create_dir_all(place).is_ok()
            && std::fs::write(&path, "x").is_ok()
        {
            made.push(path);
        }
    }
    made
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn files_come_once_in_the_order_of_the_bytes_of_their_paths(paths in paths()) {
        let root = tempfile::tempdir().unwrap();
        let mut expected = make(root.path(), &paths);
        expected.sort_by(|a, b| a.as_os_str().as_bytes().cmp(b.as_os_str().as_bytes()));
        let found: Vec<PathBuf> = FileSource::new([root.path()], FileSettings::default())
            .map(|found| found.unwrap().id.to_path().unwrap())
            .collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn excluding_a_name_excludes_what_is_below(paths in paths()) {
        let root = tempfile::tempdir().unwrap();
        let made = make(root.path(), &paths);
        let selection = Selection::new().exclude(&["xa*"]).unwrap();
        let settings = FileSettings { selection, ..FileSettings::default() };
        let found = FileSource::new([root.path()], settings).count();
        let excluded = |path: &PathBuf| {
            let below = path.strip_prefix(root.path()).unwrap();
            below.iter().any(|name| name.as_bytes().starts_with(b"xa"))
        };
        prop_assert_eq!(found, made.iter().filter(|path| !excluded(path)).count());
    }
}
