//! The examples, run as a reader would run them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// An example, which is built with this test.
fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("two folders up");
    folder.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

fn run(name: &str, arguments: &[&Path]) -> String {
    let output = Command::new(example(name)).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(output.status.success(), "{name}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn one_text() {
    let texts = ["Fog came in at noon.", "Fog came in at noon again."].map(Path::new);
    let out = run("one_text", &texts);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("sd1:") && lines[0].ends_with("\tFog came in at noon."), "{out}");
    assert!(lines[2].starts_with("distance\t"), "{out}");
    assert_eq!(lines[3], "similarity of the texts\t0.7500");
}

#[test]
fn folder_to_clusters() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "The keeper of the light wrote down every ship that passed and the state of the sea.";
    std::fs::write(folder.path().join("a.txt"), text).unwrap();
    std::fs::write(folder.path().join("b.html"), format!("<p>{text}")).unwrap();
    std::fs::write(folder.path().join("c.txt"), "Bread needs flour, water, salt and time.")
        .unwrap();
    let out = run("folder_to_clusters", &[folder.path()]);
    assert!(out.starts_with("cluster 1 of 2 documents\n"), "{out}");
    assert!(out.ends_with("3 documents, 1 clusters\n"), "{out}");
}

#[test]
fn shared_engine() {
    let out = run("shared_engine", &[]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0] == "empty\tempty" && lines[1].starts_with("fog\tsd1:"), "{out}");
}

#[test]
fn changing_collection() {
    let out = run("changing_collection", &[]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "monday: new");
    assert!(lines[1].starts_with("tuesday: like monday ("), "{out}");
    assert_eq!(lines[2..], ["recipe: new", "2 documents left"]);
}

#[test]
fn resumable_job() {
    let folder = tempfile::tempdir().unwrap();
    let (input, job) = (folder.path().join("rows.jsonl"), folder.path().join("job"));
    let rows = "{\"id\":\"a\",\"text\":\"Fog came in at noon.\"}\n{\"id\":\"b\",\"text\":\"Rain fell.\"}\n";
    std::fs::write(&input, rows).unwrap();
    let first = run("resumable_job", &[&input, &job]);
    assert!(first.starts_with("0 documents were done before\n2 documents in all\nsd1:"), "{first}");
    let again = run("resumable_job", &[&input, &job]);
    assert!(again.starts_with("2 documents were done before\n"), "{again}");
    assert_eq!(again.lines().last(), first.lines().last());
}
