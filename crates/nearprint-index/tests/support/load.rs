//! A mixed load on an index that keeps features and texts: operations that are the same for the same number, the model
//! they change, and what an index must answer after them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use nearprint::fingerprint::{Family, Fingerprint, Scheme};
use nearprint::records::{Document, DocumentId, ErrorRecord};
use nearprint::search::Measure;
use nearprint::{
    Candidates, CaptureKey, Dedup, Documents, Engine, Error, Filter, IndexMatch, NearRequest,
    OnDuplicate, Relation, Settings, Verification, VerifiedQuery, metadata_field,
};
use nearprint_index::{
    CaptureRange, DiskIndex, KeptFeatures, MetadataChange, NewInsertions, StoredCapture,
    StoredDocument, StoredText,
};

/// Numbers that look random; the same ones for the same seed.
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// What an index must hold: documents in the order of insertion.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Model {
    next: u64,
    documents: BTreeMap<u64, StoredDocument>,
    places: BTreeMap<DocumentId, u64>,
}

/// One operation.
#[derive(Debug, Clone)]
pub(crate) enum Operation {
    Insert(Vec<StoredDocument>, OnDuplicate),
    /// Only those that lie within this distance of no other that they duplicate.
    InsertNew(Vec<StoredDocument>, u32),
    /// What is set follows from the number.
    ChangeMetadata(Vec<DocumentId>, u64),
    Remove(Vec<DocumentId>),
    /// Those of one crawl.
    RemoveWhere(String),
}

/// Makes operations on an index of a scheme, with features that were extracted once.
#[derive(Debug)]
pub(crate) struct Load {
    scheme: Scheme,
    features: Vec<KeptFeatures>,
}

/// Addresses of captures.
const URLS: u64 = 9;
/// Digests of payloads.
const DIGESTS: u64 = 30;

fn id(number: u64) -> DocumentId {
    DocumentId::new(format!("https://example.org/{number}")).unwrap()
}

/// A fingerprint of a scheme near those of numbers that are equal modulo 50.
pub(crate) fn print_of(scheme: Scheme, number: u64) -> Fingerprint {
    if scheme.family() == Family::Simhash {
        return print(number);
    }
    let (mut centre, mut own) = (Random(number % 50), Random(number + 1000));
    let mut sketch: [u16; 128] = std::array::from_fn(|_| centre.below(1 << 16) as u16);
    for _ in 0..own.below(90) {
        sketch[own.below(128) as usize] = own.below(1 << 16) as u16;
    }
    // A template that a third of all have.
    if number.is_multiple_of(3) {
        sketch[4..10].fill(7);
    }
    Fingerprint::from_sketch(scheme, sketch).unwrap()
}

/// The same of 64 bits.
pub(crate) fn print(number: u64) -> Fingerprint {
    let mix = |n: u64| n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let word = mix(number % 50) ^ 1 << (mix(number) >> 58) ^ 1 << (mix(number ^ 99) >> 58);
    Fingerprint::from_u64(Scheme::SD1, word).unwrap()
}

/// A text of some words, or of many, with main content in it or without.
fn text(number: u64) -> StoredText {
    let words = if number.is_multiple_of(7) { 900 } else { number % 40 };
    let text: String = (0..words).map(|n| format!("w{} ", number * 31 + n)).collect();
    let middle = text.len() / 2;
    let main_content = match number % 2 {
        0 => Vec::new(),
        _ => vec![0..middle / 2, middle..text.len()],
    };
    StoredText { text, main_content }
}

fn digest(number: u64) -> String {
    format!("sha1:{number:03}")
}

impl Load {
    /// Operations for an index that keeps features.
    pub(crate) fn of(index: &DiskIndex) -> Self {
        let mut source = (0..16).map(|number| {
            let words: String = (0..30).map(|n| format!("w{} ", number * 20 + n)).collect();
            Ok::<_, ErrorRecord>(Document::from_bytes(id(number), words))
        });
        let (engine, scheme) = (Engine::default(), index.scheme());
        let mut features = Vec::new();
        let pipeline = engine.pipeline(Settings::default().scheme(scheme));
        let read = pipeline.read(&mut source, &index.wanted(), |record, made, _| {
            let document = StoredDocument::of_record(&record, made);
            features.extend(document.and_then(|document| document.features));
            Ok::<_, Error>(())
        });
        read.unwrap();
        assert_eq!(features.len(), 16, "the index keeps features");
        Self { scheme, features }
    }

