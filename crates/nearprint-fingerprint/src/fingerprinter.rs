//! The stages in a row, streaming: text or octets in, a fingerprint with what is to be known of it out.

use crate::classed_text::ClassedText;
use crate::cuts::Cutter;
use crate::features::{Gathered, Printed};
use crate::hashing::Hashes;
use crate::kernel::{Kernel, Level};
use crate::lookup3;
use crate::normalise::Normaliser;
use crate::repair::Repair;
use crate::runs::Runs;
use crate::words::{TokenSink, Words};
use crate::{Fingerprint, Scheme};

/// Octets of input that pass all stages together: their normalised form stays in the fastest caches.
const PIECE: usize = 8 * 1024;

/// Parts of a text that are smaller are joined before they pass the stages: callers may write a code point at a time,
/// and octets that are no text become thousands of single U+FFFD.
const SMALL: usize = 1024;

/// Letters U+03B9 that one run of U+0345 can leave: more than the longest word has, so all of them give no token.
const MOST_YPOGEGRAMMENI: u64 = 1024;

/// Computes the fingerprint of a text that comes in pieces.
///
/// However the text is divided, the result is the same, also where a piece ends within a word, a URL, a combining
/// sequence or (for octets) a code point.
///
/// Memory: for sd1 bounded, whatever the text is; about 50 KiB, and 0.5 MiB at worst. For sl1 and wd1 up to 90 octets more for each distinct
/// token; for md1 16 for each distinct shingle, but only of texts with less than some hundred. Time: linear in the text.
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
    tokeniser: Tokeniser,
    features: Features,
}

/// What tokens become on their way to fingerprints, for one scheme or more.
struct Features {
    all: Vec<(Scheme, Gathered)>,
    hashes: Box<Hashes>,
}

impl Features {
    fn of(schemes: &[Scheme]) -> Self {
        let all = schemes.iter().map(|&scheme| (scheme, Gathered::new(scheme))).collect();
        Self { all, hashes: Box::new([0; _]) }
    }

    /// Takes the next part of a text.
    fn push(&mut self, tokeniser: &mut Tokeniser, text: &str) {
        self.all.iter_mut().for_each(|(_, gathered)| gathered.push_text(text));
        if self.all.iter().any(|(_, gathered)| gathered.takes_tokens()) {
            tokeniser.push(text, self);
        }
    }

    fn finish(self) -> impl Iterator<Item = Fingerprinted> {
        self.all
            .into_iter()
            .map(|(scheme, gathered)| Fingerprinted::new(scheme, gathered.finish(scheme)))
    }
}

