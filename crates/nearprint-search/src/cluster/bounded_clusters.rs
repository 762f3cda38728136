//! Bounded clusters of fingerprints: every two members lie within k.

use std::ops::ControlFlow;

use super::{Clusters, Link, Linkage};
use crate::error::SearchError;
use crate::groups::Groups;
use crate::join::{Expand, Join};
use crate::sink::{Pair, PairSink, Progress};
use crate::word::FingerprintWord;

impl Join {
    /// Equal fingerprints lie as far from any other, so only the first of each is clustered. The pairs of these are
    /// held: 16 bytes each.
    pub(super) fn bounded<W: FingerprintWord>(
        &self,
        prints: &[W],
        groups: &Groups<W>,
        watch: &mut dyn PairSink,
    ) -> Result<Clusters, SearchError> {
        let mut links = Links { links: Vec::new(), watch };
        let join = self.clone().unsorted().expand(Expand::Representatives);
        join.join_groups(groups, &mut links)?;
        let documents = prints.len() as u32;
        let firsts = Clusters::firsts_of_links(documents, &mut links.links, Linkage::Bounded);
        let mut all = firsts.clone();
        for (_, equal) in groups.iter() {
            equal.iter().for_each(|&document| all[document as usize] = firsts[equal[0] as usize]);
        }
        Ok(Clusters::of_firsts(&all, |first| first))
    }
}

/// Keeps pairs, and passes progress on.
struct Links<'w> {
    links: Vec<Link>,
    watch: &'w mut dyn PairSink,
}

impl PairSink for Links<'_> {
    fn pairs(&mut self, batch: &[Pair]) -> ControlFlow<()> {
        let link = |pair: &Pair| Link { rank: pair.distance.into(), a: pair.a, b: pair.b };
        self.links.extend(batch.iter().map(link));
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        self.watch.progress(progress)
    }
}
