//! Clusters against their definition.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::groups::Groups;
use crate::join::Join;
use crate::join::tests::{any_level, any_pool, any_set, words};
use crate::sink::Pair;
use crate::{FingerprintWord, SearchedWord};

/// Components by repeated walking: slow, plain, and right.
fn components<W: SearchedWord>(prints: &[W], k: u32) -> Vec<Vec<u32>> {
    let mut seen = BTreeSet::new();
    let mut clusters = Vec::new();
    for start in 0..prints.len() {
        if !seen.insert(start) {
            continue;
        }
        let (mut members, mut next) = (vec![start as u32], vec![start]);
        while let Some(at) = next.pop() {
            for other in 0..prints.len() {
                if prints[at].hamming_distance(prints[other]) <= k && seen.insert(other) {
                    members.push(other as u32);
                    next.push(other);
                }
            }
        }
        if members.len() > 1 {
            members.sort_unstable();
            clusters.push(members);
        }
    }
    clusters
}

fn clustered() -> impl Strategy<Value = Vec<u128>> {
    let flips = prop::collection::vec(0u32..128, 0..8);
    prop::collection::vec((0u128..4, flips), 0..150).prop_map(|members| {
        let centre = |n: u128| n.wrapping_mul(0x9e37_79b9_7f4a_7c15_bf58_476d_1ce4_e5b9);
        let print =
            |(n, flips): (u128, Vec<u32>)| flips.iter().fold(centre(n), |p, b| p ^ (1 << b));
        members.into_iter().map(print).collect()
    })
}

fn components_agree<W: SearchedWord>(set: &[u128], join: &Join) {
    let prints = words::<W>(set);
    let mut watch: Vec<Pair> = Vec::new();
    let clusters = join.clusters(&prints, Linkage::Components, None, &mut watch).expect("a join");
    let got: Vec<Vec<u32>> = clusters.iter().map(|cluster| cluster.members.to_vec()).collect();
    assert_eq!(got, components(&prints, join.distance()));
    assert!(clusters.iter().all(|cluster| cluster.representative == cluster.members[0]));
    assert!(watch.is_empty());
    let sizes = clusters.iter().map(|cluster| cluster.members.len());
    let largest = clusters.largest().and_then(|number| clusters.get(number));
    assert_eq!(largest.map(|cluster| cluster.members.len()), sizes.max());
}

