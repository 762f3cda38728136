//! Jobs whose power is cut at any operation on their folder, and gone on with: what they come to is that of a job left
//! alone.

#[path = "../../nearprint-records/src/parts/tests/fragile.rs"]
mod fragile;

use fragile::{CUTS, Fragile};
use nearprint::fingerprint::Scheme;
use nearprint::records::{Document, DocumentId, ErrorRecord, JobIdentity, PartSize, Storage};
use nearprint::{Dedup, Engine, JobError, Pipeline, ResumableJob, Role, Settings, TextRequest};

type AnyError = Box<dyn std::error::Error>;

const DOCUMENTS: u64 = 23;

fn documents() -> impl Iterator<Item = Result<Document, ErrorRecord>> + Send {
    (0..DOCUMENTS).map(|number| {
        let of = if number % 4 == 3 { number - 2 } else { number };
        let words: Vec<String> =
            (0..30).map(|at| format!("w{}", (of * 31 + at * at) % 97)).collect();
        let text = if number == 9 { String::new() } else { words.join(" ") };
        Ok(Document::from_bytes(DocumentId::new(format!("page-{number}")).unwrap(), text))
    })
}

/// Does a job, or what is left of it, to its end.
fn done(
    storage: &Fragile,
    pipeline: &Pipeline<'_>,
    wanted: &TextRequest,
) -> Result<ResumableJob<Fragile>, JobError> {
    let size = PartSize { records: 4, bytes: 1 << 20 };
    let mut job = ResumableJob::open(storage.clone(), &JobIdentity::new("test"), size)?;
    job.read(pipeline, &mut documents(), Role::Candidate, wanted)?;
    job.finish()?;
    Ok(job)
}

/// The records that a job of fingerprints puts together, and all that it leaves once these are there.
fn prints(storage: &Fragile) -> Result<Vec<String>, AnyError> {
    let job =
        done(storage, &Engine::default().pipeline(Settings::default()), &TextRequest::default())?;
    let mut found = Vec::new();
    job.for_each(|done| {
        found.push(format!("{:?}", done.record));
        Ok::<_, JobError>(())
    })?;
    Ok(found)
}

/// The decisions of a job of deduplication.
fn decisions(storage: &Fragile) -> Result<Vec<String>, AnyError> {
    let settings = Dedup::default();
    let pipeline = Engine::default().pipeline(Settings::default().scheme(Scheme::MD1));
    let job = done(storage, &pipeline, &settings.wanted())?;
    let mut gathered = settings.gather(pipeline.engine())?;
    job.for_each(|done| {
        gathered.push(&done.record, done.features.as_ref(), done.role, done.arrival)?;
        Ok::<_, AnyError>(())
    })?;
    let mut found = Vec::new();
    settings.decide(&mut gathered, settings.search())?.for_each(&mut gathered, |row| {
        found.push(format!("{row:?}"));
        Ok::<_, AnyError>(())
    })?;
    Ok(found)
}

#[test]
fn a_power_cut_at_any_operation_changes_nothing() {
    for work in [prints, decisions] {
        let whole = Fragile::default();
        let wanted = work(&whole).unwrap();
        assert_eq!(wanted.len() as u64, DOCUMENTS);
        let operations = whole.operations();
        assert!(operations > 20, "{operations}");
        for budget in 0..operations {
            let storage = Fragile::cut_after(budget);
            assert!(work(&storage).is_err(), "{budget} operations were enough");
            for cut in CUTS {
                let found = work(&storage.after(cut));
                let found = found.unwrap_or_else(|error| panic!("{budget} {cut:?}: {error}"));
                assert!(found == wanted, "{budget} {cut:?}");
            }
        }
    }
}

#[test]
fn what_is_done_is_not_done_again_after_a_power_cut() {
    let storage = Fragile::default();
    done(&storage, &Engine::default().pipeline(Settings::default()), &TextRequest::default())
        .unwrap();
    for cut in CUTS {
        let left = storage.after(cut);
        let size = PartSize::default();
        let job = ResumableJob::open(left.clone(), &JobIdentity::new("test"), size).unwrap();
        assert!(job.is_finished() && job.documents() == DOCUMENTS, "{cut:?}");
        assert!(!left.names().unwrap().is_empty());
    }
}
