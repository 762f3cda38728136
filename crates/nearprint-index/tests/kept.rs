//! What an index keeps for verification gives the answers of a collection that read the documents.

mod support;

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::{Document, DocumentId, ErrorRecord};
use nearprint::search::{Linkage, Measure};
use nearprint::{Candidates, Engine, Error, Index, OnDuplicate, Role, Settings as Reading};
use nearprint::{Dedup, Diff, Verification, VerifiedQuery};
use nearprint_index::{DiskIndex, Filter, IndexError, Settings, StoredDocument};

/// Texts of forty words, of which neighbours share most.
fn text(number: usize) -> String {
    let words = (0..40).map(|n| format!("w{} ", (number / 3) * 1000 + n * (1 + number / 3)));
    format!("{}{}", words.collect::<String>(), "end ".repeat(number % 3))
}

fn documents(engine: &Engine, scheme: Scheme, index: &DiskIndex) -> Vec<StoredDocument> {
    let mut source = (0..30).map(|number| {
        let id = DocumentId::new(format!("page-{number}")).expect("short and plain");
        Ok::<_, ErrorRecord>(Document::from_bytes(id, text(number)))
    });
    let pipeline = engine.pipeline(Reading { scheme, ..Reading::default() });
    let mut documents = Vec::new();
    let read = pipeline.read(&mut source, &index.wanted(), |record, made, _| {
        documents.extend(StoredDocument::of_record(&record, made));
        Ok::<_, Error>(())
    });
    read.expect("texts");
    documents
}

fn filled(path: &std::path::Path, scheme: Scheme) -> (DiskIndex, Vec<StoredDocument>) {
    let settings = support::small().features(true);
    let index = DiskIndex::create(path, scheme, settings).expect("a new index");
    let documents = documents(&Engine::default(), scheme, &index);
    index.insert_documents(&documents, OnDuplicate::Refuse).expect("new ids");
    (index, documents)
}

#[test]
fn documents_come_back_with_their_features_until_they_are_removed() {
    let directory = support::directory();
    let path = directory.path().join("index");
    let (index, documents) = filled(&path, Scheme::SD1);
    let without = |document: &StoredDocument| StoredDocument { features: None, ..document.clone() };
    assert_eq!(index.document(&documents[7].id).expect("an index").as_ref(), Some(&documents[7]));
    index.remove(&documents[0].id).expect("an index");
    let mut replaced = documents[1].clone();
    replaced.features = documents[2].features.clone();
    index
        .insert_documents(std::slice::from_ref(&replaced), OnDuplicate::Replace)
        .expect("it is there");
    let expected: Vec<_> = documents[2..].iter().cloned().chain([replaced]).collect();
    let (mut whole, mut bare) = (Vec::new(), Vec::new());
    let visited = index.for_each_whole(|document| {
        whole.push(document);
        Ok::<_, Error>(())
    });
    visited.expect("an index");
    let visited = index.for_each(|document| {
        bare.push(document);
        Ok::<_, Error>(())
    });
    visited.expect("an index");
    assert_eq!(whole, expected);
    assert_eq!(bare, expected.iter().map(without).collect::<Vec<_>>());
    let error = index.insert_documents(&[without(&documents[0])], OnDuplicate::Refuse);
    assert!(error.unwrap_err().to_string().contains("page-0 has none"));
    assert_eq!(index.len().expect("an index"), 29);
    drop(index);
    let verified = DiskIndex::verify(&path, Settings::default()).expect("an index");
    assert!(verified.problems.is_empty(), "{:?}", verified.problems);
}

