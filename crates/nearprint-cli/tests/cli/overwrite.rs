//! Outputs never replace an input, and another file only with --force.

use std::fs::File;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::harness::{Run, Sandbox};

const ROWS: &str = "{\"id\":1,\"text\":\"Fog came in at noon and stayed over the harbour.\"}\n\
                    {\"id\":2,\"text\":\"It rained on the hills for a week and a day.\"}\n";
const PRINTS: &str = "sd1:aerukz4jvpg66\ta\nsd1:aerukz4jvpg66\tb\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("s.jsonl", ROWS).file("d/a.txt", "Fog came in at noon.").file("prints", PRINTS);
    std::fs::hard_link(sandbox.path("s.jsonl"), sandbox.path("hard.jsonl")).unwrap();
    symlink("s.jsonl", sandbox.path("soft.jsonl")).unwrap();
    sandbox
}

#[track_caller]
fn refused(sandbox: &Sandbox, arguments: &[&str], why: &str) {
    let run = sandbox.run(arguments);
    assert_eq!((run.out.as_str(), run.code), ("", Some(2)), "{arguments:?}: {run:?}");
    assert!(run.err.contains(why), "{arguments:?}: {}", run.err);
    assert_eq!(std::fs::read_to_string(sandbox.path("s.jsonl")).unwrap(), ROWS, "{arguments:?}");
    assert_eq!(std::fs::read_to_string(sandbox.path("prints")).unwrap(), PRINTS);
}

#[test]
fn no_verb_writes_over_its_input() {
    let sandbox = sandbox();
    sandbox.file("list", "s.jsonl\n").file("labels", "1\t2\tsame\n");
    for command in [
        "dedup s.jsonl --write s.jsonl",
        "dedup s.jsonl --write hard.jsonl",
        "dedup soft.jsonl --write s.jsonl",
        "dedup s.jsonl --write soft.jsonl",
        "dedup s.jsonl --write ./d/../s.jsonl",
        "dedup s.jsonl --output s.jsonl",
        "dedup s.jsonl --report s.jsonl",
        "dedup d --against s.jsonl --output s.jsonl",
        "dedup --files-from list --output s.jsonl",
        "dedup --files-from list --output list",
        "dedup . --output s.jsonl",
        "fingerprint s.jsonl -o s.jsonl",
        "fingerprint . -o s.jsonl",
        "fingerprint d -o d/{scheme}.txt d/sd1.txt",
        "fingerprint s.jsonl --report s.jsonl",
        "extract --json s.jsonl -o s.jsonl",
        "pairs s.jsonl -o s.jsonl",
        "pairs d --against s.jsonl -o s.jsonl",
        "prints pairs prints -o prints",
        "clusters s.jsonl -o s.jsonl",
        "query d/a.txt s.jsonl -o d/a.txt",
        "query d/a.txt s.jsonl --report s.jsonl",
        "query --queries s.jsonl -o s.jsonl -- d",
        "compare d/a.txt d/a.txt -o d/a.txt",
        "diff s.jsonl d -o s.jsonl",
        "prints health prints -o prints",
        "prints idf s.jsonl -o s.jsonl",
        "prints calibrate s.jsonl --labels labels -o labels",
        "prints convert --format hex prints -o prints",
        "prints refingerprint --from prints s.jsonl -o prints",
    ] {
        if command.contains("{scheme}") {
            sandbox.file("d/sd1.txt", "Fog came in at noon.");
        }
        for force in [&[][..], &["--force"]] {
            let arguments: Vec<&str> = command.split(' ').collect();
            let (verb, rest) = arguments.split_at(1 + usize::from(command.starts_with("prints ")));
            refused(&sandbox, &[verb, force, rest].concat(), "inputs are never replaced");
        }
    }
}

