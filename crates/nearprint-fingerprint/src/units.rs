//! What a text is made of for whoever compares texts: the standard's tokens, and between them numbers and signs.
//!
//! No scheme sees numbers and signs (SPEC [6.7]), so fingerprints of two price lists can be equal. A comparison of the
//! texts themselves must see them. Units come from the same pass as tokens, so they cost little; nothing here changes
//! what a scheme sees.

mod gap;
mod names;
mod orthography;
mod sign;

use crate::classed_text::ClassedText;
use crate::kernel::Kernel;
use crate::kernel::batch_hash::Hashes;
use crate::kernel::runs::Runs;
use crate::lookup3;
use crate::tokeniser::ReusedTokeniser;
use crate::words::TokenSink;
use gap::Between;

/// A part of a text that a comparison counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unit<'t> {
    /// A token of the standard: its UTF-8, and its hash by SPEC [7.1], but one hash for all spellings of Arabic with
    /// and without vowel signs and tatweel, of Hebrew with and without points, of Greek with and without tonos.
    Token(&'t [u8], u64),
    /// A maximal run of decimal digits outside tokens.
    Number(Number),
    /// Arithmetic or currency signs side by side that touch a number or a token of one letter, by a hash.
    Sign(u64),
    /// What neither words nor numbers say, by a hash.
    Residue(Residue, u64),
    /// A name of program code whose case tells it apart: the hash of the name in lower case, and of the name itself.
    /// Names come after all other units.
    Name(u64, u64),
}

/// A maximal run of decimal digits outside tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Number {
    /// A hash of the digits' values: digits of all scripts are the same, and zeros in front count.
    pub hash: u64,
    /// Its value, or 2^32 - 1 where that is less.
    pub value: u32,
    /// How many digits it has.
    pub digits: u32,
    /// The one ASCII character that alone stands between the number before and this one, else 0.
    pub joint: u8,
}

/// A part of a text that is not a word and belongs to no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Residue {
    /// Signs between words, or before one: `total - amount`, `a.total < b`, `!ready`.
    Operator,
    /// `#` and `+` at the end of a word: `C#`, `NIS+`.
    Suffix,
    /// An address of the web or of mail, or an identifier: what SPEC section 5 cuts.
    Address,
    /// Emoji and similar pictures, side by side.
    Pictograph,
    /// Digits that are written above the line: `10²`.
    Exponent,
}

