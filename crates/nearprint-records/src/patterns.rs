//! Paths with wildcards, as a shell would have expanded them had they not been quoted.

use std::path::PathBuf;

use crate::BadGlob;
use crate::globs::matches_of;

/// What makes a path a pattern.
pub(crate) const WILDCARDS: [char; 4] = ['*', '?', '[', '{'];

/// The paths with each that is a pattern and names no file replaced by what it matches, in the order of the bytes: `*`
/// and `?` within a name, `**` across directories, `[...]` and `{a,b}` as in shells. Names that begin with a dot are
/// matched by such only. A pattern that matches nothing stays as it is.
///
/// ```
/// # let directory = tempfile::tempdir().unwrap();
/// # for name in ["b.warc", "a.warc", "c.txt", "*.txt"] { std::fs::write(directory.path().join(name), "").unwrap() }
/// let found = nearprint_records::matching([directory.path().join("*.warc")])?;
/// let names: Vec<_> = found.iter().filter_map(|path| path.file_name()?.to_str()).collect();
/// assert_eq!(names, ["a.warc", "b.warc"]);
/// // A file that is called so is that file.
/// assert_eq!(nearprint_records::matching([directory.path().join("*.txt")])?.len(), 1);
/// # Ok::<(), nearprint_records::BadGlob>(())
/// ```
///
/// # Errors
/// If a pattern is none.
pub fn matching(
    paths: impl IntoIterator<Item = impl Into<PathBuf>>,
) -> Result<Vec<PathBuf>, BadGlob> {
    let mut found = Vec::new();
    for path in paths.into_iter().map(Into::into) {
        let pattern = path.to_str().filter(|text| text.contains(WILDCARDS));
        match pattern.filter(|_| std::fs::symlink_metadata(&path).is_err()) {
            None => found.push(path),
            Some(_) => {
                let matched = matches_of(&path)?;
                if matched.is_empty() {
                    found.push(path);
                } else {
                    found.extend(matched);
                }
            }
        }
    }
    Ok(found)
}

#[cfg(all(test, feature = "directories"))]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_shells() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        std::fs::create_dir_all(root.join("2025/raw")).unwrap();
        std::fs::create_dir_all(root.join("2026/raw")).unwrap();
        for name in ["2025/a.warc", "2025/raw/b.warc", "2026/c.warc", "2026/d.txt", "2026/.e.warc"]
        {
            std::fs::write(root.join(name), "").unwrap();
        }
        for (pattern, wanted) in [
            ("*/*.warc", vec!["2025/a.warc", "2026/c.warc"]),
            ("**/*.warc", vec!["2025/a.warc", "2025/raw/b.warc", "2026/c.warc"]),
            ("2026/*", vec!["2026/c.warc", "2026/d.txt", "2026/raw"]),
            ("2026/.*", vec!["2026/.e.warc"]),
            ("202[56]/?.{warc,txt}", vec!["2025/a.warc", "2026/c.warc", "2026/d.txt"]),
            ("2027/*", vec!["2027/*"]),
            ("2026/c.warc", vec!["2026/c.warc"]),
            ("none", vec!["none"]),
        ] {
            let found = matching([root.join(pattern)]).unwrap();
            let found: Vec<_> = found
                .iter()
                .map(|path| path.strip_prefix(root).unwrap().to_str().unwrap())
                .collect();
            assert_eq!(found, wanted, "{pattern}");
        }
        assert!(matching([root.join("[")]).unwrap_err().to_string().contains('['));
    }
}
