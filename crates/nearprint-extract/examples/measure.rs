//! Measures extraction: `cargo run --release --example measure -- FILE...` extracts each file again and again
//! for about a second and prints megabytes a second (of the bytes after decompression) and a core.

use std::time::{Duration, Instant};
use std::{env, fs, io};

use nearprint_extract::{Hints, Limits, extract};

fn main() -> io::Result<()> {
    for path in env::args_os().skip(1) {
        let bytes = fs::read(&path)?;
        let (mut best, start) = (Duration::MAX, Instant::now());
        let mut found = None;
        while start.elapsed() < Duration::from_secs(1) {
            let before = Instant::now();
            found = Some(extract(&bytes, &Hints::default(), &Limits::default()));
            best = best.min(before.elapsed());
        }
        let name = path.to_string_lossy();
        match found {
            Some(Ok(found)) => println!(
                "{:9.1} MB/s  {:>10} bytes  {:>10} of text  {}  {name}",
                bytes.len() as f64 / best.as_secs_f64() / 1e6,
                bytes.len(),
                found.text.len(),
                found.record.extractor,
            ),
            Some(Err(error)) => println!("{name}: {error}"),
            None => {}
        }
    }
    Ok(())
}
