//! Bad rows are bounded: beyond their limit those of one input are one record, the same for any number of threads and
//! after a job was resumed.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use nearprint::extract::Limits;
use nearprint::records::{
    FingerprintRecord, Folder, JobIdentity, Outcome, PartSize, PartsError, ReasonCode,
};
use nearprint::{
    Engine, EngineSettings, InputSettings, InputSource, JobError, ResumableJob, Role, Settings,
    TextRequest,
};

/// Two files of lines, the first with more bad ones than are listed, some of them after good ones, and one with fewer.
fn files(folder: &Path) -> [PathBuf; 2] {
    let mut long = String::from("{\"id\":\"a\",\"text\":\"fog over the harbour\"}\n");
    for number in 0..2_000 {
        long += if number % 300 == 299 { "{\"text\":\"rain on the hills\"}\n" } else { "[\n" };
    }
    let short = "{\"text\":\"fog\"}\n[\n[\n{\"text\":\"rain\"}\n";
    let paths = ["long.jsonl", "short.jsonl"].map(|name| folder.join(name));
    std::fs::write(&paths[0], long).unwrap();
    std::fs::write(&paths[1], short).unwrap();
    paths
}

fn settings(limit: u64) -> Settings {
    Settings::default().limits(Limits { max_bad_records: limit, ..Limits::default() })
}

fn engine(threads: usize) -> Engine {
    Engine::new(EngineSettings::default().threads(NonZeroUsize::new(threads)))
}

fn shown(record: &FingerprintRecord) -> String {
    let detail = match &record.outcome {
        Outcome::Nothing { reason, detail, .. } => format!("{reason} {detail}"),
        Outcome::Print { .. } => String::new(),
    };
    format!("{} {detail}", record.place)
}

fn read(paths: &[PathBuf], threads: usize, limit: u64) -> Vec<String> {
    let mut source = InputSource::new(paths, InputSettings::default());
    let mut found = Vec::new();
    let pipeline = engine(threads).pipeline(settings(limit));
    let tally = pipeline
        .fingerprint(&mut source, |record| {
            found.push(shown(&record));
            Ok::<_, std::convert::Infallible>(())
        })
        .unwrap();
    assert_eq!(tally.documents, found.len() as u64);
    found
}

#[test]
fn bad_rows_beyond_their_limit_are_one_record() {
    let folder = tempfile::tempdir().unwrap();
    let paths = files(folder.path());
    let all = read(&paths, 1, 10_000);
    assert_eq!(all.len(), 2_001 + 4);
    let few = read(&paths, 1, 100);
    // One good row, 100 bad ones, six good ones after them, the rest, and the four lines of the other file.
    assert_eq!(few.len(), 1 + 100 + 6 + 1 + 4);
    let rest = &few[1 + 100 + 6];
    let line = all.iter().filter(|line| line.contains("bad-line")).nth(100).unwrap();
    let place = line.split(' ').next().unwrap();
    assert!(rest.starts_with(place), "{rest} {place}");
    assert!(
        rest.contains("1894 more records of this input are bad, the first at line 102, byte 241"),
        "{rest}"
    );
    assert_eq!(few[..101], all[..101]);
    assert_eq!(few[108..], all[2_001..]);
    for threads in [2, 5] {
        assert_eq!(read(&paths, threads, 100), few, "{threads}");
    }
}

#[test]
fn resumed_jobs_leave_out_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let paths = files(folder.path());
    let wanted = read(&paths, 1, 100);
    let pipeline = engine(1).pipeline(settings(100));
    let identity = JobIdentity::new("bad records");
    for stop in [1, 3, 50, 101, 102, 104, 107, 108, 109, 111] {
        let job_folder = folder.path().join(format!("job-{stop}"));
        let open = || {
            let storage = Folder::open(&job_folder).map_err(PartsError::from).unwrap();
            let size = PartSize { records: 1, bytes: 1 << 20 };
            ResumableJob::open(storage, &identity, size).unwrap()
        };
        // The first time it is stopped after so many records.
        let cancel = nearprint::CancelFlag::new();
        let flag = cancel.clone();
        let stopping =
            engine(1).pipeline(settings(100)).cancelled_by(&cancel).watched_by(move |tally| {
                if tally.documents == stop {
                    flag.cancel();
                }
            });
        let mut source = InputSource::new(&paths, InputSettings::default());
        let mut job = open();
        job.read(&stopping, &mut source, Role::Candidate, &TextRequest::default()).unwrap();
        job.finish().unwrap();
        assert!(job.documents() >= stop, "{stop}");
        drop(job);
        let mut job = open();
        let mut source = InputSource::new(&paths, InputSettings::default());
        job.read(&pipeline, &mut source, Role::Candidate, &TextRequest::default()).unwrap();
        job.finish().unwrap();
        let mut found = Vec::new();
        job.for_each(|done| {
            found.push(shown(&done.record));
            Ok::<_, JobError>(())
        })
        .unwrap();
        assert_eq!(found, wanted, "{stop}");
    }
}

#[test]
fn files_of_fingerprints_are_bounded_too() {
    use nearprint::records::{PrintFormat, PrintReader};
    let text = format!("{}sd1:aerukz4jvpg66\tone\n", "[\n".repeat(10_005));
    let found: Vec<_> = PrintReader::new("f", text.as_bytes(), PrintFormat::Nearprint).collect();
    assert_eq!(found.len(), 10_000 + 1 + 1);
    let rest = found.last().unwrap().as_ref().unwrap_err();
    assert_eq!(rest.reason, ReasonCode::BAD_LINE);
    assert!(rest.detail.starts_with("5 more records"), "{rest}");
}
