//! kill -9 at any moment: everything acknowledged is there, and nothing that was not begun.

mod support;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use nearprint::OnDuplicate;
use nearprint::fingerprint::Scheme;
use nearprint_index::{DiskIndex, Settings};
use support::load::{Load, Model};

/// Where the child process finds its index, and the number of its first operation.
const INDEX: &str = "NEARPRINT_CRASH_INDEX";
const FIRST: &str = "NEARPRINT_CRASH_FIRST";

fn number_of(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |given| given.parse().expect("a number"))
}

fn settings() -> Settings {
    support::small().fresh(16).background(true).features(true).texts(true)
}

/// Not a test of its own: the process that is killed. It acknowledges each operation by a line.
#[test]
fn child() {
    let Some(path) = std::env::var_os(INDEX) else { return };
    let first: u64 = std::env::var(FIRST).expect("a number").parse().expect("a number");
    let index = DiskIndex::open(Path::new(&path), settings()).expect("an index");
    let load = Load::of(&index);
    let mut out = std::io::stdout();
    for number in first.. {
        load.operation(number).on_index(&index);
        if writeln!(out, "\nacknowledged {number}").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

/// An index with documents that no operation touches, as NEARPRINT_INDEX_DOCUMENTS says, and the model of it.
fn loaded(path: &Path, scheme: Scheme) -> (Load, Model) {
    let index = DiskIndex::create(path, scheme, settings()).expect("a new index");
    let (load, mut model) = (Load::of(&index), Model::default());
    let numbers: Vec<u64> = (0..number_of("NEARPRINT_INDEX_DOCUMENTS", 100)).collect();
    for numbers in numbers.chunks(10_000) {
        let documents = numbers.iter().map(|number| load.document(1_000_000 + number, *number));
        let documents: Vec<_> = documents.collect();
        index.insert_documents(&documents, OnDuplicate::Refuse).expect("new ids");
        documents.iter().for_each(|document| model.put(document));
    }
    (load, model)
}

#[test]
fn nothing_acknowledged_is_lost_when_the_process_is_killed() {
    support::SCHEMES.into_iter().for_each(check);
}

fn check(scheme: Scheme) {
    let directory = support::directory();
    let path = directory.path().join("index");
    let (load, mut model) = loaded(&path, scheme);
    let (mut next, mut opened) = (0, Vec::new());
    for kill in 0..number_of("NEARPRINT_INDEX_KILLS", 20) {
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
                load.operation(next).on_model(&mut model);
                next += 1;
                acknowledged += 1;
                if acknowledged == wanted {
                    child.kill().expect("it runs");
                }
            }
        }
        child.wait().expect("it ended");
        assert!(acknowledged >= wanted, "the child ended by itself");
        let before = Instant::now();
        // Who comes first may want to read only.
        let index = match kill % 2 {
            0 => DiskIndex::open(&path, settings()).expect("an index"),
            _ => DiskIndex::open_read_only(&path, settings()).expect("an index"),
        };
        opened.push(before.elapsed());
        if !model.is_content_of(&index) {
            // The operation under way may have been done without its acknowledgement.
            load.operation(next).on_model(&mut model);
            next += 1;
            assert!(model.is_content_of(&index), "kill {kill}: not what was acknowledged");
        }
        model.compare(&index, kill);
        drop(index);
        let verified = DiskIndex::verify(&path, settings()).expect("an index");
        assert!(verified.problems.is_empty(), "kill {kill}: {:?}", verified.problems);
    }
    opened.sort_unstable();
    let (middle, last) = (opened[opened.len() / 2], opened[opened.len() - 1]);
    println!("opened after each of {} kills: median {middle:.1?}, most {last:.1?}", opened.len());
}
