//! What every [`Index`], and every collection of [`Documents`](crate::Documents), must do, as checks that any
//! implementation runs in its tests.
//!
//! A long random sequence of operations goes to the index and to a list in the order of addition that is searched by
//! brute force; every answer must be the same. What is read of any collection is compared with what comparing all its
//! documents gives. Failures panic with the seed, the number of the operation and both answers, as test assertions do.

pub mod documents;

use std::ops::ControlFlow;

use nearprint_fingerprint::{CustomScheme, Family, Fingerprint, Scheme};
use nearprint_records::DocumentId;

use super::{Index, InsertCounts, InsertOutcome, MemoryIndex, OnDuplicate};
use crate::{DocumentView, Error, Filter, IndexMatch, Parts};

/// Schemes of every width and family an index may be asked to hold.
///
/// # Panics
/// Never: the declarations are valid.
#[must_use]
pub fn schemes() -> Vec<Scheme> {
    let custom = |declaration: &str| {
        let custom: CustomScheme = declaration.parse().expect("a valid declaration");
        Scheme::custom(custom).expect("a valid scheme")
    };
    vec![
        Scheme::SD1,
        Scheme::MD1,
        custom("custom:words,binary,fnv1a,32"),
        custom("custom:shingles-2,log,xxh3,128"),
    ]
}

/// Runs `operations` random operations on an index, which must be empty, and compares every answer with
/// those of a simple model. The same seed gives the same operations.
///
/// # Panics
/// Where an answer differs.
pub fn check(index: &dyn Index, operations: u64, seed: u64) {
    let mut model = Model::default();
    let mut random = Random(seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15));
    refuses_other_schemes(index);
    for number in 0..operations {
        let at = format!("{} seed {seed} operation {number}", index.scheme());
        step(index, &mut model, &mut random, &at);
    }
    let at = format!("{} seed {seed} at the end", index.scheme());
    compare_all(index, &model, &at);
    merges(index, &mut model, &mut random, &at);
    compare_all(index, &model, &at);
    documents::check(index);
}

/// Documents of other indexes are added whole or not at all, by each rule for ids that are there.
fn merges(index: &dyn Index, model: &mut Model, random: &mut Random, at: &str) {
    let scheme = index.scheme();
    let unlike = if scheme == Scheme::SD1 { Scheme::SL1 } else { Scheme::SD1 };
    let refused = index.merge(&MemoryIndex::new(unlike), OnDuplicate::Replace);
    assert!(matches!(refused, Err(Error::UnlikeSchemes(_))), "{at}: {refused:?}");
    for (_, rule) in OnDuplicate::NAMES {
        let other = MemoryIndex::new(scheme);
        let mut documents = Model::default();
        for _ in 0..40 {
            let (id, fingerprint) = (random.id(), random.fingerprint(scheme));
            documents.insert(&id, &fingerprint, OnDuplicate::Replace);
            other.insert(&id, &fingerprint, OnDuplicate::Replace).expect(at);
        }
        let mut after = model.clone();
        let mut expected = Some(InsertCounts::default());
        for (id, fingerprint) in &documents.0 {
            match (after.insert(id, fingerprint, rule), &mut expected) {
                (Some(inserted), Some(counts)) => counts.count(inserted),
                _ => expected = None,
            }
        }
        match (index.merge(&other, rule), expected) {
            (Ok(counts), Some(expected)) => {
                assert_eq!(counts, expected, "{at}: merge {rule}");
                *model = after;
            }
            (Err(Error::DuplicateId { .. }), None) => {}
            (other, expected) => panic!("{at}: merge {rule}: {other:?}, not {expected:?}"),
        }
        compare_all(index, model, at);
        assert_eq!(visited(&other), documents.0, "{at}: the other index stays as it is");
    }
}