fn stars_are_near<W: SearchedWord>(set: &[u128], join: &Join, seed: u64) {
    let (prints, k) = (words::<W>(set), join.distance());
    let priority: Vec<u64> = (0..prints.len() as u64)
        .map(|n| (n ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40)
        .collect();
    let mut watch: Vec<Pair> = Vec::new();
    let stars = join.clusters(&prints, Linkage::Star, Some(&priority), &mut watch).expect("a join");
    let mut seen = BTreeSet::new();
    for star in stars.iter() {
        assert!(star.members.contains(&star.representative));
        for &member in star.members {
            assert!(seen.insert(member), "{member} is in two clusters");
            let centre = prints[star.representative as usize];
            assert!(prints[member as usize].hamming_distance(centre) <= k);
        }
    }
    // A document is alone only if whoever is near it was taken by someone of a better priority.
    let alone = |document: &u32| !seen.contains(document);
    let all: Vec<u32> = (0..prints.len() as u32).collect();
    for (at, a) in all.iter().enumerate().filter(|(_, a)| alone(a)) {
        for b in all[at + 1..].iter().filter(|b| alone(b)) {
            assert!(prints[*a as usize].hamming_distance(prints[*b as usize]) > k);
        }
    }
}

proptest! {
    #[test]
    fn components_are_those_of_the_definition(set in prop_oneof![clustered(), any_set()], k in 0u32..7, level in any_level(), pool in any_pool()) {
        let join = Join::within(k).simd(level);
        pool.install(|| {
            components_agree::<u32>(&set, &join);
            components_agree::<u64>(&set, &join);
            components_agree::<u128>(&set, &join);
        });
    }

    #[test]
    fn every_member_of_a_star_is_near_its_representative(set in prop_oneof![clustered(), any_set()], k in 0u32..7, seed in any::<u64>(), pool in any_pool()) {
        let join = Join::within(k);
        pool.install(|| {
            stars_are_near::<u32>(&set, &join, seed);
            stars_are_near::<u64>(&set, &join, seed);
            stars_are_near::<u128>(&set, &join, seed);
        });
    }
}

#[test]
fn a_chain_is_one_component_and_several_stars() -> Result<(), SearchError> {
    // 0 - 1 - 2 - 3 - 4, each two bits from the next.
    let prints: Vec<u64> = (0..5).map(|n| (1 << (2 * n)) - 1).collect();
    let mut watch: Vec<Pair> = Vec::new();
    let one = Join::within(2).clusters(&prints, Linkage::Components, None, &mut watch)?;
    assert_eq!(one.get(0).map(|cluster| cluster.members), Some(&[0, 1, 2, 3, 4][..]));
    let stars = Join::within(2).clusters(&prints, Linkage::Star, None, &mut watch)?;
    let members: Vec<&[u32]> = stars.iter().map(|star| star.members).collect();
    assert_eq!(members, [&[0, 1][..], &[2, 3]]);
    let middle =
        Join::within(2).clusters(&prints, Linkage::Star, Some(&[1, 1, 0, 1, 1]), &mut watch)?;
    let ends: Vec<Option<u32>> = [&one, &stars, &middle]
        .map(|clusters| clusters.chain_length(0, &prints, 2))
        .into_iter()
        .collect::<Result<_, _>>()?;
    assert_eq!(ends, [Some(4), Some(1), Some(1)]);
    assert_eq!(one.chain_length(1, &prints, 2)?, None);
    assert!(one.chain_length(0, &prints[1..], 2).is_err());
    let middle: Vec<Cluster<'_>> = middle.iter().collect();
    assert_eq!(middle, [Cluster { representative: 2, members: &[1, 2, 3] }]);
    Ok(())
}

#[test]
fn priorities_choose_who_is_kept() -> Result<(), SearchError> {
    let mut components = Components::new(4);
    components.link(0, 2);
    components.link(2, 3);
    let mut clusters = components.finish();
    clusters.keep_least(&[5, 0, 3, 3])?;
    assert_eq!(clusters.get(0).map(|cluster| cluster.representative), Some(2));
    assert!(matches!(clusters.keep_least(&[1]), Err(SearchError::LengthMismatch { .. })));
    Ok(())
}

#[test]
fn many_equal_documents_make_one_cluster() -> Result<(), SearchError> {
    let prints = vec![1u64; 50_000];
    assert_eq!(Groups::of(&prints)?.distinct(), 1);
    let mut watch: Vec<Pair> = Vec::new();
    for linkage in [Linkage::Components, Linkage::Star] {
        let clusters = Join::within(3).clusters(&prints, linkage, None, &mut watch)?;
        assert_eq!(clusters.len(), 1);
        assert_eq!(clusters.get(0).map(|cluster| cluster.members.len()), Some(50_000));
    }
    Ok(())
}

/// Complete linkage by its definition: of all clusters that could become one, those whose weakest link is strongest do.
fn complete(documents: u32, links: &[Link]) -> Vec<Vec<u32>> {
    let mut clusters: Vec<Vec<u32>> = (0..documents).map(|document| vec![document]).collect();
    let rank = |a: u32, b: u32| {
        links.iter().find(|link| (link.a, link.b) == (a.min(b), a.max(b))).copied()
    };
    loop {
        let mut best: Option<(Link, usize, usize)> = None;
        for one in 0..clusters.len() {
            for other in one + 1..clusters.len() {
                let pairs = clusters[one]
                    .iter()
                    .flat_map(|&a| clusters[other].iter().map(move |&b| (a, b)));
                let ranks: Option<Vec<Link>> = pairs.map(|(a, b)| rank(a, b)).collect();
                if let Some(weakest) = ranks.and_then(|ranks| ranks.into_iter().max())
                    && best.is_none_or(|(strongest, ..)| weakest < strongest)
                {
                    best = Some((weakest, one, other));
                }
            }
        }
        let Some((_, one, other)) = best else { break };
        let moved = clusters.remove(other);
        clusters[one].extend(moved);
    }
    clusters.retain(|cluster| cluster.len() > 1);
    clusters.iter_mut().for_each(|cluster| cluster.sort_unstable());
    clusters.sort();
    clusters
}

fn linked() -> impl Strategy<Value = Vec<Link>> {
    prop::collection::btree_map((0u32..14, 0u32..14), 0u64..6, 0..80).prop_map(|map| {
        let links = map.into_iter().filter(|((a, b), _)| a < b);
        links.map(|((a, b), rank)| Link { rank, a, b }).collect()
    })
}

fn listed(clusters: &Clusters) -> Vec<Vec<u32>> {
    clusters.iter().map(|cluster| cluster.members.to_vec()).collect()
}

proptest! {
    #[test]
    fn bounded_clusters_of_links_are_those_of_complete_linkage(links in linked(), seed in any::<u64>()) {
        let mut shuffled = links.clone();
        shuffled.sort_by_key(|link| (u64::from(link.a * 31 + link.b) ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let clusters = Clusters::of_links(14, &mut shuffled, Linkage::Bounded);
        prop_assert_eq!(listed(&clusters), complete(14, &links));
        for (cluster, cohesion) in clusters.iter().zip(clusters.cohesion(&links, &|_| 1)) {
            let size = cluster.members.len() as u64;
            prop_assert_eq!(cohesion, Cohesion { links: size * (size - 1) / 2, chain: 1 });
        }
    }

    #[test]
    fn stars_and_components_of_links_hang_together(links in linked()) {
        let near = |a: u32, b: u32| links.iter().any(|link| (link.a, link.b) == (a.min(b), a.max(b)));
        let stars = Clusters::of_links(14, &mut links.clone(), Linkage::Star);
        for (star, cohesion) in stars.iter().zip(stars.cohesion(&links, &|_| 1)) {
            prop_assert!(star.members[1..].iter().all(|&member| near(star.members[0], member)));
            prop_assert_eq!(cohesion.chain, 1);
        }
        let components = Clusters::of_links(14, &mut links.clone(), Linkage::Components);
        let inside: u64 = components.cohesion(&links, &|_| 1).iter().map(|cohesion| cohesion.links).sum();
        prop_assert_eq!(inside, links.len() as u64, "every link is within a component");
        for (component, cohesion) in components.iter().zip(components.cohesion(&links, &|_| 1)) {
            let mut reached = BTreeSet::from([component.representative]);
            let mut steps = 0;
            loop {
                let next: Vec<u32> = component.members.iter().copied()
                    .filter(|&member| reached.iter().any(|&from| near(from, member)))
                    .filter(|member| !reached.contains(member)).collect();
                if next.is_empty() {
                    break;
                }
                reached.extend(next);
                steps += 1;
            }
            prop_assert_eq!((reached.len(), steps), (component.members.len(), cohesion.chain));
        }
    }

    #[test]
    fn every_two_members_of_a_bounded_cluster_of_prints_are_near(prints in clustered(), k in 0u32..7) {
        let mut watch: Vec<Pair> = Vec::new();
        let bounded = Join::within(k).clusters(&prints, Linkage::Bounded, None, &mut watch)?;
        let mut place = vec![None; prints.len()];
        for (number, cluster) in bounded.iter().enumerate() {
            prop_assert_eq!(cluster.representative, cluster.members[0]);
            for &a in cluster.members {
                place[a as usize] = Some(number);
                prop_assert!(cluster.members.iter().all(|&b| prints[a as usize].hamming_distance(prints[b as usize]) <= k));
            }
        }
        // Nothing more could be put together: for each two clusters, or two alone, some two members are apart.
        for (a, one) in prints.iter().enumerate() {
            for (b, other) in prints.iter().enumerate() {
                if a < b && place[a].is_none() && place[b].is_none() {
                    prop_assert!(one.hamming_distance(*other) > k);
                }
            }
        }
    }
}
