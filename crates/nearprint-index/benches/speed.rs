//! Speed of the index on disk beside the one in memory: `cargo bench -p nearprint-index -- documents=10000000`.
//!
//! Keys: `documents` (loaded in durable batches of 100,000), `batches` (of 1,000, then), `singles` (then), `queries`,
//! `directory` (of the index; a temporary one unless stated). Without any, a small form shows that everything runs.
//! Prints a line `NAME TAB VALUE` for each measure. Documents are made up: every four fingerprints lie within 4 bits of
//! one another, ids are addresses of some 56 bytes in no order.

use std::path::PathBuf;
use std::time::Instant;

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::DocumentId;
use nearprint::search::QueryIndex;
use nearprint::{Documents, Index, MemoryIndex, OnDuplicate};
use nearprint_index::{DiskIndex, Settings};

fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

fn word(number: u64) -> u64 {
    mixed(number / 4) ^ 1 << (mixed(number) % 64) ^ 1 << (mixed(!number) % 64)
}

fn print(word: u64) -> Fingerprint {
    Fingerprint::from_u64(Scheme::SD1, word).expect("64 bits")
}

fn document(number: u64) -> (DocumentId, Fingerprint) {
    let (host, page) = (mixed(number) % 1_000_000, mixed(number ^ 1 << 40));
    let id = format!("https://www.host-{host}.example.org/pages/{page:016x}.html");
    (DocumentId::new(id).expect("an id"), print(word(number)))
}

fn say(name: &str, value: f64) {
    println!("{name}\t{value:.1}");
}

/// A number given as `name=number`.
fn number(name: &str, default: u64) -> u64 {
    let given = std::env::args()
        .find_map(|argument| argument.strip_prefix(name)?.strip_prefix('=')?.parse().ok());
    given.unwrap_or(default)
}

/// Mebibytes resident, where the system tells.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok());
    kibibytes.unwrap_or(f64::NAN) / 1024.0
}

/// Times of one query after the other, sorted, in microseconds.
fn one_by_one(count: u64, documents: u64, mut query: impl FnMut(u64)) -> Vec<f64> {
    let mut times: Vec<f64> = (0..count)
        .map(|at| {
            let asked = word(mixed(at ^ 0xabcd) % documents) ^ 1 << (at % 64);
            let start = Instant::now();
            query(asked);
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times
}

fn queries(name: &str, count: u64, documents: u64, index: &dyn Index) {
    for k in [3, 6] {
        let ask = |asked| {
            std::hint::black_box(index.query(&print(asked), k).expect("an index"));
        };
        percentiles(&format!("{name}, k={k}"), &one_by_one(count, documents, ask));
        let asked: Vec<_> = (0..count)
            .map(|at| print(word(mixed(at ^ 0xabcd) % documents) ^ 1 << (at % 64)))
            .collect();
        let start = Instant::now();
        let mut matches = 0;
        for asked in asked.chunks(1000) {
            let answers = index.query_batch(asked, k).expect("an index");
            matches += answers.iter().map(Vec::len).sum::<usize>();
        }
        let rate = count as f64 / start.elapsed().as_secs_f64();
        say(&format!("{name}, k={k}, matches"), matches as f64);
        say(&format!("{name}, k={k}, batches of 1,000, queries/s"), rate);
    }
}

fn percentiles(name: &str, times: &[f64]) {
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    say(&format!("{name}, p50 us"), at(0.5));
    say(&format!("{name}, p99 us"), at(0.99));
}

fn main() {
    let documents = number("documents", 2_000);
    let (batches, singles) = (number("batches", 2), number("singles", 2));
    let count = number("queries", 100);
    let directory = tempfile::tempdir().expect("a directory");
    let given =
        std::env::args().find_map(|argument| Some(argument.strip_prefix("directory=")?.to_owned()));
    let path = given.map_or_else(|| directory.path().join("index"), PathBuf::from);
    let index = DiskIndex::create(&path, Scheme::SD1, Settings::default()).expect("a new index");
    let start = Instant::now();
    let mut next = 0;
    let mut load = |index: &DiskIndex, count: u64| {
        let batch: Vec<_> = (next..next + count).map(document).collect();
        next += count;
        let start = Instant::now();
        index.insert_batch(&batch, OnDuplicate::Refuse).expect("new ids");
        start.elapsed().as_secs_f64()
    };
    for first in (0..documents).step_by(100_000) {
        load(&index, (documents - first).min(100_000));
    }
    say(
        "load in batches of 100,000, documents/s",
        documents as f64 / start.elapsed().as_secs_f64(),
    );
    let time: f64 = (0..batches).map(|_| load(&index, 1000)).sum();
    say("batches of 1,000, documents/s", (batches * 1000) as f64 / time);
    let time: f64 = (0..singles).map(|_| load(&index, 1)).sum();
    say("single documents, 1/s", singles as f64 / time);
    index.merge_segments().expect("a whole index");
    let statistics = index.statistics().expect("an index");
    let all = statistics.documents;
    say("segments", statistics.segments as f64);
    say(
        "tables, bytes a document",
        statistics.table_bytes as f64 / statistics.entries.max(1) as f64,
    );
    say("store, bytes a document", statistics.store_bytes as f64 / all as f64);
    drop(index);

    let start = Instant::now();
    let index = DiskIndex::open(&path, Settings::default()).expect("an index");
    say("opening for writing, ms", start.elapsed().as_secs_f64() * 1e3);
    drop(index);
    let start = Instant::now();
    let index = DiskIndex::open_read_only(&path, Settings::default()).expect("an index");
    say("opening for reading, ms", start.elapsed().as_secs_f64() * 1e3);
    let before = resident();
    let ask = |asked| drop(index.query(&print(asked), 3).expect("an index"));
    percentiles("first queries, k=3", &one_by_one(count.min(2000), all, ask));
    say("memory after these, MiB", resident() - before);
    index.read_all().expect("an index");
    say("memory with all tables, MiB", resident() - before);
    queries("reader", count, all, &index);
    drop(index);
    let index = DiskIndex::open(&path, Settings::default()).expect("an index");
    index.read_all().expect("an index");
    queries("writer", count, all, &index);
    drop(index);

    let memory = MemoryIndex::new(Scheme::SD1);
    for first in (0..all).step_by(100_000) {
        let batch: Vec<_> = (first..all.min(first + 100_000)).map(document).collect();
        memory.insert_batch(&batch, OnDuplicate::Refuse).expect("new ids");
    }
    queries("in memory, with ids", count, all, &memory);
    drop(memory);
    let words: Vec<u64> = (0..all).map(word).collect();
    let bare = QueryIndex::build(&words).expect("not too many");
    for k in [3, 6] {
        let ask = |asked| drop(std::hint::black_box(bare.query(asked, k).expect("k is allowed")));
        percentiles(&format!("in memory, without ids, k={k}"), &one_by_one(count, all, ask));
    }
}
