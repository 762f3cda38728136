//! What is taken of what lies about in directories, and what names become.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::harness::Sandbox;

const TEXT: &str = "Fog came in at noon and stayed over the harbour until the bells rang.\n";

fn mkfifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn odd_names_are_escaped_and_the_lines_stay_whole() {
    let sandbox = Sandbox::new();
    for name in
        [&b"d/tab\there"[..], b"d/line\nend", b"d/latin\xe9", b"d/back\\slash", "d/数".as_bytes()]
    {
        sandbox.file(OsStr::from_bytes(name), TEXT);
    }
    let run = sandbox.run(["fingerprint", "d"]).expect_fine();
    assert_eq!(
        run.ids(),
        [r"d/back\\slash", r"d/latin\xe9", r"d/line\nend", r"d/tab\there", "d/数"]
    );
    assert!(
        run.rows().iter().all(|row| row[0].starts_with("sd1:") && row[2..] == ["short"]),
        "{run:?}"
    );
    // What one verb writes another reads, names and all.
    sandbox.file("prints", &run.out);
    let pairs = sandbox.run(["prints", "pairs", "-qq", "-k0", "prints"]).expect_fine();
    assert_eq!(pairs.rows().len(), 10);
    assert_eq!(pairs.rows()[0], [r"d/back\\slash", r"d/latin\xe9", "0"]);
}

#[test]
fn directories_are_walked_in_the_order_of_the_bytes_of_their_paths() {
    let sandbox = Sandbox::new();
    for name in ["d/a/z", "d/a.txt", "d/a-b/c", "d/a0", "d/B", "d/é", "d/a/.hidden/x", "d/.x"] {
        sandbox.file(name, TEXT);
    }
    let expected = ["d/B", "d/a-b/c", "d/a.txt", "d/a/z", "d/a0", "d/é"];
    assert_eq!(sandbox.run(["fingerprint", "d"]).expect_fine().ids(), expected);
    let hidden = ["d/.x", "d/B", "d/a-b/c", "d/a.txt", "d/a/.hidden/x", "d/a/z", "d/a0", "d/é"];
    assert_eq!(sandbox.run(["fingerprint", "--read", "hidden", "d"]).expect_fine().ids(), hidden);
    // Named ones are taken, hidden or not, in the order named.
    assert_eq!(sandbox.run(["fingerprint", "d/é", "d/.x"]).expect_fine().ids(), ["d/é", "d/.x"]);
}

#[test]
fn links_are_followed_where_named_and_loops_are_found() {
    let sandbox = Sandbox::new();
    sandbox.file("d/file", TEXT).file("e/other", TEXT);
    symlink(".", sandbox.path("d/loop")).unwrap();
    symlink("../e", sandbox.path("d/more")).unwrap();
    symlink("file", sandbox.path("d/same")).unwrap();
    symlink("nowhere", sandbox.path("d/void")).unwrap();
    symlink("d", sandbox.path("link")).unwrap();

    assert_eq!(sandbox.run(["fingerprint", "d"]).expect_fine().ids(), ["d/file"]);
    // Another path to a file that was read is said, and is not a failure.
    let run = sandbox.run(["fingerprint", "link", "d/same"]);
    assert_eq!((run.ids(), run.code), (vec!["link/file"], Some(0)));
    let same = "d/same: no fingerprint: same-file: the same file as link/file, which was read\n";
    assert_eq!(run.err, same);
    let run = sandbox.run(["fingerprint", "-v", "--read", "follow", "d"]);
    assert_eq!(run.ids(), ["d/file", "d/more/other"]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("d/same: no fingerprint: same-file: "), "{}", run.err);
    assert!(run.err.contains("d/loop: no fingerprint: link-loop: "), "{}", run.err);
    assert!(run.err.contains("d/void: no fingerprint: unreadable: "), "{}", run.err);
    assert!(run.err.ends_with("nearprint: 2 of 5 documents failed\n"), "{}", run.err);
}

#[test]
fn pipes_and_devices_are_not_opened() {
    let sandbox = Sandbox::new();
    sandbox.file("d/file", TEXT);
    mkfifo(&sandbox.path("d/pipe"));
    // Opening the pipe would wait for ever; being here at the end is the test.
    assert_eq!(sandbox.run(["fingerprint", "d"]).expect_fine().ids(), ["d/file"]);
    let run = sandbox.run(["fingerprint", "-v", "d/pipe", "/dev/null", "d/file"]);
    assert_eq!((run.ids(), run.code), (vec!["d/file"], Some(1)));
    assert!(run.err.contains("d/pipe: no fingerprint: not-a-file: is a named pipe"), "{}", run.err);
    assert!(run.err.contains("/dev/null: no fingerprint: not-a-file: is a device"), "{}", run.err);
    let run = sandbox.run(["dedup", "--write", "kept", "d/pipe", "d/file"]);
    assert!(run.err.contains("not written because unreadable: 1 file"), "{}", run.err);
    let kept = std::fs::read_to_string(sandbox.path("kept/d/file")).unwrap();
    assert_eq!((kept.as_str(), run.code), (TEXT, Some(1)));
}

