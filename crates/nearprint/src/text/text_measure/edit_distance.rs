//! The edit distance of two texts, within a bound on work that does not depend on the machine.

use nearprint_fingerprint::stages::normalise;
use rapidfuzz::distance::levenshtein;

use super::TextSimilarity;

/// Whether this build has it.
pub(super) const COMPILED: bool = true;

/// Steps of 64 cells of the table of distances, at most: some seconds. Narrower bands are tried first, which takes as
/// many steps again.
pub(super) const MOST_STEPS: u64 = 1 << 31;

/// The same for one of many pairs: a fraction of a second.
pub(crate) const MOST_STEPS_OF_MANY: u64 = 1 << 28;

/// Cells in a step.
const CELLS: u64 = 64;

/// 1 - Levenshtein distance / length of the longer; counted in code points. `at_least` is the similarity below which
/// texts need not be told apart.
pub(super) fn similarity(a: &[char], b: &[char], at_least: f64, most_steps: u64) -> TextSimilarity {
    if a.is_empty() || b.is_empty() {
        return TextSimilarity::Exact(0.0);
    }
    let longer = a.len().max(b.len());
    let most = most_distance(a.len().min(b.len()) as u64, longer as u64, most_steps);
    let needed = ((1.0 - at_least) * longer as f64).max(0.0) as usize + 1;
    let most = usize::try_from(most).unwrap_or(usize::MAX).min(needed).min(longer);
    let arguments = levenshtein::Args::default().score_cutoff(most);
    let share = |distance: usize| 1.0 - distance as f64 / longer as f64;
    match levenshtein::distance_with_args(a.iter().copied(), b.iter().copied(), &arguments) {
        Some(distance) => TextSimilarity::Exact(share(distance)),
        None => TextSimilarity::Below(share(most)),
    }
}

/// The greatest distance that can be decided: a row of the table for each character of the longer text, each as wide
/// as the shorter one, or as the diagonals within that distance.
fn most_distance(shorter: u64, longer: u64, most_steps: u64) -> u64 {
    let steps_a_row = most_steps / longer;
    if shorter.div_ceil(CELLS) <= steps_a_row {
        return longer;
    }
    (steps_a_row * CELLS).saturating_sub(CELLS) / 2
}

/// The characters of the normalised text with white space as one space; 4 bytes of memory for each.
pub(super) fn characters(text: &str) -> Vec<char> {
    let mut characters = Vec::new();
    for word in normalise(text).split_whitespace() {
        if !characters.is_empty() {
            characters.push(' ');
        }
        characters.extend(word.chars());
    }
    characters
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounded(a: &str, b: &str, most_steps: u64) -> TextSimilarity {
        similarity(&characters(a), &characters(b), 0.0, most_steps)
    }

    /// Row by row, as the definition says.
    fn distance(a: &[char], b: &[char]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut diagonal = std::mem::replace(&mut row[0], i + 1);
            for (j, y) in b.iter().enumerate() {
                let replaced = diagonal + usize::from(x != y);
                diagonal = row[j + 1];
                row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
            }
        }
        row[b.len()]
    }

    /// A text of some letters, and the same with some of them changed.
    fn texts(length: usize, changes: usize, seed: u64) -> (String, String) {
        let mut state = seed;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let letter = |n: usize| char::from(b"abcdefgh ij\xE9"[n]);
        let mut text: Vec<char> = (0..length).map(|_| letter(random(12))).collect();
        let first = text.iter().collect();
        for _ in 0..changes {
            let at = random(text.len());
            match random(3) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, letter(random(12))),
                _ => text[at] = letter(random(12)),
            }
        }
        (first, text.into_iter().collect())
    }

    #[test]
    fn distances_are_those_of_the_definition() {
        for (seed, length, changes) in
            [(1, 5, 2), (2, 60, 9), (3, 64, 0), (4, 65, 30), (5, 700, 20), (6, 900, 600)]
        {
            let (a, b) = texts(length, changes, seed);
            let (x, y) = (characters(&a), characters(&b));
            let wanted = 1.0 - distance(&x, &y) as f64 / x.len().max(y.len()) as f64;
            assert_eq!(bounded(&a, &b, MOST_STEPS), TextSimilarity::Exact(wanted), "seed {seed}");
            // A threshold changes nothing of what reaches it.
            match similarity(&x, &y, 0.8, MOST_STEPS) {
                TextSimilarity::Exact(found) => assert_eq!(found, wanted, "seed {seed}"),
                TextSimilarity::Below(bound) => {
                    assert!(wanted < bound && bound <= 0.8, "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn the_bound_says_what_it_decided() {
        let (a, b) = texts(2000, 900, 7);
        let TextSimilarity::Exact(wanted) = bounded(&a, &b, MOST_STEPS) else {
            panic!("it is short")
        };
        // Too few steps for all of it: nothing that is not so is said.
        for steps in [1, 1 << 12, 1 << 13, 1 << 14] {
            match bounded(&a, &b, steps) {
                TextSimilarity::Below(bound) => assert!(wanted < bound, "{steps}"),
                TextSimilarity::Exact(found) => assert_eq!(found, wanted, "{steps}"),
            }
        }
        let (copy, near) = texts(2000, 3, 8);
        assert!(matches!(bounded(&a, &b, 1 << 13), TextSimilarity::Below(_)));
        assert!(matches!(bounded(&copy, &near, 1 << 13), TextSimilarity::Exact(_)));
    }
}
