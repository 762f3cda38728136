//! The texts of a collection's documents, kept so that documents can be shown, compared and verified.
//!
//! The index is the truth: a text belongs to a document if both have the same id and the same time of insertion. A text
//! is on the disk before its document is, and is removed after it. So a crash leaves at most texts that belong to
//! nothing, which are removed when their document is written or removed the next time; it never leaves a document with
//! the text of another.

use std::ops::Range;
use std::path::Path;

use nearprint::records::DocumentId;
use nearprint_index::StoredDocument;
use redb::{Database, ReadableDatabase, TableDefinition};

use crate::problem::Problem;
use crate::problem_kind::ProblemKind;

/// Id, a zero byte, and the time of insertion (8 bytes, big-endian), to the text.
const TEXTS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("texts");

/// The same keys to the bytes of the text that are the main content of a page: the first and the end of each stretch (8
/// bytes each, little-endian). Nothing where that is the whole text.
const MAIN_CONTENT: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("main-content");

/// The text of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct KeptText {
    pub(crate) text: String,
    /// The bytes that are the main content of a page, in order; none where that is the whole text.
    pub(crate) main_content: Vec<Range<usize>>,
}

impl KeptText {
    /// The main content alone; the whole text where there is nothing around it.
    pub(crate) fn main_text(self) -> String {
        let pieces: Option<Vec<_>> =
            self.main_content.iter().map(|range| self.text.get(range.clone())).collect();
        match pieces {
            Some(pieces) if !pieces.is_empty() => pieces.join("\n"),
            _ => self.text,
        }
    }

    /// Whether the stretches of the main content lie in the text, one after the other.
    pub(crate) fn is_valid(&self) -> bool {
        let mut end = 0;
        self.main_content.iter().all(|range| {
            let follows = range.start >= end && self.text.get(range.clone()).is_some();
            end = range.end;
            follows
        })
    }
}

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

    /// One transaction on texts and main contents, on the disk when it returns.
    fn change(
        &self,
        work: impl FnOnce(&mut [redb::Table<'_, &[u8], &[u8]>; 2]) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let mut transaction = self.database.begin_write().map_err(failed)?;
        transaction.set_quick_repair(true);
        transaction.set_durability(redb::Durability::Immediate).map_err(failed)?;
        let texts = transaction.open_table(TEXTS).map_err(failed)?;
        work(&mut [texts, transaction.open_table(MAIN_CONTENT).map_err(failed)?])?;
        transaction.commit().map_err(failed)
    }

    /// Keeps texts of documents that are about to be inserted.
    pub(crate) fn keep<'t>(
        &self,
        texts: impl IntoIterator<Item = (&'t StoredDocument, &'t KeptText)>,
    ) -> Result<(), Problem> {
        let mut texts = texts.into_iter().peekable();
        if texts.peek().is_none() {
            return Ok(());
        }
        self.change(|[table, main_contents]| {
            for (document, KeptText { text, main_content }) in texts {
                let key = key(&document.id, document.time);
                table.insert(key.as_slice(), text.as_bytes()).map_err(failed)?;
                if !main_content.is_empty() {
                    let ends = main_content.iter().flat_map(|range| [range.start, range.end]);
                    let bytes: Vec<u8> = ends.flat_map(|end| (end as u64).to_le_bytes()).collect();
                    main_contents.insert(key.as_slice(), bytes.as_slice()).map_err(failed)?;
                }
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
        self.change(|tables| {
            for (id, kept) in ids {
                let (first, last) = (key(id, 0), key(id, u64::MAX));
                let kept = kept.map(|time| key(id, time));
                let is_other = |key: &[u8], _: &[u8]| kept.as_deref() != Some(key);
                let range = first.as_slice()..=last.as_slice();
                for table in &mut *tables {
                    let range = range.clone();
                    table.retain_in(range, |key, text| !is_other(key, text)).map_err(failed)?;
                }
            }
            Ok(())
        })
    }

    /// All texts as they are now, whatever changes afterwards.
    pub(crate) fn view(&self) -> Result<TextsView, Problem> {
        let transaction = self.database.begin_read().map_err(failed)?;
        let texts = transaction.open_table(TEXTS).map_err(failed)?;
        let main_contents = transaction.open_table(MAIN_CONTENT).map_err(failed)?;
        Ok(TextsView { texts, main_contents })
    }

    /// The text of a document; `None` if it was added without one.
    pub(crate) fn of(&self, document: &StoredDocument) -> Result<Option<KeptText>, Problem> {
        self.view()?.of(document)
    }
}

/// The texts of a collection in one state.
pub(crate) struct TextsView {
    texts: redb::ReadOnlyTable<&'static [u8], &'static [u8]>,
    main_contents: redb::ReadOnlyTable<&'static [u8], &'static [u8]>,
}

impl TextsView {
    /// The text of a document; `None` if it was added without one.
    pub(crate) fn of(&self, document: &StoredDocument) -> Result<Option<KeptText>, Problem> {
        let key = key(&document.id, document.time);
        let Some(found) = self.texts.get(key.as_slice()).map_err(failed)? else { return Ok(None) };
        let text = String::from_utf8_lossy(found.value()).into_owned();
        let stretches = self.main_contents.get(key.as_slice()).map_err(failed)?;
        let (ends, _) = stretches.as_ref().map_or(&[][..], |bytes| bytes.value()).as_chunks::<8>();
        let ends: Vec<usize> = ends.iter().map(|end| u64::from_le_bytes(*end) as usize).collect();
        let main_content = ends.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect();
        Ok(Some(KeptText { text, main_content }))
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
        let kept = |text: &str| KeptText { text: text.to_owned(), ..KeptText::default() };
        let page = KeptText { text: "menu other".to_owned(), main_content: vec![0..2, 5..10] };
        texts.keep([(&old, &kept("old")), (&other, &page)]).unwrap();
        assert_eq!(texts.of(&old).unwrap(), Some(kept("old")));
        assert_eq!(texts.of(&new).unwrap(), None);
        texts.keep([(&new, &kept("new"))]).unwrap();
        texts.remove_others([(&new.id, Some(2))]).unwrap();
        assert_eq!(texts.of(&old).unwrap(), None);
        drop(texts);
        let texts = Texts::open(&file).unwrap();
        assert_eq!(texts.of(&new).unwrap(), Some(kept("new")));
        texts.remove_others([(&new.id, None)]).unwrap();
        assert_eq!(texts.of(&new).unwrap(), None);
        assert_eq!(texts.of(&other).unwrap(), Some(page.clone()));
        assert_eq!(page.main_text(), "me\nother");
        texts.remove_others([(&other.id, None)]).unwrap();
        // Nothing of the old text is left for a new one of the same time.
        texts.keep([(&other, &kept("plain"))]).unwrap();
        assert_eq!(texts.of(&other).unwrap(), Some(kept("plain")));
    }

    #[test]
    fn stretches_lie_in_their_text_in_order() {
        let of = |ends: &[(usize, usize)]| KeptText {
            text: "Nebel über".to_owned(),
            main_content: ends.iter().map(|&(start, end)| start..end).collect(),
        };
        for good in [&[][..], &[(0, 5)], &[(0, 5), (6, 11)], &[(0, 0), (0, 11)]] {
            assert!(of(good).is_valid(), "{good:?}");
        }
        for bad in [&[(0, 12)][..], &[(7, 8)], &[(6, 11), (0, 5)], &[(0, 5), (4, 6)], &[(5, 2)]] {
            assert!(!of(bad).is_valid(), "{bad:?}");
            of(bad).main_text();
        }
    }
}
