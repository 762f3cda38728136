//! The two programs as a script meets them: arguments in; files, streams and exit codes out.
//!
//! The cases follow simhash-cpp's source (`src/bin`) and its README; what they fingerprint there in the order of a hash
//! table is compared as the sorted lines that our programs promise.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const FIND_ALL: &str = env!("CARGO_BIN_EXE_simhash-find-all");
const FIND_CLUSTERS: &str = env!("CARGO_BIN_EXE_simhash-find-clusters");

fn run(program: &str, line: &str, input: &str) -> Output {
    let mut child = Command::new(program)
        .args(line.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its arguments does not read: a closed pipe is as good.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn code(program: &str, line: &str) -> i32 {
    run(program, line, "1\n").status.code().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// A file name in a directory of this test's own.
fn file(test: &str, name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&directory).unwrap();
    directory.join(name)
}

#[test]
fn misuse_has_simhash_cpps_exit_codes_in_its_order() {
    for program in [FIND_ALL, FIND_CLUSTERS] {
        for (line, wanted) in [
            ("--help", 0),
            ("--nonsense", 1),
            ("--blocks", 1),
            ("", 2),
            ("-d 3 -i - -o -", 2),
            ("-b 6 -d 0 -i - -o -", 3),
            ("-b 6 -d 3 --input= -o -", 4),
            ("-b 6 -d 3 -i - --output=", 5),
            ("-b 3 -d 3 -i - -o -", 6),
            ("-b 6 -d 3 -i no/such/file -o -", 7),
            ("-b 6 -d 3 -i - -o no/such/directory/out", 8),
            ("-b 65 -d 3 -i - -o -", 10),
            ("-b 64 -d 63 -i - -o -", 0),
            ("-b 6 -d 3", 0),
        ] {
            assert_eq!(code(program, line), wanted, "{program} {line}");
        }
        let bad = run(program, "-b 6 -d 3 -i - -o -", "1\n\n");
        assert_eq!(bad.status.code(), Some(9));
        let message = String::from_utf8_lossy(&bad.stderr).into_owned();
        assert!(message.contains("line 2 is not a number"), "{message}");
        assert_eq!(stdout(&bad), "");
    }
}

#[test]
fn the_readmes_example_is_a_match_at_3_and_not_at_2() {
    let a = 0b0100_1011_1011_1011_0010_0010_1111_1011_1011_1100_0010_1001_1101_1001_1011_0101_u64;
    // Three bits apart, in three different blocks of six.
    let b = a ^ (1 << 42) ^ (1 << 29) ^ (1 << 12);
    let input = format!("{a}\n{b}\n");
    let (low, high) = (a.min(b), a.max(b));
    for blocks in 4..=64 {
        let found = run(FIND_ALL, &format!("-b {blocks} -d 3 -i - -o -"), &input);
        assert_eq!(stdout(&found), format!("[{low}, {high}]\n"), "{blocks} blocks");
    }
    assert_eq!(stdout(&run(FIND_ALL, "-b 6 -d 2 -i - -o -", &input)), "");
}

#[test]
fn duplicates_collapse_and_pairs_come_smaller_number_first() {
    let found = run(FIND_ALL, "--blocks 4 --distance 3 --input - --output -", "7\n7\n0\n7\n256\n");
    assert_eq!(stdout(&found), "[0, 7]\n[0, 256]\n");
    let alone = run(FIND_CLUSTERS, "--blocks 4 --distance 3 --input - --output -", "7\n7\n");
    assert_eq!(stdout(&alone), "", "a hash that only meets itself is no cluster");
}

#[test]
fn clusters_are_connected_components() {
    // A chain of four, each three bits from the next, and a pair far away.
    let chain = [0_u64, 0b111, 0b11_1111, 0b1_1111_1111];
    let pair = [u64::MAX, u64::MAX - 1];
    let input: String = chain.iter().chain(&pair).rev().map(|hash| format!("{hash}\n")).collect();
    let found = run(FIND_CLUSTERS, "-b 6 -d 3 -i - -o -", &input);
    assert_eq!(stdout(&found), "[0, 7, 63, 511]\n[18446744073709551614, 18446744073709551615]\n");
}

#[test]
fn files_are_read_and_written_and_messages_go_to_standard_error() {
    let (input, output) = (file("files", "in.txt"), file("files", "out.txt"));
    std::fs::write(&input, "1\n3\n").unwrap();
    let line = format!("-b 4 -d 1 -i {} -o {}", input.display(), output.display());
    let done = run(FIND_ALL, &line, "");
    assert!(done.status.success());
    assert_eq!(std::fs::read_to_string(&output).unwrap(), "[1, 3]\n");
    assert_eq!(stdout(&done), "");
    let wanted = format!(
        "Reading hashes from {}\nComputing matches...\nWriting matches to {}\n",
        input.display(),
        output.display()
    );
    assert_eq!(String::from_utf8_lossy(&done.stderr), wanted);
    let left: Vec<_> = std::fs::read_dir(output.parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 2, "no partial file stays");
}

#[test]
fn a_failed_run_leaves_the_old_output_alone() {
    let (input, output) = (file("old", "in.txt"), file("old", "out.txt"));
    std::fs::write(&input, "1\nx\n").unwrap();
    std::fs::write(&output, "old").unwrap();
    let line = format!("-b 4 -d 1 -i {} -o {}", input.display(), output.display());
    assert_eq!(run(FIND_CLUSTERS, &line, "").status.code(), Some(9));
    assert_eq!(std::fs::read_to_string(&output).unwrap(), "old");
}

#[test]
fn a_device_can_be_the_output() {
    let full = run(FIND_ALL, "-b 4 -d 1 -i - -o /dev/full", "1\n3\n");
    assert_eq!(full.status.code(), Some(8), "{}", String::from_utf8_lossy(&full.stderr));
    assert_eq!(run(FIND_ALL, "-b 4 -d 1 -i - -o /dev/null", "1\n3\n").status.code(), Some(0));
}

#[test]
fn an_output_is_written_through_links_hard_links_and_permissions() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let write = |name: &str| {
        let line = format!("-b 4 -d 1 -i - -o {}", path(name).display());
        let done = run(FIND_ALL, &line, "1\n3\n");
        assert_eq!(done.status.code(), Some(0), "{name}: {done:?}");
        stdout(&done).to_owned()
    };
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();

    std::fs::write(path("real"), "old, and longer than what is written").unwrap();
    std::fs::set_permissions(path("real"), std::fs::Permissions::from_mode(0o600)).unwrap();
    std::fs::hard_link(path("real"), path("hard")).unwrap();
    symlink("real", path("link")).unwrap();
    symlink("link", path("chain")).unwrap();
    let before = path("real").metadata().unwrap();
    assert_eq!(write("chain"), "");
    let after = path("real").metadata().unwrap();
    assert_eq!((read("real"), read("hard")), ("[1, 3]\n".into(), "[1, 3]\n".into()));
    assert!(path("chain").is_symlink() && path("link").is_symlink());
    assert_eq!(after.permissions().mode() & 0o777, 0o600);
    assert_eq!((after.ino(), after.nlink()), (before.ino(), 2));

    symlink("new", path("dangling")).unwrap();
    write("dangling");
    assert_eq!(read("new"), "[1, 3]\n");
    assert!(path("dangling").is_symlink());

    for (name, to) in [("descriptor", "/proc/self/fd/1"), ("standard", "/dev/stdout")] {
        symlink(to, path(name)).unwrap();
        assert_eq!(write(name), "[1, 3]\n", "{to}");
        assert!(path(name).is_symlink(), "{to}");
    }
    symlink("/dev/null", path("null")).unwrap();
    write("null");
    assert!(path("null").is_symlink());

    // Input and output may be one file, which is read before it is emptied.
    std::fs::write(path("both"), "1\n3\n").unwrap();
    let both = path("both");
    let line = format!("-b 4 -d 1 -i {} -o {}", both.display(), both.display());
    assert!(run(FIND_ALL, &line, "").status.success());
    assert_eq!(read("both"), "[1, 3]\n");
}

#[test]
fn a_named_pipe_gets_the_lines() {
    let directory = tempfile::tempdir().unwrap();
    let pipe = directory.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read_to_string(pipe).unwrap()
    });
    let line = format!("-b 4 -d 1 -i - -o {}", pipe.display());
    assert!(run(FIND_CLUSTERS, &line, "1\n3\n").status.success());
    assert_eq!(reader.join().unwrap(), "[1, 3]\n");
}

