//! The stages of the standard one by one, for explanations, for the vectors, and for programs that hold two
//! implementations against each other.
//!
//! ```text
//! bytes -repair-> text -replace_unassigned-> text -normalise-> text -cut-> text -tokens-> tokens
//!        -token_hash-> hashes -counters-> 64 numbers -bits-> the fingerprint's value
//! ```
//!
//! **These are sharp tools.** Each expects what the stage before it gives; on anything else it answers, but the
//! standard says nothing about that answer. They hold whole texts in memory. Whoever wants a fingerprint takes
//! [`Fingerprinter`](crate::Fingerprinter), which runs the same code, streaming.
//!
//! ```
//! use nearprint_fingerprint::stages;
//!
//! let text = stages::repair(b"See \xEF\xAC\x81les at https://example.org/ \xFF");
//! let text = stages::replace_unassigned(&text);
//! let normalised = stages::normalise(&text);
//! assert_eq!(normalised, "see files at https://example.org/ \u{FFFD}");
//! let cut = stages::cut(&normalised);
//! assert_eq!(cut, "see files at   \u{FFFD}");
//! let mut hashes = Vec::new();
//! stages::tokens(&cut, |token| hashes.push(stages::token_hash(token.as_bytes())));
//! assert_eq!(hashes.len(), 3);
//! let value = stages::bits(&stages::counters(hashes));
//! # let _ = value;
//! ```

use crate::classed_text::ClassedText;
use crate::counters::{self, SimhashCounters};
use crate::cuts::Cutter;
use crate::kernel::Level;
use crate::log_counters::{LogCounters, WeightedElements};
use crate::lookup3;
use crate::normalise::Normaliser;
use crate::repair::Repair;
use crate::sketch::{Shingles, SketchBuilder};
use crate::unicode::{Properties, class_of};
use crate::words::Words;

/// SPEC [3.1]: decodes UTF-8; each maximal subpart of an ill-formed sequence becomes U+FFFD.
#[must_use]
pub fn repair(utf8: &[u8]) -> String {
    let mut text = String::with_capacity(utf8.len());
    let mut repair = Repair::default();
    repair.push(utf8, |part| text.push_str(part));
    repair.finish(|part| text.push_str(part));
    text
}

/// Decodes UTF-16; each lone surrogate becomes U+0020 (SPEC [3.2]), since no text can hold it.
#[must_use]
pub fn repair_utf16(units: &[u16]) -> String {
    char::decode_utf16(units.iter().copied()).map(|c| c.unwrap_or(' ')).collect()
}

/// SPEC [3.2]: each code point outside `assigned.txt` becomes U+0020.
#[must_use]
pub fn replace_unassigned(text: &str) -> String {
    text.chars().map(|c| if Properties::of(c).is_unassigned() { ' ' } else { c }).collect()
}

/// SPEC section 4: decomposes, folds, bounds and composes. Includes [3.2].
#[must_use]
pub fn normalise(text: &str) -> String {
    let mut out = ClassedText::default();
    let mut normaliser = Normaliser::new(Level::best());
    normaliser.push_str(text, &mut out);
    normaliser.finish(&mut out);
    into_string(&out)
}

/// SPEC section 5: replaces each URL, named identifier, e-mail address and DOI of a normalised text by U+0020.
#[must_use]
pub fn cut(normalised: &str) -> String {
    let mut text = classed(normalised);
    let mut cut = String::with_capacity(normalised.len());
    let mut kept = 0;
    Cutter::default().advance(Level::best(), &mut text, true, |part, begins| {
        cut.push_str(&normalised[kept..part.start]);
        if begins {
            cut.push(' ');
        }
        kept = part.end;
    });
    cut.push_str(&normalised[kept..]);
    cut
}

/// SPEC section 6: calls `each` with the tokens of a cut text in order.
pub fn tokens(cut: &str, mut each: impl FnMut(&str)) {
    let text = classed(cut);
    Words::default().advance(Level::best(), &text, text.len(), true, &mut |token: &[u8]| {
        // Tokens are cut from text at code points, so they are text.
        if let Ok(token) = std::str::from_utf8(token) {
            each(token);
        }
    });
}

/// SPEC [7.1]: lookup3 of a token's UTF-8, `(c << 32) | b`.
#[must_use]
pub fn token_hash(token: &[u8]) -> u64 {
    lookup3::hash(token)
}

/// SPEC [7.2]: the 64 signed counters after these hashes; index 0 is the least significant bit.
#[must_use]
pub fn counters(hashes: impl IntoIterator<Item = u64>) -> [i64; 64] {
    let mut counting = SimhashCounters::default();
    hashes.into_iter().for_each(|hash| counting.push(hash));
    counting.finish()
}

/// SPEC [10.4]: the 64 signed counters of sl1 after these hashes of token occurrences.
#[must_use]
pub fn log_counters(hashes: impl IntoIterator<Item = u64>) -> [i64; 64] {
    let mut counting = LogCounters::default();
    hashes.into_iter().for_each(|hash| counting.extend(&[hash]));
    counting.finish()
}

/// SPEC [11.4] and [11.5]: the elements of md1 for the hashes of a text's tokens in order; repeated ones are given as
/// often as they occur.
#[must_use]
pub fn shingles(hashes: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let mut shingles = Shingles::default();
    let hashes: Vec<u64> = hashes.into_iter().collect();
    let mut elements = Vec::new();
    shingles.extend(&hashes, &mut elements);
    elements.extend(shingles.remainder());
    elements
}

/// SPEC [11.6]: the elements of wd1 for the hashes of token occurrences, in no particular order.
#[must_use]
pub fn weighted_words(hashes: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let hashes: Vec<u64> = hashes.into_iter().collect();
    WeightedElements::default().next(&hashes).to_vec()
}

/// SPEC [11.1] to [11.3]: the sketch of a set of elements; `None` for the empty set.
#[must_use]
pub fn sketch(elements: impl IntoIterator<Item = u64>) -> Option<[u16; 128]> {
    let mut sketching = SketchBuilder::default();
    let elements: Vec<u64> = elements.into_iter().collect();
    sketching.extend(&elements);
    sketching.finish()
}

/// SPEC [7.3]: a bit is 1 where its counter is greater than 0.
#[must_use]
pub fn bits(counters: &[i64; 64]) -> u64 {
    counters::signs(counters)
}

/// The text as it is, each code point with its own class.
fn classed(text: &str) -> ClassedText {
    let mut classed = ClassedText::default();
    for c in text.chars() {
        classed.push(c, class_of(c));
    }
    classed
}

fn into_string(text: &ClassedText) -> String {
    // What was appended is code points; repair would change nothing.
    String::from_utf8_lossy(text.text()).into_owned()
}
