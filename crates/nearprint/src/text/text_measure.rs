//! Exact measures of two whole texts, each named and by a formula: for comparing two documents, and as the yardstick
//! of what fingerprints estimate.
//!
//! [`Verification`](crate::Verification) is what decides about candidates: it also sees numbers, and works on features
//! that are stored. These measures are those of the literature, on words or characters alone, and store nothing.

#[cfg(feature = "edits")]
mod edit_distance;
#[cfg(not(feature = "edits"))]
#[path = "text_measure/edit_distance_none.rs"]
mod edit_distance;
mod vectors;

use std::fmt;
use std::str::FromStr;

use nearprint_fingerprint::{IdfTable, IdfTableError, Scheme, feature_frequencies};

use self::edit_distance::MOST_STEPS;
pub(crate) use self::edit_distance::MOST_STEPS_OF_MANY;
use self::vectors::Vectors;
use crate::ErrorKind;

/// A measure of two texts, from 0 (nothing in common) to 1.
///
/// A and B are the features of the two texts, a(x) and b(x) the number of times that feature x occurs in each:
///
/// | name | features | formula |
/// |---|---|---|
/// | `jaccard-words`, `jaccard-shingles-K`, `jaccard-chars-K` | words, K words in a row (2 to 8), K characters in a row (2 to 9) | \|A ∩ B\| / \|A ∪ B\| |
/// | `containment-words`, `containment-shingles-K`, `containment-chars-K` | the same | \|A ∩ B\| / min(\|A\|, \|B\|) |
/// | `dice-words`, `dice-shingles-K`, `dice-chars-K` | the same | 2 \|A ∩ B\| / (\|A\| + \|B\|) (Dice 1945) |
/// | `weighted-jaccard` | words | Σ min(a, b) / Σ max(a, b) |
/// | `cosine-tf` | words | Σ a·b / √(Σ a² · Σ b²) |
/// | `cosine-log` | words | the same with 1 + floor(log2 a) in place of a |
/// | `cosine-tfidf` | words | the same with a · idf(x) in place of a, by a table of document frequencies |
/// | `edit` | characters of the normalised texts, white space as one space | 1 - Levenshtein distance / length of the longer |
///
/// Words are the tokens of the standard; characters are those of the words joined by single spaces. Features are
/// compared by hashes of 64 bits. O(n + m) apart from sorting the features, and for `edit` O(n · m / 64) steps, at most
/// 2^32 of them.
///
/// ```
/// use nearprint::{TextMeasure, TextSimilarity};
///
/// let measure: TextMeasure = "jaccard-words".parse()?;
/// let similarity = measure.similarity("fog and rain", "rain and sun", None)?;
/// assert_eq!(similarity, TextSimilarity::Exact(2.0 / 4.0));
/// let edit: TextMeasure = "edit".parse()?;
/// assert_eq!(edit.similarity("kitten", "Sitting", None)?, TextSimilarity::Exact(1.0 - 3.0 / 7.0));
/// # Ok::<(), nearprint::TextMeasureError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextMeasure {
    name: &'static str,
    formula: Formula,
    /// What is counted, as declarations of custom schemes name it; nothing for the edit distance.
    features: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Formula {
    Jaccard,
    Containment,
    Dice,
    WeightedJaccard,
    CosineTf,
    CosineLog,
    CosineTfIdf,
    EditDistance,
}

/// The measures of sets, by what the sets hold.
macro_rules! of_sets {
    ($($features:literal),+) => {
        [$(
            (concat!("jaccard-", $features), Formula::Jaccard, $features),
            (concat!("containment-", $features), Formula::Containment, $features),
            (concat!("dice-", $features), Formula::Dice, $features),
        )+]
    };
}

/// Name, formula and features of each measure of sets.
const OF_SETS: [(&str, Formula, &str); 48] = of_sets![
    "words",
    "shingles-2",
    "shingles-3",
    "shingles-4",
    "shingles-5",
    "shingles-6",
    "shingles-7",
    "shingles-8",
    "chars-2",
    "chars-3",
    "chars-4",
    "chars-5",
    "chars-6",
    "chars-7",
    "chars-8",
    "chars-9"
];

