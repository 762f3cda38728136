//! What every collection of [`Documents`] must do.

use std::ops::ControlFlow;

use nearprint_fingerprint::{Fingerprint, Scheme};
use nearprint_search::Measure;

use crate::{
    Candidates, Condition, DocumentView, Documents, Error, Filter, NearDocument, NearRequest,
    PackedFeatures, Parts, Queries, Search, Verification, VerifiedQuery,
};

/// The documents themselves, of which every answer is found by comparing all: the default of the trait.
struct ScannedDocuments<'d>(&'d dyn Documents);

impl Documents for ScannedDocuments<'_> {
    fn scheme(&self) -> Scheme {
        self.0.scheme()
    }

    fn len(&self) -> Result<u64, Error> {
        self.0.len()
    }

    fn parts(&self) -> Parts {
        self.0.parts()
    }

    fn visit(
        &self,
        wanted: &Parts,
        filter: &Filter,
        visit: &mut dyn FnMut(DocumentView) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        self.0.visit(wanted, filter, visit)
    }

    fn get(
        &self,
        id: &nearprint_records::DocumentId,
        wanted: &Parts,
    ) -> Result<Option<DocumentView>, Error> {
        self.0.get(id, wanted)
    }
}

/// Compares what a collection answers with what comparing all its documents gives: visits, documents by id, and what is
/// near some of its own documents. Parts that are not kept must be refused by every operation, and no document come
/// before that.
///
/// # Panics
/// Where an answer differs.
pub fn check(documents: &dyn Documents) {
    let all = visited(documents, &documents.parts(), Filter::all());
    assert_eq!(documents.len().expect("a length"), all.len() as u64, "len");
    assert!(all.is_sorted_by(|a, b| a.number < b.number), "the order of addition");
    for document in all.iter().take(40) {
        let found = documents.get(&document.id, &documents.parts()).expect("a document");
        assert_eq!(found.as_ref(), Some(document), "get {}", document.id);
        let bare = documents.get(&document.id, &Parts::default()).expect("a document");
        assert_eq!(bare.expect("it is there").features, None, "nothing else was wanted");
    }
    ends_where_it_is_told(documents, all.len());
    refuses(documents);
    let asked: Vec<&DocumentView> = all.iter().step_by(all.len() / 20 + 1).collect();
    let prints: Vec<Fingerprint> =
        asked.iter().map(|document| document.fingerprint.clone()).collect();
    for k in [0, 3, 13, documents.scheme().positions()] {
        let search = Search::within(k);
        compare(documents, &NearRequest::new(Queries::Prints(&prints), &search));
    }
    let queries: Vec<VerifiedQuery> = asked.into_iter().map(query).collect();
    for measure in [Measure::Jaccard, Measure::Containment, Measure::Cosine] {
        let verification = Verification::new(measure);
        if documents.check(&Parts::default().features(verification)).is_err() {
            continue;
        }
        let candidates = Candidates::by(documents.scheme(), verification);
        let search = candidates.search();
        let request = NearRequest::new(queries.as_slice(), &search);
        compare(documents, &NearRequest { candidates: Some(candidates), ..request });
    }
    if documents.check(&Parts::default().metadata()).is_ok() {
        let filter: Filter = [condition()].into_iter().collect();
        let allowed = |document: &DocumentView| filter.allows(document.metadata.as_deref());
        let expected: Vec<_> = all.iter().filter(|&document| allowed(document)).cloned().collect();
        assert_eq!(visited(documents, &documents.parts(), &filter), expected, "those of a filter");
        let search = Search::within(documents.scheme().positions());
        let request = NearRequest::new(Queries::Prints(&prints), &search);
        compare(documents, &NearRequest { filter: &filter, ..request });
    }
}

fn condition() -> Condition {
    "kind=even".parse().expect("a condition")
}

fn query(document: &DocumentView) -> VerifiedQuery {
    let features = document.features.as_ref().map(PackedFeatures::unpack);
    let (id, print) = (document.id.clone(), document.fingerprint.clone());
    VerifiedQuery::new(id, print, features.unwrap_or_default())
}

