//! From sorted distinct hashes to pairs and clusters, by nearprint's join where it reaches, else by comparing all.

use std::io;
use std::ops::ControlFlow;

use nearprint_search::{Components, Join, MAX_PLANNED_DISTANCE, Pair};

/// Hands every pair within `distance` to `write`, once, ascending. `hashes` are ascending and distinct.
pub(crate) fn pairs(
    hashes: &[u64],
    distance: u32,
    mut write: impl FnMut(u64, u64) -> io::Result<()> + Send,
) -> io::Result<()> {
    let mut outcome = Ok(());
    join(hashes, distance, true, &mut |found: &[Pair]| {
        for pair in found {
            outcome = write(hashes[pair.a as usize], hashes[pair.b as usize]);
            if outcome.is_err() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })?;
    outcome
}

/// The connected components of two hashes or more: members ascending, components by their least member.
pub(crate) fn clusters(hashes: &[u64], distance: u32) -> io::Result<Vec<Vec<u64>>> {
    let count = u32::try_from(hashes.len())
        .map_err(|_| io::Error::other("more than 4294967295 distinct hashes; divide the input"))?;
    let mut components = Components::new(count);
    join(hashes, distance, false, &mut |found: &[Pair]| {
        for pair in found {
            components.link(pair.a, pair.b);
        }
        ControlFlow::Continue(())
    })?;
    let mut clusters: Vec<Vec<u64>> = components
        .finish()
        .iter()
        .map(|cluster| cluster.members.iter().map(|&member| hashes[member as usize]).collect())
        .collect();
    for cluster in &mut clusters {
        cluster.sort_unstable();
    }
    clusters.sort_unstable_by_key(|cluster| cluster[0]);
    Ok(clusters)
}

fn join(
    hashes: &[u64],
    distance: u32,
    sorted: bool,
    sink: &mut (dyn FnMut(&[Pair]) -> ControlFlow<()> + Send),
) -> io::Result<()> {
    if distance <= MAX_PLANNED_DISTANCE {
        let join = Join::within(distance);
        let join = if sorted { join.sorted() } else { join };
        return join
            .pairs(hashes, &mut |found: &[Pair]| sink(found))
            .map(drop)
            .map_err(io::Error::other);
    }
    // Beyond what a join plans for, a quarter of all pairs and more match: there is nothing to skip.
    for (a, first) in hashes.iter().enumerate() {
        for (b, second) in hashes.iter().enumerate().skip(a + 1) {
            let apart = (first ^ second).count_ones();
            // Positions fit in 32 bits: 2^32 hashes would be compared for centuries.
            let pair = Pair { a: a as u32, b: b as u32, distance: apart };
            if apart <= distance && sink(&[pair]).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Hashes near a few centres, so that small distances occur.
    fn clustered() -> impl Strategy<Value = Vec<u64>> {
        let near = (0_u64..4, proptest::collection::vec(0_u32..64, 0..9));
        proptest::collection::vec(near, 0..60).prop_map(|found| {
            let mut hashes: Vec<u64> = found
                .iter()
                .map(|(centre, flips)| {
                    let start = centre.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    flips.iter().fold(start, |hash, bit| hash ^ (1 << bit))
                })
                .collect();
            hashes.sort_unstable();
            hashes.dedup();
            hashes
        })
    }

    proptest! {
        #[test]
        fn pairs_and_clusters_are_those_of_brute_force(hashes in clustered(), distance in 1_u32..64) {
            let mut wanted = Vec::new();
            let mut cluster_of: Vec<usize> = (0..hashes.len()).collect();
            for a in 0..hashes.len() {
                for b in a + 1..hashes.len() {
                    if (hashes[a] ^ hashes[b]).count_ones() <= distance {
                        wanted.push((hashes[a], hashes[b]));
                        let (from, to) = (cluster_of[b], cluster_of[a]);
                        cluster_of.iter_mut().filter(|of| **of == from).for_each(|of| *of = to);
                    }
                }
            }
            let mut found = Vec::new();
            pairs(&hashes, distance, |a, b| { found.push((a, b)); Ok(()) }).unwrap();
            prop_assert_eq!(found, wanted);

            let mut components: Vec<Vec<u64>> = vec![Vec::new(); hashes.len()];
            for (hash, of) in hashes.iter().zip(&cluster_of) {
                components[*of].push(*hash);
            }
            components.retain(|members| members.len() > 1);
            components.sort_unstable_by_key(|members| members[0]);
            prop_assert_eq!(clusters(&hashes, distance).unwrap(), components);
        }
    }
}