/// The others.
const OTHERS: [(&str, Formula, &str); 5] = [
    ("weighted-jaccard", Formula::WeightedJaccard, "words"),
    ("cosine-tf", Formula::CosineTf, "words"),
    ("cosine-log", Formula::CosineLog, "words"),
    ("cosine-tfidf", Formula::CosineTfIdf, "words"),
    ("edit", Formula::EditDistance, ""),
];

/// What a measure sees of a text.
#[derive(Debug, Clone)]
pub(crate) enum SeenText {
    /// Hashes of its features, ascending, with their weights.
    Features(Vec<(u64, u64)>),
    /// Its characters.
    Characters(Vec<char>),
}

/// What finds pairs that a measure may confirm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProposedBy {
    /// The sketch that estimates it.
    Shingles,
    /// Any position in common; of word 3-shingles it is `known` which share of the parts has one.
    Parts { known: bool },
    /// Words without their order.
    Words,
    /// Words in their order.
    Order,
}

/// What a table of document frequencies must count.
const COUNTED: &str = "words,lookup3";

/// What a measure says of two texts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TextSimilarity {
    /// Their similarity, 0 to 1.
    Exact(f64),
    /// The bound on work ended the edit distance: the similarity is less than this, and how much less is not known.
    Below(f64),
}

/// Why there is no measure of a name, or no similarity.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextMeasureError {
    /// No measure has this name.
    Unknown {
        /// It.
        name: String,
    },
    /// This build does not have the measure.
    Missing {
        /// Its name.
        name: &'static str,
        /// The feature of this crate that it needs.
        feature: &'static str,
    },
    /// The measure needs a table of document frequencies.
    NoTable,
    /// The table cannot be kept for a search.
    Table(IdfTableError),
    /// The table counts something else than words by lookup3.
    OtherTable {
        /// What it counts.
        counted: String,
    },
}

impl fmt::Display for TextMeasureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name } => write!(
                f,
                "unknown measure \"{}\"; the measures are jaccard-F, containment-F and dice-F, with \
                    F one of words, shingles-2 to shingles-8 and chars-2 to chars-9, \
                    weighted-jaccard, cosine-tf, cosine-log, cosine-tfidf and edit",
                name.chars().take(32).collect::<String>().escape_debug()
            ),
            Self::Missing { name, feature } => write!(
                f,
                "this build does not have the measure {name}: compile it with the feature \"{feature}\""
            ),
            Self::NoTable => f.write_str(
                "cosine-tfidf needs a table of document frequencies of words (`nearprint prints idf` \
                    makes one)",
            ),
            Self::Table(error) => error.fmt(f),
            Self::OtherTable { counted } => write!(
                f,
                "the table counts {counted}, but cosine-tfidf needs one of {COUNTED} (`nearprint \
                    idf` makes one)"
            ),
        }
    }
}

impl std::error::Error for TextMeasureError {}

impl TextMeasureError {
    /// Its kind: another name or another table helps.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::InvalidInput
    }
}

impl TextMeasure {
    /// The similarity from which texts are near unless another is named: a convention, not a measured constant.
    pub const DEFAULT_THRESHOLD: f64 = 0.8;

