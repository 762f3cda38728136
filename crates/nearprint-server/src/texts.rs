//! The texts of a collection's documents, kept so that documents can be shown, compared and verified.
//!
//! The index is the truth: a text belongs to a document if both have the same id and the same time of insertion. A text
//! is on the disk before its document is, and is removed after it. So a crash leaves at most texts that belong to
//! nothing, which are removed when their document is written or removed the next time; it never leaves a document with
//! the text of another.

use std::path::Path;

use nearprint::records::DocumentId;
use nearprint_index::StoredDocument;
use redb::{Database, ReadableDatabase, TableDefinition};

use crate::problem::Problem;
use crate::problem_kind::ProblemKind;

/// Id, a zero byte, and the time of insertion (8 bytes, big-endian), to the text.
const TEXTS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("texts");

/// Bytes of the store that are held in memory.
const CACHE: usize = 16 << 20;

/// The texts of one collection.
pub(crate) struct Texts {
    database: Database,
}

/// Ids have no control characters, so no key is the beginning of another's.
fn key(id: &DocumentId, time: u64) -> Vec<u8> {
    let mut key = Vec::with_capacity(id.as_str().len() + 9);
    key.extend(id.as_str().as_bytes());
    key.push(0);
    key.extend(time.to_be_bytes());
    key
}

fn failed(error: impl Into<redb::Error>) -> Problem {
    Problem::new(ProblemKind::Storage, format!("the texts of the collection: {}", error.into()))
}

impl Texts {
    /// Opens the file of texts, or creates it.
    pub(crate) fn open(file: &Path) -> Result<Self, Problem> {
        let mut builder = Database::builder();
        builder.set_cache_size(CACHE);
        let database = builder.create(file).map_err(failed)?;
        let texts = Self { database };
        texts.change(|_| Ok(()))?;
        Ok(texts)
    }

    /// One transaction, on the disk when it returns.
    fn change(
        &self,
        work: impl FnOnce(&mut redb::Table<'_, &[u8], &[u8]>) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let mut transaction = self.database.begin_write().map_err(failed)?;
        transaction.set_quick_repair(true);
        transaction.set_durability(redb::Durability::Immediate).map_err(failed)?;
        work(&mut transaction.open_table(TEXTS).map_err(failed)?)?;
        transaction.commit().map_err(failed)
    }

    /// Keeps texts of documents that are about to be inserted.
    pub(crate) fn keep<'t>(
        &self,
        texts: impl IntoIterator<Item = (&'t StoredDocument, &'t str)>,
    ) -> Result<(), Problem> {
        let mut texts = texts.into_iter().peekable();
        if texts.peek().is_none() {
            return Ok(());
        }
        self.change(|table| {
            for (document, text) in texts {
                let key = key(&document.id, document.time);
                table.insert(key.as_slice(), text.as_bytes()).map_err(failed)?;
            }
            Ok(())
        })
    }

    /// Removes the texts of ids, except that of the time that comes with each, which is the document's that is there.
    pub(crate) fn remove_others<'t>(
        &self,
        ids: impl IntoIterator<Item = (&'t DocumentId, Option<u64>)>,
    ) -> Result<(), Problem> {
        let mut ids = ids.into_iter().peekable();
        if ids.peek().is_none() {
            return Ok(());
        }
        self.change(|table| {
            for (id, kept) in ids {
                let (first, last) = (key(id, 0), key(id, u64::MAX));
                let kept = kept.map(|time| key(id, time));
                let is_other = |key: &[u8], _: &[u8]| kept.as_deref() != Some(key);
                let range = first.as_slice()..=last.as_slice();
                table.retain_in(range, |key, text| !is_other(key, text)).map_err(failed)?;
            }
            Ok(())
        })
    }

    /// All texts as they are now, whatever changes afterwards.
    pub(crate) fn view(&self) -> Result<TextsView, Problem> {
        let transaction = self.database.begin_read().map_err(failed)?;
        Ok(TextsView(transaction.open_table(TEXTS).map_err(failed)?))
    }

    /// The text of a document; `None` if it was added without one.
    pub(crate) fn of(&self, document: &StoredDocument) -> Result<Option<String>, Problem> {
        self.view()?.of(document)
    }
}

/// The texts of a collection in one state.
pub(crate) struct TextsView(redb::ReadOnlyTable<&'static [u8], &'static [u8]>);

impl TextsView {
    /// The text of a document; `None` if it was added without one.
    pub(crate) fn of(&self, document: &StoredDocument) -> Result<Option<String>, Problem> {
        let found = self.0.get(key(&document.id, document.time).as_slice()).map_err(failed)?;
        Ok(found.map(|text| String::from_utf8_lossy(text.value()).into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use nearprint::fingerprint::{Fingerprint, Scheme};

    use super::*;

    #[test]
    fn a_text_belongs_to_its_document_alone() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("texts.redb");
        let texts = Texts::open(&file).unwrap();
        let print = Fingerprint::from_bytes(Scheme::SD1, &[7; 8]).unwrap();
        let document = |id: &str, time| StoredDocument {
            time,
            ..StoredDocument::new(DocumentId::new(id).unwrap(), print.clone())
        };
        let (old, new, other) = (document("a", 1), document("a", 2), document("ab", 1));
        texts.keep([(&old, "old"), (&other, "other")]).unwrap();
        assert_eq!(texts.of(&old).unwrap().as_deref(), Some("old"));
        assert_eq!(texts.of(&new).unwrap(), None);
        texts.keep([(&new, "new")]).unwrap();
        texts.remove_others([(&new.id, Some(2))]).unwrap();
        assert_eq!(texts.of(&old).unwrap(), None);
        drop(texts);
        let texts = Texts::open(&file).unwrap();
        assert_eq!(texts.of(&new).unwrap().as_deref(), Some("new"));
        texts.remove_others([(&new.id, None)]).unwrap();
        assert_eq!(texts.of(&new).unwrap(), None);
        assert_eq!(texts.of(&other).unwrap().as_deref(), Some("other"));
    }
}
