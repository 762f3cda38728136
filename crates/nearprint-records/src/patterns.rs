//! Paths with wildcards, as a shell would have expanded them had they not been quoted.

use std::path::{Component, Path, PathBuf};

use globset::GlobBuilder;
use walkdir::WalkDir;

use crate::BadGlob;

/// What makes a path a pattern.
const WILDCARDS: [char; 4] = ['*', '?', '[', '{'];

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

fn matches_of(pattern: &Path) -> Result<Vec<PathBuf>, BadGlob> {
    let is_plain = |part: &Component<'_>| {
        !part.as_os_str().to_str().is_some_and(|text| text.contains(WILDCARDS))
    };
    let base: PathBuf = pattern.components().take_while(is_plain).collect();
    let rest: PathBuf = pattern.components().skip_while(is_plain).collect();
    let text = rest.to_str().unwrap_or_default();
    let bad = |error: globset::Error| BadGlob::new(text, error.kind());
    let glob = GlobBuilder::new(text).literal_separator(true).build().map_err(bad)?;
    let matcher = glob.compile_matcher();
    let depth = if text.contains("**") { usize::MAX } else { rest.components().count() };
    let dotted = text.starts_with('.') || text.contains("/.");
    let from = if base.as_os_str().is_empty() { Path::new(".") } else { &base };
    let walk = WalkDir::new(from).min_depth(1).max_depth(depth).follow_links(true);
    let entries = walk.into_iter().filter_entry(|entry| {
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        entry.depth() == 0 || dotted || !hidden
    });
    // What cannot be entered matches nothing.
    let paths = entries.flatten().filter_map(|entry| {
        let relative = entry.path().strip_prefix(from).ok()?;
        matcher.is_match(relative).then(|| base.join(relative))
    });
    let mut paths: Vec<PathBuf> = paths.collect();
    paths.sort_by(|a, b| a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes()));
    Ok(paths)
}

#[cfg(test)]
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
