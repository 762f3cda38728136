//! What two texts have in common, and where they part: passages in their order.
//!
//! Patience diff (B. Cohen's rule: first what occurs once in both, in the longest order that both share) over words in
//! place of lines: first by shingles of three words, then in the gaps by single words. Memory is linear in the words;
//! time O(n log n) for each of a few rounds.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use nearprint_fingerprint::{Scheme, Unit, stages, tokens, units};
use nearprint_records::{FoundIn, PassageRow};

/// A passage that both have is at least so many words long, or at the beginning or the end: the words between two
/// places where texts differ are of no interest where they are but "of the".
const SHORTEST: usize = 3;

/// Bytes of a sign that stands alone, such as `>=`.
const LONGEST_SIGN: usize = 16;

/// Rounds of anchors in gaps of gaps: what is then still unlike is called different.
const ROUNDS: u32 = 6;

/// The passages of two texts, in their order: those that both have, in order, and between them what only one has, first
/// of `a`, then of `b`. Words are compared as the schemes see them, so neither case nor punctuation nor layout makes a
/// difference; numbers and signs count as words, so that a passage in both has the same ones. Passages stand as in the
/// texts, of those in both as in `a`.
///
/// ```
/// use nearprint::passages;
///
/// let rows = passages("Fog came in at noon, and stayed over the harbour.", "(Fog) came in at noon and stayed ABOVE the harbour!");
/// let told: Vec<_> = rows.iter().map(|row| (row.found_in.name(), row.words, &*row.text)).collect();
/// assert_eq!(told, [
///     ("both", 7, "Fog came in at noon, and stayed"),
///     ("only-a", 1, "over"),
///     ("only-b", 1, "ABOVE"),
///     ("both", 2, "the harbour."),
/// ]);
/// ```
#[must_use]
pub fn passages(a: &str, b: &str) -> Vec<PassageRow> {
    let (one, other) = (words(a), words(b));
    let mut same = Vec::new();
    align(&one, &other, 0..one.len(), 0..other.len(), ROUNDS, &mut same);
    let blocks = blocks(&same, one.len(), other.len());
    let mut rows = Vec::new();
    let (mut left, mut right) = (0, 0);
    let end = Block { a: one.len(), b: other.len(), words: 0 };
    for block in blocks.into_iter().chain([end]) {
        if left < block.a {
            rows.push(PassageRow::only_a(
                left + 1,
                block.a - left,
                passage(a, &one[left..block.a]),
            ));
        }
        if right < block.b {
            rows.push(PassageRow::only_b(
                right + 1,
                block.b - right,
                passage(b, &other[right..block.b]),
            ));
        }
        (left, right) = (block.a + block.words, block.b + block.words);
        if block.words > 0 {
            let text = passage(a, &one[block.a..left]);
            rows.push(PassageRow::both(block.a + 1, block.b + 1, block.words, text));
        }
    }
    rows
}

/// Two texts with their words aligned.
pub(crate) struct AlignedTexts {
    /// Places of the words of the first text, in bytes.
    pub(crate) a: Vec<Range<usize>>,
    /// Those of the second.
    pub(crate) b: Vec<Range<usize>>,
    /// Words, by their numbers, that only one of the texts has: between words that both have, in order.
    pub(crate) hunks: Vec<(Range<usize>, Range<usize>)>,
}

/// Aligns the words of two texts as [`passages`] does, and keeps every word that both have, however few in a row.
pub(crate) fn align_texts(a: &str, b: &str) -> AlignedTexts {
    let (one, other) = (words(a), words(b));
    let mut same = Vec::new();
    align(&one, &other, 0..one.len(), 0..other.len(), ROUNDS, &mut same);
    let mut hunks = Vec::new();
    let (mut left, mut right) = (0, 0);
    for (at_a, at_b) in same.into_iter().chain([(one.len(), other.len())]) {
        if left < at_a || right < at_b {
            hunks.push((left..at_a, right..at_b));
        }
        (left, right) = (at_a + 1, at_b + 1);
    }
    let places = |words: Vec<Word>| words.into_iter().map(|word| word.place).collect();
    AlignedTexts { a: places(one), b: places(other), hunks }
}

