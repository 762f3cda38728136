//! What rows say of similar texts: whether there is evidence, whether they are duplicates, and which bytes were
//! compared.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::bombs::gzip;
use crate::harness::Sandbox;

const WELL: &str = "The water of this well holds 25 mg of it in a litre, which was measured by two laboratories in spring.";

fn rows(sandbox: &Sandbox, arguments: &[&str]) -> (Vec<Value>, String) {
    let run = sandbox.run(arguments);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let rows = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (rows, run.err)
}

#[test]
fn similar_texts_say_whether_they_are_duplicates() {
    let sandbox = Sandbox::new();
    let half = WELL.replace("well", "spring").replace("two", "many");
    sandbox.file("d/a.txt", WELL).file("d/b.txt", WELL.replace("25", "40"));
    sandbox.file("d/c.txt", WELL.to_uppercase()).file("d/d.txt", half);
    let (pairs, _) = rows(&sandbox, &["pairs", "--format", "jsonl", "d"]);
    let said = |a: &str, b: &str| {
        let pair = pairs.iter().find(|row| row["a"] == a && row["b"] == b).unwrap();
        (pair["duplicate"].clone(), pair["distinct"].clone())
    };
    assert_eq!(said("d/a.txt", "d/b.txt"), (json!(false), json!("contradicts 1 number")));
    assert_eq!(said("d/a.txt", "d/c.txt"), (json!(true), Value::Null));
    assert_eq!(said("d/a.txt", "d/d.txt"), (json!(false), json!("similarity")));
    let (matches, _) = rows(&sandbox, &["query", "--format", "jsonl", "d/a.txt", "d/b.txt"]);
    assert_eq!(matches[0]["distinct"], "contradicts 1 number");
    let (clusters, _) = rows(&sandbox, &["clusters", "--format", "jsonl", "d"]);
    assert_eq!(clusters[0]["duplicates"], json!([true, false, true, false]));
    let reasons = json!([null, "contradicts 1 number", null, "similarity"]);
    assert_eq!(clusters[0]["distinct"], reasons);
    // The cosine knows no places, so it does not say what contradicts.
    let (pairs, _) = rows(&sandbox, &["pairs", "--measure", "cosine", "--format", "jsonl", "d"]);
    assert!(!pairs.is_empty() && pairs.iter().all(|row| row["duplicate"].is_null()));
}

#[test]
fn what_is_refused_for_want_of_evidence_is_counted() {
    let sandbox = Sandbox::new();
    let page = |next: &str, previous: &str| {
        format!("Next: {next}. Previous: {previous}. Contents. All rights reserved by the authors.")
    };
    sandbox.file("d/a.txt", page("Fog", "Rain")).file("d/b.txt", page("Rain", "Sun"));
    let refused = "1 pair left out, as similar but by a phrase of 8 words alone";
    for verb in ["pairs", "clusters"] {
        let (found, said) = rows(&sandbox, &[verb, "--format", "jsonl", "d"]);
        assert!(found.is_empty() && said.contains(refused), "{verb}: {said}");
    }
    let run = sandbox.run(["query", "d/a.txt", "d/b.txt"]);
    assert!(run.out.is_empty() && run.err.contains(refused), "{}", run.err);
    let all = ["pairs", "--search", "evidence=no", "--format", "jsonl", "d"];
    let (found, said) = rows(&sandbox, &all);
    assert_eq!((&found[0]["evidence"], found.len()), (&json!(false), 1));
    assert!(!said.contains("phrase"), "{said}");
    // From 0.5 on, a threshold is taken at its word.
    let similarity = found[0]["similarity"].as_f64().unwrap();
    assert!((0.3..0.5).contains(&similarity), "{similarity}");
    sandbox.file("d/b.txt", page("Fog", "Sun"));
    for (arguments, count) in [
        (&["pairs", "--threshold", "0.49", "d"][..], 0),
        (&["pairs", "--threshold", "0.5", "d"], 1),
        (&["pairs", "--threshold", "0.5", "--search", "evidence=yes", "d"], 0),
    ] {
        let run = sandbox.run(arguments);
        assert_eq!(run.out.lines().count(), count, "{arguments:?}: {}", run.err);
    }
}

#[test]
fn drops_name_their_policy_and_the_bytes_of_both() {
    let sandbox = Sandbox::new();
    let other = format!("<p>{WELL}</p>");
    sandbox.file("d/a.txt", WELL).file("d/b.txt", WELL).file("d/c.html", &other);
    for policy in ["careful", "loose"] {
        let (decisions, _) =
            rows(&sandbox, &["dedup", "--policy", policy, "--format", "jsonl", "d"]);
        let sha256 = |content: &str| format!("{:x}", Sha256::digest(content));
        assert!(decisions.iter().all(|row| row["policy"] == policy));
        assert_eq!(
            [&decisions[0]["sha256"], &decisions[0]["representative_sha256"]],
            [&Value::Null; 2]
        );
        for (row, content) in decisions[1..].iter().zip([WELL, &other]) {
            assert_eq!(row["decision"], "drop");
            assert_eq!(row["sha256"], sha256(content));
            assert_eq!(row["representative_sha256"], sha256(WELL));
        }
    }
}

#[test]
fn copies_of_compressed_files_are_known_by_what_they_expand_to() {
    let picture = [b"\x89PNG\r\n\x1a\n".as_slice(), &[7; 40]].concat();
    let (well, short) = (gzip(WELL.as_bytes()), gzip(b"one word"));
    let sandbox = Sandbox::new();
    sandbox.file("d/a.txt.gz", &well).file("d/b.txt.gz", &well).file("d/c.txt", WELL);
    sandbox.file("d/d.gz", &short).file("d/e.gz", &short).file("d/f.txt", "one word");
    // What is compressed has no text.
    let packed = gzip(&picture);
    sandbox.file("d/g.gz", &packed).file("d/h.gz", &packed).file("d/i.png", &picture);
    for threads in ["1", "2"] {
        let (decisions, said) = rows(&sandbox, &["dedup", "-j", threads, "--format", "jsonl", "d"]);
        let decided = |row: &Value| {
            let name = |field: &str| row[field].as_str().map(|id| id.chars().nth(2).unwrap());
            (name("id"), name("representative"), row["reason"].as_str().unwrap().to_owned())
        };
        let decided: Vec<_> = decisions.iter().map(decided).collect();
        let group = |ids: &str| {
            let first = ids.chars().next();
            let row = |id| (Some(id), first, "same-bytes".to_owned());
            ids.chars().skip(1).map(row).collect::<Vec<_>>()
        };
        for ids in ["abc", "def", "ghi"] {
            let dropped = group(ids);
            assert!(dropped.iter().all(|row| decided.contains(row)), "{ids}: {decided:?}");
        }
        assert!(said.contains("3 of 9 documents kept, 6 dropped (6 same bytes"), "{said}");
    }
}
