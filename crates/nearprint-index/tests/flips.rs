//! One flipped bit of the store is an error, changes no answer, or is found by `verify`: it never ends the process, and
//! the user reads no panic of the database. Alone in its program, as it looks at what panics print.
//!
//! NEARPRINT_INDEX_FLIPS is how many bits of each index are flipped, all of those of its used pages where there are no
//! more. NEARPRINT_INDEX_SHARD, such as `3/16`, is a part of them: parts can be run at several times, and added up.

mod support;

use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

use nearprint::fingerprint::Scheme;
use nearprint::records::DocumentId;
use nearprint::{Documents, Error, Index, IndexMatch, OnDuplicate};
use nearprint_index::DiskIndex;
use support::load::Load;

/// Flips that are tried of an index by default: some seconds' work.
const FLIPS: usize = 1000;

/// Answers to some queries by everything that reads the store: what is near some fingerprints, all ids, and some
/// documents with all their parts.
type Answers = (Vec<Vec<IndexMatch>>, Vec<DocumentId>, Vec<String>);

fn answers(path: &Path) -> Result<Answers, Error> {
    let index = DiskIndex::open_read_only(path, support::small())?;
    let asked = [5, 7, 50, 149].map(|number| support::print_of(index.scheme(), number));
    let mut near = index.query_batch(&asked, 3)?;
    near.extend(index.query_batch(&asked, 128)?);
    let parts = index.parts();
    let documents = (0..12).map(|number| index.get(&support::id(number * 16), &parts));
    let documents: Result<Vec<_>, Error> = documents.collect();
    let documents = documents?.iter().map(|document| format!("{document:?}")).collect();
    let mut ids = Vec::new();
    index.for_each(|document| {
        ids.push(document.id);
        Ok::<_, Error>(())
    })?;
    Ok((near, ids, documents))
}

#[test]
fn a_flipped_bit_of_fingerprints_gives_an_error_or_is_found() {
    flip_bits("sd1", |path| support::filled_with(path, Scheme::SD1, 200));
}

#[test]
fn a_flipped_bit_of_sketches_gives_an_error_or_is_found() {
    flip_bits("md1", |path| support::filled_with(path, Scheme::MD1, 200));
}

#[test]
fn a_flipped_bit_of_all_parts_gives_an_error_or_is_found() {
    flip_bits("all parts", |path| {
        let settings = support::small().features(true).texts(true);
        let index = DiskIndex::create(path, Scheme::MD1, settings).expect("a new index");
        let load = Load::of(&index);
        let documents: Vec<_> = (0..200).map(|number| load.document(number, 1)).collect();
        for documents in documents.chunks(7) {
            index.insert_documents(documents, OnDuplicate::Refuse).expect("new ids");
        }
        index
    });
}

/// Panics that were printed in this process, by whichever test.
fn printed() -> u64 {
    static PRINTED: AtomicU64 = AtomicU64::new(0);
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            PRINTED.fetch_add(1, Ordering::Relaxed);
            usual(panic);
        }));
    });
    PRINTED.load(Ordering::Relaxed)
}

/// The part of the flips that is tried: its number, and how many there are.
fn shard() -> (usize, usize) {
    let Ok(shard) = std::env::var("NEARPRINT_INDEX_SHARD") else { return (0, 1) };
    let parts = shard.split_once('/').expect("a number, `/`, and how many parts there are");
    let number = |text: &str| text.parse().expect("a number");
    (number(parts.0), number(parts.1))
}

fn flip_bits(name: &str, filled: impl Fn(&Path) -> DiskIndex) {
    let printed_before = printed();
    let directory = support::directory();
    let path = directory.path().join("index");
    let index = filled(&path);
    index.remove_batch(&[support::id(3), support::id(199)]).expect("an index");
    drop(index);
    // Nothing is left of earlier states, so that most bytes are in use.
    DiskIndex::compact(&path, support::small()).expect("a whole index");
    let index = support::open(&path);
    index.remove(&support::id(4)).expect("an index");
    drop(index);
    let expected = answers(&path).expect("a whole index");
    let file = path.join("store.redb");
    let bytes = std::fs::read(&file).expect("a file");
    let pages =
        bytes.chunks(4096).enumerate().filter(|(_, page)| page.iter().any(|&byte| byte != 0));
    let used: Vec<usize> = pages
        .flat_map(|(number, page)| (0..page.len()).map(move |at| number * 4096 + at))
        .collect();
    let flips = std::env::var("NEARPRINT_INDEX_FLIPS").ok();
    let flips = flips.map_or(FLIPS, |flips| flips.parse().expect("a number"));
    // Odd, so that every bit of a byte has its turn.
    let step = (8 * used.len()).div_ceil(flips) | 1;
    let open = std::fs::OpenOptions::new().write(true).open(&file).expect("a file");
    let (part, parts) = shard();
    let (mut tried, mut errors, mut wrong) = (0, 0, 0);
    let bits = (0..8 * used.len()).step_by(step).skip(part).step_by(parts);
    for (at, bit) in bits.map(|bit| (used[bit / 8], bit % 8)) {
        tried += 1;
        let hurt = bytes[at] ^ 1 << bit;
        open.write_all_at(&[hurt], at as u64).expect("a byte");
        match answers(&path) {
            Ok(found) if found != expected => {
                wrong += 1;
                let verified = DiskIndex::verify(&path, support::small());
                let is_missed = verified.is_ok_and(|verified| verified.problems.is_empty());
                assert!(!is_missed, "{name}: byte {at}, bit {bit}: a wrong answer");
            }
            Ok(_) => {}
            Err(error) => {
                errors += 1;
                assert!(error.to_string().contains("index"), "byte {at}: {error}");
            }
        }
        open.write_all_at(&[bytes[at]], at as u64).expect("a byte");
    }
    let pages = used.len() / 4096;
    println!(
        "{name}: of {tried} flips in {pages} pages {errors} are errors, {wrong} wrong answers that verify finds"
    );
    assert!(errors > 0, "some bytes are in use");
    assert_eq!(answers(&path).expect("as it was"), expected);
    assert_eq!(printed(), printed_before, "the user reads errors, not panics");
}
