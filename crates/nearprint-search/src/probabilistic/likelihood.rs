//! How unlikely it is that certain bits of a fingerprint differ, as a sum over the bits.

use super::sample::NearPrint;
use super::{WEAK, WeakBits};

/// Penalties for each bit that differs: the logarithm of the odds against it, so that the penalty of a set
/// of bits is the sum of theirs. Whole numbers, in 1/256 of a binary digit: sums are the same in any order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Penalties {
    /// Of the least certain bit, the next, and so on; ascending.
    by_rank: [u32; WEAK],
    /// Of any other bit.
    beyond: u32,
}

impl Penalties {
    /// Learned from near fingerprints: how often the bit of each rank differs.
    pub(super) fn of<'s>(near: impl Iterator<Item = NearPrint<'s>>) -> Self {
        // Half a count of each, so that what was not seen is not impossible.
        let (mut counts, mut beyond, mut seen) = ([0.5; WEAK], 0.5, 1.0);
        let mut width = 0;
        for print in near {
            width = print.width;
            let mut left = print.differing;
            for (count, &bit) in counts.iter_mut().zip(print.weak) {
                *count += (left >> bit & 1) as f64;
                left &= !(1 << bit);
            }
            beyond += f64::from(left.count_ones());
            seen += 1.0;
        }
        let others = f64::from(width).max(WEAK as f64 + 1.0) - WEAK as f64;
        // A bit more uncertain than another is not less likely to differ, whatever a small sample says.
        let mut least = 1;
        let mut rising = |probability: f64| {
            let odds = (1.0 - probability) / probability;
            least = least.max((odds.log2() * 256.0).max(1.0) as u32);
            least
        };
        let by_rank = counts.map(|count| rising(count / seen));
        Self { by_rank, beyond: rising(beyond / seen / others) }
    }

    /// The penalty of the bits `differing` of a fingerprint with these uncertain bits.
    pub(super) fn of_bits(&self, differing: u128, weak: &WeakBits) -> u32 {
        let mut left = differing;
        let ranked: u32 = self
            .by_rank
            .iter()
            .zip(weak)
            .map(|(penalty, &bit)| {
                let differs = left >> bit & 1 == 1;
                left &= !(1 << bit);
                if differs { *penalty } else { 0 }
            })
            .sum();
        ranked + left.count_ones() * self.beyond
    }

    /// The bits of a part of a fingerprint, `bits` bits from `shift` on, with their penalties, the least first; only
    /// those of at most `most`. `list` is emptied first.
    pub(super) fn list(
        &self,
        (shift, bits): (u32, u32),
        weak: &WeakBits,
        most: u32,
        list: &mut Vec<(u32, u32)>,
    ) {
        list.clear();
        let mut rest = ((1u64 << bits) - 1) as u32;
        for (&penalty, &bit) in self.by_rank.iter().zip(weak) {
            let place = u32::from(bit).wrapping_sub(shift);
            if place < bits && rest >> place & 1 == 1 {
                rest &= !(1 << place);
                if penalty <= most {
                    list.push((penalty, 1 << place));
                }
            }
        }
        if self.beyond <= most {
            while rest != 0 {
                list.push((self.beyond, rest & rest.wrapping_neg()));
                rest &= rest - 1;
            }
        }
    }
}

/// Calls `each` with every set of at most `ones` of the listed bits whose penalties come to at most `most`,
/// the empty one among them, until it returns false; returns whether it did not.
pub(super) fn sets(
    list: &[(u32, u32)],
    ones: u32,
    most: u32,
    each: &mut impl FnMut(u32) -> bool,
) -> bool {
    extend(list, ones, most, 0, each)
}

fn extend(
    list: &[(u32, u32)],
    ones: u32,
    most: u32,
    set: u32,
    each: &mut impl FnMut(u32) -> bool,
) -> bool {
    if !each(set) {
        return false;
    }
    if ones == 0 {
        return true;
    }
    for (at, &(penalty, bit)) in list.iter().enumerate() {
        // Those after it are no likelier.
        if penalty > most {
            break;
        }
        if !extend(&list[at + 1..], ones - 1, most - penalty, set | bit, each) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_all_those_within_the_penalty_and_no_others() {
        let list: Vec<(u32, u32)> =
            [1, 1, 3, 4, 8, 9].into_iter().zip((0..6).map(|bit| 1 << bit)).collect();
        for most in 0..28 {
            for ones in 0..7 {
                let mut got = Vec::new();
                assert!(sets(&list, ones, most, &mut |set| {
                    got.push(set);
                    true
                }));
                got.sort_unstable();
                let penalty = |set: u32| {
                    list.iter()
                        .filter(|(_, bit)| set & bit != 0)
                        .map(|(penalty, _)| penalty)
                        .sum::<u32>()
                };
                let want: Vec<u32> = (0..64u32)
                    .filter(|&set| set.count_ones() <= ones && penalty(set) <= most)
                    .collect();
                assert_eq!(got, want, "{ones} bits, penalty {most}");
            }
        }
        let mut asked = 0;
        assert!(!sets(&list, 6, 100, &mut |_| {
            asked += 1;
            asked < 5
        }));
        assert_eq!(asked, 5);
    }

    #[test]
    fn a_list_has_each_bit_of_the_part_once_with_its_penalty() {
        let by_rank = std::array::from_fn(|rank| rank as u32 + 1);
        let penalties = Penalties { by_rank, beyond: 40 };
        let weak: WeakBits = std::array::from_fn(|rank| 60 - 3 * rank as u8);
        let mut list = Vec::new();
        for part in [(0, 12), (12, 20), (50, 14), (60, 4)] {
            penalties.list(part, &weak, 40, &mut list);
            assert!(list.is_sorted_by_key(|entry| entry.0));
            assert_eq!(list.iter().fold(0, |all, (_, bit)| all + bit), (1 << part.1) - 1);
            for &(penalty, bit) in &list {
                assert_eq!(penalty, penalties.of_bits(u128::from(bit) << part.0, &weak));
            }
            let all = list.len();
            penalties.list(part, &weak, 39, &mut list);
            assert!(list.len() < all && list.iter().all(|entry| entry.0 <= 16));
        }
    }
}
