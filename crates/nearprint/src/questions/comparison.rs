//! How near-duplicates are recognised: the options that pairs, clusters and matches share, and the search that they
//! mean.

use std::path::Path;

use nearprint_fingerprint::{Family, Scheme};
use nearprint_search::Bands;

use super::{Distance, QuestionError, SearchMethod, SimilarityMeasure};
use crate::{Candidates, Documents, TextMeasure, TextVerification, Verification, read_idf_table};

/// Declares a question about near-duplicates: the options that all of them have, then its own.
macro_rules! comparison_options {
    (
        $(#[$meta:meta])*
        pub struct $name:ident as $question:literal {
            $($own:tt)*
        }
    ) => {
        $crate::questions::options::options! {
            $(#[$meta])*
            pub struct $name as $question {
                /// Measure of the similarity of texts: jaccard (shared word 3-shingles and numbers), containment (the
                /// same, by the shorter document: finds parts of longer ones) or cosine (of words and numbers)
                /// [default: jaccard]
                measure: Option<SimilarityMeasure> = None,
                /// Compare the texts of candidates and report only similar ones; if not, every match of fingerprints is
                /// reported [default: yes, unless only an option of fingerprints is given: scheme, k, similarity]
                verify: Option<bool> = None,
                /// Minimum similarity of the texts, 0 to 1 [default: 0.3 for jaccard, 0.8 for other measures]
                threshold: Option<f64> = None,
                /// Report only pairs whose texts share more than a phrase of 8 words [default: yes, except for jaccard
                /// from 0.5 on]
                evidence: Option<bool> = None,
                /// Scheme of the fingerprints: an id such as sd1 or md1, a declaration
                /// custom:FEATURES,WEIGHT,HASH,BITS, or a file that contains one [default: md1 if texts are compared,
                /// else sd1]
                scheme: Option<Scheme> = None,
                /// Maximum Hamming distance of two fingerprints: the number of bits (of a sketch, positions) that may
                /// differ, or close or loose (within 1 or 6 bits for sd1) [default: that of the scheme, 3 for sd1]
                k: Option<Distance> = None,
                /// Minimum similarity of two fingerprints, 0 to 1: another form of k (1 - k / width)
                similarity: Option<f64> = None,
                /// Bands and rows into which sketches (md1, wd1) are divided to find candidates, such as 42x3 [default:
                /// chosen from measure and threshold]
                bands: Option<Bands> = None,
                /// Minimum share of the pairs of sketches to find, 0 to 1, by the cheapest bands: of pairs at the
                /// threshold if texts are compared, else of pairs just within the distance
                recall: Option<f64> = None,
                /// Compare all documents whose sketches share a value of a band, however many. By default, a value that
                /// needs more than 50 million comparisons has only its first documents compared with all others
                whole_buckets: bool = false,
                $($own)*
            }
        }

        impl $name {
            /// The options that questions about near-duplicates share.
            fn comparison(&self) -> Comparison {
                Comparison {
                    measure: self.measure,
                    verify: self.verify,
                    threshold: self.threshold,
                    evidence: self.evidence,
                    scheme: self.scheme,
                    k: self.k,
                    similarity: self.similarity,
                    bands: self.bands,
                    recall: self.recall,
                    whole_buckets: self.whole_buckets,
                }
            }

            /// The same question with these of them.
            fn with(&self, comparison: Comparison) -> Self {
                Self {
                    measure: comparison.measure,
                    verify: comparison.verify,
                    threshold: comparison.threshold,
                    evidence: comparison.evidence,
                    scheme: comparison.scheme,
                    k: comparison.k,
                    similarity: comparison.similarity,
                    bands: comparison.bands,
                    recall: comparison.recall,
                    whole_buckets: comparison.whole_buckets,
                    ..self.clone()
                }
            }
        }
    };
}

pub(crate) use comparison_options;

/// The options that questions about near-duplicates share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Comparison {
    pub(super) measure: Option<SimilarityMeasure>,
    pub(super) verify: Option<bool>,
    pub(super) threshold: Option<f64>,
    pub(super) evidence: Option<bool>,
    pub(super) scheme: Option<Scheme>,
    pub(super) k: Option<Distance>,
    pub(super) similarity: Option<f64>,
    pub(super) bands: Option<Bands>,
    pub(super) recall: Option<f64>,
    pub(super) whole_buckets: bool,
}

/// Why texts cannot be compared.
pub(crate) const NO_TEXTS: &str = "this compares texts, and there are only fingerprints: name the documents, or an index that keeps features";

/// What else of a question bears on the search that it means.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Circumstances<'a> {
    /// An option of fingerprints alone, where it is set.
    pub(super) of_fingerprints: Option<&'static str>,
    /// An option of verified pairs alone, where it is set.
    pub(super) of_texts: Option<&'static str>,
    /// Whether whole texts can be measured.
    pub(super) whole_texts: bool,
    /// The table of document frequencies for that.
    pub(super) idf: Option<&'a str>,
    /// Whether all are compared with all, within a distance that joins serve.
    pub(super) joins: bool,
}

