//! A thousand deaths in a row, among documents from several threads: no other document is lost, repeated or changed,
//! and no process is left over. In a file of its own, because it counts the processes of this one.
#![cfg(target_os = "linux")]

mod workers;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use workers::{ask, children, document, failure, here, hostile, order, pool};

const DEATHS: usize = 1_000;
const THREADS: usize = 4;

#[test]
fn a_thousand_deaths_lose_no_other_document() {
    let pool = pool(&hostile(), 2);
    let ways = ["abort", "exit", "panic", "half", "stack", "no such status"];
    let next = AtomicUsize::new(0);
    let answered = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= 2 * DEATHS {
                        return;
                    }
                    if index.is_multiple_of(2) {
                        failure(ask(&pool, &order(ways[index / 2 % ways.len()])));
                    } else {
                        let document = document(index / 2);
                        assert_eq!(ask(&pool, &document), here(&document), "document {index}");
                    }
                    let before = answered.lock().unwrap().insert(index, ());
                    assert_eq!(before, None, "document {index} was answered twice");
                }
            });
        }
    });
    assert_eq!(answered.into_inner().unwrap().len(), 2 * DEATHS);
    let counts = pool.counts();
    assert_eq!(counts.died, DEATHS as u64);
    let me = std::process::id();
    let alive = children(me).len() as u64;
    assert_eq!(alive, counts.started - counts.died, "workers that died are reaped");
    assert!(alive <= 2, "{alive} processes for two workers");
    drop(pool);
    assert_eq!(children(me), [0_u32; 0], "processes outlive their pool");
}
