//! Custom schemes (SPEC section 13): a composition of features, weights, hash and width, declared in one line of text.
//!
//! The line is the declaration, here and everywhere: the command, the library and whatever else takes schemes read it
//! by [`CustomScheme::from_str`], and it is written as it is read. A digest of it is part of the scheme's id, so that
//! fingerprints of different declarations are of different schemes, and refused as such.

mod error;
mod parse;

use std::borrow::Cow;
use std::fmt;
use std::sync::{Mutex, PoisonError};

pub use self::error::CustomError;
#[cfg(feature = "vectors")]
pub(crate) use self::parse::token_hash;
use crate::custom_tokens::without_digits;
use crate::idf::{IdfDigest, IdfTable, IdfTableError};
use crate::lookup3;
use crate::notation::base32;
use crate::scheme::{Declaration, Family, Features, TokenHash, Weight};
use crate::stop_lists::{StopList, StopWords};

/// What a custom scheme's declaration begins with.
const PREFIX: &str = "custom:";

/// What stands before a table's digest.
const IDF_PREFIX: &str = "idf=";

/// What a custom scheme's id begins with.
pub(crate) const ID_PREFIX: &str = "custom-";

/// Custom schemes that a process can know: each is kept until it ends.
const MOST_KNOWN: usize = 4096;

/// The longest declaration that is examined, in bytes.
const LONGEST: usize = 200;

/// A custom scheme as it is declared. Printing and parsing are inverse, and parsing takes nothing else.
///
/// ```
/// use nearprint_fingerprint::{CustomScheme, Scheme, fingerprint};
///
/// let custom: CustomScheme = "custom:shingles-2,log,xxh3,128,stop=en".parse()?;
/// assert_eq!(custom.to_string(), "custom:shingles-2,log,xxh3,128,stop=en");
/// let scheme: Scheme = "custom:shingles-2,log,xxh3,128,stop=en".parse()?;
/// assert_eq!((scheme.positions(), scheme.bytes()), (128, 16));
/// let print = fingerprint(scheme, "Fog came in at noon.").into_fingerprint().unwrap();
/// assert!(print.to_string().starts_with("custom-"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CustomScheme {
    features: Features,
    weight: Weight,
    token_hash: TokenHash,
    bits: u32,
    /// Whether a counter of 0 gives 1.
    tie: bool,
    tokens: TokenRule,
    without_digits: bool,
    stop: Option<StopList>,
    least_length: u32,
    idf: Option<IdfDigest>,
}

impl fmt::Display for CustomScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", FeatureName(self.features))?;
        let weight = match self.weight {
            Weight::Presence => "binary",
            Weight::TermFrequency => "tf",
            Weight::LogTermFrequency => "log",
        };
        let tie = if self.tie { ",tie=1" } else { "" };
        write!(f, ",{weight},{},{}{tie}{}", self.token_hash, self.bits, LeftOut(self))?;
        match self.idf {
            Some(digest) => write!(f, ",{IDF_PREFIX}{digest}"),
            None => Ok(()),
        }
    }
}

/// SPEC [13.3]: what tokens are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) enum TokenRule {
    /// Those of section 6.
    #[default]
    Standard,
    /// Runs without white space.
    WhiteSpace,
    /// Those of section 6, after more cuts.
    WithoutIdentifiers,
}

/// Features as a declaration names them.
struct FeatureName(Features);

impl fmt::Display for FeatureName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Features::Shingles(n) => write!(f, "shingles-{n}"),
            Features::Characters(n) => write!(f, "chars-{n}"),
            // No other can be parsed.
            _ => f.write_str("words"),
        }
    }
}

/// The parts that say what tokens are, and which of them take no part.
struct LeftOut<'a>(&'a CustomScheme);

impl fmt::Display for LeftOut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.tokens {
            TokenRule::Standard => {}
            TokenRule::WhiteSpace => f.write_str(",tokens=whitespace")?,
            TokenRule::WithoutIdentifiers => f.write_str(",cut=identifiers")?,
        }
        if self.0.without_digits {
            f.write_str(",digits=none")?;
        }
        if let Some(stop) = self.0.stop {
            write!(f, ",stop={stop}")?;
        }
        if self.0.least_length > 1 {
            write!(f, ",min={}", self.0.least_length)?;
        }
        Ok(())
    }
}

