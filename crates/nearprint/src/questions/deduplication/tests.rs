//! Decisions against a slow and obvious implementation, and the promises made for every input.

use nearprint_fingerprint::fingerprint;
use nearprint_records::{
    Decision, DecisionReason, DecisionRow, DocumentId, FingerprintRecord, Outcome, Place,
    ReasonCode,
};
use nearprint_search::Bands;
use proptest::prelude::*;

use super::*;
use crate::{Arrival, EngineSettings, Relation, Role, TextFeatures};

/// A text made of the words of a small vocabulary, and of numbers.
fn text(words: &[u8]) -> String {
    let word = |word: &u8| if *word < 20 { format!("word{word} ") } else { format!("{word} ") };
    words.iter().map(word).collect()
}

fn record(number: usize, scheme: Scheme, text: &str) -> FingerprintRecord {
    let printed = fingerprint(scheme, text);
    let (tokens, short) = (printed.tokens(), printed.is_short());
    let outcome = match printed.into_fingerprint() {
        Some(fingerprint) => Outcome::print(fingerprint, tokens, short),
        None => Outcome::nothing(ReasonCode::NO_TOKENS, "no word"),
    };
    let id = DocumentId::new(format!("d{number}")).unwrap();
    FingerprintRecord::new(id, Place::default(), scheme, outcome)
}

/// All decisions about some texts, the first ones being references.
fn decided(
    settings: &Dedup,
    texts: &[String],
    references: usize,
) -> (Vec<DecisionRow>, DecisionCounts) {
    // No room in memory, so that files are read too.
    let engine = Engine::new(EngineSettings { memory: 256, ..EngineSettings::default() });
    let mut gathered = settings.gather(&engine).unwrap();
    for (number, text) in texts.iter().enumerate() {
        let role = if number < references { Role::Reference } else { Role::Candidate };
        let features = (&settings.verification().features(text)).into();
        gathered
            .push(
                &record(number, settings.print_scheme(), text),
                Some(&features),
                role,
                Arrival::default(),
            )
            .unwrap();
    }
    // Every pair is a candidate where it agrees in one position: what is left is verification.
    let search = Search::within(128).bands(Some(Bands::new(128, 1).unwrap()));
    let decisions = settings.decide(&mut gathered, search).unwrap();
    let mut rows = Vec::new();
    decisions
        .for_each(&mut gathered, |row| {
            rows.push(row);
            Ok::<_, Error>(())
        })
        .unwrap();
    // The page of a report shows the most similar ones.
    let contradicting = rows.iter().filter(|row| row.reason == DecisionReason::Contradicts).count();
    let shown = decisions.contradictions(&mut gathered).unwrap();
    assert_eq!(shown.len(), contradicting.min(12));
    (rows, decisions.counts())
}