/// Of the passages the `most` longest that both texts have, and the `most` longest that only one has, in their order.
/// Counted together, the short ones that tell two editions apart would be the first to go.
#[must_use]
pub fn longest_passages(mut rows: Vec<PassageRow>, most: usize) -> Vec<PassageRow> {
    let mut kept = vec![false; rows.len()];
    for is_shared in [true, false] {
        let of_kind = |row: &PassageRow| (row.found_in == FoundIn::Both) == is_shared;
        let mut lengths: Vec<(Reverse<u64>, usize)> = (rows.iter().enumerate())
            .filter(|(_, row)| of_kind(row))
            .map(|(at, row)| (Reverse(row.words), at))
            .collect();
        lengths.sort_unstable();
        lengths.iter().take(most).for_each(|&(_, at)| kept[at] = true);
    }
    let mut kept = kept.into_iter();
    rows.retain(|_| kept.next().unwrap_or(false));
    rows
}

/// A word, and where in the text it stands.
struct Word {
    hash: u64,
    place: Range<usize>,
}

/// The words of a text: what stands between spaces, and each letter of scripts written without them, as far as it is a
/// token.
fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut letters = PairLetters::default();
    for piece in text.split_whitespace() {
        let start = piece.as_ptr() as usize - text.as_ptr() as usize;
        let end = start + piece.len();
        let mut begun = start;
        if !piece.is_ascii() {
            for (at, letter) in piece.char_indices() {
                if letters.contains(letter) {
                    let (at, behind) = (start + at, start + at + letter.len_utf8());
                    push_words(text, begun..at, &mut words);
                    push_words(text, at..behind, &mut words);
                    begun = behind;
                }
            }
        }
        push_words(text, begun..end, &mut words);
    }
    words
}

/// The tokens of a stretch of text without spaces: one, most of the time. Several have places of their own where
/// punctuation parts them.
fn push_words(text: &str, place: Range<usize>, words: &mut Vec<Word>) {
    let before = words.len();
    let has_residue = push_token(text, place.clone(), true, words);
    if words.len() < before + 2 {
        return;
    }
    let mut parted = Vec::new();
    let mut start = place.start;
    for part in text[place].split_inclusive(|letter: char| !letter.is_alphanumeric()) {
        // What only joins two words is a sign where the second one is cut off.
        push_token(text, start..start + part.len(), has_residue, &mut parted);
        start += part.len();
    }
    let hashes = |words: &[Word]| words.iter().map(|word| word.hash).collect::<Vec<_>>();
    if hashes(&parted) == hashes(&words[before..]) {
        words.truncate(before);
        words.append(&mut parted);
    }
}

/// Adds what a stretch of text is made of, and says whether that includes residue, which is added only where it counts.
fn push_token(
    text: &str,
    place: Range<usize>,
    residue_counts: bool,
    words: &mut Vec<Word>,
) -> bool {
    let (before, mut has_residue) = (words.len(), false);
    let piece = &text[place.clone()];
    // One sink for both calls: what divides a text is compiled once for each.
    let mut divided = |text: &str, only_signs: bool, words: &mut Vec<Word>| {
        units(text, &mut |unit: Unit<'_>| {
            let hash = match unit {
                Unit::Sign(hash) => hash,
                _ if only_signs => return,
                Unit::Number(number) => number.hash,
                Unit::Token(_, hash) => hash,
                Unit::Residue(_, hash) | Unit::Name(_, hash) => {
                    has_residue = true;
                    if !residue_counts {
                        return;
                    }
                    hash
                }
                _ => return,
            };
            words.push(Word { hash, place: place.clone() });
        });
    };
    divided(piece, false, words);
    // A sign on its own counts by what stands around it, which is not seen here: it is always shown as what it is.
    if words.len() == before
        && piece.len() <= LONGEST_SIGN
        && !piece.contains(char::is_alphanumeric)
    {
        divided(&format!("1{piece}1"), true, words);
    }
    has_residue
}

