//! Documents handed over together: so that small ones cost one hand-over, and so that what any thread can do to make
//! them is done by the thread that processes them.

use std::fmt;

use crate::{Content, Document, ErrorRecord};

/// Bytes of documents from which on a batch is full.
pub const BATCH_BYTES: u64 = 128 << 10;

/// Documents of a batch (<=).
pub const BATCH_DOCUMENTS: usize = 64;

/// Some documents that follow each other, in order.
///
/// ```
/// use nearprint_records::{Batch, Document, DocumentId};
///
/// let document = |text: &str| Ok(Document::from_bytes(DocumentId::new(text).expect("short and plain"), text));
/// let batch = Batch::later(2, 6, move || vec![document("one"), document("two")]);
/// assert_eq!(batch.weight(), 6);
/// assert_eq!(batch.into_documents().len(), 2);
/// ```
pub struct Batch {
    weight: u64,
    count: usize,
    documents: Documents,
}

enum Documents {
    Ready(Vec<Result<Document, ErrorRecord>>),
    Later(Box<dyn FnOnce() -> Vec<Result<Document, ErrorRecord>> + Send>),
}

impl Batch {
    /// Documents that are there.
    #[must_use]
    pub fn ready(documents: Vec<Result<Document, ErrorRecord>>) -> Self {
        let weight = documents.iter().flatten().map(Document::length).sum();
        Self { weight, count: documents.len(), documents: Documents::Ready(documents) }
    }

    /// So many documents, of about `weight` bytes, that `make` makes of what it holds, on whatever thread works on
    /// them. It must not unwind: what is damaged is an error record.
    #[must_use]
    pub fn later(
        count: usize,
        weight: u64,
        make: impl FnOnce() -> Vec<Result<Document, ErrorRecord>> + Send + 'static,
    ) -> Self {
        Self { weight, count, documents: Documents::Later(Box::new(make)) }
    }

    /// The next documents that `next` gives, as many as make a batch; `None` if there are none. A document in a file
    /// of its own ends one: it may take seconds, and nothing small should wait for the thread that works on it. So does
    /// an error record: a failure is reported before waiting for more.
    pub fn gathered(
        mut next: impl FnMut() -> Option<Result<Document, ErrorRecord>>,
    ) -> Option<Self> {
        let (mut documents, mut bytes) = (Vec::new(), 0u64);
        while bytes < BATCH_BYTES && documents.len() < BATCH_DOCUMENTS {
            let Some(found) = next() else { break };
            bytes = bytes.saturating_add(match &found {
                Ok(Document { content: Content::File { .. }, .. }) => BATCH_BYTES,
                Ok(document) => document.length(),
                Err(_) => BATCH_BYTES,
            });
            documents.push(found);
        }
        (!documents.is_empty()).then(|| Self::ready(documents))
    }

    /// How many documents and error records they are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Bytes of the documents, about.
    #[must_use]
    pub fn weight(&self) -> u64 {
        self.weight
    }

    /// The documents.
    #[must_use]
    pub fn into_documents(self) -> Vec<Result<Document, ErrorRecord>> {
        match self.documents {
            Documents::Ready(documents) => documents,
            Documents::Later(make) => make(),
        }
    }
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch")
            .field("count", &self.count)
            .field("weight", &self.weight)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DocumentId, Place};

    fn document(content: Content) -> Result<Document, ErrorRecord> {
        Ok(Document::new(DocumentId::new("a").unwrap(), Place::default(), content))
    }

    #[test]
    fn a_batch_ends_with_enough_bytes_documents_or_files() {
        let text = |length: usize| document(Content::Text("x".repeat(length)));
        let file = |length| document(Content::File { path: "a".into(), length });
        for (found, wanted) in [
            (vec![text(1); 150], vec![64, 64, 22]),
            (vec![text(50 << 10); 7], vec![3, 3, 1]),
            (vec![text(1 << 20); 2], vec![1, 1]),
            (vec![text(1), file(1), file(1)], vec![2, 1]),
            (vec![file(1 << 30), text(1)], vec![1, 1]),
            (vec![], vec![]),
        ] {
            let mut found = found.into_iter();
            let batches = std::iter::from_fn(|| Batch::gathered(|| found.next()));
            let counts: Vec<_> = batches.map(|batch| batch.into_documents().len()).collect();
            assert_eq!(counts, wanted);
        }
    }
}
