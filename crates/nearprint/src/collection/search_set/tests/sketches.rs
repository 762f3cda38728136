//! Searches of sketches, in memory and not: the same pairs, matches and clusters.

use std::sync::Mutex;

use nearprint_fingerprint::{Fingerprint, Scheme};
use nearprint_records::DocumentId;
use nearprint_search::{Bands, PlanChoice};

use super::super::{Search, Sets};
use crate::{Error, PrintSet};

/// Sketches near a few centres, some equal, in memory or in a file.
fn sketches(count: usize, seed: u64, on_disk: bool) -> PrintSet {
    let mut state = seed;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut set = if on_disk {
        PrintSet::within(Scheme::MD1, 0, std::env::temp_dir())
    } else {
        PrintSet::new(Scheme::MD1)
    };
    for number in 0..count {
        let centre = next() % 5 * 1000;
        let mut sketch: [u16; 128] = std::array::from_fn(|at| (centre + at) as u16);
        for _ in 0..next() % 130 {
            sketch[next() % 128] = next() as u16;
        }
        let print = Fingerprint::from_sketch(Scheme::MD1, sketch).unwrap();
        set.push(&DocumentId::new(number.to_string()).unwrap(), &print).unwrap();
    }
    assert_eq!(set.on_disk() > 0, on_disk && count > 0);
    set
}

fn pairs(search: &Search<'_>, left: &PrintSet, right: Option<&PrintSet>) -> Vec<String> {
    let mut found = Vec::new();
    let take = |row: nearprint_records::PairRow| {
        found.push(format!("{} {} {}", row.a, row.b, row.distance));
        Ok::<_, Error>(())
    };
    search.pairs(Sets::new(left, right), take).unwrap();
    found
}

#[test]
fn sets_in_memory_and_in_a_file_give_the_same_answers() {
    let (held, stored) = (sketches(1500, 3, false), sketches(1500, 3, true));
    let (other, other_stored) = (sketches(1200, 4, false), sketches(1200, 4, true));
    let search = || Search::within(60).bands(Some(Bands::new(42, 3).unwrap()));
    let wanted = pairs(&search(), &held, None);
    assert!(wanted.len() > 1000, "{}", wanted.len());
    let bounded = || search().memory(Some(64 << 20));
    assert_eq!(pairs(&bounded(), &held, None), wanted);
    assert_eq!(pairs(&bounded(), &stored, None), wanted);
    assert_eq!(pairs(&search(), &stored, None), wanted);
    let between = pairs(&search(), &held, Some(&other));
    assert!(between.len() > 1000, "{}", between.len());
    for (left, right) in [(&held, &other_stored), (&stored, &other), (&stored, &other_stored)] {
        assert_eq!(pairs(&bounded(), left, Some(right)), between);
    }
    let clusters = search().clusters(&held).unwrap();
    assert_eq!(bounded().clusters(&stored).unwrap(), clusters);
    let query = DocumentId::new("q").unwrap();
    let print = other.fingerprint(7).unwrap();
    let near = search().matches(&held, &query, &print).unwrap();
    assert!(near.len() > 10, "{}", near.len());
    assert_eq!(search().matches(&stored, &query, &print).unwrap(), near);
}

