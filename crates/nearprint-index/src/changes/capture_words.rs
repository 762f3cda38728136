//! The words of captures, counted before a change waits for its turn, by the thread that makes it.
//!
//! What a capture changed is decided where it is written, when its neighbours are certain. Most of the work, dividing
//! texts into words, needs no turn: the neighbours that the index has now are nearly always those that it has then.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use nearprint::WordCounts;
use nearprint::fingerprint::Fingerprint;
use redb::{ReadOnlyTable, ReadTransaction};

use crate::IndexError;
use crate::cancellation::check;
use crate::changes::prepared_document::PreparedDocument;
use crate::store::capture_keys::{address_bounds, capture_row, sequence_of};
use crate::store::record::{RecordView, StoredDocument, damaged};
use crate::store::source::Source;
use crate::store::texts::{StoredText, TextTable};
use crate::store::{CAPTURES, DOCUMENTS};

/// Bytes of a text (<=) that is compared.
const LONGEST_TEXT: usize = 1 << 20;

/// Words of texts in memory at once (<=), while those of a batch are counted.
const MOST_WORDS: usize = 4 << 20;

/// The words of a text, and of its main content.
#[derive(Debug)]
pub(crate) struct TextWords {
    text: WordCounts,
    /// `None` where that is the whole text.
    main_content: Option<WordCounts>,
    /// Words of the text, about.
    words: usize,
}

impl TextWords {
    /// Counts the words of a text; `None` where it is too long.
    pub(crate) fn of(kept: &StoredText) -> Option<Self> {
        if kept.text.len() > LONGEST_TEXT {
            return None;
        }
        let main_content =
            (!kept.main_content.is_empty()).then(|| WordCounts::of(&kept.clone().main_text()));
        let words = kept.text.len() / 4;
        Some(Self { text: WordCounts::of(&kept.text), main_content, words })
    }

    /// The shares that changed from the text before, and of the main content, in millionths.
    pub(crate) fn change_from(&self, before: &Self) -> (u32, u32) {
        let text = self.text.change_from(&before.text).millionths();
        let main = |words: &Self| words.main_content.is_some();
        if !main(self) && !main(before) {
            return (text, text);
        }
        let one = self.main_content.as_ref().unwrap_or(&self.text);
        let other = before.main_content.as_ref().unwrap_or(&before.text);
        (text, one.change_from(other).millionths())
    }
}

/// The words of documents that are in the index, by their sequence numbers.
pub(crate) type StoredWords = HashMap<u64, Arc<TextWords>>;

/// The captures beside which new ones will be, as the index is now.
struct Neighbours<'s> {
    source: &'s Source,
    captures: ReadOnlyTable<&'static [u8], ()>,
    documents: ReadOnlyTable<u64, &'static [u8]>,
    texts: TextTable<'s>,
}

impl<'s> Neighbours<'s> {
    /// `None` where no texts are kept.
    fn open(source: &'s Source, at: &ReadTransaction) -> Result<Option<Self>, IndexError> {
        let store = &source.store;
        let Some(texts) = TextTable::open(source, at)? else { return Ok(None) };
        let captures = store.tried(at.open_table(CAPTURES))?;
        let documents = store.tried(at.open_table(DOCUMENTS))?;
        Ok(Some(Self { source, captures, documents, texts }))
    }

    /// The sequence numbers of the captures before and after a row.
    fn beside(&self, row: &[u8]) -> Result<Vec<u64>, IndexError> {
        let store = &self.source.store;
        let (start, end) = address_bounds(row);
        let before = (Bound::Included(start.as_slice()), Bound::Excluded(row));
        let after = (Bound::Excluded(row), Bound::Excluded(end.as_slice()));
        let before = store.tried(self.captures.range::<&[u8]>(before))?.next_back();
        let after = store.tried(self.captures.range::<&[u8]>(after))?.next();
        let mut found = Vec::with_capacity(2);
        for row in [before, after].into_iter().flatten() {
            found.push(sequence_of(store.tried(row)?.0.value()));
        }
        Ok(found)
    }

    /// The text of a document, if it is not that of a fingerprint, as far as that says.
    fn other_text(
        &self,
        sequence: u64,
        print: &Fingerprint,
    ) -> Result<Option<StoredText>, IndexError> {
        let store = &self.source.store;
        let record = store.tried(self.documents.get(sequence))?;
        let view = record
            .as_ref()
            .and_then(|record| RecordView::of(self.source.scheme, sequence, record.value()));
        let view = view.ok_or_else(|| store.damaged(damaged(sequence)))?;
        if !view.has_text() || view.fingerprint().as_ref() == Some(print) {
            return Ok(None);
        }
        self.texts.get(sequence).map(Some)
    }
}

/// Counts the words of those new captures whose texts differ from what is beside them, and of what is beside them.
pub(crate) fn count_words(
    source: &Source,
    documents: &[StoredDocument],
    prepared: &mut [PreparedDocument],
) -> Result<StoredWords, IndexError> {
    let is_captured = |document: &StoredDocument| {
        document.text.is_some()
            && document.capture.as_ref().is_some_and(|capture| !capture.url_key.is_empty())
    };
    if !source.keeps_texts || !documents.iter().any(is_captured) {
        return Ok(StoredWords::new());
    }
    let mut prints: BTreeMap<&str, (&Fingerprint, bool)> = BTreeMap::new();
    for document in documents.iter().filter(|document| is_captured(document)) {
        let Some(capture) = &document.capture else { continue };
        let print = &document.fingerprint;
        let of_address = prints.entry(&capture.url_key).or_insert((print, false));
        of_address.1 |= of_address.0 != print;
    }
    let at = source.store.begin_read()?;
    let Some(neighbours) = Neighbours::open(source, &at)? else { return Ok(StoredWords::new()) };
    let (mut stored, mut words) = (StoredWords::new(), 0);
    for (document, prepared) in documents.iter().zip(prepared) {
        check()?;
        let (Some(text), Some(capture)) = (&document.text, &document.capture) else { continue };
        let Some(row) = capture_row(u64::MAX, capture) else { continue };
        // Of more, words are counted where they are needed.
        if words > MOST_WORDS {
            break;
        }
        let mut is_needed = prints.get(&*capture.url_key).is_some_and(|(_, differ)| *differ);
        for sequence in neighbours.beside(&row)? {
            if stored.contains_key(&sequence) {
                is_needed = true;
                continue;
            }
            let Some(other) = neighbours.other_text(sequence, &document.fingerprint)? else {
                continue;
            };
            is_needed = true;
            if let Some(counted) = TextWords::of(&other) {
                words += counted.words;
                stored.insert(sequence, Arc::new(counted));
            }
        }
        if is_needed && let Some(counted) = TextWords::of(text) {
            words += counted.words;
            prepared.words = Some(Arc::new(counted));
        }
    }
    Ok(stored)
}