/// Takes what a text is made of.
pub trait UnitSink {
    /// Takes the next unit.
    fn unit(&mut self, unit: Unit<'_>);

    /// Takes tokens in a row with a single space between each two of them: `text` is all of that, `hashes` are theirs.
    /// No token has a space in it. The default takes them one by one; whoever can take many at once saves most of the
    /// time.
    #[inline(always)]
    fn tokens(&mut self, text: &[u8], hashes: &[u64]) {
        for (number, (token, &hash)) in text.split(|&byte| byte == b' ').zip(hashes).enumerate() {
            if number > 0 {
                self.between(b" ");
            }
            self.unit(Unit::Token(token, hash));
        }
    }

    /// Takes what stands in the normalised text (SPEC section 4) between two tokens, before its first or after its
    /// last, in one part or several: numbers, signs, punctuation, white space, links. Tokens and these parts together
    /// are the whole text.
    fn between(&mut self, _text: &[u8]) {}
}

impl<F: FnMut(Unit<'_>)> UnitSink for F {
    fn unit(&mut self, unit: Unit<'_>) {
        self(unit);
    }
}

/// Gives the units of a text to `sink`, in order. Time is linear in the text, memory is bounded.
///
/// A sign is one of `+ - * / < = > ^`, their typographic forms (`−` and `–` as `-`, `×` as `*`, `÷` and `⁄` as `/`), `±
/// ≠ ≤ ≥ √`, a currency sign, `%` or `‰`. Arithmetic signs count where a number or a token of one letter is next to
/// them, or on both sides with white space between; currency and percent signs also with white space on one side.
/// Others, and `# & | ! ~`, are [`Residue`] between words, before a word or at its end, but not where they begin a
/// line.
///
/// ```
/// use nearprint_fingerprint::{Unit, units};
///
/// let of = |text: &str| {
///     let mut found = Vec::new();
///     units(text, &mut |unit: Unit<'_>| found.push(match unit {
///         Unit::Token(token, _) => String::from_utf8_lossy(token).into_owned(),
///         Unit::Number(number) => format!("{:x}", number.hash),
///         Unit::Sign(hash) | Unit::Residue(_, hash) => format!("{hash:x}"),
///         _ => unreachable!(),
///     }));
///     found
/// };
/// assert_eq!(of("a + b").len(), 3);
/// assert_ne!(of("a + b"), of("a - b"));
/// assert_eq!(of("£ 3.14"), of("£٣.١٤"));
/// assert_ne!(of("3.14"), of("3.15"));
/// assert_ne!(of("total - amount"), of("total + amount"));
/// assert_eq!(of("a well-known, and long example").len(), 6); // no sign, no number
/// ```
pub fn units(text: &str, sink: &mut impl UnitSink) {
    let mut tokeniser = ReusedTokeniser::default();
    let mut units = Units::new(sink);
    tokeniser.push(text, &mut units);
    tokeniser.finish(&mut units);
    units.finish(text);
}

/// Tokens on their way: held until the text between them passes.
pub(crate) struct Units<'s, S> {
    sink: &'s mut S,
    /// Where each token begins and ends, and their hashes.
    places: Vec<(u32, u32)>,
    hashes: Vec<u64>,
    /// A token whose text has passed already. It comes first.
    long: Vec<u8>,
    /// Bytes at the start of the text that are part of a token given before.
    covered: usize,
    /// The hash of what was left out of the text so far.
    left_out: u64,
    between: Between,
}

impl<'s, S: UnitSink> Units<'s, S> {
    pub(crate) fn new(sink: &'s mut S) -> Self {
        Self {
            sink,
            places: Vec::new(),
            hashes: Vec::new(),
            long: Vec::new(),
            covered: 0,
            left_out: 0,
            between: Between::default(),
        }
    }

    /// Takes the tokens of `runs`, whose hashes are known.
    #[inline(always)]
    pub(crate) fn push(&mut self, runs: &Runs, hashes: &[u64]) {
        // The text at hand is a few times 8 KiB.
        let place = |at: usize| (runs.base() + at) as u32;
        self.places.reserve(hashes.len());
        self.places.extend(runs.tokens().map(|token| (place(token.start), place(token.end))));
        self.hashes.extend_from_slice(hashes);
    }

    /// Nothing follows; the units were those of `text`.
    pub(crate) fn finish(mut self, text: &str) {
        self.between.end(self.sink);
        names::each_name(text, |name| {
            let lower = name.iter().map(u8::to_ascii_lowercase);
            self.sink.unit(Unit::Name(gap::name(lower), gap::name(name.iter().copied())));
        });
    }
}

