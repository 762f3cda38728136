//! Two documents held against one another: their distance, what it amounts to, and the words behind it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use nearprint_fingerprint::{Fingerprint, IdfTable, Scheme, tokens};
use nearprint_records::{ComparisonRow, DocumentId, Grade, TextGrade, WordRow};

use nearprint_search::Measure;

use crate::{
    Differences, Error, Sameness, TextFeatures, TextMeasure, TextMeasureError, TextSimilarity,
    Verification,
};

/// How alike two prints are, by the thresholds of their scheme.
///
/// ```
/// use nearprint::{fingerprint::Scheme, grade, records::Grade};
///
/// assert_eq!(grade(Scheme::SD1, 1), Grade::Close);
/// assert_eq!(grade(Scheme::SD1, 6), Grade::Loose);
/// assert_eq!(grade(Scheme::SD1, 7), Grade::Different);
/// ```
#[must_use]
pub fn grade(scheme: Scheme, distance: u32) -> Grade {
    if distance <= scheme.close() {
        Grade::Close
    } else if distance <= scheme.loose() {
        Grade::Loose
    } else {
        Grade::Different
    }
}

/// Compares two documents' prints.
///
/// # Errors
/// Where the prints are of unlike schemes.
pub fn compare(
    a: (DocumentId, Fingerprint),
    b: (DocumentId, Fingerprint),
) -> Result<ComparisonRow, Error> {
    let distance = a.1.distance(&b.1)?;
    let similarity = a.1.similarity(&b.1)?;
    let grade = grade(a.1.scheme(), distance);
    Ok(ComparisonRow::new(a, b, (distance, similarity), grade))
}

/// How alike two texts are.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct TextComparison {
    /// Their similarity, 0 to 1.
    pub similarity: f64,
    /// What they are to one another.
    pub grade: TextGrade,
    /// Whether verification confirms them.
    pub verified: bool,
    /// What differs beside their words.
    pub differences: Differences,
}

/// How alike two texts are: their similarity, and whether they are identical, of the same words, near or different.
///
/// ```
/// use nearprint::{Verification, compare_texts, records::TextGrade, search::Measure};
///
/// let verification = Verification::new(Measure::Jaccard);
/// let old = "Django 2.2 is designated as a long-term support release.";
/// let new = "Django 3.2 is designated as a long-term support release.";
/// let texts = compare_texts(old, new, verification);
/// assert!(texts.similarity < 1.0 && texts.verified);
/// assert_eq!(texts.grade, TextGrade::SameWords);
/// assert_eq!(compare_texts(old, &old.to_uppercase(), verification).grade, TextGrade::SameWords);
/// assert_eq!(compare_texts(old, &format!("{old}\r\n"), verification).grade, TextGrade::Identical);
/// ```
#[must_use]
pub fn compare_texts(a: &str, b: &str, verification: Verification) -> TextComparison {
    compare_features(&verification.features(a), &verification.features(b), verification)
}

/// The same of two texts of which [`Verification::features`] has taken what it compares: what takes long texts apart
/// step by step, so that it can be interrupted.
#[must_use]
pub fn compare_features(
    a: &TextFeatures,
    b: &TextFeatures,
    verification: Verification,
) -> TextComparison {
    let similarity = verification.similarity(a, b);
    let verified = verification.verified(a, b).is_some();
    let grade = match a.digests.sameness(&b.digests) {
        Sameness::Identical => TextGrade::Identical,
        Sameness::SameWords => TextGrade::SameWords,
        Sameness::Different if verified => TextGrade::Near,
        Sameness::Different => TextGrade::Different,
    };
    TextComparison { similarity, grade, verified, differences: verification.differences(a, b) }
}

/// What two texts are to one another by a measure.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct MeasuredTexts {
    /// Their similarity, or what it is less than.
    pub similarity: TextSimilarity,
    /// What they are to one another; `None` where the bound on work left it open.
    pub grade: Option<TextGrade>,
    /// Whether the similarity is at least what is demanded; `None` where the bound on work left it open.
    pub verified: Option<bool>,
    /// What differs beside their words.
    pub differences: Differences,
}

