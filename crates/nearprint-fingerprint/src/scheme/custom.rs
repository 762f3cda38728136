//! Custom schemes (SPEC section 13): a composition of features, weights, hash and width, declared in one line of text.
//!
//! The line is the declaration, here and everywhere: the command, the library and whatever else takes schemes read it
//! by [`CustomScheme::from_str`], and it is written as it is read. A digest of it is part of the scheme's id, so that
//! fingerprints of different declarations are of different schemes, and refused as such.

mod error;
mod parse;

use std::fmt;

pub use self::error::CustomError;
#[cfg(feature = "vectors")]
pub(crate) use self::parse::token_hash;
use super::idf::{IdfDigest, IdfTable, IdfTableError};
use super::rules::{Features, TokenHash, Weight};
use super::stop_lists::{StopList, StopWords};

/// What a custom scheme's declaration begins with.
const PREFIX: &str = "custom:";

/// What stands before a table's digest.
const IDF_PREFIX: &str = "idf=";

/// What a custom scheme's id begins with.
pub(crate) const ID_PREFIX: &str = "custom-";

/// Custom schemes that a process can know: each is kept until it ends.
pub(super) const MOST_KNOWN: usize = 4096;

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
    pub(super) features: Features,
    pub(super) weight: Weight,
    pub(super) token_hash: TokenHash,
    pub(super) bits: u32,
    /// Whether a counter of 0 gives 1.
    tie: bool,
    tokens: TokenRule,
    without_digits: bool,
    pub(super) stop: Option<StopList>,
    least_length: u32,
    pub(super) idf: Option<IdfDigest>,
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

    /// SPEC [13.15]: whether tokens lose their digits.
    pub(crate) fn removes_digits(&self) -> bool {
        self.without_digits
    }

    /// The list of words that take no part.
    pub(crate) fn stop_list(&self) -> Option<StopList> {
        self.stop
    }

    /// Code points that a token must have to take part.
    pub(crate) fn least_length(&self) -> u32 {
        self.least_length
    }
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
