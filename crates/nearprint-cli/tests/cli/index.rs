//! The verbs of an index on disk.

use crate::harness::Sandbox;

const FOG: &str = "Fog came in at noon and stayed over the harbour until the bells rang.";
const RAIN: &str = "It rained on the hills for a week, and every brook became a river.";
const BREAD: &str = "Bread needs time, and nobody who hurries it will like what comes out.";

/// Three documents, of which two are the same, and an index of two of them.
fn collection() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("d/fog.txt", FOG).file("d/rain.txt", RAIN);
    sandbox.file("new/fog.html", format!("<p>{FOG}")).file("new/bread.txt", BREAD);
    sandbox.run(["index", "create", "--scheme", "sd1", "c.index"]).expect_fine();
    let run = sandbox.run(["index", "add", "c.index", "d"]);
    let said = "nearprint: 2 documents added; the index contains 2 documents\n";
    assert_eq!((run.code, run.err.as_str(), run.out.as_str()), (Some(0), said, ""));
    sandbox
}

#[test]
fn documents_are_added_found_and_removed() {
    let sandbox = collection();
    let run = sandbox
        .run(["prints", "query", "index:c.index", "--queries", "new/fog.html", "new/bread.txt"])
        .expect_fine();
    assert_eq!(run.out, "new/fog.html\td/fog.txt\t0\n");
    let got = sandbox.run(["index", "get", "c.index", "d/fog.txt"]).expect_fine();
    let print = got.rows()[0][0].to_owned();
    assert_eq!(got.rows(), [[print.as_str(), "d/fog.txt"]]);
    let run = sandbox.run(["prints", "query", "index:c.index", "--queries", &print]).expect_fine();
    assert_eq!(run.out, format!("{print}\td/fog.txt\t0\n"));
    let asked = format!("{print}\tquestion\n");
    let run = sandbox.run_with(["prints", "query", "c.index", "--queries", "-"], asked.as_bytes());
    assert_eq!(run.expect_fine().out, "question\td/fog.txt\t0\n");
    sandbox.run(["index", "remove", "-qq", "c.index", "d/fog.txt"]).expect_fine();
    let run = sandbox.run(["prints", "query", "new/fog.html", "index:c.index"]).expect_fine();
    assert_eq!(run.out, "");
    let run = sandbox.run(["index", "get", "c.index", "d/fog.txt", "d/rain.txt"]);
    assert_eq!((run.code, run.ids()), (Some(1), vec!["d/rain.txt"]));
    assert!(run.err.contains("no document with the id d/fog.txt"), "{}", run.err);
    assert_eq!(sandbox.run(["index", "remove", "-qq", "c.index", "d/fog.txt"]).code, Some(1));
    let run = sandbox.run(["index", "remove", "c.index", "d/fog.txt", "d/rain.txt"]);
    let said = "nearprint: the index has no document with the id d/fog.txt\n\
        nearprint: 1 document removed; the index contains 0 documents\n";
    assert_eq!((run.code, run.err.as_str()), (Some(1), said));
}

#[test]
fn features_are_kept_unless_another_scheme_or_fingerprints_are_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.file("d/fog.txt", FOG).file("new/fog.html", format!("<p>{FOG}"));
    for (number, (options, scheme, is_verified)) in [
        (&[][..], "md1", true),
        (&["--scheme", "md1"], "md1", true),
        (&["--keep", "texts"], "md1", true),
        (&["--keep", "fingerprints"], "sd1", false),
        (&["--keep", "fingerprints,texts"], "sd1", false),
        (&["--scheme", "sl1"], "sl1", false),
        (&["--scheme", "md1", "--keep", "fingerprints"], "md1", false),
        (&["--scheme", "sl1", "--keep", "features"], "sl1", true),
    ]
    .into_iter()
    .enumerate()
    {
        let index = format!("{number}.index");
        let create = [&["index", "create"][..], options, &[&index]].concat();
        sandbox.run(create).expect_fine();
        sandbox.run(["index", "add", "-qq", &index, "d"]).expect_fine();
        let stats = sandbox.run(["index", "stats", "--format", "jsonl", &index]).expect_fine().out;
        let stats: serde_json::Value = serde_json::from_str(&stats).unwrap();
        assert_eq!(stats["scheme"], scheme, "{options:?}");
        let run = sandbox.run(["query", "new/fog.html", &index]);
        assert_eq!(run.code == Some(0), is_verified, "{options:?}: {}", run.err);
    }
    let run = sandbox.run(["index", "create", "--keep", "fingerprints,features", "x.index"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("name one of them"), "{}", run.err);
}

