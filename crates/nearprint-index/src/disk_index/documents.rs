//! The index as questions see it: visited, looked up, and searched by its tables.

use std::ops::ControlFlow;

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::DocumentId;
use nearprint::{
    Candidates, DocumentView, Documents, Error, Filter, MissingPart, NearCounts, NearDocument,
    NearRequest, Parts, Queries, RefusedPairs,
};
use redb::ReadableTableMetadata;

use crate::IndexError;
use crate::disk_index::DiskIndex;
use crate::store::DOCUMENTS;
use crate::store::large_parts::LargeParts;
use crate::store::record::StoredDocument;
use crate::tables::table_print::Reach;
use crate::verified_matches::bands_of_prints;

/// Queries of fingerprints that are looked up together.
const TOGETHER: usize = 1024;

/// Ends a visit.
enum VisitStop {
    Ended,
    Failed(Error),
}

impl From<Error> for VisitStop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// What the parts that are wanted take from the store beside the record.
fn large(wanted: &Parts) -> LargeParts {
    let features = wanted.features_name().is_some() || wanted.has_words();
    LargeParts { features, texts: wanted.has_text() }
}

/// A stored document with the parts wanted.
fn view(sequence: u64, document: StoredDocument, wanted: &Parts) -> DocumentView {
    let StoredDocument { id, fingerprint, metadata, capture, features, text, .. } = document;
    let (words, features) = features.map(|kept| (kept.words, kept.features)).unzip();
    DocumentView {
        words: words.filter(|_| wanted.has_words()),
        features: features.filter(|_| wanted.features_name().is_some()),
        text: text.map(|kept| kept.text),
        metadata: metadata.filter(|_| wanted.has_metadata()),
        capture: capture.filter(|_| wanted.has_capture()),
        ..DocumentView::new(sequence + 1, id, fingerprint)
    }
}

impl Documents for DiskIndex {
    fn scheme(&self) -> Scheme {
        self.shared.source.scheme
    }

    fn len(&self) -> Result<u64, Error> {
        let store = &self.shared.source.store;
        store.guarded(|| {
            let at = store.begin_read()?;
            Ok(store.tried(store.tried(at.open_table(DOCUMENTS))?.len())?)
        })
    }

    /// Metadata and captures, and what else the index was created with.
    fn parts(&self) -> Parts {
        let mut parts = Parts::default().metadata().capture();
        if let Some(features) = &self.header().features {
            parts = parts.features_named(features).digests().words();
        }
        if self.keeps_texts() { parts.text() } else { parts }
    }

    fn check(&self, wanted: &Parts) -> Result<(), Error> {
        let Err(missing) = self.parts().check(wanted) else { return Ok(()) };
        let path = self.path().to_owned();
        Err(Error::from(match missing {
            MissingPart::Features { kept: None, .. } => IndexError::WithoutFeatures { path },
            MissingPart::Features { kept: Some(found), wanted } => {
                IndexError::OtherFeatures { path, found, wanted }
            }
            MissingPart::Other(part) => IndexError::WithoutPart { path, part },
        }))
    }

    fn visit(
        &self,
        wanted: &Parts,
        filter: &Filter,
        visit: &mut dyn FnMut(DocumentView) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        self.check(wanted)?;
        let visited = self.visit_numbered(large(wanted), |sequence, document| {
            let is_allowed = filter.allows(document.metadata.as_deref());
            match is_allowed && visit(view(sequence, document, wanted)).is_break() {
                true => Err(VisitStop::Ended),
                false => Ok(()),
            }
        });
        match visited {
            Err(VisitStop::Failed(error)) => Err(error),
            Ok(()) | Err(VisitStop::Ended) => Ok(()),
        }
    }

    fn get(&self, id: &DocumentId, wanted: &Parts) -> Result<Option<DocumentView>, Error> {
        self.check(wanted)?;
        let found = self.read(id, large(wanted))?;
        Ok(found.map(|(sequence, document)| view(sequence, document, wanted)))
    }

    /// Looks fingerprints up in the tables: within 12 bits, or 63 positions of sketches; beyond that, all are compared,
    /// unless the search asks for bands, or for a recall that the tables have.
    /// Where texts are compared, sketches are proposed by bands too, and a mass of candidates that are little alike is
    /// left out (docs/INDEX.md). A filter takes some microseconds a match, as metadata are read from the store.
    fn near(
        &self,
        request: &NearRequest<'_>,
        take: &mut dyn FnMut(NearDocument) -> ControlFlow<()>,
    ) -> Result<NearCounts, Error> {
        self.check(&request.parts())?;
        request.queries.check(self.scheme())?;
        let refused = RefusedPairs::default();
        let done = match &request.candidates {
            Some(candidates) => self.similar(request, candidates, &refused, take)?,
            None => self.near_prints(request, take)?,
        };
        let (ControlFlow::Continue(()) | ControlFlow::Break(())) = done;
        Ok(NearCounts::new(None, &refused))
    }
}

impl DiskIndex {
    fn similar(
        &self,
        request: &NearRequest<'_>,
        candidates: &Candidates,
        refused: &RefusedPairs,
        take: &mut dyn FnMut(NearDocument) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        let store = &self.shared.source.store;
        for at in 0..request.queries.len() {
            let query = request.queries.document(at)?;
            let found = store
                .guarded(|| self.shared.verified(&query, candidates, request.filter, refused))?;
            let mut found = found.into_iter().map(|(found, similar)| NearDocument {
                query: at,
                id: found.id,
                distance: found.distance,
                similar: Some(similar),
            });
            if found.try_for_each(&mut *take).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn near_prints(
        &self,
        request: &NearRequest<'_>,
        take: &mut dyn FnMut(NearDocument) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        let NearRequest { queries, search, filter, .. } = *request;
        let store = &self.shared.source.store;
        let bands = bands_of_prints(self.scheme(), search);
        let reach = Reach { k: search.distance(), bands };
        // What a filter leaves out is not known to the tables.
        let most = request.most.filter(|_| filter.is_empty());
        let most = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
        let mut first = 0;
        while first < queries.len() {
            let end = queries.len().min(first + TOGETHER);
            let mut read: Vec<Fingerprint> = Vec::new();
            let asked = match queries {
                Queries::Prints(prints) => &prints[first..end],
                _ => {
                    for at in first..end {
                        read.push(queries.fingerprint(at)?.into_owned());
                    }
                    &read
                }
            };
            let answers = store.guarded(|| self.shared.near(asked, reach, most))?;
            for (query, near) in (first..).zip(answers) {
                for found in near {
                    if self.is_allowed(&found.id, filter)?
                        && take(NearDocument {
                            query,
                            id: found.id,
                            distance: found.distance,
                            similar: None,
                        })
                        .is_break()
                    {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
            first = end;
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Whether a filter allows the document of an id.
    fn is_allowed(&self, id: &DocumentId, filter: &Filter) -> Result<bool, Error> {
        if filter.is_empty() {
            return Ok(true);
        }
        let document = self.document_record(id)?;
        Ok(document.is_some_and(|document| filter.allows(document.metadata.as_deref())))
    }
}
