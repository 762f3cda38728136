//! Documents that kill their worker cost their own record, whatever the number of threads, and isolation changes no
//! result.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use nearprint::records::{
    Document, DocumentId, ErrorRecord, FingerprintRecord, Outcome, ReasonCode,
};
use nearprint::worker::{Isolation, PoolCounts, PoolOptions};
use nearprint::{Engine, EngineSettings, Settings};

/// The example that dies on demand, which is built with this test.
fn dying_worker() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("two folders up");
    let name = format!("dying_worker{}", std::env::consts::EXE_SUFFIX);
    let path = folder.join("examples").join(name);
    let file = path.display();
    assert!(path.exists(), "{file} is missing: `cargo build --package nearprint --examples`");
    path
}

fn settings(isolation: Isolation, threads: usize) -> EngineSettings {
    let threads = NonZeroUsize::new(threads).expect("at least one");
    let workers = PoolOptions { workers: threads, ..PoolOptions::new(dying_worker()) };
    EngineSettings::default().isolation(isolation).workers(workers).threads(threads)
}

fn run(settings: EngineSettings, documents: &[Vec<u8>]) -> (Vec<FingerprintRecord>, PoolCounts) {
    let engine = Engine::new(settings);
    let pipeline = engine.pipeline(Settings::default());
    let mut source = documents.iter().enumerate().map(|(number, bytes)| {
        let id = DocumentId::new(number.to_string()).expect("a number is an id");
        Ok::<_, ErrorRecord>(Document::from_bytes(id, bytes.clone()))
    });
    let mut records = Vec::new();
    let tally = pipeline
        .fingerprint(&mut source, |record| {
            records.push(record);
            Ok::<_, std::convert::Infallible>(())
        })
        .expect("nothing fails here");
    assert_eq!(tally.documents, documents.len() as u64);
    for (number, record) in records.iter().enumerate() {
        assert_eq!(record.id.as_str(), number.to_string(), "in order, none lost, none twice");
    }
    (records, engine.worker_counts())
}

/// The reason and detail of a document without a fingerprint.
fn nothing(record: &FingerprintRecord) -> (&str, &str) {
    match &record.outcome {
        Outcome::Nothing { reason, detail, .. } => (reason.as_str(), detail),
        Outcome::Print { .. } => panic!("{}: a worker that died has no answer", record.id),
    }
}

fn ordinary(number: usize) -> Vec<u8> {
    match number % 5 {
        0 => format!("plain text number {number}, naïve café\n").into_bytes(),
        1 => format!("<!doctype html><nav>x</nav><p>page <b>n</b>umber {number}").into_bytes(),
        2 => format!("{{\\rtf1 letter number {number}\\par}}").into_bytes(),
        3 => include_bytes!("../../nearprint-extract/tests/cases/pdf-one-page.input").to_vec(),
        _ => b"\x1f\x8b\x08 damaged".to_vec(),
    }
}

#[test]
fn a_thousand_deaths_lose_no_other_document() {
    const DEATHS: usize = 1_000;
    let ways = ["abort", "exit", "panic"];
    let documents: Vec<Vec<u8>> = (0..2 * DEATHS)
        .map(|number| match number % 2 {
            0 => format!("die: {}", ways[number / 2 % ways.len()]).into_bytes(),
            _ => ordinary(number / 2),
        })
        .collect();
    let undisturbed: Vec<Vec<u8>> = documents
        .iter()
        .enumerate()
        .map(|(number, bytes)| if number % 2 == 0 { Vec::new() } else { bytes.clone() })
        .collect();
    let (expected, _) = run(settings(Isolation::Never, 2), &undisturbed);
    let (records, counts) = run(settings(Isolation::Everything, 3), &documents);
    for (number, record) in records.iter().enumerate() {
        if number % 2 == 0 {
            let (reason, detail) = nothing(record);
            assert_eq!(reason, "worker-failed", "{detail}");
            assert!(detail.starts_with("worker-died: "), "{detail}");
        } else {
            assert_eq!(record, &expected[number]);
        }
    }
    assert_eq!(counts.died, DEATHS as u64);
}

#[test]
fn every_isolation_and_number_of_threads_gives_the_same() {
    let documents: Vec<Vec<u8>> = (0..120).map(ordinary).collect();
    let (expected, counts) = run(settings(Isolation::Never, 1), &documents);
    assert_eq!(counts.started, 0);
    assert!(expected.iter().filter(|r| matches!(r.outcome, Outcome::Print { .. })).count() >= 90);
    for isolation in [Isolation::Never, Isolation::Heavy, Isolation::Everything] {
        for threads in [1, 2, 5] {
            let (records, counts) = run(settings(isolation, threads), &documents);
            assert_eq!(records, expected, "{isolation:?}, {threads} threads");
            assert!(counts.started <= threads as u64, "{counts:?}");
            assert_eq!(counts.started > 0, isolation != Isolation::Never);
            assert_eq!(counts.died, 0);
        }
    }
}

#[test]
fn memory_and_time_end_in_errors_that_name_them() {
    let mut settings = settings(Isolation::Everything, 1);
    settings.workers.memory_bytes = 256 << 20;
    settings.workers.cpu_seconds = 0;
    settings.workers.wall = Duration::from_secs(600);
    let documents = [&b"die: memory"[..], b"die: loop", b"words"].map(<[u8]>::to_vec);
    let (records, _) = run(settings, &documents);
    for (record, begin) in records.iter().zip(["memory-limit: ", "time-limit: "]) {
        let (reason, detail) = nothing(record);
        assert_eq!(reason, "worker-failed");
        assert!(detail.starts_with(begin), "{detail}");
    }
    assert!(matches!(records[2].outcome, Outcome::Print { .. }));
}

#[test]
fn without_an_executable_what_is_light_is_read() {
    let workers = PoolOptions::new("/no/such/worker");
    let settings = EngineSettings::default().workers(workers);
    let documents = [&b"words"[..], b"%PDF-1.7", b"<p>more words"].map(<[u8]>::to_vec);
    let (records, _) = run(settings, &documents);
    assert!(matches!(records[0].outcome, Outcome::Print { .. }));
    assert!(matches!(records[2].outcome, Outcome::Print { .. }));
    let (reason, detail) = nothing(&records[1]);
    assert_eq!(reason, ReasonCode::WORKER_UNAVAILABLE.as_str());
    assert!(
        detail.contains("/no/such/worker") && detail.contains("--read isolate=never"),
        "{detail}"
    );
}