#[test]
fn documents_are_chosen_by_their_metadata() {
    let sandbox = Sandbox::new();
    sandbox.run(["index", "create", "--scheme", "sd1", "c.index"]).expect_fine();
    for (month, host) in [("2026-09", "a"), ("2026-10", "b"), ("2026-11", "a")] {
        sandbox.file(format!("{month}/fog.txt"), FOG);
        let metadata = format!(r#"{{"crawl":"{month}","host":"{host}"}}"#);
        let add = ["index", "add", "-qq", "--metadata", &metadata, "c.index", month];
        sandbox.run(add).expect_fine();
    }
    sandbox.file("more/fog.html", FOG);
    sandbox.run(["index", "add", "-qq", "c.index", "more"]).expect_fine();
    let asked = |conditions: &[&str]| {
        let given = conditions.iter().flat_map(|condition| ["--where", *condition]);
        let query = ["prints", "query", "2026-09/fog.txt", "c.index"].into_iter().chain(given);
        let run = sandbox.run(query.collect::<Vec<_>>()).expect_fine();
        let column = |row: Vec<&str>| row[0].split('/').next().map(str::to_owned);
        run.rows().into_iter().filter_map(column).collect::<Vec<_>>()
    };
    assert_eq!(asked(&[]), ["2026-09", "2026-10", "2026-11", "more"]);
    assert_eq!(asked(&["crawl>2026-09"]), ["2026-10", "2026-11"]);
    assert_eq!(asked(&["crawl>2026-09", "host=a"]), ["2026-11"]);
    let run = sandbox.run([
        "prints",
        "pairs",
        "-qq",
        "--where",
        "host>=a",
        "--not-same",
        "host",
        "c.index",
    ]);
    let both = ["2026-09/fog.txt\t2026-10/fog.txt\t0\n", "2026-10/fog.txt\t2026-11/fog.txt\t0\n"];
    assert_eq!(run.expect_fine().out, both.concat());
    let run = sandbox
        .run(["prints", "clusters", "-qq", "--where", "crawl!=2026-10", "c.index"])
        .expect_fine();
    assert_eq!(run.rows().len(), 2);
    let run = sandbox.run(["index", "export", "--where", "crawl=2026-10", "c.index"]).expect_fine();
    assert_eq!(run.rows().len(), 1);
    let run = sandbox.run(["index", "remove", "--where", "crawl<2026-11", "c.index"]);
    assert!(run.err.contains("2 documents removed; the index contains 2 documents"), "{}", run.err);
    assert_eq!(asked(&[]), ["2026-11", "more"]);
    let run = sandbox.run(["query", "--where", "crawl", "2026-09/fog.txt", "index:c.index"]);
    assert!(run.code == Some(2) && run.err.contains("FIELD=VALUE"), "{}", run.err);
}

#[test]
fn numbers_of_clusters_stay_while_their_earliest_documents_do() {
    let sandbox = collection();
    let clusters = || {
        let run = sandbox.run(["prints", "clusters", "-qq", "c.index"]).expect_fine();
        run.rows().iter().map(|row| row.join(" ")).collect::<Vec<_>>()
    };
    sandbox.file("more/rain.html", RAIN);
    sandbox.run(["index", "add", "-qq", "c.index", "more", "new"]).expect_fine();
    let rain = ["2 d/rain.txt", "2 more/rain.html"];
    assert_eq!(clusters(), [&["1 d/fog.txt", "1 new/fog.html"][..], &rain].concat());
    sandbox.file("last/fog.txt", FOG);
    sandbox.run(["index", "add", "-qq", "c.index", "last"]).expect_fine();
    let fog = ["1 d/fog.txt", "1 new/fog.html", "1 last/fog.txt"];
    assert_eq!(clusters(), [&fog[..], &rain].concat());
    sandbox.run(["index", "remove", "-qq", "c.index", "d/fog.txt"]).expect_fine();
    // The next ones by their order of addition: bread was the fourth.
    assert_eq!(clusters(), [&rain[..], &["5 new/fog.html", "5 last/fog.txt"]].concat());
}

#[test]
fn documents_are_listed_in_the_order_of_their_ids() {
    let sandbox = collection();
    sandbox.run(["index", "add", "-qq", "c.index", "new"]).expect_fine();
    let listed = |arguments: &[&str]| {
        let list = ["index", "list"].iter().chain(arguments).chain(&["c.index"]);
        let run = sandbox.run(list.collect::<Vec<_>>()).expect_fine();
        run.rows().iter().map(|row| row[1].to_owned()).collect::<Vec<_>>()
    };
    let all = ["d/fog.txt", "d/rain.txt", "new/bread.txt", "new/fog.html"];
    assert_eq!(listed(&[]), all);
    assert_eq!(listed(&["--prefix", "new/"]), all[2..]);
    assert_eq!(listed(&["--after", "d/fog.txt", "--most", "2"]), all[1..3]);
    assert_eq!(listed(&["--most", "0"]), [""; 0]);
}

#[test]
fn only_what_is_new_is_added_where_that_is_asked() {
    let sandbox = collection();
    let run = sandbox.run(["index", "add", "--if-new", "--report", "r.json", "c.index", "new"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "new/fog.html\td/fog.txt\t0\n"));
    let said =
        "nearprint: 1 document added, 1 near others not added; the index contains 3 documents\n";
    assert_eq!(run.err, said);
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(sandbox.path("r.json")).unwrap()).unwrap();
    assert_eq!(report["schema"], "nearprint/index-change/1");
    assert_eq!((&report["added"], &report["near"]), (&1.into(), &1.into()));
    let run = sandbox.run(["index", "add", "--matches", "c.index", "new/fog.html"]);
    assert_eq!(run.out, "new/fog.html\td/fog.txt\t0\n");
    let run = sandbox.run(["prints", "pairs", "-qq", "c.index"]).expect_fine();
    assert_eq!(run.out, "d/fog.txt\tnew/fog.html\t0\n");
    let run = sandbox.run(["prints", "clusters", "-qq", "c.index"]).expect_fine();
    assert_eq!(run.out, "1\td/fog.txt\n1\tnew/fog.html\n");
    let run = sandbox.run(["index", "add", "-k", "3", "c.index", "new"]);
    assert_eq!(run.code, Some(2), "a distance without a look");
}

