//! The registry of schemes: every scheme is one declaration in [`DECLARATIONS`], and whatever needs to know a
//! scheme (parsing, the command's table, search thresholds) reads it from here.
//!
//! A scheme names *all* rules from text to string. Changing one bit of a result is a new declaration with a new
//! id, never an edit of an old one. The rules themselves are in [`stages`](crate::stages), and in
//! [`Fingerprinter`](crate::Fingerprinter), which runs them.

pub(crate) mod custom;
mod declaration;
pub(crate) mod idf;
mod known_schemes;
mod rules;
pub(crate) mod stop_lists;
mod unknown;

pub(crate) use self::declaration::Declaration;
pub use self::rules::{Family, Features, TokenHash, Weight};
pub use self::unknown::UnknownScheme;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use self::custom::{CustomError, CustomScheme};
use self::known_schemes::{declared, known};

/// The schemes this build knows, in the order of the standard's table.
static DECLARATIONS: [Declaration; 4] = [SD1, SL1, MD1, WD1];

/// `simhash-doc`: words by term frequency, 64 bits.
const SD1: Declaration = Declaration {
    id: "sd1",
    name: "simhash-doc",
    features: Features::Words,
    weight: Weight::TermFrequency,
    token_hash: TokenHash::Lookup3,
    family: Family::Simhash,
    positions: 64,
    bytes: 8,
    close: 1,
    loose: 6,
    default: 3,
    short_below: 50,
    custom: None,
    idf: None,
    stop_words: None,
};

/// `simhash-log`: words by the logarithm of their frequency, 64 bits.
const SL1: Declaration =
    Declaration { id: "sl1", name: "simhash-log", weight: Weight::LogTermFrequency, ..SD1 };

/// `minhash-doc`: the set of word 3-shingles, 128 minima.
const MD1: Declaration = Declaration {
    id: "md1",
    name: "minhash-doc",
    features: Features::WordShingles,
    weight: Weight::Presence,
    family: Family::Sketch,
    positions: 128,
    bytes: 256,
    close: 25,
    loose: 89,
    default: 89,
    ..SD1
};

/// `seomoz-legacy`: what simhash-cpp made until August 2016 (SPEC section 14). Not of the standard's family.
static SEOMOZ_LEGACY: Declaration = Declaration {
    id: "seomoz-legacy",
    name: "seomoz-legacy",
    features: Features::LetterWindows,
    ..SD1
};

/// `wminhash-doc`: words by the logarithm of their frequency, 128 minima.
const WD1: Declaration = Declaration {
    id: "wd1",
    name: "wminhash-doc",
    features: Features::Words,
    weight: Weight::LogTermFrequency,
    loose: 64,
    default: 64,
    ..MD1
};

/// A scheme: all rules from text to fingerprint, named by an id such as `sd1`.
///
/// One of the standard's, `seomoz-legacy`, or a [`CustomScheme`]. A small value to be passed by copy. Printing gives
/// the id; parsing takes an id in either case, and a custom scheme's declaration, from which on its id is known to the
/// process.
///
/// ```
/// use nearprint_fingerprint::Scheme;
///
/// let scheme: Scheme = "sd1".parse()?;
/// assert_eq!(scheme, Scheme::SD1);
/// assert_eq!(scheme.to_string(), "sd1");
/// assert_eq!(scheme.name(), "simhash-doc");
/// assert_eq!((scheme.close(), scheme.default_distance(), scheme.loose()), (1, 3, 6));
/// # Ok::<(), nearprint_fingerprint::UnknownScheme>(())
/// ```
#[derive(Clone, Copy)]
pub struct Scheme(&'static Declaration);

impl Scheme {
    /// `sd1`, `simhash-doc`: a simhash of 64 bits over words by term frequency.
    pub const SD1: Self = Self(&SD1);

    /// `sl1`, `simhash-log`: a simhash of 64 bits over words by the logarithm of their frequency.
    pub const SL1: Self = Self(&SL1);

    /// `md1`, `minhash-doc`: a sketch of the set of word 3-shingles.
    pub const MD1: Self = Self(&MD1);

    /// `wd1`, `wminhash-doc`: a sketch of the words by the logarithm of their frequency.
    pub const WD1: Self = Self(&WD1);

    /// `seomoz-legacy`: the simhash of simhash-cpp as it was until August 2016, for collections that hold such
    /// fingerprints.
    pub const SEOMOZ_LEGACY: Self = Self(&SEOMOZ_LEGACY);

    /// The standard's schemes, in the order of the standard's table.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        DECLARATIONS.iter().map(Self)
    }

    /// The scheme of a declaration, which this process knows by its id from here on.
    ///
    /// # Errors
    /// If the process knows thousands of them already.
    pub fn custom(custom: CustomScheme) -> Result<Self, CustomError> {
        declared(custom).map(Self)
    }

    /// What a custom scheme was declared as; `None` for all others.
    #[must_use]
    pub fn as_custom(self) -> Option<CustomScheme> {
        self.0.custom
    }

    pub(crate) fn declaration(self) -> &'static Declaration {
        self.0
    }

    /// The id that stands before the colon of a fingerprint's string, e.g. `sd1`.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.0.id
    }

    /// The long name, e.g. `simhash-doc`; of a custom scheme its declaration.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// What of a document is hashed.
    #[must_use]
    pub fn features(self) -> Features {
        self.0.features
    }

    /// How much a feature counts.
    #[must_use]
    pub fn weight(self) -> Weight {
        self.0.weight
    }

    /// The function that hashes a token.
    #[must_use]
    pub fn token_hash(self) -> TokenHash {
        self.0.token_hash
    }

    /// How the features' hashes become a fingerprint, and so how two fingerprints are compared.
    #[must_use]
    pub fn family(self) -> Family {
        self.0.family
    }

    /// The number of positions in which two fingerprints can differ, which is their greatest distance: for a
    /// simhash its bits.
    #[must_use]
    pub fn positions(self) -> u32 {
        self.0.positions
    }

    /// The size of a fingerprint in bytes, at most (exactly, for a simhash).
    #[must_use]
    pub fn bytes(self) -> usize {
        self.0.bytes
    }

    /// The greatest distance (inclusive) of a *close* match.
    #[must_use]
    pub fn close(self) -> u32 {
        self.0.close
    }

    /// The greatest distance (inclusive) of a *loose* match.
    #[must_use]
    pub fn loose(self) -> u32 {
        self.0.loose
    }

    /// The greatest distance (inclusive) that lookups use where the user names none.
    #[must_use]
    pub fn default_distance(self) -> u32 {
        self.0.default
    }

    /// A document of fewer token occurrences than this is *short*.
    #[must_use]
    pub fn short_below(self) -> u64 {
        self.0.short_below
    }
}

