//! An index where a verb takes a collection: the answers are those over the documents.

use crate::harness::Sandbox;

/// A page of many words of its own, with one place to change.
fn page(subject: usize, changed: &str) -> String {
    let word = |n: usize| ["river", "harbour", "bread", "winter", "letter", "engine", "copper"][n];
    let words = (0..60).map(|n| format!("{}{} ", word((n * (subject + 2)) % 7), n * (subject + 3)));
    format!("{}{changed}", words.collect::<String>())
}

/// Two months, of which the second repeats some of the first, and an index of the first.
fn months() -> Sandbox {
    let sandbox = Sandbox::new();
    for subject in 0..4 {
        sandbox.file(format!("one/{subject}.txt"), page(subject, "at the end"));
    }
    sandbox.file("one/short.txt", "too few");
    sandbox.file("two/same.html", format!("<p>{}", page(0, "at the end")));
    sandbox.file("two/changed.txt", page(1, "another end of it"));
    sandbox.file("two/new.txt", page(9, "at the end"));
    sandbox.file("two/again.txt", page(9, "at the very end"));
    sandbox.run(["index", "create", "--scheme", "md1", "all.index"]).expect_fine();
    sandbox.run(["index", "add", "-qq", "all.index", "one"]).expect_fine();
    // Nothing of what follows reads the documents of the index.
    std::fs::rename(sandbox.path("one"), sandbox.path("elsewhere")).expect("a directory");
    sandbox
}

/// With the documents back where they were.
fn with_documents(sandbox: &Sandbox) {
    std::fs::rename(sandbox.path("elsewhere"), sandbox.path("one")).expect("a directory");
}

#[test]
fn deduplication_drops_what_repeats_documents_of_an_index() {
    let sandbox = months();
    let of_index =
        sandbox.run(["dedup", "-qq", "two", "--against", "index:all.index"]).expect_fine();
    let chains = [
        "dedup",
        "-qq",
        "--search",
        "chains",
        "--keep",
        "longest",
        "two",
        "--against",
        "index:all.index",
    ];
    let chained = sandbox.run(chains).expect_fine();
    with_documents(&sandbox);
    let of_files = sandbox.run(["dedup", "-qq", "two", "--against", "one"]).expect_fine();
    assert_eq!(
        (of_index.out.as_str(), of_index.err.as_str()),
        (of_files.out.as_str(), of_files.err.as_str())
    );
    // An index that keeps the texts alone is as good.
    sandbox
        .run(["index", "create", "--scheme", "md1", "--keep", "fingerprints,texts", "texts.index"])
        .expect_fine();
    sandbox.run(["index", "add", "-qq", "texts.index", "one"]).expect_fine();
    let of_texts =
        sandbox.run(["dedup", "-qq", "two", "--against", "index:texts.index"]).expect_fine();
    assert_eq!(of_texts.out, of_files.out);
    let dropped = of_files.rows().iter().filter(|row| row[0] == "drop").count();
    assert_eq!(dropped, 2, "{}", of_files.out);
    let contradicts = of_files.rows().iter().filter(|row| row[1] == "contradicts").count();
    assert_eq!(contradicts, 1, "{}", of_files.out);
    let chains =
        ["dedup", "-qq", "--search", "chains", "--keep", "longest", "two", "--against", "one"];
    assert_eq!(sandbox.run(chains).expect_fine().out, chained.out);
    // A job that was begun against another state of the index is refused.
    // Its output cannot be written, so that it stays.
    let job = ["--job", "work", "--output", "full", "two", "--against", "index:all.index"];
    let dedup = || sandbox.run(["dedup", "--force"].iter().chain(&job).collect::<Vec<_>>());
    std::os::unix::fs::symlink("/dev/full", sandbox.path("full")).expect("a link");
    assert_eq!(dedup().code, Some(3));
    let run = dedup();
    assert!(run.code == Some(3) && run.err.contains("resuming"), "{}", run.err);
    sandbox.run(["index", "add", "-qq", "all.index", "two/new.txt"]).expect_fine();
    let run = dedup();
    assert!(run.code == Some(2) && run.err.contains("changes"), "{}", run.err);
    let run =
        sandbox.run(["dedup", "--search", "scheme=sd1", "two", "--against", "index:all.index"]);
    assert!(run.code == Some(2) && run.err.contains("md1"), "{}", run.err);
}