#[test]
fn ids_are_unique_by_the_rule_that_is_named() {
    let sandbox = collection();
    let run = sandbox.run(["index", "add", "c.index", "d"]);
    assert_eq!(run.code, Some(3));
    assert!(run.err.contains("already contains a document with the id d/fog.txt"), "{}", run.err);
    assert!(run.err.contains("--on-duplicate"), "{}", run.err);
    let run = sandbox.run(["index", "add", "--on-duplicate", "skip", "c.index", "d"]);
    let said = "nearprint: 0 documents added, 2 skipped; the index contains 2 documents\n";
    assert_eq!((run.code, run.err.as_str()), (Some(0), said));
    sandbox.file("d/fog.txt", BREAD);
    let run = sandbox.run(["index", "add", "-qq", "--on-duplicate", "replace", "c.index", "d"]);
    run.expect_fine();
    let run = sandbox.run(["prints", "query", "new/bread.txt", "index:c.index"]).expect_fine();
    assert_eq!(run.out, "d/fog.txt\t0\n");
    let run = sandbox.run(["prints", "query", "new/fog.html", "index:c.index"]).expect_fine();
    assert_eq!(run.out, "");
}

#[test]
fn an_index_goes_out_and_in_again() {
    let sandbox = collection();
    for form in ["text", "jsonl", "binary"] {
        let (file, index) = (format!("{form}.prints"), format!("{form}.index"));
        sandbox.run(["index", "export", "--format", form, "-o", &file, "c.index"]).expect_fine();
        sandbox.run(["index", "create", "--scheme", "sd1", &index]).expect_fine();
        sandbox.run(["index", "import", "-qq", &index, &file]).expect_fine();
        let all = |index: &str| sandbox.run(["index", "export", index]).expect_fine().out;
        assert_eq!(all(&index), all("c.index"), "{form}");
        sandbox.run(["index", "verify", "-qq", &index]).expect_fine();
    }
    sandbox
        .run(["index", "add", "-qq", "--metadata", r#"{"crawl":7}"#, "c.index", "new"])
        .expect_fine();
    sandbox
        .run(["index", "merge", "-qq", "--on-duplicate", "skip", "text.index", "c.index"])
        .expect_fine();
    sandbox.run(["index", "snapshot", "-qq", "text.index", "copy.index"]).expect_fine();
    let run = sandbox.run(["index", "get", "--format", "jsonl", "copy.index", "new/fog.html"]);
    let row: serde_json::Value = serde_json::from_str(&run.expect_fine().out).unwrap();
    assert_eq!(
        (&row["schema"], &row["metadata"]["crawl"]),
        (&"nearprint/indexed/1".into(), &7.into())
    );
    assert!(row["extractor"].as_str().unwrap().starts_with("html/"), "{row}");
    let run = sandbox.run(["index", "add", "--metadata", "7", "c.index", "new"]);
    assert_eq!(run.code, Some(2), "{}", run.err);
}

#[test]
fn texts_are_kept_and_go_out_and_in_again() {
    let sandbox = collection();
    let export = |index: &str| {
        sandbox.run(["index", "export", "--format", "jsonl", index]).expect_fine().out
    };
    for (index, keep) in [("both.index", "features,texts"), ("copy.index", "texts")] {
        sandbox.run(["index", "create", "--keep", keep, "--scheme", "sd1", index]).expect_fine();
    }
    sandbox.run(["index", "add", "-qq", "both.index", "new"]).expect_fine();
    let lines = export("both.index");
    let rows: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (head, end) = (&rows[0], &rows[rows.len() - 1]);
    assert_eq!((&head["schema"], &head["texts"]), (&"nearprint/export/1".into(), &true.into()));
    assert_eq!(end["rows"], rows.len() - 2);
    let documents = &rows[1..rows.len() - 1];
    let is_whole = |row: &serde_json::Value| row["text"].is_string() && row["features"].is_string();
    assert!(!documents.is_empty() && documents.iter().all(is_whole), "{lines}");
    let get = ["index", "get", "--format", "jsonl", "both.index", "new/fog.html"];
    let row: serde_json::Value = serde_json::from_str(&sandbox.run(get).expect_fine().out).unwrap();
    let text = row["text"].as_str().map(str::trim_end);
    assert_eq!((text, &row["features"]), (Some(FOG), &serde_json::Value::Null));
    let arguments = ["index", "export", "--format", "jsonl", "-o", "both.jsonl", "both.index"];
    sandbox.run(arguments).expect_fine();
    // What another index does not keep is left out.
    sandbox.run(["index", "import", "-qq", "copy.index", "both.jsonl"]).expect_fine();
    let copied = export("copy.index");
    assert!(copied.contains("\"text\":") && !copied.contains("\"words\":"), "{copied}");
    sandbox.run(["index", "verify", "-qq", "copy.index"]).expect_fine();
    // What was cut says so.
    let cut = copied.lines().take(2).collect::<Vec<_>>().join("\n") + "\n";
    sandbox.file("cut.jsonl", &cut);
    let run = sandbox.run(["index", "import", "--on-duplicate", "skip", "copy.index", "cut.jsonl"]);
    assert!(run.code == Some(1) && run.err.contains("cut"), "{}", run.err);
}

#[test]
fn an_index_is_looked_after() {
    let sandbox = collection();
    let run = sandbox.run(["index", "stats", "c.index"]).expect_fine();
    assert!(run.out.starts_with("scheme\tsd1\nformat\t2\n"), "{}", run.out);
    assert!(run.out.contains("\ndocuments\t2\n"), "{}", run.out);
    sandbox.run(["index", "rebuild", "c.index"]).expect_fine();
    let tables = std::fs::read_dir(sandbox.path("c.index/tables")).unwrap().next().unwrap();
    let tables = tables.unwrap().path();
    let whole = std::fs::read(&tables).unwrap();
    std::fs::write(&tables, &whole[..whole.len() / 2]).unwrap();
    let name = tables.file_name().unwrap().to_str().unwrap();
    for arguments in
        [["prints", "query", "d/fog.txt", "c.index"], ["index", "add", "c.index", "new"]]
    {
        let run = sandbox.run(arguments);
        assert_eq!(run.code, Some(3));
        assert!(run.err.contains(name) && run.err.contains("index rebuild"), "{}", run.err);
    }
    let run = sandbox.run(["index", "verify", "c.index"]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains(name), "{}", run.err);
    sandbox.run(["index", "compact", "c.index"]).expect_fine();
    let run = sandbox.run(["index", "verify", "c.index"]);
    assert_eq!(run.err, "nearprint: 2 documents and 1 segment are intact\n");
    assert_eq!(sandbox.run(["index", "upgrade", "c.index"]).code, Some(0));
}

#[test]
fn what_is_no_index_is_wrong_usage_and_stays_as_it_is() {
    let sandbox = Sandbox::new();
    sandbox.file("d/a.txt", FOG);
    let run = sandbox.run(["index", "add", "d", "d"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("is not an index") && run.err.contains("index create"), "{}", run.err);
    let run = sandbox.run(["index", "create", "--scheme", "sd1", "d"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("exists already"), "{}", run.err);
    assert_eq!(sandbox.run(["query", "d/a.txt", "index:none"]).code, Some(2));
    assert_eq!(sandbox.names(), ["d"]);
    sandbox
        .run(["index", "create", "--scheme", "md1", "--keep", "fingerprints", "m.index"])
        .expect_fine();
    let run = sandbox.run(["prints", "query", "sd1:aerukz4jvpg66", "index:m.index"]);
    assert_eq!(run.code, Some(3));
    assert!(run.err.contains("sd1") && run.err.contains("md1"), "{}", run.err);
    sandbox.run(["index", "add", "-qq", "m.index", "d"]).expect_fine();
    let run = sandbox.run(["prints", "query", "index:m.index", "--queries", "d"]).expect_fine();
    assert_eq!(run.out, "d/a.txt\td/a.txt\t0\n");
}

#[test]
fn an_index_that_cannot_grow_stays_as_it_is() {
    let sandbox = collection();
    let prints: String = (0..60_000u64)
        .map(|number| format!("{}\tmany/{number}\n", number.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        .collect();
    sandbox.file("many.txt", prints);
    let program = env!("CARGO_BIN_EXE_nearprint");
    let arguments = "index import -q --read format=decimal c.index many.txt";
    let mut limited = std::process::Command::new("sh");
    // No file beyond 1,000 blocks of 512 or 1,024 bytes.
    limited.args(["-c", &format!("ulimit -f 1000; exec {program} {arguments}")]);
    let output = limited.current_dir(sandbox.path("")).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("c.index"), "{output:?}");
    let run = sandbox.run(["index", "verify", "c.index"]);
    assert_eq!(run.err, "nearprint: 2 documents and 0 segments are intact\n");
    assert_eq!(sandbox.run(arguments.split(' ')).code, Some(0));
    let run = sandbox.run(["index", "verify", "c.index"]);
    assert_eq!(run.err, "nearprint: 60002 documents and 1 segment are intact\n");
}

#[test]
fn errors_come_with_the_verb_that_helps() {
    let sandbox = collection();
    let run = sandbox.run(["query", "d/fog.txt", "index:nowhere"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("; create one with `nearprint index create`"), "{}", run.err);
    let run = sandbox.run(["index", "create", "--scheme", "sd1", "c.index"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("; name a new directory for the index"), "{}", run.err);
}
