//! Queries on standard input: each is answered before the next is read.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::harness::Sandbox;

const TEXT: &str = "Fog came in at noon and stayed over the harbour until the bells rang.";

/// Asks line by line, and reads the answer to each before the next line is written. No clock is read: a command that
/// waits for more waits for ever.
fn ask(sandbox: &Sandbox, arguments: &[&str], questions: &[(&str, &str)]) {
    let mut child = sandbox.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for (question, answer) in questions {
        writeln!(input, "{question}").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert_eq!(line.trim_end(), *answer, "{arguments:?}");
    }
    drop(input);
    let run = child.wait_with_output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn each_line_is_answered_before_the_next_is_read() {
    let sandbox = Sandbox::new();
    let (a, b) = ("sd1:aerukz4jvpg66", "sd1:tohkysuixv3oy");
    sandbox.file("prints.txt", format!("{a}\ta\n{b}\tb\n"));
    sandbox.file("rows.jsonl", format!("{{\"id\":\"x\",\"text\":\"{TEXT}\"}}\n{{\"id\":\"y\",\"text\":\"Rain on the hills.\"}}\n"));
    let prints = ["prints", "query", "-qq", "prints.txt", "--queries", "-"];
    let questions = [(&*format!("{a}\tone"), "one\ta\t0"), (b, "-:2\tb\t0"), (a, "-:3\ta\t0")];
    ask(&sandbox, &prints, &questions);
    let row = format!("{{\"id\":\"one\",\"text\":\"{TEXT}\"}}");
    let other = "{\"id\":2,\"text\":\"Rain on the hills.\"}";
    let questions = [(&*row, "one\tx\t0\t1.0000"), (other, "2\ty\t0\t1.0000")];
    ask(&sandbox, &["query", "-qq", "rows.jsonl", "--queries", "-"], &questions);
    // Documents may be asked for among fingerprints.
    let known = sandbox.run(["fingerprint", "rows.jsonl"]).expect_fine().out;
    sandbox.file("known.txt", known);
    let questions = [(&*row, "one\tx\t0"), (other, "2\ty\t0")];
    let among = ["prints", "query", "-qq", "-k1", "known.txt", "--queries", "-"];
    ask(&sandbox, &among, &questions);
}

#[test]
fn what_comes_otherwise_is_answered_as_a_whole() {
    let sandbox = Sandbox::new();
    sandbox.file("a.txt", TEXT);
    let query = ["query", "-qq", "a.txt", "--queries", "-"];
    let run = sandbox.run_with(query, TEXT.as_bytes()).expect_fine();
    assert_eq!(run.out, "-\ta.txt\t0\t1.0000\n");
    let csv = format!("id,text\n1,{TEXT}\n");
    assert_eq!(sandbox.run_with(query, csv.as_bytes()).expect_fine().out, "1\ta.txt\t0\t1.0000\n");
    assert_eq!(sandbox.run_with(query, b"").out, "");
    let run = sandbox.run_with(query, b"{\"id\":1}\n{\"text\":1,\"id\":3}\n{\"id\":4}\n");
    assert_eq!(run.code, Some(1), "{run:?}");
    let prints = sandbox.run(["fingerprint", "--format", "binary", "-o", "b", "a.txt"]);
    prints.expect_fine();
    let binary = std::fs::read(sandbox.path("b")).unwrap();
    let query = ["prints", "query", "-qq", "b", "--queries", "-"];
    assert_eq!(sandbox.run_with(query, &binary).expect_fine().out, "a.txt\ta.txt\t0\n");
}

#[test]
fn a_page_is_refused_by_the_verbs_that_write_none() {
    let sandbox = Sandbox::new();
    sandbox.file("a.txt", TEXT);
    for verb in ["query", "fingerprint"] {
        let run = sandbox.run([verb, "a.txt", "a.txt", "--report", "x.html"]);
        assert_eq!((run.out.as_str(), run.code), ("", Some(2)));
        assert!(
            run.err.contains("--report x.html: this verb does not write HTML pages"),
            "{}",
            run.err
        );
    }
    assert_eq!(sandbox.names(), ["a.txt"]);
}

#[test]
fn every_exact_plan_answers_queries_alike() {
    let sandbox = Sandbox::new();
    let base = 0x0123_4567_89ab_cdef_u64;
    let near = [0, 1, 3, 7, 1 << 63, 0xff, u64::MAX];
    let lines: String = near.iter().map(|flip| format!("{:016x}\n", base ^ flip)).collect();
    sandbox.file("prints", &lines);
    sandbox.file("queries", format!("{base:016x}\n{:016x}\n", base ^ 1));
    let verb = [
        "prints",
        "query",
        "prints",
        "--queries",
        "queries",
        "--read",
        "format=hex",
        "--scheme",
        "sd1",
        "-k",
        "3",
    ];
    let wanted = sandbox.run(verb.iter().chain(&["-qq"]));
    assert_eq!((wanted.code, wanted.out.lines().count()), (Some(0), 10), "{wanted:?}");
    for plan in ["draft", "blocks:6", "multi-index:4", "brute-force", "auto"] {
        let run = sandbox.run(verb.iter().chain(&["-qq", "--search", &format!("plan={plan}")]));
        assert_eq!((run.code, &run.out), (Some(0), &wanted.out), "{plan}: {run:?}");
    }
    let run = sandbox.run(verb.iter().chain(&["--search", "plan=blocks:6", "--search", "explain"]));
    assert!(
        run.err.contains("by a join of queries and fingerprints with the plan named"),
        "{run:?}"
    );
    let run = sandbox.run(verb.iter().chain(&["--search", "plan=blocks:2"]));
    assert_eq!(run.code, Some(2), "{run:?}");
}
