//! Manku's block permutations: cut the fingerprint into m blocks, and look at the pairs that agree in
//! some m - k of them.
//!
//! G. S. Manku, A. Jain, A. Das Sarma, "Detecting near-duplicates for web crawling", WWW 2007.
//! Of m blocks a pair within k leaves at least m - k untouched; the tree follows the first m - k
//! of these, which is the first table in lexicographic order.

use super::{Branch, MAX_TABLES, Node, Plan, cut_evenly, run_of_bits};
use crate::error::PlanError;

impl Plan {
    /// The plan of `blocks` blocks, of which all but `k` must agree, as simhash-cpp's users know
    /// it: `blocks` choose `k` tables. Few blocks mean few tables and many candidates.
    ///
    /// # Errors
    ///
    /// When `blocks` is not between `k + 1` and the width, or the tables are too many.
    pub fn blocks(width: u32, k: u32, blocks: u32) -> Result<Self, PlanError> {
        if blocks <= k || blocks > width {
            return Err(PlanError::Blocks { blocks, least: k + 1, most: width });
        }
        if choose(blocks, k) > MAX_TABLES as u128 {
            return Err(PlanError::TooLarge { limit: MAX_TABLES });
        }
        let cut = cut_evenly(run_of_bits(0, width), blocks);
        Self::checked(width, k, agree(&cut, blocks - k))
    }
}

/// The pairs that agree in at least `needed` of `blocks`.
fn agree(blocks: &[u128], needed: u32) -> Node {
    if needed == 0 {
        return Node::Compare;
    }
    // A block can be the first to agree only if enough come after it.
    let firsts = blocks.len() + 1 - needed as usize;
    Node::Chain(
        (0..firsts)
            .map(|first| Branch {
                block: blocks[first],
                radius: 0,
                then: agree(&blocks[first + 1..], needed - 1),
            })
            .collect(),
    )
}

/// n choose k, stopping at a number far beyond any limit.
fn choose(n: u32, k: u32) -> u128 {
    let k = k.min(n - k);
    (0..k).fold(1u128, |product, i| (product * u128::from(n - i) / u128::from(i + 1)).min(1 << 90))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_binomial() {
        for (k, blocks, tables) in [(3, 4, 4), (3, 5, 10), (3, 6, 20), (6, 9, 84), (6, 10, 210)] {
            assert_eq!(Plan::blocks(64, k, blocks).map(|plan| plan.tables()), Ok(tables));
        }
    }

    #[test]
    fn the_number_of_blocks_is_bounded() {
        assert_eq!(
            Plan::blocks(64, 3, 3),
            Err(PlanError::Blocks { blocks: 3, least: 4, most: 64 })
        );
        assert!(matches!(Plan::blocks(64, 3, 65), Err(PlanError::Blocks { .. })));
        assert_eq!(Plan::blocks(128, 16, 64), Err(PlanError::TooLarge { limit: MAX_TABLES }));
    }
}
