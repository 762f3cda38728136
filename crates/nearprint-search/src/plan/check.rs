//! Whether a plan's tree misses no pair within k.
//!
//! A pair that is far in every block of a chain leaves the tree there. It also was far in blocks on the way
//! to the chain; of all these, those that share no bit add up to a distance it has at least. The chain is
//! complete when that is more than k. The test is safe: a tree it accepts is complete; one it refuses may, in
//! contrived cases, be complete for a reason it does not see.

use super::{Branch, Node, Plan, run_of_bits};
use crate::error::PlanError;

/// A block in which the pairs on a path differ in at least `least` bits.
#[derive(Clone, Copy)]
struct Far {
    block: u128,
    least: u32,
}

pub(super) fn complete(plan: &Plan) -> Result<(), PlanError> {
    node(plan, &plan.root, 0, &mut Vec::new())
}

fn node(plan: &Plan, at: &Node, agreed: u128, far: &mut Vec<Far>) -> Result<(), PlanError> {
    let Node::Chain(branches) = at else { return Ok(()) };
    let known = far.len();
    let mut all_near = false;
    for Branch { block, radius, then } in branches {
        let outside = block & !run_of_bits(0, plan.width);
        if outside != 0 {
            let bit = 127 - outside.leading_zeros();
            return Err(PlanError::BitOutOfRange { bit, width: plan.width });
        }
        if *block == 0 || block & agreed != 0 {
            return Err(PlanError::Overlap);
        }
        let agreed = if *radius == 0 { agreed | block } else { agreed };
        node(plan, then, agreed, far)?;
        // No pair can be further apart in a block than it is wide.
        all_near |= *radius >= block.count_ones();
        far.push(Far { block: *block, least: radius + 1 });
    }
    if !all_near && least_distance(far) <= plan.k {
        let part = super::text::node_text(at);
        return Err(PlanError::Incomplete { k: plan.k, part });
    }
    far.truncate(known);
    Ok(())
}

/// A lower bound on the distance of pairs far in all these blocks: the latest first, of those that share
/// no bit.
fn least_distance(far: &[Far]) -> u32 {
    let (mut taken, mut distance) = (0, 0);
    for &Far { block, least } in far.iter().rev() {
        if block & taken == 0 {
            taken |= block;
            distance += least;
        }
    }
    distance
}
