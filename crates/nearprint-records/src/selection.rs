//! Which files of a directory are taken: globs and the rule on hidden names.

use std::fmt;
use std::path::Path;

use crate::globs::Globs;

/// What a walk takes of the directories it is given. Paths that are named themselves are always taken.
///
/// A glob without a slash is compared with names, one with a slash against the path below the directory that was
/// named. `*` and `?` match within a name, `**` across directories, `[...]` and `{a,b}` as in shells.
///
/// - **include**: where there is one, a file must match one of them; directories are walked all the same.
/// - **exclude**: a file that matches one is left out, a directory with all that is in it. Excluding wins.
/// - **hidden**: names that begin with a dot are left out unless [`hidden`](Self::hidden) is set.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    include: Option<Globs>,
    exclude: Option<Globs>,
    hidden: bool,
}

impl Selection {
    /// Everything that is not hidden.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes only files that match one of these globs; no globs, no restriction.
    ///
    /// # Errors
    /// If a glob cannot be read.
    pub fn include<G: AsRef<str>>(mut self, globs: &[G]) -> Result<Self, BadGlob> {
        self.include = Globs::new(globs)?;
        Ok(self)
    }

    /// Leaves out files and directories that match one of these globs.
    ///
    /// # Errors
    /// If a glob cannot be read.
    pub fn exclude<G: AsRef<str>>(mut self, globs: &[G]) -> Result<Self, BadGlob> {
        self.exclude = Globs::new(globs)?;
        Ok(self)
    }

    /// Takes names that begin with a dot too.
    #[must_use]
    pub fn hidden(mut self, hidden: bool) -> Self {
        self.hidden = hidden;
        self
    }

    /// Whether a directory `relative` below the one that was named is walked.
    pub(crate) fn enters(&self, relative: &Path) -> bool {
        self.shows(relative) && !self.exclude.as_ref().is_some_and(|globs| globs.matches(relative))
    }

    /// Whether a file `relative` below the directory that was named is taken.
    pub(crate) fn takes(&self, relative: &Path) -> bool {
        self.enters(relative) && self.include.as_ref().is_none_or(|globs| globs.matches(relative))
    }

    fn shows(&self, relative: &Path) -> bool {
        self.hidden
            || !relative.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
    }
}

/// A glob that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadGlob {
    glob: String,
    error: String,
}

impl BadGlob {
    pub(crate) fn new(glob: &str, error: impl fmt::Display) -> Self {
        Self { glob: glob.to_owned(), error: error.to_string() }
    }
}

impl fmt::Display for BadGlob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "invalid glob `{}`: {}; put a backslash before literal special characters",
            self.glob, self.error
        )
    }
}

impl std::error::Error for BadGlob {}

#[cfg(all(test, feature = "directories"))]
mod tests {
    use super::*;

    fn takes(include: &[&str], exclude: &[&str], path: &str) -> bool {
        let selection = Selection::new().include(include).and_then(|s| s.exclude(exclude)).unwrap();
        selection.takes(Path::new(path))
    }

    #[test]
    fn globs_without_slash_match_names_and_with_slash_paths() {
        assert!(takes(&["*.html"], &[], "a/b/page.html"));
        assert!(!takes(&["*.html"], &[], "a/b/page.htm"));
        assert!(takes(&["a/*.html"], &[], "a/page.html"));
        assert!(!takes(&["a/*.html"], &[], "a/b/page.html"));
        assert!(takes(&["a/**/*.{html,htm}"], &[], "a/b/c/page.htm"));
        assert!(!takes(&["*"], &["page.*"], "a/page.html"));
        assert!(takes(&[], &["page"], "a/page.html"));
        assert!(takes(&["\\[x\\]"], &[], "a/[x]"));
    }

    #[test]
    fn hidden_names_are_left_out_unless_asked_for() {
        assert!(!Selection::new().takes(Path::new("a/.git")));
        assert!(Selection::new().takes(Path::new("a.git")));
        assert!(Selection::new().hidden(true).takes(Path::new("a/.git")));
    }

    #[test]
    fn a_bad_glob_is_named_with_the_remedy() {
        let error = Selection::new().include(&["[a"]).unwrap_err().to_string();
        assert!(error.contains("`[a`") && error.contains("backslash"), "{error}");
    }
}
