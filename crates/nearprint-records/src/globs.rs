//! Globs, compared with names and paths.

use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use walkdir::WalkDir;

use crate::BadGlob;
use crate::patterns::WILDCARDS;

/// Globs that are compared with names, and those with a slash, which are compared with paths.
#[derive(Debug, Clone)]
pub(crate) struct Globs {
    names: GlobSet,
    paths: GlobSet,
}

impl Globs {
    pub(crate) fn new<G: AsRef<str>>(globs: &[G]) -> Result<Option<Self>, BadGlob> {
        let (mut names, mut paths) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for glob in globs {
            let text = glob.as_ref();
            let bad = |error: globset::Error| BadGlob::new(text, error.kind());
            let built =
                GlobBuilder::new(text).literal_separator(true).backslash_escape(true).build();
            let set = if text.contains('/') { &mut paths } else { &mut names };
            set.add(built.map_err(bad)?);
        }
        let built = |set: &GlobSetBuilder| {
            set.build()
                .map_err(|error| BadGlob::new(error.glob().unwrap_or_default(), error.kind()))
        };
        Ok(if globs.is_empty() {
            None
        } else {
            Some(Self { names: built(&names)?, paths: built(&paths)? })
        })
    }

    pub(crate) fn matches(&self, relative: &Path) -> bool {
        relative.file_name().is_some_and(|name| self.names.is_match(name))
            || self.paths.is_match(relative)
    }
}

/// What a pattern matches.
pub(crate) fn matches_of(pattern: &Path) -> Result<Vec<PathBuf>, BadGlob> {
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
