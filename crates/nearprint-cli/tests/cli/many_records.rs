//! Files that hold many records are read as many, or refused: tables as spreadsheets write them, JSON arrays,
//! mailboxes.

use crate::harness::Sandbox;

const TEXT: &str = "Fog came in at noon and stayed over the harbour until the bells rang";

/// Four rows, two of which have the same text.
fn table(separator: char) -> String {
    let row = |id: usize, text: &str| format!("{id}{separator}{text}{separator}x\n");
    let head = format!("id{separator}text{separator}n\n");
    let others = ["It rained on the hills for a week", TEXT, "Snow lay on every roof in town"];
    let rows = [TEXT].into_iter().chain(others).enumerate().map(|(id, text)| row(id, text));
    head + &rows.collect::<String>()
}

fn utf16(text: &str) -> Vec<u8> {
    [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

#[test]
fn tables_of_spreadsheets_are_read_as_rows() {
    let sandbox = Sandbox::new();
    sandbox.file("semicolons.csv", table(';')).file("bars.txt", table('|'));
    sandbox.file("tabs", table('\t')).file("unicode.txt", utf16(&table('\t')));
    sandbox.file("d/semicolons", table(';'));
    for input in ["semicolons.csv", "bars.txt", "tabs", "unicode.txt", "d"] {
        let run = sandbox.run(["fingerprint", input]).expect_fine();
        assert_eq!(run.ids(), ["0", "1", "2", "3"], "{input}");
        if input != "d" {
            sandbox.run(["dedup", "-qq", "--write", "kept", "--force", input]).expect_fine();
            let kept = sandbox.run(["fingerprint", "kept"]).expect_fine();
            assert_eq!(kept.ids(), ["0", "1", "3"], "{input}");
        }
    }
    // A separator that nobody expects is named.
    sandbox.file("colons", table(':'));
    let run = sandbox.run(["fingerprint", "--read", "delimiter=:", "colons"]).expect_fine();
    assert_eq!(run.ids(), ["0", "1", "2", "3"]);
    let run = sandbox.run(["fingerprint", "--read", "delimiter=::", "colons"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.err.contains("a delimiter is one ASCII character"), "{}", run.err);
    // A table of another form is not one document either.
    sandbox.file("other.csv", table(';').replace("text", "body"));
    let run = sandbox.run(["fingerprint", "other.csv"]);
    assert_eq!((run.out.as_str(), run.code), ("", Some(2)), "{run:?}");
    assert!(run.err.contains("there are: id, body, n; use --read text"), "{}", run.err);
}

#[test]
fn tables_without_names_of_columns_are_read_by_number() {
    let sandbox = Sandbox::new();
    let rows: String = table(';').lines().skip(1).map(|line| format!("{line}\n")).collect();
    sandbox.file("rows.csv", rows);
    let read =
        ["fingerprint", "--read", "no-header", "--read", "text=2", "--read", "id=1", "rows.csv"];
    assert_eq!(sandbox.run(read).expect_fine().ids(), ["0", "1", "2", "3"]);
    let run = sandbox.run(["fingerprint", "--read", "no-header", "rows.csv"]);
    assert_eq!((run.out.as_str(), run.code), ("", Some(2)), "{run:?}");
    assert!(run.err.contains("there are: 1, 2, 3; use --read text"), "{}", run.err);
    let run = sandbox.run(["fingerprint", "--read", "no-header", "--read", "text=4", "rows.csv"]);
    assert_eq!(run.code, Some(2), "{run:?}");
}

#[test]
fn the_charset_that_is_named_reaches_tables() {
    let sandbox = Sandbox::new();
    sandbox.file("latin", b"id;text\n1;Caf\xE9 d\xE9j\xE0 vu\n");
    sandbox.file("unicode", "id;text\n1;Café déjà vu\n");
    let run = sandbox.run(["fingerprint", "latin"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.err.contains("latin:2: no fingerprint: bad-line: the row is not UTF-8"), "{run:?}");
    let latin = sandbox.run(["fingerprint", "--read", "charset=latin1", "latin"]).expect_fine().out;
    assert_eq!(latin, sandbox.run(["fingerprint", "unicode"]).expect_fine().out);
}

#[test]
fn a_json_array_is_its_elements() {
    let sandbox = Sandbox::new();
    let object = |id: usize, text: &str| format!("{{\"id\":{id},\"text\":\"{text}\"}}");
    let objects = [TEXT, "It rained on the hills", TEXT].iter().enumerate();
    let objects: Vec<_> = objects.map(|(id, text)| object(id, text)).collect();
    sandbox.file("line.json", format!("[{}]", objects.join(",")));
    sandbox.file("lines", format!("[\n  {}\n]\n", objects.join(",\n  ")));
    for input in ["line.json", "lines"] {
        assert_eq!(sandbox.run(["fingerprint", input]).expect_fine().ids(), ["0", "1", "2"]);
        sandbox.run(["dedup", "-qq", "--write", "kept", "--force", input]).expect_fine();
        assert_eq!(sandbox.run(["fingerprint", "kept"]).expect_fine().ids(), ["0", "1"]);
    }
    // One that was cut says so, whatever was whole before.
    sandbox.file("cut", &format!("[{}]", objects.join(","))[..120]);
    let run = sandbox.run(["fingerprint", "cut"]);
    assert_eq!((run.ids(), run.code), (vec!["0"], Some(1)), "{run:?}");
    assert!(run.err.contains("cut#2: no fingerprint: damaged: the JSON array"), "{}", run.err);
    sandbox.file("other.json", "[{\"a\":\"Fog\"},{\"a\":\"Rain\"}]");
    let run = sandbox.run(["fingerprint", "other.json"]);
    assert_eq!((run.out.as_str(), run.code), ("", Some(2)), "{run:?}");
    assert!(run.err.contains("there are: a; use --read text"), "{}", run.err);
}

#[test]
fn a_mailbox_is_its_messages() {
    let sandbox = Sandbox::new();
    let message = |from: char, text: &str| {
        format!(
            "From {from}@e.org Mon Jan  2 08:00:00 2023\nFrom: {from}@e.org\nSubject: Weather\n\n{text}\n\n"
        )
    };
    sandbox
        .file("box", message('a', TEXT) + &message('b', "It rained all day") + &message('c', TEXT));
    let run = sandbox.run(["fingerprint", "box"]).expect_fine();
    assert_eq!(run.ids(), ["box:1", "box:7", "box:13"]);
    sandbox.run(["dedup", "-qq", "--write", "kept", "box"]).expect_fine();
    assert_eq!(sandbox.run(["fingerprint", "kept"]).expect_fine().ids(), ["kept:1", "kept:7"]);
    // One message is a document.
    sandbox.file("one", message('a', TEXT));
    assert_eq!(sandbox.run(["fingerprint", "one"]).expect_fine().ids(), ["one"]);
}

#[test]
fn an_input_that_is_not_there_ends_the_command_before_it_begins() {
    let sandbox = Sandbox::new();
    sandbox.file("a.txt", TEXT);
    for arguments in [
        &["dedup", "a.txt", "crwal", "--write", "kept"][..],
        &["fingerprint", "a.txt", "crwal"],
        &["pairs", "a.txt", "--against", "crwal"],
        &["extract", "crwal"],
        &["compare", "a.txt", "crwal"],
        &["diff", "a.txt", "crwal"],
        &["fingerprint", "crwal/*.txt"],
    ] {
        let run = sandbox.run(arguments);
        assert_eq!((run.out.as_str(), run.code), ("", Some(2)), "{arguments:?}: {run:?}");
        assert!(run.err.contains("does not exist"), "{arguments:?}: {}", run.err);
        assert_eq!(sandbox.names(), ["a.txt"]);
    }
}

#[test]
fn extract_writes_a_record_for_each_of_many_documents() {
    let sandbox = Sandbox::new();
    sandbox.file("d/a.txt", TEXT).file("d/b.bin", [0, 1, 2, 3]).file("c.html", "<p>Rain");
    let run = sandbox.run(["extract", "--json", "-qq", "d", "c.html"]).expect_fine();
    let row = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        ["id", "text", "reason"].map(|name| row[name].as_str().map(str::to_owned))
    };
    let rows: Vec<_> = run.out.lines().map(row).collect();
    let text = format!("{TEXT}\n");
    let wanted =
        [["d/a.txt", &text, ""], ["d/b.bin", "", "unsupported-media"], ["c.html", "Rain\n", ""]];
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    assert_eq!(rows, wanted.map(|row| row.map(given)), "{run:?}");
    let run = sandbox.run(["extract", "d", "c.html"]);
    assert_eq!((run.out.as_str(), run.code), ("", Some(2)), "{run:?}");
    assert!(run.err.contains("--json writes a line for each"), "{}", run.err);
}

/// An article, which holds its translations.
fn article(text: &str, translations: &[&str]) -> String {
    let body = |text: &str| format!("<body><p>{text}</p></body>");
    let parts: String = translations
        .iter()
        .enumerate()
        .map(|(number, text)| {
            let body = body(text);
            format!(
                "<sub-article id=\"S{number}\" article-type=\"translation\">{body}</sub-article>"
            )
        })
        .collect();
    let body = body(text);
    format!("<article article-type=\"research-article\">{body}{parts}</article>")
}

#[test]
fn translations_in_an_article_are_documents() {
    const GERMAN: &str = "Nebel kam am Mittag und blieb über dem Hafen, bis die Glocken läuteten";
    const FRENCH: &str = "Le brouillard vint à midi et resta sur le port jusqu'aux cloches";
    let sandbox = Sandbox::new();
    let both = article(TEXT, &[GERMAN, FRENCH]);
    let ids = ["S0", "S1"].map(|part| format!("d/a.xml ({part})"));
    sandbox.file("d/a.xml", &both).file("d/b.txt", GERMAN).file("d/c.xml", article(TEXT, &[]));
    let run = sandbox.run(["fingerprint", "d"]);
    assert_eq!(run.ids(), ["d/a.xml", &ids[0], &ids[1], "d/b.txt", "d/c.xml"], "{run:?}");
    let run = sandbox.run(["extract", "--json", "d/a.xml"]);
    let texts: Vec<serde_json::Value> =
        run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let texts: Vec<_> = texts.iter().map(|row| row["text"].as_str().unwrap().trim()).collect();
    assert_eq!(texts, [TEXT, GERMAN, FRENCH]);
    let run = sandbox.run(["pairs", "d"]);
    let pairs: Vec<_> = run.rows().into_iter().map(|row| (row[0].to_owned(), row[1])).collect();
    assert_eq!(pairs.len(), 2, "{run:?}");
    assert!(pairs.iter().any(|(a, b)| *a == ids[0] && *b == "d/b.txt"), "{pairs:?}");

    // A file is copied whole if anything of it is kept, and not at all if nothing is.
    sandbox.file("first/b.txt", GERMAN).file("first/c.xml", article(TEXT, &[]));
    let dedup = |to: &'static str| {
        let run = sandbox.run(["dedup", "-qq", "--against", "first", "--write", to, "d"]);
        run.expect_fine();
    };
    dedup("kept");
    assert_eq!(std::fs::read_to_string(sandbox.path("kept/a.xml")).unwrap(), both);
    assert!(!sandbox.path("kept/b.txt").exists());
    sandbox.file("first/d.txt", FRENCH);
    dedup("rest");
    assert!(!sandbox.path("rest/a.xml").exists());

    // Each file for one document.
    let run = sandbox.run(["fingerprint", "--read", "format=files", "d/a.xml"]);
    assert_eq!(run.ids(), ["d/a.xml"]);
    let run = sandbox.run_with(["fingerprint", "-"], both.as_bytes());
    assert_eq!(run.ids(), ["-", &ids[0].replace("d/a.xml", "-"), &ids[1].replace("d/a.xml", "-")]);
}
