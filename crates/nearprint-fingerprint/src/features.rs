//! From token hashes to a scheme's features, and from those to its fingerprint.

use crate::counters::{SimhashCounters, signs};
use crate::custom_features::CustomAccumulator;
use crate::log_counters::{LogCounters, WeightedSketchBuilder};
use crate::scheme::{Family, Features, Weight};
use crate::seomoz::LegacyAccumulator;
use crate::sketch::{Shingles, SketchBuilder};
use crate::{Fingerprint, Scheme};

/// Accumulator of the features of a document, whose tokens come one after another.
///
/// Memory: bounded for term frequencies; for the others up to 90 bytes for each distinct token, or 16 for each distinct
/// shingle as long as a bin of the sketch is empty.
pub(crate) enum FeatureAccumulator {
    /// Occurrences added up as they come.
    Counters { counting: Box<SimhashCounters>, tokens: u64 },
    /// Those occurrences added up that raise a weight.
    LogCounters { counting: Box<LogCounters>, tokens: u64 },
    /// Tokens as often as they weigh.
    Weighted { sketching: Box<WeightedSketchBuilder>, tokens: u64 },
    /// Three tokens in a row; `completed` is where those in hand are put.
    Shingles { shingles: Shingles, sketching: Box<SketchBuilder>, completed: Vec<u64> },
    /// Whatever a custom scheme declares.
    Custom(Box<CustomAccumulator>),
    /// Of the text itself, not of its tokens.
    Legacy(Box<LegacyAccumulator>),
}

/// Fingerprint of a document's features, with the counts that it was made from.
pub(crate) struct AccumulatedPrint {
    pub(crate) fingerprint: Option<Fingerprint>,
    pub(crate) tokens: u64,
    /// The counters after a simhash.
    pub(crate) counters: Option<[i64; 64]>,
}

impl FeatureAccumulator {
    pub(crate) fn new(scheme: Scheme) -> Self {
        if let Some(custom) = scheme.as_custom() {
            return Self::Custom(Box::new(CustomAccumulator::new(custom, scheme.declaration())));
        }
        match (scheme.features(), scheme.weight()) {
            (Features::LetterWindows, _) => Self::Legacy(Box::default()),
            (Features::Words, Weight::TermFrequency) => {
                Self::Counters { counting: Box::default(), tokens: 0 }
            }
            (Features::Words, _) if scheme.family() == Family::Simhash => {
                Self::LogCounters { counting: Box::default(), tokens: 0 }
            }
            (Features::Words, _) => Self::Weighted { sketching: Box::default(), tokens: 0 },
            (_, _) => Self::Shingles {
                shingles: Shingles::default(),
                sketching: Box::default(),
                completed: Vec::new(),
            },
        }
    }

    /// Whether it takes tokens; else [`push_text`](Self::push_text).
    pub(crate) fn takes_tokens(&self) -> bool {
        match self {
            Self::Legacy(_) => false,
            Self::Custom(custom) => custom.takes_tokens(),
            _ => true,
        }
    }

    /// Takes the next part of the text, before all stages but repair.
    pub(crate) fn push_text(&mut self, text: &str) {
        match self {
            Self::Legacy(legacy) => legacy.push_text(text),
            Self::Custom(custom) => custom.push_text(text),
            _ => {}
        }
    }

    /// Takes the next tokens, by their lookup3 hashes in order and, where it is of a custom scheme, by their bytes.
    #[inline(always)]
    pub(crate) fn push<'a>(&mut self, hashes: &[u64], bytes: impl Iterator<Item = &'a [u8]>) {
        match self {
            Self::Custom(custom) => bytes.for_each(|token| custom.push(token)),
            Self::Legacy(_) => {}
            Self::Counters { counting, tokens } => {
                *tokens += hashes.len() as u64;
                counting.extend(hashes);
            }
            Self::LogCounters { counting, tokens } => {
                *tokens += hashes.len() as u64;
                counting.extend(hashes);
            }
            Self::Weighted { sketching, tokens } => {
                *tokens += hashes.len() as u64;
                sketching.extend(hashes);
            }
            Self::Shingles { shingles, sketching, completed } => {
                shingles.extend(hashes, completed);
                sketching.extend(completed);
            }
        }
    }

    /// The number of tokens so far.
    pub(crate) fn tokens(&self) -> u64 {
        match self {
            Self::Counters { tokens, .. }
            | Self::LogCounters { tokens, .. }
            | Self::Weighted { tokens, .. } => *tokens,
            Self::Shingles { shingles, .. } => shingles.tokens(),
            Self::Custom(custom) => custom.tokens(),
            Self::Legacy(legacy) => legacy.tokens(),
        }
    }

    /// The fingerprint of the scheme the features were gathered for.
    pub(crate) fn finish(self, scheme: Scheme) -> AccumulatedPrint {
        let tokens = self.tokens();
        match self {
            Self::Counters { mut counting, .. } => {
                AccumulatedPrint::simhash(scheme, tokens, counting.finish())
            }
            Self::LogCounters { mut counting, .. } => {
                AccumulatedPrint::simhash(scheme, tokens, counting.finish())
            }
            Self::Weighted { sketching, .. } => {
                AccumulatedPrint::sketch(scheme, tokens, sketching.finish())
            }
            Self::Custom(custom) => {
                let (tokens, bits) = custom.finish();
                let fingerprint = bits.and_then(|bits| Fingerprint::from_u128(scheme, bits));
                AccumulatedPrint { fingerprint, tokens, counters: None }
            }
            Self::Legacy(legacy) => {
                let (counters, tokens) = legacy.finish();
                AccumulatedPrint::simhash(scheme, tokens, counters)
            }
            Self::Shingles { shingles, mut sketching, .. } => {
                if let Some(element) = shingles.remainder() {
                    sketching.extend(&[element]);
                }
                AccumulatedPrint::sketch(scheme, tokens, *sketching)
            }
        }
    }
}

impl AccumulatedPrint {
    pub(crate) fn simhash(scheme: Scheme, tokens: u64, counters: [i64; 64]) -> Self {
        let fingerprint =
            if tokens == 0 { None } else { Fingerprint::from_u64(scheme, signs(&counters)) };
        Self { fingerprint, tokens, counters: Some(counters) }
    }

    fn sketch(scheme: Scheme, tokens: u64, sketching: SketchBuilder) -> Self {
        let sketch = sketching.finish();
        let fingerprint = sketch.and_then(|sketch| Fingerprint::from_sketch(scheme, sketch));
        Self { fingerprint, tokens, counters: None }
    }
}
