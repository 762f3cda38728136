//! Words broken by a hyphen at the end of a line.
//!
//! `infor-` / `mation` is one word; `well-` / `known` is the compound it looks like, and joining it would make
//! a word that no other copy of the document has. The two look alike, so the document itself is asked:
//! which form does it use elsewhere? Where it says nothing of a word, it is treated as most of those of which
//! it says something, and where it says nothing at all, by how many of its lines end so: typesetters break
//! several lines in a hundred, others only meet a compound now and then.

use super::word_counts::WordCounts;
use crate::work::Work;

/// The hyphen that is nothing else.
const HYPHEN: &str = "\u{2010}";

/// Lines ending in a hyphen, of a hundred, from which they are the work of a typesetter.
const TYPESET_PERCENT: usize = 3;

/// One line break inside a word, as byte places: the hyphen, and the word's continuation.
struct Break<'a> {
    hyphen: usize,
    next: usize,
    /// Both halves.
    left: &'a str,
    right: &'a str,
}

/// Counts of the two forms of a broken word elsewhere in the text.
#[derive(Default, Clone, Copy)]
struct FormCounts {
    whole: u64,
    compound: u64,
}

/// The text with broken words joined; none if there are none to join.
pub(super) fn join(text: &str, work: &Work) -> Option<String> {
    let breaks = find(text);
    if breaks.is_empty() {
        return None;
    }
    let verdicts: Vec<_> = look_elsewhere(text, &breaks, work)
        .into_iter()
        .map(|seen| (seen.whole != seen.compound).then_some(seen.whole > seen.compound))
        .collect();
    let votes = |v: bool| verdicts.iter().filter(|x| **x == Some(v)).count();
    let (whole, compound) = (votes(true), votes(false));
    let default = if whole == compound {
        let lines = text.lines().filter(|l| !l.trim().is_empty()).count();
        breaks.len() * 100 >= lines * TYPESET_PERCENT && lines > 20
    } else {
        whole > compound
    };
    let mut joined = breaks.iter().zip(verdicts).filter(|(_, v)| v.unwrap_or(default)).peekable();
    joined.peek()?;
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (b, _) in joined {
        out.push_str(&text[from..b.hyphen]);
        from = b.next;
    }
    out.push_str(&text[from..]);
    Some(out)
}

/// Hyphens between a letter and a line break with a lower-case letter after it, in the order of the text.
fn find(text: &str) -> Vec<Break<'_>> {
    let bytes = text.as_bytes();
    let ascii = memchr::memchr_iter(b'-', bytes).filter_map(|at| break_at(text, at, 1));
    let other =
        memchr::memmem::find_iter(bytes, HYPHEN).filter_map(|at| break_at(text, at, HYPHEN.len()));
    let mut breaks: Vec<_> = ascii.chain(other).collect();
    breaks.sort_unstable_by_key(|b| b.hyphen);
    breaks
}

/// The break after the hyphen at a place, if there is one.
fn break_at(text: &str, hyphen: usize, length: usize) -> Option<Break<'_>> {
    // Most hyphens are done with here.
    if !matches!(text.as_bytes().get(hyphen + length), Some(b'\n' | b' ' | b'\t' | b'\r')) {
        return None;
    }
    let after = text[hyphen + length..].trim_start_matches([' ', '\t', '\r']).strip_prefix('\n')?;
    let left = word_at_end(&text[..hyphen])?;
    let after = after.trim_start_matches([' ', '\t']);
    let right = word_at_start(after);
    right.starts_with(char::is_lowercase).then(|| Break {
        hyphen,
        next: text.len() - after.len(),
        left,
        right,
    })
}

/// The letters a text ends with, if the word consists of letters only.
fn word_at_end(text: &str) -> Option<&str> {
    let start = text
        .rfind(|c: char| !c.is_alphabetic())
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let glued = text[..start].ends_with(|c: char| c.is_alphanumeric() || "-_/\u{2010}".contains(c));
    (start < text.len() && !glued).then(|| &text[start..])
}

fn word_at_start(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len())]
}

/// How often the word of each break stands on the lines of the text, whole and as a compound.
fn look_elsewhere(text: &str, breaks: &[Break<'_>], work: &Work) -> Vec<FormCounts> {
    let mut words = WordCounts::for_words(2 * breaks.len());
    // The word that each compound may be; it may be broken at several places.
    let mut word_of = Vec::new();
    let mut wholes = Vec::with_capacity(breaks.len());
    for b in breaks {
        let (left, right) = (b.left.to_lowercase(), b.right.to_lowercase());
        let whole = words.number_of(format!("{left}{right}"));
        let compound = words.number_of(format!("{left}-{right}"));
        word_of.resize(words.len(), None);
        word_of[compound] = Some(whole);
        wholes.push(whole);
    }
    work.count(text.len());
    words.count_in(text);
    work.count(words.compared());
    let mut seen = vec![FormCounts::default(); words.len()];
    for (number, whole) in word_of.into_iter().enumerate() {
        match whole {
            None => seen[number].whole = words.count(number),
            Some(whole) => seen[whole].compound += words.count(number),
        }
    }
    wholes.into_iter().map(|whole| seen[whole]).collect()
}
