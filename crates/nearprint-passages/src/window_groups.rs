//! What the sorted windows of common anchors propose: pairs of places, if a window is at few of them; if it is at more
//! than the bound, a frequent window with all of its places.
//!
//! Two documents that share a long run share all its windows, so most pairs of places would be proposed many times. A
//! pair is left out where the window before has the same anchor and the same hash in both and proposes it. What is
//! proposed is the place of the anchor, not of the window. So a collision of hashes cannot hide a run: all windows with
//! this anchor propose the same pair of places.
//!
//! Beside a frequent passage there are windows of it and of chance words, each at a few places. Where two such windows
//! have the same frequent window beside them, and too few tokens outside of it for their run to be reported (see
//! [`least_own`](crate::selection::AnchorSelection::least_own)), the pair is left out. So boilerplate proposes no
//! pairs, however many words chance puts beside it. That the frequent windows are the same is compared on their tokens.

use std::collections::HashMap;
use std::io;

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::anchor_groups::WindowRecord;
use crate::candidates::Candidates;
use crate::document_store::{DocumentReader, DocumentStore};
use crate::error::PassageError;
use crate::external_sort::SortedRecords;
use crate::frequent_places::{FrequentPlaces, Neighbour, Neighbours};
use crate::places::{DocumentSets, document, token};
use crate::progress::Watch;
use crate::selection::AnchorSelection;

/// What windows are compared with.
pub(crate) struct WindowGroups<'s> {
    pub(crate) store: &'s DocumentStore,
    pub(crate) windows: &'s SortedRecords<4>,
    pub(crate) selection: AnchorSelection,
    pub(crate) sets: DocumentSets,
    /// The most places of a window that is not frequent.
    pub(crate) most_places: usize,
}

/// A window of a group, and what is beside it. Where numbers are equal, the tokens are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Member {
    place: u64,
    anchor: u64,
    /// The hash of the window before, if that has the same anchor, else 0; and its number.
    before: (u64, usize),
    left: Side,
    right: Side,
}

/// The frequent window on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Side {
    number: usize,
    hash: u64,
    /// Tokens of the member that it has.
    covered: usize,
    /// Tokens of the window before the member that it has.
    covered_before: usize,
}

