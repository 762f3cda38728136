//! Decisions checked by reading the documents again, and compared with earlier ones.

use crate::harness::Sandbox;

const TEXT: &str = "Fog came in at noon and stayed over the harbour until the bells rang for the last boat \
                    home, and the keeper lit the lamp, wrote the hour into his book, and went to bed early.";

const DEDUP: [&str; 4] = ["dedup", "--json", "--policy", "loose"];

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let rows = [
        ("a", TEXT.to_owned()),
        ("b", TEXT.to_owned()),
        ("c", TEXT.replace("early", "late")),
        (
            "d",
            "It rained on the hills for a week and a day, and nobody minded it at all.".to_owned(),
        ),
    ];
    let lines = rows.map(|(id, text)| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n"));
    sandbox.file("rows.jsonl", lines.concat()).file("docs/a.txt", TEXT).file("docs/b.txt", TEXT);
    let run = sandbox.run(DEDUP.iter().chain(&["-o", "decisions", "rows.jsonl", "docs"]));
    assert_eq!(run.code, Some(0), "{run:?}");
    sandbox
}

#[test]
fn what_was_decided_holds_when_it_is_read_again() {
    let sandbox = sandbox();
    for (arguments, checked) in [
        (&["decisions", "check", "decisions"][..], "4 of 4 drops checked: 4 hold, 0 do not"),
        (
            &["decisions", "check", "decisions", "--sample", "2"],
            "2 of 4 drops checked: 2 hold, 0 do not",
        ),
    ] {
        let run = sandbox.run(arguments);
        assert_eq!((run.out.as_str(), run.code), ("", Some(0)), "{run:?}");
        assert!(run.err.contains(checked), "{run:?}");
    }
}

#[test]
fn a_false_row_is_found() {
    let sandbox = sandbox();
    let decisions = std::fs::read_to_string(sandbox.path("decisions")).unwrap();
    for (from, to, found) in [
        ("\"reason\":\"near\"", "\"reason\":\"identical\"", "false\tidentical\t"),
        ("\"similarity\":0.9", "\"similarity\":0.8", "false\tnear\t0.8"),
        (
            "\"representative\":\"a\",\"similarity\":0.9",
            "\"representative\":\"d\",\"similarity\":0.9",
            "\td\tc\t",
        ),
        (
            "\"representative\":\"a\",\"similarity\":0.9",
            "\"representative\":\"x\",\"similarity\":0.9",
            "unread\tnear\t",
        ),
    ] {
        assert!(decisions.contains(from), "{from}: {decisions}");
        sandbox.file("false", decisions.replace(from, to));
        let run = sandbox.run(["decisions", "check", "false"]);
        assert!(run.out.contains(found) && run.code == Some(1), "{to}: {run:?}");
    }
    // A document that was changed since.
    sandbox.file("docs/b.txt", "Something else stands here now, of which nobody said a word.");
    let run = sandbox.run(["decisions", "check", "decisions"]);
    assert!(run.out.contains("docs/b.txt") && run.code == Some(1), "{run:?}");
}

#[test]
fn what_is_no_decision_is_refused_with_what_to_do() {
    let sandbox = sandbox();
    sandbox.file("text", "drop\tnear\t1\n");
    for arguments in [&["check", "text"][..], &["changes", "decisions", "text"]] {
        let run = sandbox.run(["decisions"].iter().chain(arguments));
        let why = "text: line 1 is not a decision";
        assert!(run.err.contains(why) && run.err.contains("--format jsonl"), "{run:?}");
        assert_eq!(run.code, Some(2), "{run:?}");
    }
    let run = sandbox.run(["decisions", "check", "nowhere"]);
    assert_eq!(run.code, Some(2), "{run:?}");
}

#[test]
fn changes_are_counted_by_reason_with_examples() {
    let sandbox = sandbox();
    let again = ["--threshold", "0.99", "-o", "new", "rows.jsonl"];
    assert_eq!(sandbox.run(DEDUP.iter().chain(&again)).code, Some(0));
    let run = sandbox.run(["decisions", "changes", "decisions", "new"]);
    assert!(run.out.contains("1 drop near, now keep unique: c\n"), "{run:?}");
    assert!(run.out.contains("2 in the earlier file alone"), "{run:?}");
    let run = sandbox.run(["decisions", "changes", "decisions", "decisions"]);
    assert_eq!((run.out.as_str(), run.code), ("6 decided as before\n", Some(0)), "{run:?}");
}

