//! The loops in plain Rust, for any machine and any width: the truth the others are checked against.

use super::{HitBuffer, Probe};
use crate::word::{Bits, FingerprintWord};

pub(super) fn within_cells<W: FingerprintWord>(
    items: &[W],
    ends: &[u32],
    k: u32,
    limit: usize,
    found: &mut HitBuffer<'_, W>,
) {
    let mut start = 0;
    for (cell, &end) in ends.iter().enumerate() {
        let prints = &items[start..end as usize];
        start = end as usize;
        if prints.len() > limit {
            found.large.push(cell as u32);
            continue;
        }
        for (row, &print) in prints.iter().enumerate() {
            for &other in &prints[row + 1..] {
                if Bits::xor(print, other).ones() <= k {
                    found.push(print, other);
                }
            }
            if !found.row_done() {
                return;
            }
        }
    }
}

pub(super) fn across<W: FingerprintWord>(
    left: &[W],
    right: &[W],
    k: u32,
    found: &mut HitBuffer<'_, W>,
) {
    for &print in left {
        for &other in right {
            if Bits::xor(print, other).ones() <= k {
                found.push(print, other);
            }
        }
        if !found.row_done() {
            return;
        }
    }
}

pub(super) fn one_to_many<W: FingerprintWord>(print: W, items: &[W], k: u32, near: &mut Vec<u32>) {
    for (position, &other) in items.iter().enumerate() {
        if Bits::xor(print, other).ones() <= k {
            near.push(position as u32);
        }
    }
}

pub(super) fn probes<W: FingerprintWord>(
    items: &[W],
    probes: &[Probe<W>],
    k: u32,
    near: &mut Vec<(u32, u32)>,
) {
    for (number, probe) in (0..).zip(probes) {
        for (position, &other) in
            (probe.start..).zip(&items[probe.start as usize..probe.end as usize])
        {
            if Bits::xor(probe.print, other).ones() <= k {
                near.push((number, position));
            }
        }
    }
}
