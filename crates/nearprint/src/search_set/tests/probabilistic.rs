//! Probabilistic pairs of texts that were changed a little, against the exact ones.

use nearprint_fingerprint::{Fingerprinted, Scheme, fingerprint};
use nearprint_records::DocumentId;
use nearprint_search::weakest_bits;

use super::super::Search;
use crate::{Error, PrintSet};

/// Texts of some hundred words by rule, each with revisions in which a few words are others.
fn revisions() -> PrintSet {
    let mut state = 11u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut set = PrintSet::new(Scheme::SD1);
    for text in 0..150 {
        let mut words: Vec<usize> = (0..300).map(|_| next() % 2000).collect();
        for revision in 0..6 {
            for _ in 0..4 {
                let at = next() % words.len();
                words[at] = next() % 2000;
            }
            let text_of: String = words.iter().map(|word| format!("w{word}x ")).collect();
            let printed: Fingerprinted = fingerprint(Scheme::SD1, &text_of);
            let id = DocumentId::new(format!("{text}/{revision}")).unwrap();
            set.push(&id, printed.fingerprint().unwrap()).unwrap();
            set.note_weak_bits(weakest_bits(printed.counters()));
        }
    }
    set
}

fn ids(search: &Search<'_>, set: &PrintSet) -> Vec<(String, String)> {
    let mut found = Vec::new();
    search
        .pairs(set, |row| {
            if row.distance > 0 {
                found.push((row.a.to_string(), row.b.to_string()));
            }
            Ok::<_, Error>(())
        })
        .unwrap();
    found
}

#[test]
fn the_expected_share_of_the_exact_pairs_is_found_and_nothing_else() {
    let set = revisions();
    let exact = ids(&Search::within(6), &set);
    assert!(exact.len() > 500, "{}", exact.len());
    let join = Search::within(6).learn(&set, 0.7).unwrap();
    let expected = join.expected_recall();
    assert!(expected >= 0.7, "{expected}");
    let found = ids(&Search::within(6).probabilistic(Some(join)), &set);
    assert!(found.iter().all(|pair| exact.contains(pair)));
    let recall = found.len() as f64 / exact.len() as f64;
    assert!(recall >= expected - 0.03, "{recall} of {expected}");
}

#[test]
fn what_cannot_be_learned_is_told() {
    let mut set = super::equal_prints(10);
    let error = Search::within(3).learn(&set, 0.9).unwrap_err().to_string();
    assert!(error.contains("only 0 of 10 fingerprints have their least certain bits"), "{error}");
    set = revisions();
    let error = Search::within(0).learn(&set, 0.9).unwrap_err().to_string();
    assert!(error.contains("a probabilistic search learns from similar pairs"), "{error}");
}
