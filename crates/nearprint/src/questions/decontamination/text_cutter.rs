//! Texts of training data once more, to cut out of them what was found: the extracted text is gone, and its words show
//! whether what is read now is the same.

use std::collections::HashMap;
use std::ops::Range;

use nearprint_passages::ItemIndex;
use nearprint_records::{Content, Document, DocumentId, Place};

use super::run_places::RunCounts;

/// Cuts what was found out of texts.
#[derive(Debug)]
pub(super) struct TextCutter {
    index: ItemIndex,
    counts: RunCounts,
    /// The digests of the words of documents that have something, by their ids.
    words: HashMap<DocumentId, Vec<u64>>,
}

/// A text out of which something is cut, and of which something stays.
pub(super) struct CutText {
    /// What is cut out, in bytes of the text.
    pub(super) removed: Vec<Range<usize>>,
    /// What stays.
    pub(super) left: String,
    /// Whether the text has replacement characters, which may stand for what is not a character.
    pub(super) has_replacement: bool,
}

impl TextCutter {
    pub(super) fn new(index: ItemIndex, counts: RunCounts) -> Self {
        Self { index, counts, words: HashMap::new() }
    }

    /// Notes a document by the digest of its words.
    pub(super) fn push(&mut self, document: DocumentId, words: u64) {
        self.words.entry(document).or_default().push(words);
    }

    /// What is left of a document; `None` where nothing is, and where its form does not allow to cut: it goes as a
    /// whole then.
    pub(super) fn cut(&self, document: Document) -> Option<CutText> {
        let words = self.words.get(&document.id)?;
        let text = match document.content {
            Content::Text(text) => text,
            Content::File { path, .. } if is_file(&document.place) => {
                String::from_utf8(std::fs::read(path).ok()?).ok()?
            }
            _ => return None,
        };
        if !words.contains(&self.index.words_digest(&text)) {
            return None;
        }
        let cuts = self.counts.cuts(&text, &self.index);
        let (removed, left) = (cuts.removed(&text), cuts.left(&text));
        let has_replacement = text.contains(char::REPLACEMENT_CHARACTER);
        (!left.is_empty()).then_some(CutText { removed, left, has_replacement })
    }
}

/// Whether a document is a file itself.
pub(super) fn is_file(place: &Place) -> bool {
    place.offset.is_none() && place.row.is_none() && place.member.is_none()
}
