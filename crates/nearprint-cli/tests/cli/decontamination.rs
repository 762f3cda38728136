//! Training data out of which the rule of GPT-3 cuts what a test has: alike in every form, byte for byte otherwise.

use crate::harness::Sandbox;

/// Different words of a text, none of which another text has.
fn words(name: &str, count: u8) -> String {
    let letter = |number: u8| char::from(b'a' + number);
    (0..count).map(|at| format!("{name}{}{} ", letter(at / 26), letter(at % 26))).collect()
}

/// A question of 13 words.
const QUESTION: &str = "Which bird of all stays over the grey harbour at noon and sings";

/// Texts: whose middle is cut, without an item, and which is all cut.
fn texts() -> [(&'static str, String); 3] {
    let (start, end) = (words("é", 120), words("b", 120));
    [
        ("middle", format!("{start}{}? {end}", QUESTION.to_uppercase())),
        ("clean", format!("{start} {end}")),
        ("short", format!("So: {QUESTION}?")),
    ]
}

/// What is left of the first text.
fn left() -> String {
    let (_, text) = &texts()[0];
    let characters: Vec<char> = text.chars().collect();
    let at = text.find("WHICH").map(|at| text[..at].chars().count()).unwrap();
    let end = at + QUESTION.len() + 1;
    let piece = |from: usize, to: usize| characters[from..to].iter().collect::<String>();
    format!("{}\n\n{}", piece(0, at - 200), piece(end + 200, characters.len()))
}

fn json(text: &str) -> String {
    format!("\"{}\"", text.replace('\n', "\\n"))
}

fn rows(texts: &[(&str, String)], kept: bool) -> Vec<String> {
    let rows = texts.iter().filter(|(id, _)| !kept || *id != "short");
    let text = |(id, text): &(&str, String)| match *id {
        "middle" if kept => json(&left()),
        _ => json(text),
    };
    rows.map(|row| format!("{{ \"id\":\"{}\", \"n\": 1e2, \"text\": {} }}", row.0, text(row)))
        .collect()
}

fn asked(sandbox: &Sandbox, input: &str, output: &str) -> String {
    let asked = ["passages", "decontaminate", "--policy", "gpt3", "--force", "--write", output];
    let run = sandbox.run([&asked[..], &[input, "--against", "test.jsonl"]].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    run.err
}

#[test]
fn texts_are_cut_alike_in_every_form() {
    let sandbox = Sandbox::new();
    let texts = texts();
    sandbox.file("test.jsonl", format!("{{\"id\":\"q\",\"text\":\"{QUESTION}?\"}}\n"));
    let (all, kept) = (rows(&texts, false), rows(&texts, true));
    sandbox.file("rows.jsonl", all.join("\n") + "\n");
    let said = asked(&sandbox, "rows.jsonl", "clean.jsonl");
    assert!(said.ends_with("nearprint: 1 document cut, 1 left out\n"), "{said}");
    let clean = std::fs::read_to_string(sandbox.path("clean.jsonl")).unwrap();
    assert_eq!(clean, kept.join("\n") + "\n");
    for (first, last) in [(0, 3), (1, 3), (0, 2)] {
        let array = |rows: &[String]| format!("[{}]\n", rows.join(",\n "));
        sandbox.file("rows.json", array(&all[first..last]));
        asked(&sandbox, "rows.json", "clean.json");
        let clean = std::fs::read_to_string(sandbox.path("clean.json")).unwrap();
        assert_eq!(clean, array(&kept[first..]), "{first} to {last}");
    }
    // Tables of results have texts: of two of each, the second one.
    let twice = texts.iter().flat_map(|(id, text)| [1, 2].map(|number| (id, number, text)));
    let row = |(id, number, text): (&&str, u8, &String)| {
        format!("{{\"id\":\"{id}-{number}\",\"text\":{}}}\n", json(text))
    };
    sandbox.file("twice.jsonl", twice.map(row).collect::<String>());
    for format in ["parquet", "arrow"] {
        let table = format!("rows.{format}");
        let listed = ["passages", "dedup", "-qq", "--min-tokens", "8", "--format", format];
        let options = ["--force", "--output", &table, "twice.jsonl"];
        sandbox.run([&listed[..], &options].concat()).expect_fine();
        let said = asked(&sandbox, &table, "clean.table");
        assert!(said.ends_with("nearprint: 1 document cut, 2 left out\n"), "{said}");
        let read = |file: &str| sandbox.run(["extract", "--json", "-qq", file]).out;
        let clean = read("clean.table");
        assert_eq!(clean.lines().count() + 2, read(&table).lines().count());
        let row = clean.lines().find(|row| row.contains("\"id\":\"middle-2\"")).unwrap();
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        assert_eq!(row["text"].as_str().unwrap(), left().trim_end(), "{format}");
    }
}

#[test]
fn files_are_cut_or_left_out() {
    let sandbox = Sandbox::new();
    sandbox.file("test.jsonl", format!("{{\"id\":\"q\",\"text\":\"{QUESTION}?\"}}\n"));
    for (name, text) in &texts() {
        sandbox.file(format!("files/{name}.txt"), text);
    }
    let (_, middle) = &texts()[0];
    sandbox.file("files/page.html", format!("<!DOCTYPE html><p>{middle}</p>"));
    let said = asked(&sandbox, "files", "clean");
    assert!(said.ends_with("nearprint: 1 document cut, 2 left out\n"), "{said}");
    let read = |name: &str| std::fs::read_to_string(sandbox.path(format!("clean/{name}"))).unwrap();
    assert_eq!((read("middle.txt"), read("clean.txt")), (left(), texts()[1].1.clone()));
    assert!(!sandbox.path("clean/short.txt").exists() && !sandbox.path("clean/page.html").exists());
}

#[test]
fn rows_say_what_is_cut_and_what_stays() {
    let sandbox = Sandbox::new();
    sandbox.file("test.jsonl", format!("{{\"id\":\"q\",\"text\":\"{QUESTION}?\"}}\n"));
    sandbox.file("rows.jsonl", rows(&texts(), false).join("\n"));
    let asked = ["passages", "decontaminate", "--policy", "gpt3", "-qq", "--json", "rows.jsonl"];
    let out = sandbox.run([&asked[..], &["--against", "test.jsonl"]].concat()).expect_fine().out;
    let said: Vec<(u64, String)> = out
        .lines()
        .map(|row| {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            (row["cuts"].as_u64().unwrap(), row["pieces"].to_string())
        })
        .collect();
    let (_, middle) = &texts()[0];
    let at = middle.find("WHICH").map(|at| middle[..at].chars().count()).unwrap();
    let (piece, all) = (at + QUESTION.len() + 201, middle.chars().count());
    let pieces =
        format!("[{{\"start\":0,\"end\":{}}},{{\"start\":{piece},\"end\":{all}}}]", at - 200);
    let pieces: serde_json::Value = serde_json::from_str(&pieces).unwrap();
    assert_eq!(said, [(1, pieces.to_string()), (1, "[]".to_owned())]);
}