/// Compares all documents of an index with those expected, and each one's neighbours within 3.
///
/// # Panics
/// Where an answer differs.
fn compare_all(index: &dyn Index, model: &Model, at: &str) {
    assert_eq!(index.len().expect(at), model.0.len() as u64, "{at}: len");
    assert_eq!(visited(index), model.0, "{at}: visit");
    for (id, fingerprint) in &model.0 {
        assert_eq!(get(index, id, at).as_ref(), Some(fingerprint), "{at}: get {id}");
        let expected = model.query(fingerprint, 3);
        assert_eq!(index.query(fingerprint, 3).expect(at), expected, "{at}: query {fingerprint}");
    }
}

/// The fingerprint of a document.
fn get(index: &dyn Index, id: &DocumentId, at: &str) -> Option<Fingerprint> {
    index.get(id, &Parts::default()).expect(at).map(|document| document.fingerprint)
}

/// All documents in the order in which they are visited.
fn visited(index: &dyn Index) -> Vec<(DocumentId, Fingerprint)> {
    let mut all = Vec::new();
    let visit = &mut |document: DocumentView| {
        all.push((document.id, document.fingerprint));
        ControlFlow::Continue(())
    };
    index.visit(&Parts::default(), Filter::all(), visit).expect("a whole index");
    all
}

/// The documents in the order of addition, searched by brute force.
#[derive(Debug, Default, Clone)]
struct Model(Vec<(DocumentId, Fingerprint)>);

impl Model {
    fn position(&self, id: &DocumentId) -> Option<usize> {
        self.0.iter().position(|(other, _)| other == id)
    }

    fn get(&self, id: &DocumentId) -> Option<&Fingerprint> {
        self.position(id).map(|at| &self.0[at].1)
    }

    fn remove(&mut self, id: &DocumentId) -> bool {
        self.position(id).map(|at| self.0.remove(at)).is_some()
    }

    fn query(&self, fingerprint: &Fingerprint, k: u32) -> Vec<IndexMatch> {
        let near = self.0.iter().filter_map(|(id, other)| {
            let distance = fingerprint.distance(other).ok()?;
            (distance <= k).then(|| IndexMatch { id: id.clone(), distance })
        });
        let mut near: Vec<_> = near.collect();
        // Stable: equally near ones stay in the order of addition.
        near.sort_by_key(|near| near.distance);
        near
    }

    fn insert(
        &mut self,
        id: &DocumentId,
        fingerprint: &Fingerprint,
        on_duplicate: OnDuplicate,
    ) -> Option<InsertOutcome> {
        let inserted = match (self.position(id).is_some(), on_duplicate) {
            (true, OnDuplicate::Refuse) => return None,
            (true, OnDuplicate::Skip) => return Some(InsertOutcome::Skipped),
            (true, OnDuplicate::Replace) => InsertOutcome::Replaced,
            (false, _) => InsertOutcome::Added,
        };
        self.remove(id);
        self.0.push((id.clone(), fingerprint.clone()));
        Some(inserted)
    }
}

fn step(index: &dyn Index, model: &mut Model, random: &mut Random, at: &str) {
    let rules = OnDuplicate::NAMES.map(|(_, rule)| rule);
    match random.below(20) {
        0..8 => {
            let (id, fingerprint) = (random.id(), random.fingerprint(index.scheme()));
            let rule = rules[random.below(3) as usize];
            let expected = model.insert(&id, &fingerprint, rule);
            match (index.insert(&id, &fingerprint, rule), expected) {
                (Ok(inserted), Some(expected)) => assert_eq!(inserted, expected, "{at}: {id}"),
                (Err(Error::DuplicateId { id: named }), None) => assert_eq!(named, id, "{at}"),
                (other, expected) => panic!("{at}: insert {id}: {other:?}, not {expected:?}"),
            }
        }
        8..10 => insert_batch(index, model, random, rules[random.0 as usize % 3], at),
        10..13 => {
            let id = random.id();
            let expected = model.remove(&id);
            assert_eq!(index.remove(&id).expect(at), expected, "{at}: remove {id}");
        }
        13..15 => {
            let id = random.id();
            assert_eq!(get(index, &id, at).as_ref(), model.get(&id), "{at}: get {id}");
        }
        15..19 => {
            let fingerprint = random.fingerprint(index.scheme());
            let all = index.scheme().positions();
            let k = [0, 1, 3, 6, 12, 13, all][random.below(7) as usize];
            let found = index.query(&fingerprint, k).expect(at);
            assert_eq!(found, model.query(&fingerprint, k), "{at}: query {fingerprint} within {k}");
        }
        _ => {
            let scheme = index.scheme();
            let asked: Vec<_> = (0..random.below(5)).map(|_| random.fingerprint(scheme)).collect();
            let expected: Vec<_> = asked.iter().map(|print| model.query(print, 3)).collect();
            assert_eq!(index.query_batch(&asked, 3).expect(at), expected, "{at}: a batch");
            assert_eq!(index.len().expect(at), model.0.len() as u64, "{at}: len");
            assert_eq!(index.is_empty().expect(at), model.0.is_empty(), "{at}: is_empty");
        }
    }
}

