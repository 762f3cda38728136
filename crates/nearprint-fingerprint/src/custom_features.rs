//! SPEC section 13: from tokens to the features of a custom scheme, and from those to its bits.

use std::collections::VecDeque;

use crate::Scheme;
use crate::custom_tokens::OwnTokens;
use crate::element_hash::Frequencies;
use crate::log_counters::weight;
use crate::scheme::custom::CustomScheme;
use crate::scheme::{Declaration, Features, Weight};
use crate::sketch::mix;
use crate::token_hash::hash;
use crate::tokeniser::each_token;

/// What the second half of 128 bits is made of (SPEC [13.6]).
const SECOND_HALF: u64 = 0x9e37_79b9_7f4a_7c15;

/// Features of a document in a custom scheme, as far as its tokens are known: 16 bytes or so for each distinct one.
pub(crate) struct CustomAccumulator {
    custom: CustomScheme,
    declaration: &'static Declaration,
    tokens: u64,
    frequencies: Frequencies,
    /// Of shingles, the bytes of the last tokens with a space in front of each; of characters, those of the last code
    /// points.
    window: VecDeque<u8>,
    /// The bytes of each token or code point in the window.
    parts: VecDeque<usize>,
    /// Whether the window was full once.
    filled: bool,
    /// Where tokens are not the standard's, the text on its way to them.
    own: Option<OwnTokens>,
}

impl CustomAccumulator {
    pub(crate) fn new(custom: CustomScheme, declaration: &'static Declaration) -> Self {
        Self {
            custom,
            declaration,
            tokens: 0,
            frequencies: Frequencies::default(),
            window: VecDeque::new(),
            parts: VecDeque::new(),
            filled: false,
            own: OwnTokens::of(custom.token_rule()),
        }
    }

    pub(crate) fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Whether it takes the standard's tokens; else the text itself.
    pub(crate) fn takes_tokens(&self) -> bool {
        self.own.is_none()
    }

    /// Takes the next part of the text, where that is what it takes.
    pub(crate) fn push_text(&mut self, text: &str) {
        if let Some(mut own) = self.own.take() {
            own.push(text, |token| self.take(token));
            self.own = Some(own);
        }
    }

    /// Takes the next of the standard's tokens.
    pub(crate) fn push(&mut self, token: &[u8]) {
        if self.own.is_none() {
            self.take(token);
        }
    }

    /// Nothing follows.
    fn end(&mut self) {
        if let Some(mut own) = self.own.take() {
            own.finish(|token| self.take(token));
        }
    }

    fn take(&mut self, token: &[u8]) {
        let Some(token) = self.custom.taken(token, self.declaration.stop_words) else { return };
        let token = &*token;
        self.tokens += 1;
        match self.declaration.features {
            Features::Shingles(n) => {
                self.window.push_back(b' ');
                self.window.extend(token);
                self.enter(1 + token.len(), n.into());
            }
            Features::Characters(n) => {
                if self.tokens > 1 {
                    self.window.push_back(b' ');
                    self.enter(1, n.into());
                }
                let mut rest = token;
                while let Some(&first) = rest.first() {
                    let behind = rest[1..].iter().take_while(|&&byte| byte & 0xC0 == 0x80);
                    let (character, others) = rest.split_at(1 + behind.count());
                    debug_assert!(first & 0xC0 != 0x80);
                    self.window.extend(character);
                    self.enter(character.len(), n.into());
                    rest = others;
                }
            }
            _ => self.count(token),
        }
    }

    /// A token or code point of so many bytes has come into the window, which holds `most`.
    fn enter(&mut self, bytes: usize, most: usize) {
        self.parts.push_back(bytes);
        if self.parts.len() > most {
            let gone = self.parts.pop_front().unwrap_or_default();
            self.window.drain(..gone);
        }
        if self.parts.len() == most {
            self.filled = true;
            self.count_window();
        }
    }

