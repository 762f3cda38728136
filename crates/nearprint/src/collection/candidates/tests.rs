//! The shares that candidates promise, against what is found.

use nearprint_fingerprint::fingerprint;
use nearprint_records::DocumentId;

use super::*;
use crate::{Error, FeatureStore, PrintSet};

/// Numbers that look random, the same ones in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (self.0 ^ self.0 >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ mixed >> 29
    }

    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A word of a vocabulary of some 30,000, the n-th about 1/n as frequent as the first, as in running text.
    fn word(&mut self) -> String {
        let mut rank = 30_000f64.powf(self.share()) as u64;
        let mut word = String::new();
        while rank > 0 || word.is_empty() {
            let syllables = ["ka", "lo", "mi", "ne", "ru", "sa", "ti", "vo", "be", "du", "fa"];
            word.push_str(syllables[(rank % 11) as usize]);
            rank /= 11;
        }
        word
    }
}

#[test]
fn thresholds_choose_distance_and_bands() {
    let by = |measure, at| Candidates::of(Verification::new(measure).at(at));
    for (at, distance, bands) in [
        (0.2, 121, "128x1"),
        (0.3, 111, "64x2"),
        (0.5, 87, "64x2"),
        (0.7, 60, "32x4"),
        (1.0, 0, "1x128"),
    ] {
        let candidates = by(Measure::Jaccard, at);
        let found = candidates.used_bands().unwrap().to_string();
        assert_eq!((candidates.distance(), found.as_str()), (distance, bands), "{at}");
        assert!(candidates.share().unwrap() > 0.99, "{at}");
    }
    let parts = by(Measure::Containment, 0.8);
    assert_eq!((parts.distance(), parts.share()), (127, None));
    let times = parts.longest_whole(0.95).unwrap();
    assert!((parts.share_of_parts(times).unwrap() - 0.95).abs() < 1e-9);
    assert_eq!(
        parts.to_string(),
        "candidates include 95 % of parts (containment 0.8) of documents 34 times as long, 50 % of documents 147 times as long"
    );
    assert_eq!(
        by(Measure::Jaccard, 0.3).to_string(),
        "candidates include 99.7 % of pairs with jaccard 0.3"
    );
    // No bands find all pairs that share little.
    let whole = Candidates::of(Verification::new(Measure::Jaccard).at(0.02)).recall(Some(1.0));
    assert!(whole.share().unwrap() < 0.93, "{whole}");
    let nearly = Candidates::of(Verification::new(Measure::Jaccard)).recall(Some(1.0));
    assert!(!nearly.to_string().contains("100 %"), "{nearly}");
    // What the caller asks for comes first, and what is not known is not promised.
    let verification = Verification::new(Measure::Jaccard);
    let asked = Candidates::of(verification).bands(Some(Bands::new(20, 4).unwrap()));
    assert!(asked.share().unwrap() < 0.2);
    assert_eq!(asked.used_bands().unwrap().to_string(), "20x4");
    assert_eq!(Candidates::of(verification).recall(Some(0.5)).used_bands(), None);
    assert_eq!(Candidates::of(verification).within(Some(60)).share(), None);
    for scheme in [Scheme::SD1, Scheme::WD1] {
        let unknown = Candidates::by(scheme, verification);
        assert_eq!((unknown.share(), unknown.to_string()), (None, String::new()));
    }
}

#[test]
fn the_share_of_pairs_at_the_threshold_is_found() {
    let mut numbers = Numbers(1);
    for at in [0.15, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] {
        let candidates = Candidates::of(Verification::new(Measure::Jaccard).at(at));
        let bands = candidates.bands.unwrap();
        let trials = 20_000;
        let found = (0..trials)
            .filter(|_| {
                // Positions of two sketches agree with the probability of the similarity.
                let agree: Vec<bool> =
                    (0..SKETCH_POSITIONS).map(|_| numbers.share() < at).collect();
                let rows = bands.rows() as usize;
                let in_band = agree.chunks_exact(rows).any(|band| band.iter().all(|agree| *agree));
                let differing = agree.iter().filter(|agree| !**agree).count() as u32;
                in_band && differing <= candidates.distance()
            })
            .count();
        let (found, share) = (found as f64 / f64::from(trials), candidates.share().unwrap());
        let error = (share * (1.0 - share) / f64::from(trials)).sqrt();
        assert!(found >= share - 4.0 * error - 1e-9, "{at}: {found} of {share}");
        assert!(share > 0.99, "{at}: {share}");
    }
}

/// Long documents, and cuts of them in which some words are others.
fn wholes_and_cuts(numbers: &mut Numbers, words: usize, times: usize) -> Vec<String> {
    let mut documents = Vec::new();
    for _ in 0..6 {
        let whole: Vec<String> = (0..words).map(|_| numbers.word()).collect();
        documents.push(whole.join(" "));
        for cut in whole.chunks_exact(words / times) {
            let changed = cut.iter().enumerate().map(|(at, word)| {
                // Each changes three shingles: of some 0.85 the cut is a part.
                if at % 20 == 7 { format!("{word}xyz") } else { word.clone() }
            });
            documents.push(changed.collect::<Vec<_>>().join(" "));
        }
    }
    documents
}

#[test]
fn parts_of_long_documents_are_found_as_promised() {
    let mut numbers = Numbers(7);
    let verification = Verification::new(Measure::Containment);
    let candidates = Candidates::of(verification);
    for (words, times) in [(12_000, 8), (18_000, 34), (36_000, 100)] {
        let documents = wholes_and_cuts(&mut numbers, words, times);
        let (mut set, mut store) = (PrintSet::new(candidates.scheme()), FeatureStore::new(1 << 30));
        for (number, text) in documents.iter().enumerate() {
            let print = fingerprint(candidates.scheme(), text).into_fingerprint().unwrap();
            set.push(&DocumentId::new(number.to_string()).unwrap(), &print).unwrap();
            store.push(&verification.features(text)).unwrap();
        }
        let features = |at| store.get(at).unwrap();
        let mut wanted = 0;
        for a in 0..documents.len() {
            let whole = features(a);
            wanted += (a + 1..documents.len())
                .filter(|&b| verification.verified(&whole, &features(b)).is_some())
                .count();
        }
        assert_eq!(wanted, 6 * times, "every cut is part of its document, and of nothing else");
        let search = candidates.search();
        let found = search
            .verified_pairs(&set, &store, None, verification, |_| Ok::<_, Error>(()))
            .unwrap()
            .found;
        let (found, share) =
            (found as f64 / wanted as f64, candidates.share_of_parts(times as f64).unwrap());
        let error = (share * (1.0 - share) / wanted as f64).sqrt();
        assert!(found >= share - 3.0 * error, "{times} times as long: {found} of {share}");
        // What a search by sketches of similar documents finds of them is next to nothing.
        let similar = Candidates::of(Verification::new(Measure::Jaccard)).search();
        let before = similar
            .verified_pairs(&set, &store, None, verification, |_| Ok::<_, Error>(()))
            .unwrap()
            .found;
        assert!(times < 30 || before * 10 < wanted as u64, "{before} of {wanted}");
    }
}
