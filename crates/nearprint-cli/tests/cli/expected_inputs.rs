//! Inputs that are not what they are expected to be are refused with the option that is meant, before anything is
//! decided.

use crate::bombs::gzip;
use crate::harness::{Run, Sandbox};

const TEXT: &str = "Fog came in at noon and stayed over the harbour until the bells rang.";
const PRINTS: &str = "sd1:aerukz4jvpg66\ta\nsd1:aerukz4jvpg66\tb\n";

fn rows(field: &str) -> String {
    (0..3).map(|row| format!("{{\"id\":\"{row}\",\"{field}\":\"{TEXT} {row}\"}}\n")).collect()
}

#[track_caller]
fn refused(run: &Run, why: &[&str]) {
    assert_eq!((run.out.as_str(), run.code), ("", Some(2)), "{run:?}");
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    for why in why {
        assert!(run.err.contains(why), "{why}: {}", run.err);
    }
}

#[test]
fn rows_without_the_field_asked_for_name_those_there_are() {
    let sandbox = Sandbox::new();
    sandbox.file("rows.jsonl", rows("content")).file("d/0.jsonl", rows("content"));
    sandbox.file("one.ndjson", rows("content").lines().next().unwrap());
    sandbox.file("good.jsonl", rows("text"));
    sandbox.file("rows.csv", format!("id,content\n1,{TEXT}\n2,{TEXT}\n"));
    sandbox.file("one.tsv", format!("id\tcontent\n1\t{TEXT}\n"));
    sandbox.file("plain", format!("id,content\n1,{TEXT}\n2,{TEXT}\n"));
    let there = "there are: id, content; use --read text=FIELD or html=FIELD to name the field with the text";
    for verb in ["fingerprint", "dedup", "pairs", "clusters"] {
        for input in ["rows.jsonl", "d", "one.ndjson", "rows.csv", "one.tsv", "plain"] {
            refused(&sandbox.run([verb, "good.jsonl", input]), &["no", "\"text\"", there]);
        }
        refused(&sandbox.run([verb, "--read", "text=txet", "rows.jsonl"]), &["\"txet\"", there]);
        refused(&sandbox.run([verb, "--read", "html=txet", "rows.csv"]), &["\"txet\"", there]);
    }
    refused(&sandbox.run(["prints", "idf", "rows.jsonl", "-o", "x"]), &[there]);
    refused(&sandbox.run(["diff", "good.jsonl", "rows.jsonl"]), &[there]);
    refused(&sandbox.run(["dedup", "good.jsonl", "--against", "rows.jsonl"]), &[there]);
    refused(&sandbox.run(["dedup", "--write", "out", "rows.jsonl"]), &[there]);
    refused(&sandbox.run(["fingerprint", "--format", "csv", "rows.jsonl"]), &[there]);
    refused(&sandbox.run_with(["dedup", "-"], rows("content").as_bytes()), &["-: none", there]);
    let forced = ["fingerprint", "--read", "format=jsonl", "rows.jsonl"];
    refused(&sandbox.run(forced), &["none of the first 3 rows", there]);
    refused(
        &sandbox.run(["fingerprint", "--read", "id=key", "good.jsonl"]),
        &["\"key\"", "use --read id"],
    );
    let names = ["d", "good.jsonl", "one.ndjson", "one.tsv", "plain", "rows.csv", "rows.jsonl"];
    assert_eq!(sandbox.names(), names);
    // Who means a file for one document says so; whose field is there is served.
    for input in ["rows.jsonl", "rows.csv"] {
        let run = sandbox.run(["fingerprint", "--read", "format=files", input]).expect_fine();
        assert_eq!(run.ids(), [input]);
        let run = sandbox.run(["fingerprint", "--read", "text=content", input]).expect_fine();
        assert!(run.rows().len() > 1, "{run:?}");
    }
}

#[test]
fn a_field_to_keep_by_that_no_row_has_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("rows.jsonl", rows("text")).file("rows.csv", format!("id,text\n1,{TEXT}\n"));
    for input in ["rows.jsonl", "rows.csv"] {
        let run = sandbox.run(["dedup", "--keep", "field:nosuch", "--write", "out", input]);
        refused(&run, &["\"nosuch\"", "there are: id, text", "use --keep field:NAME"]);
    }
    assert_eq!(sandbox.names(), ["rows.csv", "rows.jsonl"]);
}

#[test]
fn tables_without_the_column_asked_for_name_those_there_are() {
    let sandbox = Sandbox::new();
    sandbox.file("good.jsonl", rows("text"));
    for format in ["parquet", "arrow"] {
        let name = format!("prints.{format}");
        sandbox.run(["fingerprint", "--format", format, "-o", &name, "good.jsonl"]).expect_fine();
        refused(
            &sandbox.run(["dedup", &name]),
            &["there is no column \"text\"", "id, ", "--read text"],
        );
        let run = sandbox.run(["dedup", "--read", "text=id", "--keep", "field:nosuch", &name]);
        refused(&run, &["there is no column \"nosuch\""]);
    }
}

