//! Binary files of fingerprints from outside, and searches that go beyond memory.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use crate::harness::{Run, Sandbox};

/// A file of `sd1` fingerprints without ids, written here by the format's description.
fn binary(words: &[u64]) -> Vec<u8> {
    use std::hash::Hasher;
    let mut bytes = b"\x89NPRT\r\n\x1a".to_vec();
    bytes.extend(1u32.to_le_bytes());
    bytes.extend(64u32.to_le_bytes());
    bytes.extend((words.len() as u64).to_le_bytes());
    bytes.extend([0; 12]);
    bytes.extend(b"sd1");
    bytes.extend([0; 25]);
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let mut hasher = twox_hash::XxHash3_64::new();
    hasher.write(&bytes);
    bytes.extend(hasher.finish().to_le_bytes());
    bytes
}

#[test]
fn documents_go_through_a_binary_file_unchanged() {
    let sandbox = Sandbox::new();
    let text = "Fog came in at noon and stayed over the harbour until the bells rang.";
    sandbox.file("d/a", text).file("d/tab\there", text).file("d/c", "Bread needs time.");
    sandbox.run(["fingerprint", "--format", "binary", "--output", "all.prints", "d"]).expect_fine();
    sandbox.run(["fingerprint", "--output", "all.txt", "d"]).expect_fine();
    let direct = sandbox.run(["prints", "pairs", "-qq", "all.txt"]).expect_fine();
    assert_eq!(direct.out, "d/a\td/tab\\there\t0\n");
    let read = sandbox.run(["prints", "pairs", "-qq", "all.prints"]).expect_fine();
    assert_eq!(read, direct);
    // Through a pipe, whose length nobody knows.
    let bytes = std::fs::read(sandbox.path("all.prints")).unwrap();
    let piped = sandbox.run_with(["prints", "pairs", "-qq", "-"], &bytes).expect_fine();
    assert_eq!(piped, direct);
    let arguments = ["fingerprint", "--format", "binary", "--no-ids", "-o", "bare.prints", "d"];
    sandbox.run(arguments).expect_fine();
    let bare = sandbox.run(["prints", "pairs", "-qq", "bare.prints"]).expect_fine();
    assert_eq!(bare.out, "bare.prints:1\tbare.prints:3\t0\n");
    assert_eq!(std::fs::read(sandbox.path("bare.prints")).unwrap().len(), 64 + 3 * 8 + 8 + 1);
}

#[test]
fn a_damaged_file_is_refused_as_a_whole_and_the_others_are_searched() {
    let sandbox = Sandbox::new();
    let mut damaged = binary(&[1, 2, 3]);
    damaged[70] ^= 1;
    sandbox
        .file("good", binary(&[5, 5]))
        .file("damaged", damaged)
        .file("short", &binary(&[1])[..70]);
    let run = sandbox.run(["prints", "pairs", "-v", "-k0", "damaged", "good", "short"]);
    assert_eq!((run.out.as_str(), run.code), ("good:1\tgood:2\t0\n", Some(1)));
    let lines: Vec<&str> = run.err.lines().collect();
    assert!(lines[0].starts_with("damaged: bad-file: its checksum"), "{lines:?}");
    assert!(lines[1].starts_with("short: bad-file: it has 70 bytes"), "{lines:?}");
    // Another scheme ends the command, as in files of lines.
    let run = sandbox.run(["prints", "pairs", "--scheme", "md1", "good"]);
    assert_eq!((run.out.as_str(), run.code), ("", Some(3)));
}

/// A million fingerprints of which some are near others.
fn many() -> Vec<u64> {
    let mut state = 1u64;
    let mut words: Vec<u64> = Vec::new();
    for number in 0..1_000_000usize {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let word = state ^ state >> 29;
        let near = |at: usize| words[at] ^ 1 << (word % 64) ^ 1 << (word >> 8 & 63);
        words.push(if number % 50 == 49 { near(number / 2) } else { word });
    }
    words
}

#[test]
fn a_join_beyond_its_memory_uses_a_file_without_a_name_and_finds_the_same() {
    let sandbox = Sandbox::new();
    sandbox.file("many", binary(&many()));
    std::fs::create_dir(sandbox.path("temp")).unwrap();
    let whole = sandbox.run(["prints", "pairs", "-qq", "many"]).expect_fine();
    assert!(whole.out.lines().count() >= 20_000, "{}", whole.out.lines().count());
    let bounded = ["prints", "pairs", "--limit", "memory=41M", "--search", "explain", "many"];
    let run = sandbox.command(bounded).env("TMPDIR", sandbox.path("temp")).output().unwrap();
    let run = Run::from(run);
    assert_eq!((run.code, run.out == whole.out), (Some(0), true), "{}", run.err);
    assert!(run.err.contains("\ndisk      up to "), "{}", run.err);
    assert_eq!(std::fs::read_dir(sandbox.path("temp")).unwrap().count(), 0);
    let run = sandbox.run(["prints", "pairs", "--limit", "memory=30M", "many"]);
    assert_eq!((run.out.as_str(), run.code), ("", Some(3)));
    assert!(run.err.contains("the limit is 31.5 MB; increase --limit memory"), "{}", run.err);
}

#[test]
fn an_interrupted_binary_output_leaves_nothing() {
    let sandbox = Sandbox::new();
    assert!(Command::new("mkfifo").arg(sandbox.path("pipe")).status().unwrap().success());
    let arguments =
        ["fingerprint", "-v", "--format", "binary", "--output", "out", "--files-from", "pipe"];
    let mut child = sandbox.command(arguments).spawn().unwrap();
    // It opens the list before the output; what it says of the first name tells that the output is begun.
    let mut pipe = OpenOptions::new().write(true).open(sandbox.path("pipe")).unwrap();
    // As much of a list as is read to see what ends its paths; the second path goes on.
    pipe.write_all(&[b"missing\0".as_slice(), &[b'x'; 64 << 10]].concat()).unwrap();
    let mut told = [0; 7];
    std::io::Read::read_exact(child.stderr.as_mut().unwrap(), &mut told).unwrap();
    assert_eq!(&told, b"missing");
    assert!(sandbox.names()[0].starts_with(".out."), "{:?}", sandbox.names());
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().signal(), Some(2));
    assert_eq!(sandbox.names(), ["pipe"]);
}
