//! Pairs looked for where bits are uncertain: what is learned first, and the search.

use std::ops::ControlFlow;

use nearprint_search::{Expand, FlipModel, Join, Pair, PlanChoice, ProbabilisticJoin, WeakBits};

use super::Search;
use super::watched::Watched;
use crate::print_set::Prints;
use crate::{Error, PrintSet};

/// Comparisons that may be spent on learning: a second or two.
const COMPARISONS: usize = 20_000_000_000;

/// Prints whose neighbours are learned from, at least and at most.
const LEARNERS: std::ops::RangeInclusive<usize> = 256..=8192;

/// Pairs that are learned from at most: more teach nothing new.
const MOST_PAIRS: usize = 200_000;

/// The fewest pairs from which likelihoods can be told.
const LEAST_PAIRS: usize = 100;

impl Search<'_> {
    /// Learns from the set itself how likely each uncertain bit of a print is to differ in a near one, and makes a join that expects to find
    /// the share `recall` (0 to 1) of all pairs of unlike prints within the distance; for
    /// [`probabilistic`](Self::probabilistic).
    ///
    /// # Errors
    /// Where not every print of the set came with its least certain bits, or there are fewer than 100 pairs to learn from among
    /// the neighbours of a few thousand prints.
    pub fn learn(&self, set: &PrintSet, recall: f64) -> Result<ProbabilisticJoin, Error> {
        let Prints::Words(words) = set.prints() else {
            return Err(Error::NotSearchable { scheme: set.scheme() });
        };
        let weak = set.weak_bits();
        if weak.len() != words.len() {
            return Err(Error::NoWeakBits { prints: words.len(), with: weak.len() });
        }
        let wanted = (COMPARISONS / words.len().max(1)).clamp(*LEARNERS.start(), *LEARNERS.end());
        let step = words.len().div_ceil(wanted).max(1);
        let some: Vec<u64> = words.iter().copied().step_by(step).collect();
        let mut pairs: Vec<Pair> = Vec::new();
        let mut learn = |batch: &[Pair]| {
            let positioned = batch.iter().map(|pair| Pair { a: pair.a * step as u32, ..*pair });
            pairs.extend(positioned.filter(|pair| pair.distance > 0));
            if pairs.len() > MOST_PAIRS {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let join = Join::within(self.distance).plan(PlanChoice::BruteForce);
        self.in_pool(|| join.pairs_between(&some, words, &mut learn))??;
        if pairs.len() < LEAST_PAIRS {
            return Err(Error::TooFewPairs { found: pairs.len(), least: LEAST_PAIRS });
        }
        let model = FlipModel::of_pairs(words, weak, &pairs);
        Ok(ProbabilisticJoin::new(self.distance, &model, recall))
    }

    pub(super) fn uncertain_pairs<F: FnMut(&[Pair]) -> ControlFlow<()> + Send>(
        &self,
        words: &[u64],
        weak: &[WeakBits],
        expand: Expand,
        mut sink: Watched<'_, '_, F>,
    ) -> Result<(), Error> {
        if let Some(join) = &self.probabilistic {
            let join = join.clone().expand(expand);
            self.in_pool(|| join.pairs(words, weak, &mut sink))??;
        }
        Ok(())
    }
}