impl WindowGroups<'_> {
    /// Adds the pairs of the other windows to `candidates`.
    pub(crate) fn propose(
        &self,
        frequent: &FrequentPlaces,
        candidates: &mut Candidates,
        watch: &mut Watch<'_>,
    ) -> Result<(), PassageError> {
        let (mut windows, mut group) = (self.windows.read_groups()?, Vec::new());
        while let Some(first) = windows.next()? {
            watch.step()?;
            watch.skip(windows.left_out())?;
            group.clear();
            group.push(first);
            while let Some(next) = windows.next_of(first[0])? {
                watch.step()?;
                if group.len() <= self.most_places {
                    group.push(next);
                }
            }
            if (2..=self.most_places).contains(&group.len()) {
                self.propose_group(&group, frequent, candidates)?;
            }
        }
        Ok(())
    }

    fn propose_group(
        &self,
        group: &[WindowRecord],
        frequent: &FrequentPlaces,
        candidates: &mut Candidates,
    ) -> Result<(), PassageError> {
        let places: Vec<u64> = group.iter().map(|&[_, place, ..]| place).collect();
        if !self.sets.may_pair(places[0], places[places.len() - 1]) {
            return Ok(());
        }
        let least = self.selection.least;
        let neighbours = places.iter().map(|&place| frequent.neighbours(place, least));
        let neighbours: Vec<Neighbours> = neighbours.collect::<io::Result<_>>()?;
        let is_alone = neighbours.iter().all(|near| *near == Neighbours::default());
        // Most windows of long passages are left out by this alone.
        if is_alone && group[0][2] != 0 && group.iter().all(|window| window[2] == group[0][2]) {
            return Ok(());
        }
        let members = self.members(group, &neighbours, is_alone)?;
        let first = &members[0];
        let alike = |other: &Member| (other.left, other.right) == (first.left, first.right);
        if !is_alone && self.is_beside(first, first) && members.iter().all(alike) {
            return Ok(());
        }
        self.sets.each_pair(&places, |a, b| {
            let (a, b) = (&members[a], &members[b]);
            if self.is_beside(a, b) || self.is_continued(a, b) {
                return Ok(());
            }
            candidates.push(a.anchor, b.anchor)
        })?;
        Ok(())
    }

    /// Whether two windows have too few tokens outside of frequent windows that are beside both.
    fn is_beside(&self, a: &Member, b: &Member) -> bool {
        let covered = |one: Side, other: Side| if one == other { one.covered } else { 0 };
        let covered = covered(a.left, b.left) + covered(a.right, b.right);
        self.selection.least.saturating_sub(covered) < self.selection.least_own()
    }

    /// Whether the windows before propose the same pair.
    fn is_continued(&self, a: &Member, b: &Member) -> bool {
        // By hashes, which count too much rather than too little: where these collide, sides with equal tokens may have
        // two numbers here and one in the group of the windows before, which then leaves the pair out.
        let covered = |one: Side, other: Side| {
            let is_alike = Side { number: other.number, ..one } == other;
            if is_alike { one.covered_before } else { 0 }
        };
        let (left, right) = (covered(a.left, b.left), covered(a.right, b.right));
        // A window that a frequent one has wholly is that one.
        let is_frequent = [a, b].map(|member| member.left.covered_before == self.selection.least);
        a.before == b.before
            && a.before.0 != 0
            && is_frequent == [false; 2]
            && self.selection.least.saturating_sub(left + right) >= self.selection.least_own()
    }

    /// The windows of a group with what is beside them.
    fn members(
        &self,
        group: &[WindowRecord],
        neighbours: &[Neighbours],
        is_alone: bool,
    ) -> Result<Vec<Member>, PassageError> {
        let least = self.selection.least;
        let side = |near: Option<Neighbour>, before: usize, after: usize| {
            let covered = |distance: usize| least.saturating_sub(distance);
            let at = near.map_or(usize::MAX / 2, |near| near.distance);
            Side {
                number: 0,
                hash: near.map_or(0, |near| near.hash),
                covered: covered(at),
                covered_before: covered((at + after).saturating_sub(before)),
            }
        };
        let member = |(window, near): (&WindowRecord, &Neighbours)| Member {
            place: window[1],
            anchor: window[1] + window[3],
            before: (window[2], 0),
            left: side(near.left, 1, 0),
            right: side(near.right, 0, 1),
        };
        let mut members: Vec<Member> = group.iter().zip(neighbours).map(member).collect();
        if is_alone {
            return Ok(members);
        }
        let befores = group.iter().map(|window| (window[2] != 0).then_some((window[2], 1)));
        let numbers = self.numbers(&members, befores.collect(), Edge::Left)?;
        numbers.iter().zip(&mut members).for_each(|(&number, of)| of.before.1 = number);
        let key = |near: Option<Neighbour>| near.map(|near| (near.hash, near.distance));
        let lefts = neighbours.iter().map(|near| key(near.left)).collect();
        let numbers = self.numbers(&members, lefts, Edge::Left)?;
        numbers.iter().zip(&mut members).for_each(|(&number, of)| of.left.number = number);
        let rights = neighbours.iter().map(|near| key(near.right)).collect();
        let numbers = self.numbers(&members, rights, Edge::Right)?;
        numbers.iter().zip(&mut members).for_each(|(&number, of)| of.right.number = number);
        Ok(members)
    }

    /// A number for each member: those with the same key, a hash and a number of tokens, and with the tokens of the
    /// first of them on this side have the same one. Others, which collisions make, are numbered each by itself, even
    /// where they equal one another.
    fn numbers(
        &self,
        members: &[Member],
        keys: Vec<Option<(u64, usize)>>,
        edge: Edge,
    ) -> Result<Vec<usize>, PassageError> {
        let mut firsts: HashMap<(u64, usize), usize> = HashMap::new();
        let mut numbers = vec![0; members.len()];
        let mut compared = Vec::new();
        for (at, key) in keys.iter().enumerate() {
            let Some(key) = key else { continue };
            match firsts.get(key) {
                Some(&first) => compared.push((at, first, key.1)),
                None => {
                    firsts.insert(*key, at);
                    numbers[at] = at + 1;
                }
            }
        }
        let equal: Vec<io::Result<bool>> = compared
            .par_iter()
            .with_min_len(16)
            .map_init(
                || [self.store.reader(), self.store.reader()],
                |readers, &(at, first, tokens)| {
                    let places = [members[at].place, members[first].place];
                    self.are_equal(places, tokens, edge, readers)
                },
            )
            .collect();
        for ((at, first, _), equal) in compared.into_iter().zip(equal) {
            numbers[at] = if equal? { first + 1 } else { at + 1 };
        }
        Ok(numbers)
    }

    /// Whether so many tokens before or after the windows at two places are equal.
    fn are_equal(
        &self,
        places: [u64; 2],
        tokens: usize,
        edge: Edge,
        [one, other]: &mut [DocumentReader<'_>; 2],
    ) -> io::Result<bool> {
        one.open(document(places[0]))?;
        other.open(document(places[1]))?;
        let starts = places.map(|place| match edge {
            Edge::Left => (token(place) as usize).saturating_sub(tokens),
            Edge::Right => token(place) as usize + self.selection.least,
        });
        for at in 0..tokens {
            if one.token(starts[0] + at)? != other.token(starts[1] + at)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A side of a window.
#[derive(Debug, Clone, Copy)]
enum Edge {
    Left,
    Right,
}
