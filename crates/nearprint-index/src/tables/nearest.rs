//! Matches of which only the nearest matter.

/// Which matches are the nearest of their query, where only some of them matter: reading the id of a match takes longer
/// than finding it.
pub(super) struct Nearest {
    /// Of each query the distance of the last of them, and how many of that distance there is room for.
    last: Option<Vec<(u32, usize)>>,
}

impl Nearest {
    /// The nearest `most` of each query, whose matches have these distances.
    pub(super) fn of(
        queries: usize,
        most: usize,
        distances: impl Iterator<Item = (usize, u32)>,
    ) -> Self {
        if most == usize::MAX {
            return Self { last: None };
        }
        let mut counts: Vec<Vec<usize>> = vec![Vec::new(); queries];
        for (query, distance) in distances {
            let (of_query, distance) = (&mut counts[query], distance as usize);
            if of_query.len() <= distance {
                of_query.resize(distance + 1, 0);
            }
            of_query[distance] += 1;
        }
        let last = |counts: Vec<usize>| {
            let mut room = most;
            for (distance, count) in (0..).zip(counts) {
                if count >= room {
                    return (distance, room);
                }
                room -= count;
            }
            (u32::MAX, room)
        };
        Self { last: Some(counts.into_iter().map(last).collect()) }
    }

    /// Whether a match may be one of them.
    pub(super) fn may_have(&self, query: usize, distance: u32) -> bool {
        self.last.as_ref().is_none_or(|last| distance <= last[query].0)
    }

    /// Takes a match, if it is one of them. Those of a distance come in the order of addition.
    pub(super) fn takes(&mut self, query: usize, distance: u32) -> bool {
        let Some(last) = &mut self.last else { return true };
        let (at, room) = &mut last[query];
        if distance == *at {
            let takes = *room > 0;
            *room -= usize::from(takes);
            return takes;
        }
        distance < *at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_are_those_that_sorting_finds() {
        // Distances of three queries, in the order of addition.
        let found: Vec<(usize, u32)> = (0..300_u32)
            .map(|n| ((n % 3) as usize, n * 7919 % 11))
            .filter(|one| one.0 != 2)
            .collect();
        for most in [0, 1, 7, 60, 100, 1000, usize::MAX] {
            let mut nearest = Nearest::of(3, most, found.iter().copied());
            let taken: Vec<_> = (0..)
                .zip(&found)
                .filter(|(_, one)| nearest.may_have(one.0, one.1) && nearest.takes(one.0, one.1))
                .collect();
            for query in 0..3 {
                let mut expected: Vec<(u32, &(usize, u32))> =
                    (0..).zip(&found).filter(|(_, one)| one.0 == query).collect();
                expected.sort_by_key(|(_, one)| one.1);
                expected.truncate(most);
                expected.sort_by_key(|(at, _)| *at);
                let taken: Vec<_> =
                    taken.iter().filter(|(_, one)| one.0 == query).copied().collect();
                assert_eq!(taken, expected, "{most} of query {query}");
            }
        }
    }
}