#[test]
fn answers_are_those_of_a_collection_of_the_documents() {
    let engine = Engine::default();
    for scheme in [Scheme::MD1, Scheme::SD1] {
        let directory = support::directory();
        let (index, documents) = filled(&directory.path().join("index"), scheme);
        for measure in [Measure::Jaccard, Measure::Containment] {
            let verification = Verification::new(measure);
            let candidates = Candidates::by(scheme, verification);
            let mut read = engine.collection(candidates);
            for document in &documents {
                let features = document.features.as_ref().map(|kept| &kept.features);
                assert!(
                    read.push(&document.id, &document.fingerprint, features).expect("one scheme")
                );
            }
            let mut kept = engine.collection(candidates);
            let count = index.read_into(&mut kept, Role::Candidate, &Filter::default());
            assert_eq!(count.expect("features"), 30);
            let search = read.search(candidates.search());
            let clusters = |of: &nearprint::Collection| {
                of.clusters(&search, Linkage::Components).expect("pairs")
            };
            assert_eq!(clusters(&kept), clusters(&read));
            let query = |document: &StoredDocument| {
                let features = document.features.as_ref().expect("kept").features.unpack();
                VerifiedQuery::new(document.id.clone(), document.fingerprint.clone(), features)
            };
            let queries: Vec<_> = documents.iter().map(query).collect();
            let answers = index.query_verified(&queries, &candidates, &Filter::default());
            for (query, answer) in queries.iter().zip(answers.expect("features")) {
                let rows = read.matches(&read.search(candidates.search()), query);
                let mut rows: Vec<_> = rows
                    .expect("a scan")
                    .into_iter()
                    .map(|row| (row.id, row.distance, row.similarity))
                    .collect();
                let mut answer: Vec<_> = answer
                    .into_iter()
                    .map(|(found, similarity)| (found.id, found.distance, Some(similarity)))
                    .collect();
                assert!(!answer.is_empty() && answer[0].2 == Some(1.0), "each finds itself first");
                rows.sort_by(|a, b| a.0.cmp(&b.0));
                answer.sort_by(|a, b| a.0.cmp(&b.0));
                assert_eq!(answer, rows);
            }
        }
    }
}

#[test]
fn what_is_not_kept_is_refused_by_name() {
    let directory = support::directory();
    let (index, documents) = filled(&directory.path().join("index"), Scheme::MD1);
    let plain = DiskIndex::create(&directory.path().join("plain"), Scheme::MD1, support::small());
    let plain = plain.expect("a new index");
    plain.insert_documents(&documents, OnDuplicate::Refuse).expect("features are left out");
    let cosine = Verification::new(Measure::Cosine);
    assert!(matches!(index.check_verification(cosine), Err(IndexError::OtherFeatures { .. })));
    let jaccard = Verification::new(Measure::Jaccard);
    index.check_verification(jaccard).expect("these are kept");
    assert!(matches!(plain.check_verification(jaccard), Err(IndexError::WithoutFeatures { .. })));
    let engine = Engine::default();
    let refused = plain.edition(&Diff::default(), &engine).expect_err("nothing is kept");
    assert!(refused.to_string().contains("keeps no features"), "{refused}");
    let mut gathered = Dedup::default().gather(&engine).expect("temporary files");
    assert!(plain.gather_into(&mut gathered).is_err());
    assert_eq!(index.gather_into(&mut gathered).expect("features"), 30);
    assert_eq!(gathered.references(), 30);
}

#[test]
fn a_mass_of_candidates_that_are_little_alike_is_left_after_some_of_them() {
    let directory = support::directory();
    let (index, documents) = filled(&directory.path().join("index"), Scheme::MD1);
    let sketch = [1; 128];
    let features = |document: &StoredDocument| document.features.clone().expect("they are kept");
    // Sketches are made up: those of which the first positions agree with the query.
    let add = |name: &str, agreeing: usize, like: &StoredDocument| {
        let mut other = [2; 128];
        other[..agreeing].fill(1);
        let print = Fingerprint::from_sketch(Scheme::MD1, other).expect("a sketch");
        let id = DocumentId::new(name).expect("an id");
        let document =
            StoredDocument { features: Some(features(like)), ..StoredDocument::new(id, print) };
        index.insert_documents(&[document], OnDuplicate::Refuse).expect("a new id");
    };
    let found = || {
        let print = Fingerprint::from_sketch(Scheme::MD1, sketch).expect("a sketch");
        let query = documents[0].id.clone();
        let query = VerifiedQuery::new(query, print, features(&documents[0]).features.unpack());
        let candidates = Candidates::of(Verification::new(Measure::Jaccard));
        let answers = index.query_verified(&[query], &candidates, &Filter::default());
        let answer = answers.expect("features").remove(0);
        answer.into_iter().map(|(found, _)| found.id.to_string()).collect::<Vec<_>>()
    };
    // The estimate of 39 of 128 is just above 0.3, that of 38 below.
    (0..150).for_each(|number| add(&format!("near {number}"), 39, &documents[9]));
    (0..99).for_each(|number| add(&format!("far {number}"), 30, &documents[9]));
    add("farther", 20, &documents[0]);
    assert_eq!(found(), ["farther"]);
    add("far 99", 30, &documents[9]);
    assert!(found().is_empty(), "it is behind 100 others");
    add("near", 38, &documents[0]);
    assert_eq!(found(), ["near"]);
}
