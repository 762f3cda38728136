//! The stages in a row, streaming: text or bytes in, a fingerprint with what is to be known of it out.

use crate::custom_tokens::OwnTokens;
use crate::features::{AccumulatedPrint, FeatureAccumulator};
use crate::kernel::Kernel;
use crate::kernel::batch_hash::Hashes;
use crate::kernel::runs::Runs;
use crate::lookup3;
use crate::repair::Repair;
use crate::tokeniser::{ReusedTokeniser, Tokeniser, each_token};
use crate::words::TokenSink;
use crate::{Fingerprint, Scheme};

/// Computes the fingerprint of a text that comes in pieces.
///
/// However the text is divided, the result is the same, also where a piece ends within a word, a URL, a combining
/// sequence or (for bytes) a code point.
///
/// Memory: for sd1 bounded, whatever the text is; about 50 KiB, which the thread keeps for its next text, and 0.5 MiB
/// at worst. For sl1 and wd1 up to 90 bytes more for each distinct token; for md1 16 for each distinct shingle, but
/// only of texts with less than some hundred. Time: linear in the text.
///
/// ```
/// use nearprint_fingerprint::{Fingerprinter, Scheme, fingerprint};
///
/// let mut fingerprinter = Fingerprinter::new(Scheme::SD1);
/// fingerprinter.update("Many hands make li");
/// fingerprinter.update("ght work.");
/// let whole = fingerprint(Scheme::SD1, "Many hands make light work.");
/// let pieces = fingerprinter.finish();
/// assert_eq!(pieces.fingerprint(), whole.fingerprint());
/// assert_eq!(pieces.tokens(), 5);
/// assert!(pieces.is_short());
/// ```
pub struct Fingerprinter {
    scheme: Scheme,
    repair: Repair,
    tokeniser: ReusedTokeniser,
    features: Features,
}

/// What tokens become on their way to fingerprints, for one scheme or more.
pub(crate) struct Features {
    all: Vec<(Scheme, FeatureAccumulator)>,
}

impl Features {
    pub(crate) fn of(schemes: &[Scheme]) -> Self {
        Self {
            all: schemes.iter().map(|&scheme| (scheme, FeatureAccumulator::new(scheme))).collect(),
        }
    }

    /// Takes the next part of a text.
    fn push(&mut self, tokeniser: &mut Tokeniser, text: &str) {
        self.push_text(text);
        if self.all.iter().any(|(_, gathered)| gathered.takes_tokens()) {
            tokeniser.push(text, self);
        }
    }

    /// Takes the next part of a text as it is, before all stages but repair.
    pub(crate) fn push_text(&mut self, text: &str) {
        self.all.iter_mut().for_each(|(_, gathered)| gathered.push_text(text));
    }

    /// Takes the tokens of `runs`, whose hashes are known.
    #[inline(always)]
    pub(crate) fn push_hashed(&mut self, hashes: &[u64], text: &[u8], runs: &Runs) {
        let text = runs.text(text);
        for (_, gathered) in &mut self.all {
            gathered.push(hashes, runs.tokens().map(|token| &text[token]));
        }
    }

    pub(crate) fn finish(self) -> impl Iterator<Item = FingerprintOutcome> {
        self.all
            .into_iter()
            .map(|(scheme, gathered)| FingerprintOutcome::new(scheme, gathered.finish(scheme)))
    }
}

impl TokenSink for Features {
    #[inline(always)]
    fn tokens(&mut self, kernel: impl Kernel, text: &[u8], runs: &Runs, hashes: &mut Hashes) {
        self.push_hashed(kernel.hash(text, runs, hashes), text, runs);
    }

    fn token(&mut self, token: &[u8]) {
        for (_, gathered) in &mut self.all {
            gathered.push(&[lookup3::hash(token)], std::iter::once(token));
        }
    }
}

impl Fingerprinter {
    /// Begins a text.
    #[must_use]
    pub fn new(scheme: Scheme) -> Self {
        Self {
            scheme,
            repair: Repair::default(),
            tokeniser: ReusedTokeniser::default(),
            features: Features::of(&[scheme]),
        }
    }

    /// Continues the text.
    // Not inlined, as `update_bytes` and `finish`: the inner loops would be optimised as the caller is, which may be
    // for size.
    #[inline(never)]
    pub fn update(&mut self, text: &str) {
        self.repair.finish(|replaced| self.features.push(&mut self.tokeniser, replaced));
        self.features.push(&mut self.tokeniser, text);
    }

    /// Continues the text with UTF-8. Bytes that are not valid become U+FFFD, one for each maximal subpart of an
    /// ill-formed sequence; a code point may be divided between calls.
    #[inline(never)]
    pub fn update_bytes(&mut self, utf8: &[u8]) {
        self.repair.push(utf8, |text| self.features.push(&mut self.tokeniser, text));
    }

    /// Ends the text.
    #[must_use]
    #[inline(never)]
    #[expect(clippy::missing_panics_doc, reason = "there is one scheme")]
    pub fn finish(mut self) -> FingerprintOutcome {
        self.repair.finish(|replaced| self.features.push(&mut self.tokeniser, replaced));
        self.tokeniser.finish(&mut self.features);
        self.features.finish().next().expect("it was made with one scheme")
    }
}

