//! A worker's answer is input: what no extraction says is refused, and the next document is answered.
#![cfg(unix)]

mod workers;

use std::num::NonZeroUsize;
use std::time::Duration;

use nearprint_extract::Reason;
use nearprint_worker::{Pool, PoolOptions};
use workers::{HostileWorker, ask, failure, pool};

/// A lie, and what the error must say.
const LIES: [(&str, &str); 22] = [
    ("garbage", "the answer to another request"),
    ("another's answer", "the answer to another request"),
    ("the first answer", "the answer to another request"),
    ("huge text", "1152921504606846976 bytes where at most"),
    ("text beyond its growth", "209715200 bytes where at most 134283264"),
    ("huge head", "4294967295 bytes where at most"),
    ("not utf-8", "an invalid text"),
    ("not json", "an unreadable head"),
    ("no such status", "status 7"),
    ("media type", "an unknown media type"),
    ("charset", "an unknown charset"),
    ("source", "an unknown source of a charset"),
    ("extractor", "an unknown extractor"),
    ("version", "an unknown extractor"),
    ("wrapper", "unknown compression"),
    ("characters", "a wrong number of characters"),
    ("warning", "warnings that are not one short line each"),
    ("two lines", "a detail that is not one short line"),
    ("escape", "a detail that is not one short line"),
    ("backwards", "a detail that is not one short line"),
    ("long detail", "a detail that is not one short line"),
    ("half", "code 0"),
];

#[test]
fn lies_are_refused_and_named() {
    let liar = HostileWorker::new("liar");
    let pool = pool(&liar.file, 1);
    for (index, (way, expected)) in LIES.iter().enumerate() {
        let said = failure(ask(&pool, way.as_bytes()));
        let code = if *way == "half" { "worker-died: " } else { "worker-answer: " };
        assert!(said.starts_with(code) && said.contains(expected), "{way}: {said}");
        assert!(!said.contains('\n') && said.len() <= 1024, "{way}: {said}");
        assert_eq!(pool.counts().died, index as u64 + 1);
    }
    assert_eq!(ask(&pool, b"truth").unwrap().text, "truth");
    let error = ask(&pool, b"one line").unwrap_err();
    assert_eq!((error.reason(), error.detail().len()), (Reason::Damaged, 1024));
    assert_eq!(pool.counts().started, LIES.len() as u64 + 1);
}

#[test]
fn an_answer_that_does_not_end_is_overdue() {
    let liar = HostileWorker::new("liar");
    let options = PoolOptions {
        workers: NonZeroUsize::MIN,
        wall: Duration::from_millis(150),
        ..PoolOptions::new(&liar.file)
    };
    let pool = Pool::new(options).unwrap();
    let said = failure(ask(&pool, b"slow"));
    assert!(said.starts_with("time-limit: ") && said.contains("0.15 s"), "{said}");
    assert!(pool.check().is_ok());
}
