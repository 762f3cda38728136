//! One engine, many callers: each has its own documents, its own cancel flag and its own progress, and its own right
//! results.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};

use nearprint::fingerprint::{Fingerprint, Scheme, fingerprint};
use nearprint::records::{Document, DocumentId, ErrorRecord, FingerprintRecord};
use nearprint::{CancelFlag, Engine, EngineSettings, PrintSet, Settings};

const CALLERS: u64 = 32;
const DOCUMENTS: u64 = 60;

fn text(caller: u64, number: u64) -> String {
    format!(
        "<p>Caller {caller} hands in page {number}, which is about the fog of the year {}.",
        caller * number
    )
}

fn id(number: u64) -> DocumentId {
    DocumentId::new(number.to_string()).expect("a number is an id")
}

fn documents(caller: u64) -> impl Iterator<Item = Result<Document, ErrorRecord>> + Send {
    (0..DOCUMENTS).map(move |number| Ok(Document::from_bytes(id(number), text(caller, number))))
}

/// Fingerprints one caller's documents; cancels after `most` where it is given.
fn call(engine: &Engine, caller: u64, most: Option<u64>) -> (Vec<FingerprintRecord>, bool) {
    let (flag, seen) = (CancelFlag::new(), AtomicU64::new(0));
    let pipeline = engine.pipeline(Settings::default()).cancelled_by(&flag).watched_by(|tally| {
        seen.store(tally.documents, Ordering::Relaxed);
        if Some(tally.documents) == most {
            flag.cancel();
        }
    });
    let mut records = Vec::new();
    let tally = pipeline
        .fingerprint(&mut documents(caller), |record| {
            records.push(record);
            Ok::<_, Infallible>(())
        })
        .unwrap_or_else(|never| match never {});
    assert_eq!(seen.load(Ordering::Relaxed), records.len() as u64);
    (records, tally.cancelled)
}

#[test]
fn thirty_two_threads_share_one_engine_and_cancel_only_themselves() {
    let threads = NonZeroUsize::new(2);
    let engine = Engine::new(EngineSettings::default().threads(threads));
    let start = Barrier::new(CALLERS as usize);
    std::thread::scope(|scope| {
        for caller in 0..CALLERS {
            let (engine, start) = (engine.clone(), &start);
            scope.spawn(move || {
                start.wait();
                let most = (caller % 3 == 0).then_some(1 + caller % 7);
                let (records, cancelled) = call(&engine, caller, most);
                assert_eq!(cancelled, most.is_some());
                assert_eq!(records.len() as u64, most.unwrap_or(DOCUMENTS));
                let mut set = PrintSet::new(Scheme::SD1);
                for (number, record) in (0..).zip(&records) {
                    let page = text(caller, number);
                    let alone = fingerprint(Scheme::SD1, &page["<p>".len()..]);
                    assert_eq!(record.outcome.fingerprint(), alone.fingerprint());
                    set.push(&record.id, record.outcome.fingerprint().expect("it has words"))
                        .unwrap();
                }
                let print = set.fingerprint(0).expect("it is not empty");
                let found = engine.search(0).matches(&set, &id(0), &print).unwrap();
                assert_eq!(found.len(), equal_to(&records, &print));
            });
        }
    });
}

fn equal_to(records: &[FingerprintRecord], print: &Fingerprint) -> usize {
    records.iter().filter(|record| record.outcome.fingerprint() == Some(print)).count()
}