    /// A document of this id, with other content for every `content`.
    pub(crate) fn document(&self, name: u64, content: u64) -> StoredDocument {
        let mut random = Random(name ^ content << 20);
        let capture = (random.below(4) > 0).then(|| CaptureKey {
            url_key: format!("org,example)/{}", random.below(URLS)),
            date: (random.below(8) > 0).then(|| format!("2026{:02}01000000", 1 + random.below(12))),
            payload_digest: (random.below(3) > 0).then(|| digest(random.below(DIGESTS))),
        });
        StoredDocument {
            time: content,
            extractor: Some("text/9".to_owned()),
            metadata: (random.below(3) > 0)
                .then(|| format!(r#"{{"crawl":"2026-{:02}"}}"#, random.below(9))),
            capture,
            features: Some(self.some_features(&mut random)),
            text: (random.below(5) > 0).then(|| text(random.below(3000))),
            ..StoredDocument::new(id(name), print_of(self.scheme, random.below(500)))
        }
    }

    fn some_features(&self, random: &mut Random) -> KeptFeatures {
        self.features[random.below(self.features.len() as u64) as usize].clone()
    }

    /// Operation `number`.
    pub(crate) fn operation(&self, number: u64) -> Operation {
        let mut random = Random(number.wrapping_mul(977) + 5);
        let (kind, many) = (random.below(32), random.below(3) == 0);
        let count = 1 + if many { random.below(40) } else { random.below(3) };
        let names: Vec<u64> = (0..count).map(|_| random.below(300)).collect();
        let documents = || {
            let documents = names.iter().enumerate();
            documents.map(|(n, &name)| self.document(name, number * 64 + n as u64)).collect()
        };
        match kind {
            0 => Operation::RemoveWhere(format!("2026-{:02}", random.below(9))),
            1..=3 => Operation::ChangeMetadata(names.iter().copied().map(id).collect(), number),
            4..=8 => Operation::Remove(names.iter().copied().map(id).collect()),
            9..=12 => Operation::InsertNew(documents(), random.below(3) as u32),
            13..=16 => Operation::Insert(documents(), OnDuplicate::Skip),
            _ => Operation::Insert(documents(), OnDuplicate::Replace),
        }
    }
}

/// Whether a document duplicates another one, by the rule of `dedup`.
fn duplicates(other: &StoredDocument, document: &StoredDocument) -> bool {
    let [other, document] = [other, document].map(|one| {
        one.features.as_ref().expect("all documents of the load have them").features.unpack()
    });
    Dedup::default().rule().relation(&other, &document) == Relation::Duplicate
}

/// What a change of metadata sets: sometimes nothing.
fn new_metadata(number: u64) -> Option<String> {
    (!number.is_multiple_of(4))
        .then(|| format!(r#"{{"crawl":"2026-{:02}","n":{number}}}"#, number % 9))
}

fn of_crawl(crawl: &str) -> Filter {
    [format!("crawl={crawl}").parse().unwrap()].into_iter().collect()
}

fn is_of_crawl(document: &StoredDocument, crawl: &str) -> bool {
    let metadata = document.metadata.as_deref();
    metadata.and_then(|metadata| metadata_field(metadata, "crawl")).as_deref() == Some(crawl)
}

/// The verified matches of a query, as an index gives them.
pub(crate) fn verified_matches(
    documents: &dyn Documents,
    query: &VerifiedQuery,
    candidates: Candidates,
) -> Result<Vec<(IndexMatch, f64)>, Error> {
    let search = candidates.search();
    let request = NearRequest::new(query, &search);
    let request = NearRequest { candidates: Some(candidates), ..request };
    let mut found = Vec::new();
    documents.near(&request, &mut |near| {
        let similarity = near.similar.expect("texts are compared").similarity;
        found.push((IndexMatch { id: near.id, distance: near.distance }, similarity));
        ControlFlow::Continue(())
    })?;
    Ok(found)
}

impl Operation {
    pub(crate) fn on_index(&self, index: &DiskIndex) {
        match self {
            Self::Insert(documents, policy) => {
                index.insert_documents(documents, *policy).unwrap();
            }
            Self::InsertNew(documents, k) => {
                let NewInsertions { known, .. } =
                    index.insert_new(documents, *k, OnDuplicate::Replace).unwrap();
                assert!(known.iter().all(|(_, near)| !near.is_empty()));
            }
            Self::ChangeMetadata(ids, number) => {
                let metadata = new_metadata(*number);
                let object = metadata.map(|text| serde_json::from_str(&text).unwrap());
                index.change_metadata(ids, &MetadataChange::Replace(object)).unwrap();
            }
            Self::Remove(ids) => drop(index.remove_batch(ids).unwrap()),
            Self::RemoveWhere(crawl) => drop(index.remove_where(&of_crawl(crawl)).unwrap()),
        }
    }

    pub(crate) fn on_model(&self, model: &mut Model) {
        match self {
            Self::Insert(documents, policy) => {
                for document in documents {
                    if *policy == OnDuplicate::Replace || !model.places.contains_key(&document.id) {
                        model.put(document);
                    }
                }
            }
            Self::InsertNew(documents, k) => {
                for document in documents {
                    let is_near = |other: &StoredDocument| {
                        let distance = document.fingerprint.distance(&other.fingerprint).unwrap();
                        distance <= *k && other.id != document.id && duplicates(other, document)
                    };
                    if !model.documents.values().any(is_near) {
                        model.put(document);
                    }
                }
            }
            Self::ChangeMetadata(ids, number) => {
                for id in ids {
                    let place = model.places.get(id);
                    if let Some(document) = place.and_then(|place| model.documents.get_mut(place)) {
                        document.metadata = new_metadata(*number);
                    }
                }
            }
            Self::Remove(ids) => ids.iter().for_each(|id| model.remove(id)),
            Self::RemoveWhere(crawl) => {
                let of_crawl = model.documents.values().filter(|one| is_of_crawl(one, crawl));
                let ids: Vec<_> = of_crawl.map(|one| one.id.clone()).collect();
                ids.iter().for_each(|id| model.remove(id));
            }
        }
    }
}

impl Model {
    pub(crate) fn put(&mut self, document: &StoredDocument) {
        self.remove(&document.id);
        self.places.insert(document.id.clone(), self.next);
        self.documents.insert(self.next, document.clone());
        self.next += 1;
    }

    fn remove(&mut self, id: &DocumentId) {
        if let Some(place) = self.places.remove(id) {
            self.documents.remove(&place);
        }
    }

    /// Whether an index holds these documents, in this order, with all that belongs to them.
    pub(crate) fn is_content_of(&self, index: &DiskIndex) -> bool {
        let mut expected = self.documents.values();
        let mut are_equal = true;
        let visited = index.for_each_whole(|document| {
            are_equal &= expected.next() == Some(&document);
            Ok::<_, Error>(())
        });
        visited.unwrap();
        are_equal && expected.next().is_none()
    }

    /// Compares answers of an index with those of brute force; `number` says which questions are asked.
    pub(crate) fn compare(&self, index: &DiskIndex, number: u64) {
        assert_eq!(index.len().unwrap(), self.documents.len() as u64);
        let mut random = Random(number);
        self.compare_queries(index, &mut random);
        self.compare_verified(index, &mut random);
        self.compare_captures(index, &mut random);
        let crawl = format!("2026-{:02}", random.below(9));
        let mut found = Vec::new();
        let visited = index.for_each_where(&of_crawl(&crawl), |document| {
            found.push(document.id);
            Ok::<_, Error>(())
        });
        visited.unwrap();
        assert_eq!(found, self.ids(|document| is_of_crawl(document, &crawl)));
        for name in (0..5).map(|_| id(random.below(300))) {
            let expected = self.places.get(&name).map(|place| &self.documents[place]);
            assert_eq!(index.document(&name).unwrap().as_ref(), expected);
        }
        let listed = index.list(id(1).as_str(), None, 50).unwrap();
        let listed: Vec<_> = listed.into_iter().map(|document| document.id).collect();
        let expected = self.places.keys().filter(|one| one.as_str().starts_with(id(1).as_str()));
        assert_eq!(listed, expected.take(50).cloned().collect::<Vec<_>>());
    }

    fn compare_queries(&self, index: &DiskIndex, random: &mut Random) {
        let distances: &[u32] = match index.scheme().family() {
            Family::Simhash => &[0, 1, 2, 3, 4, 5, 6],
            _ => &[0, 3, 40, 63, 64, 90, 128],
        };
        for &k in distances {
            let asked = print_of(index.scheme(), random.below(600));
            let near = self.documents.values().filter_map(|document| {
                let distance = asked.distance(&document.fingerprint).unwrap();
                (distance <= k).then(|| IndexMatch { id: document.id.clone(), distance })
            });
            let mut expected: Vec<_> = near.collect();
            expected.sort_by_key(|near| near.distance);
            assert_eq!(index.query(&asked, k).unwrap(), expected, "k {k}");
        }
    }

    /// Compares verified answers with those documents that bands propose and texts confirm.
    fn compare_verified(&self, index: &DiskIndex, random: &mut Random) {
        let Some(some) = self.documents.values().next() else { return };
        let features = some.features.as_ref().unwrap().features.unpack();
        let print = print_of(index.scheme(), random.below(600));
        let query = VerifiedQuery::new(some.id.clone(), print, features);
        // Bands of 2 rows, of 3, and of one.
        let thresholds =
            [(Measure::Jaccard, 0.3), (Measure::Jaccard, 0.6), (Measure::Containment, 0.8)];
        for (measure, at) in thresholds {
            let verification = Verification::new(measure).at(at);
            let candidates = Candidates::by(index.scheme(), verification);
            let passed = self.documents.values().filter_map(|document| {
                let distance = query.fingerprint().distance(&document.fingerprint).unwrap();
                let sketches =
                    [query.fingerprint(), &document.fingerprint].map(Fingerprint::as_sketch);
                let agree = match (candidates.used_bands(), sketches) {
                    (Some(bands), [Some(a), Some(b)]) => bands.agree(a, b),
                    _ => true,
                };
                let features = document.features.as_ref().unwrap().features.unpack();
                let similarity = verification.verified(query.features(), &features)?;
                (agree && distance <= candidates.distance())
                    .then(|| (IndexMatch { id: document.id.clone(), distance }, similarity))
            });
            let mut expected: Vec<_> = passed.collect();
            expected.sort_by_key(|(near, _)| near.distance);
            expected.sort_by(|(_, a), (_, b)| b.total_cmp(a));
            let found = verified_matches(index, &query, candidates).unwrap();
            assert_eq!(found, expected, "{candidates:?}");
        }
    }

    fn compare_captures(&self, index: &DiskIndex, random: &mut Random) {
        let url = random.below(URLS);
        let (key, from) = (format!("org,example)/{url}"), format!("2026{:02}", random.below(13)));
        let range = CaptureRange::of_url(&format!("http://www.example.org/{url}")).from(&*from);
        let captures = self.documents.values().filter_map(|document| {
            let capture = document.capture.as_ref()?;
            let date = capture.date.clone().unwrap_or_default();
            (capture.url_key == key && date >= from).then(|| (date, document.id.clone()))
        });
        let mut captures: Vec<_> = captures.collect();
        captures.sort_by(|a, b| a.0.cmp(&b.0));
        let ids = |found: Vec<StoredCapture>| {
            found.into_iter().map(|found| found.document.id).collect::<Vec<_>>()
        };
        let expected: Vec<_> = captures.into_iter().map(|(_, id)| id).collect();
        assert_eq!(ids(index.captures(&range, None, usize::MAX).unwrap()), expected);
        let payload = digest(random.below(DIGESTS));
        let expected = self.ids(|document| {
            let capture = document.capture.as_ref();
            capture.and_then(|capture| capture.payload_digest.as_ref()) == Some(&payload)
        });
        assert_eq!(ids(index.with_payload_digest(&payload, usize::MAX).unwrap()), expected);
    }

    fn ids(&self, wanted: impl Fn(&StoredDocument) -> bool) -> Vec<DocumentId> {
        let documents = self.documents.values().filter(|document| wanted(document));
        documents.map(|document| document.id.clone()).collect()
    }
}
