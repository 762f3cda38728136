//! Speed of verified queries of an index of sketches: `cargo bench -p nearprint-index --bench sketches --
//! documents=1000000 queries=2000`.
//!
//! Keys: `documents` (in batches of 20,000), `queries` (one by one), `scans` (queries whose answers are compared with
//! those of a scan of all sketches), `directory` (of the index, used as it is where there is one; a temporary one
//! unless stated). Without any, a small form shows that everything runs. Prints a line `NAME TAB VALUE` for each
//! measure.
//!
//! Documents are made up: 100 to 500 words of a vocabulary of 50,000, the n-th with a frequency of 1/n. Every four are
//! editions of one text, with up to a fifth of the words exchanged. Three of ten begin with one of 200 templates of 60
//! words, and one of twenty with a notice of 60 words that is always the same.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use nearprint::fingerprint::Scheme;
use nearprint::records::{Document, DocumentId, ErrorRecord};
use nearprint::search::Measure;
use nearprint::{
    Candidates, Documents, Engine, Error, NearRequest, OnDuplicate, Settings as Reading,
};
use nearprint::{Verification, VerifiedQuery};
use nearprint_index::{DiskIndex, Settings, StoredDocument};

/// Documents that are inserted together.
const BATCH: u64 = 20_000;

/// Times that each query is asked, of which the least is reported: other work on the machine interrupts some of them.
const TIMES: u32 = 5;

const VOCABULARY: f64 = 50_000.0;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn word(&mut self, text: &mut String) {
        let mut rank = (self.share() * VOCABULARY.ln()).exp() as u64;
        text.push(' ');
        while rank > 0 {
            text.push((b'a' + (rank % 26) as u8) as char);
            rank /= 26;
        }
        text.push('o');
    }
}

fn words(seed: u64, count: u64, text: &mut String) {
    let mut random = Random(seed);
    (0..count).for_each(|_| random.word(text));
}

/// The text of a document; an edition of another number is a variant of it that is in no index.
fn text(number: u64, edition: u64) -> String {
    let mut text = String::new();
    let (mut of_text, mut of_edition) = (Random(number / 4), Random(number ^ edition << 40));
    match of_text.below(20) {
        0 => words(1 << 50, 60, &mut text),
        1..=6 => words(1 << 51 | of_text.below(200), 60, &mut text),
        _ => {}
    }
    let count = 100 + of_text.below(401);
    let exchanged = of_edition.share() * 0.2;
    let mut unused = String::new();
    for _ in 0..count {
        let is_exchanged = of_edition.share() < exchanged;
        of_text.word(if is_exchanged { &mut unused } else { &mut text });
        if is_exchanged {
            of_edition.word(&mut text);
        }
    }
    text
}

fn id(number: u64) -> DocumentId {
    DocumentId::new(format!("https://www.example.org/pages/{number:012}.html")).expect("an id")
}

fn say(name: &str, value: f64) {
    println!("{name}\t{value:.2}");
}

/// A number given as `name=number`.
fn number(name: &str, default: u64) -> u64 {
    let given = std::env::args()
        .find_map(|argument| argument.strip_prefix(name)?.strip_prefix('=')?.parse().ok());
    given.unwrap_or(default)
}

/// Mebibytes resident: now, and the most so far; where the system tells.
fn memory() -> [f64; 2] {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    ["VmRSS:", "VmHWM:"].map(|name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kibibytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok());
        kibibytes.unwrap_or(f64::NAN) / 1024.0
    })
}

fn percentiles(name: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize] * 1e3;
    say(&format!("{name}, p50 ms"), at(0.5));
    say(&format!("{name}, p99 ms"), at(0.99));
    say(&format!("{name}, p99.9 ms"), at(0.999));
    say(&format!("{name}, most ms"), at(1.0));
}

fn fill(path: &Path, documents: u64) {
    let settings = Settings::default().features(true);
    let index = DiskIndex::create(path, Scheme::MD1, settings).expect("a new index");
    let engine = Engine::default();
    let pipeline = engine.pipeline(Reading::default().scheme(Scheme::MD1));
    let (mut reading, mut inserting) = (0.0, 0.0);
    for first in (0..documents).step_by(BATCH as usize) {
        let start = Instant::now();
        let mut source = (first..documents.min(first + BATCH))
            .map(|number| Ok::<_, ErrorRecord>(Document::from_bytes(id(number), text(number, 0))));
        let mut batch = Vec::new();
        let read = pipeline.read(&mut source, &index.wanted(), |record, made, _| {
            batch.extend(StoredDocument::of_record(&record, made));
            Ok::<_, Error>(())
        });
        read.expect("texts");
        reading += start.elapsed().as_secs_f64();
        let start = Instant::now();
        index.insert_documents(&batch, OnDuplicate::Refuse).expect("new ids");
        inserting += start.elapsed().as_secs_f64();
    }
    let start = Instant::now();
    index.merge_segments().expect("a whole index");
    say("reading the texts, s", reading);
    say("insertion, s", inserting);
    say("merges after it, s", start.elapsed().as_secs_f64());
    say("memory at most, MiB", memory()[1]);
}

