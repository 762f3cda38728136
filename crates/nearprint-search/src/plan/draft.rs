//! The plan the standard recommends: one block of k + 1, then one of k + 1 of the other bits.

use super::{Branch, Node, Plan, cut_evenly, run_of_bits};
use crate::error::PlanError;

impl Plan {
    /// The standard's plan, after Manku's section 3.1.1: `k + 1` blocks of which one must agree,
    /// then `k + 1` blocks of the rest of the fingerprint of which one must agree. For 64-bit fingerprints and
    /// `k` = 3 that is 16 tables of 28 bits.
    ///
    /// # Errors
    ///
    /// When the fingerprint is too narrow for so many blocks.
    pub fn draft(width: u32, k: u32) -> Result<Self, PlanError> {
        let most = width / 2;
        if k + 1 > most {
            return Err(PlanError::Blocks { blocks: k + 1, least: k + 1, most });
        }
        let all = run_of_bits(0, width);
        let one_of = |bits: u128| cut_evenly(bits, k + 1);
        let outer = one_of(all).into_iter().map(|block| {
            // Within 0 bits the one block is the whole fingerprint, and there is no rest to cut.
            let then = if k == 0 {
                Node::Compare
            } else {
                let inner = one_of(all & !block).into_iter();
                Node::Chain(
                    inner.map(|block| Branch { block, radius: 0, then: Node::Compare }).collect(),
                )
            };
            Branch { block, radius: 0, then }
        });
        Self::checked(width, k, Node::Chain(outer.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_three_bits_it_has_sixteen_tables_of_28_bits() -> Result<(), PlanError> {
        let plan = Plan::draft(64, 3)?;
        assert_eq!(plan.tables(), 16);
        let Node::Chain(outer) = plan.root() else { panic!("a chain") };
        for branch in outer {
            assert_eq!(branch.block.count_ones(), 16);
            let Node::Chain(inner) = &branch.then else { panic!("a chain") };
            assert!(inner.iter().all(|branch| branch.block.count_ones() == 12));
        }
        Ok(())
    }
}
