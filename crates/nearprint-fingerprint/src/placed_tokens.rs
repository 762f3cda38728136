//! Tokens with their places in the text that they come from, for whoever has to show a passage as it was written.
//!
//! The text is read in parts that end between two code points which no token and no cut (SPEC section 5) can span, so
//! each part is read by itself, whole, and memory is bounded unless a text has no such place. O(n) time.

mod source_map;

use std::ops::Range;

use self::source_map::SourceMap;
use crate::classed_text::ClassedText;
use crate::cuts::Cutter;
use crate::kernel::batch_hash::Hashes;
use crate::kernel::runs::Runs;
use crate::kernel::{Kernel, Level};
use crate::lookup3;
use crate::unicode::Properties;
use crate::unicode::class::DIGIT;
use crate::words::{TokenSink, Words};

/// Bytes of a text that are read together, at least.
const PART: usize = 32 * 1024;

/// A token or a number, and its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedToken<'t> {
    /// Its normalised form, in UTF-8.
    pub token: &'t [u8],
    /// Its hash by SPEC [7.1].
    pub hash: u64,
    /// Its place in the text, in bytes from 0, at boundaries of code points. Tokens of pairs overlap by a code point;
    /// two that come from one code point, as of `㌢`, have the same place.
    pub place: Range<usize>,
}

