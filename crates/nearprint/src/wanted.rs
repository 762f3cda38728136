//! What is wanted of each text beside its fingerprint, and what was made of it: all in one pass.

use nearprint_fingerprint::{Fingerprinted, Scheme, fingerprint_by};

use crate::one_pass::fingerprints_and_features;
use crate::{PackedFeatures, Verification};

/// What a [`Pipeline`](crate::Pipeline) makes of each text that has a fingerprint, beside that. However much is wanted,
/// a text is read, extracted and divided into tokens once.
///
/// ```
/// use nearprint::fingerprint::Scheme;
/// use nearprint::search::Measure;
/// use nearprint::{Verification, Wanted};
///
/// let wanted = Wanted {
///     schemes: vec![Scheme::MD1],
///     features: Some(Verification::new(Measure::Jaccard)),
///     ..Wanted::default()
/// };
/// assert!(!wanted.text);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wanted {
    /// Its fingerprints by these schemes, too.
    pub schemes: Vec<Scheme>,
    /// What this verification compares.
    pub features: Option<Verification>,
    /// The text itself.
    pub text: bool,
}

/// What was made of a text as [`Wanted`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Made {
    /// Its fingerprints by [`Wanted::schemes`], in their order.
    pub prints: Vec<Fingerprinted>,
    /// What is compared of it.
    pub features: Option<PackedFeatures>,
    /// The text itself.
    pub text: Option<String>,
}

/// What a verification compares.
impl From<Verification> for Wanted {
    fn from(verification: Verification) -> Self {
        Self { features: Some(verification), ..Self::default() }
    }
}

impl Wanted {
    /// The fingerprints of a text by these schemes, and what is wanted of it where it has one by the first.
    pub(crate) fn of(
        &self,
        schemes: &[Scheme],
        text: String,
    ) -> (Vec<Fingerprinted>, Option<Made>) {
        let all;
        let by = if self.schemes.is_empty() {
            schemes
        } else {
            all = [schemes, &self.schemes].concat();
            &all
        };
        let (mut prints, features) = match self.features {
            Some(verification) => {
                let (prints, features) =
                    fingerprints_and_features(by, &text, verification.measure());
                (prints, Some(features))
            }
            None => (fingerprint_by(by, &text), None),
        };
        let others = prints.split_off(schemes.len());
        let has_print = prints.first().is_some_and(|print| print.fingerprint().is_some());
        let made = || Made { prints: others, features, text: self.text.then_some(text) };
        (prints, has_print.then(made))
    }
}
