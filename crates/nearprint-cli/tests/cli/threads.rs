//! Results and their order do not depend on the number of threads.

use crate::harness::Sandbox;

/// Documents of very different lengths, some bad, made by rule.
fn documents(sandbox: &Sandbox) {
    let words =
        ["fog", "harbour", "bell", "noon", "keeper", "lamp", "tide", "rope", "salt", "gull"];
    for number in 0..160usize {
        let length = if number % 31 == 0 { 40_000 } else { 60 + number * 7 % 90 };
        let text: Vec<&str> =
            (0..length).map(|at| words[(at * at + number / 4 + at / 7) % words.len()]).collect();
        let name = format!("d/{:02}/{number:03}.txt", number % 7);
        if number % 23 == 5 {
            sandbox.file(name, [0u8, 1, 2, 3, 255, 254, 0, 0, 9].repeat(50));
        } else {
            sandbox.file(name, text.join(" "));
        }
    }
}

#[test]
fn output_is_the_same_for_any_number_of_threads() {
    let sandbox = Sandbox::new();
    documents(&sandbox);
    for arguments in [
        &["fingerprint", "--format", "jsonl", "d"][..],
        &["fingerprint", "d", "d/00"],
        &["pairs", "d"],
        &["clusters", "--format", "table", "d"],
        &["clusters", "--search", "scheme=sd1", "d"],
        &["query", "d/01/001.txt", "d"],
        &["query", "d", "--queries", "d/01"],
    ] {
        let run =
            |threads: &str| sandbox.run(arguments.iter().copied().chain(["--threads", threads]));
        let alone = run("1");
        assert!(alone.out.lines().count() > 10, "{alone:?}");
        for threads in ["2", "3", "16"] {
            assert_eq!(run(threads), alone, "{arguments:?} with {threads} threads");
        }
    }
}

#[test]
fn more_threads_than_a_system_gives_are_refused() {
    let sandbox = Sandbox::new();
    for number in ["0", "1025", "20000", "auto"] {
        let run = sandbox.run(["pairs", "-j", number, "."]);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.err.contains("expected a number of threads (-j) from 1 to 1024"), "{run:?}");
    }
}
