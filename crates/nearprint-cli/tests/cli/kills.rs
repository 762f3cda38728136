//! Jobs that are killed, for good and at once (SIGKILL), and gone on with: the output is that of a job left alone.

use std::path::Path;
use std::process::Child;

use crate::harness::Sandbox;

const DOCUMENTS: usize = 400;

/// Documents of some words, of which every fifth repeats one before it, and some have none; as files, and as rows of
/// one.
fn collection(sandbox: &Sandbox) {
    let mut rows = String::new();
    for number in 0..DOCUMENTS {
        let of = if number % 5 == 4 { number - 3 } else { number };
        let words: Vec<String> =
            (0..40).map(|at| format!("w{}", (of * 31 + at * at) % 997)).collect();
        let end = if number % 5 == 4 { "again" } else { "" };
        let text = if number % 50 == 7 { "1 2 3".to_owned() } else { words.join(" ") + " " + end };
        rows.push_str(&format!("{{\"id\":{number},\"text\":\"{text}\"}}\n"));
        sandbox.file(format!("docs/{number:04}.txt"), text);
    }
    sandbox.file("rows.jsonl", rows);
}

/// Kills the command as soon as `is_time` says so; false where it ended before.
fn killed(sandbox: &Sandbox, arguments: &[&str], is_time: impl Fn(&Path) -> bool) -> bool {
    let mut child: Child = sandbox.command(arguments).spawn().unwrap();
    let root = sandbox.path("");
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "{arguments:?}: {status}");
            return false;
        }
        if is_time(&root) {
            child.kill().unwrap();
            return child.wait().unwrap().code().is_none();
        }
        std::thread::yield_now();
    }
}

fn part(number: u64) -> impl Fn(&Path) -> bool {
    move |root| root.join(format!("work/part-{number:08}")).exists()
}

/// Whether a part is being written.
fn draft(from: u64) -> impl Fn(&Path) -> bool {
    move |root| (from..from + 20).any(|n| root.join(format!("work/part-{n:08}.draft")).exists())
}

/// Whether a search of the job has saved this step.
fn step(name: &str) -> impl Fn(&Path) -> bool {
    move |root| {
        let manifest = std::fs::read_to_string(root.join("work/search/manifest"));
        manifest.is_ok_and(|manifest| manifest.contains(&format!("\nstep {name}\n")))
    }
}

/// Whether something lies in the unfinished output.
fn begun(root: &Path) -> bool {
    let entries = std::fs::read_dir(root).unwrap().map(Result::unwrap);
    let parts = entries.filter(|entry| entry.file_name().to_string_lossy().ends_with(".part"));
    parts.filter_map(|entry| entry.metadata().ok()).any(|found| found.is_dir() || found.len() > 0)
}

/// All files below a directory, or of the file itself, with their bytes.
fn content(path: &Path) -> Vec<(String, Vec<u8>)> {
    let Ok(entries) = std::fs::read_dir(path) else {
        return vec![(String::new(), std::fs::read(path).unwrap())];
    };
    let mut found: Vec<_> = entries
        .map(|entry| entry.unwrap())
        .map(|entry| {
            let bytes = std::fs::read(entry.path()).unwrap();
            (entry.file_name().to_string_lossy().into_owned(), bytes)
        })
        .collect();
    found.sort();
    found
}

/// A job that is killed at each of these moments and then finished gives what it gives alone, without a job's folder.
fn survives(job: &[&str], alone: &[&str], moments: &[&dyn Fn(&Path) -> bool]) {
    let sandbox = Sandbox::new();
    collection(&sandbox);
    assert_eq!(sandbox.run(alone).code, Some(0));
    let mut kills = 0;
    for moment in moments {
        if !killed(&sandbox, job, moment) {
            break;
        }
        kills += 1;
        assert!(!sandbox.path("out").exists(), "nothing half-written has the final name");
    }
    if !sandbox.path("out").exists() {
        let run = sandbox.run(job);
        assert_eq!(run.code, Some(0), "{run:?}");
    }
    assert!(kills > 0, "the job was never killed");
    assert!(content(&sandbox.path("out")) == content(&sandbox.path("alone")), "{kills} kills");
    assert!(!sandbox.path("work").exists(), "the job's folder is gone with the job");
}

#[test]
fn fingerprints_survive_kills() {
    let options = ["fingerprint", "--format", "jsonl", "-qq", "docs"];
    let job = [&options[..], &["--job", "work", "--limit", "commit=5", "--output", "out"]].concat();
    let alone = [&options[..], &["--threads", "1", "--output", "alone"]].concat();
    survives(&job, &alone, &[&part(2), &draft(20), &part(60)]);
}

#[test]
fn fingerprints_of_rows_survive_kills() {
    let options = ["fingerprint", "--format", "jsonl", "-qq", "rows.jsonl"];
    let job = [&options[..], &["--job", "work", "--limit", "commit=3", "--output", "out"]].concat();
    let alone = [&options[..], &["--threads", "1", "--output", "alone"]].concat();
    survives(&job, &alone, &[&part(2), &draft(40), &part(100)]);
}

