//! Two documents compared.

use nearprint_extract::Extraction;
use nearprint_fingerprint::{Fingerprint, Scheme};
use nearprint_records::{ComparisonRow, DocumentId, TextGrade};
use nearprint_search::Measure;

use super::comparison::{refuse_table, text_verification};
use super::options::options;
use super::{QuestionError, SimilarityMeasure};
use crate::text::layout_digest::layout_digest;
use crate::text::packed_features::page_digest;
use crate::text::verification::MOST_OF_UNEQUAL;
use crate::{
    Error, MeasuredTexts, TextSimilarity, TextVerification, Verification, compare,
    compare_features, explain, longest_passages, measure_texts, passages,
};

options! {
    /// How alike two documents are: their fingerprints and their texts.
    ///
    /// ```
    /// use nearprint::{Compare, records::TextGrade};
    ///
    /// let question = Compare::default().resolve()?;
    /// let pause = || Ok::<_, nearprint::QuestionError>(());
    /// let texts = question.texts("Fog came in at noon.", "FOG came in at noon.", pause)?;
    /// assert_eq!((texts.grade, texts.verified), (Some(TextGrade::SameWords), Some(true)));
    /// # Ok::<(), nearprint::QuestionError>(())
    /// ```
    pub struct Compare as "compare" {
        /// Measure of the similarity of the texts: jaccard, containment or cosine, which also see numbers; or a measure
        /// of words or characters alone: jaccard-F, containment-F or dice-F, with F one of words, shingles-2 to
        /// shingles-8 and chars-2 to chars-9, weighted-jaccard, cosine-tf, cosine-log, cosine-tfidf (needs idf), or
        /// edit (edit distance)
        measure: SimilarityMeasure = SimilarityMeasure::default(),
        /// Minimum similarity for the texts to count as similar, 0 to 1 [default: 0.3 for jaccard, 0.8 for other
        /// measures]
        threshold: Option<f64> = None,
        /// Table of document frequencies of words, a file made by nearprint prints idf, for the measure cosine-tfidf
        idf: Option<String> = None,
        /// Scheme of the fingerprints: an id such as sd1 or md1, a declaration custom:FEATURES,WEIGHT,HASH,BITS, or a
        /// file that contains one
        scheme: Scheme = Scheme::SD1,
        /// Report this many of the most frequent shared words, of the words whose frequencies differ most, of the
        /// longest passages that both documents contain, and of the longest that only one of them contains
        details: Option<u64> = None,
    }
}

/// A document to be compared: its id, its fingerprint, and its text.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedDocument {
    /// Its id.
    pub id: DocumentId,
    /// Its fingerprint by the question's scheme.
    pub fingerprint: Fingerprint,
    /// Its text.
    pub text: String,
    /// The digest by which equal texts are known ([`crate::TextDigests::text`]), where the text is not all that
    /// decides: of a page with almost no words of its own it is that of its menus, too.
    pub digest: Option<[u8; 32]>,
}

impl ComparedDocument {
    /// A document of which a text was extracted.
    #[must_use]
    pub fn of_extraction(id: DocumentId, fingerprint: Fingerprint, extraction: Extraction) -> Self {
        let Extraction { text, record } = extraction;
        let digest = record.page_sha256.map(|page| page_digest(&layout_digest(&text, None), &page));
        Self { id, fingerprint, text, digest }
    }
}

/// A comparison with all its defaults filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedCompare {
    question: Compare,
    by: Judge,
}

/// What decides about two texts.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Judge {
    Features(Verification),
    Texts(TextVerification),
}

impl Compare {
    /// The question with all its defaults.
    ///
    /// # Errors
    /// Where an option has no such value, or two do not go together.
    pub fn resolve(&self) -> Result<ResolvedCompare, QuestionError> {
        self.check()?;
        let by = match self.measure {
            SimilarityMeasure::Texts(measure) => {
                Judge::Texts(text_verification(measure, self.idf.as_deref())?)
            }
            SimilarityMeasure::Features(measure) => {
                refuse_table(self.idf.as_deref())?;
                Judge::Features(Verification::new(measure))
            }
        };
        let threshold = self.threshold.unwrap_or(self.measure.default_threshold());
        let by = match by {
            Judge::Features(verification) => Judge::Features(verification.at(threshold)),
            Judge::Texts(verification) => Judge::Texts(verification.at(threshold)),
        };
        Ok(ResolvedCompare { question: Self { threshold: Some(threshold), ..self.clone() }, by })
    }
}

impl ResolvedCompare {
    /// The question with all its defaults.
    #[must_use]
    pub fn question(&self) -> &Compare {
        &self.question
    }

