//! A measure of tables without a store: `cargo test --release -p nearprint-index --lib -- --ignored tables_alone
//! --nocapture`, of NEARPRINT_TABLES fingerprints (10^8 unless stated) with ids of up to 9 digits, in
//! NEARPRINT_TABLES_IN.
//!
//! Every four fingerprints lie within 4 bits of one another, as in `benches/speed.rs`.

use std::fmt::Write;
use std::time::Instant;

use crate::IndexError;
use crate::segment::Segment;
use crate::store::description::Description;
use crate::store::rows::{Row, Rows, Visit};
use crate::tables::segment_writer;
use crate::tables::table_print::{Reach, TablePrint};

fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

fn word(number: u64) -> u64 {
    mixed(number / 4) ^ 1 << (mixed(number) % 64) ^ 1 << (mixed(!number) % 64)
}

struct GeneratedRows(u64);

impl Rows for GeneratedRows {
    fn visit(&self, visit: &mut Visit<'_>) -> Result<(), IndexError> {
        let mut id = String::new();
        for sequence in 0..self.0 {
            id.clear();
            let _ = write!(id, "{sequence}");
            let fingerprint = word(sequence).to_be_bytes();
            visit(Row { sequence, fingerprint: &fingerprint, id: &id })?;
        }
        Ok(())
    }
}

/// Mebibytes: resident now, and the most so far.
fn memory() -> [f64; 2] {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    ["VmRSS:", "VmHWM:"].map(|name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kibibytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok());
        kibibytes.unwrap_or(f64::NAN) / 1024.0
    })
}

fn queries(segment: &Segment, name: &str, k: u32, (count, seed): (u64, u64), all: u64) {
    let mut found = 0;
    let mut times: Vec<f64> = (0..count)
        .map(|at| {
            let asked = word(mixed(at ^ seed) % all) ^ 1 << (at % 64);
            let start = Instant::now();
            let near =
                u64::near(segment, &[asked], Reach { k, bands: None }).expect("a whole segment");
            let ids = segment.ids(&near).expect("a whole segment");
            found += ids.len();
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{name}, k={k}: p50 {:.1} us, p99 {:.1} us, mean {:.1} us, {found} matches",
        at(0.5),
        at(0.99),
        times.iter().sum::<f64>() / count as f64
    );
}

#[test]
#[ignore = "it prints measures, and tests nothing"]
fn tables_alone() {
    let given = std::env::var("NEARPRINT_TABLES").ok();
    let count: u64 = given.map_or(100_000_000, |given| given.parse().expect("a number"));
    let parent = std::env::var("NEARPRINT_TABLES_IN").unwrap_or_else(|_| ".".to_owned());
    let directory = tempfile::tempdir_in(parent).expect("a directory");
    let path = directory.path();
    std::fs::create_dir(Description::directory(path)).expect("a directory");
    let start = Instant::now();
    let rows = GeneratedRows(count);
    let described = segment_writer::write::<u64>((path, 7), 0, (0, count), &rows).expect("room");
    let seconds = start.elapsed().as_secs_f64();
    println!("built in {seconds:.1} s: {:.0} documents/s", count as f64 / seconds);
    println!("{:.1} bytes a document on disk", described.length as f64 / count as f64);
    println!("memory now and at most: {:.0?} MiB", memory());
    let before = memory()[0];
    let start = Instant::now();
    let segment = Segment::open(path, 7, 64, &described).expect("it was written");
    println!("opened in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    queries(&segment, "cold", 3, (2000, 1), count);
    println!("memory more after these: {:.0} MiB", memory()[0] - before);
    let start = Instant::now();
    segment.read_all().expect("a whole segment");
    println!("read whole in {:.1} s", start.elapsed().as_secs_f64());
    println!("memory more with all: {:.0} MiB", memory()[0] - before);
    for k in [3, 6] {
        queries(&segment, "warm", k, (20_000, 2), count);
    }
}
