//! Where the server puts what it finds in its directory and does not know. Nothing is deleted at the start: it may be a
//! copy that somebody made, or all that is left of something.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::collections::sync;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;

/// The directory of such things, and what was put there since it was opened.
pub(crate) struct Quarantine {
    directory: PathBuf,
    notes: Mutex<Vec<String>>,
}

impl Quarantine {
    /// The one in this directory; it is made when there is something to put there.
    pub(crate) fn new(directory: PathBuf) -> Self {
        Self { directory, notes: Mutex::default() }
    }

    /// Moves a file or a directory here, and notes why.
    pub(crate) fn take(&self, path: &Path, why: &str) -> Result<(), Problem> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let moved = (|| {
            fs::create_dir_all(&self.directory)?;
            let names = (1..).map(|number| match number {
                1 => name.clone(),
                _ => format!("{name}.{number}"),
            });
            let mut free = names.map(|name| self.directory.join(name));
            let to = free.find(|to| !to.exists()).unwrap_or_default();
            fs::rename(path, &to)?;
            Ok(to)
        })();
        let to: PathBuf = moved.map_err(|error: std::io::Error| {
            Problem::new(ProblemKind::Storage, format!("{}: {error}", path.display()))
        })?;
        sync(&self.directory)?;
        path.parent().map_or(Ok(()), sync)?;
        let note = format!("{} was moved to {}: {why}", path.display(), to.display());
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(note);
        Ok(())
    }

    /// The notes since they were taken the last time.
    pub(crate) fn notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.notes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