/// What simhash-cpp's `simhash-find-all` (its last commit, built with GCC on Linux) did with each command line:
/// options, input `1` and `3` on standard input, exit code (134 is an uncaught exception), standard output. Then what
/// ours does otherwise, if so.
type RecordedRun = (&'static [&'static str], bool, i32, &'static str, Option<(i32, &'static str)>);
const FOUND: &str = "[1, 3]\n";
const RECORDED: &[RecordedRun] = &[
    (&["-b", "6", "-b", "", "-d", "1", "-i", "-", "-o", "-"], false, 0, FOUND, None),
    (&["-b", "6", "-b", " ", "-d", "1", "-i", "-", "-o", "-"], false, 0, FOUND, None),
    (&["-b", "6", "-b", "abc", "-d", "1", "-i", "-", "-o", "-"], false, 2, "", None),
    (&["-b", "6", "-i", "-", "-o", "-", "-d", ""], false, 3, "", None),
    (&["-b", "0x6", "-d", "1", "-i", "-", "-o", "-"], false, 2, "", None),
    (&["-b", " +6", "-d", "1", "-i", "-", "-o", "-"], false, 0, FOUND, None),
    (&["-b", "6", "-d", "-1", "-i", "-", "-o", "-"], false, 6, "", None),
    (&["-b", "-1", "-d", "1", "-i", "-", "-o", "-"], false, 134, "", Some((10, ""))),
    (&["-b", "65", "-d", "1", "-i", "-", "-o", "-"], false, 134, "", Some((10, ""))),
    (&["operand", "-b", "6", "-d", "1", "-i", "-", "-o", "-"], false, 0, FOUND, None),
    (&["-", "-b", "6", "-d", "1", "-i", "-", "-o", "-"], false, 0, FOUND, None),
    (&["operand", "-b", "6", "-d", "1", "-i", "-", "-o", "-"], true, 2, "", None),
    (&["-b", "6", "operand", "-d", "1", "-i", "-", "-o", "-"], true, 3, "", None),
    (&["-b", "6", "-d", "1", "operand", "-i", "-", "-o", "-"], true, 4, "", Some((0, FOUND))),
    (&["-b", "6", "-d", "1", "-i", "/", "-o", "-"], false, 0, "", Some((7, ""))),
    (&["-b", "6", "-d", "1", "-i", "-", "-o", "/"], false, 8, "", None),
    (&["-b", "6", "-d", "1", "-o", "-"], false, 4, "", Some((0, FOUND))),
    (&["-b", "6", "-d", "1", "-i", "-"], false, 5, "", Some((0, FOUND))),
    (&["-b", "6", "-d", "1", "-i", "", "-o", "-"], false, 4, "", None),
    (&["-b", "6", "-d", "1", "-i", "-", "-o", ""], false, 5, "", None),
    (&["-b", "6", "-d", "1", "-i", "-", "-o", "/dev/full"], false, 0, "", Some((8, ""))),
    (&["--b", "6", "--d", "1", "--i", "-", "--o", "-"], false, 0, FOUND, None),
    (&["--=3"], false, 1, "", None),
    (&["--help=3"], false, 1, "", None),
];

