//! Fingerprints of a text and the units it is made of, in one pass: whoever wants both does not divide it into tokens
//! twice.

use crate::classed_text::ClassedText;
use crate::fingerprinter::Features;
use crate::kernel::Kernel;
use crate::kernel::batch_hash::Hashes;
use crate::kernel::runs::Runs;
use crate::tokeniser::ReusedTokeniser;
use crate::units::Units;
use crate::words::TokenSink;
use crate::{FingerprintOutcome, Scheme, UnitSink};

/// Computes the fingerprints of a text by several schemes, in their order, as [`fingerprint_by`](crate::fingerprint_by)
/// does, and gives the text's units to `sink` as [`units`](crate::units) does, in one pass: the text is normalised and
/// divided into tokens once, and each token is hashed once.
///
/// ```
/// use nearprint_fingerprint::{Scheme, Unit, fingerprint, fingerprint_and_units};
///
/// let text = "Fog came in at 12 o'clock.";
/// let mut numbers = 0;
/// let prints = fingerprint_and_units(&[Scheme::SD1], text, &mut |unit: Unit<'_>| {
///     numbers += u32::from(matches!(unit, Unit::Number(_)));
/// });
/// assert_eq!((prints[0].clone(), numbers), (fingerprint(Scheme::SD1, text), 1));
/// ```
pub fn fingerprint_and_units(
    schemes: &[Scheme],
    text: &str,
    sink: &mut impl UnitSink,
) -> Vec<FingerprintOutcome> {
    let mut both = Both { features: Features::of(schemes), units: Units::new(sink) };
    let mut tokeniser = ReusedTokeniser::default();
    both.features.push_text(text);
    tokeniser.push(text, &mut both);
    tokeniser.finish(&mut both);
    both.units.finish(text);
    both.features.finish().collect()
}

/// What takes the tokens for both.
struct Both<'s, S> {
    features: Features,
    units: Units<'s, S>,
}

impl<S: UnitSink> TokenSink for Both<'_, S> {
    #[inline(always)]
    fn tokens(&mut self, kernel: impl Kernel, text: &[u8], runs: &Runs, hashes: &mut Hashes) {
        let hashes = kernel.hash(text, runs, hashes);
        self.features.push_hashed(hashes, text, runs);
        self.units.push(runs, hashes);
    }

    fn token(&mut self, token: &[u8]) {
        self.features.token(token);
        self.units.token(token);
    }

    fn passed(&mut self, text: &ClassedText, done: usize) {
        self.units.passed(text, done);
    }
}
