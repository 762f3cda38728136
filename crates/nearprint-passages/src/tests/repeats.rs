//! Repeats against their definition.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use nearprint_fingerprint::placed_tokens;
use proptest::prelude::*;

use super::texts;
use crate::{KeptPlace, PassageError, PassageSearch, PassageSettings};

/// What is found: documents and tokens.
type RepeatedRuns = Vec<(u32, Range<u32>)>;

fn found(
    texts: &[String],
    kept: KeptPlace,
    settings: &PassageSettings,
    hash_bits: u64,
) -> RepeatedRuns {
    let mut search = PassageSearch::new(settings.clone()).unwrap();
    search.selection.hash_bits = hash_bits;
    search.push_all(texts).unwrap();
    let repeats = search.repeats(kept, &mut |_| true).unwrap();
    let mut found = Vec::new();
    repeats
        .each(|repeat| {
            let run = repeat.run;
            let text = &texts[run.document as usize];
            let place = run.place.start_byte as usize..run.place.end_byte as usize;
            assert_eq!(run.text, &text[place]);
            found.push((run.document, run.tokens));
            Ok::<_, PassageError>(())
        })
        .unwrap();
    let one_by_one = repeats.iter().unwrap().map(|run| run.unwrap());
    assert!(one_by_one.map(|run| (run.document, run.tokens)).eq(found.iter().cloned()));
    found
}

/// By all windows of all texts.
fn definition(texts: &[String], kept: KeptPlace, settings: &PassageSettings) -> RepeatedRuns {
    let least = settings.least_tokens as usize;
    let mut windows: HashMap<Vec<Vec<u8>>, Vec<(usize, usize)>> = HashMap::new();
    for (number, text) in texts.iter().enumerate() {
        let mut tokens: Vec<Vec<u8>> = Vec::new();
        placed_tokens(text, settings.numbers, |token| tokens.push(token.token.to_vec()));
        for (start, window) in tokens.windows(least).enumerate() {
            windows.entry(window.to_vec()).or_default().push((number, start));
        }
    }
    let mut tokens: BTreeSet<(usize, usize)> = BTreeSet::new();
    for places in windows.values() {
        let apart = |one: (usize, usize), other: (usize, usize)| {
            one.0 != other.0 || one.1 + least <= other.1 || other.1 + least <= one.1
        };
        for &place in places {
            let is_repeat = match kept {
                KeptPlace::First => {
                    places.iter().any(|&other| other < place && apart(other, place))
                }
                KeptPlace::None => {
                    places.iter().any(|&one| places.iter().any(|&other| apart(one, other)))
                }
            };
            if is_repeat {
                tokens.extend((place.1..place.1 + least).map(|token| (place.0, token)));
            }
        }
    }
    let mut runs: RepeatedRuns = Vec::new();
    for (document, token) in tokens {
        let (document, token) = (document as u32, token as u32);
        match runs.last_mut() {
            Some((last, run)) if *last == document && run.end == token => run.end += 1,
            _ => runs.push((document, token..token + 1)),
        }
    }
    runs
}

fn check(texts: &[String], least_tokens: u32) {
    for kept in [KeptPlace::First, KeptPlace::None] {
        for numbers in [false, true] {
            let settings = PassageSettings { least_tokens, numbers, ..PassageSettings::default() };
            let wanted = definition(texts, kept, &settings);
            for memory in [0, 1 << 30] {
                let settings = PassageSettings { memory, ..settings.clone() };
                assert_eq!(found(texts, kept, &settings, u64::MAX), wanted, "{kept:?} {numbers}");
            }
            // Hashes that collide all the time hide nothing and make nothing up.
            for hash_bits in [0x7, 0x3F, 0xFFF0] {
                assert_eq!(found(texts, kept, &settings, hash_bits), wanted, "{hash_bits:x}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn repeats_are_those_of_the_definition(texts in texts(12, 90), least in 1_u32..12) {
        check(&texts, least);
    }
}

#[test]
fn periodic_texts_keep_one_period_or_one_window() {
    let words = ["fog", "rain", "hail", "sun", "wind", "sea", "bar"];
    for period in 1..=words.len() {
        let text: Vec<&str> = (0..60).map(|number| words[number % period]).collect();
        check(&[text.join(" "), text[3..20].join(" ")], 5);
    }
    // A window of 5 equal tokens stays of 60, and a period of 7.
    let settings = PassageSettings { least_tokens: 5, ..PassageSettings::default() };
    for (period, stays) in [(1, 5), (7, 7)] {
        let text: Vec<&str> = (0..60).map(|number| words[number % period]).collect();
        let found = found(&[text.join(" ")], KeptPlace::First, &settings, u64::MAX);
        assert_eq!(found, [(0, stays..60)]);
    }
}
