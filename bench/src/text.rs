//! Text in memory to prints.

use std::fs;
use std::time::Instant;

use nearprint_fingerprint::{Scheme, fingerprint};
use nearprint_search::weakest_bits;
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

/// Prints of the passages of `file`, one a line, to `out`.bin, and their least certain bits to `out`.weak.
pub fn prints(options: &Options) {
    let text = documents(options, "passages");
    let scheme = scheme(options);
    let start = Instant::now();
    let lines: Vec<&str> = text.lines().collect();
    let printed: Vec<(u64, [u8; 16])> = lines
        .par_iter()
        .filter_map(|line| {
            let printed = fingerprint(scheme, line);
            let print = printed.fingerprint()?.as_u64()?;
            Some((print, weakest_bits(printed.counters())))
        })
        .collect();
    let seconds = start.elapsed().as_secs_f64();
    let out = options.text("out", "prints");
    let save = |ending: &str, bytes: Vec<u8>| {
        let path = format!("{out}.{ending}");
        fs::write(&path, bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
    };
    save("bin", printed.iter().flat_map(|(print, _)| print.to_le_bytes()).collect());
    save("weak", printed.iter().flat_map(|(_, weak)| *weak).collect());
    Row::default()
        .with("n", printed.len())
        .with("bytes", text.len())
        .seconds("seconds", seconds)
        .with("peak_gib", format_args!("{:.3}", cpu::peak_gib()))
        .print();
}
