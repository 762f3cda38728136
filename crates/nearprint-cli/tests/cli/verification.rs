//! Documents are verified by default, and options that ask for fingerprints are not.

use crate::harness::{Run, Sandbox};

const LIGHT: &str = "The keeper of the light on the rock wrote down every ship that passed, the hour, the wind and the state of the sea.";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("d/light.txt", LIGHT);
    sandbox.file("d/page.html", format!("<p>{LIGHT}"));
    sandbox.file("d/later.txt", LIGHT.replace("every ship", "each boat"));
    sandbox.file(
        "d/other.txt",
        "Bread needs flour, water, salt and time; above all time, says the baker.",
    );
    sandbox.file("q/light.txt", LIGHT);
    sandbox
}

/// Whether all rows have a similarity, or none has one.
fn verified(run: &Run) -> bool {
    let rows: Vec<serde_json::Value> =
        run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!rows.is_empty(), "{run:?}");
    let cells: Vec<_> = rows
        .iter()
        .map(|row| row.get("similarity").or(row.get("similarities")).unwrap().is_null())
        .collect();
    assert!(cells.iter().all(|is_null| *is_null == cells[0]), "{run:?}");
    !cells[0]
}

#[test]
fn options_that_ask_for_fingerprints_select_them_and_name_verify() {
    let sandbox = sandbox();
    for verb in [
        &["pairs", "d"][..],
        &["clusters", "d"],
        &["query", "q/light.txt", "d"],
        &["query", "d", "--queries", "q"],
    ] {
        for (options, expected) in [
            (&[][..], true),
            (&["--threshold", "0.5"], true),
            (&["--bands", "64x2"], true),
            (&["--recall", "0.99"], true),
            (&["--verify"], true),
            (&["--measure", "cosine"], true),
            (&["--measure", "containment"], true),
            (&["--verify", "--scheme", "sd1", "-k", "6"], true),
            (&["--verify", "--scheme", "md1"], true),
            (&["--threshold", "0.5", "-k", "3"], true),
            (&["--measure", "jaccard", "--scheme", "sd1"], true),
            (&["--no-verify"], false),
            (&["--scheme", "sd1"], false),
            (&["--scheme", "md1"], false),
            (&["-k", "6"], false),
            (&["-k", "close"], false),
            (&["-k", "loose"], false),
            (&["--similarity", "0.9"], false),
            (&["--no-verify", "--plan", "brute-force"], false),
        ] {
            let run = sandbox.run(verb.iter().chain(&["--format", "jsonl"]).chain(options));
            assert_eq!(run.code, Some(0), "{verb:?} {options:?}: {run:?}");
            assert_eq!(verified(&run), expected, "{verb:?} {options:?}");
            let named = run.err.lines().filter(|line| line.contains("--verify")).count();
            assert_eq!(named, usize::from(!expected), "{verb:?} {options:?}: {run:?}");
            assert!(run.err.lines().all(|line| expected || line.len() < 140), "{run:?}");
        }
    }
    for options in [
        &["--equal", "all"][..],
        &["--equal", "star"],
        &["--unsorted", "--no-verify"],
        &["--blocks", "6", "--no-verify"],
    ] {
        let run = sandbox.run(["pairs", "--format", "jsonl", "d"].iter().chain(options));
        assert!(!verified(&run) && run.err.contains("--verify"), "{options:?}: {run:?}");
    }
    // How fingerprints are searched does not decide whether texts are compared.
    for options in [&["--unsorted"][..], &["--blocks", "6"], &["--plan", "draft"]] {
        let run = sandbox.run(["pairs", "d"].iter().chain(options));
        assert!(run.code == Some(2) && run.err.contains("add --no-verify"), "{options:?}: {run:?}");
    }
}

