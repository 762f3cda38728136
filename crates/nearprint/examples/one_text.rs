//! Compares two texts and their fingerprints: `cargo run --example one_text -- TEXT TEXT`.

use nearprint::fingerprint::{Scheme, fingerprint};
use nearprint::search::Measure;
use nearprint::{Verification, compare_texts};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let texts: Vec<String> = std::env::args().skip(1).collect();
    let [one, other] = &texts[..] else { return Err("give two texts".into()) };
    let prints = [one, other].map(|text| fingerprint(Scheme::SD1, text));
    for (text, print) in texts.iter().zip(&prints) {
        match print.fingerprint() {
            Some(fingerprint) => println!("{fingerprint}\t{text}"),
            None => println!("no fingerprint\t{text}"),
        }
    }
    if let [Some(one), Some(other)] = prints.each_ref().map(|print| print.fingerprint()) {
        println!("distance\t{} of 64 bits", one.distance(other)?);
    }
    // Fingerprints estimate; the texts themselves decide.
    let found = compare_texts(one, other, Verification::new(Measure::Jaccard));
    println!("similarity of the texts\t{:.4}", found.similarity);
    Ok(())
}
