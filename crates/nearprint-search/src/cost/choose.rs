//! The cheapest plan, by trying them all.
//!
//! A place in a plan's tree is known by the bits its pairs agree in, the free bits that are left, what of
//! the distance is left for these, and the widest block in which the pairs are known to differ. At each,
//! either everything is compared, or a first block is cut off: pairs that agree in it have fewer free bits,
//! pairs that do not have spent one bit of the distance on it. Where nothing of the distance is left free
//! bits must all agree; where none are left, a block known to differ in exactly few bits is itself cut:
//! within k = 3 the pairs that differ in each of the first three blocks differ in one bit of each, so that
//! half of one of them must agree.
//!
//! Costs of the parts add up, so that the cheapest tree is made of cheapest parts, each found once.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::Workload;
use crate::error::PlanError;
use crate::join::MAX_PLANNED_DISTANCE;
use crate::plan::{Branch, MAX_TABLES, Node, Plan, run_of_bits};

/// The cheapest plan for a workload, and its cost in ns a fingerprint.
pub(crate) fn cheapest(width: u32, k: u32, workload: &Workload) -> Result<(Plan, f64), PlanError> {
    // Comparing all in some milliseconds is not worth a search for better, which takes as long; nor is it where nearly
    // all have to be compared.
    let compare = workload.compare(0.0);
    if compare * workload.prints < 4e6 || k > MAX_PLANNED_DISTANCE {
        return Ok((Plan::brute_force(width, k)?, compare));
    }
    // A tree may be the cheapest and yet too large to be written down; dearer scatters make it smaller.
    let mut workload = *workload;
    loop {
        let mut search = Search { workload: &workload, width, known: HashMap::default() };
        let root = Place { agreed: 0, free: width, left: k, differing: 0 };
        let (cost, _) = search.at(root);
        if search.tables(root) <= MAX_TABLES {
            let node = search.build(root, Bits { free: run_of_bits(0, width), differing: 0 });
            return Ok((Plan::checked(width, k, node)?, cost));
        }
        workload.steps.inner *= 2.0;
    }
}

/// A place in a tree, as far as costs go.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Bits in which the pairs agree.
    agreed: u32,
    /// Bits of which nothing is known.
    free: u32,
    /// The most free bits they differ in.
    left: u32,
    /// Width of the widest block in which they differ, in 1 to `left + 1` bits; 0 if there is none.
    differing: u32,
}

/// The same place's bits by name.
#[derive(Clone, Copy)]
struct Bits {
    free: u128,
    differing: u128,
}

/// What is best at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Choice {
    /// Compare all pairs.
    Compare,
    /// Cut so many bits off the free ones.
    Free(u32),
    /// Cut so many bits off the block known to differ.
    Differing(u32),
    /// There is nothing to cut.
    Nothing,
}

struct Search<'w> {
    workload: &'w Workload,
    width: u32,
    known: HashMap<u64, (f64, Choice), BuildHasherDefault<KeyHasher>>,
}

impl Place {
    /// The place as one number: every field is below 256.
    fn key(self, first: bool) -> u64 {
        let fields = [self.agreed, self.free, self.left, self.differing, u32::from(first)];
        fields.iter().fold(0, |key, &field| key << 8 | u64::from(field))
    }

    /// Where the pairs that agree in the first block go.
    fn agreeing(self, choice: Choice) -> Self {
        match choice {
            Choice::Free(bits) => {
                Self { agreed: self.agreed + bits, free: self.free - bits, ..self }
            }
            Choice::Differing(bits) => {
                Self { agreed: self.agreed + bits, differing: self.differing - bits, ..self }
            }
            Choice::Compare | Choice::Nothing => self,
        }
    }

    /// Where those that do not go; `None` if there are none within the distance.
    fn rest(self, choice: Choice) -> Option<Self> {
        match choice {
            Choice::Free(bits) => Some(Self {
                free: self.free - bits,
                left: self.left.checked_sub(1)?,
                // Whichever is wider serves later; the other stays a test.
                differing: self.differing.max(bits),
                ..self
            }),
            // The bit known to differ lies in what was cut off, and the rest of the block is free.
            Choice::Differing(bits) => {
                Some(Self { free: self.free + self.differing - bits, differing: bits, ..self })
            }
            Choice::Compare | Choice::Nothing => None,
        }
    }
}

