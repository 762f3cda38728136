//! Clusters of links that were found elsewhere, such as by comparing texts.
//!
//! Complete linkage in the manner of D. Defays, "An efficient algorithm for a complete link method" (1977), on a sparse
//! graph: links are taken from the strongest to the weakest, and two clusters become one when the last of the links
//! between their members has been taken, which is when every two are linked. What is reported about a cluster, its
//! links and its chain, says how much it is one.

use std::collections::{HashMap, VecDeque};

use super::{Cluster, Clusters, Components, Linkage};

/// Two documents, `a` before `b`, that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    /// How far from each other they are: lesser ones are taken first by [`Linkage::Bounded`].
    pub rank: u64,
    /// One document.
    pub a: u32,
    /// The other.
    pub b: u32,
}

/// How a cluster hangs together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cohesion {
    /// Links between its members, of n(n-1)/2 that there could be.
    pub links: u64,
    /// The most links one must follow from its representative to a member.
    pub chain: u32,
}

impl Clusters {
    /// Clusters the documents `0..documents` by links, each given once. The order of the links does not matter; they
    /// are left in another one. O(n log n) for n links.
    ///
    /// Stars are taken in the order of the documents: one that is in no cluster yet becomes the representative of all
    /// those linked to it that are in none.
    ///
    /// # Panics
    ///
    /// When a link names a document that is not below `documents`.
    #[must_use]
    pub fn of_links(documents: u32, links: &mut [Link], linkage: Linkage) -> Self {
        Self::of_firsts(&Self::firsts_of_links(documents, links, linkage), |first| first)
    }

    /// For each document the first one of its cluster.
    pub(super) fn firsts_of_links(
        documents: u32,
        links: &mut [Link],
        linkage: Linkage,
    ) -> Vec<u32> {
        let mut firsts: Vec<u32> = (0..documents).collect();
        if linkage == Linkage::Star {
            links.sort_unstable_by_key(|link| (link.a, link.b));
            // A document is known as a centre or as taken before its own links come.
            let mut taken = vec![false; documents as usize];
            for link in &*links {
                if !taken[link.a as usize] && !taken[link.b as usize] {
                    taken[link.b as usize] = true;
                    firsts[link.b as usize] = link.a;
                }
            }
            return firsts;
        }
        let mut components = Components::new(documents);
        links.iter().for_each(|link| components.link(link.a, link.b));
        if linkage == Linkage::Components {
            for (document, first) in (0..).zip(&mut firsts) {
                *first = components.first(document);
            }
            return firsts;
        }
        // Clusters do not reach out of a component, so what is known of one can be forgotten after it.
        links.sort_unstable_by_key(|link| (components.first(link.a), *link));
        let mut rest = &*links;
        while let Some(link) = rest.first() {
            let first = components.first(link.a);
            let length = rest.partition_point(|link| components.first(link.a) == first);
            BoundedClusters::default().cluster(&rest[..length], &mut firsts);
            rest = &rest[length..];
        }
        firsts
    }

    /// Puts each document into the cluster of another that it is equal to, or makes one of the two: `firsts` names for
    /// each document the first one that it is equal to, itself where there is none before it. The others must be in no
    /// cluster yet.
    ///
    /// # Panics
    ///
    /// When there is not one name for each document.
    #[must_use]
    pub fn with_equals(&self, firsts: &[u32]) -> Self {
        let mut cluster_of: Vec<u32> = (0..self.documents()).collect();
        for cluster in self.iter() {
            cluster
                .members
                .iter()
                .for_each(|&member| cluster_of[member as usize] = cluster.members[0]);
        }
        let all: Vec<u32> = firsts.iter().map(|&first| cluster_of[first as usize]).collect();
        Self::of_firsts(&all, |first| first)
    }