/// Letters of scripts written without spaces, of which every two in a row are a token (SPEC [6.4]); each is looked at
/// once.
#[derive(Default)]
struct PairLetters(HashMap<char, bool>);

impl PairLetters {
    fn contains(&mut self, letter: char) -> bool {
        !letter.is_ascii()
            && *self.0.entry(letter).or_insert_with(|| {
                let mut found = 0;
                tokens(Scheme::SD1, &String::from_iter([letter; 3]), |_| found += 1);
                found > 1
            })
    }
}

/// A passage from the first byte of its first word to the last of its last.
fn passage(text: &str, words: &[Word]) -> String {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return String::new() };
    let passage = text[first.place.start..last.place.end].split_whitespace();
    passage.collect::<Vec<_>>().join(" ")
}

/// Words of both texts that are the same, one behind the other in both.
#[derive(Clone, Copy)]
struct Block {
    a: usize,
    b: usize,
    words: usize,
}

/// The aligned words as blocks, without those too short to be of interest.
fn blocks(same: &[(usize, usize)], one: usize, other: usize) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for &(a, b) in same {
        match blocks.last_mut() {
            Some(last) if (last.a + last.words, last.b + last.words) == (a, b) => last.words += 1,
            _ => blocks.push(Block { a, b, words: 1 }),
        }
    }
    blocks.retain(|block| {
        let ends = (block.a + block.words, block.b + block.words);
        block.words >= SHORTEST || (block.a, block.b) == (0, 0) || ends == (one, other)
    });
    blocks
}

/// Adds the pairs of words of two stretches that correspond, in order.
fn align(
    one: &[Word],
    other: &[Word],
    mut a: Range<usize>,
    mut b: Range<usize>,
    rounds: u32,
    same: &mut Vec<(usize, usize)>,
) {
    while !a.is_empty() && !b.is_empty() && one[a.start].hash == other[b.start].hash {
        same.push((a.start, b.start));
        (a.start, b.start) = (a.start + 1, b.start + 1);
    }
    let mut behind = Vec::new();
    while !a.is_empty() && !b.is_empty() && one[a.end - 1].hash == other[b.end - 1].hash {
        (a.end, b.end) = (a.end - 1, b.end - 1);
        behind.push((a.end, b.end));
    }
    if rounds > 0 && !a.is_empty() && !b.is_empty() {
        let mut anchors = anchors(one, other, &a, &b, SHORTEST);
        if anchors.is_empty() {
            anchors = self::anchors(one, other, &a, &b, 1);
        }
        for &(left, right) in &anchors {
            align(one, other, a.start..left, b.start..right, rounds - 1, same);
            same.push((left, right));
            (a.start, b.start) = (left + 1, right + 1);
        }
        // With no anchor there is nothing to go by.
        if !anchors.is_empty() {
            align(one, other, a, b, rounds - 1, same);
        }
    }
    same.extend(behind.into_iter().rev());
}

/// Places of shingles of `words` words that occur once in each stretch, in the longest order that both share.
fn anchors(
    one: &[Word],
    other: &[Word],
    a: &Range<usize>,
    b: &Range<usize>,
    words: usize,
) -> Vec<(usize, usize)> {
    let once = |of: &[Word], place: &Range<usize>| {
        let mut seen: HashMap<u64, Option<usize>> = HashMap::new();
        for (at, shingle) in (place.start..).zip(of[place.clone()].windows(words)) {
            let hash = stages::shingles(shingle.iter().map(|word| word.hash))[0];
            seen.entry(hash).and_modify(|place| *place = None).or_insert(Some(at));
        }
        seen
    };
    let (left, right) = (once(one, a), once(other, b));
    let both = left.iter().filter_map(|(hash, &at)| Some((at?, (*right.get(hash)?)?)));
    let mut both: Vec<(usize, usize)> = both.collect();
    both.sort_unstable();
    longest_increasing(&both)
}