#[test]
fn queries_and_pairs_find_documents_of_an_index() {
    let sandbox = months();
    let questions: [&[&str]; 5] = [
        &["query", "-qq", "two/changed.txt", "TO"],
        &["query", "-qq", "--queries", "two", "--", "TO"],
        &["query", "-qq", "--threshold", "0.9", "two/same.html", "TO"],
        &["pairs", "-qq", "two", "--against", "TO"],
        &["pairs", "-qq", "--measure", "containment", "two", "--against", "TO"],
    ];
    let ask = |to: &'static str| {
        let run = |question: &&[&'static str]| {
            let arguments = question.iter().map(|&word| if word == "TO" { to } else { word });
            sandbox.run(arguments.collect::<Vec<_>>()).expect_fine().out
        };
        questions.iter().map(run).collect::<Vec<_>>()
    };
    let of_index = ask("index:all.index");
    with_documents(&sandbox);
    assert_eq!(of_index, ask("one"));
    assert!(of_index.iter().all(|rows| rows.contains("one/")), "{of_index:?}");
    let whole = ["pairs", "--measure", "jaccard-words", "two", "--against", "index:all.index"];
    let run = sandbox.run(whole);
    assert!(run.code == Some(2) && run.err.contains("whole texts"), "{}", run.err);
    let run = sandbox.run(["query", "--measure", "cosine", "two/new.txt", "index:all.index"]);
    assert!(run.code == Some(2) && run.err.contains("words/4"), "{}", run.err);
    assert_eq!(sandbox.run(["query", "two/new.txt", "index:no.index"]).code, Some(2));
}

#[test]
fn an_edition_is_an_index_whose_ids_are_addresses() {
    let sandbox = Sandbox::new();
    sandbox.file("old/a.txt", page(0, "here")).file("old/b.txt", page(1, "here"));
    sandbox.file("old/c.txt", page(2, "here")).file("old/d.txt", page(3, "here"));
    sandbox.file("new/a.txt", page(0, "here")).file("new/b.txt", page(1, "there, at last"));
    sandbox.file("new/e.txt", page(2, "here")).file("new/f.txt", page(8, "here"));
    let of_files = sandbox.run(["diff", "-qq", "old", "new"]).expect_fine().out;
    sandbox.run(["index", "create", "--scheme", "md1", "old.index"]).expect_fine();
    for name in ["a", "b", "c", "d"] {
        let text = std::fs::read_to_string(sandbox.path(format!("old/{name}.txt"))).unwrap();
        let row = serde_json::json!({ "id": format!("{name}.txt"), "text": text });
        sandbox.file("row.jsonl", row.to_string());
        sandbox.run(["index", "add", "-qq", "old.index", "row.jsonl"]).expect_fine();
    }
    let run = sandbox.run(["diff", "-qq", "index:old.index", "new"]).expect_fine();
    assert_eq!(run.out, of_files);
    assert!(of_files.contains("moved") && of_files.contains("gone"), "{of_files}");
    let run = sandbox.run(["diff", "-qq", "index:old.index", "index:old.index"]).expect_fine();
    assert_eq!(run.rows().iter().filter(|row| row[0] == "identical").count(), 4);
    let run = sandbox.run(["diff", "--report", "r.html", "index:old.index", "new"]);
    assert!(run.code == Some(2) && run.err.contains("an index does not keep"), "{}", run.err);
}

