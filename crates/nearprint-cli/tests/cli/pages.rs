//! Help, manual pages and completions: all of the one definition.

use crate::harness::Sandbox;

const VERBS: [&str; 11] = [
    "fingerprint",
    "extract",
    "compare",
    "pairs",
    "clusters",
    "query",
    "convert",
    "schemes",
    "vectors",
    "completions",
    "man",
];

#[test]
fn every_verb_helps_with_an_example() {
    let sandbox = Sandbox::new();
    let top = sandbox.run(["--help"]).expect_fine();
    for verb in VERBS {
        assert!(top.out.contains(&format!("\n  {verb} ")), "{verb} is not in --help");
        let help = sandbox.run([verb, "--help"]).expect_fine();
        assert!(help.out.contains("Examples:"), "{}", help.out);
        assert!(
            help.out.lines().any(|line| line.contains(&format!("nearprint {verb}"))),
            "{}",
            help.out
        );
    }
    assert!(top.out.contains("Exit codes:"), "{}", top.out);
}

#[test]
fn manual_pages_are_printed_for_the_command_and_every_verb() {
    let sandbox = Sandbox::new();
    let page = sandbox.run(["man"]).expect_fine().out;
    assert!(page.contains(".TH nearprint 1") && page.contains("Exit codes"), "{page}");
    for verb in VERBS {
        let page = sandbox.run(["man", verb]).expect_fine().out;
        assert!(
            page.contains(&format!(".TH nearprint\\-{verb} 1"))
                || page.contains(&format!(".TH nearprint-{verb} 1")),
            "{page}"
        );
        assert!(page.contains("Examples:"), "{page}");
    }
    assert_eq!(sandbox.run(["man", "nothing"]).code, Some(2));
}

#[test]
fn completions_are_printed_for_every_shell() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = sandbox.run(["completions", shell]).expect_fine().out;
        for verb in VERBS {
            assert!(script.contains(verb), "{shell}: {verb}");
        }
        assert!(script.contains("files0-from"), "{shell}");
    }
}

#[test]
fn wrong_usage_ends_with_2_and_does_nothing() {
    let sandbox = Sandbox::new();
    sandbox.file("f", "text");
    for arguments in [
        &[][..],
        &["fingerprint"],
        &["fingerprints", "f"],
        &["fingerprint", "--format", "xml", "f"],
        &["fingerprint", "-", "-"],
        &["fingerprint", "--files0-from", "-", "-"],
        &["fingerprint", "--include", "[", "f"],
        &["fingerprint", "--max-bytes", "1X", "f"],
        &["fingerprint", "--scheme", "sd9", "f"],
        &["fingerprint", "--threads", "0", "f"],
        &["pairs", "-k", "near", "f"],
        &["pairs", "-k", "close", "--similarity", "0.9", "f"],
        &["pairs", "-k", "17", "f"],
        &["pairs", "--verify", "--prints", "f"],
        &["pairs", "--threshold", "0.5", "--no-verify", "f"],
        &["pairs", "--measure", "levenshtein", "f"],
        &["pairs", "--threshold", "0.5", "--prints", "f"],
        &["pairs", "--passages", "3", "--no-verify", "f"],
        &["pairs", "--passages", "f"],
        &["pairs", "--no-verify", "--verify", "f"],
        &["clusters", "--verify", "--prints", "f"],
        &["clusters", "--linkage", "star", "--no-verify", "f"],
        &["query", "--verify", "--prints", "f", "f"],
        &["query", "--verify", "--by-print", "sd1:aerukz4jvpg66", "f"],
        &["pairs", "--verify", "--unsorted", "f"],
        &["pairs", "--unsorted", "f"],
        &["pairs", "--equal", "star", "--threshold", "0.5", "f"],
        &["pairs", "--prints=octal", "f"],
        &["pairs", "--no-verify", "--plan", "draughts", "f"],
        &["pairs", "--plan", "draft", "f"],
        &["pairs", "--no-verify", "--plan", "64/2:(0-31*)", "f"],
        &["pairs", "--no-verify", "--blocks", "3", "f"],
        &["pairs", "--blocks", "6", "--plan", "draft", "f"],
        &["pairs", "--scheme", "md1", "--plan", "draft", "f"],
        &["pairs", "--recall", "0.9", "--no-verify", "f"],
        &["pairs", "--recall", "0.9", "--no-verify", "--plan", "draft", "f"],
        &["pairs", "--max-pairs", "few", "f"],
        &["pairs", "--memory", "1X", "f"],
        &["pairs", "f", "--against", "g", "--equal", "star"],
        &["pairs", "-", "--against", "-"],
        &["query", "--queries", "f"],
        &["query", "--queries", "-", "--prints", "-"],
        &["query", "--by-print", "--queries", "f", "--prints", "f"],
        &["fingerprint", "--no-ids", "f"],
        &["extract", "."],
        &["compare", "f"],
        &["compare", "--details", "f", "f"],
        &["compare", "--verify", "f", "f"],
        &["compare", "--prints", "--measure", "cosine", "sd1:x", "sd1:y"],
        &["compare", "--prints", "sd1:x", "sd1:y"],
        &["query", "-", "-"],
        &["query", "--files0-from", "-", "-"],
        &["compare", "-", "-"],
        &["pairs"],
        &["query", "f"],
        &["convert", "f"],
        &["convert", "--format", "jsonl", "--no-ids", "f"],
        &["convert", "--format", "decimal", "--scheme", "md1", "f"],
        &["completions", "dos"],
    ] {
        let run = sandbox.run(arguments);
        assert_eq!((run.out.as_str(), run.code), ("", Some(2)), "{arguments:?}: {run:?}");
        assert!(!run.err.is_empty(), "{arguments:?}");
    }
}
