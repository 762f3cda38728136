//! Pairs looked for where bits are uncertain: what is learned first, and the search.

use nearprint_search::{Expand, ProbabilisticJoin};

use super::Search;
use super::watched_sink::WatchedSink;
use crate::store::print_set::Prints;
use crate::{Error, PrintSet};

impl PrintSet {
    /// Whether each print came with its weak bits, as files of prints may have them.
    #[must_use]
    pub fn has_weak_bits(&self) -> bool {
        self.weak_bits.len() == self.len()
    }
}

impl Search<'_> {
    /// Learns from the set how likely each weak bit of a print is to differ in a near one. Pairs of this set are then
    /// looked for only where bits are weak; expects to find the share `recall` (0 to 1) of those of unlike prints.
    ///
    /// # Errors
    /// Where not every print of the set came with its weak bits, or there are fewer than 100 pairs to learn from among
    /// the neighbours of a few thousand prints.
    pub fn learning_from(mut self, set: &PrintSet, recall: f64) -> Result<Self, Error> {
        let Prints::Words(words) = set.prints() else {
            return Err(Error::NotSearchable { scheme: set.scheme() });
        };
        let learn = || ProbabilisticJoin::learn(words, &set.weak_bits, self.distance, recall);
        self.learned_join = Some(self.in_pool(learn)??);
        Ok(self)
    }

    /// The join that [`learning_from`](Self::learning_from) made.
    #[must_use]
    pub fn learned_join(&self) -> Option<&ProbabilisticJoin> {
        self.learned_join.as_ref()
    }

    pub(super) fn uncertain_pairs(
        &self,
        words: &[u64],
        set: &PrintSet,
        expand: Expand,
        mut sink: WatchedSink<'_, '_>,
    ) -> Result<(), Error> {
        if let Some(join) = &self.learned_join {
            let join = join.clone().expand(expand);
            self.in_pool(|| join.pairs(words, &set.weak_bits, &mut sink))??;
        }
        Ok(())
    }
}