#[test]
fn rows_further_on_that_lack_the_field_are_errors_of_their_own() {
    let sandbox = Sandbox::new();
    let mixed = format!("{{\"id\":0}}\n{}{{\"id\":9}}\n", rows("text"));
    sandbox.file("mixed.jsonl", mixed);
    let run = sandbox.run(["fingerprint", "--verbose", "mixed.jsonl"]);
    assert_eq!((run.ids(), run.code), (vec!["0", "1", "2"], Some(1)), "{run:?}");
    assert!(run.err.contains("mixed.jsonl:1: no fingerprint: bad-line: "), "{}", run.err);
    // A file of rows that nobody named is an error, never one document.
    sandbox.file("d/a.txt", TEXT).file("d/log.jsonl", rows("content"));
    let run = sandbox.run(["fingerprint", "d"]);
    assert_eq!((run.ids(), run.code), (vec!["d/a.txt"], Some(1)), "{run:?}");
    assert!(run.err.contains("d/log.jsonl: no fingerprint: bad-file: none of"), "{}", run.err);
    sandbox.file("e/a.txt", TEXT).file("e/log.csv", "Nr;Inhalt\n1;Fog\n2;Rain\n");
    // Not a table by its name.
    sandbox.file("e/b.graph", "Fog;Rain\nHarbour;Lamp\nBell;Boat\n");
    sandbox
        .file("e/log.json", "[{\"a\":\"Fog\"},{\"a\":\"Rain\"}]")
        .file("e/texts.json", "[\"Fog\",\"Rain\"]");
    let run = sandbox.run(["fingerprint", "--verbose", "e"]);
    assert_eq!((run.ids(), run.code), (vec!["e/a.txt", "e/b.graph"], Some(1)), "{run:?}");
    for name in ["log.csv", "log.json", "texts.json"] {
        assert!(run.err.contains(&format!("e/{name}: no fingerprint: bad-file: ")), "{}", run.err);
    }
}

#[test]
fn rows_in_forms_that_are_not_read_are_refused() {
    let sandbox = Sandbox::new();
    let remedy = "--read format=files reads each file as one document";
    for (text, why) in [
        ("id;text\r1;Fog\r2;Rain\r", "end with CR alone"),
        ("{\"text\":\"Fog\"}\r{\"text\":\"Rain\"}\r", "end with CR alone"),
        ("{\n\"text\":\"Fog\"\n}\n{\n\"text\":\"Rain\"\n}\n", "are not one a line"),
        ("[\"Fog\",\"Rain\"]", "are texts, not objects"),
        ("{\"docs\":[{\"text\":\"Fog\"},{\"text\":\"Rain\"}]}", "within a JSON object"),
    ] {
        sandbox.file("rows", text);
        refused(&sandbox.run(["dedup", "rows"]), &["rows: ", why, remedy]);
        refused(&sandbox.run_with(["dedup", "-"], text.as_bytes()), &["-: ", why, remedy]);
    }
    sandbox.file("one.csv", format!("text\n{TEXT}\n{TEXT}\n"));
    assert_eq!(sandbox.run(["fingerprint", "one.csv"]).expect_fine().rows().len(), 2);
}

#[test]
fn texts_that_only_resemble_rows_are_documents() {
    let sandbox = Sandbox::new();
    sandbox.file("letter", "Dear John,\nfog came in, rain fell.\nYours, Mary\n");
    sandbox.file("value.json", "{\"a\":\"Fog came in at noon\"}");
    sandbox.file("pretty.json", "{\n  \"a\": \"Fog came in at noon\"\n}\n");
    sandbox.file("note", "todo: fog\nnote: rain\n").file("braces", "{fog}\n{rain}\n");
    let names = ["letter", "value.json", "pretty.json", "note", "braces"];
    assert_eq!(sandbox.run([&["fingerprint"], &names[..]].concat()).expect_fine().ids(), names);
}

