//! What the rule of GPT-3 cuts out of a text (Brown and others 2020, appendix C): each run that is found with 200
//! characters on both sides, and pieces between of fewer than 200; of a text with more than 10 cuts nothing stays.

use std::ops::Range;

use nearprint_records::TextPiece;

/// Characters that are cut on each side of a run.
const AROUND: u64 = 200;

/// Characters of a piece that stays, at least.
const SHORTEST_PIECE: u64 = 200;

/// Cuts of a text, at most, for pieces of it to stay.
const MOST_CUTS: usize = 10;

/// What stands in the place of a cut between two pieces: they are not one sentence.
#[cfg(feature = "files")]
pub(super) const BETWEEN: &str = "\n\n";

/// What is cut out of a text, and what stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextCuts {
    /// The number of cuts. Runs whose cuts overlap or touch are one.
    pub(super) count: u64,
    /// What stays, in characters, in order; nothing where the text is dropped.
    pub(super) pieces: Vec<TextPiece>,
}

impl TextCuts {
    /// The cuts of a text of so many characters with runs at these, in the order of their beginnings.
    pub(super) fn new(runs: impl IntoIterator<Item = Range<u64>>, characters: u64) -> Self {
        let mut cuts: Vec<Range<u64>> = Vec::new();
        for Range { start, end } in runs {
            let (start, end) = (start.saturating_sub(AROUND), (end + AROUND).min(characters));
            match cuts.last_mut() {
                Some(last) if start <= last.end => last.end = last.end.max(end),
                _ => cuts.push(start..end),
            }
        }
        let count = cuts.len() as u64;
        let mut pieces = Vec::new();
        if cuts.len() <= MOST_CUTS {
            let starts = std::iter::once(0).chain(cuts.iter().map(|cut| cut.end));
            let ends = cuts.iter().map(|cut| cut.start).chain([characters]);
            pieces.extend(
                starts
                    .zip(ends)
                    .filter(|&(start, end)| end.saturating_sub(start) >= SHORTEST_PIECE)
                    .map(|(start, end)| TextPiece { start, end }),
            );
        }
        Self { count, pieces }
    }

    /// What stays of the text, with a blank line between two pieces.
    #[cfg(feature = "files")]
    pub(super) fn left(&self, text: &str) -> String {
        let (mut pieces, mut at) = (Vec::new(), 0);
        for Range { start, end } in self.removed(text) {
            pieces.push(&text[at..start]);
            at = end;
        }
        pieces.push(&text[at..]);
        pieces.retain(|piece| !piece.is_empty());
        pieces.join(BETWEEN)
    }

