//! The parts of documents that a collection keeps, and that a question needs.

use crate::{MissingPart, Verification};

/// Parts of documents beside their ids and fingerprints: those that a collection keeps, or those that are wanted.
///
/// ```
/// use nearprint::search::Measure;
/// use nearprint::{Parts, Verification};
///
/// let kept = Parts::default().features(Verification::new(Measure::Jaccard)).metadata();
/// assert!(kept.check(&Parts::default().metadata()).is_ok());
/// // Containment compares the same features, cosine others.
/// assert!(kept.check(&Parts::default().features(Verification::new(Measure::Containment))).is_ok());
/// assert!(kept.check(&Parts::default().features(Verification::new(Measure::Cosine))).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parts {
    /// Which features, by [`Verification::features_name`].
    features: Option<String>,
    digests: bool,
    words: bool,
    text: bool,
    metadata: bool,
    capture: bool,
}

impl Parts {
    /// And the features that a verification compares.
    #[must_use]
    pub fn features(self, verification: Verification) -> Self {
        self.features_named(verification.features_name())
    }

    /// And the features of this name, as [`Verification::features_name`] gives it.
    #[must_use]
    pub fn features_named(self, name: impl Into<String>) -> Self {
        Self { features: Some(name.into()), ..self }
    }

    /// And with the features, the digests by which equal texts are known.
    #[must_use]
    pub fn digests(self) -> Self {
        Self { digests: true, ..self }
    }

    /// And the number of words of the texts.
    #[must_use]
    pub fn words(self) -> Self {
        Self { words: true, ..self }
    }

    /// And the texts.
    #[must_use]
    pub fn text(self) -> Self {
        Self { text: true, ..self }
    }

    /// And the metadata.
    #[must_use]
    pub fn metadata(self) -> Self {
        Self { metadata: true, ..self }
    }

    /// And the captures of the Web.
    #[must_use]
    pub fn capture(self) -> Self {
        Self { capture: true, ..self }
    }

    /// The name of the features, if there are any.
    #[must_use]
    pub fn features_name(&self) -> Option<&str> {
        self.features.as_deref()
    }

    /// Whether the number of words is one of them.
    #[must_use]
    pub fn has_words(&self) -> bool {
        self.words
    }

    /// Whether the texts are.
    #[must_use]
    pub fn has_text(&self) -> bool {
        self.text
    }

    /// Whether the metadata are.
    #[must_use]
    pub fn has_metadata(&self) -> bool {
        self.metadata
    }

    /// Whether the captures are.
    #[must_use]
    pub fn has_capture(&self) -> bool {
        self.capture
    }

    /// Refuses parts that are not among these.
    ///
    /// # Errors
    /// [`MissingPart`] with the name of the first one that is not.
    pub fn check(&self, wanted: &Self) -> Result<(), MissingPart> {
        if let Some(wanted) = &wanted.features
            && self.features.as_ref() != Some(wanted)
        {
            let kept = self.features.clone();
            return Err(MissingPart::Features { kept, wanted: wanted.clone() });
        }
        let all = [
            ("digests of the texts", self.digests, wanted.digests),
            ("lengths of the texts", self.words, wanted.words),
            ("texts", self.text, wanted.text),
            ("metadata", self.metadata, wanted.metadata),
            ("captures", self.capture, wanted.capture),
        ];
        match all.into_iter().find(|(_, kept, wanted)| *wanted && !kept) {
            Some((name, ..)) => Err(MissingPart::Other(name)),
            None => Ok(()),
        }
    }
}
