//! A collection as questions see it: documents that can be visited, looked up, and searched for what is near a query.
//!
//! [`Documents`] is the read side of every collection: [`Collection`](crate::Collection) in memory or in a temporary
//! file, [`MemoryIndex`](crate::MemoryIndex), and the index on disk. A question is put to any of them by the same call
//! and gets the same rows in the same order; which tables answer it is the collection's business.

mod capture_key;
#[cfg(feature = "json")]
mod filter;
#[cfg(not(feature = "json"))]
#[path = "documents/filter_none.rs"]
mod filter;
mod near;
mod parts;
mod scan;

use std::ops::ControlFlow;

use nearprint_fingerprint::{Fingerprint, Scheme};
use nearprint_records::{Capture, DocumentId, FingerprintRecord, Outcome, Place};

pub use capture_key::{CaptureKey, LONGEST_URL_KEY};
pub use filter::Filter;
#[cfg(feature = "json")]
pub use filter::{Condition, NotACondition, metadata_field};
pub use near::{IndexMatch, NearCounts, NearDocument, NearRequest, Queries};
pub use parts::Parts;

use crate::{Error, PackedFeatures, Search};

/// Documents that can be asked questions: visited in the order of addition, looked up by id, and searched for what is
/// near a query.
///
/// What is wanted of documents is named by [`Parts`], and a part that is not kept is refused by its name before
/// anything is read. A document that takes the place of another one of its id is the newest, whose place is the last.
///
/// ```
/// use nearprint::fingerprint::Scheme;
/// use nearprint::records::DocumentId;
/// use nearprint::{Documents, Filter, Index, MemoryIndex, OnDuplicate, Parts};
///
/// let index = MemoryIndex::new(Scheme::SD1);
/// let fog = DocumentId::new("fog").unwrap();
/// index.insert(&fog, &"sd1:aerukz4jvpg66".parse().unwrap(), OnDuplicate::Refuse)?;
///
/// let documents: &dyn Documents = &index;
/// let mut ids = Vec::new();
/// documents.for_each(&Parts::default(), &Filter::default(), |document| {
///     ids.push(document.id);
///     Ok::<_, nearprint::Error>(())
/// })?;
/// assert_eq!(ids, [fog]);
/// let refused = documents.check(&Parts::default().text()).unwrap_err();
/// assert_eq!(refused.to_string(), "the texts of the documents are not kept");
/// # Ok::<(), nearprint::Error>(())
/// ```
pub trait Documents: Send + Sync {
    /// The scheme of all fingerprints.
    fn scheme(&self) -> Scheme;

    /// Number of documents.
    ///
    /// # Errors
    /// Where they cannot be read.
    fn len(&self) -> Result<u64, Error>;

    /// Whether there is no document.
    ///
    /// # Errors
    /// As for [`len`](Self::len).
    fn is_empty(&self) -> Result<bool, Error> {
        Ok(self.len()? == 0)
    }

    /// The parts that are kept of each document beside its id and its fingerprint.
    fn parts(&self) -> Parts;

    /// Refuses parts that are not kept.
    ///
    /// # Errors
    /// Where one is not, by its name.
    fn check(&self, wanted: &Parts) -> Result<(), Error> {
        Ok(self.parts().check(wanted)?)
    }

    /// Visits every document that a filter allows in the order of addition, all in one state of the collection, until
    /// `visit` ends it.
    ///
    /// # Errors
    /// As for [`check`](Self::check), of the parts wanted and of the metadata that a filter needs; and where the
    /// documents cannot be read.
    fn visit(
        &self,
        wanted: &Parts,
        filter: &Filter,
        visit: &mut dyn FnMut(DocumentView) -> ControlFlow<()>,
    ) -> Result<(), Error>;

    /// A document with the parts wanted; `None` where there is none of this id.
    ///
    /// # Errors
    /// As for [`visit`](Self::visit).
    fn get(&self, id: &DocumentId, wanted: &Parts) -> Result<Option<DocumentView>, Error>;