impl CustomScheme {
    /// The same with weights multiplied by the inverse document frequencies of a table.
    ///
    /// # Errors
    /// If the table counts other features than the scheme has.
    pub fn with_idf(self, table: &IdfTable) -> Result<Self, IdfTableError> {
        table.check(&self)?;
        Ok(Self { idf: Some(table.digest()), ..self })
    }

    /// The digest of the table by whose inverse document frequencies weights are multiplied, where they are.
    #[must_use]
    pub fn idf(&self) -> Option<IdfDigest> {
        self.idf
    }

    /// The same with a user's stop list in place of any other.
    #[must_use]
    pub fn with_stop_words(self, words: &StopWords) -> Self {
        Self { stop: Some(StopList::User(words.digest())), ..self }
    }

    /// SPEC [13.9]: what decides the features and their hashes, as a table of inverse document frequencies names it.
    pub(crate) fn counted(&self) -> String {
        format!("{},{}{}", FeatureName(self.features), self.token_hash, LeftOut(self))
    }

    /// A scheme that has these features, if that is how a table names them.
    pub(crate) fn of_counted(counted: &str) -> Option<Self> {
        let (features, rest) = counted.split_once(',')?;
        let (hash, left_out) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
        // Every hash goes with 32 bits.
        let scheme: Self = format!("{PREFIX}{features},binary,{hash},32{left_out}").parse().ok()?;
        (scheme.idf.is_none() && scheme.counted() == counted).then_some(scheme)
    }

    /// SPEC [13.3] and [13.14]: what tokens are.
    pub(crate) fn token_rule(&self) -> TokenRule {
        self.tokens
    }

    /// SPEC [13.7]: whether a counter of 0 gives 1.
    pub(crate) fn tie(&self) -> bool {
        self.tie
    }

    /// A token of its rule as it counts, if anything of it does.
    pub(crate) fn counted_token<'t>(&self, token: &'t [u8]) -> Option<Cow<'t, [u8]>> {
        let token = if self.without_digits { without_digits(token) } else { Cow::Borrowed(token) };
        (!token.is_empty()).then_some(token)
    }

    /// The same, if it takes part. `words` are those of the user's list that the scheme names.
    pub(crate) fn taken<'t>(
        &self,
        token: &'t [u8],
        words: Option<&StopWords>,
    ) -> Option<Cow<'t, [u8]>> {
        self.counted_token(token).filter(|token| self.takes(token, words))
    }

    fn takes(&self, token: &[u8], words: Option<&StopWords>) -> bool {
        let long_enough = self.least_length == 1
            || token.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
                >= self.least_length as usize;
        long_enough && !self.stop.is_some_and(|stop| stop.holds(token, words))
    }

    /// The declaration, kept for as long as the process lives.
    pub(crate) fn declared(self) -> Result<&'static Declaration, CustomError> {
        // A map that a panic interrupted holds whole declarations or none.
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.iter().find(|known| known.custom == Some(self)) {
            return Ok(known);
        }
        if known.len() >= MOST_KNOWN {
            return Err(CustomError::TooMany);
        }
        let idf = match self.idf {
            None => None,
            Some(digest) => {
                let table = IdfTable::kept(digest).ok_or(CustomError::NoTable { digest })?;
                table.check(&self).map_err(CustomError::OtherTable)?;
                Some(table)
            }
        };
        let stop_words = match self.stop {
            Some(StopList::User(digest)) => {
                Some(StopWords::kept(digest).ok_or(CustomError::NoList { digest })?)
            }
            _ => None,
        };
        let text = self.to_string();
        let digest = lookup3::hash(text.as_bytes()).to_be_bytes();
        let declaration = Box::leak(Box::new(Declaration {
            id: Box::leak(format!("{ID_PREFIX}{}", base32(&digest)).into_boxed_str()),
            name: Box::leak(text.into_boxed_str()),
            features: self.features,
            weight: self.weight,
            token_hash: self.token_hash,
            family: Family::Simhash,
            positions: self.bits,
            bytes: self.bits as usize / 8,
            // The similarities of [7.10]: 0.98 and 0.90; the default is as for 64 bits by share.
            close: self.bits * 2 / 100,
            loose: self.bits / 10,
            default: self.bits * 3 / 64,
            short_below: 50,
            custom: Some(self),
            idf,
            stop_words,
        }));
        known.push(declaration);
        Ok(declaration)
    }
}