    /// All measures that this build has: `edit` needs the feature `edits`.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::known().filter(|measure| measure.is_compiled())
    }

    /// All measures.
    fn known() -> impl Iterator<Item = Self> {
        let all = OF_SETS.into_iter().chain(OTHERS);
        all.map(|(name, formula, features)| Self { name, formula, features })
    }

    fn is_compiled(self) -> bool {
        self.formula != Formula::EditDistance || edit_distance::COMPILED
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Whether it weighs by a table of document frequencies.
    #[must_use]
    pub fn needs_table(self) -> bool {
        self.formula == Formula::CosineTfIdf
    }

    /// The similarity of two texts. A text without features has similarity 0 with every other: nothing is known of it.
    ///
    /// # Errors
    /// If the measure needs a table and there is none, or one that counts something else.
    pub fn similarity(
        self,
        a: &str,
        b: &str,
        table: Option<&IdfTable>,
    ) -> Result<TextSimilarity, TextMeasureError> {
        self.check(table)?;
        Ok(self.between(&self.seen(a, table), &self.seen(b, table), 0.0, MOST_STEPS))
    }

    /// Whether this is the table that the measure needs, if it needs one.
    pub(crate) fn check(self, table: Option<&IdfTable>) -> Result<(), TextMeasureError> {
        if !self.needs_table() {
            return Ok(());
        }
        let table = table.ok_or(TextMeasureError::NoTable)?;
        if table.counted() != COUNTED {
            let counted = table.counted().to_owned();
            return Err(TextMeasureError::OtherTable { counted });
        }
        Ok(())
    }

    /// What the measure sees of a text, for several comparisons. The table must have been checked.
    pub(crate) fn seen(self, text: &str, table: Option<&IdfTable>) -> SeenText {
        if self.formula == Formula::EditDistance {
            return SeenText::Characters(edit_distance::characters(text));
        }
        let table = table.filter(|_| self.needs_table());
        let weigh = |(hash, times): (u64, u64)| {
            let weight = match self.formula {
                Formula::Jaccard | Formula::Containment | Formula::Dice => 1,
                Formula::CosineLog => u64::from(times.max(1).ilog2() + 1),
                _ => times,
            };
            (hash, weight * table.map_or(1, |table| table.weight(hash)))
        };
        let declared = format!("custom:{},tf,lookup3,64", self.features);
        let scheme: Option<Scheme> = declared.parse().ok();
        let frequencies = scheme.and_then(|scheme| feature_frequencies(scheme, text));
        SeenText::Features(frequencies.unwrap_or_default().into_iter().map(weigh).collect())
    }

    /// The similarity of two texts by what the measure sees of them. An edit distance may be left open where it is
    /// less than `at_least`, or takes more than so many steps.
    pub(crate) fn between(
        self,
        a: &SeenText,
        b: &SeenText,
        at_least: f64,
        most_steps: u64,
    ) -> TextSimilarity {
        match (a, b) {
            (SeenText::Characters(a), SeenText::Characters(b)) => {
                edit_distance::similarity(a, b, at_least, most_steps)
            }
            (SeenText::Features(a), SeenText::Features(b)) => {
                let vectors = Vectors::of(a, b);
                TextSimilarity::Exact(match self.formula {
                    Formula::Jaccard | Formula::WeightedJaccard => vectors.jaccard(),
                    Formula::Containment => vectors.containment(),
                    Formula::Dice => vectors.dice(),
                    _ => vectors.cosine(),
                })
            }
            // Seen by unlike measures, of which nothing follows.
            _ => TextSimilarity::Exact(0.0),
        }
    }

    /// Which sketches propose pairs that it may find similar.
    pub(crate) fn proposed_by(self) -> ProposedBy {
        match (self.formula, self.features) {
            (Formula::Jaccard, "shingles-3") => ProposedBy::Shingles,
            (Formula::Containment, "shingles-3") => ProposedBy::Parts { known: true },
            (Formula::Containment, _) => ProposedBy::Parts { known: false },
            (_, "words") => ProposedBy::Words,
            _ => ProposedBy::Order,
        }
    }
}

impl FromStr for TextMeasure {
    type Err = TextMeasureError;