// Ids are unique (a test holds the registry to it), so the id is the identity.
impl PartialEq for Scheme {
    fn eq(&self, other: &Self) -> bool {
        self.0.id == other.0.id
    }
}

impl Eq for Scheme {}

impl Hash for Scheme {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.id.hash(state);
    }
}

impl fmt::Debug for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scheme({})", self.0.id)
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.id)
    }
}

impl FromStr for Scheme {
    type Err = UnknownScheme;

    /// Finds a scheme by its id, ASCII letters in either case, or takes a custom scheme's declaration. Long names are
    /// not ids and are refused.
    fn from_str(id: &str) -> Result<Self, UnknownScheme> {
        if id.starts_with("custom:") {
            let custom = id.parse().and_then(Self::custom);
            return custom.map_err(|error| UnknownScheme::of(id, Some(error)));
        }
        let has_id = |scheme: &Self| scheme.id().eq_ignore_ascii_case(id);
        Self::all()
            .chain([Self::SEOMOZ_LEGACY])
            .find(has_id)
            .or_else(|| known(id).map(Self))
            .ok_or_else(|| UnknownScheme::of(id, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_parse_and_print() {
        for (i, scheme) in Scheme::all().enumerate() {
            assert_eq!(scheme.id().parse(), Ok(scheme));
            assert_eq!(scheme.id().to_ascii_uppercase().parse(), Ok(scheme));
            assert!(scheme.id().bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()));
            assert!(Scheme::all().skip(i + 1).all(|other| other != scheme), "{scheme} twice");
        }
    }

    #[test]
    fn thresholds_are_ordered_and_match_the_similarities_of_the_standard() {
        for scheme in Scheme::all() {
            let similarity = |d: u32| 1.0 - f64::from(d) / f64::from(scheme.positions());
            assert!(scheme.close() <= scheme.default_distance());
            assert!(scheme.default_distance() <= scheme.loose());
            let (close, loose) = match scheme.id() {
                "md1" => (0.8, 0.3),
                "wd1" => (0.8, 0.5),
                _ => (0.98, 0.90),
            };
            assert!(similarity(scheme.close()) >= close && similarity(scheme.close() + 1) < close);
            assert!(similarity(scheme.loose()) >= loose && similarity(scheme.loose() + 1) < loose);
        }
    }

    #[test]
    fn unknown_ids_are_named_but_not_repeated_at_length() {
        let error = "zz9".parse::<Scheme>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown scheme \"zz9\"; this build knows sd1, sl1, md1, wd1"
        );
        let error = "é".repeat(5000).parse::<Scheme>().unwrap_err();
        assert_eq!(error.id().chars().count(), 33);
        assert!("simhash-doc".parse::<Scheme>().is_err());
    }
}