#[test]
fn corners_are_as_recorded_or_a_listed_difference() {
    for &(arguments, posix, code, out, otherwise) in RECORDED {
        let mut command = Command::new(FIND_ALL);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::piped()).env_remove("POSIXLY_CORRECT");
        if posix {
            command.env("POSIXLY_CORRECT", "1");
        }
        let mut child = command.spawn().unwrap();
        // A program that refuses its arguments does not read.
        let _ = child.stdin.take().unwrap().write_all(b"1\n3\n");
        let done = child.wait_with_output().unwrap();
        let (code, out) = otherwise.unwrap_or((code, out));
        assert_eq!((done.status.code(), stdout(&done)), (Some(code), out), "{arguments:?}");
    }
}

#[test]
fn the_manual_page_has_every_option_and_exit_code() {
    let page =
        include_str!("../../nearprint-simhash-cpp/man/simhash-find-all.1").replace("\\-", "-");
    for option in ["blocks", "distance", "input", "output", "help"] {
        assert!(page.contains(&format!("--{option}")), "{option}");
    }
    let status =
        &page[page.find(".SH EXIT STATUS").unwrap()..page.find(".SH DIFFERENCES").unwrap()];
    let codes: Vec<&str> = status.lines().filter_map(|line| line.strip_prefix(".B ")).collect();
    assert_eq!(codes, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
}