#[test]
fn fingerprints_where_documents_are_expected_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("prints.txt", PRINTS).file("a.txt", TEXT).file("good.jsonl", rows("text"));
    sandbox.run(["fingerprint", "--format", "jsonl", "good.jsonl", "-o", "jsonl"]).expect_fine();
    sandbox.run(["fingerprint", "--format", "binary", "good.jsonl", "-o", "binary"]).expect_fine();
    let between = |a: &str, b: &str| match a == b {
        true => format!("prints pairs {a}"),
        false => format!("prints pairs {a} --against {b}"),
    };
    for prints in ["prints.txt", "jsonl", "binary"] {
        let contains = format!("{prints} contains fingerprints, not documents; use: nearprint");
        for (given, meant) in [
            (&["pairs", prints][..], format!("prints pairs {prints}")),
            (
                &["clusters", "-qq", prints, "--threshold", "0.5"],
                format!("prints clusters -qq {prints}"),
            ),
            (&["query", "a.txt", prints], format!("prints query a.txt {prints}")),
            (&["dedup", prints], format!("prints clusters {prints}")),
            (&["fingerprint", prints], format!("prints convert --format text {prints}")),
            (&["compare", prints, "a.txt"], format!("prints pairs {prints}")),
            (&["compare", prints, "binary"], between(prints, "binary")),
            (&["extract", prints], format!("prints convert --format text {prints}")),
        ] {
            refused(&sandbox.run(given), &[&format!("{contains} {meant}\n")]);
        }
        // No verb compares documents with fingerprints, so none is named.
        for given in [
            &["query", prints, "a.txt"][..],
            &["query", "--queries", prints, "--", "a.txt"],
            &["pairs", "a.txt", "--against", prints],
        ] {
            refused(&sandbox.run(given), &["contains fingerprints", "; --read format=files"]);
        }
    }
    let run = sandbox.run_with(["pairs", "-"], PRINTS.as_bytes());
    refused(&run, &["- contains fingerprints", "use: nearprint prints pairs -\n"]);
    let run = sandbox.run(["compare", "sd1:aerukz4jvpg66", "sd1:aerukz4jvpg66"]);
    refused(&run, &["use: nearprint prints compare sd1:aerukz4jvpg66 sd1:aerukz4jvpg66\n"]);
    sandbox.run(["index", "create", "--scheme", "sd1", "c.index"]).expect_fine();
    let run = sandbox.run(["index", "add", "c.index", "prints.txt"]);
    refused(&run, &["use: nearprint index import c.index prints.txt\n"]);
}

#[test]
fn compressed_fingerprints_are_refused_with_what_helps() {
    let sandbox = Sandbox::new();
    sandbox.file("prints.gz", gzip(PRINTS.as_bytes()));
    for verb in [&["pairs"][..], &["prints", "pairs"]] {
        refused(&sandbox.run(verb.iter().chain(&["prints.gz"])), &["; decompress the file first"]);
    }
}

#[test]
fn tables_of_fingerprints_name_the_verb_that_reads_them() {
    let sandbox = Sandbox::new();
    sandbox.file("good.jsonl", rows("text"));
    for format in ["csv", "parquet", "arrow"] {
        sandbox.run(["fingerprint", "--format", format, "-o", format, "good.jsonl"]).expect_fine();
        refused(&sandbox.run(["prints", "pairs", format]), &["`nearprint index import`"]);
    }
}

#[test]
fn fingerprints_of_two_schemes_name_what_both_need() {
    let sandbox = Sandbox::new();
    sandbox.file("good.jsonl", rows("text")).file("sd1.txt", PRINTS);
    sandbox.run(["fingerprint", "--scheme", "sl1", "-o", "sl1.txt", "good.jsonl"]).expect_fine();
    let run = sandbox.run(["prints", "pairs", "sd1.txt", "sl1.txt"]);
    assert!(run.err.contains("name only files of one scheme (these with --scheme sl1)"), "{run:?}");
    sandbox.run(["index", "create", "--scheme", "sl1", "c.index"]).expect_fine();
    let run = sandbox.run(["index", "import", "c.index", "sd1.txt"]);
    assert!(
        run.err.contains("refingerprint --from sd1.txt") && !run.err.contains("--scheme"),
        "{run:?}"
    );
}

#[test]
fn indexes_where_documents_are_expected_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("good.jsonl", rows("text"));
    sandbox.run(["index", "create", "c.index"]).expect_fine();
    sandbox.run(["index", "add", "-qq", "c.index", "good.jsonl"]).expect_fine();
    for verb in [
        &["dedup"][..],
        &["fingerprint"],
        &["passages"],
        &["extract", "--json"],
        &["index", "add", "c.index"],
    ] {
        for index in ["c.index", "index:c.index"] {
            refused(
                &sandbox.run(verb.iter().chain(&[index])),
                &["is an index, which is not read here"],
            );
        }
    }
    for index in ["c.index", "index:c.index"] {
        let run = sandbox.run(["diff", index, "good.jsonl"]);
        assert!(run.code == Some(0) && run.err.contains("3 documents before, 3"), "{run:?}");
    }
}