#[test]
fn bands_follow_the_recall_wanted_and_are_explained() {
    let set = sketches(1500, 5, true);
    let text = Search::within(64).recall(Some(0.99)).memory(Some(1 << 30)).explain(&set).unwrap();
    for part in [
        "sketches  1500\n",
        "find 0.99 of the pairs with similarity 0.50",
        "0.5: 0.99",
        "candidates",
        "at most 50.0 million for each value of a band",
        "kB hold sketches",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = Search::within(64).bands("20x5".parse().ok()).explain(&set).unwrap();
    assert!(text.contains("bands     20x5\nwhy       as requested"), "{text}");
}

#[test]
fn what_was_not_compared_is_told() {
    let mut set = PrintSet::new(Scheme::MD1);
    for number in 0..300u16 {
        let mut sketch = [7; 128];
        sketch[0] = number;
        let print = Fingerprint::from_sketch(Scheme::MD1, sketch).unwrap();
        set.push(&DocumentId::new(number.to_string()).unwrap(), &print).unwrap();
    }
    let told = Mutex::new(Vec::new());
    let search = |most| {
        Search::within(10)
            .comparisons_in_bucket(most)
            .told_of_left_out(|report| told.lock().unwrap().push(report.clone()))
    };
    assert_eq!(pairs(&search(None), &set, None).len(), 300 * 299 / 2);
    assert_eq!(told.lock().unwrap().len(), 0);
    // Of each value the first three are compared with all.
    assert_eq!(pairs(&search(Some(1000)), &set, None).len(), 299 + 298 + 297);
    let told = told.lock().unwrap();
    assert_eq!((told[0].largest_bucket, told[0].left_out > 0), (300, true));
}

#[test]
fn queries_of_sketches_are_compared_with_all_or_looked_up_by_bands() {
    let (held, stored) = (sketches(1300, 5, false), sketches(1300, 5, true));
    let queries = sketches(700, 6, false);
    let answers = |search: &Search<'_>, set: &PrintSet| {
        let mut found = Vec::new();
        let number = search.matches_of_all(set, &queries, |row| {
            found.push((row.query.to_string(), row.distance, row.id.to_string()));
            Ok::<_, Error>(())
        });
        assert_eq!(number.unwrap(), found.len() as u64);
        found
    };
    let mut wanted = Vec::new();
    for query in 0..queries.len() {
        let print = queries.fingerprint(query).unwrap();
        let id = queries.document_id(query);
        let near = Search::within(60).matches(&held, &id, &print).unwrap();
        wanted.extend(near.iter().map(|row| (id.to_string(), row.distance, row.id.to_string())));
    }
    assert!(wanted.len() > 1000, "{}", wanted.len());
    let all = Search::within(60);
    assert_eq!(all.query_bands(&held, 700), None);
    assert_eq!(answers(&all, &held), wanted);
    assert_eq!(answers(&all, &stored), wanted);
    assert!(all.query_bands(&held, 4_000_000).is_some(), "that would take minutes");
    let by_bands = Search::within(60).recall(Some(0.99));
    assert!(by_bands.query_bands(&held, 700).unwrap().chance(1.0 - 60.0 / 128.0) >= 0.99);
    let found = answers(&by_bands, &stored);
    assert!(
        found.len() as f64 >= 0.99 * wanted.len() as f64,
        "{} of {}",
        found.len(),
        wanted.len()
    );
    assert!(found.iter().all(|row| wanted.contains(row)));
    assert!(
        found.is_sorted_by_key(|(query, distance, _)| (query.parse::<u32>().unwrap(), *distance))
    );
    let asked = Search::within(60).recall(Some(0.99)).plan(PlanChoice::BruteForce);
    assert_eq!((asked.query_bands(&held, 700), answers(&asked, &held)), (None, wanted));
}

#[test]
fn brute_force_finds_every_pair_of_sketches() {
    let (held, stored) = (sketches(300, 7, false), sketches(300, 7, true));
    let other = sketches(200, 8, false);
    let search = |k| Search::within(k).plan(PlanChoice::BruteForce);
    // More than one value of a band may make, and pairs that agree nowhere.
    let search_all = || search(128).comparisons_in_bucket(Some(10));
    assert_eq!(pairs(&search_all(), &held, None).len(), 300 * 299 / 2);
    assert_eq!(pairs(&search_all(), &stored, None).len(), 300 * 299 / 2);
    assert_eq!(pairs(&search_all(), &held, Some(&other)).len(), 300 * 200);
    let mut near = 0;
    for a in 0..held.len() {
        let (id, print) = (held.document_id(a), held.fingerprint(a).unwrap());
        let found = search(100).matches(&held, &id, &print).unwrap();
        near += found.iter().filter(|row| row.id != id).count();
    }
    assert_eq!(pairs(&search(100), &held, None).len(), near / 2);
    assert!(search(100).explain(Sets::new(&held, None)).unwrap().contains("all are compared"));
}
