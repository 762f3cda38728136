//! What a search may use and give out: memory, a temporary file, numbers of pairs; and what it then finds all the same.

use nearprint_fingerprint::{Fingerprint, Scheme};
use nearprint_records::DocumentId;
use nearprint_search::{Expand, PlanChoice};

use super::super::{Search, Sets};
use crate::{Error, ErrorKind, PrintSet, Setting};

/// Prints near a few centres, some equal: what real collections are like, and worse.
fn skewed(count: usize, seed: u64) -> PrintSet {
    let mut state = seed;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let mut set = PrintSet::new(Scheme::SD1);
    for number in 0..count {
        let centre = (next() % 6).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let flips = next() % 7;
        let mut word = (0..flips).fold(centre, |word, _| word ^ 1 << (next() % 64));
        if next() % 3 == 0 {
            word = next() << 40 ^ next() << 20 ^ next();
        }
        let print = Fingerprint::from_u64(Scheme::SD1, word).unwrap();
        set.push(&DocumentId::new(number.to_string()).unwrap(), &print).unwrap();
    }
    set
}

type PairList = Vec<(String, String, u32)>;

fn pairs(
    search: &Search<'_>,
    left: &PrintSet,
    right: Option<&PrintSet>,
) -> Result<PairList, Error> {
    let mut found = Vec::new();
    let take = |row: nearprint_records::PairRow| {
        found.push((row.a.to_string(), row.b.to_string(), row.distance));
        Ok::<_, Error>(())
    };
    search.pairs(Sets::new(left, right), take)?;
    Ok(found)
}

fn by_looking(left: &PrintSet, right: Option<&PrintSet>, k: u32) -> PairList {
    let second = right.unwrap_or(left);
    let mut found = Vec::new();
    for a in 0..left.len() {
        let first = if right.is_some() { 0 } else { a + 1 };
        for b in first..second.len() {
            let distance =
                left.fingerprint(a).unwrap().distance(&second.fingerprint(b).unwrap()).unwrap();
            if distance <= k {
                found.push((left.id(a).into_owned(), second.id(b).into_owned(), distance));
            }
        }
    }
    found
}

/// A search that has to use a temporary file.
fn on_disk(k: u32) -> Search<'static> {
    let mut search = Search::within(k);
    search.most_in_memory = 10;
    search
}

#[test]
fn memory_disk_and_looking_find_the_same_in_the_same_order() {
    let (left, right) = (skewed(400, 1), skewed(300, 2));
    for k in 0..=8 {
        for right in [None, Some(&right)] {
            let wanted = by_looking(&left, right, k);
            assert!(wanted.len() > 50, "{k}: {}", wanted.len());
            assert_eq!(pairs(&Search::within(k), &left, right).unwrap(), wanted, "{k} in memory");
            let bounded = Search::within(k).memory(Some(1 << 30));
            assert_eq!(pairs(&bounded, &left, right).unwrap(), wanted, "{k} bounded");
            let disk = on_disk(k).memory(Some(64 << 20));
            assert_eq!(pairs(&disk, &left, right).unwrap(), wanted, "{k} on disk");
            let mut unsorted = pairs(&on_disk(k).sorted_up_to(None), &left, right).unwrap();
            let mut wanted = wanted;
            unsorted.sort();
            wanted.sort();
            assert_eq!(unsorted, wanted, "{k} unsorted");
        }
        let clusters = Search::within(k).clusters(&left).unwrap();
        assert_eq!(on_disk(k).clusters(&left).unwrap(), clusters, "{k}");
    }
}

#[test]
fn every_plan_finds_the_same() {
    let set = skewed(300, 3);
    let wanted = by_looking(&set, None, 3);
    for plan in ["auto", "draft", "blocks:4", "blocks:6", "multi-index:2", "brute-force"] {
        let plan: PlanChoice = plan.parse().unwrap();
        for search in [Search::within(3), on_disk(3)] {
            let search = search.plan(plan.clone());
            assert_eq!(pairs(&search, &set, None).unwrap(), wanted, "{plan}");
        }
    }
}

