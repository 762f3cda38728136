//! With which texts each text is to be compared: those of its own word set, and those of the sets that prints propose.
//!
//! Very many texts can have the same words and other numbers (price lists, timetables, logs). Pairs of one set are
//! therefore not held but counted off, and where there are more than anybody waits for, only the first texts are
//! compared with all behind them. What is not compared is kept, never dropped.

use nearprint_search::Pair;

/// Comparisons within one word set, at most: those of 5,000 texts with one another.
const WITHIN: u64 = 12_500_000;

/// Pairs of texts of two word sets, at most: they are held, 12 bytes each.
const BETWEEN: u64 = 1 << 20;

/// The candidates of texts, which are named by their ranks.
#[derive(Debug)]
pub(super) struct Partners {
    /// Pairs of texts of different sets, ascending; the first rank of each is the smaller.
    pairs: Vec<Pair>,
    /// How many of them were given.
    given: usize,
    /// Texts by set and then by rank, and of each text its place there; nothing where every set has one text.
    members: Vec<u32>,
    places: Vec<u32>,
    /// Of each set where it ends in `members`, and how many texts may still be compared with all behind them.
    sets: Vec<(u32, u32)>,
    /// The set of each text, by rank; nothing where every set has one text.
    of_texts: Vec<u32>,
    left_out: u64,
}

impl Partners {
    /// Of texts whose sets these are, in the order of their ranks. `candidates` are pairs of sets.
    pub(super) fn of(
        of_texts: impl Iterator<Item = u32> + Clone,
        sets: usize,
        mut candidates: Vec<Pair>,
    ) -> Self {
        let mut sizes = vec![0u32; sets];
        of_texts.clone().for_each(|set| sizes[set as usize] += 1);
        let of_texts: Vec<u32> = of_texts.collect();
        let mut made = Self {
            pairs: Vec::new(),
            given: 0,
            members: vec![0; of_texts.len()],
            places: vec![0; of_texts.len()],
            sets: Vec::with_capacity(sets),
            of_texts,
            left_out: 0,
        };
        let mut end = 0;
        for size in sizes {
            // Filled below, which moves the ends to where they belong.
            let rows = (WITHIN / u64::from(size.max(1))).clamp(1, u32::MAX.into());
            made.sets.push((end, rows as u32));
            end += size;
        }
        for (rank, &set) in (0..).zip(&made.of_texts) {
            let place = &mut made.sets[set as usize].0;
            made.members[*place as usize] = rank;
            made.places[rank as usize] = *place;
            *place += 1;
        }
        if made.members.len() == sets {
            // Every set is one text.
            for pair in &mut candidates {
                let [a, b] = [pair.a, pair.b].map(|set| made.members[set as usize]);
                (pair.a, pair.b) = (a.min(b), a.max(b));
            }
            made.pairs = candidates;
        } else {
            candidates.iter().for_each(|pair| made.push_between(pair.a, pair.b));
        }
        Pair::sort(&mut made.pairs);
        made
    }

    /// Pairs that were not compared: of sets that very many texts have.
    pub(super) fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The texts behind a text that it is to be compared with. Texts come in ascending order; those that are not to be
    /// compared any more may be left out.
    pub(super) fn of_text(&mut self, rank: u32) -> impl Iterator<Item = u32> {
        let place = self.places[rank as usize] as usize + 1;
        let (end, left) = &mut self.sets[self.of_texts[rank as usize] as usize];
        let end = *end as usize;
        let mut within = place..end;
        if place < end {
            if *left == 0 {
                self.left_out += (end - place) as u64;
                within = 0..0;
            } else {
                *left -= 1;
            }
        }
        let before = self.pairs[self.given..].iter().take_while(|pair| pair.a < rank).count();
        let from = self.given + before;
        let own = self.pairs[from..].iter().take_while(|pair| pair.a == rank).count();
        self.given = from + own;
        let between = self.pairs[from..from + own].iter().map(|pair| pair.b);
        self.members[within].iter().copied().chain(between)
    }

    fn members(&self, set: u32) -> &[u32] {
        let start = if set == 0 { 0 } else { self.sets[set as usize - 1].0 };
        &self.members[start as usize..self.sets[set as usize].0 as usize]
    }

    /// Adds the pairs of texts of two sets: all, or those of their first texts.
    fn push_between(&mut self, a: u32, b: u32) {
        let mut pairs = std::mem::take(&mut self.pairs);
        let (a, b) = (self.members(a), self.members(b));
        let all = a.len() as u64 * b.len() as u64;
        let mut rows = [a.len(), b.len()];
        if all > BETWEEN {
            rows = [b, a].map(|others| (BETWEEN / 2 / others.len() as u64).max(1) as usize);
        }
        let before = pairs.len();
        for (at, &one) in a.iter().enumerate() {
            let others = if at < rows[0] { b } else { &b[..rows[1].min(b.len())] };
            pairs.extend(others.iter().map(|&other| Pair {
                a: one.min(other),
                b: one.max(other),
                distance: 0,
            }));
        }
        self.left_out += all - (pairs.len() - before) as u64;
        self.pairs = pairs;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn pairs(
        of_texts: &[u32],
        sets: usize,
        candidates: &[(u32, u32)],
    ) -> (BTreeSet<(u32, u32)>, u64) {
        let candidates = candidates.iter().map(|&(a, b)| Pair { a, b, distance: 1 }).collect();
        let mut partners = Partners::of(of_texts.iter().copied(), sets, candidates);
        let mut found = BTreeSet::new();
        for rank in 0..of_texts.len() as u32 {
            for other in partners.of_text(rank) {
                assert!(rank < other && found.insert((rank, other)));
            }
        }
        (found, partners.left_out())
    }

    #[test]
    fn texts_of_one_set_and_of_candidate_sets_are_compared() {
        let (found, left_out) = pairs(&[1, 0, 2], 3, &[(0, 1), (1, 2)]);
        assert_eq!((found, left_out), (BTreeSet::from([(0, 1), (0, 2)]), 0));
        let (found, _) = pairs(&[0, 1, 0, 2, 1], 3, &[(0, 1)]);
        let wanted = [(0, 1), (0, 2), (0, 4), (1, 2), (1, 4), (2, 4)];
        assert_eq!(found, BTreeSet::from(wanted));
    }

    #[test]
    fn of_very_many_texts_the_first_are_compared_with_all() {
        let many = vec![0u32; 20_000];
        let (found, left_out) = pairs(&many, 1, &[]);
        let all = 20_000 * 19_999 / 2;
        assert_eq!(found.len() as u64 + left_out, all);
        assert!(found.len() as u64 <= WITHIN && found.contains(&(0, 19_999)));
        let two: Vec<u32> = (0..6_000).map(|rank| rank % 2).collect();
        let (found, left_out) = pairs(&two, 2, &[(0, 1)]);
        let between = found.iter().filter(|(a, b)| (a + b) % 2 == 1).count() as u64;
        assert!(between <= BETWEEN && left_out > 0);
        assert!(found.contains(&(0, 5_999)) && found.contains(&(1, 5_998)));
    }
}
