//! What a search is about to do, told before it does it.

use nearprint_search::{Groups, Join};

use super::Search;
use crate::print_set::Prints;
use crate::{Error, PrintSet};

impl Search<'_> {
    /// How the pairs of this set would be found, and an estimate of how many there are, for a person to read.
    ///
    /// # Errors
    /// Where the distance is beyond what joins serve.
    pub fn explain(&self, set: &PrintSet) -> Result<String, Error> {
        let join = Join::within(self.distance);
        match set.prints() {
            Prints::Words(words) => {
                let explanation = self.in_pool(|| join.explain(&Groups::of(words)?))??;
                Ok(explanation.to_string())
            }
            Prints::Sketches(_) => {
                let bands = self.bands_for(set);
                let chances: Vec<String> = (1..=9)
                    .map(|tenth| {
                        let similarity = f64::from(tenth) / 10.0;
                        format!("{similarity:.1}: {:.4}", bands.chance(similarity))
                    })
                    .collect();
                Ok(format!(
                    "{} sketches in {bands} bands; probability of being found by similarity: {}",
                    set.len(),
                    chances.join(", ")
                ))
            }
        }
    }
}
