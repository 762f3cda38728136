//! Texts taken out of documents, without fingerprints.

use nearprint_extract::Extraction;
use nearprint_records::{Batch, Document, DocumentId, ErrorRecord, ReasonCode, Source};

use super::document::{NO_TOKENS, extract_document, guarded};
use super::{Intake, Pipeline};
use crate::Tally;
use crate::engine::ordered_work::in_order;

impl Pipeline<'_> {
    /// Takes the text out of one document.
    ///
    /// # Errors
    /// Where it cannot be read or gives no text.
    pub fn extract(&self, document: Document) -> Result<Extraction, ErrorRecord> {
        let (settings, extractor) = (&self.settings, &self.engine.extractor(&self.cancel));
        let extract = |document| extract_document(document, settings, extractor);
        let named = (document.id.clone(), document.place.clone());
        self.engine.on_document_thread(|| guarded(document, &named, extract))
    }

    /// Takes the texts out of all documents of a source and gives them to `take` with their ids, on the caller's
    /// thread, in the source's order; memory is bounded as in [`Self::fingerprint`].
    ///
    /// # Errors
    /// The first one of `take`, which ends the job.
    pub fn extract_all<E>(
        &self,
        source: &mut dyn Source,
        mut take: impl FnMut(Result<(DocumentId, Extraction), ErrorRecord>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (settings, extractor) = (&self.settings, &self.engine.extractor(&self.cancel));
        let extract = |document| extract_document(document, settings, extractor);
        let work = |found: Result<Document, ErrorRecord>| {
            let document = found?;
            let named = (document.id.clone(), document.place.clone());
            guarded(document, &named, extract).map(|extraction| (named.0, extraction))
        };
        in_order(
            self.bounds(),
            || source.next_batch(),
            Batch::weight,
            |batch| {
                let wanted = batch.into_documents().into_iter();
                let wanted = wanted.take_while(|_| !self.cancel.is_cancelled());
                wanted.map(work).collect::<Vec<_>>()
            },
            || self.cancel.is_cancelled(),
            |done| {
                let mut wanted = done.into_iter().take_while(|_| !self.cancel.is_cancelled());
                wanted.try_for_each(&mut take)
            },
        )?;
        Ok(())
    }

    /// Takes the texts out of all documents of a source, and gives what `derive` makes of each to `take`, as
    /// [`read`](Self::read) does, without fingerprinting them, with the id of the document. Where `derive` gives
    /// nothing, the document has no tokens.
    ///
    /// # Errors
    /// The first one of `take`, which ends the job.
    pub fn derive_all<X: Send, E>(
        &self,
        source: &mut dyn Source,
        derive: impl Fn(&str) -> Option<X> + Sync,
        mut take: impl FnMut(Result<(DocumentId, X), ErrorRecord>) -> Result<(), E>,
    ) -> Result<Tally, E> {
        let (settings, extractor) = (&self.settings, &self.engine.extractor(&self.cancel));
        let work = |document: Document| {
            let (id, place) = (document.id.clone(), document.place.clone());
            let text = extract_document(document, settings, extractor)?.text;
            match derive(&text) {
                Some(derived) => Ok((id, derived)),
                None => Err(ErrorRecord {
                    id: Some(id),
                    place,
                    reason: ReasonCode::NO_TOKENS,
                    detail: NO_TOKENS.into(),
                }),
            }
        };
        self.each(
            Intake::new(source),
            |found, _| {
                let place = match &found {
                    Ok(document) => document.place.clone(),
                    Err(error) => error.place.clone(),
                };
                let derived = found.and_then(|document| {
                    let named = (document.id.clone(), document.place.clone());
                    guarded(document, &named, work)
                });
                ((derived, place), None)
            },
            |tally, (derived, place), arrival| {
                tally.bytes += arrival.bytes;
                tally.count_row(&place);
                match &derived {
                    Ok(_) => tally.count_print(),
                    Err(error) => tally.count_nothing(error.reason.is_failure()),
                }
                take(derived)
            },
            |_| Ok(()),
        )
    }
}