    /// What two texts are to one another. Between steps that may take a second for long texts, `pause` is called; an
    /// error of it ends the comparison.
    ///
    /// # Errors
    /// That of `pause`.
    ///
    /// # Panics
    /// Never: a table that does not fit was refused before.
    pub fn texts<E>(
        &self,
        a: &str,
        b: &str,
        mut pause: impl FnMut() -> Result<(), E>,
    ) -> Result<MeasuredTexts, E> {
        match self.by {
            Judge::Features(verification) => {
                let a = verification.features(a);
                pause()?;
                let b = verification.features(b);
                pause()?;
                Ok(compare_features(&a, &b, verification).into())
            }
            Judge::Texts(texts) => {
                let (measure, at_least) = (texts.measure(), texts.at_least());
                let measured = measure_texts(a, b, measure, at_least, texts.table());
                Ok(measured.expect("its table was checked"))
            }
        }
    }

    /// The row that compares two documents.
    ///
    /// # Errors
    /// [`Error::UnlikeSchemes`] where their fingerprints are of different schemes, and what `pause` returns.
    pub fn run<E: From<Error>>(
        &self,
        a: &ComparedDocument,
        b: &ComparedDocument,
        pause: impl FnMut() -> Result<(), E>,
    ) -> Result<ComparisonRow, E> {
        let print =
            |document: &ComparedDocument| (document.id.clone(), document.fingerprint.clone());
        let mut row = compare(print(a), print(b))?;
        let mut texts = self.texts(&a.text, &b.text, pause)?;
        if texts.grade == Some(TextGrade::Identical) && !are_identical(a, b) {
            texts.grade = Some(TextGrade::SameWords);
            // Measures of whole texts are formulas, which know no menus.
            if let (Judge::Features(by), TextSimilarity::Exact(found)) = (self.by, texts.similarity)
                && by.measure() != Measure::Containment
            {
                texts.similarity = TextSimilarity::Exact(found.min(MOST_OF_UNEQUAL));
            }
        }
        match texts.similarity {
            TextSimilarity::Exact(similarity) => row.text_similarity = Some(similarity),
            TextSimilarity::Below(bound) => row.text_similarity_below = Some(bound),
        }
        row.measure = Some(self.question.measure.name());
        row.texts = texts.grade;
        let same_words = texts.grade == Some(TextGrade::SameWords);
        row.differences = same_words.then(|| texts.differences.to_string());
        row.contradicts = texts.differences.contradictions().text();
        row.verified = texts.verified;
        if let Some(most) = self.question.details {
            let most = usize::try_from(most).unwrap_or(usize::MAX);
            let (shared, differs) = explain(self.question.scheme, &a.text, &b.text, most);
            (row.shared, row.differs) = (Some(shared), Some(differs));
            row.passages = Some(longest_passages(passages(&a.text, &b.text), most));
        }
        Ok(row)
    }
}

/// Whether two documents of equal texts are identical with all that stands around these.
fn are_identical(a: &ComparedDocument, b: &ComparedDocument) -> bool {
    let digest = |document: &ComparedDocument| {
        document.digest.unwrap_or_else(|| layout_digest(&document.text, None))
    };
    a.digest == b.digest || digest(a) == digest(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_of_pages_with_other_menus_are_not_identical() {
        let document = |digest: Option<[u8; 32]>| {
            let text = "Sold out today, and tomorrow.".to_owned();
            let fingerprint =
                nearprint_fingerprint::fingerprint(Scheme::SD1, &text).into_fingerprint().unwrap();
            let id = DocumentId::new("a").unwrap();
            ComparedDocument { id, fingerprint, text, digest }
        };
        let own = layout_digest(&document(None).text, None);
        for (measure, unequal) in
            [("jaccard", 0.9999), ("cosine", 0.9999), ("containment", 1.0), ("edit", 1.0)]
        {
            let question =
                Compare::default().measure(measure.parse::<SimilarityMeasure>().unwrap());
            let question = question.resolve().unwrap();
            for (one, other, grade, similarity) in [
                (None, None, TextGrade::Identical, 1.0),
                (None, Some(own), TextGrade::Identical, 1.0),
                (Some([1; 32]), Some([1; 32]), TextGrade::Identical, 1.0),
                (Some([1; 32]), Some([2; 32]), TextGrade::SameWords, unequal),
                (Some([1; 32]), None, TextGrade::SameWords, unequal),
            ] {
                let row =
                    question.run(&document(one), &document(other), || Ok::<_, Error>(())).unwrap();
                let found = (row.texts, row.text_similarity, row.verified);
                assert_eq!(found, (Some(grade), Some(similarity), Some(true)), "{measure}");
            }
        }
    }
}