impl std::fmt::Debug for Fingerprinter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fingerprinter")
            .field("scheme", &self.scheme)
            .field("tokens", &self.features.all.first().map(|(_, gathered)| gathered.tokens()))
            .finish_non_exhaustive()
    }
}

/// Computes the fingerprint of a text that is there as a whole.
///
/// ```
/// use nearprint_fingerprint::{Scheme, fingerprint};
///
/// let result = fingerprint(Scheme::SD1, "2024, 42 and 7");
/// assert_eq!(result.tokens(), 1); // numbers are not tokens
/// assert!(fingerprint(Scheme::SD1, "2024").fingerprint().is_none());
/// ```
#[must_use]
pub fn fingerprint(scheme: Scheme, text: &str) -> FingerprintOutcome {
    let mut fingerprinter = Fingerprinter::new(scheme);
    fingerprinter.update(text);
    fingerprinter.finish()
}

/// Computes the fingerprints of a text by several schemes in one pass over its tokens, in the order of `schemes`.
///
/// ```
/// use nearprint_fingerprint::{Scheme, fingerprint, fingerprint_by};
///
/// let text = "Fog came in at noon.";
/// let both = fingerprint_by(&[Scheme::MD1, Scheme::SD1], text);
/// assert_eq!(both[1], fingerprint(Scheme::SD1, text));
/// ```
#[must_use]
#[inline(never)]
pub fn fingerprint_by(schemes: &[Scheme], text: &str) -> Vec<FingerprintOutcome> {
    let mut features = Features::of(schemes);
    let mut tokeniser = ReusedTokeniser::default();
    features.push(&mut tokeniser, text);
    tokeniser.finish(&mut features);
    features.finish().collect()
}

/// Calls `each` with every token occurrence of a text, in order: what the scheme counts, for verification and for
/// explanations.
///
/// ```
/// use nearprint_fingerprint::{Scheme, tokens};
///
/// let mut found = Vec::new();
/// tokens(Scheme::SD1, "第2章 Straße", |token| found.push(token.to_owned()));
/// assert_eq!(found, ["第", "章", "strasse"]);
/// ```
pub fn tokens(scheme: Scheme, text: &str, mut each: impl FnMut(&str)) {
    each_counted(scheme, text, &mut each);
}

/// The same, compiled once: with the stages before it, it is long.
fn each_counted(scheme: Scheme, text: &str, each: &mut dyn FnMut(&str)) {
    let custom = scheme.as_custom();
    if scheme == Scheme::SEOMOZ_LEGACY {
        let runs = text.split(|c: char| !c.is_ascii_alphabetic());
        return runs.filter(|run| !run.is_empty()).for_each(each);
    }
    let mut sink = |token: &[u8]| {
        let taken = match &custom {
            Some(custom) => custom.taken(token, scheme.declaration().stop_words),
            None => Some(token.into()),
        };
        // Tokens are cut from text at code points, so they are text.
        if let Some(Ok(token)) = taken.as_deref().map(std::str::from_utf8) {
            each(token);
        }
    };
    if let Some(mut own) = custom.and_then(|custom| OwnTokens::of(custom.token_rule())) {
        own.push(text, &mut sink);
        return own.finish(&mut sink);
    }
    each_token(text, &mut sink);
}

/// Outcome of fingerprinting a text: the fingerprint, or its absence, with what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FingerprintOutcome {
    scheme: Scheme,
    fingerprint: Option<Fingerprint>,
    tokens: u64,
    counters: Option<[i64; 64]>,
}

impl FingerprintOutcome {
    fn new(scheme: Scheme, printed: AccumulatedPrint) -> Self {
        let AccumulatedPrint { fingerprint, tokens, counters } = printed;
        Self { scheme, fingerprint, tokens, counters }
    }

    /// The scheme it was computed by.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The fingerprint; `None` if the text has no token. That is an outcome of its own and matches nothing, not
    /// even another text without tokens.
    #[must_use]
    pub fn fingerprint(&self) -> Option<&Fingerprint> {
        self.fingerprint.as_ref()
    }

    /// The fingerprint itself, see [`fingerprint`](Self::fingerprint).
    #[must_use]
    pub fn into_fingerprint(self) -> Option<Fingerprint> {
        self.fingerprint
    }

    /// The number of token occurrences.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Whether there is a fingerprint of fewer tokens than [`Scheme::short_below`]: few tokens decide its bits, and
    /// unrelated short texts come near one another more often.
    #[must_use]
    pub fn is_short(&self) -> bool {
        (1..self.scheme.short_below()).contains(&self.tokens)
    }

    /// The counters behind a simhash's bits, from -(sum of weights) to +(sum of weights); index 0 is the least
    /// significant bit. A bit is 1 where its counter is greater than 0, and the nearer to 0 the less certain it is.
    /// Empty for sketches, which have none, and for custom schemes.
    #[must_use]
    pub fn counters(&self) -> &[i64] {
        self.counters.as_ref().map_or(&[], |counters| counters)
    }
}