    /// What does not stay, in bytes of the text.
    #[cfg(feature = "files")]
    pub(super) fn removed(&self, text: &str) -> Vec<Range<usize>> {
        let bounds = self.pieces.iter().flat_map(|piece| [piece.start, piece.end]);
        let (mut byte, mut character) = (0, 0);
        let bounds: Vec<usize> = bounds
            .map(|bound| {
                let rest = text[byte..].char_indices();
                let further = rest.map(|(at, _)| at).nth((bound - character) as usize);
                byte += further.unwrap_or(text.len() - byte);
                character = bound;
                byte
            })
            .collect();
        let starts = std::iter::once(0).chain(bounds.iter().skip(1).step_by(2).copied());
        let ends = bounds.iter().step_by(2).copied().chain([text.len()]);
        starts.zip(ends).filter(|(start, end)| start < end).map(|(start, end)| start..end).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(runs: &[Range<u64>], characters: u64) -> (u64, Vec<(u64, u64)>) {
        let cuts = TextCuts::new(runs.iter().cloned(), characters);
        (cuts.count, cuts.pieces.iter().map(|piece| (piece.start, piece.end)).collect())
    }

    #[test]
    #[expect(clippy::single_range_in_vec_init, reason = "lists of ranges, some of one")]
    fn pieces_of_two_hundred_characters_stay() {
        for (runs, characters, wanted) in [
            (vec![1000..1100], 2000, (1, vec![(0, 800), (1300, 2000)])),
            (vec![400..500], 899, (1, vec![(0, 200)])),
            (vec![399..500], 900, (1, vec![(700, 900)])),
            (vec![100..200], 300, (1, vec![])),
            // Cuts that touch are one, and a piece that is too short between two goes.
            (vec![1000..1100, 1500..1600], 3000, (1, vec![(0, 800), (1800, 3000)])),
            (vec![1000..1100, 1501..1600], 3000, (2, vec![(0, 800), (1800, 3000)])),
            (vec![1000..1100, 1700..1800], 2199, (2, vec![(0, 800), (1300, 1500)])),
            // A run within one before it.
            (vec![1000..1400, 1010..1050], 3000, (1, vec![(0, 800), (1600, 3000)])),
        ] {
            assert_eq!(pieces(&runs, characters), wanted, "{runs:?} of {characters}");
        }
    }

    #[test]
    fn a_text_of_more_than_ten_cuts_is_dropped() {
        let runs: Vec<Range<u64>> = (0..11).map(|at| at * 1000..at * 1000 + 100).collect();
        let (count, kept) = pieces(&runs[..10], 20_000);
        assert_eq!((count, kept.len()), (10, 10));
        assert_eq!(pieces(&runs, 20_000), (11, Vec::new()));
    }

    #[test]
    fn pieces_are_those_of_the_janitor() {
        // lm_eval/decontamination/janitor.py, `_split_chunks`: it counts each run of 13 words as a cut, wants more than
        // 200 characters between two cuts, and leaves the last character of a cut before a piece.
        let janitor = |runs: &[Range<u64>], characters: u64| {
            let (mut chunks, mut from, mut end) = (Vec::new(), 0, -1_i64);
            for run in runs {
                let start = run.start.saturating_sub(200);
                end = (run.end as i64 - 1 + 200).min(characters as i64);
                if start as i64 - from > 200 {
                    chunks.push((from as u64, start));
                }
                from = end;
            }
            if end < characters as i64 - 200 {
                chunks.push((end as u64 + 1, characters));
            }
            chunks
        };
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        for _ in 0..2000 {
            let mut runs = Vec::new();
            for _ in 0..=random(9) {
                let start = random(4000);
                runs.push(start..start + 40 + random(60));
            }
            runs.sort_unstable_by_key(|run| (run.start, run.end));
            // A first piece of 200 characters stays here, and a run within one before it is not a cut of its own.
            let is_like = runs[0].start != 400 && runs.is_sorted_by_key(|run| run.end);
            if !is_like {
                continue;
            }
            let (count, kept) = pieces(&runs, 5000);
            assert!(count <= runs.len() as u64);
            let found = janitor(&runs, 5000);
            assert_eq!(found.len(), kept.len(), "{runs:?}");
            for ((start, end), (kept_start, kept_end)) in found.into_iter().zip(kept) {
                assert!(start.abs_diff(kept_start) <= 1 && end == kept_end, "{runs:?}");
            }
        }
    }

    #[cfg(feature = "files")]
    #[test]
    #[expect(clippy::single_range_in_vec_init, reason = "lists of ranges of one")]
    fn bytes_are_those_of_the_characters() {
        let text = format!("{}{}{}", "é".repeat(250), "w".repeat(500), "日".repeat(300));
        let cuts = TextCuts::new([450..600], 1050);
        let pieces: Vec<_> = cuts.pieces.iter().map(|piece| (piece.start, piece.end)).collect();
        assert_eq!(pieces, [(0, 250), (800, 1050)]);
        assert_eq!(cuts.removed(&text), [500..1150]);
        assert_eq!(cuts.left(&text), format!("{}\n\n{}", "é".repeat(250), "日".repeat(250)));
        let dropped = TextCuts { count: 11, pieces: Vec::new() };
        assert_eq!((dropped.removed("日本"), dropped.left("日本")), (vec![0..6], String::new()));
    }
}
