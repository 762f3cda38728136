//! The loops over registers, written once for every instruction set and width.
//!
//! Fingerprints of a cell are taken a register at a time (the *column*) and compared with every fingerprint before
//! it, one broadcast *row* after another; only the least distance of each lane is kept, so that the
//! common case, nothing near, is one test a column. Where a column has something near it is gone
//! through again, exactly. Fingerprints of one column meet by rotating the register.
//!
//! This is the file that walks raw pointers; `avx2`, `avx512` and `neon` only say what a register does.
#![expect(unsafe_code, reason = "registers are loaded through pointers, without bounds checks")]

use super::{HitBuffer, Probe};
use crate::word::FingerprintWord;

/// A register of fingerprints, or some that are used as one.
///
/// # Safety
///
/// Every function may be called only where the instruction set it is written for is available.
/// [`LANES`](Self::LANES) is at most 32, and the masks have a bit for each lane, lane 0 lowest.
pub(super) unsafe trait Lanes<W>: Copy {
    /// Fingerprints in a register.
    const LANES: usize;

    /// Their distances.
    type Distances: Distances;

    /// Loads `LANES` fingerprints.
    ///
    /// # Safety
    ///
    /// They must be readable at `from`, at any alignment.
    unsafe fn load(from: *const W) -> Self;

    /// Loads `count < LANES` fingerprints; the other lanes may hold anything.
    ///
    /// # Safety
    ///
    /// `count` fingerprints must be readable at `from`.
    unsafe fn load_first(from: *const W, count: usize) -> Self;

    /// The same fingerprint in every lane.
    unsafe fn splat(print: W) -> Self;

    /// Lane by lane, the number of bits that differ.
    unsafe fn distance(self, other: Self) -> Self::Distances;

    /// Whether any two of the `valid` lanes of fingerprints are within `limit`; `valid` are the lowest.
    unsafe fn any_within(self, limit: Self::Distances, valid: u32) -> bool;
}

/// Distances, one a lane.
///
/// # Safety
///
/// Every function may be called only where the instruction set it is written for is available.
/// The masks have a bit for each lane, lane 0 lowest.
pub(super) unsafe trait Distances: Copy {
    /// The number `count <= 255` in every lane.
    unsafe fn count(count: u32) -> Self;

    /// Lane by lane, the lesser of two distances.
    unsafe fn min(self, other: Self) -> Self;

    /// Lanes that are at most those of `limit`.
    unsafe fn within(self, limit: Self) -> u32;
}

fn lowest(lanes: usize) -> u32 {
    ((1u64 << lanes) - 1) as u32
}

/// Lanes that are valid themselves and once rotated down by `by`.
#[inline(always)]
pub(super) fn both_valid(valid: u32, by: u32, lanes: u32) -> u32 {
    valid & ((valid >> by) | (valid << (lanes - by)))
}

/// A slice's fingerprints as columns.
#[derive(Clone, Copy)]
struct Columns<'p, W>(&'p [W]);

impl<W: FingerprintWord> Columns<'_, W> {
    /// The column that starts at `at < len`, and its lanes.
    ///
    /// # Safety
    ///
    /// The instruction set of `V` must be available.
    #[inline(always)]
    unsafe fn get<V: Lanes<W>>(self, at: usize) -> (V, u32) {
        let count = self.0.len() - at;
        // SAFETY: `at < len`, so that `count` fingerprints from there are readable; the caller answers
        // for the instruction set.
        unsafe {
            let from = self.0.as_ptr().add(at);
            if count >= V::LANES {
                (V::load(from), lowest(V::LANES))
            } else {
                (V::load_first(from, count), lowest(count))
            }
        }
    }
}

/// The least distance of each lane of `column` to any of `rows`.
///
/// # Safety
///
/// The instruction set of `V` must be available.
#[inline(always)]
unsafe fn least_distance<W: FingerprintWord, V: Lanes<W>>(column: V, rows: &[W]) -> V::Distances {
    // SAFETY: only registers are touched; the caller answers for the instruction set.
    unsafe {
        // Four accumulators, so that one minimum need not wait for the one before.
        let mut least = [V::Distances::count(u32::from(u8::MAX)); 4];
        let (fours, rest) = rows.as_chunks::<4>();
        for four in fours {
            least[0] = least[0].min(column.distance(V::splat(four[0])));
            least[1] = least[1].min(column.distance(V::splat(four[1])));
            least[2] = least[2].min(column.distance(V::splat(four[2])));
            least[3] = least[3].min(column.distance(V::splat(four[3])));
        }
        for &row in rest {
            least[0] = least[0].min(column.distance(V::splat(row)));
        }
        least[0].min(least[1]).min(least[2].min(least[3]))
    }
}

/// Notes every pair of one of `rows` and a lane of `column` within `limit`. Row `r` counts only with
/// the lanes in `lanes(r)`. Returns whether to continue.
///
/// # Safety
///
/// The instruction set of `V` must be available, and `lanes` may name only lanes below
/// `prints.len()`.
#[inline(always)]
unsafe fn note<W: FingerprintWord, V: Lanes<W>>(
    (column, prints): (V, &[W]),
    rows: &[W],
    lanes: impl Fn(usize) -> u32,
    limit: V::Distances,
    found: &mut HitBuffer<'_, W>,
) -> bool {
    for (at, &row) in rows.iter().enumerate() {
        // SAFETY: only registers are touched; the caller answers for the instruction set.
        let mut near = unsafe { column.distance(V::splat(row)).within(limit) } & lanes(at);
        while near != 0 {
            found.push(row, prints[near.trailing_zeros() as usize]);
            near &= near - 1;
        }
        if !found.row_done() {
            return false;
        }
    }
    true
}

