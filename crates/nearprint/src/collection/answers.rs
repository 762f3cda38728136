//! A collection as questions see it, and other documents read into one.

use std::ops::ControlFlow;

use nearprint_fingerprint::{Scheme, UnlikeSchemes};
use nearprint_records::DocumentId;
use nearprint_search::MAX_QUERY_DISTANCE;

use super::Collection;
use super::search_set::SimilarDocument;
use crate::{
    CollectionSettings, DocumentView, Documents, Error, Filter, NearCounts, NearDocument,
    NearRequest, Parts, Queries, Search, SimilarTexts,
};

/// Why a search stopped.
enum VisitStop {
    Ended,
    Failed(Error),
}

impl From<Error> for VisitStop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

fn stopped(flow: ControlFlow<()>) -> Result<(), VisitStop> {
    if flow.is_break() { Err(VisitStop::Ended) } else { Ok(()) }
}

impl<'q> From<&'q Collection> for Queries<'q> {
    fn from(collection: &'q Collection) -> Self {
        Self::Stored(&collection.prints, collection.features.as_ref())
    }
}

impl Documents for Collection {
    fn scheme(&self) -> Scheme {
        self.settings.scheme
    }

    fn len(&self) -> Result<u64, Error> {
        Ok(self.prints.len() as u64)
    }

    fn parts(&self) -> Parts {
        let parts = match self.settings.verification {
            Some(verification) => Parts::default().features(verification),
            None => Parts::default(),
        };
        if self.texts.is_some() { parts.text() } else { parts }
    }

