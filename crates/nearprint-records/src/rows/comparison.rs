//! `nearprint/comparison/1`: two documents compared.

use std::fmt;
use std::io::{self, Write};

use crate::{DocumentId, PassageRow, Row};
use nearprint_fingerprint::Fingerprint;

/// How alike two fingerprints are, by the thresholds of their scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "json", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Grade {
    /// Within the scheme's close distance.
    Close,
    /// Beyond it, within the loose distance.
    Loose,
    /// Beyond both.
    Different,
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Close => "close",
            Self::Loose => "loose",
            Self::Different => "different",
        })
    }
}

/// What two texts are to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum TextGrade {
    /// The texts are equal.
    Identical,
    /// They are not identical, and have the same words in the same order.
    SameWords,
    /// They are as similar as verification demands.
    Near,
    /// They are not.
    Different,
}

impl fmt::Display for TextGrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Identical => "identical",
            Self::SameWords => "same-words",
            Self::Near => "near",
            Self::Different => "different",
        })
    }
}

/// Two documents' distance, and the similarity of their texts.
///
/// Text form: lines `NAME TAB VALUE` for `distance`, `fingerprint similarity`, `match` and, of documents, `text
/// similarity`, `measure` and `texts`, and where there is something `differs in` and `contradicts`; `verified`, `yes`
/// or `no`, where that was asked for; then, where words were asked for, `shared TAB WORD TAB IN-A TAB IN-B` and
/// `differs TAB WORD TAB IN-A TAB IN-B`, and the lines of [passages](PassageRow).
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ComparisonRow {
    /// One document.
    pub a: DocumentId,
    /// The other.
    pub b: DocumentId,
    /// The first one's fingerprint; its string names the scheme.
    pub fingerprint_a: Fingerprint,
    /// The other's.
    pub fingerprint_b: Fingerprint,
    /// Bits in which they differ.
    pub distance: u32,
    /// 1 - distance / width, from 0 to 1.
    pub fingerprint_similarity: f64,
    /// What that amounts to.
    #[cfg_attr(feature = "json", serde(rename = "match"))]
    pub grade: Grade,
    /// The similarity of the texts, 0 to 1; `None` if fingerprints were given.
    pub text_similarity: Option<f64>,
    /// What the similarity is less than, where a bound on work ended the measure before it was known.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub text_similarity_below: Option<f64>,
    /// The measure of that.
    pub measure: Option<&'static str>,
    /// What the texts are to each other.
    pub texts: Option<TextGrade>,
    /// What differs beside the words, where texts are of the same words: `numbers, addresses`, or `writing` where only
    /// case, punctuation and layout can; `None` for other texts.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub differences: Option<String>,
    /// Where the texts contradict one another, by kind: `2 numbers, 1 address`.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub contradicts: Option<String>,
    /// Whether verification confirms the pair; `None` if that was not asked for.
    pub verified: Option<bool>,
    /// The most frequent words both have; `None` if words were not asked for.
    pub shared: Option<Vec<WordRow>>,
    /// The words whose numbers of occurrences differ most.
    pub differs: Option<Vec<WordRow>>,
    /// The longest passages that both have or only one, in their order; `None` if they were not asked for.
    pub passages: Option<Vec<PassageRow>>,
}

impl ComparisonRow {
    /// Two documents by their fingerprints, which differ in `distance` bits or positions and are `similarity` alike.
    #[must_use]
    pub fn new(
        (a, fingerprint_a): (DocumentId, Fingerprint),
        (b, fingerprint_b): (DocumentId, Fingerprint),
        (distance, similarity): (u32, f64),
        grade: Grade,
    ) -> Self {
        Self {
            a,
            b,
            fingerprint_a,
            fingerprint_b,
            distance,
            fingerprint_similarity: similarity,
            grade,
            text_similarity: None,
            text_similarity_below: None,
            measure: None,
            texts: None,
            differences: None,
            contradicts: None,
            verified: None,
            shared: None,
            differs: None,
            passages: None,
        }
    }
}

/// A word and how often it occurs in two documents.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct WordRow {
    /// The word, as the scheme sees it.
    pub word: String,
    /// Its occurrences in the first document.
    pub a: u64,
    /// Its occurrences in the second.
    pub b: u64,
}

impl WordRow {
    /// A word, and how often it is in each of the texts.
    #[must_use]
    pub fn new(word: String, a: u64, b: u64) -> Self {
        Self { word, a, b }
    }
}

impl Row for ComparisonRow {
    const SCHEMA: &'static str = "nearprint/comparison/1";

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "distance\t{}", self.distance)?;
        writeln!(out, "fingerprint similarity\t{}", self.fingerprint_similarity)?;
        writeln!(out, "match\t{}", self.grade)?;
        if let Some(similarity) = self.text_similarity {
            writeln!(out, "text similarity\t{similarity:.4}")?;
        }
        if let Some(bound) = self.text_similarity_below {
            writeln!(out, "text similarity\tbelow {bound:.4}")?;
        }
        if let Some(measure) = self.measure {
            writeln!(out, "measure\t{measure}")?;
        }
        if let Some(texts) = self.texts {
            writeln!(out, "texts\t{texts}")?;
        }
        for (name, text) in [("differs in", &self.differences), ("contradicts", &self.contradicts)]
        {
            if let Some(text) = text {
                writeln!(out, "{name}\t{text}")?;
            }
        }
        if let Some(verified) = self.verified {
            writeln!(out, "verified\t{}", if verified { "yes" } else { "no" })?;
        }
        for (name, words) in [("shared", &self.shared), ("differs", &self.differs)] {
            for word in words.iter().flatten() {
                writeln!(out, "{name}\t{}\t{}\t{}", word.word, word.a, word.b)?;
            }
        }
        for passage in self.passages.iter().flatten() {
            passage.write_line("", out)?;
        }
        Ok(())
    }
}