#[test]
fn other_files_are_replaced_with_force_alone() {
    let sandbox = sandbox();
    sandbox.file("old", "old").file("d2/b.txt", "Rain fell.");
    for command in [
        "dedup s.jsonl --write old",
        "dedup s.jsonl -o old",
        "dedup s.jsonl --report old",
        "fingerprint d -o old",
        "fingerprint d --report old",
        "extract d/a.txt -o old",
        "pairs d -o old",
        "clusters d -o old",
        "query d/a.txt d2 -o old",
        "compare d/a.txt d2/b.txt -o old",
        "diff d d2 -o old",
        "prints health prints -o old",
        "prints idf d -o old",
        "prints convert --format hex prints -o old",
        "prints refingerprint --from prints d -o old",
    ] {
        sandbox.file("old", "old");
        let arguments: Vec<&str> = command.split(' ').collect();
        refused(&sandbox, &arguments, "old exists; --force replaces it");
        assert_eq!(std::fs::read_to_string(sandbox.path("old")).unwrap(), "old", "{command}");
        let run = sandbox.run([&arguments[..], &["--force"]].concat());
        assert_eq!(run.code, Some(0), "{command}: {run:?}");
        assert_ne!(std::fs::read(sandbox.path("old")).unwrap(), b"old", "{command}");
    }
}

#[test]
fn standard_output_that_leads_to_an_input_is_refused() {
    let sandbox = sandbox();
    let to = |arguments: &[&str], name: &str| {
        // As `>>` does; `>` has emptied the file before there is anything to refuse.
        let file = File::options().append(true).open(sandbox.path(name)).unwrap();
        let run = Run::from(sandbox.command(arguments).stdout(file).output().unwrap());
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.err.contains("standard output is the same file as the input"), "{}", run.err);
        assert_eq!(std::fs::read_to_string(sandbox.path("s.jsonl")).unwrap(), ROWS);
    };
    to(&["dedup", "hard.jsonl"], "s.jsonl");
    to(&["fingerprint", "."], "s.jsonl");
    to(&["fingerprint", "s.jsonl", "-o", "/dev/stdout"], "s.jsonl");
    let file = File::options().append(true).open(sandbox.path("s.jsonl")).unwrap();
    let input = File::open(sandbox.path("soft.jsonl")).unwrap();
    let run = sandbox.command(["dedup", "-"]).stdin(input).stdout(file).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(sandbox.path("s.jsonl")).unwrap(), ROWS);
}

#[test]
fn a_list_that_is_read_once_is_compared_as_it_is_read() {
    let sandbox = sandbox();
    for (list, input) in [("d/a.txt\nhard.jsonl\n", "hard.jsonl"), ("d\n.\n", "./hard.jsonl")] {
        let arguments = ["fingerprint", "--files-from", "-", "--force", "-o", "s.jsonl"];
        let run = sandbox.run_with(arguments, list.as_bytes());
        assert_eq!(run.code, Some(2), "{run:?}");
        let why = format!("s.jsonl is the same file as the input {input}");
        assert!(run.err.contains(&why), "{}", run.err);
        assert_eq!(std::fs::read_to_string(sandbox.path("s.jsonl")).unwrap(), ROWS);
    }
}

#[test]
fn two_outputs_are_two_files_and_none_is_read_while_it_is_written() {
    let sandbox = sandbox();
    refused(&sandbox, &["dedup", "s.jsonl", "-o", "x", "--report", "./x"], "same file");
    refused(&sandbox, &["dedup", "d", "--job", "d/work"], "d/work is in d, whose files are inputs");
    refused(&sandbox, &["fingerprint", "--read", "hidden", "d", "-o", "d/x"], "d/x is in d");
    sandbox.run(["dedup", "-qq", "d", "--job", "d/.work", "-o", "d/x"]).expect_fine();
    sandbox.run(["fingerprint", "-qq", "d", "-g", "!w", "--job", "d/w"]).expect_fine();
}

