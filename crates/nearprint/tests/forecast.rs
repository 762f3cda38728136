//! What is said of an input's documents and of the disk before the work, against what the work comes to: within twice
//! and half.

use std::io::Write;
use std::path::{Path, PathBuf};

use nearprint::fingerprint::Scheme;
use nearprint::records::{
    DocumentId, Folder, JobIdentity, PartSize, Place, ReadSettings, ReasonCode, TableFields,
};
use nearprint::tables::{TableFormat, TableWriter};
use nearprint::{
    Dedup, Engine, EngineSettings, InputFormat, InputSettings, InputSize, InputSource, JobError,
    ResumableJob, Role, Settings, TextRequest,
};

/// Documents of each input: more than a sample.
const DOCUMENTS: u64 = 6_000;

/// Bytes of memory for texts: too few, so that features and prints go to files.
const MEMORY: u64 = 300_000;

/// A text of 20 to 60 words.
fn text(number: u64) -> String {
    let words = 20 + number * 7919 % 41;
    (0..words).map(|word| format!("w{} ", (number * 131 + word * word * 17) % 9_973)).collect()
}

fn lines() -> Vec<u8> {
    let line = |number| format!("{{\"id\":{number},\"text\":\"{}\"}}\n", text(number));
    (0..DOCUMENTS).map(line).collect::<String>().into_bytes()
}

fn archive() -> Vec<u8> {
    let record = |number: u64| {
        let text = text(number);
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:n:{number}>\r\nContent-Type: text/plain\r\n\
             Content-Length: {}\r\n\r\n{text}\r\n\r\n",
            text.len()
        )
    };
    (0..DOCUMENTS).map(record).collect::<String>().into_bytes()
}

/// Rows of results, of which the details are read as texts.
fn table(format: TableFormat) -> Vec<u8> {
    let mut out =
        TableWriter::new::<nearprint::records::FingerprintRecord>(format, Scheme::SD1, Vec::new())
            .unwrap();
    for number in 0..DOCUMENTS {
        let error = nearprint::records::ErrorRecord {
            id: DocumentId::new(format!("{number}")).ok(),
            place: Place::default(),
            reason: ReasonCode::DAMAGED,
            detail: text(number).into(),
        };
        let row = nearprint::records::FingerprintRecord::of_error(error, Scheme::SD1);
        out.write(&row).unwrap();
    }
    out.finish().unwrap()
}

fn settings(content: Option<&str>) -> InputSettings {
    let fields = TableFields { text: content.map(str::to_owned), ..TableFields::default() };
    let reading = ReadSettings { fields, ..ReadSettings::default() };
    InputSettings::default().format(InputFormat::Auto).reading(reading)
}

type AnyError = Box<dyn std::error::Error>;

fn bytes_below(directory: &Path) -> u64 {
    let entries = std::fs::read_dir(directory).unwrap();
    entries.map(|entry| entry.unwrap().metadata().unwrap().len()).sum()
}

/// Asserts that what was said is what came, within a factor.
fn within(factor: f64, said: u64, came: u64, what: &str) {
    let ratio = said as f64 / came as f64;
    assert!((1.0 / factor..=factor).contains(&ratio), "{what}: said {said}, came {came}");
}

#[test]
fn what_is_said_before_is_what_comes() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| -> PathBuf {
        let path = directory.path().join(name);
        std::fs::File::create(&path).unwrap().write_all(bytes).unwrap();
        path
    };
    let half = |bytes: &[u8], end: &str| {
        let at = bytes.windows(end.len()).position(|w| w == end.as_bytes()).unwrap();
        (bytes[..at].to_vec(), bytes[at..].to_vec())
    };
    let (first, second) = half(&lines(), "{\"id\":1000,");
    let cases = [
        ("lines", vec![file("a.jsonl", &lines())], None, 1.3),
        ("two files of lines", vec![file("b.jsonl", &first), file("c.jsonl", &second)], None, 1.3),
        ("an archive", vec![file("a.warc", &archive())], None, 1.3),
        ("Parquet", vec![file("a.parquet", &table(TableFormat::Parquet))], Some("detail"), 1.0),
        ("Arrow", vec![file("a.arrow", &table(TableFormat::ArrowFile))], Some("detail"), 1.0),
    ];
    let deduplication = Dedup::default();
    let small = EngineSettings::default().memory(4 * MEMORY);
    let engine = Engine::new(small.temp(directory.path().to_owned()));
    let pipeline = engine.pipeline(Settings::default().scheme(deduplication.print_scheme()));
    for (name, paths, content, factor) in cases {
        let settings = settings(content);
        let source = || InputSource::new(&paths, settings.clone());
        let size = InputSize::of(&paths, &settings);
        let mut rows = 0;
        let said = deduplication
            .forecast(&pipeline, &mut source(), &size, |_| {
                rows += 1;
                Ok::<_, AnyError>(())
            })
            .unwrap();
        assert_eq!((said.sample, rows), (2_000, 2_000), "{name}");
        within(factor, said.documents, DOCUMENTS, name);

        let place = directory.path().join("job");
        let folder = Folder::open(&place).unwrap();
        let identity = JobIdentity::new(name);
        let mut job = ResumableJob::open(folder, &identity, PartSize::default()).unwrap();
        let wanted = deduplication.wanted();
        job.read(&pipeline, &mut source(), Role::Candidate, &wanted).unwrap();
        job.finish().unwrap();
        within(2.0, said.job, bytes_below(&place), &format!("{name}, job"));

        let mut gathered = deduplication.gather(&engine).unwrap();
        job.for_each(|done| {
            gathered.push(&done.record, done.features.as_ref(), done.role, done.arrival)?;
            Ok::<_, AnyError>(())
        })
        .unwrap();
        assert!(gathered.temporary_bytes() > 2_000_000, "{name}");
        within(2.0, said.temporary, gathered.temporary_bytes(), &format!("{name}, files"));
        job.remove().unwrap().close().unwrap();

        let prints = Engine::default().pipeline(Settings::default());
        let said = prints.forecast(&mut source(), &size, |_| Ok::<_, JobError>(())).unwrap();
        within(factor, said.documents, DOCUMENTS, name);
        let folder = Folder::open(&place).unwrap();
        let mut job = ResumableJob::open(folder, &identity, PartSize::default()).unwrap();
        job.read(&prints, &mut source(), Role::Candidate, &TextRequest::default()).unwrap();
        job.finish().unwrap();
        within(2.0, said.job, bytes_below(&place), &format!("{name}, job of prints"));
        job.remove().unwrap().close().unwrap();
    }
}

#[test]
fn what_is_all_read_is_counted() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.jsonl");
    std::fs::write(&path, &lines()[..40_000]).unwrap();
    let settings = settings(None);
    let size = InputSize::of([&path], &settings);
    let mut source = InputSource::new([&path], settings);
    let pipeline = Engine::default().pipeline(Settings::default());
    let mut records = 0;
    let said = pipeline
        .forecast(&mut source, &size, |_| {
            records += 1;
            Ok::<_, JobError>(())
        })
        .unwrap();
    assert!(records > 100 && said.sample == records && said.documents == records);
}