/// The custom schemes that were named in this process.
static KNOWN: Mutex<Vec<&'static Declaration>> = Mutex::new(Vec::new());

/// The custom scheme of this id, if it was named.
pub(crate) fn known(id: &str) -> Option<&'static Declaration> {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.iter().find(|known| known.id.eq_ignore_ascii_case(id)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scheme;

    #[test]
    fn declarations_are_written_as_they_are_read() {
        for text in [
            "custom:words,tf,lookup3,64",
            "custom:words,binary,fnv1a,32",
            "custom:shingles-2,log,xxh3,128",
            "custom:shingles-8,tf,murmur3,64,stop=en",
            "custom:chars-1,log,lookup3,32,min=2",
            "custom:chars-16,log,lookup3,64,stop=fr,min=128",
            "custom:words,tf,sha1-64,128",
            "custom:words,tf,lookup3,64,tie=1,stop=en,min=3",
            "custom:words,tf,lookup3,64,tokens=whitespace,stop=en",
            "custom:words,tf,lookup3,64,cut=identifiers,digits=none,min=2",
            "custom:words,tf,murmur3-32,32,min=3",
        ] {
            let custom: CustomScheme = text.parse().unwrap();
            assert_eq!(custom.to_string(), text);
            let scheme: Scheme = text.parse().unwrap();
            assert_eq!(scheme.name(), text);
            assert_eq!(scheme.id().parse(), Ok(scheme));
            assert!(scheme.close() <= scheme.default_distance());
            assert!(scheme.default_distance() <= scheme.loose());
            assert!(Scheme::all().all(|standard| standard != scheme));
        }
    }

    #[test]
    fn what_is_not_exact_is_refused_by_part() {
        for (text, number) in [
            ("custom:", 1),
            ("custom:word,tf,lookup3,64", 1),
            ("custom:Words,tf,lookup3,64", 1),
            ("custom: words,tf,lookup3,64", 1),
            ("custom:shingles-1,tf,lookup3,64", 1),
            ("custom:shingles-9,tf,lookup3,64", 1),
            ("custom:shingles-02,tf,lookup3,64", 1),
            ("custom:chars-0,tf,lookup3,64", 1),
            ("custom:chars-17,tf,lookup3,64", 1),
            ("custom:chars-+3,tf,lookup3,64", 1),
            ("custom:words", 2),
            ("custom:words,sqrt,lookup3,64", 2),
            ("custom:words,tf,sha1,64", 3),
            ("custom:words,tf,lookup3", 4),
            ("custom:words,tf,lookup3,16", 4),
            ("custom:words,tf,fnv1a-32,64", 4),
            ("custom:words,tf,lookup3,64,tie=0", 5),
            ("custom:words,tf,lookup3,64,tie=1,tokens=words", 6),
            ("custom:words,tf,lookup3,64,cut=urls", 5),
            ("custom:words,tf,lookup3,64,tokens=whitespace,cut=identifiers", 6),
            ("custom:words,tf,lookup3,64,digits=0", 5),
            ("custom:words,tf,lookup3,64,stop=xx", 5),
            ("custom:words,tf,lookup3,64,min=1", 5),
            ("custom:words,tf,lookup3,64,min=129", 5),
            ("custom:words,tf,lookup3,64,stop=en,min=x", 6),
        ] {
            match text.parse::<CustomScheme>().unwrap_err() {
                CustomError::Part { number: found, .. } => assert_eq!(found, number, "{text}"),
                error => panic!("{text}: {error}"),
            }
        }
        for (text, number) in [
            ("", 0),
            ("CUSTOM:words,tf,lookup3,64", 0),
            ("custom:words,tf,lookup3,64,", 5),
            ("custom:words,tf,lookup3,64 ", 4),
            ("custom:words,tf,lookup3,64,min=2,stop=en", 6),
            ("custom:words,tf,lookup3,64,stop=en,stop=en", 6),
            ("custom:words,tf,lookup3,64,digits=none,cut=identifiers", 6),
        ] {
            let error = text.parse::<CustomScheme>().unwrap_err();
            assert!(
                matches!(error, CustomError::Behind { number: found } | CustomError::Part { number: found, .. } if found == number),
                "{text}: {error:?}"
            );
        }
        let long = format!("custom:words,tf,lookup3,64{}", ",".repeat(300));
        assert_eq!(long.parse::<CustomScheme>(), Err(CustomError::Length));
    }
}
