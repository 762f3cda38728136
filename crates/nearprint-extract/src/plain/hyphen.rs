//! Words broken by a hyphen at the end of a line.
//!
//! `infor-` / `mation` is one word; `well-` / `known` is the compound it looks like, and joining it would make
//! a word that no other copy of the document has. The two look alike, so the document itself is asked:
//! which form does it use elsewhere? Where it says nothing of a word, it is treated as most of those of which
//! it says something, and where it says nothing at all, by how many of its lines end so: typesetters break
//! several lines in a hundred, others only meet a compound now and then.

use std::collections::HashMap;

/// Lines ending in a hyphen, of a hundred, from which they are the work of a typesetter.
const TYPESET_PERCENT: usize = 3;

/// One line break inside a word, as byte places: the hyphen, and the word's continuation.
struct Break {
    hyphen: usize,
    next: usize,
    /// Both halves, in lower case.
    joined: String,
    /// Bytes of the first half in `joined`.
    first: usize,
}

/// How often a broken word stands elsewhere.
#[derive(Default, Clone, Copy)]
struct Seen {
    whole: u32,
    compound: u32,
}

/// The text with broken words joined; none if there are none.
pub(super) fn join(text: &str) -> Option<String> {
    let breaks = find(text);
    if breaks.is_empty() {
        return None;
    }
    let seen = look_elsewhere(text, &breaks);
    let verdict = |b: &Break| -> Option<bool> {
        let seen = seen.get(b.joined.as_str()).copied().unwrap_or_default();
        (seen.whole != seen.compound).then_some(seen.whole > seen.compound)
    };
    let verdicts: Vec<_> = breaks.iter().map(verdict).collect();
    let votes = |v: bool| verdicts.iter().filter(|x| **x == Some(v)).count();
    let (whole, compound) = (votes(true), votes(false));
    let default = if whole == compound {
        let lines = text.lines().filter(|l| !l.trim().is_empty()).count();
        breaks.len() * 100 >= lines * TYPESET_PERCENT && lines > 20
    } else {
        whole > compound
    };
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (b, verdict) in breaks.iter().zip(verdicts) {
        if verdict.unwrap_or(default) {
            out.push_str(&text[from..b.hyphen]);
            from = b.next;
        }
    }
    out.push_str(&text[from..]);
    Some(out)
}

/// Hyphens between a letter and a line break with a lower-case letter behind it.
fn find(text: &str) -> Vec<Break> {
    let mut breaks = Vec::new();
    for newline in memchr::memchr_iter(b'\n', text.as_bytes()) {
        let line = text[..newline].trim_end_matches([' ', '\t', '\r']);
        let Some(before) = line.strip_suffix(['-', '\u{2010}']) else { continue };
        let Some(left) = word_at_end(before) else { continue };
        let after = &text[newline + 1..];
        let indented = after.trim_start_matches([' ', '\t']);
        let right = word_at_start(indented);
        if !right.starts_with(char::is_lowercase) {
            continue;
        }
        let first = left.to_lowercase();
        breaks.push(Break {
            hyphen: before.len(),
            next: newline + 1 + (after.len() - indented.len()),
            first: first.len(),
            joined: first + &right.to_lowercase(),
        });
    }
    breaks
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

/// Counts the broken words, whole and as compounds, on the lines of the text.
fn look_elsewhere<'b>(text: &str, breaks: &'b [Break]) -> HashMap<&'b str, Seen> {
    let mut seen: HashMap<&str, Seen> =
        breaks.iter().map(|b| (b.joined.as_str(), Seen::default())).collect();
    let compounds: HashMap<String, &str> = breaks
        .iter()
        .map(|b| (format!("{}-{}", &b.joined[..b.first], &b.joined[b.first..]), b.joined.as_str()))
        .collect();
    for word in text.split(|c: char| !c.is_alphabetic() && c != '-' && c != '\u{2010}') {
        if word.is_empty() {
            continue;
        }
        let word = word.to_lowercase().replace('\u{2010}', "-");
        if let Some(seen) = seen.get_mut(word.as_str()) {
            seen.whole += 1;
        } else if let Some(joined) = compounds.get(&word)
            && let Some(seen) = seen.get_mut(joined)
        {
            seen.compound += 1;
        }
    }
    seen
}