impl TokenSink for Features {
    #[inline(always)]
    fn tokens(&mut self, kernel: impl Kernel, text: &[u8], runs: &Runs) {
        let count = kernel.hash(text, runs, &mut self.hashes);
        let text = runs.text(text);
        for (_, gathered) in &mut self.all {
            gathered.push(&self.hashes[..count], runs.tokens().map(|token| &text[token]));
        }
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
            tokeniser: Tokeniser::default(),
            features: Features::of(&[scheme]),
        }
    }

    /// Continues the text.
    pub fn update(&mut self, text: &str) {
        self.repair.finish(|replaced| self.features.push(&mut self.tokeniser, replaced));
        self.features.push(&mut self.tokeniser, text);
    }

    /// Continues the text with UTF-8. Octets that are not valid become U+FFFD, one for each maximal subpart of an
    /// ill-formed sequence; a code point may be divided between calls.
    pub fn update_bytes(&mut self, utf8: &[u8]) {
        self.repair.push(utf8, |text| self.features.push(&mut self.tokeniser, text));
    }

    /// Ends the text.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "there is one scheme")]
    pub fn finish(mut self) -> Fingerprinted {
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
/// assert_eq!(result.tokens(), 1); // numbers are no tokens
/// assert!(fingerprint(Scheme::SD1, "2024").fingerprint().is_none());
/// ```
#[must_use]
pub fn fingerprint(scheme: Scheme, text: &str) -> Fingerprinted {
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
pub fn fingerprint_by(schemes: &[Scheme], text: &str) -> Vec<Fingerprinted> {
    let mut features = Features::of(schemes);
    let mut tokeniser = Tokeniser::default();
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
    let custom = scheme.as_custom();
    if scheme == Scheme::SEOMOZ_LEGACY {
        let runs = text.split(|c: char| !c.is_ascii_alphabetic());
        return runs.filter(|run| !run.is_empty()).for_each(each);
    }
    let mut sink = |token: &[u8]| {
        if custom.is_some_and(|custom| !custom.takes(token)) {
            return;
        }
        // Tokens are cut from text at code points, so they are text.
        if let Ok(token) = std::str::from_utf8(token) {
            each(token);
        }
    };
    let mut tokeniser = Tokeniser::default();
    tokeniser.push(text, &mut sink);
    tokeniser.finish(&mut sink);
}

/// A fingerprint, or that there is none, and what is to be known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprinted {
    scheme: Scheme,
    fingerprint: Option<Fingerprint>,
    tokens: u64,
    counters: Option<[i64; 64]>,
}

impl Fingerprinted {
    fn new(scheme: Scheme, printed: Printed) -> Self {
        let Printed { fingerprint, tokens, counters } = printed;
        Self { scheme, fingerprint, tokens, counters }
    }

    /// The scheme it was computed by.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The fingerprint; `None` where the text has no token. That is an outcome of its own and matches nothing, not
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

    /// The counters behind a simhash's bits, from -(sum of weights) to +(sum of weights); index 0 is the least significant bit. A bit is
    /// 1 where its counter is greater than 0, and the nearer to 0 the less certain it is. Empty for sketches, which have none, and for
    /// custom schemes.
    #[must_use]
    pub fn counters(&self) -> &[i64] {
        self.counters.as_ref().map_or(&[], |counters| counters)
    }
}

/// The stages from text to tokens.
pub(crate) struct Tokeniser {
    /// Text that waits for more.
    joined: String,
    normaliser: Normaliser,
    text: ClassedText,
    cutter: Cutter,
    words: Words,
    level: Level,
}

impl Default for Tokeniser {
    fn default() -> Self {
        Self::at(Level::best())
    }
}

impl Tokeniser {
    /// All levels give the same tokens.
    pub(crate) fn at(level: Level) -> Self {
        Self {
            level,
            joined: String::new(),
            normaliser: Normaliser::with_bounded_ypogegrammeni(level, MOST_YPOGEGRAMMENI),
            text: ClassedText::default(),
            cutter: Cutter::default(),
            words: Words::default(),
        }
    }

    pub(crate) fn push(&mut self, text: &str, sink: &mut impl TokenSink) {
        if text.len() < SMALL {
            self.joined.push_str(text);
            if self.joined.len() < PIECE - SMALL {
                return;
            }
            self.push_joined(sink);
        } else {
            self.push_joined(sink);
            self.push_pieces(text, sink);
        }
    }

    fn push_joined(&mut self, sink: &mut impl TokenSink) {
        let mut joined = std::mem::take(&mut self.joined);
        self.push_pieces(&joined, sink);
        joined.clear();
        self.joined = joined;
    }

    fn push_pieces(&mut self, text: &str, sink: &mut impl TokenSink) {
        let mut rest = text;
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(rest.floor_char_boundary(PIECE));
            self.normaliser.push_str(piece, &mut self.text);
            self.advance(false, sink);
            rest = behind;
        }
    }

    pub(crate) fn finish(&mut self, sink: &mut impl TokenSink) {
        self.push_joined(sink);
        self.normaliser.finish(&mut self.text);
        self.advance(true, sink);
    }

    fn advance(&mut self, ends: bool, sink: &mut impl TokenSink) {
        let certain = self.cutter.advance(self.level, &mut self.text, ends, |_, _| ());
        let done = self.words.advance(self.level, &self.text, certain, ends, sink);
        self.text.remove(0..done);
        self.cutter.removed(done);
        self.words.removed(done);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of all lengths and scripts, cuts, numbers, connectors, and no token at the same place of a block twice.
    fn text() -> String {
        let pieces = [
            "the",
            " ",
            "Übergröße",
            ", ",
            "2024",
            "_snake_case_",
            " ",
            "日本語のテスト",
            "。",
            "Слово",
            " ",
            "हिन्दी",
            "h2o",
            "https://example.org/x?y=z ",
            "a",
            "\n",
            "internationalisation",
            " ",
            "x@example.org",
            " ",
            "e\u{301}",
            "ﬁ",
        ];
        let mut state = 7u64;
        let mut text = String::new();
        while text.len() < 100_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let times = if state >> 60 == 0 { 1 + (state >> 50) as usize % 200 } else { 1 };
            text.push_str(&pieces[(state >> 33) as usize % pieces.len()].repeat(times));
            if state >> 62 != 0 {
                text.push(' ');
            }
        }
        text
    }

    #[test]
    fn every_level_gives_the_same_tokens_and_fingerprints() {
        let text = text();
        let run = |level| {
            let mut tokens = Vec::new();
            let mut sink = |token: &[u8]| tokens.push(token.to_vec());
            let mut tokeniser = Tokeniser::at(level);
            tokeniser.push(&text, &mut sink);
            tokeniser.finish(&mut sink);
            let mut features = Features::of(&[Scheme::SD1, Scheme::SL1, Scheme::MD1, Scheme::WD1]);
            let mut tokeniser = Tokeniser::at(level);
            tokeniser.push(&text, &mut features);
            tokeniser.finish(&mut features);
            (tokens, features.finish().collect::<Vec<_>>())
        };
        let expected = run(Level::Portable);
        assert!(expected.0.len() > 5_000);
        for level in Level::all() {
            assert_eq!(run(level), expected, "{level:?}");
        }
    }

    /// Small pieces are joined before they reach the stages; here they are not, so that every stage is interrupted
    /// everywhere.
    #[test]
    fn any_division_gives_the_same_tokens() {
        let pieces = concat!(
            " | | |_|-|:|@|.|%|1|10.|10.1000|/|a|the|ﬁ|é|É|\u{301}|\u{323}|\u{345}|\u{34F}|",
            "ᾳ|й|И\u{306}|\u{64E}|\u{651}|हिन्दी|\u{93C}|\u{94D}|\u{9C7}|\u{9BE}|中|の|テ|",
            "\u{3099}|ｶ|ﾞ|。|：|＠|．|ก|ำ|한|\u{1112}|\u{1161}|\u{11AB}|\u{10400}|\u{200D}|",
            "\u{378}|\u{FFFD}|\u{203F}|①|ﷺ|http://|a://|www.|urn:|doi:|arxiv:|x@y.z|@b.c|",
            ".5|://",
        );
        let pieces: Vec<&str> = pieces.split('|').collect();
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        for _ in 0..3_000 {
            let mut text = String::new();
            for _ in 0..random(30) {
                let times = match random(40) {
                    0 => 100 + random(200),
                    1 => 1 + random(70),
                    2 if random(10) == 0 => 2_000 + random(4_000),
                    _ => 1,
                };
                text.push_str(&pieces[random(pieces.len())].repeat(times));
            }
            let mut expected = Vec::new();
            let mut sink = |token: &[u8]| expected.push(token.to_vec());
            let mut whole = Tokeniser::default();
            whole.push_pieces(&text, &mut sink);
            whole.finish(&mut sink);
            let mut found = Vec::new();
            let mut sink = |token: &[u8]| found.push(token.to_vec());
            let mut divided = Tokeniser::default();
            let longest = [1, 3, 20, 300][random(4)];
            let mut rest = text.as_str();
            while !rest.is_empty() {
                let end = rest.ceil_char_boundary((1 + random(longest)).min(rest.len()));
                let (piece, behind) = rest.split_at(end);
                divided.push_pieces(piece, &mut sink);
                rest = behind;
            }
            divided.finish(&mut sink);
            assert!(found == expected, "pieces of up to {longest}: {text:?}");
        }
    }

    #[test]
    fn memory_is_bounded_whatever_repeats_for_ever() {
        for piece in [
            "a",
            "9",
            "_",
            "a_",
            "\u{203F}",
            ".",
            "-",
            "!",
            "中",
            "中\u{301}",
            "\u{301}",
            "\u{345}",
            "\u{34F}\u{301}",
            "\u{345}\u{301}",
            "\u{FDFA}",
            "\u{1D15E}",
            "é",
            "a@",
            "a.",
            "a@b.",
            "10.1234.",
            "www.",
            "://",
            "\u{10400}",
            "\u{1100}",
            "\u{200D}",
            "\u{94D}",
        ] {
            // A start that leaves something open: a DOI that may come, an address, a word.
            for start in ["", "10.1234", "x@y.z", "http://", "a", "é_"] {
                let mut tokeniser = Tokeniser::default();
                let mut tokens = 0;
                tokeniser.push_pieces(start, &mut |_: &[u8]| tokens += 1);
                let times = piece.repeat(8 * 1024 / piece.len());
                for _ in 0..40 {
                    tokeniser.push(&times, &mut |_: &[u8]| tokens += 1);
                    let held = tokeniser.text.len();
                    assert!(
                        held <= 8 * 1024,
                        "{piece:?} after {start:?}: {held} octets are held back"
                    );
                }
                let octets = tokeniser.text.capacity();
                assert!(octets <= 256 * 1024, "{piece:?} after {start:?}: {octets} octets");
                tokeniser.finish(&mut |_: &[u8]| tokens += 1);
            }
        }
    }
}