    /// References are not visited.
    fn visit(
        &self,
        wanted: &Parts,
        filter: &Filter,
        visit: &mut dyn FnMut(DocumentView) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        self.check(&filter.parts(wanted))?;
        for position in 0..self.prints.len() {
            if visit(self.view(position, wanted)?).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Looks at every id.
    fn get(&self, id: &DocumentId, wanted: &Parts) -> Result<Option<DocumentView>, Error> {
        self.check(wanted)?;
        let mut positions = 0..self.prints.len();
        let found = positions.find(|&position| self.prints.id(position) == id.as_str());
        found.map(|position| self.view(position, wanted)).transpose()
    }

    fn near(
        &self,
        request: &NearRequest<'_>,
        take: &mut dyn FnMut(NearDocument) -> ControlFlow<()>,
    ) -> Result<NearCounts, Error> {
        self.check(&request.parts())?;
        request.queries.check(self.settings.scheme)?;
        match self.search_near(request, take) {
            Ok(counts) => Ok(counts),
            Err(VisitStop::Ended) => Ok(NearCounts::none()),
            Err(VisitStop::Failed(error)) => Err(error),
        }
    }
}

impl Collection {
    /// The document at a position, with the parts wanted, which are kept.
    fn view(&self, position: usize, wanted: &Parts) -> Result<DocumentView, Error> {
        let id = self.prints.document_id(position);
        let fingerprint = self.prints.fingerprint(position)?;
        let features = self.features.as_ref().filter(|_| wanted.features_name().is_some());
        let features = features.map(|store| store.packed(position)).transpose();
        let text = self.texts.as_ref().filter(|_| wanted.has_text());
        let text = text.map(|store| store.get(position)).transpose();
        Ok(DocumentView {
            features: features.map_err(Error::TemporaryFile)?,
            text: text.map_err(Error::TemporaryFile)?,
            ..DocumentView::new(position as u64 + 1, id, fingerprint)
        })
    }

    /// Makes ready for queries of fingerprints that come one by one: they are looked up in an index of this collection
    /// where the distance and the memory of the search allow it, and else compared with all.
    ///
    /// # Errors
    /// Where the index cannot be made.
    pub fn expect_single_queries(&mut self, search: &Search<'_>) -> Result<(), Error> {
        self.lookup = search.lookup_of(&self.prints)?;
        Ok(())
    }

    fn search_near(
        &self,
        request: &NearRequest<'_>,
        take: &mut dyn FnMut(NearDocument) -> ControlFlow<()>,
    ) -> Result<NearCounts, VisitStop> {
        let &NearRequest { queries, search, candidates, .. } = request;
        let mut give =
            |query: usize, position: usize, distance: u32, similar: Option<SimilarTexts>| {
                let id = self.prints.document_id(position);
                stopped(take(NearDocument { query, id, distance, similar }))
            };
        let verification = candidates.map(|candidates| candidates.verification());
        let Some((verification, store)) = verification.zip(self.features.as_ref()) else {
            if let Queries::Stored(asked, _) = queries {
                search.near_each(&self.prints, asked, &mut |(query, distance, at)| {
                    give(query as usize, at as usize, distance, None)
                })?;
                return Ok(NearCounts::none());
            }
            for query in 0..queries.len() {
                let print = queries.fingerprint(query)?;
                // Beyond the distance of the index, all are compared.
                let lookup =
                    self.lookup.as_ref().filter(|_| search.distance() <= MAX_QUERY_DISTANCE);
                let near = match lookup {
                    Some(lookup) => lookup.near(&print, search.distance())?,
                    None => search.near(&self.prints, &print)?,
                };
                near.into_iter().try_for_each(|(distance, at)| give(query, at, distance, None))?;
            }
            return Ok(NearCounts::none());
        };
        let all = (&self.prints, store);
        let mut give_similar = |found: SimilarDocument| {
            let SimilarDocument { query, position, distance, similar } = found;
            give(query as usize, position as usize, distance, Some(similar))
        };
        if let Queries::Stored(prints, Some(features)) = queries {
            let asked = (prints, features);
            return search.similar_each(all, asked, verification, give_similar);
        }
        let mut counts = NearCounts { candidates: Some(0), ..NearCounts::none() };
        for at in 0..queries.len() {
            let query = queries.document(at)?;
            let (of_query, found) = search.similar(all, &query, verification)?;
            counts = counts.with(of_query);
            let mut found = found.into_iter();
            found.try_for_each(|found| {
                give_similar(SimilarDocument { query: at as u32, ..found })
            })?;
        }
        Ok(counts)
    }

    /// Adds all documents that a filter allows, in the order of addition, and returns how many there are. No document
    /// is read again: their fingerprints are, and where this collection is verified, their features; where it keeps
    /// texts, these.
    ///
    /// # Errors
    /// Where the schemes differ, a part that this collection needs is not kept, or the filter needs one; where the
    /// documents cannot be read or a temporary file cannot be written; and those of [`push`](Self::push).
    pub fn push_all(&mut self, documents: &dyn Documents, filter: &Filter) -> Result<u64, Error> {
        self.push_views(documents, filter, false)
    }

    /// The same to the references.
    ///
    /// # Errors
    /// As [`push_all`](Self::push_all).
    pub fn push_all_references(
        &mut self,
        documents: &dyn Documents,
        filter: &Filter,
    ) -> Result<u64, Error> {
        self.push_views(documents, filter, true)
    }

    fn push_views(
        &mut self,
        documents: &dyn Documents,
        filter: &Filter,
        are_references: bool,
    ) -> Result<u64, Error> {
        let CollectionSettings { scheme, verification, least_words, .. } = self.settings;
        UnlikeSchemes::check(scheme, documents.scheme())?;
        let mut wanted = Parts::default();
        if let Some(verification) = verification {
            wanted = wanted.features(verification);
        }
        if least_words > 0 {
            wanted = wanted.words();
        }
        if self.texts.is_some() {
            wanted = wanted.text();
        }
        let mut count = 0;
        documents.for_each(&wanted, filter, |document| {
            if least_words == 0 || document.words.unwrap_or(0) >= least_words {
                self.push_view(&document, are_references)?;
                count += 1;
            }
            Ok::<_, Error>(())
        })?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use nearprint_records::{Document, ErrorRecord};
    use nearprint_search::Measure;

    use super::*;
    use crate::collection::index::conformance;
    use crate::{Candidates, Engine, EngineSettings, Settings, Verification};

    /// Texts of forty words, of which neighbours share most.
    fn text(number: usize) -> String {
        let words = (0..40).map(|n| format!("w{} ", (number / 3) * 1000 + n * (1 + number / 3)));
        format!("{}{}", words.collect::<String>(), "end ".repeat(number % 3))
    }

    fn collection(engine: &Engine, settings: CollectionSettings) -> Collection {
        let mut source = (0..60).map(|number| {
            // Some ids come again: documents are what is added, not what they are called.
            let id = DocumentId::new(format!("page-{}", number % 55)).expect("short and plain");
            Ok::<_, ErrorRecord>(Document::from_bytes(id, text(number)))
        });
        let scheme = settings.scheme;
        let pipeline = engine.pipeline(Settings::default().scheme(scheme));
        let mut collection = engine.collection(settings);
        collection.read(&pipeline, &mut source, |_| Ok::<_, Error>(())).expect("texts");
        collection
    }

    #[test]
    fn a_collection_answers_as_documents_do() {
        // Without memory, everything is in temporary files.
        for memory in [0, 1 << 30] {
            let engine = Engine::new(EngineSettings { memory, ..EngineSettings::default() });
            for scheme in [Scheme::MD1, Scheme::SD1] {
                let plain = CollectionSettings::from(scheme);
                let candidates = Candidates::by(scheme, Verification::new(Measure::Jaccard));
                let verified = CollectionSettings::from(candidates);
                for settings in [plain, verified, CollectionSettings { texts: true, ..verified }] {
                    conformance::documents::check(&engine.collection(settings));
                    let mut collection = collection(&engine, settings);
                    conformance::documents::check(&collection);
                    let mut copy = engine.collection(settings);
                    assert_eq!(copy.push_all(&collection, Filter::all()).expect("kept"), 60);
                    conformance::documents::check(&copy);
                    collection.expect_single_queries(&Search::within(3)).expect("an index");
                    conformance::documents::check(&collection);
                }
            }
        }
    }

    #[test]
    fn one_query_finds_what_many_find() {
        let engine = Engine::default();
        let candidates = Candidates::of(Verification::new(Measure::Jaccard));
        let collection = collection(&engine, candidates.into());
        let search = collection.search(candidates.search());
        let near = |queries: Queries<'_>| {
            let mut found = Vec::new();
            let request = NearRequest::new(queries, &search);
            let request = NearRequest { candidates: Some(candidates), ..request };
            let compared = collection.near(&request, &mut |near| {
                found.push(near);
                ControlFlow::Continue(())
            });
            (compared.expect("features"), found)
        };
        let all = Queries::from(&collection);
        let queries: Vec<_> =
            (0..60).map(|at| all.document(at).expect("in memory").into_owned()).collect();
        let found = near(all);
        assert_eq!(near(Queries::Documents(&queries)), found);
        assert!(found.0.candidates >= Some(found.1.len() as u64) && found.1.len() > 60);
    }
}
