//! Plans: which blocks of a fingerprint must agree, in which order, for a pair to be examined.
//!
//! A plan is a tree. A node either compares all fingerprints that reach it, or tries a *chain* of
//! blocks: the pairs that agree in the first block go down its branch; those that do not are left
//! to the second block, and so on. A pair therefore has one path through the tree and is found
//! once, without a set of pairs already seen: this is the first-table rule. A plan finds every
//! pair within k when in every chain the blocks are so many that no pair within k can differ in
//! all of them; [`Plan`] values are checked for that when they are made, so that a wrong plan
//! cannot be built, only a slow one.
//!
//! A block may have a *radius* r: pairs that differ in at most r bits of it take its branch. With
//! radius 0 everywhere these are the block permutations of Manku, Jain and Das Sarma (WWW 2007);
//! with few wide blocks and radii they are Norouzi's multi-index hashing (CVPR 2012), with the
//! integer thresholds of Qin and others (ICDE 2018).
//!
//! Not here: how a plan is carried out ([`crate::join`]) and what it costs ([`crate::cost`]).

mod brute_force;
mod check;
mod draft;
mod manku;
mod multi_index;
mod text;

pub(crate) use multi_index::shares;

use std::fmt;
use std::str::FromStr;

use crate::error::PlanError;

/// Tables a plan may have: 12,870 is the most any number of blocks needs at k = 8.
pub(crate) const MAX_TABLES: usize = 100_000;

/// A checked plan for one width and one distance: it finds every pair within `k`, once.
///
/// The text form (`Display`, `FromStr`) is `WIDTH/K:NODE`, where a node is `*` (compare all that
/// reach it) or a chain of branches in round brackets, each a block with the node below it. A
/// block is a list of ranges of bits, both ends included, bit 0 the least significant, with `~R`
/// after it where its radius is not 0.
///
/// # Examples
///
/// ```
/// use nearprint_search::Plan;
/// // Four tables of 16 bits each, as simhash-cpp makes them from four blocks.
/// let plan: Plan = "64/3:(48-63* 32-47* 16-31* 0-15*)".parse()?;
/// assert_eq!(plan.tables(), 4);
/// assert_eq!(plan, Plan::blocks(64, 3, 4)?);
/// assert_eq!(plan.to_string().parse::<Plan>()?, plan);
/// // Three blocks are not enough: a pair may differ in all of them.
/// assert!("64/3:(48-63* 32-47* 16-31*)".parse::<Plan>().is_err());
/// # Ok::<(), nearprint_search::PlanError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Plan {
    width: u32,
    k: u32,
    root: Node,
}

/// A place in the tree, reached by the fingerprints that share a bucket.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    /// Compare every two fingerprints that are here.
    Compare,
    /// Send them on by the blocks of a chain.
    Chain(Vec<Branch>),
}

/// One block of a chain and what follows for the pairs that are near in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Branch {
    /// The block's bits.
    pub(crate) block: u128,
    /// The most bits of the block a pair may differ in to be near in it.
    pub(crate) radius: u32,
    /// Where the pairs near in this block, and in none of the chain before it, go.
    pub(crate) then: Node,
}

impl Node {
    fn tables(&self) -> usize {
        match self {
            Self::Compare => 1,
            Self::Chain(branches) => branches.iter().map(|branch| branch.then.tables()).sum(),
        }
    }
}

impl Plan {
    /// Makes a plan of a tree, if the tree misses no pair.
    pub(crate) fn checked(width: u32, k: u32, root: Node) -> Result<Self, PlanError> {
        if ![32, 64, 128].contains(&width) {
            return Err(PlanError::Width(width));
        }
        let plan = Self { width, k, root };
        if plan.tables() > MAX_TABLES {
            return Err(PlanError::TooLarge { limit: MAX_TABLES });
        }
        check::complete(&plan)?;
        Ok(plan)
    }

    /// Width of the fingerprints it is for, in bits: 32, 64 or 128.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The distance it serves, in bits: it finds the pairs that differ in `k` bits or fewer.
    #[must_use]
    pub fn k(&self) -> u32 {
        self.k
    }

    /// Number of tables: places in the tree where fingerprints are compared.
    #[must_use]
    pub fn tables(&self) -> usize {
        self.root.tables()
    }

