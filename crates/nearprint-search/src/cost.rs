//! What a plan costs, from the number of fingerprints, their skew, and the machine; and which is cheapest.
//!
//! Costs are processor time for each distinct fingerprint, in nanoseconds. A plan's are the scatters of all
//! its chains, each over all fingerprints, and the comparisons inside its last cells. The constants were
//! measured once; they need only be right relative to each other, to choose between plans.

mod choose;

pub(crate) use choose::cheapest;

use crate::kernel::SimdLevel;
use crate::plan::{Node, Plan};
use crate::word::FingerprintWord;

/// What single steps cost on a machine, for one width at one instruction set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Steps {
    /// Scattering a fingerprint through memory, in ns: twice read, once written past the caches.
    pub(crate) outer: f64,
    /// Scattering a fingerprint inside the second cache, in ns.
    pub(crate) inner: f64,
    /// Taking a fingerprint from the sorted order, in ns.
    pub(crate) sorted: f64,
    /// What a fingerprint costs in a cell before anything is compared, in ns.
    pub(crate) cell: f64,
    /// Comparing two fingerprints, in ns.
    pub(crate) comparison: f64,
    /// Fingerprints a cell should hold.
    pub(crate) cell_size: usize,
}

impl Steps {
    /// Measured on 2026-11-20 on two cores of an AMD EPYC (Zen 5, 1 MiB second cache a core) with
    /// `nearprint-bench pairs`: 10^7 uniform fingerprints for the scatters, 40,000 for the comparisons.
    pub(crate) fn of<W: FingerprintWord>(level: SimdLevel) -> Self {
        let words = f64::from(W::WIDTH) / 64.0;
        let (comparison, cell_size) = match level {
            SimdLevel::Portable => (1.0, 4),
            // Not measured on a machine that has it: as AVX2, which takes about as many instructions a fingerprint.
            SimdLevel::Neon | SimdLevel::Avx2 => (0.15, 8),
            SimdLevel::Avx512 => (0.025, 16),
        };
        Self {
            outer: 4.5 * words.max(0.7),
            inner: 1.1 * words.max(0.8),
            sorted: 1.1 * words.max(0.8),
            cell: 0.6,
            comparison: comparison * words,
            cell_size,
        }
    }

    /// Up to this many fingerprints are better compared than scattered by a chain of `tables` blocks.
    pub(crate) fn worth_comparing(&self, tables: usize) -> usize {
        let chain = tables as f64 * (self.inner + self.cell);
        ((chain / (self.comparison / 2.0)) as usize).max(self.cell_size)
    }
}

/// The fingerprints a plan is chosen for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Workload {
    /// Distinct fingerprints, of both sets.
    pub(crate) prints: f64,
    /// What a bit of a block is worth, 0 to 1: agreeing in 16 bits happens to two different fingerprints with
    /// probability 2^(-16 · worth).
    pub(crate) bit_worth: f64,
    /// What the machine's steps cost.
    pub(crate) steps: Steps,
}

/// Fingerprints that fit the second cache together with the cells they are scattered to.
pub(crate) const IN_CACHE: f64 = 64.0 * 1024.0;

/// Bits one scatter can use.
const SCATTER_BITS: f64 = 11.0;

impl Workload {
    /// Measures the skew of sorted fingerprints and notes the rest.
    pub(crate) fn of<W: FingerprintWord>(sorted: &[W], distinct: usize, level: SimdLevel) -> Self {
        Self {
            prints: distinct.max(1) as f64,
            bit_worth: bit_worth(sorted),
            steps: Steps::of::<W>(level),
        }
    }

    /// Fingerprints that share a bucket when `agreed` bits are shared.
    fn bucket(&self, agreed: f64) -> f64 {
        self.prints * (-agreed * self.bit_worth).exp2()
    }

    /// Bits worth scattering by when `agreed` are shared: more would leave the cells empty.
    fn useful_bits(&self, agreed: f64) -> f64 {
        (self.bucket(agreed) / self.steps.cell_size as f64).log2().max(0.0) / self.bit_worth
    }

    /// ns a fingerprint to scatter by a block of `bits` when `agreed` are shared.
    fn scatter(&self, agreed: f64, bits: f64, sorted: bool) -> f64 {
        let bits = bits.min(self.useful_bits(agreed).ceil());
        let outside = (self.bucket(agreed) / IN_CACHE).log2().max(0.0);
        let (first, left) = if sorted {
            (self.steps.sorted, bits - outside.ceil())
        } else if outside > 0.0 {
            (self.steps.outer, bits - outside.ceil())
        } else {
            (0.0, bits)
        };
        first + self.steps.inner * (left / SCATTER_BITS).ceil().max(0.0)
    }

    /// ns a fingerprint to compare all that share a bucket when `agreed` are shared.
    fn compare(&self, agreed: f64) -> f64 {
        self.steps.cell + self.steps.comparison * self.bucket(agreed) / 2.0
    }

    /// ns a fingerprint of a whole plan.
    pub(crate) fn plan(&self, plan: &Plan) -> f64 {
        self.node(plan.root(), 0.0, plan.width())
    }

    fn node(&self, node: &Node, agreed: f64, width: u32) -> f64 {
        let Node::Chain(branches) = node else { return self.compare(agreed) };
        if self.bucket(agreed) <= self.steps.worth_comparing(branches.len()) as f64 {
            return self.compare(agreed);
        }
        let each = branches.iter().map(|branch| {
            let bits = f64::from(branch.block.count_ones());
            let top = agreed == 0.0 && branch.block >> (width - 1) != 0;
            // A radius makes each cell meet its neighbours.
            let cells = (0..=branch.radius).map(|ones| binomial(bits, ones)).sum::<f64>();
            let below = self.node(&branch.then, agreed + bits, width);
            self.scatter(agreed, bits, top) + self.steps.cell + below * cells
        });
        each.sum()
    }
}

fn binomial(n: f64, k: u32) -> f64 {
    (0..k).fold(1.0, |product, i| product * (n - f64::from(i)) / f64::from(i + 1))
}

/// The worth of a bit, from how often the fingerprints of a sample agree in 16 bits in a row.
fn bit_worth<W: FingerprintWord>(sorted: &[W]) -> f64 {
    const WINDOW: u32 = 16;
    const SAMPLE: usize = 1 << 14;
    let step = (sorted.len() / SAMPLE).max(1);
    let sample: Vec<W> = sorted.iter().copied().step_by(step).collect();
    if sample.len() < 256 {
        return 1.0;
    }
    let pairs = sample.len() as f64 * (sample.len() as f64 - 1.0) / 2.0;
    let windows = W::WIDTH / WINDOW;
    // The mean over all windows: a plan uses them all.
    let agreeing: f64 = (0..windows)
        .map(|window| {
            let mut counts = vec![0u32; 1 << WINDOW];
            for print in &sample {
                counts[print.window(window * WINDOW, WINDOW)] += 1;
            }
            counts.iter().map(|&n| f64::from(n) * (f64::from(n) - 1.0) / 2.0).sum::<f64>()
        })
        .sum::<f64>()
        / f64::from(windows);
    // One pair more, so that a sample without any says no more than it can.
    let probability = ((agreeing + 1.0) / (pairs + 1.0)).min(1.0);
    (-probability.log2() / f64::from(WINDOW)).clamp(0.25, 1.0)
}

#[cfg(test)]
mod tests;
