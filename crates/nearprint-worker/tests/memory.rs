//! All workers together stay within a total: each has its share, and what needs more has its turn alone.
#![cfg(target_os = "linux")]

mod workers;

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use nearprint_worker::{Pool, PoolOptions};
use rustix::process::{Signal, kill_process};
use workers::{ask, children, document, failure, here, hostile, is_in_document, order, pid};

const USUAL: u64 = 256 << 20;
const ALL: u64 = 768 << 20;

fn shared(workers: usize) -> Pool {
    Pool::new(PoolOptions {
        workers: NonZeroUsize::new(workers).expect("workers"),
        memory_bytes: ALL,
        usual_memory_bytes: USUAL,
        ..PoolOptions::new(hostile())
    })
    .expect("a pool")
}

/// The children that may have so much memory.
fn with_memory(bytes: u64) -> Vec<u32> {
    let limit = bytes.to_string();
    let has = |pid: &u32| {
        let limits = std::fs::read_to_string(format!("/proc/{pid}/limits")).unwrap_or_default();
        limits
            .lines()
            .filter(|line| line.starts_with("Max address space"))
            .any(|line| line.split_whitespace().any(|field| field == limit))
    };
    children(std::process::id()).into_iter().filter(has).collect()
}

#[test]
fn what_needs_more_than_a_share_is_read_with_all_of_it() {
    let pool = shared(2);
    let needy = [b"need 300 MiB, ", &document(0)[..]].concat();
    assert_eq!(ask(&pool, &needy), here(&document(0)));
    let counts = pool.counts();
    assert_eq!((counts.started, counts.died, counts.large), (2, 1, 1));
    // What is long is not tried among others first.
    let mut long = needy;
    long.resize(USUAL as usize / 8 + 1, b' ');
    assert!(ask(&pool, &long).is_ok());
    let counts = pool.counts();
    assert_eq!((counts.died, counts.large), (1, 2));
    // What needs more than all is an error that names all.
    let said = failure(ask(&pool, &order("memory")));
    assert!(said.starts_with("memory-limit: ") && said.contains(&ALL.to_string()), "{said}");
    // A worker that dies otherwise is not asked again.
    failure(ask(&pool, &order("abort")));
    assert_eq!(pool.counts().large, 3);
}

/// One killer, sent by four threads at once, never has all of the memory more than once.
#[test]
fn a_killer_is_not_given_to_several_workers_at_once() {
    let pool = shared(4);
    let killer = b"need 300 MiB, die: hang";
    let begun = Instant::now();
    let wait = |what: &str, is_so: &dyn Fn() -> bool| {
        while !is_so() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
            assert!(with_memory(ALL).len() <= 1, "two workers have all of the memory");
            assert!(with_memory(USUAL).len() <= 4, "more workers than there may be");
            std::thread::yield_now();
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| failure(ask(&pool, killer)));
        }
        wait("four have died of their share", &|| pool.counts().died >= 4);
        for turn in 1..=4 {
            wait("one has its turn", &|| pool.counts().large == turn);
            let alone =
                || with_memory(ALL).first().copied().filter(|worker| is_in_document(*worker));
            wait("its worker has taken it", &|| alone().is_some());
            let alone = alone().expect("it hangs");
            kill_process(pid(alone), Signal::KILL).expect("it hangs");
            wait("it is gone", &|| pool.counts().died == 4 + turn);
        }
    });
}