#[test]
fn an_index_verifies_by_what_it_keeps() {
    let sandbox = months();
    let run = sandbox.run(["query", "index:all.index", "--queries", "two"]).expect_fine();
    let rows: Vec<_> =
        run.rows().iter().map(|row| (row[0].to_owned(), row[1].to_owned())).collect();
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(rows, [pair("two/changed.txt", "one/1.txt"), pair("two/same.html", "one/0.txt")]);
    assert!(run.out.contains("two/same.html\tone/0.txt\t0\t1.0000\n"), "{}", run.out);
    let many = ["query", "--threshold", "0.99", "index:all.index", "--queries", "two"];
    assert_eq!(sandbox.run(many).expect_fine().rows().len(), 1);
    sandbox.run(["index", "add", "-qq", "all.index", "two"]).expect_fine();
    let pairs = |arguments: &[&str]| {
        let run = sandbox.run(arguments.iter().chain(&["-qq"]));
        run.expect_fine().out
    };
    let found = pairs(&["pairs", "all.index"]);
    assert_eq!(found.lines().count(), 3);
    assert!(found.contains("one/0.txt\ttwo/same.html\t0\t1.0000\n"), "{found}");
    assert_eq!(pairs(&["clusters", "all.index"]).lines().count(), 6);
    assert!(!pairs(&["prints", "pairs", "-k", "0", "all.index"]).contains("1.0000"));
    // The same options as those of `pairs` and `clusters`.
    let within = pairs(&["pairs", "--search", "k=0", "all.index"]);
    assert!(within.contains("one/0.txt\ttwo/same.html\t0\t1.0000\n"), "{within}");
    let parts = pairs(&["pairs", "--measure", "containment", "--threshold", "0.9", "all.index"]);
    assert!(parts.contains("one/0.txt\ttwo/same.html\t0\t1.0000\n"), "{parts}");
    let stars = pairs(&["clusters", "--linkage", "star", "all.index"]);
    assert_eq!(stars.lines().count(), 6);
    // A copy and a merge keep the features, and a replaced document has those of its new text.
    sandbox.run(["index", "snapshot", "-qq", "all.index", "copy.index"]).expect_fine();
    assert_eq!(pairs(&["pairs", "copy.index"]), found);
    // An index that keeps features has the scheme by which `pairs` proposes what is verified.
    sandbox.run(["index", "create", "m.index"]).expect_fine();
    sandbox.run(["index", "merge", "-qq", "m.index", "all.index"]).expect_fine();
    assert_eq!(pairs(&["pairs", "m.index"]), found);
    sandbox.file("two/same.html", page(5, "now another page"));
    let replace = ["index", "add", "-qq", "--on-duplicate", "replace", "m.index", "two/same.html"];
    sandbox.run(replace).expect_fine();
    assert_eq!(pairs(&["pairs", "m.index"]).lines().count(), 2);
    sandbox.run(["index", "remove", "-qq", "m.index", "two/new.txt"]).expect_fine();
    sandbox.run(["index", "compact", "m.index"]).expect_fine();
    sandbox.run(["index", "verify", "-qq", "m.index"]).expect_fine();
    assert_eq!(pairs(&["pairs", "m.index"]).lines().count(), 1);
}

#[test]
fn an_index_without_features_says_so() {
    let sandbox = months();
    sandbox
        .run(["index", "create", "--scheme", "md1", "--keep", "fingerprints", "plain.index"])
        .expect_fine();
    sandbox.run(["index", "merge", "-qq", "plain.index", "all.index"]).expect_fine();
    for (asked, said) in [
        (&["dedup", "-qq", "two", "--against", "index:plain.index"][..], "--keep features"),
        (&["diff", "index:plain.index", "two"], "--keep features"),
        (
            &["query", "index:plain.index", "--queries", "two"],
            "use: nearprint prints query index:plain.index --queries two",
        ),
        (
            &["pairs", "--threshold", "0.5", "plain.index"],
            "use: nearprint prints pairs plain.index",
        ),
        (
            &["clusters", "--linkage=star", "plain.index"],
            "use: nearprint prints clusters plain.index",
        ),
        (&["query", "two/new.txt", "index:plain.index"], "keeps only fingerprints"),
    ] {
        let run = sandbox.run(asked);
        assert!(run.code == Some(2) && run.err.contains(said), "{asked:?} {}", run.err);
    }
    let run =
        sandbox.run(["prints", "query", "-qq", "two/same.html", "index:plain.index"]).expect_fine();
    assert_eq!(run.out, "one/0.txt\t0\n");
    let export = sandbox.run(["index", "export", "plain.index"]).expect_fine().out;
    sandbox.file("a.prints", export.replace("\tone/", "\tthree/"));
    let run = sandbox.run(["index", "import", "all.index", "a.prints"]);
    assert!(run.code == Some(3) && run.err.contains("fingerprints alone"), "{}", run.err);
    let run = sandbox.run(["query", "sd1:aerukz4jvpg66", "index:all.index"]);
    let said = "is a fingerprint, not a document; use: nearprint prints query sd1:aerukz4jvpg66";
    assert!(run.code == Some(2) && run.err.contains(said), "{}", run.err);
}
