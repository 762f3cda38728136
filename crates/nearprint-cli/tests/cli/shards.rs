//! Pairs of shards, searched each by itself and merged, are the pairs of one run (docs/tutorials/several-machines.md).

use std::fmt::Write;

use crate::harness::Sandbox;

const DOCUMENTS: usize = 180;

/// Texts of which every third resembles the one before, in any shard.
fn text(document: usize) -> String {
    let base = document - document % 3 / 2;
    let mut text = String::new();
    for word in 0..120 {
        let changed = if word < document % 7 { document } else { base };
        let _ = write!(text, "word{} ", (changed * 31 + word * 17) % 977 + changed / 40);
    }
    text
}

/// Documents dealt to so many shards, as files `N.jsonl`.
fn deal(sandbox: &Sandbox, shards: usize) {
    let mut files = vec![String::new(); shards];
    for document in 0..DOCUMENTS {
        let text = text(document);
        let shard = document * document % 11 % shards;
        let _ = writeln!(files[shard], "{{\"id\":\"{document:03}\",\"text\":\"{text}\"}}");
    }
    for (shard, content) in files.into_iter().enumerate() {
        sandbox.file(format!("{shard}.jsonl"), content);
    }
}

fn sorted(lines: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = lines.lines().collect();
    lines.sort_unstable();
    lines
}

/// The pairs of all shards and of all pairs of shards, and those of one run.
fn merged_and_whole(sandbox: &Sandbox, files: &[String], options: &[&str]) -> (String, String) {
    let run = |inputs: &[&str]| {
        let arguments = [options, &["-qq", "--format", "text"], inputs].concat();
        sandbox.run(arguments).expect_fine().out
    };
    let mut merged = String::new();
    for (at, file) in files.iter().enumerate() {
        merged += &run(&[file]);
        for later in &files[at + 1..] {
            merged += &run(&[file, "--against", later]);
        }
    }
    let all: Vec<&str> = files.iter().map(String::as_str).collect();
    (merged, run(&all))
}

#[test]
fn merged_pairs_of_shards_are_those_of_one_run() {
    for shards in [2, 3, 5] {
        let sandbox = Sandbox::new();
        deal(&sandbox, shards);
        for (scheme, distance) in [("sd1", "3"), ("sl1", "8"), ("sl1", "12")] {
            let files: Vec<String> = (0..shards).map(|shard| format!("{shard}.prints")).collect();
            for (shard, prints) in files.iter().enumerate() {
                let rows = format!("{shard}.jsonl");
                let options = ["--force", "-qq", "--scheme", scheme, "--format", "binary"];
                let arguments = ["fingerprint", &rows, "-o", prints];
                sandbox.run(arguments.iter().chain(&options)).expect_fine();
            }
            let (merged, whole) =
                merged_and_whole(&sandbox, &files, &["prints", "pairs", "-k", distance]);
            assert!(whole.lines().count() > 20, "{scheme}: {whole}");
            assert_eq!(sorted(&merged), sorted(&whole), "{shards} shards, {scheme}");
        }
    }
}

#[test]
fn merged_pairs_of_texts_are_those_of_one_run() {
    let sandbox = Sandbox::new();
    deal(&sandbox, 3);
    let files: Vec<String> = (0..3).map(|shard| format!("{shard}.jsonl")).collect();
    for measure in ["jaccard", "containment", "cosine"] {
        let (merged, whole) = merged_and_whole(&sandbox, &files, &["pairs", "--measure", measure]);
        assert!(whole.lines().count() > 20, "{measure}: {whole}");
        assert_eq!(sorted(&merged), sorted(&whole), "{measure}");
    }
}
