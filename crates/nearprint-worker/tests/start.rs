//! Workers that cannot be had: the error names the executable and the remedy, and no document is blamed.

mod workers;

use std::path::Path;

use nearprint_extract::{Hints, Limits};
use nearprint_worker::{Pool, PoolOptions, StartError};
use workers::{HostileWorker, pool};

fn refused(executable: &Path) -> StartError {
    let pool = pool(executable, 2);
    let early = pool.check().expect_err("a worker that cannot start");
    let late = pool
        .extract(b"text", &Hints::default(), &Limits::default())
        .expect_err("a worker that cannot start");
    assert_eq!(early.to_string(), late.to_string());
    assert_eq!(pool.counts().started, 0);
    let said = late.to_string();
    assert!(said.contains(&executable.display().to_string()), "{said}");
    assert!(said.contains("NEARPRINT_WORKER"), "{said}");
    late
}

#[test]
fn a_missing_executable_is_named() {
    let error = refused(Path::new("/no/such/folder/nearprint-worker"));
    assert!(matches!(error, StartError::NotRunnable { .. }), "{error}");
}

#[test]
fn a_file_that_cannot_run_is_named() {
    let error = refused(&Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"));
    assert!(matches!(error, StartError::NotRunnable { .. }), "{error}");
}

#[test]
fn another_version_is_refused() {
    let named = HostileWorker::new("future");
    match refused(&named.file) {
        StartError::OtherRelease { protocol: 3, release, .. } => assert_eq!(release, ""),
        error => panic!("{error}"),
    }
    let named = HostileWorker::new("older");
    match refused(&named.file) {
        StartError::OtherRelease { protocol: 2, release, .. } => assert_eq!(release, "0.0.0"),
        error => panic!("{error}"),
    }
}

#[test]
fn a_program_that_is_no_worker_is_refused() {
    for (name, part) in [("chatty", "Hello, I"), ("silent", "exited with code 0")] {
        let named = HostileWorker::new(name);
        let error = refused(&named.file);
        assert!(matches!(error, StartError::Failed { .. }), "{error}");
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn limits_too_small_to_live_in_are_told() {
    let options = PoolOptions { memory_bytes: 1 << 20, ..PoolOptions::new(workers::shipped()) };
    let error = Pool::new(options).unwrap().check();
    if cfg!(target_os = "linux") {
        let error = error.expect_err("a megabyte is not enough");
        assert!(error.to_string().contains("memory-limit: "), "{error}");
    }
}
