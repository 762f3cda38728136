//! Text in memory to prints.

use std::fs;
use std::time::Instant;

use nearprint_fingerprint::{Scheme, fingerprint};
use rayon::prelude::*;

use crate::cpu;
use crate::options::Options;
use crate::row::Row;

fn scheme(options: &Options) -> Scheme {
    options.text("scheme", "sd1").parse().expect("a scheme")
}

/// A file of documents, one a line.
fn documents(options: &Options, key: &str) -> String {
    let path = options.text(key, "");
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Megabytes a second of one core, from each document of `file` to its print; `keep=1` holds all prints at the end, as
/// a column of them does.
pub fn speed(options: &Options) {
    let text = documents(options, "file");
    let (scheme, keep) = (scheme(options), options.get("keep", 0) > 0);
    for _ in 0..options.get("repeat", 1) {
        let (start, cpu) = (Instant::now(), cpu::seconds());
        let (mut tokens, mut kept) = (0, Vec::new());
        for line in text.lines() {
            let printed = std::hint::black_box(fingerprint(scheme, line));
            tokens += printed.tokens();
            if keep {
                kept.push(printed.into_fingerprint());
            }
        }
        std::hint::black_box(&kept);
        let (seconds, cpu) = (start.elapsed().as_secs_f64(), cpu::seconds() - cpu);
        Row::default()
            .with("n", text.lines().count())
            .with("bytes", text.len())
            .with("tokens", tokens)
            .seconds("seconds", seconds)
            .seconds("cpu", cpu)
            .seconds("mb_s", text.len() as f64 / 1e6 / seconds)
            .with("peak_gib", format_args!("{:.3}", cpu::peak_gib()))
            .print();
    }
}

/// Prints of the passages of `file`, one a line, to `out`.bin.
pub fn prints(options: &Options) {
    let text = documents(options, "passages");
    let scheme = scheme(options);
    let start = Instant::now();
    let lines: Vec<&str> = text.lines().collect();
    let printed: Vec<u64> = lines
        .par_iter()
        .filter_map(|line| fingerprint(scheme, line).fingerprint()?.as_u64())
        .collect();
    let seconds = start.elapsed().as_secs_f64();
    let path = format!("{}.bin", options.text("out", "prints"));
    let bytes: Vec<u8> = printed.iter().flat_map(|print| print.to_le_bytes()).collect();
    fs::write(&path, bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
    Row::default()
        .with("n", printed.len())
        .with("bytes", text.len())
        .seconds("seconds", seconds)
        .with("peak_gib", format_args!("{:.3}", cpu::peak_gib()))
        .print();
}
