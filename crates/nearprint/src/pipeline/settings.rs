//! What is made of documents: the choices every operation shares.

#[cfg(feature = "files")]
use nearprint_extract::extractors;
use nearprint_extract::{Hints, Limits};
use nearprint_fingerprint::Scheme;
#[cfg(feature = "files")]
use nearprint_records::JobIdentity;

#[cfg(feature = "files")]
use crate::pipeline::TEXT_VERSION;
#[cfg(feature = "files")]
use crate::text::packed_features::FEATURES_VERSION;

/// What a [`Pipeline`](crate::Pipeline) does to its documents. All of it decides results; what they may cost is in
/// [`EngineSettings`](crate::EngineSettings). None of these limits is a clock. (What a worker may use is one, and
/// the last resort: a document that reaches it has an error that may be gone another time, never a shorter text.)
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// By which rules fingerprints are made. Default `sd1`.
    pub scheme: Scheme,
    /// What the caller knows of all documents; overrules what comes with a single one. Default nothing.
    pub hints: Hints,
    /// What one document may cost. Default [`Limits::default`].
    pub limits: Limits,
    /// Whether SHA-256 digests of each document and of its text are noted too. Default no.
    pub digests: bool,
}

impl Settings {
    /// Sets by which rules fingerprints are made.
    #[must_use]
    pub fn scheme(mut self, scheme: Scheme) -> Self {
        self.scheme = scheme;
        self
    }

    /// Sets what is known of all documents.
    #[must_use]
    pub fn hints(mut self, hints: Hints) -> Self {
        self.hints = hints;
        self
    }

    /// Sets what one document may cost.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets whether digests are noted.
    #[must_use]
    pub fn digests(mut self, digests: bool) -> Self {
        self.digests = digests;
        self
    }

    /// The same for texts that are read by somebody and not compared: with the menus of pages that have almost no words
    /// of their own.
    #[must_use]
    pub fn with_furniture(mut self) -> Self {
        self.hints.furniture = true;
        self
    }

    /// Adds to the identity of a job all that decides its records: scheme, hints, limits, and the versions of the
    /// extractors and of what verification compares. A password is not written down, only that there is one.
    #[cfg(feature = "files")]
    #[must_use]
    pub fn identify(&self, identity: JobIdentity) -> JobIdentity {
        // Named one by one, so that a new setting does not compile before it has a place here.
        let Self { scheme, hints, limits, digests } = self;
        let Hints {
            charset,
            explicit_charset,
            media_type,
            // Of each document, by its file.
            named_type: _,
            password,
            main_content,
            furniture,
        } = hints;
        let given = |value: &Option<String>| value.clone().unwrap_or_default();
        let extractors: Vec<_> = extractors()
            .chain([("text", TEXT_VERSION)])
            .map(|(name, version)| format!("{name}/{version}"))
            .collect();
        let limits: Vec<_> =
            limits.named().map(|(name, value)| format!("{name}={value}")).collect();
        identity
            .with("scheme", scheme)
            .with("digests", digests)
            .with("features", FEATURES_VERSION)
            .with("extractors", extractors.join(" "))
            .with("declared-charset", given(charset))
            .with("charset", given(explicit_charset))
            .with("media-type", given(media_type))
            .with("password", if password.is_some() { "given" } else { "" })
            .with("main-content", main_content)
            .with("furniture", furniture)
            .with("limits", limits.join(" "))
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            scheme: Scheme::SD1,
            hints: Hints::default(),
            limits: Limits::default(),
            digests: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_changes_the_identity_of_a_job() {
        let named =
            |settings: &Settings| format!("{:?}", settings.identify(JobIdentity::new("job")));
        let plain = Settings::default();
        let hints = |hints| Settings { hints, ..Settings::default() };
        let (limits, none) = (plain.limits.clone(), Hints::default());
        let text = |text: &str| Some(text.to_owned());
        let others = [
            Settings { scheme: Scheme::MD1, ..plain.clone() },
            Settings { digests: true, ..plain.clone() },
            Settings { limits: Limits { max_pages: 7, ..limits }, ..plain.clone() },
            hints(Hints { charset: text("utf-8"), ..none.clone() }),
            hints(Hints { explicit_charset: text("utf-8"), ..none.clone() }),
            hints(Hints { media_type: text("text/html"), ..none.clone() }),
            hints(Hints { password: text("fog"), ..none.clone() }),
            hints(Hints { main_content: true, ..none.clone() }),
            hints(Hints { furniture: true, ..none }),
        ];
        let mut all: Vec<String> = others.iter().map(named).collect();
        all.push(named(&plain));
        assert!(all.iter().all(|name| name.contains("text/1") && !name.contains("fog")));
        all.sort();
        all.dedup();
        assert_eq!(all.len(), others.len() + 1);
    }
}