    fn from_str(name: &str) -> Result<Self, TextMeasureError> {
        match Self::known().find(|measure| measure.name == name) {
            Some(measure) if measure.is_compiled() => Ok(measure),
            Some(measure) => {
                Err(TextMeasureError::Missing { name: measure.name, feature: "edits" })
            }
            None => Err(TextMeasureError::Unknown { name: name.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::CustomScheme;

    fn exact(name: &str, a: &str, b: &str) -> f64 {
        let measure: TextMeasure = name.parse().unwrap();
        match measure.similarity(a, b, None).unwrap() {
            TextSimilarity::Exact(similarity) => similarity,
            TextSimilarity::Below(_) => panic!("{name} is bounded"),
        }
    }

    #[test]
    fn every_measure_is_its_formula() {
        let (a, b) = ("fog fog fog and rain", "fog and sun");
        for (name, wanted) in [
            ("jaccard-words", 2.0 / 4.0),
            ("containment-words", 2.0 / 3.0),
            ("dice-words", 4.0 / 6.0),
            // fog fog, fog and, and rain; fog and, and sun.
            ("jaccard-shingles-2", 1.0 / 4.0),
            ("containment-shingles-2", 1.0 / 2.0),
            ("weighted-jaccard", 2.0 / 6.0),
            ("cosine-tf", 4.0 / 33.0_f64.sqrt()),
            ("cosine-log", 3.0 / 18.0_f64.sqrt()),
        ] {
            assert_eq!(exact(name, a, b), wanted, "{name}");
        }
        // fo, og; do, og.
        assert_eq!(exact("jaccard-chars-2", "fog", "dog"), 1.0 / 3.0);
        assert_eq!(exact("dice-chars-2", "fog", "dog"), 2.0 / 4.0);
        assert_eq!(exact("edit", "The  fog", "the\nfrog!"), 1.0 - 2.0 / 9.0);
    }

    #[test]
    fn measures_are_symmetric_and_1_of_a_text_and_itself() {
        let (a, b) = ("the keeper lit the lamp at noon", "the lamp was lit at one");
        for measure in TextMeasure::all().filter(|measure| !measure.needs_table()) {
            let name = measure.name();
            assert_eq!(name.parse(), Ok(measure));
            assert_eq!(exact(name, a, a), 1.0, "{name}");
            assert_eq!(exact(name, a, b), exact(name, b, a), "{name}");
            assert!((0.0..1.0).contains(&exact(name, a, b)), "{name}");
            assert_eq!(exact(name, a, ""), 0.0, "{name}");
        }
    }

    #[test]
    fn rare_words_weigh_more_by_a_table() {
        let words: CustomScheme = "custom:words,tf,lookup3,64".parse().unwrap();
        let scheme = Scheme::custom(words).unwrap();
        let the = feature_frequencies(scheme, "the").unwrap()[0].0;
        let table = IdfTable::new(words, 1000, 2, vec![(the, 1000)]).unwrap();
        let measure: TextMeasure = "cosine-tfidf".parse().unwrap();
        let of = |a, b| measure.similarity(a, b, Some(&table)).unwrap();
        // 1 of 1,000 documents: 1 + log2(1001 / 2) = 9.9672 times as much as a word of all of them.
        let TextSimilarity::Exact(found) = of("the fog", "the rain") else { panic!() };
        let idf = 1.0 + (1001.0_f64 / 2.0).log2();
        assert!((found - 1.0 / (1.0 + idf * idf)).abs() < 1e-6, "{found}");
        assert!(exact("cosine-tf", "the fog", "the rain") > 0.49);
        assert_eq!(measure.similarity("a", "b", None), Err(TextMeasureError::NoTable));
        let other = IdfTable::new("custom:words,tf,xxh3,64".parse().unwrap(), 9, 1, vec![]);
        let refused = measure.similarity("a", "b", Some(&other.unwrap())).unwrap_err();
        assert!(refused.to_string().contains("words,xxh3"), "{refused}");
    }

    #[test]
    fn unknown_measures_are_refused_by_name() {
        for name in ["", "jaccard-shingles-9", "Edit", "jaccard-chars-1"] {
            let error = name.parse::<TextMeasure>().unwrap_err().to_string();
            assert!(error.contains(&format!("\"{name}\"")), "{error}");
        }
    }
}