#[test]
fn what_is_no_file_is_written_to_as_it_is() {
    let sandbox = sandbox();
    let expected = sandbox.run(["fingerprint", "d"]).expect_fine().out;
    sandbox.run(["fingerprint", "d", "-o", "/dev/null", "--report", "/dev/null"]).expect_fine();
    sandbox.run(["dedup", "-qq", "s.jsonl", "--write", "/dev/null"]).expect_fine();
    let run = sandbox.run(["fingerprint", "d", "-o", "/dev/stdout"]).expect_fine();
    assert_eq!(run.out, expected);
    let run = sandbox.run(["dedup", "-qq", "s.jsonl", "--write", "/dev/stdout"]).expect_fine();
    assert_eq!(run.out, ROWS);
    // Redirected to a file, which is new and which the shell has made.
    let file = File::create(sandbox.path("made")).unwrap();
    let mut command = sandbox.command(["fingerprint", "d", "-o", "/dev/stdout"]);
    assert!(command.stdout(file).status().unwrap().success());
    assert_eq!(std::fs::read_to_string(sandbox.path("made")).unwrap(), expected);
    // A named pipe: what is read there is all that was written.
    assert!(
        std::process::Command::new("mkfifo").arg(sandbox.path("pipe")).status().unwrap().success()
    );
    let path = sandbox.path("pipe");
    let reader = std::thread::spawn(move || std::fs::read_to_string(path).unwrap());
    sandbox.run(["fingerprint", "d", "-o", "pipe"]).expect_fine();
    assert_eq!(reader.join().unwrap(), expected);
    let names = ["d", "hard.jsonl", "made", "pipe", "prints", "s.jsonl", "soft.jsonl"];
    assert_eq!(sandbox.names(), names);
}

#[test]
fn what_is_kept_of_one_file_can_go_to_standard_output() {
    let sandbox = sandbox();
    let run = sandbox.run(["dedup", "-qq", "s.jsonl", "--write", "-"]).expect_fine();
    assert_eq!(run.out, ROWS);
    refused(&sandbox, &["dedup", "d", "--write", "-"], "name a directory");
    refused(&sandbox, &["dedup", "s.jsonl", "--output", "-", "--write", "-"], "both write");
    assert!(!sandbox.path("-").exists());
}

#[test]
fn a_resumed_job_replaces_what_it_wrote_itself() {
    let sandbox = sandbox();
    sandbox.file("other", "old");
    // All is done and written but the report: the job stays.
    let job = ["fingerprint", "d", "--job", "work", "-o", "out"];
    let run = sandbox.run([&job[..], &["--report", "/dev/full"]].concat());
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(sandbox.path("work").exists() && sandbox.path("out").exists());
    let elsewhere = ["fingerprint", "d", "--job", "work", "-o", "other"];
    refused(&sandbox, &elsewhere, "other exists; --force replaces it");
    assert_eq!(sandbox.run(job).code, Some(0));
    assert!(!sandbox.path("work").exists());
    refused(&sandbox, &job, "out exists; --force replaces it");
}

#[test]
fn a_link_stays_a_link_and_its_file_keeps_its_mode() {
    let sandbox = sandbox();
    sandbox.file("e/target", "old");
    let mode = std::fs::Permissions::from_mode(0o640);
    std::fs::set_permissions(sandbox.path("e/target"), mode).unwrap();
    symlink("e/target", sandbox.path("out")).unwrap();
    symlink("e/new", sandbox.path("dangling")).unwrap();
    sandbox.run(["fingerprint", "d", "--force", "-o", "out"]).expect_fine();
    // What it names may be anywhere, and a link is there, whatever it leads to.
    let dangling = ["fingerprint", "d", "-o", "dangling"];
    refused(&sandbox, &dangling, "dangling exists; --force replaces it");
    sandbox.run(["fingerprint", "d", "--force", "-o", "dangling"]).expect_fine();
    assert!(sandbox.path("out").is_symlink());
    let found = std::fs::metadata(sandbox.path("e/target")).unwrap();
    assert_eq!(found.permissions().mode() & 0o777, 0o640);
    let target = std::fs::read_to_string(sandbox.path("e/target")).unwrap();
    assert!(target.starts_with("sd1:"), "{target}");
    assert_eq!(std::fs::read_to_string(sandbox.path("e/new")).unwrap(), target);
}