#[test]
fn documents_where_fingerprints_are_expected_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("prints.txt", PRINTS).file("a b.txt", TEXT).file("good.jsonl", rows("text"));
    for (given, meant) in [
        (&["prints", "pairs", "good.jsonl"][..], "pairs good.jsonl"),
        (&["prints", "clusters", "--json", "a b.txt"], "clusters --json 'a b.txt'"),
        (&["prints", "query", "a b.txt", "good.jsonl"], "query 'a b.txt' good.jsonl"),
        (
            &["prints", "pairs", "-k", "6", "good.jsonl"],
            "fingerprint good.jsonl | nearprint prints pairs -k 6 -",
        ),
        (
            &["prints", "health", "prints.txt", "good.jsonl"],
            "fingerprint good.jsonl | nearprint prints health prints.txt -",
        ),
        (&["prints", "pairs", "."], "pairs ."),
        (&["prints", "compare", "a b.txt", "good.jsonl"], "compare 'a b.txt' good.jsonl"),
    ] {
        refused(&sandbox.run(given), &[&format!("; use: nearprint {meant}\n")]);
    }
    let run = sandbox.run_with(["prints", "pairs", "-"], rows("text").as_bytes());
    refused(&run, &["- contains no fingerprints", "use: nearprint pairs -\n"]);
    let run = sandbox.run(["prints", "pairs", "--read", "format=hex", "a b.txt"]);
    refused(&run, &["contains no fingerprints of this format"]);
    // Lines that are none among others that are one are errors of their own.
    sandbox.file("some.txt", format!("Fog\n{PRINTS}"));
    let run = sandbox.run(["prints", "pairs", "-qq", "some.txt"]);
    assert_eq!((run.out.as_str(), run.code), ("a\tb\t0\n", Some(1)), "{run:?}");
}

#[test]
fn fingerprints_state_their_scheme() {
    let sandbox = Sandbox::new();
    sandbox.file("rows.jsonl", rows("text"));
    let custom = "custom:words,log,xxh3,32";
    for scheme in ["sl1", "md1", custom] {
        for format in ["text", "jsonl", "binary"] {
            let arguments = ["--scheme", scheme, "--format", format, "--force", "-o", "prints"];
            let fingerprint = [&["fingerprint", "-qq", "rows.jsonl"], &arguments[..]].concat();
            sandbox.run(fingerprint).expect_fine();
            let run = sandbox.run(["prints", "pairs", "-qq", "--json", "prints"]);
            if scheme == custom {
                refused(
                    &run,
                    &[
                        "prints contains fingerprints of the unknown scheme custom-",
                        "--scheme custom:",
                    ],
                );
                let named = ["prints", "pairs", "-qq", "--scheme", custom, "prints"];
                assert_eq!(sandbox.run(named).expect_fine().rows().len(), 3);
            } else {
                assert_eq!(run.expect_fine().rows().len(), 3, "{scheme} {format}");
            }
        }
    }
}

#[test]
fn many_documents_where_one_is_expected_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("x.jsonl", rows("text")).file("y.csv", format!("id,text\n1,{TEXT}\n"));
    sandbox.file("z.jsonl", rows("content")).file("a.txt", TEXT).file("prints.txt", PRINTS);
    for many in ["x.jsonl", "y.csv", "z.jsonl"] {
        refused(&sandbox.run(["compare", "a.txt", many]), &["contains many documents", "pairs"]);
        let run = sandbox.run(["prints", "query", many, "prints.txt"]);
        refused(&run, &[many, "contains many documents", "--queries"]);
        refused(&sandbox.run(["query", many, "a.txt"]), &["--queries"]);
    }
}

#[test]
fn queries_may_be_documents_where_the_inputs_are_fingerprints() {
    let sandbox = Sandbox::new();
    let texts = [TEXT, "It rained on the hills for a week.", "Snow lay on every roof in town."];
    let rows = texts.iter().enumerate();
    let rows: String =
        rows.map(|(row, text)| format!("{{\"id\":{row},\"text\":\"{text}\"}}\n")).collect();
    sandbox.file("x.jsonl", rows).file("d/a.txt", TEXT);
    let prints = sandbox.run(["fingerprint", "x.jsonl"]).expect_fine().out;
    sandbox.file("prints.txt", prints);
    let expected = ["0\t0\t0", "1\t1\t0", "2\t2\t0"];
    let query = ["prints", "query", "-qq", "-k0", "prints.txt", "--queries"];
    for queries in ["x.jsonl", "prints.txt"] {
        let run = sandbox.run([&query[..], &[queries]].concat()).expect_fine();
        assert_eq!(run.out.lines().collect::<Vec<_>>(), expected, "{queries}");
    }
    let run = sandbox.run([&query[..], &["d", "x.jsonl"]].concat()).expect_fine();
    assert!(run.out.ends_with("2\t2\t0\n"), "{run:?}");
}