/// The longest subsequence in which the second places ascend, of pairs whose first places do (patience sorting).
fn longest_increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // The last pair of the best subsequence of each length, and for each pair the one before it.
    let (mut ends, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (number, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = number,
            None => ends.push(number),
        }
    }
    let mut found = Vec::new();
    let mut at = ends.last().copied();
    while let Some(number) = at {
        found.push(pairs[number]);
        at = before[number];
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(a: &str, b: &str) -> String {
        let row = |row: PassageRow| format!("{} {}", row.found_in.name(), row.text);
        passages(a, b).into_iter().map(row).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn passages_of_texts() {
        for (a, b, wanted) in [
            ("", "", ""),
            ("a b c", "", "only-a a b c"),
            ("", "a b c", "only-b a b c"),
            ("a b c", "A, b; c!", "both a b c"),
            ("one two three", "four five six", "only-a one two three | only-b four five six"),
            ("x y z the end", "the end", "only-a x y z | both the end"),
            (
                "p q r and s t u",
                "k l m and n o v",
                "only-a p q r and s t u | only-b k l m and n o v",
            ),
            ("see/over all", "see/above all", "both see/ | only-a over | only-b above | both all"),
            (
                "pears cost 2.20 a pound today",
                "Pears cost 3.20 a pound today",
                "both pears cost | only-a 2. | only-b 3. | both 20 a pound today",
            ),
            ("so a + b it is", "so a - b it is", "both so a | only-a + | only-b - | both b it is"),
            ("日本のテスト", "日本語のテスト", "both 日本 | only-b 語 | both のテスト"),
            ("a a a a b", "a a b", "both a a | only-a a a | both b"),
        ] {
            assert_eq!(told(a, b), wanted, "{a:?} {b:?}");
        }
    }

    #[test]
    fn passages_make_up_both_texts_in_order() {
        let mut state = 7u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            (state >> 33) % below
        };
        for round in 0..200 {
            let few = 2 + round % 40;
            let mut text =
                || -> Vec<String> { (0..next(60)).map(|_| format!("w{}", next(few))).collect() };
            let (a, mut b) = (text(), text());
            b.extend_from_slice(&a[a.len() / 3..]);
            let rows = passages(&a.join(" "), &b.join(" "));
            let of = |left_out: &str| -> Vec<String> {
                let rows = rows.iter().filter(|row| row.found_in.name() != left_out);
                rows.flat_map(|row| row.text.split(' ').map(str::to_owned)).collect()
            };
            assert_eq!(of("only-b"), a);
            assert_eq!(of("only-a"), b);
            let (mut left, mut right) = (1, 1);
            for row in &rows {
                assert!(row.a.is_none_or(|at| at == left) && row.b.is_none_or(|at| at == right));
                left += row.a.map_or(0, |_| row.words);
                right += row.b.map_or(0, |_| row.words);
            }
        }
    }

    #[test]
    fn an_edit_in_a_long_text_is_all_that_is_told() {
        let text: Vec<String> = (0..5000).map(|n| format!("w{}", n % 700)).collect();
        let mut edited = text.clone();
        edited.splice(2500..2503, ["these", "are", "four", "words"].map(str::to_owned));
        let rows = passages(&text.join(" "), &edited.join(" "));
        let words: Vec<_> = rows.iter().map(|row| (row.found_in.name(), row.words)).collect();
        assert_eq!(words, [("both", 2500), ("only-a", 3), ("only-b", 4), ("both", 2497)]);
        let longest = longest_passages(rows, 1);
        assert_eq!(longest.iter().map(|row| row.words).collect::<Vec<_>>(), [2500, 4]);
    }
}