#[test]
fn a_job_in_a_directory_of_other_files_costs_none_of_them() {
    let sandbox = Sandbox::new();
    sandbox.file("d/file", TEXT);
    let run = sandbox.run(["fingerprint", "--job", "d", "d/file"]);
    assert_eq!((run.out.as_str(), run.code), ("", Some(2)));
    assert!(run.err.contains("d: the folder contains other files, such as file"), "{}", run.err);
    assert_eq!(std::fs::read_to_string(sandbox.path("d/file")).unwrap(), TEXT);
}

#[test]
fn a_limit_on_the_length_of_files_is_an_error_of_writing() {
    let sandbox = Sandbox::new();
    let rows: String = (0..2000)
        .map(|row| format!("{{\"id\":\"{row}\",\"text\":\"{TEXT}\"}}\n").replace("\n\"}", "\"}"))
        .collect();
    sandbox.file("rows.jsonl", rows);
    let program = env!("CARGO_BIN_EXE_nearprint");
    let line = format!("ulimit -f 8; exec '{program}' fingerprint --output out rows.jsonl");
    let run =
        Command::new("sh").args(["-c", &line]).current_dir(sandbox.path("")).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(3), "{said}");
    assert!(said.contains("cannot write out: File too large"), "{said}");
    assert_eq!(sandbox.names(), ["rows.jsonl"]);
}

#[test]
fn a_field_that_no_table_has_is_told() {
    let sandbox = Sandbox::new();
    sandbox.file("rows.csv", format!("id,text\n1,{TEXT}")).file("fog.txt", TEXT);
    let run = sandbox.run(["fingerprint", "--read", "text=txet", "fog.txt"]);
    assert_eq!((run.ids(), run.code), (vec!["fog.txt"], Some(0)));
    assert!(run.err.contains("no input contains the field \"txet\""), "{}", run.err);
    let run = sandbox.run(["fingerprint", "--read", "text=text", "rows.csv"]).expect_fine();
    assert_eq!((run.ids(), run.err.as_str()), (vec!["1"], ""));
}

#[test]
fn encrypted_parquet_is_refused_by_that_name() {
    let sandbox = Sandbox::new();
    sandbox.file("table.parquet", b"PARE\0\0\0\0\0\0\0\0PARE");
    let run = sandbox.run(["fingerprint", "table.parquet"]);
    assert!(run.err.contains("bad-file: the table is encrypted"), "{}", run.err);
    assert_eq!(run.code, Some(1));
}

#[test]
fn an_empty_directory_is_no_error() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("d")).unwrap();
    for command in [&["fingerprint", "d"][..], &["pairs", "-qq", "d"]] {
        assert_eq!(sandbox.run(command).expect_fine().out, "");
    }
    let run = sandbox.run(["clusters", "d"]);
    assert_eq!((run.out.as_str(), run.code), ("", Some(0)));
    assert_eq!(
        run.err,
        "nearprint: 0 of 0 candidates of md1 verified; candidates include 99.7 % of pairs with jaccard 0.3\n\
         nearprint: 0 clusters of 0 documents; 0 documents without a partner\n"
    );
}

#[test]
fn a_list_of_paths_can_hold_any_name() {
    let sandbox = Sandbox::new();
    sandbox.file("a\nb", TEXT).file(OsStr::from_bytes(b"c\xff"), TEXT).file("-", TEXT);
    let list = b"a\nb\0c\xff\0./-\0";
    let run = sandbox.run_with(["fingerprint", "--files-from", "-"], list).expect_fine();
    assert_eq!(run.ids(), [r"a\nb", r"c\xff", "./-"]);
    sandbox.file("list", b"a\nb\0\0missing\0-\0");
    let run = sandbox.run(["fingerprint", "--files-from", "list", "./-"]);
    assert_eq!((run.ids(), run.code), (vec!["./-", r"a\nb"], Some(1)));
    assert!(run.err.contains("list@4: no fingerprint: bad-line: "), "{}", run.err);
    assert!(run.err.contains("missing: no fingerprint: unreadable: "), "{}", run.err);
    assert!(
        run.err.contains("-: no fingerprint: not-a-file: a list cannot contain"),
        "{}",
        run.err
    );
}

