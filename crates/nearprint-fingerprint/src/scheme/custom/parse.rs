//! Reading the declaration of a custom scheme (SPEC [13.1]), part by part in the one order there is.

use std::iter::Peekable;
use std::str::{FromStr, Split};

use super::{CustomError, CustomScheme, IDF_PREFIX, LONGEST, PREFIX, TokenRule};
use crate::scheme::stop_lists::StopList;
use crate::scheme::{Features, TokenHash, Weight};
use crate::token_hash::digests;

const FEATURES: &str = "words, shingles-2 to shingles-8, or chars-1 to chars-16";
const WEIGHTS: &str = "binary, tf, or log";
const HASHES: &str = "lookup3, fnv1a, murmur3, xxh3, md5-64, sha1-64, fnv1a-32, or murmur3-32";
const BITS: &str = "32, 64, or 128";
const BITS_OF_32: &str = "32, as the hash has no more";
const TOKENS: &str = "tokens=whitespace, or nothing, which are those of the standard";
const CUT: &str = "cut=identifiers, or nothing; tokens=whitespace cuts nothing";
const DIGITS: &str = "digits=none, or nothing, which keeps those of words";
const LEAST: &str = "min=2 to min=128, or nothing, which is 1";
const IDF: &str = "idf= and the 26 characters of its digest";

impl FromStr for CustomScheme {
    type Err = CustomError;

    fn from_str(text: &str) -> Result<Self, CustomError> {
        if text.len() > LONGEST {
            return Err(CustomError::Length);
        }
        let declared = text.strip_prefix(PREFIX).ok_or(CustomError::Behind { number: 0 })?;
        let mut parts = Parts { rest: declared.split(',').peekable(), number: 1 };
        let features = parts.next("the features", FEATURES, features)?;
        let weight = parts.next("the weight", WEIGHTS, weight)?;
        let token_hash = parts.next("the hash", HASHES, token_hash)?;
        if token_hash.is_of_digest() && !digests::COMPILED {
            return Err(CustomError::NoDigests { hash: token_hash });
        }
        let bits = if token_hash.is_of_32_bits() {
            parts.next("the number of bits", BITS_OF_32, |bits| (bits == "32").then_some(32))?
        } else {
            parts.next("the number of bits", BITS, |bits| match bits {
                "32" => Some(32),
                "64" => Some(64),
                "128" => Some(128),
                _ => None,
            })?
        };
        let tie = |tie: &str| (tie == "1").then_some(());
        let tie =
            parts.optional("tie=", "the bit of a tie", "tie=1, or nothing, which is 0", tie)?;
        let tokens = parts.optional("tokens=", "the tokens", TOKENS, |tokens| {
            (tokens == "whitespace").then_some(TokenRule::WhiteSpace)
        })?;
        let cut = parts.optional("cut=", "the cuts", CUT, |cut| {
            (cut == "identifiers" && tokens.is_none()).then_some(TokenRule::WithoutIdentifiers)
        })?;
        let none = |digits: &str| (digits == "none").then_some(());
        let digits = parts.optional("digits=", "the digits", DIGITS, none)?;
        let stop = parts.optional("stop=", "the stop list", StopList::EXPECTED, StopList::named)?;
        let least = |least: &str| number(least).filter(|least| (2..=128).contains(least));
        let least = parts.optional("min=", "the least length", LEAST, least)?;
        let table = "the table of inverse document frequencies";
        let idf = parts.optional(IDF_PREFIX, table, IDF, |digest| digest.parse().ok())?;
        parts.end()?;
        let least_length = least.unwrap_or(1);
        Ok(Self {
            features,
            weight,
            token_hash,
            bits,
            tie: tie.is_some(),
            tokens: tokens.or(cut).unwrap_or_default(),
            without_digits: digits.is_some(),
            stop,
            least_length,
            idf,
        })
    }
}

/// The parts that are left, and the number of the next one.
struct Parts<'t> {
    rest: Peekable<Split<'t, char>>,
    number: usize,
}

impl Parts<'_> {
    /// The next part, which must be there.
    fn next<T>(
        &mut self,
        what: &'static str,
        expected: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, CustomError> {
        let refused = CustomError::Part { number: self.number, what, expected };
        self.number += 1;
        read(self.rest.next().unwrap_or_default()).ok_or(refused)
    }

    /// What follows `prefix` in the next part, if that begins so.
    fn optional<T>(
        &mut self,
        prefix: &str,
        what: &'static str,
        expected: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, CustomError> {
        if !self.rest.peek().is_some_and(|part| part.starts_with(prefix)) {
            return Ok(None);
        }
        self.next(what, expected, |part| read(part.strip_prefix(prefix)?)).map(Some)
    }

    fn end(mut self) -> Result<(), CustomError> {
        let number = self.number;
        self.rest.next().map_or(Ok(()), |_| Err(CustomError::Behind { number }))
    }
}

fn features(part: &str) -> Option<Features> {
    if part == "words" {
        return Some(Features::Words);
    }
    let number = |prefix| number(part.strip_prefix(prefix)?);
    match (number("shingles-"), number("chars-")) {
        (Some(n @ 2..=8), _) => Some(Features::Shingles(n as u8)),
        (_, Some(n @ 1..=16)) => Some(Features::Characters(n as u8)),
        _ => None,
    }
}

fn weight(part: &str) -> Option<Weight> {
    match part {
        "binary" => Some(Weight::Presence),
        "tf" => Some(Weight::TermFrequency),
        "log" => Some(Weight::LogTermFrequency),
        _ => None,
    }
}

/// A hash by its name in declarations.
pub(crate) fn token_hash(part: &str) -> Option<TokenHash> {
    let all = [
        TokenHash::Lookup3,
        TokenHash::Fnv1a,
        TokenHash::Murmur3,
        TokenHash::Xxh3,
        TokenHash::Md5,
        TokenHash::Sha1,
        TokenHash::Fnv1a32,
        TokenHash::Murmur332,
    ];
    all.into_iter().find(|hash| hash.name() == part)
}

/// A number as it is written: digits, the first no 0.
fn number(text: &str) -> Option<u32> {
    let exact = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
    if exact { text.parse().ok() } else { None }
}