/// A batch is inserted whole or not at all.
fn insert_batch(
    index: &dyn Index,
    model: &mut Model,
    random: &mut Random,
    rule: OnDuplicate,
    at: &str,
) {
    let scheme = index.scheme();
    let documents: Vec<_> =
        (0..random.below(6)).map(|_| (random.id(), random.fingerprint(scheme))).collect();
    let mut after = model.clone();
    let mut expected = Some(InsertCounts::default());
    for (id, fingerprint) in &documents {
        match (after.insert(id, fingerprint, rule), &mut expected) {
            (Some(inserted), Some(counts)) => counts.count(inserted),
            _ => expected = None,
        }
    }
    match (index.insert_batch(&documents, rule), expected) {
        (Ok(counts), Some(expected)) => {
            assert_eq!(counts, expected, "{at}: a batch");
            *model = after;
        }
        (Err(Error::DuplicateId { .. }), None) => {}
        (other, expected) => panic!("{at}: a batch: {other:?}, not {expected:?}"),
    }
}

/// A fingerprint of another scheme is refused by every operation that takes one.
fn refuses_other_schemes(index: &dyn Index) {
    let other = if index.scheme() == Scheme::SD1 { Scheme::SL1 } else { Scheme::SD1 };
    let print = Fingerprint::from_u64(other, 1).expect("64 bits");
    let id = DocumentId::new("other").expect("short and plain");
    let refused = |answer: Result<(), Error>| {
        assert!(matches!(answer, Err(Error::UnlikeSchemes(_))), "{other}: {answer:?}");
    };
    refused(index.insert(&id, &print, OnDuplicate::Replace).map(drop));
    refused(index.insert_batch(&[(id.clone(), print.clone())], OnDuplicate::Skip).map(drop));
    refused(index.query(&print, 3).map(drop));
    assert_eq!(get(index, &id, "a look-up"), None, "nothing was inserted");
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine.
#[derive(Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// One of some hundred ids, so that they meet again: short ones, addresses, the longest there may be.
    fn id(&mut self) -> DocumentId {
        let number = self.below(120);
        let id = match number % 4 {
            0 => format!("{number}"),
            1 => format!("https://example.org/a?b={number}&c=ü"),
            2 => format!("日本語 {number}"),
            _ => format!("{number:04}{}", "x".repeat(4092)),
        };
        DocumentId::new(id).expect("a valid id")
    }

    /// A fingerprint within some bits of one of eight centres, so that neighbours are many.
    fn fingerprint(&mut self, scheme: Scheme) -> Fingerprint {
        let centre = self.below(8);
        let mut centred = Random(centre << 32);
        let flips = self.below(7);
        if scheme.family() == Family::Sketch {
            let mut sketch: [u16; 128] = std::array::from_fn(|_| centred.next() as u16);
            (0..flips).for_each(|_| sketch[self.below(128) as usize] = self.next() as u16);
            return Fingerprint::from_sketch(scheme, sketch).expect("a sketch");
        }
        let width = scheme.positions();
        let word = u128::from(centred.next()) << 64 | u128::from(centred.next());
        let mut word = word >> (128 - width);
        (0..flips).for_each(|_| word ^= 1 << self.below(width.into()));
        Fingerprint::from_u128(scheme, word).expect("as wide as the scheme")
    }
}
