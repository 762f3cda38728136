//! Fingerprints put into cells by a key: one counting sort, in cache.

use super::tree::Key;
use crate::word::{Bits, FingerprintWord};

/// Scatters `items` into `1 << bits` cells by the `bits` bits of the key that follow its first
/// `skip`; `ends` receives the end of each cell in `out`, which is grown to hold all.
pub(crate) fn scatter<W: FingerprintWord>(
    items: &[W],
    key: Key<W>,
    skip: u32,
    bits: u32,
    out: &mut Vec<W>,
    ends: &mut Vec<u32>,
) {
    if out.len() < items.len() {
        out.resize(items.len(), W::default());
    }
    match key {
        Key::Run { high, .. } => {
            let shift = high - skip - bits;
            counting_sort(items, bits, out, ends, |item| item.window(shift, bits));
        }
        Key::Hash { block, .. } => {
            let shift = 64 - skip - bits;
            counting_sort(items, bits, out, ends, |item| {
                Bits::and(item, block).mix().window(shift, bits)
            });
        }
    }
}

/// Takes the distinct fingerprints of `sorted` into `out`, which leaves them in cells by their top bits:
/// the `bits` that follow the first `skip`, which all share.
pub(crate) fn take_sorted<W: FingerprintWord>(
    sorted: &[W],
    skip: u32,
    bits: u32,
    out: &mut Vec<W>,
    ends: &mut Vec<u32>,
) {
    if out.len() < sorted.len() {
        out.resize(sorted.len(), W::default());
    }
    ends.clear();
    ends.resize(1 << bits, 0);
    let shift = W::WIDTH - skip - bits;
    let mut taken = 0;
    let mut last = None;
    for &print in sorted {
        out[taken] = print;
        taken += usize::from(last != Some(print));
        last = Some(print);
        ends[print.window(shift, bits)] = taken as u32;
    }
    // Cells without fingerprints end where the one before them does.
    let mut end = 0;
    for slot in ends.iter_mut() {
        end = end.max(*slot);
        *slot = end;
    }
}

#[inline(always)]
fn counting_sort<W: FingerprintWord>(
    items: &[W],
    bits: u32,
    out: &mut [W],
    ends: &mut Vec<u32>,
    cell_of: impl Fn(W) -> usize,
) {
    ends.clear();
    ends.resize(1 << bits, 0);
    for &item in items {
        ends[cell_of(item)] += 1;
    }
    let mut start = 0;
    for end in ends.iter_mut() {
        let count = *end;
        *end = start;
        start += count;
    }
    for &item in items {
        let slot = &mut ends[cell_of(item)];
        out[*slot as usize] = item;
        *slot += 1;
    }
}
