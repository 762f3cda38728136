//! Workers whose host is gone, and hosts whose workers are. Deaths are waited for by the process's descriptor: the
//! time limit there is for a failure only.
#![cfg(target_os = "linux")]

mod workers;

use std::io::{BufRead, BufReader, Write};
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nearprint_extract::{Hints, Limits};
use rustix::process::{Signal, getpgid, getsid, kill_process};
use workers::{
    ask, children, document, here, hostile, is_in_document, order, pid, pool, wait, watch,
};

/// Not a test: the host that is killed. It hangs in the document that the variable names.
#[test]
#[ignore = "no test by itself: the tests in this file run it as a process of its own"]
fn host() {
    let Ok(way) = std::env::var("NEARPRINT_TEST_ORDER") else { return };
    let pool = pool(&hostile(), 2);
    std::thread::scope(|scope| {
        scope.spawn(|| ask(&pool, &order(&way)));
        scope.spawn(|| ask(&pool, &order(&way)));
    });
}

fn is_stopped(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| rest.starts_with(" T"))
}

#[test]
fn stopped_workers_end_with_their_host() {
    let mut host = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "host", "--ignored", "--nocapture"])
        .env("NEARPRINT_TEST_ORDER", "hang")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let orphans = loop {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "the workers have not taken their documents"
        );
        assert_eq!(host.try_wait().unwrap(), None, "the host has ended");
        let busy: Vec<u32> =
            children(host.id()).into_iter().filter(|pid| is_in_document(*pid)).collect();
        if busy.len() == 2 {
            break busy;
        }
        std::thread::yield_now();
    };
    for orphan in &orphans {
        kill_process(pid(*orphan), Signal::STOP).unwrap();
        while !is_stopped(*orphan) {
            assert!(begun.elapsed() < Duration::from_secs(60), "the workers have not stopped");
            std::thread::yield_now();
        }
    }
    let watched: Vec<OwnedFd> = orphans.iter().map(|pid| watch(*pid)).collect();
    host.kill().unwrap();
    host.wait().unwrap();
    for process in &watched {
        wait(process, "a worker");
    }
    // Read to its end so that nobody else holds it.
    drop(BufReader::new(host.stdout.take().unwrap()).lines());
}

/// A host that closes the stream and lives: nothing but the worker itself can notice.
#[test]
fn workers_notice_in_a_document_that_the_stream_is_closed() {
    let mut worker =
        Command::new(hostile()).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let head = serde_json::json!({ "hints": Hints::default(), "limits": Limits::default() });
    let (head, document) = (head.to_string(), order("hang"));
    let mut input = worker.stdin.take().unwrap();
    let mut sent = Vec::new();
    sent.extend((1_u64 << 32).to_le_bytes());
    sent.extend(120_u32.to_le_bytes());
    sent.extend(1_u64.to_le_bytes());
    sent.extend((document.len() as u64).to_le_bytes());
    sent.extend((head.len() as u32).to_le_bytes());
    sent.extend(head.as_bytes());
    sent.extend(document);
    input.write_all(&sent).unwrap();
    let begun = Instant::now();
    while !is_in_document(worker.id()) {
        assert!(begun.elapsed() < Duration::from_secs(60), "the worker has not taken the document");
        std::thread::yield_now();
    }
    drop(input);
    wait(&watch(worker.id()), "the worker");
    assert!(worker.wait().unwrap().success());
}

#[test]
fn a_worker_killed_in_its_sleep_costs_no_document() {
    // Found among the children of this process by what they were before and are after.
    let me = std::process::id();
    let before = children(me);
    let pool = pool(&hostile(), 1);
    pool.check().unwrap();
    let new: Vec<u32> = children(me).into_iter().filter(|pid| !before.contains(pid)).collect();
    let [worker] = new[..] else {
        panic!("one worker, not {new:?}: run each test in its own process")
    };
    let watched = watch(worker);
    // Nor does what is typed at the host's terminal reach it.
    assert_eq!(getpgid(Some(pid(worker))).unwrap(), pid(worker));
    assert_eq!(getsid(Some(pid(worker))).unwrap(), pid(worker));
    kill_process(pid(worker), Signal::KILL).unwrap();
    wait(&watched, "the worker");
    assert_eq!(ask(&pool, &document(3)), here(&document(3)));
    let counts = pool.counts();
    assert_eq!((counts.started, counts.died), (2, 0));
}
