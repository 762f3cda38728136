//! What a worker costs beyond extraction in this process, by size of document.
//!
//! `cargo run --release --package nearprint-worker --example overhead [a PDF ...]`; build the worker first:
//! `cargo build --release --package nearprint-worker`. Prints the median of repeated runs, one thread and two.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nearprint_extract::{Hints, Limits, extract};
use nearprint_worker::{Pool, PoolOptions};

fn main() {
    let program = std::env::current_exe().expect("this program has a path");
    let folder = program.parent().and_then(|examples| examples.parent()).expect("two folders up");
    let worker = folder.join(format!("nearprint-worker{}", std::env::consts::EXE_SUFFIX));
    let pool = |workers: usize| {
        Pool::new(PoolOptions {
            workers: NonZeroUsize::new(workers).expect("a pool has workers"),
            retire_after_documents: u64::MAX,
            retire_after_growth: u64::MAX,
            ..PoolOptions::new(&worker)
        })
        .expect("a pool")
    };
    let start = median(20, || pool(1).check().expect("the worker starts"));
    println!("start of a worker, end included: {:.0} us", micros(start));
    println!(
        "{:>12} {:>12} {:>12} {:>12} {:>10} {:>12} {:>12}",
        "bytes", "here us", "worker us", "more us", "more %", "1 thread/s", "2 threads/s"
    );
    let text = b"Some words of an ordinary text, in lines of an ordinary length.\n";
    let mut documents: Vec<(String, Vec<u8>)> =
        [64, 4 << 10, 64 << 10, 1 << 20, 16 << 20, 128 << 20]
            .into_iter()
            .map(|size| (format!("{size}"), text.iter().copied().cycle().take(size).collect()))
            .collect();
    // Refused by its first bytes: what is left is the way there and back.
    documents.push((
        "128M, refused".to_owned(),
        [&b"\x89PNG\r\n\x1a\n"[..], &vec![0; 128 << 20]].concat(),
    ));
    for path in std::env::args_os().skip(1).map(PathBuf::from) {
        let bytes = std::fs::read(&path).expect("a document that can be read");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        documents.push((name, bytes));
    }
    let (hints, limits) = (Hints::default(), Limits::default());
    let (one, two) = (pool(1), pool(2));
    for (name, document) in &documents {
        let runs = (20_000_000 / document.len().max(1)).clamp(5, 5_000);
        let here = median(runs, || drop(black_box(extract(document, &hints, &limits))));
        let ask = |pool: &Pool| {
            drop(black_box(pool.extract(document, &hints, &limits).expect("workers start")));
        };
        let there = median(runs, || ask(&one));
        let begun = Instant::now();
        for _ in 0..2 * runs {
            ask(&one);
        }
        let alone = begun.elapsed();
        let begun = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| (0..runs).for_each(|_| ask(&two)));
            }
        });
        let both = begun.elapsed();
        let more = micros(there) - micros(here);
        let rate = |elapsed: Duration| 2.0 * runs as f64 / elapsed.as_secs_f64();
        println!(
            "{name:>12} {:>12.1} {:>12.1} {more:>12.1} {:>10.1} {:>12.1} {:>12.1}",
            micros(here),
            micros(there),
            100.0 * more / micros(here),
            rate(alone),
            rate(both),
        );
    }
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn median(runs: usize, mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let begun = Instant::now();
            run();
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[runs / 2]
}
