//! Reports as pages: which verbs write them, and what they show of the documents.

use crate::harness::Sandbox;

const OLD: &str = "Fog came in at noon, slow and low, and it stayed over the harbour until the evening bells rang.\n";
const NEW: &str = "Fog came in at noon, slow and low, and it stayed over the harbour until the morning bells rang.\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("old/a b.txt", OLD).file("old/c.txt", "It rained on the hills for a week.\n");
    sandbox.file("new/a b.txt", NEW).file("new/d.txt", "Snow fell on the roofs of the town.\n");
    sandbox
}

#[test]
fn every_verb_that_finds_similar_documents_writes_a_page_with_both_texts() {
    let sandbox = sandbox();
    for command in [
        &["dedup", "--policy", "loose", "old", "new"][..],
        &["clusters", "old", "new"],
        &["pairs", "old", "new"],
        &["pairs", "new", "--against", "old"],
        &["pairs", "--search", "k=40", "old", "new"],
        &["diff", "old", "new"],
    ] {
        let page = "out/page.html";
        std::fs::create_dir_all(sandbox.path("out")).unwrap();
        let run = sandbox.run([command, &["-qq", "--report", page]].concat());
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{command:?}");
        let html = std::fs::read_to_string(sandbox.path(page)).unwrap();
        std::fs::remove_dir_all(sandbox.path("out")).unwrap();
        assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"), "{html}");
        // Only the word that differs is marked, in each of the texts.
        for word in ["evening", "morning"] {
            assert_eq!(
                html.matches(&format!("<mark>{word}</mark>")).count(),
                1,
                "{command:?} {html}"
            );
        }
        assert_eq!(html.matches("<mark>").count(), 2, "{command:?}: {html}");
        // Links lead from the folder of the page to the files.
        assert!(html.contains("href=\"../old/a%20b.txt\""), "{command:?}: {html}");
        assert!(html.contains("href=\"../new/a%20b.txt\""), "{command:?}: {html}");
        assert!(!html.contains("<script") && !html.contains(" src="), "{command:?}");
    }
}

#[test]
fn all_members_of_a_cluster_are_listed() {
    let sandbox = Sandbox::new();
    for number in 0..30 {
        sandbox.file(format!("d/{number:02}.txt"), OLD);
    }
    for verb in ["dedup", "clusters"] {
        sandbox.run([verb, "d", "-qq", "--force", "--report", "page.html"]);
        let html = std::fs::read_to_string(sandbox.path("page.html")).unwrap();
        for number in 0..30 {
            assert!(html.contains(&format!("d/{number:02}.txt")), "{verb}: {number}");
        }
        assert!(html.contains("All 29 other documents"), "{verb}");
    }
}

#[test]
fn fingerprints_and_standard_input_have_no_texts_to_show() {
    let sandbox = sandbox();
    let prints = sandbox.run(["fingerprint", "old/a b.txt", "new/a b.txt"]).expect_fine().out;
    sandbox.file("prints", prints);
    let run = sandbox.run(["prints", "pairs", "-k", "16", "prints", "--report", "p.html"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let html = std::fs::read_to_string(sandbox.path("p.html")).unwrap();
    assert!(html.contains("The texts could not be read again."), "{html}");
    let run = sandbox.run_with(["clusters", "-", "old", "--report", "c.html"], NEW.as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.err);
    let html = std::fs::read_to_string(sandbox.path("c.html")).unwrap();
    assert!(html.contains("The texts could not be read again."), "{html}");
}

#[test]
fn diff_writes_counts_as_json() {
    let sandbox = sandbox();
    sandbox.run(["diff", "old", "new", "--report", "counts.json"]);
    let counts = std::fs::read_to_string(sandbox.path("counts.json")).unwrap();
    assert!(counts.starts_with("{\"schema\":\"nearprint/summary/1\""), "{counts}");
}

#[test]
fn correlate_draws_every_distance_and_class_that_occurs() {
    let sandbox = sandbox();
    let run = sandbox.run([
        "prints",
        "correlate",
        "--format",
        "csv",
        "--output",
        "pairs.csv",
        "--report",
        "plot.html",
        "old",
        "new",
    ]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("6 pairs of 4 documents: correlation 0."), "{}", run.err);
    let csv = std::fs::read_to_string(sandbox.path("pairs.csv")).unwrap();
    let mut cells: Vec<(&str, usize)> = Vec::new();
    for row in csv.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let similarity: f64 = fields[3].parse().unwrap();
        cells.push((fields[2], ((similarity * 50.0) as usize).min(49)));
    }
    cells.sort_unstable();
    assert_eq!(cells.len(), 6, "{csv}");
    let html = std::fs::read_to_string(sandbox.path("plot.html")).unwrap();
    for (distance, class) in &cells {
        let (from, to) = (*class as f64 / 50.0, (class + 1) as f64 / 50.0);
        let count = cells.iter().filter(|cell| **cell == (*distance, *class)).count();
        let title = format!("distance {distance}, similarity {from:.2} to {to:.2}: {count}<");
        assert!(html.contains(&title), "{title}: {html}");
    }
    assert_eq!(html.matches("<polyline").count(), 2, "{html}");
    assert!(!html.contains("<script") && !html.contains(" src="), "{html}");
    assert!(html.contains("Correlation (Pearson)"), "{html}");
}

#[test]
fn pages_show_what_contradicts_and_why_documents_were_not_compared() {
    let sandbox = Sandbox::new();
    let text = |dose: &str| {
        format!(
            "Take {dose} mg of it in the morning, after a meal, and ask the pharmacist whenever you are in doubt.\n"
        )
    };
    sandbox.file("old/a.txt", text("25")).file("new/a.txt", text("40"));
    sandbox
        .file("new/empty.txt", "")
        .file("new/numbers.txt", "1 2 3\n")
        .file("new/short.txt", "sold out\n");
    let page = |command: &[&str]| {
        let run = sandbox.run([command, &["-qq", "--force", "--report", "page.html"]].concat());
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{command:?}");
        std::fs::read_to_string(sandbox.path("page.html")).unwrap()
    };
    for command in
        [&["pairs", "old", "new"][..], &["clusters", "old", "new"], &["diff", "old", "new"]]
    {
        let html = page(command);
        assert!(html.contains(", contradicts 1 number</span>"), "{command:?}: {html}");
    }
    let html = page(&["dedup", "old", "new"]);
    for (reason, document) in [("empty", "empty"), ("no-tokens", "numbers"), ("too-short", "short")]
    {
        let link = format!("<a href=\"new/{document}.txt\">new/{document}.txt</a></li>");
        let line = format!("<li><span class=\"pill\">{reason}</span> <b>1</b>: {link}");
        assert!(html.contains(&line), "{line}: {html}");
    }
}
