//! What is unlike in two texts, word by word, around the first place where they part.

/// Words shown of each text.
const SHOWN: usize = 120;

/// Words shown before the first that differs.
const BEFORE: usize = 24;

/// A stretch of a text.
#[derive(Debug, PartialEq)]
pub(super) struct Side<'t> {
    /// Its words, and whether the other side has none like it here.
    pub(super) words: Vec<(&'t str, bool)>,
    /// Whether text comes before.
    pub(super) begins_within: bool,
    /// Whether text follows.
    pub(super) ends_within: bool,
}

/// Both texts around the first place where they part, or from the beginning where they do not.
pub(super) fn beside<'t>(a: &'t str, b: &'t str) -> (Side<'t>, Side<'t>) {
    let (a, b): (Vec<&str>, Vec<&str>) =
        (a.split_whitespace().collect(), b.split_whitespace().collect());
    let alike = a.iter().zip(&b).take_while(|(a, b)| same(a, b)).count();
    let parts = alike < a.len() || alike < b.len();
    let start = if parts { alike.saturating_sub(BEFORE) } else { 0 };
    let of = |words: &[&'t str]| -> Vec<&'t str> {
        words.iter().skip(start).take(SHOWN).copied().collect()
    };
    let (left, right) = (of(&a), of(&b));
    let (in_left, in_right) = common(&left, &right);
    let side = |shown: Vec<&'t str>, all: usize, common: Vec<bool>| Side {
        begins_within: start > 0 && !shown.is_empty(),
        ends_within: start + shown.len() < all,
        words: shown.into_iter().zip(common).map(|(word, common)| (word, !common)).collect(),
    };
    (side(left, a.len(), in_left), side(right, b.len(), in_right))
}

/// Whether two words are the same but for case and what is no letter or digit.
fn same(a: &str, b: &str) -> bool {
    let core = |word: &str| -> String {
        word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    a == b || core(a) == core(b)
}

/// Which words belong to the longest sequence that both have (by the table of the textbook: both are short).
fn common(a: &[&str], b: &[&str]) -> (Vec<bool>, Vec<bool>) {
    let wide = b.len() + 1;
    let mut lengths = vec![0u16; (a.len() + 1) * wide];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            lengths[i * wide + j] = if same(a[i], b[j]) {
                lengths[(i + 1) * wide + j + 1] + 1
            } else {
                lengths[(i + 1) * wide + j].max(lengths[i * wide + j + 1])
            };
        }
    }
    let (mut in_a, mut in_b) = (vec![false; a.len()], vec![false; b.len()]);
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if same(a[i], b[j]) {
            (in_a[i], in_b[j]) = (true, true);
            (i, j) = (i + 1, j + 1);
        } else if lengths[(i + 1) * wide + j] >= lengths[i * wide + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    (in_a, in_b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_side_has_alone_is_told() {
        let (left, right) = beside("Fog came in at noon", "fog, slowly came in at dusk");
        let own = |side: &Side<'_>| {
            side.words
                .iter()
                .filter(|(_, own)| *own)
                .map(|(word, _)| (*word).to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            (own(&left), own(&right)),
            (vec!["noon".to_owned()], vec!["slowly".to_owned(), "dusk".to_owned()])
        );
        assert!(!left.begins_within && !left.ends_within);
    }

    #[test]
    fn long_texts_are_shown_where_they_part() {
        let words: Vec<String> = (0..900).map(|number| format!("w{number}")).collect();
        let mut other = words.clone();
        other[500] = "new".to_owned();
        let (a, b) = (words.join(" "), other.join(" "));
        let (left, right) = beside(&a, &b);
        assert_eq!((left.words[0].0, left.words.len()), ("w476", SHOWN));
        assert!(left.begins_within && right.ends_within);
        assert_eq!(right.words.iter().filter(|(_, own)| *own).count(), 1);
        let (same, _) = beside(&a, &a);
        assert!(!same.begins_within && same.words.iter().all(|(_, own)| !own));
        assert_eq!(beside("", "").0.words, []);
    }
}