#[test]
fn a_list_may_have_a_path_on_each_line() {
    let sandbox = Sandbox::new();
    sandbox.file("a b", TEXT).file("c", TEXT).file("d/e", TEXT);
    let list = b"c\r\n\na b\nd\n*\n-";
    let run = sandbox.run_with(["fingerprint", "--files-from", "-"], list);
    assert_eq!((run.ids(), run.code), (vec!["c", "a b", "d/e"], Some(1)));
    assert!(
        run.err.contains("*: no fingerprint: unreadable: "),
        "a list has no patterns: {}",
        run.err
    );
    assert!(
        run.err.contains("-: no fingerprint: not-a-file: a list cannot contain"),
        "{}",
        run.err
    );
    sandbox.file("list", "c\n");
    for verb in ["pairs", "clusters", "dedup"] {
        let run = sandbox.run([verb, "--files-from", "list", "a b"]);
        assert_eq!(run.code, Some(0), "{verb}: {}", run.err);
    }
    let run = sandbox.run(["pairs", "-qq", "--files-from", "list", "a b"]);
    assert_eq!(run.out, "a b\tc\t0\t1.0000\n");
    let run = sandbox.run(["pairs", "--files-from", "list", "--files-from", "list"]);
    assert_eq!(run.code, Some(2), "{}", run.err);
}

#[test]
fn quoted_patterns_are_expanded_by_every_verb() {
    let sandbox = Sandbox::new();
    sandbox.file("d/a.txt", TEXT).file("d/b.txt", TEXT).file("d/c.md", "Something else.");
    for command in [
        &["pairs", "d/*.txt"][..],
        &["query", "d/a.txt", "d/b.*"],
        &["query", "--queries", "d/a.t?t", "--", "d/b.*"],
        &["clusters", "d/{a,b}.txt"],
        &["pairs", "d/a.txt", "--against", "d/b*"],
        &["compare", "--json", "d/a.*", "d/[b]*"],
        &["extract", "--json", "d/*.txt"],
    ] {
        let run = sandbox.run(command.iter().copied());
        assert_eq!(run.code, Some(0), "{command:?}: {}", run.err);
        assert!(run.out.contains("d/b.txt"), "{command:?}: {}", run.out);
    }
    sandbox.run(["fingerprint", "d/a.txt", "--output", "a.prints"]).expect_fine();
    let run = sandbox.run(["prints", "convert", "--format", "hex", "*.prints"]).expect_fine();
    assert_eq!(run.ids(), ["d/a.txt"]);
    let run = sandbox.run(["diff", "-qq", "d/[a].txt", "d/?.md"]).expect_fine();
    assert_eq!(run.rows().len(), 2, "{}", run.out);
    // Where one is expected, a pattern must not match several.
    for command in [["diff", "d/*", "d"], ["compare", "d/*", "d/a.txt"], ["query", "d/*", "d"]] {
        let run = sandbox.run(command);
        assert_eq!(run.code, Some(2), "{command:?}: {}", run.err);
        assert!(run.err.contains("3 paths"), "{}", run.err);
    }
    let run = sandbox.run(["prints", "health", "a.p*"]).expect_fine();
    assert!(run.out.contains("prints\t1\n"), "{}", run.out);
    let run = sandbox.run(["pairs", "d/["]);
    assert_eq!(run.code, Some(2), "{}", run.err);
}

#[test]
fn unreadable_and_overlong_documents_are_told_and_the_rest_goes_on() {
    let sandbox = Sandbox::new();
    sandbox.file("a", TEXT).file("b", TEXT.repeat(100)).file("c", TEXT).file("list", "none\n");
    let fingerprint =
        ["fingerprint", "--limit", "input-bytes=1K", "a", "b", "c", "--files-from", "list"];
    let run = sandbox.run(fingerprint);
    assert_eq!((run.ids(), run.code), (vec!["a", "c"], Some(1)));
    let lines: Vec<&str> = run.err.lines().collect();
    assert!(
        lines[0].starts_with(
            "b: no fingerprint: too-large: the document has 7000 bytes, but the limit is 1024 "
        ),
        "{lines:?}"
    );
    assert!(lines[1].starts_with("none: no fingerprint: unreadable: "), "{lines:?}");
    assert_eq!(lines[2..], ["nearprint: 2 of 4 documents failed"]);
    let quiet = sandbox.run([&fingerprint[..], &["-qq"]].concat());
    assert_eq!((quiet.out, quiet.err.as_str(), quiet.code), (run.out, "", Some(1)));
}
