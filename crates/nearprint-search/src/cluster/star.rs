//! Star clusters: every member within k of its representative.
//!
//! Documents are taken in order of priority; one that is in no cluster yet becomes the representative
//! of all those near it that are in none. Only documents that have a partner at all are examined,
//! component by component, as no star reaches out of one.

use super::{Clusters, Components};
use crate::error::SearchError;
use crate::groups::Groups;
use crate::join::{Expand, Join};
use crate::query_index::QueryIndex;
use crate::sink::PairSink;
use crate::word::FingerprintWord;

pub(super) fn stars<W: FingerprintWord>(
    prints: &[W],
    components: &Clusters,
    k: u32,
    priority: Option<&[u64]>,
) -> Result<Clusters, SearchError> {
    let mut firsts: Vec<u32> = (0..prints.len() as u32).collect();
    let mut representatives = firsts.clone();
    let rank = |document: u32| (priority.map_or(0, |list| list[document as usize]), document);
    for component in components.iter() {
        // Equal fingerprints share their star: only the best document of each is examined.
        let mut members = component.members.to_vec();
        members.sort_unstable_by_key(|&member| (prints[member as usize], rank(member)));
        let mut groups: Vec<&[u32]> =
            members.chunk_by(|&a, &b| prints[a as usize] == prints[b as usize]).collect();
        groups.sort_unstable_by_key(|group| rank(group[0]));
        let words: Vec<W> = groups.iter().map(|group| prints[group[0] as usize]).collect();
        let index = QueryIndex::from_prints(&words)?;
        let mut taken = vec![false; groups.len()];
        for (at, group) in groups.iter().enumerate() {
            if taken[at] {
                continue;
            }
            // Positions in `groups` are the documents of this small index.
            let mut star = index.near(words[at], k)?;
            star.retain(|near| !std::mem::replace(&mut taken[near.document as usize], true));
            let all = || star.iter().flat_map(|near| groups[near.document as usize]);
            let first = all().copied().min().unwrap_or(group[0]);
            for &member in all() {
                firsts[member as usize] = first;
            }
            representatives[first as usize] = group[0];
        }
    }
    Ok(Clusters::of_firsts(&firsts, |first| representatives[first as usize]))
}

impl Join {
    pub(crate) fn clusters_of_pairs<W: FingerprintWord>(
        &self,
        prints: &[W],
        linkage: super::Linkage,
        priority: Option<&[u64]>,
        watch: &mut dyn PairSink,
    ) -> Result<Clusters, SearchError> {
        if let Some(priority) = priority
            && priority.len() != prints.len()
        {
            let beside = priority.len();
            return Err(SearchError::LengthMismatch { prints: prints.len(), beside });
        }
        let groups = Groups::from_prints(prints)?;
        if linkage == super::Linkage::Bounded {
            let mut clusters = self.bounded(prints, &groups, watch)?;
            if let Some(priority) = priority {
                clusters.keep_least(priority)?;
            }
            return Ok(clusters);
        }
        let mut linking = ComponentSink { components: Components::new(prints.len() as u32), watch };
        self.clone().unsorted().expand(Expand::Star).join_groups(&groups, &mut linking)?;
        let mut clusters = linking.components.finish();
        match linkage {
            super::Linkage::Star => stars(prints, &clusters, self.distance(), priority),
            _ => {
                if let Some(priority) = priority {
                    clusters.keep_least(priority)?;
                }
                Ok(clusters)
            }
        }
    }
}

/// Sink that sends pairs to the components and progress to the caller.
struct ComponentSink<'w> {
    components: Components,
    watch: &'w mut dyn PairSink,
}

impl PairSink for ComponentSink<'_> {
    fn pairs(&mut self, batch: &[crate::sink::Pair]) -> std::ops::ControlFlow<()> {
        self.components.pairs(batch)
    }

    fn progress(&mut self, progress: crate::sink::Progress) -> std::ops::ControlFlow<()> {
        self.watch.progress(progress)
    }
}