#[test]
fn every_output_follows_one_rule_for_links_hard_links_and_private_files() {
    use std::os::unix::fs::MetadataExt;
    for option in ["-o", "--report", "--write"] {
        let sandbox = Sandbox::new();
        sandbox.file("rows.jsonl", "{\"id\":\"a\",\"text\":\"Fog came in at noon and stayed\"}\n");
        let run = |to: &str| {
            let format = if option == "--write" { "jsonl" } else { "text" };
            let arguments = ["dedup", "-qq", "rows.jsonl", "--format", format, "--force"];
            sandbox.run(arguments.iter().chain(&[option, to])).expect_fine().out
        };
        let read = |name: &str| std::fs::read_to_string(sandbox.path(name)).unwrap();
        run("wanted");
        // A report also states how long the run took.
        let wanted = |text: &str| match option {
            "--report" => text.starts_with('{') && text.ends_with("}\n"),
            _ => text == read("wanted"),
        };

        sandbox.file("real", "old");
        let mode = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(sandbox.path("real"), mode).unwrap();
        symlink("real", sandbox.path("link")).unwrap();
        symlink("link", sandbox.path("chain")).unwrap();
        run("chain");
        assert!(wanted(&read("real")), "{option}: {}", read("real"));
        assert!(sandbox.path("chain").is_symlink() && sandbox.path("link").is_symlink());
        let mode = sandbox.path("real").metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{option}");

        std::fs::hard_link(sandbox.path("real"), sandbox.path("hard")).unwrap();
        sandbox.file("other", "long enough to see that nothing of it stays".repeat(99));
        std::fs::hard_link(sandbox.path("other"), sandbox.path("another")).unwrap();
        for (name, also) in [("real", "hard"), ("other", "another")] {
            run(name);
            assert!(wanted(&read(also)), "{option} {name}");
            assert_eq!(sandbox.path(name).metadata().unwrap().nlink(), 2, "{option} {name}");
        }

        for to in ["/proc/self/fd/1", "/dev/stdout"] {
            let link = format!("to-{}", to.replace('/', "-"));
            symlink(to, sandbox.path(&link)).unwrap();
            let (linked, named) = (run(&link), run(to));
            let last = |text: &str| text.lines().last().unwrap_or_default().to_owned() + "\n";
            let form = |text: &str| if option == "--report" { last(text) } else { text.to_owned() };
            assert!(wanted(&form(&linked)), "{option} {link}: {linked}");
            assert!(wanted(&form(&named)), "{option} {to}: {named}");
            assert!(sandbox.path(&link).is_symlink());
        }
        symlink("/dev/null", sandbox.path("null")).unwrap();
        run("null");
        assert!(sandbox.path("null").is_symlink());
        assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
        assert!(Path::new("/dev/stdout").is_symlink());
    }
}

#[test]
fn a_report_is_written_though_nobody_reads_the_rows() {
    let sandbox = Sandbox::new();
    let rows: String = (0..6000)
        .map(|row| {
            format!("{{\"id\":\"{row:0>40}\",\"text\":\"word{row} came in at noon and stayed\"}}\n")
        })
        .collect();
    sandbox.file("rows.jsonl", rows);
    for arguments in [
        &["dedup", "-qq", "rows.jsonl", "--report", "report"][..],
        &["dedup", "-qq", "rows.jsonl", "--format", "jsonl", "--output", "-", "--write", "report"],
        &["fingerprint", "rows.jsonl", "--report", "report"],
    ] {
        let mut child = sandbox.command(arguments).spawn().unwrap();
        let mut out = child.stdout.take().unwrap();
        std::io::Read::read_exact(&mut out, &mut [0; 20]).unwrap();
        drop(out);
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{arguments:?}");
        let report = std::fs::read_to_string(sandbox.path("report")).unwrap();
        assert!(report.contains("6000") || report.contains("5999"), "{arguments:?}: {report}");
        std::fs::remove_file(sandbox.path("report")).unwrap();
    }
}
