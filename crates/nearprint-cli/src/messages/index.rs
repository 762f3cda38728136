//! What changes of an index say on standard error.

use nearprint::records::{DocumentId, IndexChangeRow};

use crate::talk::{Talk, counted};

/// Says what became of documents that were to be added.
pub(crate) fn index_change(change: &IndexChangeRow, talk: &Talk) {
    let mut said = vec![format!("{} added", counted(change.added, "document"))];
    for (count, what) in [
        (change.replaced, "replaced"),
        (change.skipped, "skipped"),
        (change.near, "near others not added"),
        (change.reused, "with known payloads not extracted"),
    ] {
        if count > 0 {
            said.push(format!("{count} {what}"));
        }
    }
    talk.summary(format_args!(
        "nearprint: {}; the index contains {}",
        said.join(", "),
        counted(change.documents, "document")
    ));
}

/// Says how many documents were removed.
pub(crate) fn removed(change: &IndexChangeRow, talk: &Talk) {
    talk.summary(format_args!(
        "nearprint: {} removed; the index contains {}",
        counted(change.removed, "document"),
        counted(change.documents, "document")
    ));
}

/// Says that an id is not there.
pub(crate) fn not_in_index(talk: &Talk, id: &DocumentId) {
    talk.summary(format_args!("nearprint: the index has no document with the id {id}"));
}
