//! Every door gives the same answers: the library and the command read the samples, and digests of their results are
//! equal to those of `samples/digests.json`, which other doors are compared with too.
//!
//! Canonical form: the rows as JSON lines as the command writes them, sorted by their bytes; the digest is the SHA-256
//! of these lines, each with its line end: `LC_ALL=C sort | sha256sum`. Both read `../../samples/documents` from a
//! folder two levels below the root, since ids are paths as they were named.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use nearprint::fingerprint::Scheme;
use nearprint::records::{Format, Row, RowWriter};
use nearprint::search::{Linkage, Measure};
use nearprint::worker::Isolation;
use nearprint::{
    Candidates, Collection, Dedup, Engine, EngineSettings, Error, InputSettings, InputSource, Role,
    Settings, Verification,
};
use sha2::{Digest, Sha256};

const DOCUMENTS: [&str; 2] = ["../../samples/documents", "../../samples/damaged"];

type Lines = BTreeMap<&'static str, Vec<Vec<u8>>>;

/// The digest of lines in the canonical form.
fn digest(mut lines: Vec<Vec<u8>>) -> String {
    lines.sort();
    let mut digest = Sha256::new();
    lines.iter().for_each(|line| digest.update(line));
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn line<R: Row>(row: &R) -> Vec<u8> {
    let mut line = Vec::new();
    RowWriter::new(Format::Jsonl, &mut line).write(row).unwrap();
    line
}

/// The command's lines.
fn by_command() -> Lines {
    let verbs = [
        ("fingerprints", &["fingerprint"][..]),
        ("pairs", &["pairs"]),
        ("clusters", &["clusters"]),
        ("decisions", &["dedup"]),
    ];
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_nearprint"))
            .args(arguments)
            .args(["-qq", "--format", "jsonl"])
            .args(DOCUMENTS)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        // One file is damaged, and the exit code says so.
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        output.stdout.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    let mut lines: Lines =
        verbs.into_iter().map(|(name, arguments)| (name, run(arguments))).collect();
    // What is compared as fingerprints alone is written as such first.
    let folder = tempfile::tempdir().unwrap();
    let prints = folder.path().join("prints");
    run(&["fingerprint", "--scheme", "sl1", "--output", prints.to_str().unwrap()]);
    let output = Command::new(env!("CARGO_BIN_EXE_nearprint"))
        .args(["prints", "pairs", "-k", "6", "-qq", "--format", "jsonl"])
        .arg(prints)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let found = output.stdout.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec);
    lines.insert("pairs of fingerprints", found.collect());
    lines
}

/// The documents, read by the library.
fn read(
    engine: &Engine,
    settings: impl Into<nearprint::CollectionSettings>,
    records: &mut Vec<Vec<u8>>,
) -> Collection {
    let mut collection = engine.collection(settings);
    let scheme = collection.settings().scheme;
    let pipeline = engine.pipeline(Settings::default().scheme(scheme));
    let mut source = InputSource::new(DOCUMENTS.map(Path::new), InputSettings::default());
    collection
        .read(&pipeline, &mut source, |record| {
            records.push(line(record));
            Ok::<_, Error>(())
        })
        .unwrap();
    collection
}

/// The library's lines. It extracts in this process, the command in workers: that changes nothing.
fn by_library() -> Result<Lines, Error> {
    let engine = Engine::new(EngineSettings::default().isolation(Isolation::Never));
    let mut lines = Lines::new();
    let mut keep = |name, found| lines.insert(name, found);

    let mut prints = Vec::new();
    read(&engine, Scheme::SD1, &mut prints);
    keep("fingerprints", prints);

    let candidates = Candidates::of(Verification::new(Measure::Jaccard));
    let verified = read(&engine, candidates, &mut Vec::new());
    let search = verified.search(candidates.search());
    let mut pairs = Vec::new();
    verified.pairs(&search, None, |pair| {
        pairs.push(line(&pair));
        Ok::<_, Error>(())
    })?;
    keep("pairs", pairs);
    let clusters = verified.clusters(&search, Linkage::Components)?;
    keep("clusters", clusters.rows.iter().map(line).collect());

    let unverified = read(&engine, Scheme::SL1, &mut Vec::new());
    let search = unverified.search(engine.search(6));
    let mut pairs = Vec::new();
    unverified.pairs(&search, None, |pair| {
        pairs.push(line(&pair));
        Ok::<_, Error>(())
    })?;
    keep("pairs of fingerprints", pairs);

    let deduplication = Dedup::default();
    let mut gathered = deduplication.gather(&engine)?;
    let scheme = deduplication.print_scheme();
    let pipeline = engine.pipeline(Settings::default().scheme(scheme));
    let mut source = InputSource::new(DOCUMENTS.map(Path::new), InputSettings::default());
    pipeline.read(&mut source, &deduplication.wanted(), |record, made, arrival| {
        let features = made.and_then(|made| made.features);
        gathered.push(&record, features.as_ref(), Role::Candidate, arrival)
    })?;
    let search = gathered.search(deduplication.search());
    let decisions = deduplication.decide(&mut gathered, search)?;
    let mut rows = Vec::new();
    decisions.for_each(&mut gathered, |row| {
        rows.push(line(&row));
        Ok::<_, Error>(())
    })?;
    keep("decisions", rows);
    Ok(lines)
}

#[test]
fn library_and_command_give_the_same_results() {
    let (library, command) = (by_library().unwrap(), by_command());
    for (name, lines) in &command {
        let text = |lines: &[Vec<u8>]| {
            let mut lines: Vec<_> =
                lines.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect();
            lines.sort();
            lines
        };
        assert!(!lines.is_empty(), "{name}");
        assert_eq!(text(&library[name]), text(lines), "{name}");
    }
    let digests: BTreeMap<_, _> =
        command.into_iter().map(|(name, lines)| (name.to_owned(), digest(lines))).collect();
    let file: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/digests.json");
    if std::env::var_os("NEARPRINT_UPDATE_CASES").is_some() {
        let text = serde_json::to_string_pretty(&digests).unwrap();
        std::fs::write(&file, text + "\n").unwrap();
    }
    let stated: BTreeMap<String, String> =
        serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(
        digests, stated,
        "NEARPRINT_UPDATE_CASES=1 writes what is found, once the difference is understood"
    );
}