impl From<TextComparison> for MeasuredTexts {
    fn from(texts: TextComparison) -> Self {
        Self {
            similarity: TextSimilarity::Exact(texts.similarity),
            grade: Some(texts.grade),
            verified: Some(texts.verified),
            differences: texts.differences,
        }
    }
}

/// How alike two texts are by a measure of whole texts: texts of at least `at_least` are near. `table` is for the
/// measure that needs one.
///
/// # Errors
/// If the measure needs a table and there is none, or one that counts something else.
///
/// ```
/// use nearprint::{measure_texts, records::TextGrade};
///
/// let measured = measure_texts("fog and rain", "fog and sun", "cosine-tf".parse()?, 0.6, None)?;
/// assert_eq!((measured.grade, measured.verified), (Some(TextGrade::Near), Some(true)));
/// # Ok::<(), nearprint::TextMeasureError>(())
/// ```
pub fn measure_texts(
    a: &str,
    b: &str,
    measure: TextMeasure,
    at_least: f64,
    table: Option<&IdfTable>,
) -> Result<MeasuredTexts, TextMeasureError> {
    let similarity = measure.similarity(a, b, table)?;
    let verified = match similarity {
        TextSimilarity::Exact(similarity) => Some(similarity >= at_least),
        TextSimilarity::Below(bound) if bound <= at_least => Some(false),
        TextSimilarity::Below(_) => None,
    };
    let verification = Verification::new(Measure::Jaccard);
    let (a, b) = (verification.features(a), verification.features(b));
    let grade = match a.digests.sameness(&b.digests) {
        Sameness::Identical => Some(TextGrade::Identical),
        Sameness::SameWords => Some(TextGrade::SameWords),
        Sameness::Different => {
            verified.map(|near| if near { TextGrade::Near } else { TextGrade::Different })
        }
    };
    Ok(MeasuredTexts { similarity, grade, verified, differences: verification.differences(&a, &b) })
}

/// The words behind a comparison: those both texts have, by the lesser of their two numbers of occurrences, and those
/// whose numbers differ, by the difference; at most `most` of each, greatest first. Words of equal rank stand in the
/// order of their code points.
///
/// ```
/// use nearprint::{fingerprint::Scheme, explain};
///
/// let (shared, differs) = explain(Scheme::SD1, "fog, fog and more fog", "fog and fog or rain", 2);
/// assert_eq!(shared[0].word, "fog");
/// assert_eq!((shared[0].a, shared[0].b), (3, 2));
/// assert_eq!(differs.iter().map(|row| row.word.as_str()).collect::<Vec<_>>(), ["fog", "more"]);
/// ```
#[must_use]
pub fn explain(scheme: Scheme, a: &str, b: &str, most: usize) -> (Vec<WordRow>, Vec<WordRow>) {
    let mut weights: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    tokens(scheme, a, |word| count(&mut weights, word).0 += 1);
    tokens(scheme, b, |word| count(&mut weights, word).1 += 1);
    let rows = || weights.iter().map(|(word, &(a, b))| WordRow::new(word.clone(), a, b));
    // The order of words that rank alike is kept, which is the map's.
    let first = |rank: fn(&WordRow) -> u64| {
        let mut found: Vec<WordRow> = rows().filter(|row| rank(row) > 0).collect();
        found.sort_by_key(|row| Reverse(rank(row)));
        found.truncate(most);
        found
    };
    (first(|row| row.a.min(row.b)), first(|row| row.a.abs_diff(row.b)))
}

/// The weights of a word, allocated for only once.
fn count<'m>(weights: &'m mut BTreeMap<String, (u64, u64)>, word: &str) -> &'m mut (u64, u64) {
    if !weights.contains_key(word) {
        weights.insert(word.to_owned(), (0, 0));
    }
    weights.get_mut(word).expect("it was just inserted")
}
