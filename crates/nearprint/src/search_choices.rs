//! Which search the choices of a caller mean: one of texts that are compared, or one of fingerprints alone.
//!
//! Command and bindings take their defaults from here, so that the same question has the same answer everywhere.

use nearprint_fingerprint::Scheme;
use nearprint_search::{Bands, Measure};

use crate::{Candidates, CollectionSettings, Search, TextVerification, Verification};

/// What a caller chose; what is not chosen follows from the rest.
///
/// ```
/// use nearprint::{SearchChoices, fingerprint::Scheme};
///
/// // Over documents, texts are compared, and what proposes them is md1.
/// let choices = SearchChoices::default();
/// assert!(choices.compares_texts());
/// assert_eq!(choices.method().scheme(), Scheme::MD1);
///
/// // Whoever names a scheme or a distance asks for a search of fingerprints.
/// let choices = SearchChoices { distance: Some(6), ..choices };
/// assert_eq!((choices.method().scheme(), choices.method().distance()), (Scheme::SD1, 6));
/// assert!(choices.method().candidates().is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchChoices {
    /// Whether there are texts to compare, as documents have and fingerprints have not. Default yes.
    pub has_texts: bool,
    /// Whether texts are compared; where nobody says, they are unless fingerprints are asked for.
    pub verify: Option<bool>,
    /// The measure of their similarity. Default Jaccard.
    pub measure: Measure,
    /// By what whole texts are measured, instead of by `measure`.
    pub texts: Option<TextVerification>,
    /// The least similarity; the measure's default where nobody says.
    pub at: Option<f64>,
    /// The scheme of the fingerprints; where nobody says, the one that suits the verification, else `sd1`.
    pub scheme: Option<Scheme>,
    /// The distance; where nobody says, the one that suits the verification, else the scheme's default.
    pub distance: Option<u32>,
    /// How sketches are divided.
    pub bands: Option<Bands>,
    /// The share of the pairs of sketches to look for.
    pub recall: Option<f64>,
    /// Whether anything else is asked for that only a search of fingerprints has, such as a plan.
    pub by_fingerprints: bool,
}

impl Default for SearchChoices {
    fn default() -> Self {
        Self {
            has_texts: true,
            verify: None,
            measure: Measure::Jaccard,
            texts: None,
            at: None,
            scheme: None,
            distance: None,
            bands: None,
            recall: None,
            by_fingerprints: false,
        }
    }
}

impl SearchChoices {
    /// Whether texts are compared.
    #[must_use]
    pub fn compares_texts(&self) -> bool {
        let asks_fingerprints =
            self.scheme.is_some() || self.distance.is_some() || self.by_fingerprints;
        self.has_texts && self.verify.unwrap_or(!asks_fingerprints)
    }

    /// What must hold for two texts to be similar.
    #[must_use]
    pub fn verification(&self) -> Verification {
        let verification = Verification::new(self.measure);
        self.at.map_or(verification, |at| verification.at(at))
    }

    /// The verification of whole texts at the similarity that was chosen, if one was.
    fn at_least(&self, texts: TextVerification) -> TextVerification {
        self.at.map_or(texts, |at| texts.at(at))
    }

    /// The scheme of the fingerprints.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme.unwrap_or_else(|| match self.compares_texts() {
            true => match self.texts {
                Some(texts) => Candidates::of_texts(self.at_least(texts)).scheme(),
                None => Candidates::of(self.verification()).scheme(),
            },
            false => Scheme::SD1,
        })
    }

    /// The search that all this means.
    #[must_use]
    pub fn method(&self) -> SearchMethod {
        let (scheme, bands) = (self.scheme(), self.bands);
        if !self.compares_texts() {
            let distance = self.distance.unwrap_or(scheme.default_distance());
            return SearchMethod { scheme, distance, candidates: None, bands };
        }
        let candidates = match self.texts {
            Some(texts) => Candidates::by_texts(scheme, self.at_least(texts)),
            None => Candidates::by(scheme, self.verification()),
        };
        let candidates = candidates.within(self.distance).bands(bands).recall(self.recall);
        let distance = candidates.distance();
        SearchMethod { scheme, distance, candidates: Some(candidates), bands }
    }
}

/// How a search is done. Made by [`SearchChoices::method`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchMethod {
    scheme: Scheme,
    distance: u32,
    candidates: Option<Candidates>,
    bands: Option<Bands>,
}

impl SearchMethod {
    /// The scheme of the fingerprints.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The distance within which fingerprints match.
    #[must_use]
    pub fn distance(&self) -> u32 {
        self.distance
    }

    /// What is verified; `None` where matches of fingerprints are reported as they are.
    #[must_use]
    pub fn candidates(&self) -> Option<Candidates> {
        self.candidates
    }

    /// What must hold for texts to be similar, where they are compared by their features.
    #[must_use]
    pub fn verification(&self) -> Option<Verification> {
        let features = self.candidates.filter(|candidates| candidates.texts().is_none());
        features.map(|candidates| candidates.verification())
    }

    /// The search, with bounds to be set.
    #[must_use]
    pub fn search<'w>(&self) -> Search<'w> {
        match self.candidates {
            Some(candidates) => candidates.search(),
            None => Search::within(self.distance).bands(self.bands),
        }
    }

    /// The search for what matches one document.
    #[must_use]
    pub fn search_of_one<'w>(&self) -> Search<'w> {
        self.candidates.map_or_else(|| self.search(), |candidates| candidates.search_of_one())
    }

    /// What a [`Collection`](crate::Collection) keeps of documents to be searched so.
    #[must_use]
    pub fn collection(&self) -> CollectionSettings {
        self.candidates.map_or_else(|| self.scheme.into(), CollectionSettings::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_decides_whether_texts_are_compared() {
        let all = SearchChoices::default();
        let cases = [
            (all, true, Scheme::MD1),
            (SearchChoices { verify: Some(false), ..all }, false, Scheme::SD1),
            (SearchChoices { scheme: Some(Scheme::SL1), ..all }, false, Scheme::SL1),
            (SearchChoices { by_fingerprints: true, ..all }, false, Scheme::SD1),
            (SearchChoices { has_texts: false, verify: Some(true), ..all }, false, Scheme::SD1),
            (SearchChoices { distance: Some(3), verify: Some(true), ..all }, true, Scheme::MD1),
        ];
        for (choices, compares, scheme) in cases {
            let method = choices.method();
            assert_eq!(method.candidates().is_some(), compares, "{choices:?}");
            assert_eq!(method.scheme(), scheme, "{choices:?}");
            assert_eq!(method.collection().verification.is_some(), compares, "{choices:?}");
        }
    }

    #[test]
    fn the_distance_is_the_one_chosen_or_the_one_that_suits() {
        let all = SearchChoices::default();
        assert_eq!(all.method().distance(), Candidates::of(all.verification()).distance());
        let fingerprints = SearchChoices { verify: Some(false), ..all };
        assert_eq!(fingerprints.method().distance(), Scheme::SD1.default_distance());
        let close = SearchChoices { distance: Some(1), ..all };
        assert_eq!(close.method().distance(), 1);
    }
}
