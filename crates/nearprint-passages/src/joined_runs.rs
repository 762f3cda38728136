//! Runs of two documents that are near one another in both, as one: a passage in which words were changed.
//!
//! Runs come by their places. A run is joined to the first passage, in their order, that begins and ends before it in
//! both documents and ends at most so many tokens before its beginning.

use std::collections::VecDeque;
use std::ops::Range;

/// A run of two documents, or several that are joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JoinedRun {
    pub(crate) documents: (u32, u32),
    /// Its tokens in both documents.
    pub(crate) a: Range<usize>,
    pub(crate) b: Range<usize>,
    /// Those that are the same.
    pub(crate) tokens: usize,
}

impl JoinedRun {
    /// Tokens of either document that the other one lacks there.
    pub(crate) fn changed(&self) -> usize {
        self.a.len().saturating_sub(self.tokens) + self.b.len().saturating_sub(self.tokens)
    }

    /// Joins a run that follows within so many tokens; false if it does not.
    fn join(&mut self, next: &Self, most_gap: usize) -> bool {
        let follows = |one: &Range<usize>, next: &Range<usize>| {
            one.start < next.start && one.end < next.end && next.start <= one.end + most_gap
        };
        if self.documents != next.documents
            || !follows(&self.a, &next.a)
            || !follows(&self.b, &next.b)
        {
            return false;
        }
        // Runs before and after an inserted word may overlap where it is the same as its neighbour.
        let overlap = |one: &Range<usize>, next: &Range<usize>| one.end.saturating_sub(next.start);
        let twice = overlap(&self.a, &next.a).max(overlap(&self.b, &next.b));
        self.tokens += next.tokens - twice;
        (self.a.end, self.b.end) = (next.a.end, next.b.end);
        true
    }
}

/// Joins runs as they come.
#[derive(Debug)]
pub(crate) struct RunJoiner {
    most_gap: usize,
    /// Passages that a later run may be joined to, and those that wait for one of these to be given.
    open: VecDeque<JoinedRun>,
}

impl RunJoiner {
    /// Joins runs with at most so many tokens between them; with none, nothing.
    pub(crate) fn new(most_gap: usize) -> Self {
        Self { most_gap, open: VecDeque::new() }
    }

    /// Takes the next run, or the end, and adds the passages that are complete to `done`, in the order of their
    /// beginnings.
    pub(crate) fn push(&mut self, next: Option<JoinedRun>, done: &mut Vec<JoinedRun>) {
        while let Some(first) = self.open.front() {
            let may_grow = self.most_gap > 0
                && next.as_ref().is_some_and(|next| {
                    next.documents == first.documents && next.a.start <= first.a.end + self.most_gap
                });
            if may_grow {
                break;
            }
            done.extend(self.open.pop_front());
        }
        let Some(next) = next else { return };
        if self.most_gap == 0 || !self.open.iter_mut().any(|open| open.join(&next, self.most_gap)) {
            self.open.push_back(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(
        runs: &[(usize, usize, usize)],
        most_gap: usize,
    ) -> Vec<(Range<usize>, Range<usize>, usize)> {
        let (mut joiner, mut done) = (RunJoiner::new(most_gap), Vec::new());
        for &(a, b, tokens) in runs {
            let run = JoinedRun { documents: (0, 1), a: a..a + tokens, b: b..b + tokens, tokens };
            joiner.push(Some(run), &mut done);
        }
        joiner.push(None, &mut done);
        done.into_iter().map(|run| (run.a, run.b, run.tokens)).collect()
    }

    #[test]
    fn runs_are_joined_over_gaps_in_both_documents() {
        let two = [(0, 100, 50), (52, 152, 50)];
        assert_eq!(joined(&two, 0).len(), 2);
        assert_eq!(joined(&two, 1).len(), 2);
        assert_eq!(joined(&two, 2), [(0..102, 100..202, 100)]);
        // A word that was inserted in one, and one that repeats its neighbour.
        assert_eq!(joined(&[(0, 100, 50), (50, 151, 50)], 1), [(0..100, 100..201, 100)]);
        assert_eq!(joined(&[(0, 100, 50), (49, 150, 51)], 1), [(0..100, 100..201, 100)]);
        // Far away in one of the documents, or in another order.
        assert_eq!(joined(&[(0, 100, 50), (52, 500, 50)], 9).len(), 2);
        assert_eq!(joined(&[(0, 100, 50), (52, 20, 50)], 9).len(), 2);
        // One at two places, and both go on; they come by their beginnings.
        let four = [(0, 100, 50), (0, 300, 50), (51, 151, 50), (51, 351, 50), (200, 400, 50)];
        let wanted = [(0..101, 100..201, 100), (0..101, 300..401, 100), (200..250, 400..450, 50)];
        assert_eq!(joined(&four, 3), wanted);
    }
}
