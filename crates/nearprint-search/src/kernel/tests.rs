//! Every level this machine has finds what `portable` finds.

use proptest::prelude::*;

use super::*;
use crate::word::{Bits, FingerprintWord};

#[derive(Default)]
struct HitList<W>(Vec<(W, W)>);

impl<W: FingerprintWord> HitReceiver<W> for HitList<W> {
    fn hits(&mut self, hits: &[(W, W)]) {
        self.0.extend_from_slice(hits);
    }
    fn stopped(&self) -> bool {
        false
    }
}

fn run<W: FingerprintWord>(work: impl FnOnce(&mut HitBuffer<'_, W>)) -> (Vec<(W, W)>, Vec<u32>) {
    let mut kept = HitList(Vec::new());
    let mut found = HitBuffer::new(&mut kept);
    work(&mut found);
    found.flush();
    let large = std::mem::take(&mut found.large);
    // A kernel may meet the two fingerprints of a pair in either order, and rows in any.
    let mut hits: Vec<(W, W)> =
        kept.0.into_iter().map(|(a, b)| if a <= b { (a, b) } else { (b, a) }).collect();
    hits.sort_unstable();
    (hits, large)
}

/// Holds each level to portable on fingerprints close to each other, so that there are hits.
fn agree<W: FingerprintWord>(seeds: &[u128], cuts: &[usize], k: u32, limit: usize) {
    let items: Vec<W> = seeds.iter().map(|&seed| W::truncate(seed)).collect();
    let mut ends: Vec<u32> = cuts.iter().map(|&cut| cut.min(items.len()) as u32).collect();
    ends.push(items.len() as u32);
    ends.sort_unstable();
    let (left, right) = items.split_at(items.len() / 3);
    let truth = W::kernels().at(SimdLevel::Portable);
    for level in SimdLevel::ALL.into_iter().filter(|level| level.is_available()) {
        let kernels = W::kernels().at(level);
        assert_eq!(
            run(|found| (kernels.within_cells)(&items, &ends, k, limit, found)),
            run(|found| (truth.within_cells)(&items, &ends, k, limit, found)),
            "{level} within cells"
        );
        assert_eq!(
            run(|found| (kernels.across)(left, right, k, found)),
            run(|found| (truth.across)(left, right, k, found)),
            "{level} across"
        );
        let mut start = 0;
        let buckets: Vec<Probe<W>> = ends
            .iter()
            .zip(items.iter().cycle())
            .map(|(&end, &print)| Probe { print, start: std::mem::replace(&mut start, end), end })
            .collect();
        let (mut got, mut want) = (Vec::new(), Vec::new());
        (kernels.probes)(&items, &buckets, k, &mut got);
        (truth.probes)(&items, &buckets, k, &mut want);
        assert_eq!(got, want, "{level} probes");
        for &print in items.iter().take(5) {
            let (mut got, mut want) = (Vec::new(), Vec::new());
            (kernels.one_to_many)(print, &items, k, &mut got);
            (truth.one_to_many)(print, &items, k, &mut want);
            assert_eq!(got, want, "{level} one to many");
        }
    }
}

/// Fingerprints with up to six flips of a few templates, among plain random ones.
fn prints() -> impl Strategy<Value = Vec<u128>> {
    let flips = prop::collection::vec(0u32..128, 0..6);
    let print = prop_oneof![
        (0u128..3, flips).prop_map(|(template, flips)| {
            let base = template.wrapping_mul(0x1234_5678_9abc_def0_0fed_cba9_8765_4321);
            flips.iter().fold(base, |print, bit| print ^ (1 << bit))
        }),
        any::<u128>(),
    ];
    prop::collection::vec(print, 0..120)
}

proptest! {
    #[test]
    fn levels_agree(seeds in prints(), cuts in prop::collection::vec(0usize..120, 0..9), k in 0u32..20, limit in 1usize..130) {
        agree::<u32>(&seeds, &cuts, k, limit);
        agree::<u64>(&seeds, &cuts, k, limit);
        agree::<u128>(&seeds, &cuts, k, limit);
    }
}

/// Where this fails, the level is not checked.
#[cfg(target_arch = "aarch64")]
#[test]
fn aarch64_takes_neon() {
    assert_eq!(SimdLevel::detect(), SimdLevel::Neon);
}

#[test]
fn portable_counts_bits() {
    let items = [0u64, 0b1, 0b111, u64::MAX];
    let (hits, large) = run(|found| {
        (u64::kernels().at(SimdLevel::Portable).within_cells)(&items, &[4], 2, 4, found);
    });
    assert_eq!(hits, [(0, 0b1), (0b1, 0b111)]);
    assert!(large.is_empty());
}

#[test]
fn long_lists_of_hits_are_handed_over_on_the_way() {
    struct Count(usize, usize);
    impl HitReceiver<u64> for Count {
        fn hits(&mut self, hits: &[(u64, u64)]) {
            self.0 += hits.len();
            self.1 = self.1.max(hits.len());
        }
        fn stopped(&self) -> bool {
            self.0 > 20_000
        }
    }
    let items: Vec<u64> = (0..256).collect();
    for level in SimdLevel::ALL.into_iter().filter(|level| level.is_available()) {
        let mut count = Count(0, 0);
        let mut found = HitBuffer::new(&mut count);
        (u64::kernels().at(level).within_cells)(&items, &[256], 8, 256, &mut found);
        found.flush();
        assert!((20_000..256 * 255 / 2).contains(&count.0), "{level} stopped at {}", count.0);
        assert!(count.1 < 4096 + 2 * 256, "{level} handed over {} at once", count.1);
    }
}
