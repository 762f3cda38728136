//! Standard streams, output files and signals.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use crate::harness::{Run, Sandbox};

const PRINT: &str = "sd1:aerukz4jvpg66";

/// Runs a command, reads a little of what it writes and goes away.
fn read_a_little(sandbox: &Sandbox, arguments: &[&str]) -> (String, Run) {
    let mut child = sandbox.command(arguments).spawn().unwrap();
    let mut beginning = [0; 17];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut beginning).unwrap();
    drop(out);
    (String::from_utf8_lossy(&beginning).into_owned(), child.wait_with_output().unwrap().into())
}

#[test]
fn a_reader_that_goes_away_ends_the_command_quietly() {
    let sandbox = Sandbox::new();
    // Both write far more than a pipe holds.
    let prints: String = (0..1000).map(|n| format!("{PRINT}\t{n:08}\n")).collect();
    sandbox.file("prints", prints).file("text", "Fog at noon again. ".repeat(100_000));
    let expected = Run { out: String::new(), err: String::new(), code: Some(0) };
    let arguments = ["prints", "pairs", "-qq", "prints"];
    assert_eq!(
        read_a_little(&sandbox, &arguments),
        ("00000000\t00000001".to_owned(), Run { ..expected })
    );
    let expected = Run { out: String::new(), err: String::new(), code: Some(0) };
    assert_eq!(
        read_a_little(&sandbox, &["extract", "text"]),
        ("Fog at noon again".to_owned(), expected)
    );
}

#[test]
fn standard_input_is_a_document_called_hyphen() {
    let sandbox = Sandbox::new();
    let text = b"Fog came in at noon and stayed.";
    sandbox.file("f", text);
    let run = sandbox.run_with(["fingerprint", "-", "f"], text).expect_fine();
    assert_eq!(run.ids(), ["-", "f"]);
    assert_eq!(run.rows()[0][0], run.rows()[1][0]);
    let prints = run.out.clone();
    let pairs = sandbox.run_with(["prints", "pairs", "-qq", "-"], prints.as_bytes()).expect_fine();
    assert_eq!(pairs.out, "-\tf\t0\n");
}

#[test]
fn an_output_file_appears_whole_or_not_at_all() {
    let sandbox = Sandbox::new();
    sandbox.file("prints", format!("{PRINT}\ta\n{PRINT}\tb\n")).file("out", "old");
    let run = sandbox
        .run(["prints", "pairs", "-qq", "--force", "--output", "out", "prints"])
        .expect_fine();
    assert_eq!(run.out, "");
    assert_eq!(std::fs::read_to_string(sandbox.path("out")).unwrap(), "a\tb\t0\n");
    // A run that fails as a whole leaves the old one.
    sandbox.file("numbers", "1\tx\n");
    let arguments = ["prints", "pairs", "-qq", "-k64", "--output", "out", "prints"];
    let run = sandbox.run(arguments);
    assert_eq!((run.out.as_str(), run.code), ("", Some(2)));
    assert_eq!(std::fs::read_to_string(sandbox.path("out")).unwrap(), "a\tb\t0\n");
    assert_eq!(sandbox.names(), ["numbers", "out", "prints"]);
    // One that cannot be written is told before anything is done.
    for place in ["no/such/place", "."] {
        let run = sandbox.run(["prints", "pairs", "--output", place, "prints"]);
        assert_eq!((run.out.as_str(), run.code), ("", Some(3)));
        assert!(run.err.starts_with(&format!("nearprint: cannot write {place}: ")), "{}", run.err);
    }
}

#[test]
fn an_interrupt_leaves_no_output_file() {
    for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let sandbox = Sandbox::new();
        assert!(Command::new("mkfifo").arg(sandbox.path("pipe")).status().unwrap().success());
        let arguments = ["prints", "pairs", "--output", "out", "pipe"];
        let mut child = sandbox.command(arguments).spawn().unwrap();
        // Opening a pipe to write returns when its reader has opened it: then the output is begun and the command waits
        // for lines that never come.
        let mut pipe = OpenOptions::new().write(true).open(sandbox.path("pipe")).unwrap();
        pipe.write_all(PRINT.as_bytes()).unwrap();
        let names = sandbox.names();
        assert_eq!(names.len(), 2, "{names:?}");
        assert!(names[0].starts_with(".out.") && names[0].ends_with(".part"), "{names:?}");
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        assert_eq!(sandbox.names(), ["pipe"]);
    }
}

#[test]
fn signals_that_the_caller_ignores_are_ignored() {
    let sandbox = Sandbox::new();
    assert!(Command::new("mkfifo").arg(sandbox.path("pipe")).status().unwrap().success());
    // As nohup does it.
    let script = r#"trap "" HUP; exec "$0" prints pairs --quiet --output out pipe"#;
    let mut child = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_nearprint")])
        .current_dir(sandbox.path(""))
        .spawn()
        .unwrap();
    let mut pipe = OpenOptions::new().write(true).open(sandbox.path("pipe")).unwrap();
    assert!(
        Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap().success()
    );
    pipe.write_all(format!("{PRINT}\ta\n{PRINT}\tb\n").as_bytes()).unwrap();
    drop(pipe);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(std::fs::read_to_string(sandbox.path("out")).unwrap(), "a\tb\t0\n");
}

#[test]
fn a_full_disk_is_told_and_fails_the_command() {
    let sandbox = Sandbox::new();
    sandbox.file("text", "Fog at noon again. ".repeat(10_000));
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = sandbox.command(["extract", "text"]).stdout(full).output().unwrap();
    let run = Run::from(output);
    assert_eq!(run.code, Some(3));
    assert!(run.err.starts_with("nearprint: cannot write standard output: "), "{}", run.err);
}