impl<S: UnitSink> TokenSink for Units<'_, S> {
    #[inline(always)]
    fn tokens(&mut self, kernel: impl Kernel, text: &[u8], runs: &Runs, hashes: &mut Hashes) {
        self.push(runs, kernel.hash(text, runs, hashes));
    }

    fn token(&mut self, token: &[u8]) {
        self.long = token.to_vec();
    }

    fn passed(&mut self, text: &ClassedText, done: usize) {
        if !self.long.is_empty() {
            let token = std::mem::take(&mut self.long);
            let hash = orthography::folded_hash(&token).unwrap_or_else(|| lookup3::hash(&token));
            self.between.tokens(&token, [token.len(), 0], &[hash], self.sink);
        }
        if text.left_out() != self.left_out {
            self.left_out = text.left_out();
            self.sink.between(&self.left_out.to_le_bytes());
        }
        let (bytes, classes) = (text.text(), text.classes());
        // All at once: most texts have no such letter, and a short stretch costs as much to begin as a long one.
        let places = self.places.first().zip(self.places.last());
        let may_fold = places.is_some_and(|(&(start, _), &(_, end))| {
            orthography::may_fold(&bytes[start as usize..end as usize])
        });
        let mut at = self.covered;
        let mut first = 0;
        while let Some(&(start, end)) = self.places.get(first) {
            let (start, mut end) = (start as usize, end as usize);
            if start == at + 1 && bytes[at] == b' ' {
                self.between.blank(self.sink);
                self.sink.between(b" ");
            } else if at < start {
                self.sink.between(&bytes[at..start]);
                self.between.read(&bytes[at..start], &classes[at..start], self.sink);
            }
            let mut last = first;
            // Most tokens have one space before them.
            while let Some(&(next, next_end)) = self.places.get(last + 1)
                && next as usize == end + 1
                && bytes[end] == b' '
            {
                end = next_end as usize;
                last += 1;
            }
            let outer =
                [self.places[first].1, self.places[last].0].map(|place| place as usize - start);
            if may_fold && orthography::may_fold(&bytes[start..end]) {
                let places = self.places[first..=last].iter();
                for (hash, &(start, end)) in self.hashes[first..=last].iter_mut().zip(places) {
                    let token = &bytes[start as usize..end as usize];
                    *hash = orthography::folded_hash(token).unwrap_or(*hash);
                }
            }
            let hashes = &self.hashes[first..=last];
            self.between.tokens(&bytes[start..end], outer, hashes, self.sink);
            (at, first) = (end, last + 1);
        }
        if at < done {
            self.sink.between(&bytes[at..done]);
            self.between.read(&bytes[at..done], &classes[at..done], self.sink);
        }
        // A pair of letters may end in text that has not passed yet.
        self.covered = at.max(done) - done;
        self.places.clear();
        self.hashes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scheme, tokens};

    /// Units as text: tokens as they are, numbers and signs by the first character found that gives the same hash.
    fn told(text: &str) -> String {
        let mut found = Vec::new();
        units(text, &mut |unit: Unit<'_>| {
            found.push(match unit {
                Unit::Token(token, _) => String::from_utf8_lossy(token).into_owned(),
                Unit::Number(Number { hash, .. }) => {
                    let number = (0..1000u32)
                        .map(|n| n.to_string())
                        .chain((0..100u32).flat_map(|n| [format!("0{n}"), format!("00{n}")]));
                    number
                        .into_iter()
                        .find(|n| gap::number(n.bytes().map(|d| d - b'0')) == hash)
                        .unwrap_or("#".into())
                }
                Unit::Sign(hash) => sign::named(hash),
                Unit::Residue(Residue::Operator | Residue::Suffix, hash) => {
                    format!("({})", sign::named(hash))
                }
                Unit::Residue(residue, _) => format!("{residue:?}"),
                Unit::Name(..) => "name".to_owned(),
            });
        });
        found.join(" ")
    }

    #[test]
    fn units_of_texts() {
        for (text, wanted) in [
            ("", ""),
            ("fog, and fog", "fog and fog"),
            ("3.14 and 1,000", "3 14 and 1 000"),
            ("007 is not 7", "007 is not 7"),
            ("٣.١٤ ３ ۱۲ १२", "3 14 3 12 12"),
            ("h2o, 2nd, x²", "h2o 2nd x2"),
            ("10², 1648³ and 102", "10 Exponent # Exponent and 102"),
            ("1½, ¾ and 2³²", "1 1 / 2 3 / 4 and 2 Exponent"),
            ("C# and NIS+, AB- and AB+.", "c (#) and nis (+) ab (-) and ab (+)"),
            ("total = total + amount", "total (=) total (+) amount"),
            ("a.total > a.limit", "a total (>) a limit"),
            ("operator<< and operator!=, fog!", "operator (<<) and operator (!=) fog"),
            ("if (!ready && item->next)", "if (!) ready (&&) item (->) next"),
            ("fog -- rain – sun", "fog (-) rain (-) sun"),
            ("fog -------- rain", "fog rain"),
            ("we loved it 😀😀, and ✓ it", "we loved it Pictograph and Pictograph it"),
            ("write to a@b.org or b@b.org", "write to Address or Address"),
            ("a snake_case name", "a snake_case name name"),
            ("第2章 2024年", "第 2 章 # 年"),
            ("日本のテスト5", "日本 本の のテ テス スト 5"),
            ("a + b*c", "a + b * c"),
            ("a - b/c", "a - b / c"),
            ("3×4−2÷1", "3 * 4 - 2 / 1"),
            ("10–20, 10 – 20, 10-20", "10 - 20 10 - 20 10 - 20"),
            ("-5 and - 5 and 5 -", "- 5 and (-) 5 and 5"),
            ("$5, $ 5, 5 €, 50 %", "$ 5 $ 5 5 € 50 %"),
            ("x >= 3; y == z", "x >= 3 y == z"),
            ("fog - rain / sun * moon", "fog (-) rain (/) sun (*) moon"),
            ("e-mail and well-known and/or", "e - mail and well known and or"),
            ("---- 5 ----", "5"),
            ("* item 1\n* item 2", "item 1 item 2"),
            ("see http://x.y/1+2 3", "see Address 3"),
            ("see http://x.y/+ 3 http://x.y/3+", "see Address 3 Address"),
            ("½ of 10^6", "1 / 2 of 10 ^ 6"),
            ("1_000 ___ 2", "1 000 2 name"),
        ] {
            assert_eq!(told(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn tokens_among_units_are_those_of_the_standard() {
        let pieces = [
            "the ",
            "日本語",
            "の2",
            "+ ",
            "x",
            " 3.5",
            "a",
            "-",
            "_",
            "10.1234",
            "/5 ",
            "http://",
            "é\u{301}",
            "\u{345}",
            "٣",
            "b@c.d ",
            "word\u{2028}",
            "1234567890",
            "ก",
            "中\u{301}",
            "€",
        ];
        let mut state = 3u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        for _ in 0..2_000 {
            let mut text = String::new();
            for _ in 0..random(60) {
                let times = match random(60) {
                    0 => 100 + random(200),
                    1 if random(10) == 0 => 2_000 + random(2_000),
                    _ => 1,
                };
                text.push_str(&pieces[random(pieces.len())].repeat(times));
            }
            let (mut wanted, mut found) = (Vec::new(), Vec::new());
            tokens(Scheme::SD1, &text, |token| wanted.push(token.to_owned()));
            units(&text, &mut |unit: Unit<'_>| {
                if let Unit::Token(token, hash) = unit {
                    assert_eq!(hash, lookup3::hash(token));
                    found.push(String::from_utf8(token.to_vec()).unwrap());
                }
            });
            assert!(wanted == found, "{text:?}");
        }
    }

    /// Tokens and what is between them make up the normalised text; tokens of pairs overlap by a code point.
    #[test]
    fn nothing_of_a_text_is_missing() {
        struct Sink(Vec<u8>);
        impl UnitSink for Sink {
            fn unit(&mut self, unit: Unit<'_>) {
                if let Unit::Token(token, _) = unit {
                    let overlap = (1..token.len().min(self.0.len())).rev();
                    let overlap = overlap
                        .into_iter()
                        .find(|&at| !token.is_ascii() && self.0.ends_with(&token[..at]));
                    self.0.extend_from_slice(&token[overlap.unwrap_or(0)..]);
                }
            }
            fn between(&mut self, text: &[u8]) {
                self.0.extend_from_slice(text);
            }
        }
        let text = "  Fog; came\tin_at__ 12:30, see https://example.org/a?b, 日本のテスト。ｱﾙ x1 _ 10.1234/abc! ".repeat(400);
        let mut sink = Sink(Vec::new());
        units(&text, &mut sink);
        assert!(String::from_utf8(sink.0).unwrap() == crate::stages::normalise(&text));
    }
}
