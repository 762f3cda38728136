//! Visits of those documents whose metadata fulfil conditions.

use nearprint::{Error, Filter};

use crate::disk_index::DiskIndex;
use crate::record::StoredDocument;

impl DiskIndex {
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
