//! Operations on those documents whose metadata fulfil conditions.

use nearprint::fingerprint::Fingerprint;
use nearprint::{Error, Index, IndexMatch};

use crate::disk_index::DiskIndex;
use crate::filter::Filter;
use crate::record::StoredDocument;

impl DiskIndex {
    /// The answers to many queries, with only those documents that a filter allows.
    ///
    /// The metadata of each match are read from the store: some microseconds a match.
    ///
    /// # Errors
    /// As for [`query_batch`](Index::query_batch).
    pub fn query_batch_where(
        &self,
        fingerprints: &[Fingerprint],
        k: u32,
        filter: &Filter,
    ) -> Result<Vec<Vec<IndexMatch>>, Error> {
        let mut answers = self.query_batch(fingerprints, k)?;
        if filter.is_empty() {
            return Ok(answers);
        }
        for near in &mut answers {
            let mut allowed = Vec::with_capacity(near.len());
            for found in near.drain(..) {
                let document = self.document_record(&found.id)?;
                if document.is_some_and(|document| filter.allows(document.metadata.as_deref())) {
                    allowed.push(found);
                }
            }
            *near = allowed;
        }
        Ok(answers)
    }

    /// Visits every document that a filter allows in the order of insertion, all in one state of the index.
    ///
    /// # Errors
    /// As for [`for_each`](Self::for_each).
    pub fn for_each_where<E: From<Error>>(
        &self,
        filter: &Filter,
        mut visit: impl FnMut(StoredDocument) -> Result<(), E>,
    ) -> Result<(), E> {
        self.for_each(|document| match filter.allows(document.metadata.as_deref()) {
            true => visit(document),
            false => Ok(()),
        })
    }
}