/// # Safety
///
/// The instruction set of `V` must be available.
#[inline(always)]
pub(super) unsafe fn within_cells<W: FingerprintWord, V: Lanes<W>>(
    items: &[W],
    ends: &[u32],
    k: u32,
    limit: usize,
    found: &mut HitBuffer<'_, W>,
) {
    // SAFETY: the caller answers for the instruction set, here and below; columns are asked for at
    // positions below the length only.
    let near = unsafe { V::Distances::count(k) };
    let mut start = 0;
    for (cell, &end) in ends.iter().enumerate() {
        let prints = &items[start..end as usize];
        start = end as usize;
        if prints.len() > limit {
            found.large.push(cell as u32);
            continue;
        }
        if prints.len() < 2 {
            continue;
        }
        for at in (0..prints.len()).step_by(V::LANES) {
            // SAFETY: as above; `at < prints.len()`.
            let hit = unsafe {
                let (column, valid) = Columns(prints).get::<V>(at);
                let least = least_distance(column, &prints[..at]);
                least.within(near) & valid != 0 || column.any_within(near, valid)
            };
            if hit {
                // SAFETY: as above; the lanes named are the valid ones, of which there are
                // fingerprints[at..].len() or LANES.
                let go_on = unsafe {
                    let (column, valid) = Columns(prints).get::<V>(at);
                    let rows = &prints[..prints.len().min(at + V::LANES)];
                    // Row r meets the lanes after it.
                    let after = |row: usize| {
                        if row < at { valid } else { valid & !lowest(row - at + 1) }
                    };
                    note((column, &prints[at..]), rows, after, near, found)
                };
                if !go_on {
                    return;
                }
            }
        }
    }
}

/// # Safety
///
/// The instruction set of `V` must be available.
#[inline(always)]
pub(super) unsafe fn across<W: FingerprintWord, V: Lanes<W>>(
    left: &[W],
    right: &[W],
    k: u32,
    found: &mut HitBuffer<'_, W>,
) {
    // SAFETY: the caller answers for the instruction set, here and below; columns are asked for at
    // positions below the length only, and the lanes named are the valid ones.
    let near = unsafe { V::Distances::count(k) };
    for at in (0..right.len()).step_by(V::LANES) {
        // Rows in runs that stay in the first cache.
        for rows in left.chunks(2048) {
            // SAFETY: as above.
            unsafe {
                let (column, valid) = Columns(right).get::<V>(at);
                let hit = least_distance(column, rows).within(near) & valid != 0;
                if hit && !note((column, &right[at..]), rows, |_| valid, near, found) {
                    return;
                }
            }
        }
    }
}

/// # Safety
///
/// The instruction set of `V` must be available.
#[inline(always)]
pub(super) unsafe fn one_to_many<W: FingerprintWord, V: Lanes<W>>(
    print: W,
    items: &[W],
    k: u32,
    found: &mut Vec<u32>,
) {
    // SAFETY: the caller answers for the instruction set, here and below; columns are asked for at
    // positions below the length only.
    let (near, row) = unsafe { (V::Distances::count(k), V::splat(print)) };
    let mut note = |at: usize, mut lanes: u32| {
        while lanes != 0 {
            found.push((at + lanes.trailing_zeros() as usize) as u32);
            lanes &= lanes - 1;
        }
    };
    let step = 4 * V::LANES;
    let full = items.len() / step * step;
    for at in (0..full).step_by(step) {
        // SAFETY: as above; `at + step <= items.len()`.
        unsafe {
            let distances =
                |column: usize| row.distance(V::load(items.as_ptr().add(at + column * V::LANES)));
            let all = [distances(0), distances(1), distances(2), distances(3)];
            if all[0].min(all[1]).min(all[2].min(all[3])).within(near) != 0 {
                for (column, distance) in all.into_iter().enumerate() {
                    note(at + column * V::LANES, distance.within(near));
                }
            }
        }
    }
    for at in (full..items.len()).step_by(V::LANES) {
        // SAFETY: as above.
        let lanes = unsafe {
            let (column, valid) = Columns(items).get::<V>(at);
            row.distance(column).within(near) & valid
        };
        note(at, lanes);
    }
}

/// # Safety
///
/// The instruction set of `V` must be available.
#[inline(always)]
pub(super) unsafe fn probes<W: FingerprintWord, V: Lanes<W>>(
    items: &[W],
    probes: &[Probe<W>],
    k: u32,
    found: &mut Vec<(u32, u32)>,
) {
    // SAFETY: the caller answers for the instruction set, here and below.
    let near = unsafe { V::Distances::count(k) };
    for (number, probe) in (0..).zip(probes) {
        let bucket = &items[probe.start as usize..probe.end as usize];
        // SAFETY: as above; columns are asked for at positions below the bucket's length only.
        let row = unsafe { V::splat(probe.print) };
        for at in (0..bucket.len()).step_by(V::LANES) {
            // SAFETY: as above.
            let mut lanes = unsafe {
                let (column, valid) = Columns(bucket).get::<V>(at);
                row.distance(column).within(near) & valid
            };
            while lanes != 0 {
                found.push((number, probe.start + at as u32 + lanes.trailing_zeros()));
                lanes &= lanes - 1;
            }
        }
    }
}