#[test]
fn equal_prints_are_given_out_as_asked() {
    let mut set = PrintSet::new(Scheme::SD1);
    for (id, word) in [("a", 7), ("b", 7), ("c", 6), ("d", 7), ("e", 6)] {
        let print = Fingerprint::from_u64(Scheme::SD1, word).unwrap();
        set.push(&DocumentId::new(id).unwrap(), &print).unwrap();
    }
    let ids = |expand| {
        let found = pairs(&Search::within(1).expand(expand), &set, None).unwrap();
        found.into_iter().map(|(a, b, _)| a + &b).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(ids(Expand::AllPairs), "ab ac ad ae bc bd be cd ce de");
    assert_eq!(ids(Expand::Star), "ab ac ad ce");
    assert_eq!(ids(Expand::Representatives), "ac");
}

#[test]
fn more_pairs_than_wanted_are_refused_with_what_to_do() {
    let set = super::equal_prints(3000);
    let expected = 3000 * 2999 / 2;
    let search = |most| Search::within(3).at_most_pairs(Some(most));
    for search in [search(expected - 1), {
        let mut disk = search(expected - 1);
        disk.most_in_memory = 10;
        disk
    }] {
        match pairs(&search, &set, None).unwrap_err() {
            Error::TooManyExpected { expected: pairs, equal, most } => {
                assert_eq!((pairs, equal, most), (expected as f64, Some(pairs), expected - 1));
            }
            error => panic!("{error}"),
        }
    }
    let error = pairs(&search(1000), &set, None).unwrap_err().to_string();
    for part in ["4.5 million pairs", "1000"] {
        assert!(error.contains(part), "{error}");
    }
    // Each equal print once is not too many, and all are not where all may come.
    assert_eq!(pairs(&search(2999).expand(Expand::Star), &set, None).unwrap().len(), 2999);
    assert_eq!(pairs(&search(expected), &set, None).unwrap().len() as u64, expected);
}

#[test]
fn pairs_between_two_sets_are_estimated_too() {
    let (left, right) = (super::equal_prints(500), super::equal_prints(600));
    let search = Search::within(3).at_most_pairs(Some(299_999));
    match pairs(&search, &left, Some(&right)).unwrap_err() {
        Error::TooManyExpected { expected, .. } => assert_eq!(expected, 300_000.0),
        error => panic!("{error}"),
    }
}

#[test]
fn what_does_not_fit_is_refused_with_what_would() {
    let set = super::equal_prints(100);
    let error = pairs(&Search::within(3).memory(Some(1 << 20)), &set, None).unwrap_err();
    assert_eq!((error.kind(), error.setting()), (ErrorKind::Limit, Some(Setting::Memory)));
    assert!(error.to_string().contains("33.6 MB"), "{error}");
    let mut search = on_disk(3).temporary_files_in(Some("/no/such/place".into()));
    search.most_in_memory = 1;
    let error = pairs(&search, &set, None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert_eq!(error.setting(), Some(Setting::TemporaryDirectory));
    assert!(error.to_string().contains("/no/such/place"), "{error}");
}

#[test]
fn an_explanation_says_plan_reason_memory_and_disk() {
    let set = skewed(100, 5);
    let text = Search::within(3).memory(Some(1 << 30)).explain(&set).unwrap();
    for part in
        ["plan      64/3:", "why       the cheapest", "memory    1.1 GB allowed", "expected"]
    {
        assert!(text.contains(part), "{text}");
    }
    let text = on_disk(3).memory(Some(1 << 30)).plan(PlanChoice::Draft).explain(&set).unwrap();
    for part in ["disk      up to", "why       as requested: draft", "expected"] {
        assert!(text.contains(part), "{text}");
    }
    let text = Search::within(3).explain((&set, &skewed(50, 6))).unwrap();
    assert!(text.contains("prints    100 with 50 of 64 bits"), "{text}");
}

#[test]
fn many_queries_are_answered_as_each_alone() {
    let (set, queries) = (skewed(3000, 7), skewed(700, 8));
    for k in [0, 3, 6, 12, 13, 64] {
        let mut wanted = Vec::new();
        for query in 0..queries.len() {
            let id = DocumentId::new(queries.id(query).into_owned()).unwrap();
            wanted.extend(
                Search::within(k).matches(&set, &id, &queries.fingerprint(query).unwrap()).unwrap(),
            );
        }
        let mut searches = vec![Search::within(k), Search::within(k).plan(PlanChoice::BruteForce)];
        if k <= 12 {
            // No room for an index: a join does it.
            searches.push(on_disk(k));
        }
        for search in searches {
            let mut found = Vec::new();
            let count = search
                .matches_of_all(&set, &queries, |row| {
                    found.push(row);
                    Ok::<_, Error>(())
                })
                .unwrap();
            assert_eq!(count, found.len() as u64);
            assert_eq!(found, wanted, "{k}");
        }
    }
}

#[test]
fn more_matches_than_can_be_held_are_given_out_one_query_at_a_time() {
    let (set, queries) = (super::equal_prints(3000), super::equal_prints(600));
    let mut found = 0u64;
    Search::within(1)
        .matches_of_all(&set, &queries, |row| {
            assert_eq!(row.query.as_str(), (found / 3000).to_string());
            assert_eq!(row.id.as_str(), (found % 3000).to_string());
            found += 1;
            Ok::<_, Error>(())
        })
        .unwrap();
    assert_eq!(found, 3000 * 600);
}

#[test]
fn chains_are_measured_from_the_representative() {
    let mut set = PrintSet::new(Scheme::SD1);
    for (number, word) in
        [0u64, 0b1, 0b11, 0b111, u64::MAX, u64::MAX, 1 << 40, 3 << 40].into_iter().enumerate()
    {
        let print = Fingerprint::from_u64(Scheme::SD1, word).unwrap();
        set.push(&DocumentId::new(number.to_string()).unwrap(), &print).unwrap();
    }
    // The last two are one cluster with the first at distance 1.
    let clusters = Search::within(1).clusters(&set).unwrap();
    let chains: Vec<_> = clusters.iter().map(|cluster| (cluster.size, cluster.chain)).collect();
    assert_eq!(chains, [(6, Some(3)), (2, Some(0))]);
}
