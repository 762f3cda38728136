//! Verified clusters against their definition.

use nearprint_fingerprint::{Fingerprint, Scheme};
use nearprint_records::{ClusterRow, DocumentId};
use nearprint_search::{Linkage, Measure};

use crate::collection::search_set::SimilarDocument;
use crate::{Error, FeatureStore, PrintSet, Search, TextFeatures, Verification, VerifiedQuery};

type Document = TextFeatures;

/// Documents in families that shade into one another, some of them twice.
fn documents(seed: u64) -> Vec<Document> {
    let mut state = seed;
    let mut next = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut documents: Vec<Document> = (0..40)
        .map(|_| {
            let start = next(12) * 20;
            let features = (start..start + 60).filter(|_| next(10) > 0).map(|feature| (feature, 1));
            features.collect::<Vec<_>>().into()
        })
        .collect();
    for _ in 0..15 {
        let copy = documents[next(40) as usize].clone();
        documents.push(copy);
    }
    documents
}

/// A document of these features.
fn ones(features: impl Iterator<Item = u64>) -> Document {
    features.map(|feature| (feature, 1)).collect::<Vec<_>>().into()
}

/// Sketches of which every two are a candidate, equal for equal documents.
fn prints(documents: &[Document]) -> PrintSet {
    let mut set = PrintSet::new(Scheme::MD1);
    for number in 0..documents.len() {
        let id = DocumentId::new(number.to_string()).unwrap();
        set.push(&id, &print(documents, number)).unwrap();
    }
    set
}

fn print(documents: &[Document], number: usize) -> Fingerprint {
    let document = &documents[number];
    let same = documents.iter().position(|other| other == document).unwrap() as u16;
    let mut sketch = [same; 128];
    sketch[0] = 999;
    Fingerprint::from_sketch(Scheme::MD1, sketch).unwrap()
}

fn members(row: &ClusterRow) -> Vec<usize> {
    row.members.iter().map(|id| id.as_str().parse().unwrap()).collect()
}

#[test]
fn verified_clusters_are_those_of_the_definition() {
    let verification = Verification::new(Measure::Jaccard).at(0.5);
    for seed in 0..20 {
        let documents = documents(seed);
        let set = prints(&documents);
        let mut store = FeatureStore::new(1000);
        documents.iter().for_each(|document| store.push(document).unwrap());
        let search = Search::within(128).bands(Some("128x1".parse().unwrap()));
        let near =
            |a: usize, b: usize| verification.verified(&documents[a], &documents[b]).is_some();
        for linkage in [Linkage::Components, Linkage::Star, Linkage::Bounded] {
            let found = search.verified_clusters(&set, &store, verification, linkage).unwrap();
            let mut cluster_of = vec![None; documents.len()];
            for row in &found.clusters {
                let members = members(row);
                let similarities = row.similarities.as_ref().unwrap();
                for (&member, &similarity) in members.iter().zip(similarities) {
                    assert_eq!(cluster_of[member].replace(row.cluster), None);
                    let wanted =
                        verification.similarity(&documents[members[0]], &documents[member]);
                    assert_eq!(similarity, wanted);
                    if linkage == Linkage::Star {
                        assert!(near(members[0], member) || members[0] == member);
                    }
                }
                let pairs = members
                    .iter()
                    .enumerate()
                    .flat_map(|(at, &a)| members[at + 1..].iter().map(move |&b| (a, b)));
                let linked = pairs.filter(|&(a, b)| near(a, b)).count() as u64;
                assert_eq!(row.pairs, Some(linked), "{linkage:?}");
                if linkage == Linkage::Bounded {
                    assert_eq!(linked, row.size * (row.size - 1) / 2);
                    assert_eq!(row.chain, Some(1));
                }
            }
            for a in 0..documents.len() {
                for b in a + 1..documents.len() {
                    let together = cluster_of[a].is_some() && cluster_of[a] == cluster_of[b];
                    assert!(together || documents[a] != documents[b], "equal ones stay together");
                    assert!(together || linkage != Linkage::Components || !near(a, b));
                }
            }
        }
    }
}

