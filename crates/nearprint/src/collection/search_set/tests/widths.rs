//! Prints of 32 and 128 bits, which custom schemes have: every search as for 64.

use nearprint_fingerprint::{Fingerprint, Scheme};
use nearprint_records::DocumentId;

use super::super::{Search, Sets};
use crate::{Error, PrintSet};

fn prints(scheme: Scheme, count: u64, seed: u64) -> PrintSet {
    let mut state = seed;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u128::from(state >> 33)
    };
    let mut set = PrintSet::new(scheme);
    for number in 0..count {
        let centre = (next() % 9).wrapping_mul(0x9e37_79b9_7f4a_7c15_d6e8_feb8_6659_fd93);
        let flips = next() % 9;
        let word = (0..flips).fold(centre, |word, _| word ^ 1 << (next() % 128));
        let word = if scheme.positions() == 32 { word >> 96 } else { word };
        let print = Fingerprint::from_u128(scheme, word).unwrap();
        set.push(&DocumentId::new(number.to_string()).unwrap(), &print).unwrap();
    }
    set
}

fn near(left: &PrintSet, right: Option<&PrintSet>, k: u32) -> Vec<String> {
    let second = right.unwrap_or(left);
    let mut found = Vec::new();
    for a in 0..left.len() {
        for b in if right.is_some() { 0 } else { a + 1 }..second.len() {
            let (one, other) = (left.fingerprint(a).unwrap(), second.fingerprint(b).unwrap());
            let distance = one.distance(&other).unwrap();
            if distance <= k {
                found.push(format!("{} {} {distance}", left.id(a), second.id(b)));
            }
        }
    }
    found
}

fn found(search: &Search<'_>, left: &PrintSet, right: Option<&PrintSet>) -> Vec<String> {
    let mut found = Vec::new();
    let take = |row: nearprint_records::PairRow| {
        found.push(format!("{} {} {}", row.a, row.b, row.distance));
        Ok::<_, Error>(())
    };
    search.pairs(Sets::new(left, right), take).unwrap();
    found
}

#[test]
fn pairs_clusters_and_queries_are_exact_at_every_width() {
    for declared in ["custom:words,log,xxh3,32", "custom:words,log,xxh3,128"] {
        let scheme: Scheme = declared.parse().unwrap();
        let (left, right) = (prints(scheme, 400, 1), prints(scheme, 350, 2));
        assert!(left.memory() >= 400 * scheme.bytes() as u64);
        for k in [0, 3, 6] {
            for right in [None, Some(&right)] {
                let wanted = near(&left, right, k);
                assert!(wanted.len() > 20, "{declared} {k}: {}", wanted.len());
                assert_eq!(found(&Search::within(k), &left, right), wanted, "{declared} {k}");
                let mut disk = Search::within(k).memory(Some(64 << 20));
                disk.most_in_memory = 10;
                assert_eq!(found(&disk, &left, right), wanted, "{declared} {k} on disk");
            }
            let query = DocumentId::new("q").unwrap();
            let mut alone = Vec::new();
            for at in 0..right.len() {
                let print = right.fingerprint(at).unwrap();
                let rows = Search::within(k).matches(&left, &query, &print).unwrap();
                alone.extend(rows.iter().map(|row| (at, row.id.to_string(), row.distance)));
            }
            let mut many = Vec::new();
            let take = |row: nearprint_records::MatchRow| {
                many.push((
                    row.query.as_str().parse::<usize>().unwrap(),
                    row.id.to_string(),
                    row.distance,
                ));
                Ok::<_, Error>(())
            };
            Search::within(k).matches_of_all(&left, &right, take).unwrap();
            assert_eq!(many, alone, "{declared} {k}");
            let clusters = Search::within(k).clusters(&left).unwrap();
            assert!(clusters.iter().all(|row| row.size >= 2) && !clusters.is_empty());
        }
        assert!(Search::within(3).explain(&left).unwrap().contains("expected"));
    }
}