/// Queries by variants of documents that are there.
fn queries(count: u64, documents: u64) -> Vec<VerifiedQuery> {
    let engine = Engine::default();
    let pipeline = engine.pipeline(Reading::default().scheme(Scheme::MD1));
    let verification = Verification::new(Measure::Jaccard);
    let mut random = Random(7);
    let query = |_| {
        let text = text(random.below(documents), 1);
        let document = Document::from_bytes(id(0), text);
        let query = VerifiedQuery::of(&pipeline, document, Some(verification));
        query.expect("a text").expect("nobody cancels")
    };
    (0..count).map(query).collect()
}

fn main() {
    let (documents, count) = (number("documents", 1_000), number("queries", 50));
    let scans = number("scans", 20);
    let directory = tempfile::tempdir().expect("a directory");
    let given =
        std::env::args().find_map(|argument| Some(argument.strip_prefix("directory=")?.to_owned()));
    let path = given.map_or_else(|| directory.path().join("index"), PathBuf::from);
    if !path.exists() {
        fill(&path, documents);
    }
    let start = Instant::now();
    let index = DiskIndex::open_read_only(&path, Settings::default()).expect("an index");
    say("opening for reading, ms", start.elapsed().as_secs_f64() * 1e3);
    let statistics = index.statistics().expect("an index");
    let all = statistics.documents as f64;
    say("documents", all);
    say("segments", statistics.segments as f64);
    say("tables, bytes a document", statistics.table_bytes as f64 / all);
    say("store, bytes a document", statistics.store_bytes as f64 / all);
    let queries = queries(count, documents);
    let before = memory()[0];
    let verification = Verification::new(Measure::Jaccard);
    let candidates = Candidates::of(verification);
    let ask = |query: &VerifiedQuery| {
        let search = candidates.search();
        let request = NearRequest::new(query, &search);
        let request = NearRequest { candidates: Some(candidates), ..request };
        let mut found = Vec::new();
        let asked = index.near(&request, &mut |near| {
            found.push(near);
            ControlFlow::Continue(())
        });
        asked.expect("features");
        found
    };
    let mut found = 0;
    let mut timed = |queries: &[VerifiedQuery]| {
        let times = queries.iter().map(|query| {
            let start = Instant::now();
            found += ask(query).len();
            start.elapsed().as_secs_f64()
        });
        times.collect::<Vec<f64>>()
    };
    percentiles("verified queries, first time", timed(&queries));
    say("memory more after these, MiB", memory()[0] - before);
    let mut least = timed(&queries);
    percentiles("verified queries, warm", least.clone());
    for _ in 1..TIMES {
        least.iter_mut().zip(timed(&queries)).for_each(|(least, time)| *least = least.min(time));
    }
    percentiles(&format!("verified queries, warm, least of {TIMES} times of each"), least);
    say("matches of a query", found as f64 / f64::from(TIMES + 1) / count as f64);

    let (mut wanted, mut proposed, mut missed) = (0, 0, 0);
    let mut times = Vec::new();
    for query in queries.iter().take(scans as usize) {
        let start = Instant::now();
        let near = index.query(query.fingerprint(), candidates.distance()).expect("an index");
        times.push(start.elapsed().as_secs_f64());
        proposed += near.len();
        let answers = ask(query);
        for near in near {
            let document = index.document(&near.id).expect("an index").expect("it is there");
            let features = document.features.expect("they are kept").features.unpack();
            if verification.verified(query.features(), &features).is_some() {
                wanted += 1;
                missed += usize::from(answers.iter().all(|found| found.id != near.id));
            }
        }
    }
    percentiles("scans of all sketches", times);
    say("within the distance, of a query", proposed as f64 / scans as f64);
    say("matches that a scan finds", wanted as f64);
    say("of these found by bands, %", 100.0 * (1.0 - missed as f64 / wanted as f64));
    let near: Vec<_> = queries.iter().map(|query| query.fingerprint().clone()).collect();
    let within = |k: u32, near: &[_]| {
        let times = near.iter().map(|print| {
            let start = Instant::now();
            std::hint::black_box(index.query(print, k).expect("an index"));
            start.elapsed().as_secs_f64()
        });
        times.collect::<Vec<f64>>()
    };
    percentiles("exact queries within 40", within(40, &near));
}