/// What a question is put to, as far as its defaults follow from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Subject {
    /// Documents, of which everything can be made.
    Documents,
    /// Fingerprints alone, of this scheme.
    Fingerprints(Scheme),
    /// Fingerprints of this scheme, and stored features of the texts.
    Features(Scheme),
}

impl Subject {
    /// What documents are to a question that is put to them.
    #[must_use]
    pub fn of(documents: &dyn Documents) -> Self {
        let scheme = documents.scheme();
        match documents.parts().features_name() {
            Some(_) => Self::Features(scheme),
            None => Self::Fingerprints(scheme),
        }
    }

    /// The scheme of the fingerprints, where they are there already.
    #[must_use]
    pub fn scheme(self) -> Option<Scheme> {
        match self {
            Self::Documents => None,
            Self::Fingerprints(scheme) | Self::Features(scheme) => Some(scheme),
        }
    }

    /// Whether texts can be compared.
    #[must_use]
    pub fn has_texts(self) -> bool {
        !matches!(self, Self::Fingerprints(_))
    }
}

impl Comparison {
    /// The same with every default that follows from another option, and the search that all mean together.
    pub(super) fn resolve(
        self,
        subject: Subject,
        circumstances: Circumstances<'_>,
    ) -> Result<(Self, SearchMethod), QuestionError> {
        let verify = self.compares_texts(subject, &circumstances)?;
        let texts = self.whole_texts(verify, &circumstances)?;
        let verification = verify.then(|| match self.measure {
            Some(SimilarityMeasure::Features(measure)) => Verification::new(measure),
            _ => Verification::default(),
        });
        let verification = verification
            .map(|verification| self.threshold.map_or(verification, |at| verification.at(at)))
            .map(|verification| self.evidence.map_or(verification, |on| verification.evidence(on)));
        if texts.is_some() && self.evidence.is_some() {
            let detail = "measures of whole texts take every similarity as it is";
            return Err(QuestionError::new("evidence", detail));
        }
        let texts = texts.map(|texts| self.threshold.map_or(texts, |at| texts.at(at)));
        let scheme = self.scheme_for(subject, verification, texts)?;
        let is_sketch = scheme.family() == Family::Sketch;
        for (option, is_set) in [("bands", self.bands.is_some()), ("recall", self.recall.is_some())]
        {
            if is_set && !is_sketch {
                let detail = format!(
                    "sketches (md1, wd1) have bands; {scheme} fingerprints are searched exactly"
                );
                return Err(QuestionError::new(option, detail));
            }
        }
        if self.bands.is_some() && self.recall.is_some() {
            let detail = "bands decide which share is found; use one of them";
            return Err(QuestionError::new("recall", detail));
        }
        let given = self.distance(scheme, circumstances.joins)?;
        let candidates = verification.map(|verification| {
            let candidates = match texts {
                Some(texts) => Candidates::by_texts(scheme, texts),
                None => Candidates::by(scheme, verification),
            };
            // A distance that is the candidates' own is not another one: what is known of them still holds.
            let other = given.filter(|&given| given != candidates.distance());
            candidates.within(other).bands(self.bands).recall(self.recall)
        });
        let distance = match candidates {
            Some(candidates) => candidates.distance(),
            None => given.unwrap_or(scheme.default_distance()),
        };
        let Self { bands, recall, whole_buckets, .. } = self;
        let method = SearchMethod { scheme, distance, candidates, bands, recall, whole_buckets };
        let resolved = Self {
            measure: verify.then(|| self.measure.unwrap_or_default()),
            verify: Some(verify),
            threshold: match (texts, verification) {
                (Some(texts), _) => Some(texts.at_least()),
                (None, verification) => verification.map(|verification| verification.at_least()),
            },
            evidence: match texts {
                Some(_) => None,
                None => verification.map(|verification| verification.demands_evidence()),
            },
            scheme: Some(scheme),
            k: Some(Distance::Within(distance)),
            similarity: None,
            bands: candidates.map_or(bands, |candidates| candidates.used_bands()),
            recall,
            whole_buckets,
        };
        Ok((resolved, method))
    }

