//! What `-q` leaves on standard error: the summary, which `-qq` leaves out too.

use crate::harness::Sandbox;

const TEXT: &str = "Fog came in at noon and stayed over the harbour until the bells rang for the last boat \
                    home, and the keeper lit the lamp, wrote the hour into his book, and went to bed early.";

#[test]
fn every_verb_with_a_summary_keeps_it_with_one_q_and_not_with_two() {
    let sandbox = Sandbox::new();
    sandbox
        .file("d/a.txt", TEXT)
        .file("d/b.txt", TEXT.replace("early", "late"))
        .file("d/c.txt", "");
    sandbox.file("bad.pdf", "%PDF-1.7\n").file("other/d.txt", TEXT.replace("lamp", "fire"));
    let fine = |arguments: &[&str]| sandbox.run(arguments).expect_fine().out;
    sandbox.file("prints", fine(&["fingerprint", "-qq", "d"]));
    sandbox.file("decisions", fine(&["dedup", "-qq", "--json", "d"]));
    fine(&["index", "create", "i"]);
    for (verb, said) in [
        (&["pairs", "d"][..], "1 of 1 candidate of md1 verified"),
        (&["pairs", "--threshold", "0.3", "--search", "evidence=yes", "d"], "verified"),
        (&["clusters", "d"], "1 cluster"),
        (&["query", "--threshold", "1", "other/d.txt", "d"], "no document has"),
        (&["dedup", "d"], "3 of 3 documents kept"),
        (&["diff", "d", "other"], "3 documents before, 1 document now"),
        (&["passages", "--min-tokens", "10", "d"], "passage"),
        (&["decisions", "check", "decisions"], "0 of 0 drops checked"),
        (&["prints", "pairs", "-k", "16", "prints"], "are unverified"),
        (&["prints", "idf", "--least", "1", "-o", "idf", "d"], "use it with --scheme"),
        (&["prints", "correlate", "d"], "within distance"),
        (&["prints", "refingerprint", "d", "--from", "prints"], "unchanged"),
        (
            &["index", "add", "--on-duplicate", "skip", "i", "d/a.txt"],
            "the index contains 1 document",
        ),
        (&["index", "verify", "i"], "are intact"),
        (&["fingerprint", "bad.pdf"], "1 of 1 document failed"),
    ] {
        let run = |quiet: &[&str]| {
            let _ = std::fs::remove_file(sandbox.path("idf"));
            sandbox.run(verb.iter().chain(quiet))
        };
        let (loud, quiet, silent) = (run(&[]), run(&["-q"]), run(&["-qq"]));
        assert!(loud.err.contains(said), "{verb:?}: {loud:?}");
        assert!(quiet.err.contains(said), "{verb:?}: {quiet:?}");
        assert!(!quiet.err.contains("no fingerprint: "), "{verb:?}: {quiet:?}");
        assert_eq!(silent.err, "", "{verb:?}: {silent:?}");
        assert_eq!((loud.code, loud.out), (silent.code, silent.out), "{verb:?}");
    }
}
