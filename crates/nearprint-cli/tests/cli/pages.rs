//! Help, manual pages and completions: all of the one definition.

use crate::harness::Sandbox;

/// The first page, in its order.
const VERBS: [&str; 13] = [
    "fingerprint",
    "extract",
    "compare",
    "pairs",
    "clusters",
    "query",
    "dedup",
    "decisions",
    "diff",
    "passages",
    "index",
    "serve",
    "prints",
];

#[test]
fn every_verb_helps_with_an_example() {
    let sandbox = Sandbox::new();
    let top = sandbox.run(["--help"]).expect_fine();
    let listed = top.out.lines().skip_while(|line| *line != "Commands:").skip(1);
    // Descriptions continue further to the right.
    let listed = listed.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let listed: Vec<_> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(listed, [&VERBS[..], &["help"]].concat());
    for verb in VERBS.into_iter().chain(["completions", "man"]) {
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
        assert!(script.contains("files-from"), "{shell}");
        // The other two complete no values.
        if ["bash", "fish", "zsh"].contains(&shell) {
            assert!(script.contains("worker-memory="), "{shell}");
        }
    }
}

#[test]
fn wrong_usage_ends_with_2_and_does_nothing() {
    let sandbox = Sandbox::new();
    sandbox.file("f", "text").file("prints", "sd1:aerukz4jvpg66\ta\n");
    let sketches = ["fingerprint", "-qq", "--scheme", "md1", "f", "-o", "sketches"];
    sandbox.run(sketches).expect_fine();
    for arguments in [
        &[][..],
        &["fingerprint"],
        &["fingerprints", "f"],
        &["fingerprint", "--format", "xml", "f"],
        &["fingerprint", "-", "-"],
        &["fingerprint", "--files-from", "-", "-"],
        &["fingerprint", "--glob", "[", "f"],
        &["fingerprint", "--limit", "input-bytes=1X", "f"],
        &["fingerprint", "--scheme", "sd9", "f"],
        &["fingerprint", "--threads", "0", "f"],
        &["pairs", "-k", "3", "f"],
        &["pairs", "--scheme", "sl1", "f"],
        &["prints", "pairs", "-k", "near", "prints"],
        &["prints", "pairs", "-k", "64", "prints"],
        &["prints", "pairs", "--threshold", "0.5", "prints"],
        &["pairs", "--measure", "levenshtein", "f"],
        &["pairs", "--passages", "f"],
        &["pairs", "--where", "a=b", "f"],
        &["pairs", "--not-same", "a", "f"],
        &["pairs", "--search", "unsorted", "f"],
        &["pairs", "--search", "equal=star", "f"],
        &["pairs", "--search", "plan=draft", "f"],
        &["pairs", "--search", "max-pairs=few", "f"],
        &["pairs", "--read", "text=a", "--read", "html=b", "f"],
        &["pairs", "--limit", "memory=1X", "f"],
        &["prints", "pairs", "--read", "format=octal", "prints"],
        &["prints", "pairs", "--search", "plan=draughts", "prints"],
        &["prints", "pairs", "--search", "plan=64/2:(0-31*)", "prints"],
        &["prints", "pairs", "--search", "plan=blocks:3", "prints"],
        &["prints", "pairs", "--search", "recall=0.9", "prints"],
        &["prints", "pairs", "prints", "--against", "prints", "--search", "equal=star"],
        &["pairs", "-", "--against", "-"],
        &["query", "--queries", "f"],
        &["prints", "query", "-", "--queries", "-"],
        &["fingerprint", "--no-ids", "f"],
        &["compare", "f"],
        &["compare", "--details", "f", "f"],
        &["prints", "compare", "--measure", "cosine", "sd1:x", "sd1:y"],
        &["prints", "compare", "sd1:x", "sd1:y"],
        &["query", "-", "-"],
        &["query", "--files-from", "-", "-"],
        &["compare", "-", "-"],
        &["pairs"],
        &["query", "f"],
        &["prints", "convert", "f"],
        &["prints", "convert", "--format", "jsonl", "--no-ids", "f"],
        &["prints", "convert", "--format", "decimal", "sketches"],
        &["completions", "dos"],
    ] {
        let run = sandbox.run(arguments);
        assert_eq!((run.out.as_str(), run.code), ("", Some(2)), "{arguments:?}: {run:?}");
        assert!(!run.err.is_empty(), "{arguments:?}");
    }
}