impl Search<'_> {
    /// Cost and choice where a bucket begins.
    fn at(&mut self, place: Place) -> (f64, Choice) {
        self.best(place, true)
    }

    /// Cost and choice at a place; within a chain (`first` is false) comparing everything is not a choice,
    /// as it would have been the better one at the chain's beginning.
    fn best(&mut self, place: Place, first: bool) -> (f64, Choice) {
        if let Some(&known) = self.known.get(&place.key(first)) {
            return known;
        }
        let agreed = f64::from(place.agreed);
        let compare = self.workload.compare(agreed);
        let mut best =
            if first { (compare, Choice::Compare) } else { (f64::INFINITY, Choice::Nothing) };
        // Comparing a few costs less than any scatter.
        if !first || compare > self.workload.steps.inner {
            let useful = (self.workload.useful_bits(agreed).ceil() as u32).clamp(1, 24);
            // Widths around those that make good plans: as many bits as fill the cells, an even share
            // of what is free, and what leaves good widths to the others; some between them.
            let even = place.free / (place.left + 1);
            let others = place.free.saturating_sub(useful * place.left);
            let near = |bits: u32, width: u32| bits.abs_diff(width) <= 1;
            let widths = (1..=useful.min(place.free)).filter(|&bits| {
                near(bits, useful) || near(bits, even) || near(bits, others) || bits % 4 == 0
            });
            for bits in widths {
                self.try_cut(place, Choice::Free(bits), &mut best);
            }
            let part = place.differing.div_ceil(place.left + 2);
            if part > 0 && part < place.differing {
                self.try_cut(place, Choice::Differing(part), &mut best);
            }
        }
        self.known.insert(place.key(first), best);
        best
    }

    /// Takes a cut for the best if it costs less.
    fn try_cut(&mut self, place: Place, choice: Choice, best: &mut (f64, Choice)) {
        let (Choice::Free(bits) | Choice::Differing(bits)) = choice else { return };
        let sorted = place.agreed == 0 && place.free == self.width;
        let scatter = self.workload.scatter(f64::from(place.agreed), f64::from(bits), sorted);
        let mut cost = scatter + self.workload.steps.cell;
        // Each part is examined only while the whole may still be the best.
        if cost < best.0 {
            cost += self.at(place.agreeing(choice)).0;
        }
        if cost < best.0 {
            cost += place.rest(choice).map_or(0.0, |rest| self.best(rest, false).0);
        }
        if cost < best.0 {
            *best = (cost, choice);
        }
    }

    /// Tables of the tree of the best choices, counted only up to some beyond the limit.
    fn tables(&mut self, mut place: Place) -> usize {
        let (_, mut choice) = self.at(place);
        let mut tables = usize::from(choice == Choice::Compare);
        while matches!(choice, Choice::Free(_) | Choice::Differing(_)) && tables <= MAX_TABLES {
            tables += self.tables(place.agreeing(choice));
            let Some(rest) = place.rest(choice) else { break };
            place = rest;
            choice = self.best(place, false).1;
        }
        tables
    }

    /// The tree of the best choices.
    fn build(&mut self, place: Place, bits: Bits) -> Node {
        let (_, choice) = self.at(place);
        if choice == Choice::Compare {
            return Node::Compare;
        }
        let mut branches = Vec::new();
        let (mut place, mut bits, mut choice) = (place, bits, choice);
        loop {
            let block = match choice {
                Choice::Free(count) => top_bits(bits.free, count),
                Choice::Differing(count) => top_bits(bits.differing, count),
                Choice::Compare | Choice::Nothing => break,
            };
            let agreeing = Bits { free: bits.free & !block, differing: bits.differing & !block };
            let then = self.build(place.agreeing(choice), agreeing);
            branches.push(Branch { block, radius: 0, then });
            let Some(rest) = place.rest(choice) else { break };
            bits = match choice {
                Choice::Free(count) => Bits {
                    free: agreeing.free,
                    differing: if place.differing >= count { bits.differing } else { block },
                },
                _ => Bits { free: bits.free | agreeing.differing, differing: block },
            };
            place = rest;
            choice = self.best(place, false).1;
        }
        Node::Chain(branches)
    }
}

/// Hashes the keys of places, a million of which may be looked up for one plan, by a multiplication.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        // Only keys of 64 bits are hashed; this is here to be complete.
        for &byte in bytes {
            self.write_u64(u64::from(byte) ^ self.0.rotate_left(8));
        }
    }
    fn write_u64(&mut self, key: u64) {
        let product = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ (product >> 32);
    }
}

/// The `count` most significant of `bits`.
fn top_bits(bits: u128, count: u32) -> u128 {
    let (mut rest, mut top) = (bits, 0);
    for _ in 0..count {
        let bit = 1u128 << (127 - rest.leading_zeros());
        rest ^= bit;
        top |= bit;
    }
    top
}
