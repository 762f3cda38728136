//! Whether a plan's tree misses no pair within k.
//!
//! Along a path some blocks are known to differ in at least so many bits. What of the distance is
//! left for a chain is k less those, and the chain is complete when a pair that is far in all its
//! blocks would differ in more than that. The test is safe: a tree it accepts is complete; one it
//! refuses may, in contrived cases, be complete for a reason it does not see.

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
    let mut covered = 0u128;
    for branch in branches {
        let outside = branch.block & !run_of_bits(0, plan.width);
        if outside != 0 {
            let bit = 127 - outside.leading_zeros();
            return Err(PlanError::BitOutOfRange { bit, width: plan.width });
        }
        if branch.block == 0 || branch.block & (covered | agreed) != 0 {
            return Err(PlanError::Overlap);
        }
        covered |= branch.block;
    }
    let reach: u32 = branches.iter().map(|branch| branch.radius + 1).sum();
    // All of a chain's blocks lie in `covered`, so what is spent elsewhere is not spent there; and
    // no block can be further away than it is wide, in which case nothing passes the chain.
    let left = plan.k.saturating_sub(spent_outside(covered, far));
    if reach <= left && branches.iter().all(|branch| branch.radius < branch.block.count_ones()) {
        let part = super::text::node_text(at);
        return Err(PlanError::Incomplete { k: plan.k, part });
    }
    let known = far.len();
    for Branch { block, radius, then } in branches {
        let agreed = if *radius == 0 { agreed | block } else { agreed };
        node(plan, then, agreed, far)?;
        far.push(Far { block: *block, least: radius + 1 });
    }
    far.truncate(known);
    Ok(())
}

/// A lower bound on the bits that pairs on this path differ in outside `inside`: the latest far
/// blocks first, of those that share no bit.
fn spent_outside(inside: u128, far: &[Far]) -> u32 {
    let mut taken = inside;
    let mut spent = 0;
    for &Far { block, least } in far.iter().rev() {
        if block & taken == 0 {
            taken |= block;
            spent += least;
        }
    }
    spent
}
