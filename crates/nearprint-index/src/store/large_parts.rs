//! What is kept beside the records, because it is large: features and texts. Whoever reads says which of it is wanted.

use redb::ReadTransaction;

use crate::IndexError;
use crate::store::kept_features::FeatureTable;
use crate::store::record::{RecordView, StoredDocument, damaged};
use crate::store::source::Source;
use crate::store::texts::TextTable;

/// Which large parts are wanted, as far as an index keeps them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LargeParts {
    pub(crate) features: bool,
    pub(crate) texts: bool,
}

impl LargeParts {
    pub(crate) const ALL: Self = Self { features: true, texts: true };
    pub(crate) const NONE: Self = Self { features: false, texts: false };
    pub(crate) const TEXTS: Self = Self { features: false, texts: true };
}

/// The tables of large parts in one state of the store.
pub(crate) struct LargeTables<'s> {
    source: &'s Source,
    features: Option<FeatureTable<'s>>,
    texts: Option<TextTable<'s>>,
}

impl<'s> LargeTables<'s> {
    /// The tables of what is wanted and kept.
    pub(crate) fn open(
        source: &'s Source,
        at: &ReadTransaction,
        wanted: LargeParts,
    ) -> Result<Self, IndexError> {
        let features = if wanted.features { FeatureTable::open(source, at)? } else { None };
        let texts = if wanted.texts { TextTable::open(source, at)? } else { None };
        Ok(Self { source, features, texts })
    }

    /// The document of a record, with what is wanted of it.
    pub(crate) fn document(
        &self,
        sequence: u64,
        record: &[u8],
    ) -> Result<StoredDocument, IndexError> {
        let Source { store, scheme, .. } = self.source;
        let view = RecordView::of(*scheme, sequence, record);
        let document = view.and_then(|view| Some((view.document()?, view.has_text())));
        let (document, has_text) = document.ok_or_else(|| store.damaged(damaged(sequence)))?;
        let features = self.features.as_ref().map(|table| table.get(sequence)).transpose()?;
        let text = match &self.texts {
            Some(table) if has_text => Some(table.get(sequence)?),
            _ => None,
        };
        Ok(StoredDocument { features, text, ..document })
    }
}