#[test]
fn a_chain_is_doubted_with_its_figures() {
    let documents: Vec<Document> = (0..30).map(|n| ones(n * 20..n * 20 + 100)).collect();
    let set = prints(&documents);
    let mut store = FeatureStore::new(0);
    documents.iter().for_each(|document| store.push(document).unwrap());
    let search = Search::within(128).bands(Some("128x1".parse().unwrap()));
    let verification = Verification::new(Measure::Jaccard).at(0.5);
    let found = |linkage| search.verified_clusters(&set, &store, verification, linkage).unwrap();
    let components = found(Linkage::Components);
    assert_eq!((components.candidates, components.verified), (30 * 29 / 2, 29));
    let [doubt] = components.doubts[..] else { panic!("{:?}", components.doubts) };
    assert_eq!((doubt.size, doubt.similar, doubt.pairs, doubt.chain), (30, 2, 29, 29));
    assert_eq!(doubt.lowest, 0.0);
    for linkage in [Linkage::Star, Linkage::Bounded] {
        let found = found(linkage);
        assert!(found.doubts.is_empty());
        assert_eq!(found.clusters.len(), 15);
    }
}

#[test]
fn more_verified_pairs_than_the_memory_holds_are_refused() {
    // Every two of them are a candidate and share 30 of 32 features.
    let documents: Vec<Document> = (0..900).map(|own| ones((0..30).chain([1000 + own]))).collect();
    let set = prints(&documents);
    let mut store = FeatureStore::new(1 << 20);
    documents.iter().for_each(|document| store.push(document).unwrap());
    let verification = Verification::new(Measure::Jaccard).at(0.5);
    let clusters = |memory, linkage| {
        let search = Search::within(128).bands(Some("128x1".parse().unwrap())).memory(Some(memory));
        search.verified_clusters(&set, &store, verification, linkage)
    };
    let pairs = 900 * 899 / 2;
    assert_eq!(clusters(64 << 20, Linkage::Bounded).unwrap().verified, pairs);
    assert_eq!(clusters(33 << 20, Linkage::Star).unwrap().verified, pairs);
    match clusters(33 << 20, Linkage::Bounded) {
        Err(error @ Error::TooManyVerified { most, .. }) => {
            assert!(most < pairs && error.to_string().contains("do not fit in memory"), "{error}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn verified_matches_are_those_of_the_definition() {
    let verification = Verification::new(Measure::Jaccard).at(0.5);
    // More candidates than are verified at once, those of one query across two portions of them.
    let documents: Vec<Document> = (0..20).flat_map(documents).collect();
    let asked: Vec<Document> = documents.iter().step_by(37).cloned().collect();
    let (set, queries) = (prints(&documents), prints(&asked));
    let (mut store, mut of_queries) = (FeatureStore::new(0), FeatureStore::new(1 << 20));
    documents.iter().for_each(|document| store.push(document).unwrap());
    asked.iter().for_each(|document| of_queries.push(document).unwrap());
    let search = Search::within(127);
    let mut wanted = Vec::new();
    for (query, document) in asked.iter().enumerate() {
        let mut near: Vec<(f64, usize)> = (0..documents.len())
            .filter_map(|at| Some((verification.verified(document, &documents[at])?, at)))
            .collect();
        near.sort_by(|one, other| other.0.total_cmp(&one.0));
        wanted.extend(near.into_iter().map(|(similarity, at)| (query, at, similarity)));
    }
    let mut found = Vec::new();
    let candidates = search
        .similar_each((&set, &store), (&queries, &of_queries), verification, |similar| {
            let SimilarDocument { query, position, similar, .. } = similar;
            found.push((query as usize, position as usize, similar.similarity));
            Ok::<_, Error>(())
        })
        .unwrap();
    assert_eq!(candidates.candidates, Some((asked.len() * documents.len()) as u64));
    assert_eq!(found.len(), wanted.len());
    let places = |rows: &[(usize, usize, f64)]| -> Vec<(usize, f64)> {
        rows.iter().map(|row| (row.0, row.2)).collect()
    };
    assert_eq!(places(&found), places(&wanted), "the most similar first");
    let mut alone = Vec::new();
    for (number, document) in asked.iter().enumerate() {
        let id = DocumentId::new(number.to_string()).unwrap();
        let query = VerifiedQuery::new(id, print(&asked, number), document.clone());
        let (compared, rows) = search.similar((&set, &store), &query, verification).unwrap();
        assert_eq!(compared.candidates, Some(documents.len() as u64));
        alone
            .extend(rows.iter().map(|row| (number, row.position as usize, row.similar.similarity)));
    }
    assert_eq!(alone, found, "one query finds what many find");
}
