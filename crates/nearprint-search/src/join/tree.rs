//! A plan's tree made ready for one width: keys to scatter by, tests for what is found.

use crate::plan::{Branch, Node, Plan};
use crate::word::{Bits, FingerprintWord};

/// A node ready to run.
pub(crate) enum Step<W> {
    Compare,
    Chain(Vec<Table<W>>),
}

/// A branch ready to run: how fingerprints are put into cells, and which pairs of a cell are its own.
pub(crate) struct Table<W> {
    pub(crate) key: Key<W>,
    pub(crate) radius: u32,
    pub(crate) test: PathTest<W>,
    pub(crate) then: Step<W>,
}

/// Which of the pairs met in a bucket belong to it.
///
/// A bucket may hold more than its path says (cells are made by some of a block's bits, or a hash of
/// them), and a pair met here may belong to a table before this one; both are seen here. Tests run on
/// pairs already known to be within k, which are few.
#[derive(Clone, Debug)]
pub(crate) struct PathTest<W> {
    /// Bits in which the pair must agree.
    pub(crate) agreed: W,
    /// Blocks in which it may differ in at most so many bits.
    near: Vec<(W, u32)>,
    /// Blocks in which it must differ in at least so many bits.
    pub(crate) far: Vec<(W, u32)>,
}

impl<W: FingerprintWord> PathTest<W> {
    pub(crate) fn new() -> Self {
        Self { agreed: W::default(), near: Vec::new(), far: Vec::new() }
    }

    pub(crate) fn and_near(&self, block: W, radius: u32) -> Self {
        let mut test = self.clone();
        if radius == 0 {
            test.agreed = W::truncate(test.agreed.widen() | block.widen());
        } else {
            test.near.push((block, radius));
        }
        test
    }

    pub(crate) fn and_far(&mut self, block: W, radius: u32) {
        self.far.push((block, radius + 1));
    }

    #[inline]
    pub(crate) fn admits(&self, a: W, b: W) -> bool {
        let differing = Bits::xor(a, b);
        let ones_in = |block: W| Bits::and(differing, block).ones();
        Bits::and(differing, self.agreed).is_zero()
            && self.far.iter().all(|&(block, least)| ones_in(block) >= least)
            && self.near.iter().all(|&(block, most)| ones_in(block) <= most)
    }
}

/// How the bits of a block become a cell number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Key<W> {
    /// A run of bits: its upper end (exclusive) and its width.
    Run { high: u32, width: u32 },
    /// Bits anywhere: their hash. Different bits may share a cell, equal ones always do.
    Hash { block: W, width: u32 },
}

impl<W: FingerprintWord> Key<W> {
    pub(crate) fn of(block: u128, radius: u32) -> Self {
        let high = 128 - block.leading_zeros();
        let top_run = (block << (128 - high)).leading_ones();
        if top_run == block.count_ones() || radius > 0 {
            // With a radius cells have neighbours, which a hash would lose; a run of the block
            // alone is right too, as a pair differs in it no more than in the block.
            return Self::Run { high, width: top_run };
        }
        Self::Hash { block: W::truncate(block), width: block.count_ones() }
    }

    /// Whether sorted fingerprints are in order by this key already.
    pub(crate) fn is_top(self) -> bool {
        matches!(self, Self::Run { high, .. } if high == W::WIDTH)
    }

    /// Bits the key has in all.
    pub(crate) fn width(self) -> u32 {
        match self {
            Self::Run { width, .. } | Self::Hash { width, .. } => width,
        }
    }
}

impl<W: FingerprintWord> Step<W> {
    /// Each outer table as a step of its own; a step without tables is its own only part.
    pub(crate) fn outer(self) -> Vec<Self> {
        match self {
            Self::Compare => vec![Self::Compare],
            Self::Chain(tables) => {
                tables.into_iter().map(|table| Self::Chain(vec![table])).collect()
            }
        }
    }

    pub(crate) fn of(plan: &Plan) -> Self {
        Self::at(plan.root(), &PathTest::new())
    }

    pub(crate) fn at(node: &Node, path: &PathTest<W>) -> Self {
        let Node::Chain(branches) = node else { return Self::Compare };
        let mut path = path.clone();
        let tables = branches.iter().map(|Branch { block, radius, then }| {
            let word = W::truncate(*block);
            let test = path.and_near(word, *radius);
            path.and_far(word, *radius);
            let then = Self::at(then, &test);
            Table { key: Key::of(*block, *radius), radius: *radius, test, then }
        });
        Self::Chain(tables.collect())
    }
}