    /// Whether texts are compared; refuses options about texts where they are not.
    fn compares_texts(
        &self,
        subject: Subject,
        circumstances: &Circumstances<'_>,
    ) -> Result<bool, QuestionError> {
        let of_texts = [
            self.measure.map(|_| "measure"),
            self.threshold.map(|_| "threshold"),
            self.evidence.map(|_| "evidence"),
            circumstances.of_texts,
        ];
        let of_texts = of_texts.into_iter().flatten().next();
        // The scheme of an index or of fingerprints is not the caller's wish.
        let names_scheme = self.scheme.is_some() && subject.scheme().is_none();
        let of_fingerprints = names_scheme
            || self.k.is_some()
            || self.similarity.is_some()
            || circumstances.of_fingerprints.is_some();
        let wished = self.verify.unwrap_or(of_texts.is_some() || !of_fingerprints);
        if !subject.has_texts() {
            let asked = of_texts.or(self.verify.filter(|&verify| verify).map(|_| "verify"));
            return match asked {
                Some(option) => Err(QuestionError::new(option, NO_TEXTS)),
                None => Ok(false),
            };
        }
        match (wished, of_texts, circumstances.of_fingerprints) {
            (false, Some(option), _) => {
                let detail = "this applies to the similarity of texts, which are not compared";
                Err(QuestionError::new(option, detail).needs("verify"))
            }
            (true, _, Some(option)) => {
                let detail =
                    "this applies to fingerprints; where texts are compared, all pairs are";
                Err(QuestionError::new(option, detail))
            }
            (wished, ..) => Ok(wished),
        }
    }

    /// The measure of whole texts, if one is named, with its table.
    fn whole_texts(
        &self,
        verify: bool,
        circumstances: &Circumstances<'_>,
    ) -> Result<Option<TextVerification>, QuestionError> {
        let measure = match self.measure.filter(|_| verify) {
            Some(SimilarityMeasure::Texts(measure)) if circumstances.whole_texts => measure,
            Some(SimilarityMeasure::Texts(measure)) => {
                let detail = format!(
                    "{} measures whole texts, as pairs of documents and compare do; use jaccard, containment or cosine",
                    measure.name()
                );
                return Err(QuestionError::new("measure", detail));
            }
            _ => return refuse_table(circumstances.idf).map(|()| None),
        };
        text_verification(measure, circumstances.idf).map(Some)
    }

    /// The scheme that is named, or that suits.
    fn scheme_for(
        &self,
        subject: Subject,
        verification: Option<Verification>,
        texts: Option<TextVerification>,
    ) -> Result<Scheme, QuestionError> {
        match (self.scheme, subject.scheme()) {
            (Some(named), Some(there)) if named != there => {
                let detail = format!("the fingerprints are of {there}, not of {named}");
                Err(QuestionError::new("scheme", detail))
            }
            (Some(scheme), _) | (None, Some(scheme)) => Ok(scheme),
            (None, None) => Ok(match (texts, verification) {
                (Some(texts), _) => Candidates::of_texts(texts).scheme(),
                (None, Some(verification)) => Candidates::of(verification).scheme(),
                (None, None) => Scheme::SD1,
            }),
        }
    }

    /// The distance that is named, in either form.
    fn distance(&self, scheme: Scheme, joins: bool) -> Result<Option<u32>, QuestionError> {
        if self.k.is_some() && self.similarity.is_some() {
            let detail = "this is another form of k; use one of them";
            return Err(QuestionError::new("similarity", detail));
        }
        let by_similarity = self.similarity.map(|similarity| scheme.distance_at(similarity));
        let distance = self.k.map(|k| k.positions(scheme)).or(by_similarity);
        match (distance, scheme.family()) {
            (Some(distance), Family::Sketch) if distance <= scheme.positions() => {
                Ok(Some(distance))
            }
            (Some(distance), Family::Sketch) => Err(beyond(scheme, distance)),
            (Some(distance), _) if joins && distance >= scheme.positions() => {
                let most = scheme.positions() - 1;
                let detail =
                    format!("pairs are searched within {most} bits at most, not {distance}");
                Err(QuestionError::new("k", detail))
            }
            (Some(distance), _) if distance > scheme.positions() => Err(beyond(scheme, distance)),
            (distance, _) => Ok(distance),
        }
    }
}

/// A distance that no two fingerprints of the scheme have.
fn beyond(scheme: Scheme, distance: u32) -> QuestionError {
    let most = scheme.positions();
    QuestionError::new(
        "k",
        format!("{scheme} fingerprints differ in at most {most} positions, not {distance}"),
    )
}

/// A measure of whole texts with its table, from its default threshold on.
pub(super) fn text_verification(
    measure: TextMeasure,
    idf: Option<&str>,
) -> Result<TextVerification, QuestionError> {
    if !measure.needs_table() {
        refuse_table(idf)?;
    }
    let table = idf.map(|file| read_idf_table(Path::new(file))).transpose();
    let table = table.map_err(|error| QuestionError::new("idf", error.to_string()))?;
    let verification = TextVerification::new(measure).by_table(table);
    verification.map_err(|error| QuestionError::new("measure", error.to_string()))
}

/// Refuses a table that nothing needs.
pub(super) fn refuse_table(idf: Option<&str>) -> Result<(), QuestionError> {
    match idf {
        Some(_) => Err(QuestionError::new("idf", "this is only for the measure cosine-tfidf")),
        None => Ok(()),
    }
}
