//! The stages from text to tokens, streaming.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};

use crate::classed_text::ClassedText;
use crate::cuts::Cutter;
use crate::identifiers::IdentifierCutter;
use crate::kernel::Level;
use crate::normalise::Normaliser;
use crate::words::{TokenSink, Words};

/// Bytes of input that pass all stages together: their normalised form stays in the fastest caches.
const PIECE: usize = 8 * 1024;

/// Parts of a text that are smaller are joined before they pass the stages: callers may write a code point at a time,
/// and bytes that are not text become thousands of single U+FFFD.
const SMALL: usize = 1024;

/// Letters U+03B9 that one run of U+0345 can leave: more than the longest word has, so all of them give no token.
const MOST_YPOGEGRAMMENI: u64 = 1024;

/// A tokeniser whose text takes more memory than this is not kept for the next document.
const MOST_IDLE: usize = 64 * 1024;

pub(crate) struct Tokeniser {
    /// Text that waits for more.
    joined: String,
    normaliser: Normaliser,
    text: ClassedText,
    cutter: Cutter,
    /// What cuts more than the standard's own schemes do (SPEC [13.14]).
    identifiers: Option<IdentifierCutter>,
    words: Words,
    level: Level,
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
            identifiers: None,
            words: Words::default(),
        }
    }

    /// The same, which also cuts the identifiers of SPEC [13.14].
    pub(crate) fn without_identifiers(self) -> Self {
        Self { identifiers: Some(IdentifierCutter::default()), ..self }
    }

    /// Begins another text, whatever became of the one before.
    fn reset(&mut self) {
        self.joined.clear();
        self.normaliser = Normaliser::with_bounded_ypogegrammeni(self.level, MOST_YPOGEGRAMMENI);
        self.text.clear();
        self.cutter = Cutter::default();
        self.words.reset();
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
        let certain = match &mut self.identifiers {
            Some(identifiers) => identifiers.advance(&mut self.text, certain, ends),
            None => certain,
        };
        let done = self.words.advance(self.level, &self.text, certain, ends, sink);
        sink.passed(&self.text, done);
        self.text.remove(0..done);
        self.cutter.removed(done);
        if let Some(identifiers) = &mut self.identifiers {
            identifiers.removed(done);
        }
        self.words.removed(done);
    }
}

thread_local! {
    /// The tokeniser that this thread used last: to make and clear its buffers again costs as much as some hundred
    /// tokens.
    static IDLE: Cell<Option<Box<Tokeniser>>> = const { Cell::new(None) };
}

/// Tokeniser at the start of a text, with the buffers of one that is no longer used.
pub(crate) struct ReusedTokeniser(Option<Box<Tokeniser>>);

impl Default for ReusedTokeniser {
    fn default() -> Self {
        // There is none if the thread is ending.
        let idle = IDLE.try_with(Cell::take).ok().flatten();
        Self(Some(idle.unwrap_or_else(|| Box::new(Tokeniser::at(Level::best())))))
    }
}

impl Drop for ReusedTokeniser {
    fn drop(&mut self) {
        if let Some(mut tokeniser) = self.0.take()
            && tokeniser.text.capacity() <= MOST_IDLE
        {
            tokeniser.reset();
            // Where the thread is ending it goes with it.
            let _ = IDLE.try_with(|idle| idle.set(Some(tokeniser)));
        }
    }
}

impl Deref for ReusedTokeniser {
    type Target = Tokeniser;

    fn deref(&self) -> &Tokeniser {
        self.0.as_ref().expect(LENT)
    }
}

impl DerefMut for ReusedTokeniser {
    fn deref_mut(&mut self) -> &mut Tokeniser {
        self.0.as_mut().expect(LENT)
    }
}

/// Why there is one.
const LENT: &str = "only dropping takes it";

/// Every token of a text, in order.
pub(crate) fn each_token(text: &str, sink: &mut impl TokenSink) {
    let mut tokeniser = ReusedTokeniser::default();
    tokeniser.push(text, sink);
    tokeniser.finish(sink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scheme;
    use crate::fingerprinter::Features;

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
            let mut whole = Tokeniser::at(Level::best());
            whole.push_pieces(&text, &mut sink);
            whole.finish(&mut sink);
            let mut found = Vec::new();
            let mut sink = |token: &[u8]| found.push(token.to_vec());
            let mut divided = Tokeniser::at(Level::best());
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

    /// A text leaves nothing behind, wherever reading it stopped.
    #[test]
    fn what_is_used_again_is_as_new() {
        let found = |text: &str| {
            let mut found = Vec::new();
            let mut tokeniser = ReusedTokeniser::default();
            tokeniser.push_pieces(text, &mut |token: &[u8]| found.push(token.to_vec()));
            tokeniser.finish(&mut |token: &[u8]| found.push(token.to_vec()));
            found
        };
        let text = "/x a.b/c \u{301}\u{345}e 中 _x y@ example.org 10.1234 /a www. x";
        let expected = found(text);
        let long = "a".repeat(3_000);
        for left in [
            "http://example.org",
            "x@y.z",
            "x@y.z.",
            "10.1234",
            "10.1234.",
            "www",
            "urn",
            "e\u{301}",
            "\u{345}",
            "e",
            "中",
            "中\u{301}",
            "_",
            "snake_",
            long.as_str(),
            "é___",
            "a b c ",
        ] {
            let mut tokeniser = ReusedTokeniser::default();
            tokeniser.push_pieces(left, &mut |_: &[u8]| ());
            tokeniser.push(left, &mut |_: &[u8]| ());
            drop(tokeniser);
            assert_eq!(found(text), expected, "after {left:?}");
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
                let mut tokeniser = Tokeniser::at(Level::best());
                let mut tokens = 0;
                tokeniser.push_pieces(start, &mut |_: &[u8]| tokens += 1);
                let times = piece.repeat(8 * 1024 / piece.len());
                for _ in 0..40 {
                    tokeniser.push(&times, &mut |_: &[u8]| tokens += 1);
                    let held = tokeniser.text.len();
                    assert!(
                        held <= 8 * 1024,
                        "{piece:?} after {start:?}: {held} bytes are held back"
                    );
                }
                let bytes = tokeniser.text.capacity();
                assert!(bytes <= 256 * 1024, "{piece:?} after {start:?}: {bytes} bytes");
                tokeniser.finish(&mut |_: &[u8]| tokens += 1);
            }
        }
    }
}
