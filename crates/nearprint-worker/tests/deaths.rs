//! Every way to die gives its own clear error, and the next document is answered as if nothing had happened.
#![cfg(unix)]

mod workers;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nearprint_extract::{Hints, Limits};
use nearprint_worker::{Pool, PoolOptions, StopSignal};
use workers::{ask, document, failure, here, hostile, order, pool};

/// A document, and what the error must say.
const DEATHS: [(&str, &[&str]); 8] = [
    ("abort", &["worker-died: ", "SIGABRT"]),
    (
        "panic",
        &["worker-died: ", "code 101", "panicked at hostile_worker.rs:", "a parser's mistake"],
    ),
    ("stack", &["worker-died: ", "SIGABRT", "overflowed its stack"]),
    ("memory", &["memory-limit: ", "268435456 bytes", "memory_bytes"]),
    ("memory, quietly", &["memory-limit: "]),
    ("exit", &["worker-died: ", "code 0"]),
    ("print", &["worker-died: ", "code 101", "message: panicked at", "printed"]),
    ("complain", &["worker-died: ", "code 101", "message: a library that complains"]),
];

fn limited(wall: Duration, cpu_seconds: u32) -> Pool {
    Pool::new(PoolOptions {
        workers: NonZeroUsize::MIN,
        memory_bytes: 256 << 20,
        cpu_seconds,
        wall,
        ..PoolOptions::new(hostile())
    })
    .unwrap()
}

#[test]
fn each_death_is_told_apart() {
    let pool = limited(Duration::from_secs(600), 120);
    for (index, (way, expected)) in DEATHS.iter().enumerate() {
        let said = failure(ask(&pool, &order(way)));
        for part in *expected {
            assert!(said.contains(part), "{way}: no {part:?} in {said:?}");
        }
        assert!(said.starts_with(expected[0]), "{way}: {said}");
        assert!(!said.contains('\n'), "{way}: {said}");
        assert!(said.len() < 3_000, "{way}: {} bytes", said.len());
        assert_eq!(pool.counts().died, index as u64 + 1);
    }
    assert_eq!(ask(&pool, &document(3)), here(&document(3)));
    assert_eq!(pool.counts().started, DEATHS.len() as u64 + 1);
}

#[test]
fn time_by_the_clock() {
    let pool = limited(Duration::from_millis(150), 120);
    let said = failure(ask(&pool, &order("clock")));
    assert!(said.starts_with("time-limit: ") && said.contains("0.15 s"), "{said}");
    // Who is quick is not overdue because the one before was.
    assert!(pool.check().is_ok());
}

#[test]
fn a_document_that_is_not_wanted_any_more_ends() {
    // Without the signal it would end after ten minutes.
    let pool = limited(Duration::from_secs(600), 120);
    let given = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&given);
    let stop = StopSignal::new(move || asked.load(Ordering::Relaxed));
    let (hints, limits) = (Hints::default(), Limits::default());
    let page = pool.extract_until(&document(3), &hints, &limits, Some(&stop)).unwrap();
    assert_eq!(page, here(&document(3)));
    std::thread::scope(|scope| {
        let parked =
            scope.spawn(|| pool.extract_until(&order("clock"), &hints, &limits, Some(&stop)));
        given.store(true, Ordering::Relaxed);
        let said = failure(parked.join().unwrap().unwrap());
        assert!(said.starts_with("time-limit: "), "{said}");
    });
    // Nothing is sent again, and other calls go on.
    assert_eq!(pool.counts().died, 1);
    assert_eq!(ask(&pool, &document(4)), here(&document(4)));
}

#[test]
fn time_of_the_processor() {
    let pool = limited(Duration::from_secs(600), 0);
    let said = failure(ask(&pool, &order("cpu")));
    assert!(said.starts_with("time-limit: ") && said.contains("CPU time"), "{said}");
    // Used by one document, it is not missing for the next.
    for index in 0..8 {
        assert_eq!(ask(&pool, &document(index)), here(&document(index)));
    }
}

#[test]
fn workers_see_no_environment() {
    assert!(std::env::var_os("PATH").is_some(), "there is something to be seen");
    let said = failure(ask(&pool(&hostile(), 1), &order("environment")));
    assert!(said.contains("variables: [\"MALLOC_ARENA_MAX\"]"), "{said}");
}

#[test]
fn a_document_larger_than_the_memory_is_told() {
    let pool = limited(Duration::from_secs(600), 120);
    let document = vec![b'a'; 300 << 20];
    let said = failure(ask(&pool, &document));
    assert!(said.starts_with("memory-limit: "), "{said}");
    // Offered once: it was the document and not chance.
    assert_eq!(pool.counts().started, 1);
}
