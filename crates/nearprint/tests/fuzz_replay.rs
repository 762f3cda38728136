//! The fuzz targets in this process: all seeds and everything that was ever found, then mutations of them.
//!
//! The functions are those that `make fuzz` gives to libFuzzer; here they run without coverage, so this keeps old
//! faults from coming back and finds the shallow new ones. A fault that is found is kept as a file in
//! `fuzz/regressions/TARGET`.
#![cfg(unix)]

#[path = "../../../fuzz/src/targets/mod.rs"]
#[allow(dead_code, unreachable_pub, missing_docs, reason = "it is a part of another crate")]
mod targets;

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// Mutations of each target's seeds where `NEARPRINT_MUTATIONS` does not say how many: some seconds in all.
const MUTATIONS: usize = 150;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(name)
}

/// The files of a folder with their names, in order; none where there is no folder.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| (path.display().to_string(), fs::read(path).unwrap())).collect()
}

/// Runs a target; what it panics with says which bytes did it.
fn run(name: &str, target: fn(&[u8]), bytes: &[u8], what: &str) {
    if catch_unwind(|| target(bytes)).is_err() {
        let found = std::env::temp_dir().join(format!("{name}-fault"));
        fs::write(&found, bytes).unwrap();
        panic!("{name} fails on {what}; its bytes are in {}", found.display());
    }
}

#[test]
fn seeds_and_findings() {
    for (name, target) in targets::TARGETS {
        let seeds = files(&folder("seeds").join(name));
        assert!(!seeds.is_empty(), "{name} has no seeds");
        for (file, bytes) in seeds.into_iter().chain(files(&folder("regressions").join(name))) {
            run(name, target, &bytes, &file);
        }
    }
}

#[test]
fn mutations_of_seeds() {
    let mutations =
        std::env::var("NEARPRINT_MUTATIONS").map_or(MUTATIONS, |number| number.parse().unwrap());
    for (name, target) in targets::TARGETS {
        let seeds = files(&folder("seeds").join(name));
        let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
        for number in 0..mutations {
            let (file, seed) = &seeds[number % seeds.len()];
            let other = &seeds[chance.below(seeds.len())].1;
            let bytes = mutated(seed, other, &mut chance);
            run(name, target, &bytes, &format!("mutation {number} of {file}"));
        }
    }
}

/// Random numbers that are the same on every run (xorshift64).
struct Chance(u64);

impl Chance {
    /// A number under `limit`, or 0.
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// A copy with a few changes of the kinds that parsers trip over.
fn mutated(seed: &[u8], other: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..1 + chance.below(8) {
        let at = chance.below(bytes.len());
        let end = at + chance.below(bytes.len().saturating_sub(at).min(64));
        match chance.below(7) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << chance.below(8),
            1 if !bytes.is_empty() => bytes[at] = chance.below(256) as u8,
            2 => drop(bytes.drain(at..end)),
            3 => bytes.truncate(at),
            4 => {
                let piece = bytes[at..end].repeat(1 + chance.below(30));
                bytes.splice(at..at, piece);
            }
            5 => {
                let from = chance.below(other.len());
                let to = from + chance.below(other.len() - from);
                bytes.splice(at..end, other[from..to].iter().copied());
            }
            _ => {
                let number =
                    ["0", "-1", "65535", "4294967296", "99999999999999999999"][chance.below(5)];
                bytes.splice(at..end, number.bytes());
            }
        }
    }
    bytes
}
