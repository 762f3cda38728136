//! What holds of two files before any of their fingerprints are compared. [15.10]

use nearprint_fingerprint::Scheme;

use super::{InterchangeHeader, header};

/// Whether two files can be compared, and how well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InterchangeRelation {
    /// The two schemes, if they are different: then nothing can be compared.
    pub unlike: Option<(Scheme, Scheme)>,
    /// Whether both state the same extraction profile.
    pub same_profile: bool,
    /// Whether both state the same extractors.
    pub same_extractors: bool,
    /// Whether fingerprints of one document can be farther apart than the default distance, because the files do not
    /// say that their texts are alike, and the scheme is sensitive to that.
    pub is_far: bool,
}

impl InterchangeRelation {
    /// How two files can be compared, by their headers.
    ///
    /// # Errors
    /// If a header names no scheme that is known.
    pub fn of(
        one: &InterchangeHeader,
        other: &InterchangeHeader,
    ) -> Result<Self, super::InterchangeReason> {
        let schemes = (one.scheme_of_rows()?, other.scheme_of_rows()?);
        let profile = |header: &InterchangeHeader| {
            header.value(InterchangeHeader::EXTRACTION_PROFILE).map(str::to_owned)
        };
        let same_profile = profile(one).is_some() && profile(one) == profile(other);
        let extractors = (header::sorted_extractors(one), header::sorted_extractors(other));
        let same_extractors = !extractors.0.is_empty() && extractors.0 == extractors.1;
        let is_robust = [Scheme::MD1, Scheme::WD1].contains(&schemes.0);
        Ok(Self {
            unlike: (schemes.0 != schemes.1).then_some(schemes),
            same_profile,
            same_extractors,
            is_far: !same_profile && !same_extractors && !is_robust,
        })
    }
}
