//! A host that forks, as Python's multiprocessing does: the fork neither uses nor ends the workers of the other.
#![cfg(unix)]
#![expect(unsafe_code, reason = "forking is what is tested, and nothing safe forks")]

mod workers;

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nearprint_extract::{Hints, Limits};
use nearprint_worker::StartError;
use workers::{ask, document, here, pool, shipped};

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(code: i32) -> !;
}

#[test]
fn a_fork_leaves_the_workers_alone() {
    let pool = pool(&shipped(), 1);
    assert_eq!(ask(&pool, &document(3)), here(&document(3)));
    // SAFETY: the child below uses memory and this pool only, takes no lock another thread may hold, and exits.
    let child = unsafe { fork() };
    assert!(child >= 0, "no fork");
    if child == 0 {
        let outcome = pool.extract(b"text", &Hints::default(), &Limits::default());
        let refused = matches!(outcome, Err(StartError::Forked));
        // Neither waits for a thread that is not there nor ends the worker.
        drop(pool);
        // SAFETY: ends the child without running anything of the test harness.
        unsafe { _exit(if refused { 7 } else { 8 }) }
    }
    let mut status = 0;
    // SAFETY: `status` outlives the call.
    assert_eq!(unsafe { waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status >> 8, 7, "status {status:#x}");
    assert_eq!(ask(&pool, &document(11)), here(&document(11)));
    let counts = pool.counts();
    assert_eq!((counts.started, counts.died), (1, 0), "the worker is the one of before");
}

/// Not a test: a host that forks and is killed. The fork holds the stream to the worker until its input ends.
#[test]
#[ignore = "no test by itself: the test in this file runs it as a process of its own"]
fn host() {
    let pool = pool(&shipped(), 1);
    pool.check().unwrap();
    // SAFETY: the child below only reads and exits.
    if unsafe { fork() } == 0 {
        let _ = std::io::stdin().read(&mut [0]);
        // SAFETY: ends the child without running anything of the test harness.
        unsafe { _exit(0) }
    }
    loop {
        std::thread::park();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_kernel_ends_workers_whose_stream_a_fork_holds() {
    use workers::{children, wait, watch};
    let mut host = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "host", "--ignored", "--nocapture"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let family = loop {
        assert!(begun.elapsed() < Duration::from_secs(60), "the host has not forked");
        let family = children(host.id());
        if family.len() == 2 {
            break family;
        }
        std::thread::yield_now();
    };
    let name = |pid: &u32| std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap();
    let worker = family.iter().find(|pid| name(pid).starts_with("nearprint-work")).unwrap();
    let fork = family.iter().find(|pid| *pid != worker).unwrap();
    let (worker, fork) = (watch(*worker), watch(*fork));
    // Held beyond the host's death, so that the fork lives.
    let input = host.stdin.take().unwrap();
    host.kill().unwrap();
    host.wait().unwrap();
    wait(&worker, "the worker");
    drop(input);
    wait(&fork, "the fork");
}
