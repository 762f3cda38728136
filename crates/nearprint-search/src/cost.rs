//! What a plan costs, and which is the cheapest.

use crate::error::PlanError;
use crate::plan::Plan;

/// The cheapest plan for so many distinct prints.
pub(crate) fn cheapest(width: u32, k: u32, distinct: usize) -> Result<Plan, PlanError> {
    let prints = distinct.max(1) as f64;
    if prints < 300.0 {
        return Plan::brute_force(width, k);
    }
    let candidates = |blocks: u32| {
        let tables = (0..k).fold(1.0, |n, i| n * f64::from(blocks - i) / f64::from(i + 1));
        let bits = f64::from(width) * f64::from(blocks - k) / f64::from(blocks);
        tables * (prints * 8.0 + prints * prints / 2.0 / bits.exp2())
    };
    let best = (k + 1..=(k + 5).min(width))
        .min_by(|a, b| candidates(*a).total_cmp(&candidates(*b)))
        .unwrap_or(k + 1);
    Plan::blocks(width, k, best)
}