#[test]
fn deduplication_survives_kills() {
    let options = ["dedup", "-qq", "docs"];
    let job = [&options[..], &["--job", "work", "--limit", "commit=9", "--write", "out"]].concat();
    let alone = [&options[..], &["--threads", "1", "--write", "alone"]].concat();
    survives(&job, &alone, &[&part(1), &draft(15), &|root: &Path| begun(root) && part(44)(root)]);
}

#[test]
fn passages_survive_kills() {
    let options = [
        "passages",
        "--format",
        "jsonl",
        "--search",
        "numbers",
        "--min-tokens",
        "9",
        "-qq",
        "docs",
    ];
    let job = [&options[..], &["--job", "work", "--limit", "commit=9", "--output", "out"]].concat();
    let alone = [&options[..], &["--threads", "1", "--output", "alone"]].concat();
    let [read, grouped, compared] = ["read", "grouped", "compared"].map(step);
    survives(&job, &alone, &[&part(1), &draft(15), &part(44), &read, &grouped, &compared]);
}

#[test]
fn repeats_survive_kills() {
    let options = ["passages", "dedup", "--min-tokens", "9", "-qq", "docs"];
    let job = [&options[..], &["--job", "work", "--limit", "commit=9", "--write", "out"]].concat();
    let alone = [&options[..], &["--threads", "1", "--write", "alone"]].concat();
    survives(&job, &alone, &[&part(1), &draft(15), &|root: &Path| begun(root) && part(44)(root)]);
}

#[test]
fn a_job_of_texts_goes_on_with_other_questions_and_references() {
    let sandbox = Sandbox::new();
    collection(&sandbox);
    sandbox.file("old.txt", "w0 w1 w4 w9 w16 w25 w36 w49 w64 w81 w100 w121 1 2 3 4 5 6 7 8 9");
    let asked = ["passages", "-qq", "--min-tokens", "5", "docs", "--against", "old.txt"];
    let wanted = sandbox.run(asked).expect_fine().out;
    assert!(wanted.lines().count() > 0);
    let job = [&asked[..], &["--job", "work", "--limit", "commit=9"]].concat();
    if killed(
        &sandbox,
        &[&job[..], &["--search", "numbers", "--output", "other"]].concat(),
        part(20),
    ) {
        assert!(sandbox.path("work").exists());
    }
    assert_eq!(sandbox.run(&job).expect_fine().out, wanted);
    // References come first where repeats are cut.
    let asked =
        ["passages", "dedup", "-qq", "--json", "--min-tokens", "8", "docs", "--against", "old.txt"];
    let wanted = sandbox.run(asked).expect_fine().out;
    let found = sandbox.run([&asked[..], &["--job", "work"]].concat()).expect_fine().out;
    assert!(wanted.contains("\"first\":\"old.txt\"") && found == wanted);
}

#[test]
fn a_job_of_other_options_or_inputs_is_refused_and_says_why() {
    let sandbox = Sandbox::new();
    collection(&sandbox);
    let job = ["dedup", "-qq", "docs", "--job", "work", "--limit", "commit=9", "--write", "out"];
    if !killed(&sandbox, &job, part(3)) {
        return;
    }
    let refused = |more: &[&str]| {
        let run = sandbox.run([&job[..], more].concat());
        assert_eq!(run.code, Some(2), "{run:?}");
        run.err
    };
    let text = refused(&["--read", "charset=koi8-r"]);
    assert!(text.contains("charset was  and is now koi8-r"), "{text}");
    assert!(!text.contains("scheme"), "{text}");
    sandbox.file("docs/0001.txt", "changed");
    let text = refused(&[]);
    assert!(text.contains("files was 400 files of"), "{text}");
    assert_eq!(sandbox.run(["dedup", "-", "--job", "other"]).code, Some(2));
}

/// A job whose disk takes no more: it fails and says so, leaves no output that is shorter, and is continued once there
/// is space again.
#[test]
fn jobs_survive_a_full_disk() {
    let options = ["fingerprint", "--format", "jsonl", "-qq", "rows.jsonl"];
    let job =
        [&options[..], &["--job", "work", "--limit", "commit=50", "--output", "out"]].concat();
    let sandbox = Sandbox::new();
    collection(&sandbox);
    let alone = [&options[..], &["--threads", "1", "--output", "alone"]].concat();
    assert_eq!(sandbox.run(alone).code, Some(0));
    // Files may have so many blocks of 512 bytes: none, a piece of a part, and all of the parts but not the output.
    for blocks in [0, 8, 40, 150] {
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let nearprint = sandbox.command(&job);
        let mut limited_job = std::process::Command::new("sh");
        limited_job.args(["-c", &limited]).arg(nearprint.get_program());
        let output =
            limited_job.args(nearprint.get_args()).current_dir(sandbox.path("")).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{blocks}: {output:?}");
        assert!(!sandbox.path("out").exists(), "{blocks}");
    }
    let run = sandbox.run(&job);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(content(&sandbox.path("out")) == content(&sandbox.path("alone")));
    assert!(!sandbox.path("work").exists());
}