/// Calls `each` with the tokens of the standard (SPEC section 6) in order, each with its place in `text`. If
/// `numbers` is true, each maximal run of decimal digits outside tokens and cuts is one as well.
///
/// Without numbers, these are the tokens that [`tokens`](crate::tokens) gives by [`Scheme::SD1`](crate::Scheme::SD1).
/// O(n) time.
///
/// ```
/// use nearprint_fingerprint::placed_tokens;
///
/// let text = "Die Größe: 3\u{AD}5 \u{FB01}les";
/// let mut found = Vec::new();
/// placed_tokens(text, true, |token| {
///     found.push((String::from_utf8_lossy(token.token).into_owned(), &text[token.place]));
/// });
/// let found: Vec<_> = found.iter().map(|(token, source)| (token.as_str(), *source)).collect();
/// assert_eq!(found, [("die", "Die"), ("grösse", "Größe"), ("35", "3\u{AD}5"), ("files", "\u{FB01}les")]);
/// ```
pub fn placed_tokens(text: &str, numbers: bool, mut each: impl FnMut(PlacedToken<'_>)) {
    let mut reader = PartReader::default();
    let mut from = 0;
    while from < text.len() {
        let end = part_end(text, from);
        reader.read(&text[from..end], from, numbers, &mut each);
        from = end;
    }
}

/// Where the part that begins at `from` ends.
fn part_end(text: &str, from: usize) -> usize {
    let start = text.floor_char_boundary((from + PART).min(text.len()));
    let mut separates = false;
    for (at, c) in text[start..].char_indices() {
        let properties = Properties::of(c);
        let begins_anew = properties.begins_anew();
        if separates && begins_anew {
            return start + at;
        }
        // All patterns of cuts are of visible ASCII characters.
        separates = begins_anew
            && properties.target_class() == 0
            && !properties.target(c).is_ascii_graphic();
    }
    text.len()
}

#[derive(Default)]
struct PartReader {
    text: ClassedText,
    map: SourceMap,
    words: Words,
    tokens: TokenList,
}

impl PartReader {
    fn read(
        &mut self,
        part: &str,
        offset: usize,
        numbers: bool,
        each: &mut impl FnMut(PlacedToken<'_>),
    ) {
        self.text.clear();
        self.words.reset();
        self.tokens.0.clear();
        self.map.normalise(part, &mut self.text);
        let (level, length) = (Level::best(), self.text.len());
        Cutter::default().advance(level, &mut self.text, true, |_, _| ());
        self.words.advance(level, &self.text, length, true, &mut self.tokens);
        let (bytes, classes) = (self.text.text(), self.text.classes());
        let mut places = self.map.places();
        let mut give = |place: Range<usize>, hash: u64| {
            let source = places.of(&place);
            let place_in_text = source.start + offset..source.end + offset;
            each(PlacedToken { token: &bytes[place], hash, place: place_in_text });
        };
        let mut at = 0;
        for (place, hash) in &self.tokens.0 {
            if numbers {
                each_number(classes, at..place.start, |number| {
                    give(number.clone(), lookup3::hash(&bytes[number]));
                });
            }
            give(place.clone(), *hash);
            at = place.end;
        }
        if numbers {
            each_number(classes, at..length, |number| {
                give(number.clone(), lookup3::hash(&bytes[number]));
            });
        }
    }
}

/// Calls `each` with the maximal runs of digits of a part of the text.
fn each_number(classes: &[u8], part: Range<usize>, mut each: impl FnMut(Range<usize>)) {
    // Pairs of letters overlap.
    if part.start >= part.end {
        return;
    }
    let is_digit = |class: &u8| class & DIGIT != 0;
    let mut at = part.start;
    while let Some(more) = classes[at..part.end].iter().position(is_digit) {
        let start = at + more;
        let length = classes[start..part.end].iter().take_while(|class| is_digit(class)).count();
        at = start + length;
        each(start..at);
    }
}

/// The tokens of a part, with their hashes.
#[derive(Default)]
struct TokenList(Vec<(Range<usize>, u64)>);

impl TokenSink for TokenList {
    #[inline(always)]
    fn tokens(&mut self, kernel: impl Kernel, text: &[u8], runs: &Runs, hashes: &mut Hashes) {
        let base = runs.base();
        let hashes = kernel.hash(text, runs, hashes);
        let places = runs.tokens().map(|token| base + token.start..base + token.end);
        self.0.extend(places.zip(hashes.iter().copied()));
    }

    /// Tokens leave the text only while more of it is to come, and a part is read whole.
    fn token(&mut self, token: &[u8]) {
        debug_assert!(token.is_empty(), "a part is read whole");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scheme, stages, tokens};

    fn found(text: &str, numbers: bool) -> Vec<(String, Range<usize>)> {
        let mut found = Vec::new();
        placed_tokens(text, numbers, |token| {
            assert_eq!(token.hash, lookup3::hash(token.token));
            found.push((String::from_utf8(token.token.to_vec()).unwrap(), token.place));
        });
        found
    }

    #[test]
    fn places_of_tokens() {
        for (text, wanted) in [
            ("", ""),
            ("Fog, and FOG", "fog=Fog and=and fog=FOG"),
            ("日本のテ", "日本=日本 本の=本の のテ=のテ"),
            ("第2章 2024年", "第=第 2=2 章=章 2024=2024 年=年"),
            ("ΟΔΟΣ Straße ﬁne", "οδοσ=ΟΔΟΣ strasse=Straße fine=ﬁne"),
            ("e\u{301}te\u{301} x", "été=e\u{301}te\u{301} x=x"),
            ("co\u{AD}op\u{AD} x", "coop=co\u{AD}op\u{AD} x=x"),
            ("see http://a.b/C9 or 10", "see=see or=or 10=10"),
            ("½ cup", "1=½ 2=½ cup=cup"),
            ("a\u{378}b", "a=a b=b"),
            ("㌢", "セン=㌢ ンチ=㌢"),
            ("1_000 _ab_ 3.14", "1=1 000=000 ab=ab 3=3 14=14"),
            ("เด็กน้ำ", "เด=เด ด็=ด็ ็ก=็ก กน=กน น้=น้ ํา=ำ"),
        ] {
            let found: Vec<_> = found(text, true)
                .into_iter()
                .map(|(token, place)| format!("{token}={}", &text[place]))
                .collect();
            let wanted: Vec<_> = wanted.split(' ').filter(|word| !word.is_empty()).collect();
            assert_eq!(found, wanted, "{text:?}");
        }
    }

    /// Of any text, the tokens are those of the standard, and the text at the place of a token has that token.
    #[test]
    fn tokens_are_those_of_the_standard_and_are_in_their_places() {
        let pieces: Vec<&str> = concat!(
            " | |\n|_|-|:|@|.|%|1|10.|10.1000|/|a|the |ﬁ|é|É|e\u{301}|\u{301}|\u{323}|\u{345}|\u{34F}|",
            "ᾳ|й|И\u{306}|\u{64E}|\u{651}|हिन्दी|\u{93C}|\u{94D}|中|の|テ|\u{3099}|ｶ|ﾞ|。|：|＠|．|ก|ำ|น้|",
            "한|\u{1112}|\u{1161}|\u{11AB}|\u{200D}|\u{378}|①|½|㌢|ﷺ|http://|www.|urn:|x@y.z|.5|://|ẞ|K|",
            "\u{AD}|\u{FEFF}|İ|ŉ"
        )
        .split('|')
        .collect();
        let mut state = 5u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        for round in 0..3_000 {
            let mut text = String::new();
            for _ in 0..random(if round % 100 == 0 { 30_000 } else { 40 }) {
                let times = if random(60) == 0 { 1 + random(70) } else { 1 };
                text.push_str(&pieces[random(pieces.len())].repeat(times));
            }
            let mut wanted = Vec::new();
            tokens(Scheme::SD1, &text, |token| wanted.push(token.to_owned()));
            let found = found(&text, false);
            assert!(found.iter().map(|(token, _)| token).eq(&wanted), "{text:?}");
            let (mut start, mut end) = (0, 0);
            for (token, place) in &found {
                assert!(place.start >= start && place.end >= end && place.start < place.end);
                (start, end) = (place.start, place.end);
                let source = stages::normalise(&text[place.clone()]);
                assert!(source.contains(token.as_str()), "{token:?} {source:?} {text:?}");
            }
        }
    }

    #[test]
    fn digits_outside_tokens_and_cuts_are_numbers() {
        let text = "7 h2o 10.1234/x 007 a1 http://x.y/9 ٣.١٤ 2²".repeat(3_000);
        let found = found(&text, true);
        let numbers = found.iter().filter(|(token, _)| token.chars().all(char::is_numeric));
        let numbers: Vec<_> = numbers.take(6).map(|(number, _)| number.as_str()).collect();
        assert_eq!(numbers, ["7", "007", "٣", "١٤", "227", "007"]);
    }
}
