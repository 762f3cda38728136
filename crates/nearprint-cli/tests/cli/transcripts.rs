//! Runs the transcripts in `tests/cases` and compares whole output, whole error output and exit code.
//!
//! A transcript is a text file. Lines that begin with
//! - `#` are for the reader,
//! - `file NAME` make a file of the lines `| ...` that follow (each with LF; `file- NAME` leaves the last LF out),
//! - `$ ` are arguments of the command, separated by spaces; `< NAME` at the end is its standard input,
//! - `> ` are expected on standard output, `! ` on standard error, `= N` is the exit code (0 where it is not stated).
//!
//! With `NEARPRINT_UPDATE_CASES` set, transcripts are rewritten from what happens: read the difference before you
//! keep it.

use std::path::Path;

use crate::harness::{Run, Sandbox};

struct Step {
    command: String,
    expected: Run,
    /// Lines of the transcript up to and with the command.
    before: String,
}

fn read(text: &str, sandbox: &Sandbox) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let (mut before, mut file): (String, Option<(String, bool, String)>) = (String::new(), None);
    let close = |file: Option<(String, bool, String)>| {
        if let Some((name, whole, mut content)) = file {
            if !whole {
                content.pop();
            }
            sandbox.file(name, content);
        }
    };
    for line in text.lines() {
        if let (Some(content), Some((.., collected))) = (line.strip_prefix('|'), &mut file) {
            collected.push_str(content.strip_prefix(' ').unwrap_or(content));
            collected.push('\n');
            before.push_str(line);
            before.push('\n');
            continue;
        }
        close(file.take());
        let expected = steps.last_mut().map(|step| &mut step.expected);
        if let Some(text) = line.strip_prefix('>') {
            let out = &mut expected.expect("output follows a command").out;
            out.push_str(text.strip_prefix(' ').unwrap_or(text));
            out.push('\n');
        } else if let Some(text) = line.strip_prefix('!') {
            let err = &mut expected.expect("errors follow a command").err;
            err.push_str(text.strip_prefix(' ').unwrap_or(text));
            err.push('\n');
        } else if let Some(code) = line.strip_prefix("= ") {
            expected.expect("an exit code follows a command").code = Some(code.parse().unwrap());
        } else {
            before.push_str(line);
            before.push('\n');
            if let Some(command) = line.strip_prefix("$ ") {
                steps.push(Step {
                    command: command.to_owned(),
                    expected: Run { out: String::new(), err: String::new(), code: Some(0) },
                    before: std::mem::take(&mut before),
                });
            } else if let Some(name) = line.strip_prefix("file ") {
                file = Some((name.to_owned(), true, String::new()));
            } else if let Some(name) = line.strip_prefix("file- ") {
                file = Some((name.to_owned(), false, String::new()));
            } else {
                assert!(
                    line.is_empty() || line.starts_with('#'),
                    "no line of a transcript: {line}"
                );
            }
        }
    }
    close(file);
    steps
}

fn run(step: &Step, sandbox: &Sandbox) -> Run {
    let (command, input) = match step.command.split_once(" < ") {
        Some((command, name)) => (command, std::fs::read(sandbox.path(name)).unwrap()),
        None => (step.command.as_str(), Vec::new()),
    };
    let run = sandbox.run_with(command.split_whitespace(), &input);
    // Lines of CSV end in CR LF, which a transcript cannot show.
    Run { out: without_times(&run.out).replace("\r\n", "\n"), ..run }
}

/// Output with 0 for how long a run took and what it did in a second: these are never the same twice.
fn without_times(out: &str) -> String {
    let mut text = out.to_owned();
    for name in ["\"seconds\":", "\"documents_per_second\":", "\"bytes_per_second\":"] {
        let mut from = 0;
        while let Some(at) = text[from..].find(name) {
            let start = from + at + name.len();
            let end = text[start..].find([',', '}']).map_or(text.len(), |length| start + length);
            text.replace_range(start..end, "0");
            from = start;
        }
    }
    text
}

fn written(step: &Step, run: &Run) -> String {
    let mut text = step.before.clone();
    let mut lines = |mark: &str, content: &str| {
        for line in content.lines() {
            text.push_str(format!("{mark} {line}").trim_end_matches(' '));
            text.push('\n');
        }
    };
    lines(">", &run.out);
    lines("!", &run.err);
    match run.code {
        Some(0) => {}
        code => text.push_str(&format!("= {}\n", code.unwrap_or(-1))),
    }
    text
}

#[test]
fn transcripts_come_out_as_written() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut paths: Vec<_> =
        std::fs::read_dir(&cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 8, "transcripts are missing");
    let update = std::env::var_os("NEARPRINT_UPDATE_CASES").is_some();
    let mut wrong = Vec::new();
    for path in paths {
        let sandbox = Sandbox::new();
        let text = std::fs::read_to_string(&path).unwrap();
        let steps = read(&text, &sandbox);
        assert!(!steps.is_empty(), "{}: no command", path.display());
        let mut anew = String::new();
        for step in &steps {
            let run = run(step, &sandbox);
            anew.push_str(&written(step, &run));
            if run != step.expected {
                wrong.push(format!(
                    "{}: $ {}\n--- expected\n{}--- got\n{}",
                    path.display(),
                    step.command,
                    written(step, &step.expected),
                    written(step, &run)
                ));
            }
        }
        if update {
            std::fs::write(&path, anew).unwrap();
        }
    }
    assert!(wrong.is_empty() || update, "{}", wrong.join("\n"));
}