    /// The documents near each query: in the order of the queries; of each the most similar first if texts are
    /// compared, then the nearest, then in the order of addition. Returns how many candidates were compared, and
    /// refused.
    ///
    /// By default every document is compared with every query.
    ///
    /// # Errors
    /// As for [`visit`](Self::visit), of the [`parts`](NearRequest::parts) that the request needs, and where a query is
    /// of another scheme.
    fn near(
        &self,
        request: &NearRequest<'_>,
        take: &mut dyn FnMut(NearDocument) -> ControlFlow<()>,
    ) -> Result<NearCounts, Error> {
        scan::near(self, request, take)
    }

    /// Every document within `k` of a fingerprint, nearest first, then in the order of addition. `k` is any number from
    /// 0.
    ///
    /// # Errors
    /// As for [`near`](Self::near).
    fn query(&self, fingerprint: &Fingerprint, k: u32) -> Result<Vec<IndexMatch>, Error> {
        Ok(self.query_batch(std::slice::from_ref(fingerprint), k)?.pop().unwrap_or_default())
    }

    /// The answers to many queries, in their order: cheaper than one by one.
    ///
    /// # Errors
    /// As for [`near`](Self::near).
    fn query_batch(
        &self,
        fingerprints: &[Fingerprint],
        k: u32,
    ) -> Result<Vec<Vec<IndexMatch>>, Error> {
        let search = Search::within(k);
        let request = NearRequest::new(Queries::Prints(fingerprints), &search);
        let mut answers = vec![Vec::new(); fingerprints.len()];
        self.near(&request, &mut |NearDocument { query, id, distance, .. }| {
            answers[query].push(IndexMatch { id, distance });
            ControlFlow::Continue(())
        })?;
        Ok(answers)
    }
}

impl dyn Documents + '_ {
    /// Visits every document that a filter allows in the order of addition, until `visit` fails.
    ///
    /// # Errors
    /// As for [`visit`](Documents::visit), and the first error of `visit`.
    pub fn for_each<E: From<Error>>(
        &self,
        wanted: &Parts,
        filter: &Filter,
        mut visit: impl FnMut(DocumentView) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut failed = None;
        self.visit(wanted, filter, &mut |document| going_on(visit(document), &mut failed))?;
        failed.map_or(Ok(()), Err)
    }
}

/// Goes on unless something failed, which is kept.
pub(crate) fn going_on<E>(done: Result<(), E>, failed: &mut Option<E>) -> ControlFlow<()> {
    match done {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            *failed = Some(error);
            ControlFlow::Break(())
        }
    }
}

/// A document of a collection, with the parts that were wanted of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentView {
    /// Its number in the order of addition, from 1. Numbers of documents that were removed are not used again.
    pub number: u64,
    /// Its id.
    pub id: DocumentId,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// Words of its text.
    pub words: Option<u64>,
    /// What verification compares.
    pub features: Option<PackedFeatures>,
    /// Its text; also `None` where this document has none.
    pub text: Option<String>,
    /// A JSON object; also `None` where this document has none.
    pub metadata: Option<String>,
    /// By what it is found as a capture of the Web; also `None` if it is none.
    pub capture: Option<CaptureKey>,
}

impl DocumentView {
    /// A document of which nothing else is wanted.
    #[must_use]
    pub fn new(number: u64, id: DocumentId, fingerprint: Fingerprint) -> Self {
        let (words, features, text, metadata, capture) = (None, None, None, None, None);
        Self { number, id, fingerprint, words, features, text, metadata, capture }
    }

    /// The record of the document as it was read, as far as the collection knows, and its features.
    pub(crate) fn into_record(self) -> (FingerprintRecord, Option<PackedFeatures>) {
        let Self { id, fingerprint, words, features, capture, .. } = self;
        let capture = capture.map(|CaptureKey { date, payload_digest: digest, .. }| {
            Box::new(Capture { date, digest, ..Capture::default() })
        });
        let tokens = words.unwrap_or(0);
        let place = Place { file: id.as_str().into(), ..Place::default() };
        let (scheme, outcome) = (fingerprint.scheme(), Outcome::print(fingerprint, tokens, false));
        let mut record = FingerprintRecord::new(id, place, scheme, outcome);
        record.capture = capture;
        (record, features)
    }
}