#[test]
fn what_is_gone_is_counted_and_the_rest_is_checked() {
    let sandbox = Sandbox::new();
    // The first name has to be escaped in ids.
    for (name, text) in
        [("d/1\t.txt", TEXT), ("d/2.txt", TEXT), ("d/3.txt", TEXT), ("d/4.txt", TEXT)]
    {
        sandbox.file(name, text);
    }
    let run = sandbox.run(DEDUP.iter().chain(&["-o", "decisions", "d"]));
    assert_eq!(run.code, Some(0), "{run:?}");
    let run = sandbox.run(["decisions", "check", "decisions"]);
    assert!(run.err.contains("3 of 3 drops checked: 3 hold"), "{run:?}");
    std::fs::remove_file(sandbox.path("d/3.txt")).unwrap();
    let run = sandbox.run(["decisions", "check", "decisions"]);
    assert!(run.err.contains("2 hold, 0 do not, 1 could not be read again"), "{run:?}");
    assert_eq!(run.code, Some(1), "{run:?}");
}

#[test]
fn a_document_that_is_dropped_itself_keeps_nothing() {
    let sandbox = sandbox();
    let decisions = std::fs::read_to_string(sandbox.path("decisions")).unwrap();
    let (kept, dropped) =
        ("\"id\":\"a\",\"decision\":\"keep\"", "\"id\":\"a\",\"decision\":\"drop\"");
    assert!(decisions.contains(kept), "{decisions}");
    sandbox.file("cycle", decisions.replace(kept, dropped));
    let run = sandbox.run(["decisions", "check", "cycle"]);
    assert!(run.out.contains("the document that is kept is dropped itself"), "{run:?}");
}

#[test]
fn inputs_that_share_an_id_are_told_apart_by_their_bytes() {
    let sandbox = Sandbox::new();
    let row = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let other = TEXT.replace("Fog", "Rain").replace("noon", "night").replace("boat", "ship");
    sandbox.file("x.jsonl", row("1", TEXT)).file("y.jsonl", row("1", &other) + &row("6", &other));
    let run = sandbox.run(DEDUP.iter().chain(&["-o", "decisions", "x.jsonl", "y.jsonl"]));
    assert_eq!(run.code, Some(0), "{run:?}");
    let run = sandbox.run(["decisions", "check", "decisions"]);
    assert!(run.err.contains(" 0 do not, 0 could not"), "{run:?}");
}

#[test]
fn a_table_of_decisions_has_a_row_for_each() {
    let sandbox = sandbox();
    let run = sandbox.run(["dedup", "--format", "csv", "-qq", "rows.jsonl"]);
    assert!(run.out.starts_with("id,decision,reason,cluster,"), "{run:?}");
    assert_eq!(run.out.lines().count(), 5, "{run:?}");
    sandbox.file("nothing", "");
    let run = sandbox.run(["decisions", "check", "nothing"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.err.contains("there is no decision in it"), "{run:?}");
}

#[test]
fn drops_for_documents_that_were_only_compared_with_are_checked_where_these_are_named() {
    let sandbox = Sandbox::new();
    let row = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let other = TEXT.replace("Fog", "Rain").replace("noon", "night").replace("boat", "ship");
    let third = "It rained on the hills for a week and a day, and nobody minded it at all.";
    // Rows of both files have the ids 1 and 2, of other texts.
    let (train, test) =
        (row("1", &TEXT.replace("early", "late")) + &row("2", &other), row("1", TEXT));
    sandbox
        .file("train.jsonl", train + &row("3", third) + &row("4", &TEXT.replace(" and", ", and")));
    sandbox.file("test.jsonl", test + &row("2", third)).file("docs/a.txt", TEXT);
    let dedup =
        DEDUP.iter().chain(&["-o", "decisions", "train.jsonl", "--against", "test.jsonl", "docs"]);
    let run = sandbox.run(dedup);
    assert_eq!(run.code, Some(0), "{run:?}");
    let decisions = std::fs::read_to_string(sandbox.path("decisions")).unwrap();
    assert_eq!(decisions.matches("\"decision\":\"drop\"").count(), 3, "{decisions}");

    let run = sandbox.run(["decisions", "check", "decisions"]);
    assert!(run.err.contains("name the inputs that dedup was given as --against"), "{run:?}");
    assert!(run.err.contains("0 hold, 0 do not, 3 could not be read again"), "{run:?}");
    assert_eq!(run.code, Some(1), "{run:?}");

    let check = ["decisions", "check", "decisions", "--against", "test.jsonl", "docs"];
    let run = sandbox.run(check);
    assert!(run.err.contains("3 of 3 drops checked: 3 hold, 0 do not, 0 could not"), "{run:?}");
    assert_eq!((run.out.as_str(), run.code), ("", Some(0)), "{run:?}");

    sandbox.file("test.jsonl", row("1", &other) + &row("2", third));
    let run = sandbox.run(check);
    assert!(run.out.contains("has other bytes than when it was decided about"), "{run:?}");
    assert!(run.err.contains("1 hold, 2 do not") && run.code == Some(1), "{run:?}");

    let run = sandbox.run(["index", "create", "test.index"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let run = sandbox.run(["decisions", "check", "decisions", "--against", "index:test.index"]);
    assert!(run.err.contains("test.index is an index"), "{run:?}");
    assert_eq!(run.code, Some(2), "{run:?}");
}
