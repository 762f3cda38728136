//! A worker that dies on purpose, again and again, below the whole command.

use std::path::PathBuf;

use serde_json::Value;

use crate::harness::{Run, Sandbox};

/// Deaths where `NEARPRINT_DEATHS` does not say how many, as `scripts/test-long.sh` does.
const DEATHS: usize = 30;

/// The example of the library that dies where a document says so.
fn dying_worker() -> PathBuf {
    let command = PathBuf::from(env!("CARGO_BIN_EXE_nearprint"));
    let name = format!("dying_worker{}", std::env::consts::EXE_SUFFIX);
    let path = command.with_file_name("examples").join(name);
    let file = path.display();
    assert!(path.exists(), "{file} is missing: `cargo build --package nearprint --examples`");
    path
}

#[test]
fn a_worker_that_keeps_dying_loses_no_other_document() {
    let deaths = std::env::var("NEARPRINT_DEATHS").map_or(DEATHS, |n| n.parse().unwrap());
    let sandbox = Sandbox::new();
    for number in 0..deaths {
        let way = ["abort", "exit", "panic"][number % 3];
        sandbox.file(format!("in/{number:05}-a"), format!("die: {way}"));
        sandbox.file(format!("in/{number:05}-b"), format!("Fog came in at hour {number}.\n"));
    }
    for threads in ["1", "3"] {
        let arguments = [
            "fingerprint",
            "--format=jsonl",
            "--read=isolate=everything",
            "--threads",
            threads,
            "in",
        ];
        let mut command = sandbox.command(arguments);
        let run: Run = command.env("NEARPRINT_WORKER", dying_worker()).output().unwrap().into();
        assert_eq!(run.code, Some(1), "{}", run.err);
        let said = format!("{deaths} of {} documents failed", 2 * deaths);
        assert!(run.err.contains(&said), "{}", run.err);
        let records: Vec<Value> =
            run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(records.len(), 2 * deaths);
        for (index, record) in records.iter().enumerate() {
            let (number, dies) = (index / 2, index % 2 == 0);
            let letter = if dies { 'a' } else { 'b' };
            assert_eq!(record["id"], format!("in/{number:05}-{letter}"), "in order, none lost");
            assert_eq!(record["fingerprint"].is_null(), dies, "{record}");
            assert_eq!(record["reason"] == "worker-failed", dies, "{record}");
        }
    }
}
