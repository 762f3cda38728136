//! What it costs to keep texts: an index with texts beside one of the same documents without them, as they grow.
//!
//! `cargo bench -p nearprint-index --bench texts -- [MEGABYTES OF TEXT]` prints a table. Not a test.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::DocumentId;
use nearprint::{Index, OnDuplicate};
use nearprint_index::{DiskIndex, Settings, StoredDocument, StoredText};

const BATCH: u64 = 10_000;

/// A fingerprint spread over all bits.
fn print(number: u64) -> Fingerprint {
    let mut bits = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 31).wrapping_mul(0xd6e8_feb8_6659_fd93);
    Fingerprint::from_u64(Scheme::SD1, bits ^ bits >> 32).expect("64 bits")
}

/// The text of a number: some 250 words, of which few are frequent, as in a language.
fn text(number: u64) -> StoredText {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut text = String::new();
    for _ in 0..250 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // The product of two equal distributions falls off as ranks of words do.
        let mut rest = (state >> 16 & 0xff) * (state >> 32 & 0x3f) + 8;
        let syllables = ["ka", "lo", "mer", "tin", "sa", "vu", "pre", "dol"];
        while rest > 0 {
            text.push_str(syllables[rest as usize % syllables.len()]);
            rest /= syllables.len() as u64;
        }
        text.push(' ');
    }
    StoredText { text, main_content: Vec::new() }
}

fn document(number: u64) -> StoredDocument {
    let id = DocumentId::new(format!("https://example.org/{number}")).expect("an id");
    StoredDocument { text: Some(text(number)), ..StoredDocument::new(id, print(number)) }
}

/// Milliseconds of which half, and all but one in 100, took less.
fn percentiles(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    (at(0.5), at(0.99))
}

fn times(count: u64, mut work: impl FnMut(u64)) -> (f64, f64) {
    let timed = |number| {
        let begun = Instant::now();
        work(number);
        begun.elapsed()
    };
    percentiles((0..count).map(timed).collect())
}

/// Documents that so many threads add one by one, a second.
fn single(index: &DiskIndex, threads: u64, next: &AtomicU64) -> f64 {
    let (begun, before) = (Instant::now(), next.load(Ordering::Relaxed));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while begun.elapsed() < Duration::from_secs(5) {
                    let new = document(next.fetch_add(1, Ordering::Relaxed));
                    index.insert_documents(&[new], OnDuplicate::Refuse).expect("a new id");
                }
            });
        }
    });
    (next.load(Ordering::Relaxed) - before) as f64 / begun.elapsed().as_secs_f64()
}

fn measure(path: &Path, texts: bool, megabytes: u64) {
    let settings = Settings::default().cache(64 << 20).texts(texts);
    let index = DiskIndex::create(path, Scheme::SD1, settings).expect("a new directory");
    let (begun, mut bytes, mut number) = (Instant::now(), 0, 0);
    while bytes < megabytes << 20 {
        let documents: Vec<_> = (number..number + BATCH).map(document).collect();
        bytes += documents
            .iter()
            .map(|new| new.text.as_ref().map_or(0, |text| text.text.len() as u64))
            .sum::<u64>();
        index.insert_documents(&documents, OnDuplicate::Refuse).expect("new ids");
        number += BATCH;
    }
    let rate = number as f64 / begun.elapsed().as_secs_f64();
    index.merge_segments().expect("an index");
    index.read_all().expect("an index");
    let next = AtomicU64::new(number);
    let store = index.statistics().expect("an index").store_bytes >> 20;
    let name = if texts { "with texts" } else { "without" };
    println!("{name}: {number} documents, {megabytes} MiB of text, store {store} MiB");
    println!("{name}: filled at {rate:.0} a second");
    let (middle, most) = times(300, |_| {
        let new = document(next.fetch_add(1, Ordering::Relaxed));
        index.insert_documents(&[new], OnDuplicate::Refuse).expect("a new id");
    });
    println!("{name}: commit of one document p50 {middle:.2} ms, p99 {most:.2} ms");
    let (middle, most) = times(20_000, |at| {
        index.query(&print(at * 31), 3).expect("an index");
    });
    println!("{name}: query p50 {middle:.4} ms, p99 {most:.4} ms");
    let (middle, most) = times(20_000, |at| {
        let id = DocumentId::new(format!("https://example.org/{}", at * 7919 % number));
        index.document(&id.expect("an id")).expect("an index");
    });
    println!("{name}: document by id p50 {middle:.4} ms, p99 {most:.4} ms");
    for threads in [1, 8, 64] {
        let rate = single(&index, threads, &next);
        println!("{name}: one by one from {threads} threads {rate:.0} a second");
    }
}

fn main() {
    let megabytes = std::env::args().filter_map(|argument| argument.parse().ok()).next();
    let directory = tempfile::tempdir().expect("a directory");
    for texts in [false, true] {
        measure(&directory.path().join(format!("{texts}")), texts, megabytes.unwrap_or(100));
    }
}