    /// How each cluster hangs together by these links, of which those between clusters are skipped. `copies` says
    /// of each document that a link may name how many it stands for, all linked to each other; those it stands for
    /// have 0. O(documents + links).
    ///
    /// # Panics
    ///
    /// When a link names a document that was not clustered.
    #[must_use]
    pub fn cohesion(&self, links: &[Link], copies: &impl Fn(u32) -> u64) -> Vec<Cohesion> {
        let mut number_of = vec![u32::MAX; self.documents() as usize];
        for (number, cluster) in (0..).zip(self.iter()) {
            cluster.members.iter().for_each(|&member| number_of[member as usize] = number);
        }
        let number = |document: u32| number_of[document as usize];
        let inside = || links.iter().filter(|link| number(link.a) == number(link.b));
        let mut counts = vec![0u64; self.len()];
        // Neighbours of each document, one after the other; those of `d` end at `ends[d]`.
        let mut ends = vec![0u64; number_of.len() + 1];
        for link in inside() {
            counts[number(link.a) as usize] += copies(link.a) * copies(link.b);
            ends[link.a as usize + 1] += 1;
            ends[link.b as usize + 1] += 1;
        }
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        let mut neighbours = vec![0u32; *ends.last().unwrap_or(&0) as usize];
        for link in inside() {
            for (from, to) in [(link.a, link.b), (link.b, link.a)] {
                neighbours[ends[from as usize] as usize] = to;
                ends[from as usize] += 1;
            }
        }
        let near = |document: u32| {
            let start = if document == 0 { 0 } else { ends[document as usize - 1] };
            &neighbours[start as usize..ends[document as usize] as usize]
        };
        let mut steps = vec![u32::MAX; number_of.len()];
        let mut chain = |cluster: Cluster<'_>| {
            let (mut longest, mut reached) = (0, VecDeque::from([cluster.representative]));
            steps[cluster.representative as usize] = 0;
            while let Some(document) = reached.pop_front() {
                longest = steps[document as usize];
                for &next in near(document) {
                    if steps[next as usize] == u32::MAX {
                        steps[next as usize] = longest + 1;
                        reached.push_back(next);
                    }
                }
            }
            longest
        };
        let cohesion = |(cluster, links): (Cluster<'_>, u64)| {
            let among = |&member: &u32| copies(member) * copies(member).saturating_sub(1) / 2;
            let links = links + cluster.members.iter().map(among).sum::<u64>();
            // A copy of the first is one link from it; a copy of another is as far as that one.
            Cohesion { links, chain: chain(cluster).max(1) }
        };
        self.iter().zip(counts).map(cohesion).collect()
    }
}

/// Bounded clusters of one component, as far as they are built.
#[derive(Default)]
struct BoundedClusters {
    /// Of each document met, the cluster it is in.
    cluster_of: HashMap<u32, usize>,
    /// Members of the clusters; none of those that went into another.
    members: Vec<Vec<u32>>,
    /// For each cluster the others it has links to, and how many have been taken.
    taken: Vec<HashMap<usize, u64>>,
}

impl BoundedClusters {
    fn cluster(mut self, links: &[Link], firsts: &mut [u32]) {
        for link in links {
            let (a, b) = (self.of(link.a), self.of(link.b));
            let count = self.taken[a].entry(b).or_default();
            *count += 1;
            let complete = *count == (self.members[a].len() * self.members[b].len()) as u64;
            *self.taken[b].entry(a).or_default() += 1;
            if complete {
                self.unite(a, b);
            }
        }
        for members in &self.members {
            let Some(&first) = members.iter().min() else { continue };
            members.iter().for_each(|&member| firsts[member as usize] = first);
        }
    }

    fn of(&mut self, document: u32) -> usize {
        *self.cluster_of.entry(document).or_insert_with(|| {
            self.members.push(vec![document]);
            self.taken.push(HashMap::new());
            self.members.len() - 1
        })
    }

    /// Makes two clusters one. The one with links to fewer others is rewritten, so that each entry moves seldom.
    fn unite(&mut self, a: usize, b: usize) {
        let (into, from) = if self.taken[a].len() >= self.taken[b].len() { (a, b) } else { (b, a) };
        for (other, count) in std::mem::take(&mut self.taken[from]) {
            self.taken[other].remove(&from);
            if other != into {
                *self.taken[into].entry(other).or_default() += count;
                *self.taken[other].entry(into).or_default() += count;
            }
        }
        let moved = std::mem::take(&mut self.members[from]);
        moved.iter().for_each(|&member| {
            self.cluster_of.insert(member, into);
        });
        self.members[into].extend(moved);
    }
}
