//! `fingerprint --weak-bits` and `prints pairs --search plan=probabilistic`.

use std::fmt::Write;

use crate::harness::Sandbox;

/// JSON lines of texts, each with revisions in which a few words are others.
fn revisions() -> String {
    let mut state = 11u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut lines = String::new();
    for text in 0..100 {
        let mut words: Vec<usize> = (0..200).map(|_| next() % 2000).collect();
        for revision in 0..6 {
            for _ in 0..3 {
                let at = next() % words.len();
                words[at] = next() % 2000;
            }
            let words: String = words.iter().map(|word| format!("w{word}x ")).collect();
            writeln!(lines, r#"{{"id":"{text}/{revision}","text":"{words}"}}"#).unwrap();
        }
    }
    lines
}

#[test]
fn the_expected_share_of_the_exact_pairs_is_found_and_nothing_else() {
    let sandbox = Sandbox::new();
    sandbox.file("texts.jsonl", revisions());
    let read = ["fingerprint", "-qq", "--format", "jsonl", "--weak-bits", "-o", "prints"];
    sandbox.run(read.iter().chain(&["texts.jsonl"])).expect_fine();
    let pairs = ["prints", "pairs", "-k", "6", "--search", "equal=none", "prints"];
    let exact = sandbox.run(pairs.iter().chain(&["-qq"])).expect_fine();
    let run = sandbox.run(pairs.iter().chain(&["--search", "plan=probabilistic:0.7"]));
    let expected =
        run.err.split_once("expected to find ").and_then(|(_, rest)| rest.split(' ').next());
    let expected: f64 = expected.and_then(|share| share.parse().ok()).unwrap_or_default();
    assert!(expected >= 70.0, "{}", run.err);
    let exact: Vec<&str> = exact.out.lines().collect();
    assert!(exact.len() > 300, "{}", exact.len());
    assert!(run.out.lines().all(|pair| exact.contains(&pair)));
    let recall = run.out.lines().count() as f64 / exact.len() as f64 * 100.0;
    assert!(recall >= expected - 3.0 && recall < 100.0, "{recall} of {expected}");
}

#[test]
fn weak_bits_are_one_more_field_of_the_line() {
    let sandbox = Sandbox::new();
    sandbox
        .file("a.txt", "Fog came in at noon and stayed over the harbour.")
        .file("b.txt", "1 2 3");
    let jsonl = ["fingerprint", "--format", "jsonl", "a.txt", "b.txt"];
    let plain = sandbox.run(jsonl);
    let lines = sandbox.run(jsonl.iter().chain(&["--weak-bits"]));
    let (plain, lines): (Vec<&str>, Vec<&str>) =
        (plain.out.lines().collect(), lines.out.lines().collect());
    let (line, bits) = lines[0].split_once(r#","weak_bits":["#).unwrap();
    assert_eq!(format!("{line}}}"), plain[0]);
    assert_eq!(bits.split(',').count(), 16, "{bits}");
    // A document without a fingerprint has none.
    assert_eq!(lines[1..], plain[1..]);
}

#[test]
fn what_has_no_weak_bits_is_refused() {
    let sandbox = Sandbox::new();
    let print = "sd1:aerukz4jvpg66\ta\n";
    sandbox.file("f", print).file("g", print);
    let scheme: &[&str] =
        &["fingerprint", "--weak-bits", "--format", "jsonl", "f", "--scheme", "md1"];
    for arguments in [
        scheme,
        &["fingerprint", "--weak-bits", "--format", "parquet", "-o", "p", "f"],
        &["fingerprint", "--weak-bits", "--format", "jsonl", "--job", "j", "f"],
        &["prints", "pairs", "f", "--against", "g", "--search", "plan=probabilistic"],
        &["prints", "clusters", "--search", "plan=probabilistic", "f"],
        &["prints", "query", "--search", "plan=probabilistic", "f", "--queries", "g"],
    ] {
        let run = sandbox.run(arguments);
        assert_eq!((run.out.as_str(), run.code), ("", Some(2)), "{arguments:?}: {run:?}");
        assert!(run.err.contains("is only for"), "{arguments:?}: {run:?}");
    }
}