    fn count_window(&mut self) {
        let window = std::mem::take(&mut self.window);
        let mut window = Vec::from(window);
        // The first token's space joins it to none.
        let from = usize::from(matches!(self.declaration.features, Features::Shingles(_)));
        self.count(window.get(from..).unwrap_or_default());
        self.window = std::mem::take(&mut window).into();
    }

    fn count(&mut self, feature: &[u8]) {
        *self.frequencies.entry(hash(self.declaration.token_hash, feature)).or_default() += 1;
    }

    /// How often each feature occurs, by its hash, once all tokens are in.
    fn finished(&mut self) -> &Frequencies {
        if !self.filled && !self.parts.is_empty() {
            self.count_window();
        }
        &self.frequencies
    }

    /// The hashes of the features, each once, ascending.
    fn into_hashes(mut self) -> Vec<u64> {
        if self.tokens == 0 {
            return Vec::new();
        }
        let mut hashes: Vec<u64> = self.finished().keys().copied().collect();
        hashes.sort_unstable();
        hashes
    }

    /// The number of tokens, and the bits, most significant first in the lowest of 128; `None` if there is no token.
    pub(crate) fn finish(mut self) -> (u64, Option<u128>) {
        self.end();
        let tokens = self.tokens;
        (tokens, (tokens > 0).then(|| self.bits()))
    }

    fn bits(&mut self) -> u128 {
        let declaration = self.declaration;
        let width = declaration.positions;
        let mut counters = [0i128; 128];
        for (&feature, &frequency) in self.finished() {
            let weight = match declaration.weight {
                Weight::TermFrequency => i128::from(frequency),
                Weight::LogTermFrequency => i128::from(weight(frequency)),
                Weight::Presence => 1,
            };
            // SPEC [13.12].
            let weight =
                declaration.idf.map_or(weight, |idf| weight * i128::from(idf.weight(feature)));
            let bits = widened(feature, width);
            for (bit, counter) in counters[..width as usize].iter_mut().enumerate() {
                *counter += if bits >> bit & 1 == 1 { weight } else { -weight };
            }
        }
        let least = i128::from(!self.custom.tie());
        let bit = |(bit, counter): (usize, &i128)| u128::from(*counter >= least) << bit;
        counters[..width as usize].iter().enumerate().map(bit).sum()
    }
}

/// The features of a text under a custom scheme, as hashes (SPEC [13.5]) and how often each occurs, in ascending order
/// of the hashes. Empty where no token takes part. None for the standard's schemes.
#[must_use]
pub fn feature_frequencies(scheme: Scheme, text: &str) -> Option<Vec<(u64, u64)>> {
    let mut gathering = gathered(scheme, text)?;
    let mut all: Vec<(u64, u64)> =
        gathering.finished().iter().map(|(&hash, &times)| (hash, times)).collect();
    all.sort_unstable();
    Some(all)
}

/// The hashes of a text's features under a custom scheme (SPEC [13.5]), each once, ascending: what a table of inverse
/// document frequencies counts. Empty where no token takes part. None for the standard's schemes.
#[must_use]
pub fn feature_hashes(scheme: Scheme, text: &str) -> Option<Vec<u64>> {
    gathered(scheme, text).map(CustomAccumulator::into_hashes)
}

/// All of a text under a custom scheme.
fn gathered(scheme: Scheme, text: &str) -> Option<CustomAccumulator> {
    let mut gathering = CustomAccumulator::new(scheme.as_custom()?, scheme.declaration());
    if gathering.takes_tokens() {
        each_token(text, &mut |token: &[u8]| gathering.push(token));
    } else {
        gathering.push_text(text);
        gathering.end();
    }
    Some(gathering)
}

/// SPEC [13.6]: a feature's hash as so many bits.
fn widened(hash: u64, width: u32) -> u128 {
    match width {
        32 => u128::from(hash >> 32),
        64 => u128::from(hash),
        _ => u128::from(hash) << 64 | u128::from(mix(hash.wrapping_add(SECOND_HALF))),
    }
}
