//! The same document gives the same text, record and error: on every run, here or in a worker, on any number of
//! threads.

mod workers;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use nearprint_extract::{ExtractError, Extraction};
use workers::{ask, here, pool, shipped};

type Outcome = Result<Extraction, ExtractError>;

/// A way from bytes to their outcome that any number of threads may go.
type Way<'a> = &'a (dyn Fn(&[u8]) -> Outcome + Sync);

/// All files below a folder, in order.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

/// All samples, all golden inputs, and damaged beginnings of them.
fn documents() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    files(&root.join("samples/documents"), &mut paths);
    let samples = paths.len();
    files(&root.join("crates/nearprint-extract/tests/cases"), &mut paths);
    assert!(samples > 50 && paths.len() > samples + 40, "samples or cases are missing");
    let mut documents = Vec::new();
    for path in paths {
        let bytes = fs::read(&path).unwrap();
        documents
            .push((format!("a half of {}", path.display()), bytes[..bytes.len() / 2].to_vec()));
        documents.push((path.display().to_string(), bytes));
    }
    documents
}

/// The outcomes of all documents, taken by `threads` threads in whatever order these come to them.
fn outcomes(
    documents: &[(String, Vec<u8>)],
    threads: usize,
    extract: Way<'_>,
) -> Vec<Option<Outcome>> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(vec![None; documents.len()]);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some((_, bytes)) = documents.get(number) else { return };
                    let outcome = extract(bytes);
                    found.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(outcome);
                }
            });
        }
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn every_sample_and_case_gives_the_same_everywhere() {
    let documents = documents();
    let first = outcomes(&documents, 1, &here);
    let texts = first.iter().filter(|outcome| matches!(outcome, Some(Ok(_)))).count();
    let warned = first.iter().flatten().flatten();
    let warned = warned.filter(|found| !found.record.warnings.is_empty()).count();
    assert!(texts > 100 && warned > 5, "{texts} texts, {warned} with warnings: too few to tell");
    let pool = pool(&shipped(), 4);
    for threads in [1, 2, 4] {
        let ways: [(&str, Way<'_>); 2] =
            [("here", &here), ("in a worker", &|bytes| ask(&pool, bytes))];
        for (way, extract) in ways {
            for run in 1..=2 {
                let found = outcomes(&documents, threads, extract);
                for (((name, _), found), first) in documents.iter().zip(&found).zip(&first) {
                    assert_eq!(found, first, "{name}, {way}, {threads} threads, run {run}");
                }
            }
        }
    }
    assert_eq!(pool.counts().died, 0);
}
