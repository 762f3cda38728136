//! Two documents held against one another: their distance, what it amounts to, and the words behind it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use nearprint_fingerprint::{Fingerprint, Scheme, tokens};
use nearprint_records::{ComparisonRow, DocumentId, Grade, TextGrade, WordRow};

use crate::{Error, Sameness, Verification};

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
    let fingerprint_similarity = a.1.similarity(&b.1)?;
    Ok(ComparisonRow {
        distance,
        fingerprint_similarity,
        grade: grade(a.1.scheme(), distance),
        a: a.0,
        b: b.0,
        fingerprint_a: a.1,
        fingerprint_b: b.1,
        text_similarity: None,
        measure: None,
        texts: None,
        verified: None,
        shared: None,
        differs: None,
        passages: None,
    })
}

/// How alike two texts are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextComparison {
    /// Their similarity, 0 to 1.
    pub similarity: f64,
    /// What they are to one another.
    pub grade: TextGrade,
    /// Whether verification confirms them.
    pub verified: bool,
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
/// assert_eq!(compare_texts(old, &old.to_uppercase(), verification).grade, TextGrade::Identical);
/// ```
#[must_use]
pub fn compare_texts(a: &str, b: &str, verification: Verification) -> TextComparison {
    let (a, b) = (verification.features(a), verification.features(b));
    let similarity = verification.similarity(&a, &b);
    let verified = verification.verified(&a, &b).is_some();
    let grade = match a.digests.sameness(&b.digests) {
        Sameness::Identical => TextGrade::Identical,
        Sameness::SameWords => TextGrade::SameWords,
        Sameness::Different if verified => TextGrade::Near,
        Sameness::Different => TextGrade::Different,
    };
    TextComparison { similarity, grade, verified }
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
    let rows = || weights.iter().map(|(word, &(a, b))| WordRow { word: word.clone(), a, b });
    // Both sorts keep the order of words that rank alike, which is the map's.
    let mut shared: Vec<WordRow> = rows().filter(|row| row.a.min(row.b) > 0).collect();
    shared.sort_by_key(|row| Reverse(row.a.min(row.b)));
    shared.truncate(most);
    let mut differs: Vec<WordRow> = rows().filter(|row| row.a != row.b).collect();
    differs.sort_by_key(|row| Reverse(row.a.abs_diff(row.b)));
    differs.truncate(most);
    (shared, differs)
}

/// The weights of a word, allocated for only once.
fn count<'m>(weights: &'m mut BTreeMap<String, (u64, u64)>, word: &str) -> &'m mut (u64, u64) {
    if !weights.contains_key(word) {
        weights.insert(word.to_owned(), (0, 0));
    }
    weights.get_mut(word).expect("it was just inserted")
}
