//! What to do with a bucket that is far larger than the plan thought: cut it by other blocks.
//!
//! Fingerprints of one template agree in most bits, and in whole blocks of any plan made without seeing them.
//! Here the bits that do tell the bucket's fingerprints apart are found from a sample and dealt into as many
//! blocks as are needed; their worth is measured on all the bucket's fingerprints before it is decided whether
//! cutting or comparing is cheaper. Fingerprints that are truly close to each other gain nothing from any cut,
//! and their pairs are the answer anyway.

use super::tree::{Key, PathTest, Step, Table};
use super::worker::Bucket;
use crate::cost::Steps;
use crate::word::{Bits, FingerprintWord};

/// Fingerprints examined to find the bits that differ.
const SAMPLE: usize = 512;

/// A chain for the bucket whose pairs pass `test`, or nothing if comparing all of them is cheaper.
pub(super) fn subdivide<W: FingerprintWord>(
    test: &PathTest<W>,
    bucket: Bucket<'_, W>,
    steps: &Steps,
    k: u32,
) -> Option<Vec<Table<W>>> {
    let (free, left) = free_bits(test, k);
    let blocks = left + 1;
    let mut bits = telling_bits(bucket, free);
    if (bits.len() as u32) < blocks {
        return None;
    }
    // As many bits as fill the cells, and some more, since they are not evenly shared.
    let wanted = (bucket.size() / steps.cell_size).max(2).ilog2() + 4;
    bits.truncate((wanted * blocks) as usize);
    let mut masks = vec![0u128; blocks as usize];
    for (place, bit) in bits.into_iter().enumerate() {
        masks[place % blocks as usize] |= 1 << bit;
    }

    let cells = (bucket.size() / steps.cell_size).max(2).ilog2().min(11);
    let compared: f64 = masks.iter().map(|&mask| comparisons(bucket, mask, cells)).sum();
    let all = pairs(bucket.left.len(), bucket.right.map(<[W]>::len));
    let prints = (bucket.left.len() + bucket.right.map_or(0, <[W]>::len)) as f64;
    let cut = f64::from(blocks) * prints * (steps.inner + steps.cell) + compared * steps.comparison;
    // The estimate must be clearly better: it cannot see what the next cut is worth.
    (cut < 0.7 * all * steps.comparison).then(|| {
        let mut path = test.clone();
        let tables = masks.into_iter().map(|mask| {
            let block = W::truncate(mask);
            let test = path.and_near(block, 0);
            path.and_far(block, 0);
            Table { key: Key::of(mask, 0), radius: 0, test, then: Step::Compare }
        });
        tables.collect()
    })
}

/// The bits to cut by, and the most of them that the bucket's pairs may differ in.
///
/// Bits of blocks known to differ are left alone, and what is spent on them is not spent elsewhere; where
/// that leaves too few, all bits not agreed on are taken, and the whole distance.
fn free_bits<W: FingerprintWord>(test: &PathTest<W>, k: u32) -> (u128, u32) {
    let all = W::truncate(u128::MAX).widen() & !test.agreed.widen();
    let (mut differing, mut spent) = (0u128, 0);
    for &(block, least) in test.far.iter().rev() {
        if block.widen() & differing == 0 {
            differing |= block.widen();
            spent += least;
        }
    }
    let left = k.saturating_sub(spent);
    let free = all & !differing;
    if free.count_ones() >= 4 * (left + 1) { (free, left) } else { (all, k) }
}

/// The bits of `free` in which a sample of the fingerprints differs, the most even first.
fn telling_bits<W: FingerprintWord>(bucket: Bucket<'_, W>, free: u128) -> Vec<u32> {
    let step = (bucket.left.len() / SAMPLE).max(1);
    let sample: Vec<u128> = bucket.left.iter().step_by(step).map(|print| print.widen()).collect();
    let mut bits: Vec<(usize, u32)> = (0..W::WIDTH)
        .filter(|bit| free >> bit & 1 == 1)
        .map(|bit| {
            let ones = sample.iter().filter(|&&print| print >> bit & 1 == 1).count();
            (ones.min(sample.len() - ones), bit)
        })
        .filter(|&(rarer, _)| rarer > 0)
        .collect();
    bits.sort_unstable_by_key(|&(rarer, bit)| (std::cmp::Reverse(rarer), bit));
    bits.into_iter().map(|(_, bit)| bit).collect()
}

/// Comparisons inside cells made by a block.
fn comparisons<W: FingerprintWord>(bucket: Bucket<'_, W>, mask: u128, bits: u32) -> f64 {
    let block = W::truncate(mask);
    let count = |prints: &[W]| {
        let mut counts = vec![0u32; 1 << bits];
        for &print in prints {
            counts[Bits::and(print, block).mix().window(64 - bits, bits)] += 1;
        }
        counts
    };
    let lefts = count(bucket.left);
    match bucket.right.map(count) {
        None => lefts.iter().map(|&n| pairs(n as usize, None)).sum(),
        Some(rights) => {
            lefts.iter().zip(rights).map(|(&n, m)| pairs(n as usize, Some(m as usize))).sum()
        }
    }
}

fn pairs(left: usize, right: Option<usize>) -> f64 {
    let left = left as f64;
    right.map_or(left * (left - 1.0) / 2.0, |right| left * right as f64)
}
