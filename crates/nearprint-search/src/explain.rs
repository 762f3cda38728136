//! A join told before it is run: the plan, what it will look at, and what it will find.

use std::fmt;

use crate::error::SearchError;
use crate::estimate::PairEstimate;
use crate::groups::Groups;
use crate::join::Join;
use crate::kernel::SimdLevel;
use crate::plan::Plan;
use crate::word::FingerprintWord;

/// What a join is about to do; its text form is a few lines for people.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// The plan that would be carried out.
    pub plan: Plan,
    /// Seconds the search should take by the cost model, beside what the pairs take to report.
    pub seconds: f64,
    /// Documents.
    pub documents: usize,
    /// Distinct fingerprints.
    pub distinct: usize,
    /// The pairs to expect.
    pub pairs: PairEstimate,
    /// The instruction set that would be used.
    pub simd: SimdLevel,
    /// Threads of the current pool.
    pub threads: usize,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, k) = (self.plan.width(), self.plan.k());
        writeln!(f, "prints    {} of {width} bits, {} distinct", self.documents, self.distinct)?;
        writeln!(f, "distance  {k} bits or fewer")?;
        writeln!(f, "plan      {}", self.plan)?;
        writeln!(f, "tables    {}", self.plan.tables())?;
        writeln!(f, "machine   {} threads, {}", self.threads, self.simd)?;
        writeln!(f, "search    about {:.2} s", self.seconds)?;
        write!(f, "expected  {}", self.pairs)
    }
}

impl Join {
    pub(crate) fn explanation<W: FingerprintWord>(
        &self,
        groups: &Groups<W>,
    ) -> Result<Explanation, SearchError> {
        let (plan, cost) = self.plan_for(groups, None)?;
        let threads = rayon::current_num_threads();
        let seconds = cost * groups.distinct() as f64 / 1e9 / threads as f64;
        Ok(Explanation {
            plan,
            seconds,
            documents: groups.len(),
            distinct: groups.distinct(),
            pairs: self.sample_pairs(groups)?,
            simd: self.simd_level(),
            threads,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_names_the_plan_and_the_pairs() -> Result<(), SearchError> {
        let text = Join::within(3).explain(&Groups::of(&[1u64, 1, 3])?)?.to_string();
        assert!(text.contains("64/3:"), "{text}");
        assert!(text.contains("3 of 64 bits, 2 distinct"), "{text}");
        assert!(
            text.contains("3 pairs expected: 1 of equal fingerprints, 2 of different ones"),
            "{text}"
        );
        Ok(())
    }
}
