//! What to make of each text in addition to its fingerprint, and what was made: all in one pass.

use std::ops::Range;

use nearprint_fingerprint::{FingerprintOutcome, Scheme, fingerprint_by};

use crate::text::one_pass::fingerprints_and_features;
use crate::{CopyRegister, PackedFeatures, Verification};

/// What a [`Pipeline`](crate::Pipeline) makes of each text that has a fingerprint, in addition to the fingerprint.
/// However much is wanted, each text is read, extracted and divided into tokens once.
///
/// ```
/// use nearprint::fingerprint::Scheme;
/// use nearprint::search::Measure;
/// use nearprint::{Verification, TextRequest};
///
/// let wanted = TextRequest {
///     schemes: vec![Scheme::MD1],
///     features: Some(Verification::new(Measure::Jaccard)),
///     ..TextRequest::default()
/// };
/// assert!(!wanted.text);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextRequest {
    /// Fingerprints by these schemes, too.
    pub schemes: Vec<Scheme>,
    /// The features that this verification compares.
    pub features: Option<Verification>,
    /// The text itself.
    pub text: bool,
    /// All of this also of a text that has no fingerprint, such as one of numbers alone.
    pub without_print: bool,
    /// Where the main content of an HTML page lies in its text. Such pages are extracted twice for it.
    pub main_content: bool,
    /// The title and the language of an HTML page.
    pub head: bool,
    /// SHA-256 of the bytes of each document, also of one without a text: comes in
    /// [`Arrival::digest`](crate::Arrival::digest).
    pub digest: bool,
    /// Documents that are not extracted again: one with the bytes of an earlier one that was extracted by the same
    /// hints comes as [`ReasonCode::SAME_BYTES`](nearprint_records::ReasonCode::SAME_BYTES), without a fingerprint.
    /// Rows that are text need no extraction and always come whole.
    pub copies: Option<CopyRegister>,
}

/// What was made of a text as [`TextRequest`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextParts {
    /// Its fingerprints by [`TextRequest::schemes`], in their order.
    pub prints: Vec<FingerprintOutcome>,
    /// The features that verification compares.
    pub features: Option<PackedFeatures>,
    /// The text itself.
    pub text: Option<String>,
    /// Bytes of the text that are the main content of a page, in order: the article, and before it the heading of the
    /// page if it stands elsewhere. `None` if that is the whole text, or the document is no HTML.
    pub main_content: Option<Vec<Range<usize>>>,
    /// The title of an HTML page, in at most 600 bytes, if it has one.
    pub title: Option<String>,
    /// The language that an HTML page states, such as `pt-BR`, in at most 35 bytes.
    pub language: Option<String>,
}

/// The features that a verification compares.
impl From<Verification> for TextRequest {
    fn from(verification: Verification) -> Self {
        Self { features: Some(verification), ..Self::default() }
    }
}

impl TextRequest {
    /// The fingerprints of a text by these schemes, and what is wanted of it where it has one by the first. `page` is
    /// the digest of all text of a page that has almost no words of its own, `bytes` that of the text if it is known.
    pub(crate) fn of(
        &self,
        schemes: &[Scheme],
        text: String,
        page: Option<[u8; 32]>,
        bytes: Option<[u8; 32]>,
    ) -> (Vec<FingerprintOutcome>, Option<TextParts>) {
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
                    fingerprints_and_features(by, &text, verification.measure(), bytes);
                (prints, Some(features.of_page(page)))
            }
            None => (fingerprint_by(by, &text), None),
        };
        let others = prints.split_off(schemes.len());
        let has_print = prints.first().is_some_and(|print| print.fingerprint().is_some());
        let text = self.text.then_some(text);
        let made = || TextParts { prints: others, features, text, ..TextParts::default() };
        (prints, (has_print || self.without_print).then(made))
    }
}