#[test]
fn files_of_prints_are_searched_as_ever() {
    let sandbox = sandbox();
    sandbox.run(["fingerprint", "--output", "prints", "d"]).expect_fine();
    for verb in [&["pairs"][..], &["clusters"], &["query", "q/light.txt"]] {
        let run = sandbox.run(verb.iter().chain(&["--format", "jsonl", "--prints", "prints"]));
        assert!(!verified(&run) && !run.err.contains("--verify"), "{run:?}");
        assert!(run.err.contains("sd1 matches within 3 bits are unverified: some 703 "), "{run:?}");
        let run = sandbox.run(verb.iter().chain(&["--verify", "--prints", "prints"]));
        let why =
            "--verify: this compares texts, and there are only fingerprints: name the documents";
        assert!(run.code == Some(2) && run.err.contains(why), "{run:?}");
    }
}

#[test]
fn queries_are_verified_one_by_one_as_together() {
    let sandbox = sandbox();
    // Families of four that share most of their words.
    let word = |number: usize| -> String {
        (0..4).map(|at| char::from(b'a' + (number / 13usize.pow(at) % 13) as u8)).collect()
    };
    let texts: Vec<String> = (0..40usize)
        .map(|number| {
            let first = number / 4 * 1000 + number % 4 * 5;
            (first..first + 60).map(word).collect::<Vec<_>>().join(" ")
        })
        .collect();
    for (number, text) in texts.iter().enumerate() {
        sandbox.file(format!("t/{number:02}.txt"), text);
    }
    for options in [
        &[][..],
        &["--threshold", "0.8"],
        &["--measure", "containment"],
        &["--verify", "--scheme", "sl1", "-k", "20"],
    ] {
        let all = ["query", "--quiet", "t", "--queries", "t"];
        let together = sandbox.run(all.iter().chain(options)).expect_fine();
        let mut alone = String::new();
        for number in 0..texts.len() {
            let query = format!("t/{number:02}.txt");
            let one = ["query", "--quiet", &query, "t"];
            let run = sandbox.run(one.iter().chain(options)).expect_fine();
            let first = run.rows()[0].iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
            assert_eq!((first[0].as_str(), first[2].as_str()), (query.as_str(), "1.0000"));
            let similarities: Vec<&str> = run.rows().iter().map(|row| row[2]).collect();
            assert!(similarities.is_sorted_by(|one, next| one >= next), "{run:?}");
            for line in run.out.lines() {
                alone.push_str(&format!("{query}\t{line}\n"));
            }
        }
        assert_eq!(together.out, alone, "{options:?}");
        assert!(together.out.lines().count() > 40 || options.contains(&"0.8"), "{together:?}");
    }
}

#[test]
fn large_work_states_what_verification_takes() {
    let sandbox = sandbox();
    sandbox.file("d/long.txt", "\n".repeat(65 << 20));
    for verb in [&["pairs", "d"][..], &["clusters", "d"], &["query", "d", "--queries", "q"]] {
        let run = sandbox.run(verb.iter().chain(&["--temp", "q"]));
        let stated = run.err.lines().next().unwrap_or_default();
        assert!(stated.contains(" MB of input, about "), "{run:?}");
        assert!(stated.contains(" documents: verification needs about "), "{run:?}");
        assert!(stated.ends_with("MB of temporary files in q"), "{run:?}");
    }
    // Fingerprints alone are announced by nobody.
    assert!(!sandbox.run(["pairs", "--no-verify", "d"]).err.contains(" MB "));
}

#[test]
fn one_query_finds_parts_that_sketches_miss() {
    let sandbox = Sandbox::new();
    let word = |number: usize| -> String {
        let letters = number * 7919 % 456_976;
        (0..4).map(|at| char::from(b'a' + (letters / 26usize.pow(at) % 26) as u8)).collect()
    };
    let words: Vec<String> = (0..30_000).map(word).collect();
    sandbox.file("whole", words.join(" "));
    for (number, part) in words.chunks(100).enumerate() {
        sandbox.file(format!("parts/{number:03}"), part.join(" "));
    }
    let query = sandbox.run(["query", "--quiet", "--measure", "containment", "whole", "parts"]);
    assert_eq!(query.expect_fine().out.lines().count(), 300);
    let pairs = ["pairs", "--measure", "containment", "whole", "--against", "parts"];
    let found = sandbox.run(pairs).out.lines().count();
    // A third of parts of a whole 300 times as long.
    assert!((60..150).contains(&found), "{found}");
}
