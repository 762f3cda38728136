//! The index against looking at everything.

use crate::SearchedWord;
use proptest::prelude::*;

use super::*;
use crate::join::tests::any_set;
use crate::word::Bits;

/// The truth: documents with their fingerprints.
#[derive(Default)]
struct Oracle<W>(Vec<(u32, W)>);

impl<W: SearchedWord> Oracle<W> {
    fn query(&self, print: W, k: u32) -> Vec<Match> {
        let matches = self
            .0
            .iter()
            .map(|&(document, other)| Match { document, distance: print.hamming_distance(other) });
        let mut matches: Vec<Match> = matches.filter(|found| found.distance <= k).collect();
        matches.sort_unstable();
        matches
    }
}

fn number(n: u64) -> u64 {
    let mixed = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// Fingerprints of which many are close to each other, enough for segments with tables.
fn prints(count: u64) -> Vec<u128> {
    (0..count)
        .map(|n| {
            let wide = |n| u128::from(number(n)) | u128::from(number(!n)) << 64;
            let near = wide(n % (count / 4)) ^ 1 << (n % 61) ^ 1 << (n % 29);
            if n % 3 == 0 { wide(n) } else { near }
        })
        .collect()
}

fn agrees<W: SearchedWord>(prints: &[u128], queries: usize, k: u32) {
    let prints: Vec<W> = prints.iter().map(|&print| <W as Bits>::truncate(print)).collect();
    let index = QueryIndex::build(&prints).expect("few prints");
    let oracle = Oracle((0..).zip(prints.iter().copied()).collect());
    let step = (prints.len() / queries).max(1);
    let asked: Vec<W> = prints.iter().copied().step_by(step).collect();
    let mut answers = vec![Vec::new(); asked.len()];
    index
        .query_batch(&asked, k, &mut |query, found| {
            answers[query].push(found);
            ControlFlow::Continue(())
        })
        .expect("k suits");
    for (&print, mut answer) in asked.iter().zip(answers) {
        answer.sort_unstable();
        assert_eq!(answer, oracle.query(print, k), "{print:?} within {k}");
        assert_eq!(index.query(print, k).expect("k suits"), answer);
    }
}

#[test]
fn all_distances_and_widths_are_exact() {
    let prints = prints(40_000);
    for k in 0..=MAX_QUERY_DISTANCE {
        agrees::<u64>(&prints, 40, k);
        agrees::<u128>(&prints[..20_000], 20, k);
        agrees::<u32>(&prints[..20_000], 10, k);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn small_indexes_are_exact(set in any_set(), k in 0u32..=12) {
        if !set.is_empty() {
            agrees::<u32>(&set, 10, k);
            agrees::<u64>(&set, 10, k);
            agrees::<u128>(&set, 10, k);
        }
    }

    #[test]
    fn insertions_and_removals_are_followed(seed in any::<u64>(), k in 0u32..=6) {
        follows::<u32>(seed, k);
        follows::<u64>(seed, k);
        follows::<u128>(seed, k);
    }
}

/// Inserts and removes, and asks as much of the index as of the oracle.
fn follows<W: SearchedWord>(seed: u64, k: u32) {
    let centre = |n: u64| -> W {
        let wide = u128::from(number(seed ^ (n % 50))) << 64 | u128::from(number(n % 50));
        W::truncate(wide ^ 1 << (n % 64) ^ 1 << (n / 7 % 128))
    };
    let query = |index: &QueryIndex<W>, n| index.query(centre(n), k).expect("k suits");
    let first: Vec<W> = (0..3000).map(centre).collect();
    let mut index = QueryIndex::build(&first).expect("few prints");
    let mut oracle = Oracle((0..).zip(first).collect());
    for n in 3000..7000 {
        index.insert(n as u32, centre(n));
        oracle.0.push((n as u32, centre(n)));
        if n % 3 == 0 {
            // Removing what is there, and what is there no more.
            let at = number(n) as usize % oracle.0.len();
            let (document, print) = oracle.0.swap_remove(at);
            assert!(index.remove(document, print));
            assert!(!index.remove(document, print));
        }
    }
    assert_eq!(index.len(), oracle.0.len());
    for n in 0..20 {
        assert_eq!(query(&index, n), oracle.query(centre(n), k));
    }
    while let Some((document, print)) = oracle.0.pop() {
        assert!(index.remove(document, print));
    }
    assert!(index.is_empty());
    assert!(query(&index, 1).is_empty());
}

#[test]
fn memory_stays_within_24_bytes_beyond_print_and_document() {
    let prints: Vec<u64> = (0..300_000).map(number).collect();
    let index = QueryIndex::build(&prints).expect("few prints");
    let beyond = index.memory() as f64 / prints.len() as f64 - 12.0;
    assert!((0.0..24.0).contains(&beyond), "{beyond} bytes");
}

#[test]
fn a_batch_can_be_ended_and_a_distance_refused() -> Result<(), SearchError> {
    let index = QueryIndex::build(&vec![5u64; 5000])?;
    let mut count = 0;
    index.query_batch(&[5, 5], 3, &mut |_, _| {
        count += 1;
        if count == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    assert_eq!(count, 10);
    assert!(matches!(index.query(5, 13), Err(SearchError::DistanceTooLarge { k: 13, limit: 12 })));
    Ok(())
}