    pub(crate) fn root(&self) -> &Node {
        &self.root
    }
}

/// Which plan a search is to use: one chosen by the cost model, one by name, or one spelt out.
///
/// The text form is `auto`, `draft`, `blocks:B`, `multi-index:P`, `brute-force`, or a plan's own
/// text.
///
/// # Examples
///
/// ```
/// use nearprint_search::PlanChoice;
/// let choice: PlanChoice = "blocks:6".parse()?;
/// assert_eq!(choice, PlanChoice::Blocks(6));
/// assert_eq!(choice.plan(64, 3)?.expect("a named plan").tables(), 20);
/// # Ok::<(), nearprint_search::PlanError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum PlanChoice {
    /// The cheapest by the cost model, from the number of fingerprints, the distance, their skew and
    /// the machine.
    #[default]
    Auto,
    /// The standard's: k + 1 blocks, and inside each k + 1 blocks of the other bits. For 64 bits
    /// and k = 3 these are its 16 tables of 28 bits.
    Draft,
    /// So many blocks, of which all but k must agree: simhash-cpp's `--blocks`.
    Blocks(u32),
    /// So many parts, each searched within its share of the distance.
    MultiIndex(u32),
    /// Every fingerprint with every other.
    BruteForce,
    /// This plan.
    Exactly(Plan),
}

impl PlanChoice {
    /// The plan meant, or `None` for [`Auto`](Self::Auto), which needs to see the fingerprints.
    ///
    /// # Errors
    ///
    /// When the choice does not suit the width and the distance.
    pub fn plan(&self, width: u32, k: u32) -> Result<Option<Plan>, PlanError> {
        match self {
            Self::Auto => Ok(None),
            Self::Draft => Plan::draft(width, k).map(Some),
            Self::Blocks(blocks) => Plan::blocks(width, k, *blocks).map(Some),
            Self::MultiIndex(parts) => Plan::multi_index(width, k, *parts).map(Some),
            Self::BruteForce => Plan::brute_force(width, k).map(Some),
            Self::Exactly(plan) => Ok(Some(plan.clone())),
        }
    }
}

impl fmt::Display for PlanChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Draft => f.write_str("draft"),
            Self::Blocks(blocks) => write!(f, "blocks:{blocks}"),
            Self::MultiIndex(parts) => write!(f, "multi-index:{parts}"),
            Self::BruteForce => f.write_str("brute-force"),
            Self::Exactly(plan) => plan.fmt(f),
        }
    }
}

impl FromStr for PlanChoice {
    type Err = PlanError;

    fn from_str(text: &str) -> Result<Self, PlanError> {
        let number = |digits: &str, at| {
            digits.parse().map_err(|_| PlanError::Syntax { at, expected: "a number of blocks" })
        };
        match text {
            "auto" => Ok(Self::Auto),
            "draft" => Ok(Self::Draft),
            "brute-force" => Ok(Self::BruteForce),
            _ => {
                if let Some(digits) = text.strip_prefix("blocks:") {
                    number(digits, "blocks:".len()).map(Self::Blocks)
                } else if let Some(digits) = text.strip_prefix("multi-index:") {
                    number(digits, "multi-index:".len()).map(Self::MultiIndex)
                } else {
                    text.parse().map(Self::Exactly)
                }
            }
        }
    }
}

/// The bits from `low` on, `width` (0 to 128) of them.
pub(crate) fn run_of_bits(low: u32, width: u32) -> u128 {
    if width == 0 { 0 } else { (u128::MAX >> (128 - width)) << low }
}

/// Cuts `bits` into `parts` blocks of as equal a size as can be, most significant first.
pub(crate) fn cut_evenly(bits: u128, parts: u32) -> Vec<u128> {
    let total = bits.count_ones();
    let mut blocks = vec![0u128; parts as usize];
    let mut rest = bits;
    for seen in 0..total {
        let top = 1u128 << (127 - rest.leading_zeros());
        rest ^= top;
        // Block p takes the bits from total·p/parts to total·(p+1)/parts.
        let part = ((seen + 1) * parts).div_ceil(total) - 1;
        blocks[part as usize] |= top;
    }
    blocks
}

#[cfg(test)]
pub(crate) mod tests;
