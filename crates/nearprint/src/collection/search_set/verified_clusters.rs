//! Clusters of verified pairs, with figures by which one that is not a single document can be told.

use std::cmp::Reverse;
use std::fmt;

use nearprint_records::ClusterRow;
use nearprint_search::{Clusters, Cohesion, Expand, Link, Linkage, Pair, tasks};
use rayon::slice::ParallelSliceMut;

use super::Search;
use super::clusters::rows;
use super::join::Sides;
use super::judge::ByFeatures;
use crate::{Duplication, Error, FeatureStore, PrintSet, Verification};

/// Clusters of fewer documents are read by whoever doubts them.
const FEWEST_DOUBTED: u64 = 5;

/// Links beyond which a chain is long: versions of one document are one or two from each other.
const LONG_CHAIN: u32 = 4;

/// Bytes that a candidate takes until it is verified.
const CANDIDATE: u64 = size_of::<Pair>() as u64;

/// Bytes that a verified pair takes: itself while candidates are verified, and then also its place among the neighbours
/// of two documents, or where clusters are bounded in the counts of links between clusters.
const LINK: u64 = size_of::<Link>() as u64;
const CLUSTERED: u64 = LINK + 8;
const BOUNDED: u64 = LINK + 80;

/// Clusters of verified pairs, and what they were made of.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct VerifiedClusters {
    /// The clusters, each with the similarity of its members to the first one.
    pub clusters: Vec<ClusterRow>,
    /// Candidates that were verified; of documents of equal texts only those of the first one.
    pub candidates: u64,
    /// Those that were confirmed.
    pub verified: u64,
    /// Those that are similar enough, and were refused because all that they share may be a phrase.
    pub without_evidence: u64,
    /// Clusters that grew suspiciously, the largest first.
    pub doubts: Vec<ClusterDoubt>,
}

/// What makes a cluster look like a chain of go-betweens rather than like one document's versions: most of its members
/// are not similar to the first one, or there are more than four links between them.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ClusterDoubt {
    /// Its number.
    pub cluster: u64,
    /// Its documents.
    pub size: u64,
    /// Those that are similar to the first one, which is how large a star would be.
    pub similar: u64,
    /// The least similarity of a member to the first one.
    pub lowest: f64,
    /// Pairs that were confirmed.
    pub pairs: u64,
    /// The most links that one must follow from the first to a member.
    pub chain: u32,
}

impl ClusterDoubt {
    fn about(row: &ClusterRow, at_least: f64) -> Option<Self> {
        let (similarities, pairs, chain) = (row.similarities.as_ref()?, row.pairs?, row.chain?);
        let similar = similarities.iter().filter(|&&similarity| similarity >= at_least).count();
        let doubt = Self {
            cluster: row.cluster,
            size: row.size,
            similar: similar as u64,
            lowest: similarities.iter().copied().fold(1.0, f64::min),
            pairs,
            chain,
        };
        let is_chain = 2 * doubt.similar < doubt.size || chain > LONG_CHAIN;
        (doubt.size >= FEWEST_DOUBTED && is_chain).then_some(doubt)
    }
}

impl fmt::Display for ClusterDoubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cluster, size, similar, lowest, pairs, chain } = self;
        let possible = size * (size - 1) / 2;
        write!(
            f,
            "cluster {cluster} may be a chain: {similar} of its {size} documents are similar to \
                its first, the minimum similarity is {lowest:.4}, {pairs} of {possible} pairs \
                are verified, and its longest chain has {chain} links"
        )
    }
}

