//! What it costs to keep texts: an index with texts beside one of the same documents without them, as they grow.
//!
//! `cargo bench -p nearprint-index --bench texts -- megabytes=5000` prints a table. Not a test.
//!
//! Keys: `megabytes` (of text), `directory` (of both indexes, used as they are where they are there; a temporary one
//! unless stated), `commits` and `queries` (of each round; what is measured is measured in three rounds, in each the
//! index without texts first), `seconds` (for each number of threads that add documents one by one).

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::DocumentId;
use nearprint::{Documents, OnDuplicate};
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

/// A number given as `name=number`.
fn number(name: &str, default: u64) -> u64 {
    let given = std::env::args()
        .find_map(|argument| argument.strip_prefix(name)?.strip_prefix('=')?.parse().ok());
    given.unwrap_or(default)
}

/// Prints milliseconds of which half, and all but one in 100, took less.
fn say(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| {
        let time = times.get((times.len().saturating_sub(1) as f64 * share) as usize);
        time.map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
    };
    println!("{name} p50 {:.4} ms, p99 {:.4} ms", at(0.5), at(0.99));
}

fn times(count: u64, mut work: impl FnMut(u64)) -> Vec<Duration> {
    let timed = |number| {
        let begun = Instant::now();
        work(number);
        begun.elapsed()
    };
    (0..count).map(timed).collect()
}

/// Documents that so many threads add one by one, a second.
fn single(index: &DiskIndex, threads: u64, next: &AtomicU64) -> f64 {
    let time = Duration::from_secs(number("seconds", 5));
    let (begun, before) = (Instant::now(), next.load(Ordering::Relaxed));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while begun.elapsed() < time {
                    let new = document(next.fetch_add(1, Ordering::Relaxed));
                    index.insert_documents(&[new], OnDuplicate::Refuse).expect("a new id");
                }
            });
        }
    });
    (next.load(Ordering::Relaxed) - before) as f64 / begun.elapsed().as_secs_f64()
}

fn settings(texts: bool) -> Settings {
    Settings::default().cache(64 << 20).texts(texts)
}

/// Makes an index of so much text, and says what it takes.
fn fill(path: &Path, name: &str, texts: bool, megabytes: u64) {
    let index = DiskIndex::create(path, Scheme::SD1, settings(texts)).expect("a new directory");
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
    println!("{name}: {number} documents, {megabytes} MiB of text, filled at {rate:.0} a second");
}

fn measure(index: &DiskIndex, name: &str, next: &AtomicU64) {
    let documents = index.statistics().expect("an index").documents;
    let commits = times(number("commits", 300), |_| {
        let new = document(next.fetch_add(1, Ordering::Relaxed));
        index.insert_documents(&[new], OnDuplicate::Refuse).expect("a new id");
    });
    say(&format!("{name}: commit of one document"), commits);
    let queries = number("queries", 20_000);
    let near = times(queries, |at| {
        index.query(&print(at * 31), 3).expect("an index");
    });
    say(&format!("{name}: query"), near);
    let found = times(queries, |at| {
        let id = DocumentId::new(format!("https://example.org/{}", at * 7919 % documents));
        index.document(&id.expect("an id")).expect("an index");
    });
    say(&format!("{name}: document by id"), found);
}

fn main() {
    let temporary = tempfile::tempdir().expect("a directory");
    let given =
        std::env::args().find_map(|argument| Some(argument.strip_prefix("directory=")?.to_owned()));
    let directory = given.map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    let open = |(name, texts)| {
        let path = directory.join(name);
        if !path.exists() {
            fill(&path, name, texts, number("megabytes", 100));
        }
        let index = DiskIndex::open(&path, settings(texts)).expect("an index");
        index.read_all().expect("an index");
        let statistics = index.statistics().expect("an index");
        println!("{name}: store {} MiB", statistics.store_bytes >> 20);
        // Documents have the numbers below this one, as none is ever removed.
        (index, name, AtomicU64::new(statistics.documents))
    };
    let indexes = [("without", false), ("with texts", true)].map(open);
    for _ in 0..3 {
        for (index, name, next) in &indexes {
            measure(index, name, next);
        }
    }
    for (index, name, next) in &indexes {
        for threads in [1, 8, 64] {
            let rate = single(index, threads, next);
            println!("{name}: one by one from {threads} threads {rate:.0} a second");
        }
    }
}
