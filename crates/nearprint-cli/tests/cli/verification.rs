//! Documents are verified by default, and options that ask for fingerprints are not.

use nearprint::FalsePairs;
use nearprint::fingerprint::Scheme;

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
fn verbs_of_documents_compare_texts_whatever_proposes_them() {
    let sandbox = sandbox();
    for verb in [
        &["pairs", "d"][..],
        &["clusters", "d"],
        &["query", "q/light.txt", "d"],
        &["query", "d", "--queries", "q"],
    ] {
        for options in [
            &[][..],
            &["--threshold", "0.5"],
            &["--search", "bands=64x2"],
            &["--search", "recall=0.99"],
            &["--measure", "cosine"],
            &["--measure", "containment"],
            &["--search", "scheme=sd1", "--search", "k=6"],
            &["--search", "scheme=md1"],
            &["--threshold", "0.5", "--search", "k=3"],
            &["--measure", "jaccard", "--search", "scheme=sd1"],
            &["--search", "plan=brute-force"],
        ] {
            let run = sandbox.run(verb.iter().chain(&["--format", "jsonl"]).chain(options));
            assert_eq!(run.code, Some(0), "{verb:?} {options:?}: {run:?}");
            assert!(verified(&run), "{verb:?} {options:?}");
            assert!(!run.err.contains("unverified"), "{verb:?} {options:?}: {run:?}");
        }
    }
    for plan in ["plan=blocks:6", "plan=draft"] {
        let run = sandbox.run(["pairs", "d", "--search", plan]);
        assert!(run.code == Some(2) && run.err.contains("nearprint prints"), "{plan}: {run:?}");
    }
}

#[test]
fn files_of_prints_are_searched_without_texts() {
    let sandbox = sandbox();
    sandbox.run(["fingerprint", "--output", "prints", "d"]).expect_fine();
    for verb in [&["pairs"][..], &["clusters"], &["query", "q/light.txt"]] {
        let verb = [&["prints"], verb].concat();
        let run = sandbox.run(verb.iter().chain(&["--format", "jsonl", "prints"]));
        assert!(!verified(&run), "{run:?}");
        let number = FalsePairs::expected(Scheme::SD1, 3).unwrap().number();
        let stated = format!("sd1 matches within 3 bits are unverified: {number} ");
        assert!(run.err.contains(&stated), "{run:?}");
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
        &["--search", "scheme=sl1", "--search", "k=20"],
    ] {
        let all = ["query", "-qq", "t", "--queries", "t"];
        let together = sandbox.run(all.iter().chain(options)).expect_fine();
        let mut alone = String::new();
        for number in 0..texts.len() {
            let query = format!("t/{number:02}.txt");
            let one = ["query", "-qq", &query, "t"];
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
        let run = sandbox.run(verb);
        let stated = run.err.lines().next().unwrap_or_default();
        assert!(stated.contains(" MB of input: verification needs about "), "{run:?}");
        assert!(stated.contains("MB of temporary files in "), "{run:?}");
    }
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
    let query = sandbox.run(["query", "-qq", "--measure", "containment", "whole", "parts"]);
    assert_eq!(query.expect_fine().out.lines().count(), 300);
    let pairs = ["pairs", "--measure", "containment", "whole", "--against", "parts"];
    let found = sandbox.run(pairs).out.lines().count();
    // A third of parts of a whole 300 times as long.
    assert!((60..150).contains(&found), "{found}");
}
