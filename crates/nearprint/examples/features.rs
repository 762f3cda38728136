//! Measures the size and the exactness of the features that verification stores: `features FOLDER`.
//!
//! Extracts the texts of all files, computes the features of each measure as they are stored and with all 64 bits of
//! their hashes, and compares every two documents in both ways. docs/VERIFICATION.md has its figures.

use std::env;

use nearprint::extract::{Hints, Limits, extract};
use nearprint::fingerprint::{Scheme, stages, tokens};
use nearprint::records::{FileSettings, FileSource};
use nearprint::search::{Measure, WeightedFeature};
use nearprint::{FeatureStore, Verification};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = env::args_os().nth(1).ok_or("name a folder of documents")?;
    let mut texts = Vec::new();
    for document in FileSource::new([folder], FileSettings::default()).flatten() {
        let bytes = document.into_bytes(1 << 30);
        let limits = Limits::default();
        if let Ok(Ok(extraction)) = bytes.map(|bytes| extract(&bytes, &Hints::default(), &limits)) {
            texts.push(extraction.text);
        }
    }
    println!("{} texts", texts.len());
    for measure in Measure::ALL {
        let verification = Verification::new(measure);
        let kept: Vec<_> = texts.iter().map(|text| verification.features(text)).collect();
        let whole: Vec<_> = texts.iter().map(|text| whole(measure, text)).collect();
        let features: usize = kept.iter().map(|kept| kept.words.len()).sum();
        let numbers: usize = kept.iter().map(|kept| kept.numbers.len()).sum();
        let lost = whole.iter().map(Vec::len).sum::<usize>() - features;
        let mut store = FeatureStore::new(u64::MAX / 2);
        for document in &kept {
            store.push(document)?;
        }
        let (mut pairs, mut unlike, mut most) = (0u64, 0u64, 0f64);
        for a in 0..kept.len() {
            for b in a + 1..kept.len() {
                let difference =
                    measure.of(&kept[a].words, &kept[b].words) - measure.of(&whole[a], &whole[b]);
                pairs += 1;
                unlike += u64::from(difference != 0.0);
                most = most.max(difference.abs());
            }
        }
        println!(
            "{}: {features} features and {numbers} numbers in {} bytes ({:.2} a feature); {lost} lost to equal hashes in one document; \
             {unlike} of {pairs} pairs differ from 64 bits, by {most:.1e} at most",
            measure.name(),
            store.bytes(),
            store.bytes() as f64 / features as f64,
        );
    }
    Ok(())
}

/// The features with all bits of their hashes.
fn whole(measure: Measure, text: &str) -> Vec<WeightedFeature> {
    let mut hashes = Vec::new();
    tokens(Scheme::SD1, text, |token| hashes.push(stages::token_hash(token.as_bytes())));
    if measure != Measure::Cosine {
        hashes = stages::shingles(hashes);
    }
    hashes.sort_unstable();
    let weight = |times: usize| if measure == Measure::Cosine { 1 + times.ilog2() } else { 1 };
    hashes.chunk_by(|a, b| a == b).map(|same| (same[0], weight(same.len()))).collect()
}
