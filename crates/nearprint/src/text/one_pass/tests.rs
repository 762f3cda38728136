//! One pass compared with separate passes, on hostile texts.

use nearprint_fingerprint::{fingerprint, units};
use proptest::collection::vec;
use proptest::prelude::*;
use twox_hash::XxHash3_128;

use super::*;
use crate::TextDigests;

/// Pieces that matter to some stage.
const PIECES: &[&str] = &[
    " ",
    " ",
    " ",
    " ",
    "  ",
    "\n",
    "\t\u{2028}",
    "\u{85}",
    "\u{A0}",
    ", ",
    ". ",
    "-",
    "- ",
    "+",
    "€",
    "%",
    "^",
    "/",
    "_",
    "=",
    "1",
    "2024",
    "007",
    "٣",
    "½",
    "10.1234",
    "/abc",
    "http://a.b/c",
    "x@y.z",
    "www.",
    "a",
    "x",
    "b ",
    "the ",
    "fog ",
    "came in ",
    "Word",
    "Straße",
    "ﬁ",
    "e\u{301}",
    "\u{345}",
    "Слово ",
    "हिन्दी ",
    "日本語",
    "の",
    "テスト。",
    "한국어",
    "\u{10400}",
    "\u{FFFD}",
    "ﷺ",
    "²",
    "C# ",
    "NIS+ ",
    " == ",
    "!x",
    "😀",
    "snake_Case ",
    "كِتَابٌ ",
    "ή ",
    "12.3.2024 ",
    "12:30",
    " 0.3 s ",
];

fn texts() -> impl Strategy<Value = String> {
    let piece = (
        prop::sample::select(PIECES),
        prop_oneof![9 => Just(1), 1 => 2..4usize, 1 => 40..300usize],
    );
    let some = vec(piece, 0..60).prop_map(|pieces| {
        pieces.into_iter().map(|(piece, times)| piece.repeat(times)).collect::<String>()
    });
    // Beyond the pieces that pass the stages together, and beyond what is digested at once.
    (some, prop_oneof![9 => Just(1), 1 => 2..50usize], any::<String>())
        .prop_map(|(some, times, any)| some.repeat(times) + &any)
}

/// Schemes of every family, one of them twice, a custom one, and one that takes the text itself.
fn schemes() -> Vec<Scheme> {
    let custom =
        "custom:shingles-2,log,xxh3,128,stop=en".parse().expect("this scheme can be declared");
    vec![
        Scheme::MD1,
        Scheme::SD1,
        Scheme::SL1,
        Scheme::WD1,
        Scheme::SEOMOZ_LEGACY,
        custom,
        Scheme::MD1,
    ]
}

/// Units one by one, as the default of [`UnitSink::tokens`] gives them.
#[derive(Default)]
struct OneByOne {
    taking: TextPass,
    /// The tokens with a byte after each that no token has.
    tokens: Vec<u8>,
    hashes: Vec<u64>,
    /// Elements that the cosine counts, and how many others there are.
    numbers: Vec<u64>,
    others: usize,
}

impl UnitSink for OneByOne {
    fn unit(&mut self, unit: Unit<'_>) {
        match unit {
            Unit::Token(token, hash) => {
                self.tokens.extend_from_slice(token);
                self.tokens.push(0xFF);
                self.hashes.push(hash);
            }
            Unit::Number(Number { hash, .. }) | Unit::Sign(hash) => self.numbers.push(hash),
            Unit::Residue(Residue::Operator | Residue::Address, _) | Unit::Name(..) => {
                self.others += 1;
            }
            Unit::Residue(_, hash) => self.numbers.push(hash),
            _ => unreachable!(),
        }
        self.taking.unit(unit);
    }
}

/// Each hash once, in ascending order.
fn set(hashes: impl Iterator<Item = u64>) -> Vec<WeightedFeature> {
    let set: std::collections::BTreeSet<u64> = hashes.collect();
    set.into_iter().map(|hash| (hash, 1)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn one_pass_gives_what_separate_passes_give(text in texts()) {
        for measure in [Measure::Jaccard, Measure::Cosine] {
            let (prints, packed) = fingerprints_and_features(&schemes(), &text, measure, None);
            for (print, scheme) in prints.iter().zip(schemes()) {
                prop_assert_eq!(print, &fingerprint(scheme, &text));
            }
            let found = packed.unpack();
            let mut separate = OneByOne::default();
            units(&text, &mut separate);
            prop_assert_eq!(&separate.taking.finish((&text, None), measure), &packed);
            let TextDigests { words, .. } = found.digests;
            prop_assert_eq!(words, XxHash3_128::oneshot(&separate.tokens));
            let OneByOne { hashes, numbers, others, .. } = separate;
            if measure == Measure::Jaccard {
                let shingles = nearprint_fingerprint::stages::shingles(hashes);
                prop_assert_eq!(found.words, set(shingles.into_iter().map(|hash| low(hash, 40))));
                // By the last 32 bits one tells whose number it is.
                prop_assert!(found.numbers.len() <= numbers.len() + others);
            } else {
                let mut words: std::collections::BTreeMap<u64, u32> = Default::default();
                hashes.iter().for_each(|&hash| *words.entry(low(hash, 40)).or_default() += 1);
                let words: Vec<_> = words.into_iter().map(|(hash, times)| (hash, 1 + times.ilog2())).collect();
                prop_assert_eq!(found.words, words);
                let own: Vec<u64> = found.numbers.iter().map(|number| number.0).collect();
                let wanted: Vec<u64> = set(numbers.iter().map(|&hash| low(hash, 40))).iter().map(|number| number.0).collect();
                prop_assert_eq!(own, wanted);
            }
        }
    }
}

/// A text leaves nothing in the buffers that a thread keeps for the next one.
#[test]
fn texts_in_a_row_do_not_meet() {
    let long = "fog 12 + 日本 came in ".repeat(5_000);
    let texts = ["fog came in", &long, "", "1", "fog, came in 7", &long[1..], "fog"];
    for text in texts {
        let alone = std::thread::scope(|scope| {
            scope.spawn(|| features(text, Measure::Jaccard)).join().unwrap()
        });
        assert_eq!(features(text, Measure::Jaccard), alone, "{text:.20}");
    }
}

/// Features that a job stored stay comparable: a change of this digest needs another name of the features.
#[test]
fn features_are_what_they_were() {
    let text = "Fog came in at 12:30, cost 3.50 € (or 4 – 5 $); see http://a.b/c. 日本のテスト5 x = y + 2\n\n";
    let packed = features(&text.repeat(3), Measure::Jaccard);
    let all = [&packed.digests().to_bytes(), packed.bytes()].concat();
    assert_eq!(all.len(), 234);
    assert_eq!(XxHash3_128::oneshot(&all), 0x430c_e00b_237b_5baa_55ec_be45_b381_b69c);
}