impl Search<'_> {
    /// Clusters of verified pairs only: connected components, stars around the first document of each, or clusters of
    /// which every two documents are a verified pair. The last two cannot chain.
    ///
    /// Documents of equal prints and features are compared and linked as one, however many there are. The verified
    /// pairs are held within the memory of the search: 16 bytes each beside the candidates, of 12 bytes each, and then
    /// 24, or 96 for [`Linkage::Bounded`].
    ///
    /// # Errors
    /// As for [`verified_pairs`](Self::verified_pairs), and where there are more verified pairs than that memory holds.
    pub fn verified_clusters(
        &self,
        set: &PrintSet,
        store: &FeatureStore,
        verification: Verification,
        linkage: Linkage,
    ) -> Result<VerifiedClusters, Error> {
        let firsts = self.in_pool(|| firsts_of_equals(set, store))??;
        let distinct: Vec<u32> =
            (0u32..).zip(&firsts).filter(|&(at, &first)| at == first).map(|(at, _)| at).collect();
        let some = (distinct.len() < set.len()).then(|| set.without_ids(&distinct)).transpose()?;
        let most = self.most_sorted.unwrap_or(usize::MAX);
        let sides = Sides::one(some.as_ref().unwrap_or(set));
        let mut candidates = self.sorted_pairs(sides, Expand::AllPairs, most)?;
        if some.is_some() {
            let place = |at: u32| distinct[at as usize];
            candidates.iter_mut().for_each(|pair| {
                *pair = Pair { a: place(pair.a), b: place(pair.b), ..*pair };
            });
        }
        let mut links = Vec::new();
        let each = if linkage == Linkage::Bounded { BOUNDED } else { CLUSTERED };
        let most = self.beside(sides.memory(), 2)?.map_or(u64::MAX, |left| {
            let beside = left.saturating_sub(candidates.len() as u64 * CANDIDATE);
            (beside / LINK).min(left / each)
        });
        let judge = ByFeatures::new(store, verification);
        self.verify(&candidates, &judge, |pair, similar| {
            if links.len() as u64 >= most {
                return Err(Error::TooManyVerified { most, each });
            }
            // Of numbers from 0 to 1 the order is that of their bytes.
            let rank = (1.0 - similar.similarity).max(0.0).to_bits();
            links.push(Link { rank, a: pair.a, b: pair.b });
            Ok(())
        })?;
        let (number, verified) = (candidates.len() as u64, links.len() as u64);
        drop(candidates);
        let of_distinct = Clusters::of_links(set.len() as u32, &mut links, linkage);
        let clusters = of_distinct.with_equals(&firsts);
        let mut rows = rows(set, &clusters)?;
        let copies = copies_of(&firsts);
        let cohesion = clusters.cohesion(&links, &|document: u32| copies[document as usize]);
        add_figures(&mut rows, cohesion, self.similarities(&clusters, store, verification)?);
        let doubt = |row| ClusterDoubt::about(row, verification.at_least());
        let mut doubts: Vec<ClusterDoubt> = rows.iter().filter_map(doubt).collect();
        doubts.sort_unstable_by_key(|doubt| (Reverse(doubt.size), doubt.cluster));
        let without_evidence = judge.without_evidence();
        Ok(VerifiedClusters {
            clusters: rows,
            candidates: number,
            verified,
            without_evidence,
            doubts,
        })
    }

    /// Of each member of each cluster its similarity to the first one, and whether it is a duplicate of it.
    fn similarities(
        &self,
        clusters: &Clusters,
        store: &FeatureStore,
        verification: Verification,
    ) -> Result<Vec<Vec<(f64, Duplication)>>, Error> {
        let similarities: Vec<std::io::Result<_>> = self.in_pool(|| {
            let members: Vec<&[u32]> = clusters.iter().map(|cluster| cluster.members).collect();
            let to_first = |members: &[u32]| {
                let first = store.get(members[0] as usize)?;
                let similar = |&member: &u32| {
                    let features = store.get(member as usize)?;
                    let similarity = verification.similarity(&first, &features);
                    Ok((similarity, verification.duplication(&first, &features)))
                };
                members.iter().map(similar).collect()
            };
            tasks::map(members, to_first)
        })?;
        similarities.into_iter().map(|of_one| of_one.map_err(Error::TemporaryFile)).collect()
    }
}

/// The number of documents for which each one stands that is the first of equal ones; see [`firsts_of_equals`].
fn copies_of(firsts: &[u32]) -> Vec<u64> {
    let mut copies = vec![0; firsts.len()];
    firsts.iter().for_each(|&first| copies[first as usize] += 1);
    copies
}

/// Adds similarities to the first document, which of them are duplicates, verified pairs and chains.
fn add_figures(
    rows: &mut [ClusterRow],
    cohesion: impl IntoIterator<Item = Cohesion>,
    similarities: Vec<Vec<(f64, Duplication)>>,
) {
    for ((row, cohesion), similarities) in rows.iter_mut().zip(cohesion).zip(similarities) {
        let (similarities, found): (Vec<f64>, Vec<Duplication>) = similarities.into_iter().unzip();
        row.similarities = Some(similarities);
        row.duplicates = found.iter().map(|found| found.is_duplicate()).collect();
        let reasons = || found.into_iter().map(Duplication::reason).collect();
        row.distinct = row.duplicates.is_some().then(reasons);
        row.pairs = Some(cohesion.links);
        row.chain = Some(cohesion.chain);
    }
}

/// For each document the first one of equal print and equal features.
fn firsts_of_equals(set: &PrintSet, store: &FeatureStore) -> Result<Vec<u32>, Error> {
    let mut digests: Vec<(u64, u32)> =
        (0..set.len() as u32).map(|at| (store.digest(at as usize), at)).collect();
    digests.par_sort_unstable();
    let mut firsts: Vec<u32> = (0..set.len() as u32).collect();
    for alike in digests.chunk_by(|one, other| one.0 == other.0) {
        let [(_, first), rest @ ..] = alike else { continue };
        for (_, at) in rest {
            let (a, b) = (*first as usize, *at as usize);
            if set.distance(a, b)? == 0 && store.are_equal(a, b).map_err(Error::TemporaryFile)? {
                firsts[b] = *first;
            }
        }
    }
    Ok(firsts)
}
