//! What an index keeps for verification gives the answers of a collection that read the documents.

mod support;

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::index::conformance;
use nearprint::records::{Document, DocumentId, ErrorRecord};
use nearprint::search::{Linkage, Measure};
use nearprint::{
    Candidates, Documents, Engine, Error, Filter, Index, NearRequest, OnDuplicate, Parts, Queries,
    Search, Settings as Reading,
};
use nearprint::{Diff, Verification, VerifiedQuery};
use nearprint_index::{Addition, Admission, Budget, DiskIndex, Settings, StoredDocument};
use support::load::verified_matches;

/// Texts of forty words, of which neighbours share most.
fn text(number: usize) -> String {
    let words = (0..40).map(|n| format!("w{} ", (number / 3) * 1000 + n * (1 + number / 3)));
    format!("{}{}", words.collect::<String>(), "end ".repeat(number % 3))
}

fn documents(engine: &Engine, scheme: Scheme, index: &DiskIndex) -> Vec<StoredDocument> {
    read(engine, scheme, index, (0..30).map(text).collect())
}

fn read(
    engine: &Engine,
    scheme: Scheme,
    index: &DiskIndex,
    texts: Vec<String>,
) -> Vec<StoredDocument> {
    let mut source = (0..).zip(texts).map(|(number, text): (u32, String)| {
        let id = DocumentId::new(format!("page-{number}")).expect("short and plain");
        Ok::<_, ErrorRecord>(Document::from_bytes(id, text))
    });
    let pipeline = engine.pipeline(Reading::default().scheme(scheme));
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
            let count = kept.push_all(&index, Filter::all());
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
            for query in &queries {
                let answer = verified_matches(&index, query, candidates).expect("features");
                let expected = verified_matches(&read, query, candidates).expect("features");
                assert!(!answer.is_empty() && answer[0].1 == 1.0, "each finds itself first");
                assert_eq!(answer, expected);
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
    let of = |measure| Parts::default().features(Verification::new(measure));
    let refused = |of: &DiskIndex, wanted: &Parts| of.check(wanted).unwrap_err().to_string();
    assert!(refused(&index, &of(Measure::Cosine)).contains("and words/"));
    index.check(&of(Measure::Jaccard)).expect("these are kept");
    assert!(refused(&plain, &of(Measure::Jaccard)).contains("keeps no features"));
    assert!(refused(&index, &Parts::default().text()).contains("does not keep the texts"));
    let engine = Engine::default();
    let refused = Diff::default().edition_of(&plain, &engine).expect_err("nothing is kept");
    assert!(refused.to_string().contains("keeps no features"), "{refused}");
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
        let answer = verified_matches(&index, &query, candidates).expect("features");
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

#[test]
fn what_is_read_of_an_index_is_what_comparing_all_gives() {
    for scheme in [Scheme::MD1, Scheme::SD1] {
        let directory = support::directory();
        let settings = support::small().features(true).texts(true);
        let index = DiskIndex::create(&directory.path().join("index"), scheme, settings);
        let index = index.expect("a new index");
        conformance::documents::check(&index);
        let mut documents = documents(&Engine::default(), scheme, &index);
        for (number, document) in documents.iter_mut().enumerate() {
            let kind = if number % 2 == 0 { "even" } else { "odd" };
            document.metadata = Some(format!(r#"{{"kind":"{kind}"}}"#));
        }
        index.insert_documents(&documents, OnDuplicate::Refuse).expect("new ids");
        index.insert_documents(&documents[3..5], OnDuplicate::Replace).expect("they are there");
        index.remove(&documents[9].id).expect("an index");
        conformance::documents::check(&index);
    }
}

/// What is new is what `dedup` would keep: sketches that are alike do not refuse a document, and neither does a text
/// that says something else.
#[test]
fn documents_are_new_where_they_duplicate_none() {
    let directory = support::directory();
    let settings = support::small().features(true);
    let index = DiskIndex::create(&directory.path().join("index"), Scheme::MD1, settings);
    let index = index.expect("a new index");
    let words = |from: usize| (from..from + 50).map(|n| format!("w{n} ")).collect::<String>();
    let price = |cents: u32| format!("{}it costs {cents} cents", words(0));
    let mut texts = vec![price(25), price(25).to_uppercase(), price(40), words(15), words(0)];
    // Too short to be compared: only what is identical is known.
    texts.extend(["sold out today", "Sold out today", "sold out today\n"].map(str::to_owned));
    let documents = read(&Engine::default(), Scheme::MD1, &index, texts);
    let added = index.insert_new(&documents, index.new_distance(), OnDuplicate::Refuse);
    let known: Vec<_> = added
        .expect("texts")
        .known
        .into_iter()
        .map(|(at, near)| {
            (at, near.into_iter().map(|near| near.id.to_string()).collect::<Vec<_>>())
        })
        .collect();
    let page = |number: &str| vec![format!("page-{number}")];
    let both = vec!["page-0".to_owned(), "page-2".to_owned()];
    assert_eq!(known, [(1, page("0")), (4, both), (7, page("5"))]);
}

/// Texts of a calendar: all say the same of another day.
fn day(number: usize) -> String {
    let words = (0..60).map(|n| format!("w{n} ")).collect::<String>();
    format!("{words}on day {number}")
}

fn admitted(index: &DiskIndex, documents: &[StoredDocument], admission: Admission) -> Vec<String> {
    let added = index.add(documents, OnDuplicate::Replace, admission).expect("an index");
    let named = |addition| match addition {
        Addition::Added { similar } => format!("added beside {}", similar.unwrap_or(99)),
        Addition::Replaced { similar } => format!("replaced beside {}", similar.unwrap_or(99)),
        Addition::Near(near) => format!("refused for {}", near.len()),
        other => format!("{other:?}"),
    };
    added.into_iter().map(named).collect()
}

/// A budget counts what texts say where they are kept, and fingerprints else, in the index and among what comes with
/// it.
#[test]
fn a_budget_takes_so_many_similar_documents() {
    for scheme in [Scheme::MD1, Scheme::SD1] {
        for features in [true, false] {
            let directory = support::directory();
            let settings = support::small().features(features);
            let index = DiskIndex::create(&directory.path().join("index"), scheme, settings);
            let index = index.expect("a new index");
            let other: String = (0..60).map(|n| format!("v{n} ")).collect();
            let texts = vec![day(1), other, day(2), day(3), day(4), day(5)];
            let documents = read(&Engine::default(), scheme, &index, texts);
            let k = if scheme == Scheme::SD1 && !features { Some(12) } else { None };
            let three = Admission::Budget(Budget::of(&index, 3, None, k).expect("options"));
            let case = format!("{scheme}, features {features}");
            assert_eq!(
                admitted(&index, &documents[..3], three),
                ["added beside 0", "added beside 0", "added beside 1"],
                "{case}"
            );
            assert_eq!(
                admitted(&index, &documents[3..], three),
                ["added beside 2", "refused for 3", "refused for 3"],
                "{case}"
            );
            // What is there stays, with what it says now.
            let again = [documents[2].clone(), documents[5].clone()];
            assert_eq!(admitted(&index, &again, three), ["replaced beside 2", "refused for 3"]);
            // What goes makes room.
            assert!(index.remove(&documents[0].id).expect("an index"));
            assert_eq!(
                admitted(&index, &documents[4..], three),
                ["added beside 2", "refused for 3"],
                "{case}"
            );
            assert_eq!(index.len().expect("an index"), 4);
            let nothing = Budget::of(&index, 3, Some(0.9), None);
            assert_eq!(nothing.is_ok(), features, "{case}");
            if features {
                // Of texts that are less alike than is demanded, there may be any number.
                let equal = Admission::Budget(nothing.expect("options"));
                let far = vec![format!("{} {}", day(1), "and more words follow here ".repeat(9))];
                let far = read(&Engine::default(), scheme, &index, far);
                let far = StoredDocument { id: DocumentId::new("far").unwrap(), ..far[0].clone() };
                assert_eq!(admitted(&index, &[far], equal), ["added beside 0"], "{case}");
            }
        }
    }
}

#[test]
fn clients_of_one_budget_take_no_more_together() {
    let directory = support::directory();
    let settings = support::small().features(true);
    let index = DiskIndex::create(&directory.path().join("index"), Scheme::MD1, settings);
    let index = index.expect("a new index");
    let documents = read(&Engine::default(), Scheme::MD1, &index, (0..64).map(day).collect());
    let budget = Admission::Budget(Budget::of(&index, 5, None, None).expect("options"));
    let added: Vec<String> = std::thread::scope(|scope| {
        let index = &index;
        let client = |own: Vec<StoredDocument>| {
            scope.spawn(move || {
                let one = |document: &StoredDocument| {
                    admitted(index, std::slice::from_ref(document), budget)
                };
                own.iter().flat_map(one).collect::<Vec<_>>()
            })
        };
        let clients: Vec<_> = documents.chunks(8).map(|own| client(own.to_vec())).collect();
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    let mut beside: Vec<&str> =
        added.iter().filter_map(|row| row.strip_prefix("added beside ")).collect();
    beside.sort_unstable();
    assert_eq!(beside, ["0", "1", "2", "3", "4"]);
    assert_eq!(index.len().expect("an index"), 5);
}

/// A query by sketches alone misses nothing unless it is content with less.
#[test]
fn a_share_of_what_is_near_goes_by_bands() {
    let directory = support::directory();
    let (index, documents) = filled(&directory.path().join("index"), Scheme::MD1);
    let prints: Vec<Fingerprint> =
        documents.iter().map(|document| document.fingerprint.clone()).collect();
    let near = |search: Search<'_>| {
        let mut found = Vec::new();
        let take = &mut |near: nearprint::NearDocument| {
            found.push((near.query, near.distance, near.id.to_string()));
            std::ops::ControlFlow::Continue(())
        };
        index.near(&NearRequest::new(Queries::Prints(&prints), &search), take).expect("an index");
        found
    };
    let within = || Search::within(89);
    let all = near(within());
    // The tables have 64 bands of 2 positions, which find no more than .998 of these.
    assert_eq!(near(within().recall(Some(0.999))), all);
    let narrow = Some("1x128".parse().expect("bands"));
    let agreeing = near(within().bands(narrow));
    assert!(agreeing.len() < all.len() && agreeing.iter().all(|one| all.contains(one)));
    for found in [
        near(within().recall(Some(0.9))),
        near(within().bands(Some("64x2".parse().expect("bands")))),
    ] {
        assert!(found.iter().all(|one| all.contains(one)));
        let closer = |rows: &[(usize, u32, String)]| {
            rows.iter().filter(|(_, distance, _)| *distance <= 60).cloned().collect::<Vec<_>>()
        };
        assert_eq!(closer(&found), closer(&all));
    }
}