fn texts_of(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// The same by the definition: for each document in the order wanted, the first kept one that it is similar to; for one
/// that is too short to compare, that is identical.
fn slowly(settings: &Dedup, texts: &[String], references: usize) -> Vec<Option<usize>> {
    let features: Vec<TextFeatures> =
        texts.iter().map(|text| settings.verification().features(text)).collect();
    let words: Vec<u64> =
        texts.iter().map(|text| fingerprint(settings.print_scheme(), text).tokens()).collect();
    let is_short = |at: usize| words[at] < settings.least_words;
    let mut order: Vec<usize> = (0..texts.len()).filter(|&at| words[at] > 0).collect();
    let rank = |at: usize| if settings.keep == Keep::Longest { u64::MAX - words[at] } else { 0 };
    order.sort_by_key(|&at| (at >= references, rank(at), at));
    let mut kept: Vec<usize> = Vec::new();
    let mut of = vec![None; texts.len()];
    for &at in &order {
        let similar = |&&kept: &&usize| {
            if is_short(at) || is_short(kept) {
                return features[kept].digests.text == features[at].digests.text;
            }
            let relation = settings.rule().relation(&features[kept], &features[at]);
            relation == Relation::Duplicate
        };
        match kept.iter().find(similar) {
            // What stands for a text is the one wanted most among those that have it.
            Some(&first) if at >= references => of[at] = Some(first),
            _ => kept.push(at),
        }
    }
    of
}

proptest! {
    #[test]
    fn decisions_are_what_the_definition_says(
        texts in prop::collection::vec(prop::collection::vec(prop::sample::select(vec![0u8, 1, 2, 3, 21, 22]), 0..14), 0..24),
        longest: bool,
        at in prop::sample::select(vec![0.2, 0.5, 0.7, 1.0]),
        references in 0usize..6,
        policy in prop::sample::select(vec![Policy::Exact, Policy::Careful, Policy::Loose]),
    ) {
        let texts: Vec<String> = texts.iter().map(|words| text(words)).collect();
        let keep = if longest { Keep::Longest } else { Keep::First };
        let settings = Dedup::default().threshold(at).keep(keep).policy(policy);
        let references = references.min(texts.len());
        let (rows, counts) = decided(&settings, &texts, references);
        let wanted = slowly(&settings, &texts, references);
        prop_assert_eq!(rows.len(), texts.len() - references);
        for (row, wanted) in rows.iter().zip(&wanted[references..]) {
            let of = wanted.map(|of| format!("d{of}"));
            let found = (row.decision == Decision::Drop).then(|| row.representative.as_ref().unwrap().to_string());
            prop_assert_eq!(found, of, "{:?}", row);
        }
        let kept = rows.iter().filter(|row| row.decision == Decision::Keep).count() as u64;
        prop_assert_eq!((counts.kept, counts.dropped()), (kept, rows.len() as u64 - kept));
    }

    #[test]
    fn every_cluster_has_one_survivor_and_every_document_a_row(
        texts in prop::collection::vec(prop::collection::vec(0u8..3, 0..14), 0..24),
        chains: bool,
    ) {
        let texts: Vec<String> = texts.iter().map(|words| text(words)).collect();
        let settings = Dedup::default().threshold(0.3).chains(chains).policy(Policy::Loose);
        let (rows, counts) = decided(&settings, &texts, 0);
        prop_assert_eq!(rows.len(), texts.len());
        for number in 1..=counts.clusters {
            let members: Vec<_> = rows.iter().filter(|row| row.cluster == Some(number)).collect();
            prop_assert!(members.len() > 1);
            let survivors: Vec<_> = members.iter().filter(|row| row.decision == Decision::Keep).collect();
            prop_assert_eq!(survivors.len(), 1);
            prop_assert_eq!(survivors[0].reason, DecisionReason::Representative);
            for member in &members {
                prop_assert_eq!(member.representative.as_ref(), Some(&survivors[0].id));
            }
            let first = rows.iter().position(|row| row.cluster == Some(number));
            let before = rows.iter().position(|row| row.cluster == Some(number - 1));
            prop_assert!(number == 1 || before < first);
        }
    }
}

#[test]
fn what_cannot_be_compared_is_kept_and_says_so() {
    let texts = ["", "fog", "fog", "fog came in at noon", "Fog came in. At noon!", "rain"];
    let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
    let (rows, counts) = decided(&Dedup::default(), &texts, 0);
    let found: Vec<_> = rows.iter().map(|row| (row.decision, row.reason)).collect();
    use DecisionReason::{Identical, NoFingerprint, Representative, SameWords, TooShort};
    let wanted = [
        (Decision::Keep, NoFingerprint),
        (Decision::Keep, Representative),
        (Decision::Drop, Identical),
        (Decision::Keep, Representative),
        (Decision::Drop, SameWords),
        (Decision::Keep, TooShort),
    ];
    assert_eq!(found, wanted);
    assert_eq!(rows[0].failure, Some(ReasonCode::NO_TOKENS));
    assert_eq!((counts.too_short, counts.without_fingerprint), (1, 1));
    assert_eq!((counts.identical, counts.same_words), (1, 1));
}

#[test]
fn what_repeats_few_words_drops_only_what_is_identical_as_rows_of_pairs_say() {
    let texts = [
        "no no no no no no",
        "No. No. No. No. No. No.",
        "no no no no no no\n",
        "no no no no no no no",
    ];
    let texts = texts_of(&texts);
    for policy in [Policy::Exact, Policy::Careful, Policy::Loose] {
        for chains in [false, true] {
            let settings = Dedup::default().policy(policy).chains(chains);
            let (rows, _) = decided(&settings, &texts, 0);
            let dropped: Vec<_> = rows.iter().map(|row| row.decision == Decision::Drop).collect();
            assert_eq!(dropped, [false, false, true, false], "{policy:?} {chains}");
            assert_eq!(rows[2].reason, DecisionReason::Identical);
        }
    }
    let verification = Verification::default();
    let features = texts.iter().map(|text| verification.features(text)).collect::<Vec<_>>();
    let said = |other: usize| verification.duplication(&features[0], &features[other]);
    assert_eq!(said(1).reason().as_deref(), Some("too-short"));
    assert_eq!(said(1).is_duplicate(), Some(false));
    assert_eq!(said(2).is_duplicate(), Some(true));
    // By more words there is nothing to compare either, but fewer may be asked for.
    let (rows, _) =
        decided(&Dedup::default().least_words(2_u64), &texts_of(&["no no", "No, no"]), 0);
    assert_eq!(rows[1].decision, Decision::Drop);
}

#[test]
fn chains_lead_further_than_stars() {
    // Each shares most with the next, and less and less with the first.
    let texts: Vec<String> =
        (0..6u8).map(|from| text(&(from..from + 12).collect::<Vec<_>>())).collect();
    let dropped = |chains: bool| {
        let settings = Dedup::default().threshold(0.6).chains(chains).policy(Policy::Loose);
        decided(&settings, &texts, 0).1.dropped()
    };
    assert_eq!((dropped(false), dropped(true)), (4, 5));
}

#[test]
fn a_contradicting_document_is_kept_and_says_what_it_contradicts() {
    let well = "The water of this well holds 0,25 mg of it in a litre, as two laboratories found in spring";
    let texts = [
        well.to_owned(),
        well.replace("25", "40"),
        well.replace("25", "40").replace("spring", "summer, after 3 dry weeks"),
        well.replace("25", "40").to_uppercase(),
    ];
    let (rows, counts) = decided(&Dedup::default(), &texts, 0);
    let found: Vec<_> = rows.iter().map(|row| (row.decision, row.reason)).collect();
    use DecisionReason::{Contradicts, SameWords, Unique};
    let (keep, drop) = (Decision::Keep, Decision::Drop);
    assert_eq!(
        found,
        [(keep, Unique), (keep, Contradicts), (keep, Contradicts), (drop, SameWords)]
    );
    assert_eq!(rows[1].nearest.as_ref().unwrap().as_str(), "d0");
    assert_eq!(rows[1].contradicts.as_deref(), Some("1 number"));
    assert_eq!(rows[1].representative.as_ref().unwrap().as_str(), "d1");
    assert_eq!(rows[2].contradicts.as_deref(), Some("1 word"));
    assert_eq!(rows[3].differs.as_deref(), Some("writing"));
    assert_eq!((counts.kept, counts.contradicts), (3, 2));
    for (policy, dropped) in [(Policy::Exact, 0), (Policy::Careful, 1), (Policy::Loose, 2)] {
        let settings = Dedup::default().policy(policy);
        assert_eq!(decided(&settings, &texts, 0).1.dropped(), dropped, "{policy:?}");
    }
}

#[test]
fn the_threshold_is_for_other_words_alone() {
    let list = "1 apples 2 pears 3 plums 4 cherries 5 walnuts 6 onions 7 carrots";
    let texts = [list.to_owned(), list.replace(|c: char| c.is_ascii_digit(), "")];
    let dropped = |settings: Dedup| decided(&settings.threshold(0.99), &texts, 0).1.dropped();
    assert_eq!(dropped(Dedup::default()), 1);
    assert_eq!(dropped(Dedup::default().policy(Policy::Loose)), 0);
}

#[test]
fn a_reference_must_come_first() {
    let settings = Dedup::default();
    let mut gathered = settings.gather(&Engine::default()).unwrap();
    let one = record(0, settings.print_scheme(), "fog came in at noon");
    gathered.push(&one, None, Role::Candidate, Arrival::default()).unwrap();
    let late = gathered.push(&one, None, Role::Reference, Arrival::default());
    assert!(matches!(late, Err(Error::LateReference)));
}
