//! Multi-index hashing: few wide parts, each searched within its share of the distance.
//!
//! M. Norouzi, A. Punjani, D. Fleet, "Fast exact search in Hamming space with multi-index
//! hashing", CVPR 2012. The shares r_1..r_p need only r_1 + ... + r_p = k - p + 1: a pair that
//! exceeds every share differs in more than k bits (J. Qin and others, ICDE 2018).

use super::{Branch, Node, Plan, cut_evenly, run_of_bits};
use crate::error::PlanError;

impl Plan {
    /// The plan of `parts` parts, each with its share of the distance.
    ///
    /// # Errors
    ///
    /// When `parts` is 0 or more than `k + 1`: beyond that, parts would have no share left.
    pub fn multi_index(width: u32, k: u32, parts: u32) -> Result<Self, PlanError> {
        let most = (k + 1).min(width);
        if parts == 0 || parts > most {
            return Err(PlanError::Blocks { blocks: parts, least: 1, most });
        }
        let branches = cut_evenly(run_of_bits(0, width), parts)
            .into_iter()
            .zip(shares(k, parts))
            .map(|(block, radius)| Branch { block, radius, then: Node::Compare });
        Self::checked(width, k, Node::Chain(branches.collect()))
    }
}

/// Radii for `parts` parts that leave no pair within `k`: as equal as can be, the larger first.
pub(crate) fn shares(k: u32, parts: u32) -> impl Iterator<Item = u32> {
    let (each, over) = ((k + 1) / parts, (k + 1) % parts);
    (0..parts).map(move |part| each + u32::from(part < over) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_just_enough() {
        for k in 0..17 {
            for parts in 1..=k + 1 {
                assert_eq!(shares(k, parts).map(|radius| radius + 1).sum::<u32>(), k + 1);
            }
        }
        assert_eq!(shares(3, 3).collect::<Vec<_>>(), [1, 0, 0]);
    }
}
