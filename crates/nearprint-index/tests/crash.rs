//! kill -9 at any moment: everything acknowledged is there, and nothing that was not begun.

mod support;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::DocumentId;
use nearprint::{Index, IndexMatch, OnDuplicate};
use nearprint_index::{DiskIndex, Settings};

/// Where the child process finds its index, and the number of its first operation.
const INDEX: &str = "NEARPRINT_CRASH_INDEX";
const FIRST: &str = "NEARPRINT_CRASH_FIRST";

type Model = BTreeMap<DocumentId, Fingerprint>;

/// One operation of the mixed load, the same for the same number.
enum Operation {
    Insert(Vec<(DocumentId, Fingerprint)>),
    Remove(DocumentId),
}

fn operation(number: u64) -> Operation {
    let mix = |n: u64| (n ^ number << 8).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 17;
    match mix(1) % 5 {
        0 => Operation::Remove(support::id(mix(2) % 300)),
        1 => Operation::Insert(
            (0..mix(3) % 40)
                .map(|n| (support::id(mix(n + 10) % 300), support::print(mix(n + 90))))
                .collect(),
        ),
        _ => Operation::Insert(vec![(support::id(mix(4) % 300), support::print(mix(5)))]),
    }
}

impl Operation {
    fn on_model(self, model: &mut Model) {
        match self {
            Self::Insert(documents) => model.extend(documents),
            Self::Remove(id) => drop(model.remove(&id)),
        }
    }

    fn on_index(self, index: &DiskIndex) {
        match self {
            Self::Insert(documents) => {
                index.insert_batch(&documents, OnDuplicate::Replace).expect("an index");
            }
            Self::Remove(id) => {
                index.remove(&id).expect("an index");
            }
        }
    }
}

fn settings() -> Settings {
    support::small().fresh(16).background(true)
}

/// Not a test of its own: the process that is killed. It acknowledges each operation by a line.
#[test]
fn child() {
    let Some(path) = std::env::var_os(INDEX) else { return };
    let first: u64 = std::env::var(FIRST).expect("a number").parse().expect("a number");
    let index = DiskIndex::open(Path::new(&path), settings()).expect("an index");
    let mut out = std::io::stdout();
    for number in first.. {
        operation(number).on_index(&index);
        if writeln!(out, "\nacknowledged {number}").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

fn content(index: &DiskIndex) -> Model {
    let mut model = Model::new();
    index
        .for_each(|document| {
            model.insert(document.id, document.fingerprint);
            Ok::<_, nearprint::Error>(())
        })
        .expect("an index");
    model
}

fn compare_queries(index: &DiskIndex, model: &Model) {
    for number in 0..40 {
        let asked = support::print(number + 5000);
        let near = model.iter().filter_map(|(id, print)| {
            let distance = asked.distance(print).expect("one scheme");
            (distance <= 3).then(|| IndexMatch { id: id.clone(), distance })
        });
        let mut expected: Vec<_> = near.collect();
        expected.sort_by_key(|near| near.distance);
        assert_eq!(index.query(&asked, 3).expect("an index"), expected);
    }
}

#[test]
fn nothing_acknowledged_is_lost_when_the_process_is_killed() {
    let kills: u64 =
        std::env::var("NEARPRINT_INDEX_KILLS").map_or(20, |n| n.parse().expect("a number"));
    let directory = support::directory();
    let path = directory.path().join("index");
    drop(DiskIndex::create(&path, Scheme::SD1, settings()).expect("a new index"));
    let (mut model, mut next) = (Model::new(), 0);
    for kill in 0..kills {
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["child", "--exact", "--nocapture"])
            .env(INDEX, &path)
            .env(FIRST, next.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program again");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        // Killed after some acknowledgements, at whatever the process does just then.
        let wanted = 1 + (kill * 7919) % 40;
        let lines = output.lines().map_while(Result::ok);
        let mut acknowledged = 0;
        for line in lines {
            if let Some(number) = line.strip_prefix("acknowledged ") {
                assert_eq!(number, next.to_string());
                operation(next).on_model(&mut model);
                next += 1;
                acknowledged += 1;
                if acknowledged == wanted {
                    child.kill().expect("it runs");
                }
            }
        }
        child.wait().expect("it ended");
        assert!(acknowledged >= wanted, "the child ended by itself");
        // Who comes first may want to read only.
        let index = match kill % 2 {
            0 => DiskIndex::open(&path, settings()).expect("an index"),
            _ => DiskIndex::open_read_only(&path, settings()).expect("an index"),
        };
        let found = content(&index);
        if found != model {
            // The operation under way may have been done without its acknowledgement.
            operation(next).on_model(&mut model);
            next += 1;
            assert!(found == model, "kill {kill}: {} documents, not {}", found.len(), model.len());
        }
        compare_queries(&index, &model);
        drop(index);
        let verified = DiskIndex::verify(&path, settings()).expect("an index");
        assert!(verified.problems.is_empty(), "kill {kill}: {:?}", verified.problems);
    }
}
