//! Pairs looked for where bits are uncertain: what is learned first, and the search.

use std::ops::ControlFlow;

use nearprint_search::{Expand, Pair, ProbabilisticJoin, SearchError, WeakBits};

use super::Search;
use super::watched::Watched;
use crate::print_set::Prints;
use crate::{Error, PrintSet};

impl Search<'_> {
    /// Learns from the set itself how likely each uncertain bit of a print is to differ in a near one, and makes a join
    /// that expects to find the share `recall` (0 to 1) of all pairs of unlike prints within the distance; for
    /// [`probabilistic`](Self::probabilistic). What it expects to find may be less, where more would take several times
    /// as long as an exact search.
    ///
    /// # Errors
    /// Where not every print of the set came with its least certain bits, there are fewer than 100 pairs to learn from
    /// among the neighbours of a few thousand prints, or an exact search is cheaper by far.
    pub fn learn(&self, set: &PrintSet, recall: f64) -> Result<ProbabilisticJoin, Error> {
        let Prints::Words(words) = set.prints() else {
            return Err(Error::NotSearchable { scheme: set.scheme() });
        };
        let weak = set.weak_bits();
        if weak.len() != words.len() {
            return Err(Error::NoWeakBits { prints: words.len(), with: weak.len() });
        }
        let learned =
            self.in_pool(|| ProbabilisticJoin::learn(words, weak, self.distance, recall))?;
        learned.map_err(|error| match error {
            SearchError::TooFewPairs { found, least } => Error::TooFewPairs { found, least },
            SearchError::ExactIsCheaper => Error::ExactIsCheaper,
            error => error.into(),
        })
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
