//! Directories, walked in the byte order of the paths below them.

use std::path::PathBuf;

use walkdir::{DirEntry, WalkDir};

use super::{FileSettings, document, error, kernel_file};
use crate::{Document, ErrorRecord, ReasonCode, Selection, escape};

/// A named directory, and the rest of its files.
pub(super) struct Walk {
    root: PathBuf,
    selection: Selection,
    entries: walkdir::IntoIter,
}

impl Walk {
    pub(super) fn new(root: PathBuf, settings: &FileSettings) -> Self {
        let entries = WalkDir::new(&root)
            .min_depth(1)
            .follow_links(settings.follow_links)
            .sort_by(|a, b| in_order_of_paths(a).cmp(in_order_of_paths(b)))
            .into_iter();
        Self { root, selection: settings.selection.clone(), entries }
    }

    pub(super) fn next(&mut self) -> Option<Result<Document, ErrorRecord>> {
        loop {
            let entry = match self.entries.next()? {
                Ok(entry) => entry,
                Err(cause) => return Some(Err(self.error(&cause))),
            };
            let relative = entry.path().strip_prefix(&self.root).unwrap_or(entry.path());
            if entry.file_type().is_dir() {
                if !self.selection.enters(relative) {
                    self.entries.skip_current_dir();
                }
            } else if entry.file_type().is_file()
                && self.selection.takes(relative)
                && kernel_file(entry.path()).is_none()
            {
                return Some(match entry.metadata() {
                    Ok(found) => document(entry.into_path(), found.len()),
                    Err(cause) => Err(self.error(&cause)),
                });
            }
        }
    }

    fn error(&self, cause: &walkdir::Error) -> ErrorRecord {
        let path = cause.path().unwrap_or(&self.root);
        match (cause.loop_ancestor(), cause.io_error()) {
            (Some(ancestor), _) => error(
                path,
                ReasonCode::LINK_LOOP,
                format!(
                    "the link leads back to {}, which contains it; it was not followed",
                    escape(ancestor.as_os_str().as_encoded_bytes())
                ),
            ),
            (None, Some(io)) => error(path, ReasonCode::UNREADABLE, io.to_string()),
            (None, None) => error(path, ReasonCode::UNREADABLE, "cannot be read".to_owned()),
        }
    }
}

/// Siblings in the order of the paths below them: everything in a directory has a slash after its name.
fn in_order_of_paths(entry: &DirEntry) -> impl Iterator<Item = &u8> {
    let slash: &[u8] = if entry.file_type().is_dir() { b"/" } else { b"" };
    entry.file_name().as_encoded_bytes().iter().chain(slash)
}