fn visited(documents: &dyn Documents, wanted: &Parts, filter: &Filter) -> Vec<DocumentView> {
    let mut all = Vec::new();
    let visit = documents.for_each(wanted, filter, |document| {
        all.push(document);
        Ok::<_, Error>(())
    });
    visit.expect("parts that are kept");
    all
}

fn near(documents: &dyn Documents, request: &NearRequest<'_>) -> Vec<NearDocument> {
    let mut found = Vec::new();
    let asked = documents.near(request, &mut |near| {
        found.push(near);
        ControlFlow::Continue(())
    });
    asked.expect("parts that are kept");
    found
}

fn compare(documents: &dyn Documents, request: &NearRequest<'_>) {
    let expected = near(&ScannedDocuments(documents), request);
    let found = near(documents, request);
    let k = request.search.distance();
    assert_eq!(found, expected, "{} within {k}, {:?}", documents.scheme(), request.candidates);
    let mut first = Vec::new();
    let asked = documents.near(request, &mut |near| {
        first.push(near);
        ControlFlow::Break(())
    });
    asked.expect("it was answered before");
    assert_eq!(first, expected.into_iter().take(1).collect::<Vec<_>>(), "the first alone");
}

/// A visit ends when its caller says so.
fn ends_where_it_is_told(documents: &dyn Documents, count: usize) {
    for most in [1, 2] {
        let mut visits = 0;
        let visited = documents.visit(&Parts::default(), Filter::all(), &mut |_| {
            visits += 1;
            if visits < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        visited.expect("nothing is wanted");
        assert_eq!(visits, most.min(count), "visits");
    }
}

/// What is not kept is refused by name, and before any document comes.
fn refuses(documents: &dyn Documents) {
    let verification = |measure| Parts::default().features(Verification::new(measure));
    let all = [
        (verification(Measure::Jaccard), "features"),
        (verification(Measure::Cosine), "features"),
        (Parts::default().digests(), "digests"),
        (Parts::default().words(), "lengths"),
        (Parts::default().text(), "texts"),
        (Parts::default().metadata(), "metadata"),
        (Parts::default().capture(), "captures"),
    ];
    let id = nearprint_records::DocumentId::new("any").expect("short and plain");
    for (wanted, name) in all {
        let is_kept = documents.parts().check(&wanted).is_ok();
        assert_eq!(documents.check(&wanted).is_ok(), is_kept, "{name}");
        if is_kept {
            continue;
        }
        let mut visits = 0;
        let visited = documents.visit(&wanted, Filter::all(), &mut |_| {
            visits += 1;
            ControlFlow::Continue(())
        });
        for refused in [visited, documents.get(&id, &wanted).map(drop)] {
            let error = refused.expect_err(name).to_string();
            assert!(error.contains(name), "{name}: {error}");
        }
        assert_eq!(visits, 0, "{name}");
    }
    let search = Search::within(0);
    let none = NearRequest::new(Queries::Prints(&[]), &search);
    let take = &mut |_| ControlFlow::Continue(());
    if documents.parts().check(&verification(Measure::Jaccard)).is_err() {
        let candidates = Candidates::by(documents.scheme(), Verification::new(Measure::Jaccard));
        let request = NearRequest { candidates: Some(candidates), ..none };
        let error = documents.near(&request, take).expect_err("features").to_string();
        assert!(error.contains("features"), "{error}");
    }
    if !documents.parts().has_metadata() {
        let filter: Filter = [condition()].into_iter().collect();
        let refused = [
            documents.near(&NearRequest { filter: &filter, ..none }, take).map(drop),
            documents.visit(&Parts::default(), &filter, &mut |_| ControlFlow::Continue(())),
        ];
        for refused in refused {
            let error = refused.expect_err("metadata").to_string();
            assert!(error.contains("metadata"), "{error}");
        }
    }
    let other = if documents.scheme() == Scheme::SD1 { Scheme::SL1 } else { Scheme::SD1 };
    let print = [Fingerprint::from_u64(other, 1).expect("64 bits")];
    let request = NearRequest::new(Queries::Prints(&print), &search);
    let refused = documents.near(&request, take).expect_err("another scheme");
    assert!(matches!(refused, Error::UnlikeSchemes(_)), "{refused}");
}
